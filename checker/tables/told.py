"""What is told of a table that was played back, as data in the words of the rulebook."""

from __future__ import annotations

from ..strategies.objective import Objective
from ..types.strategy import StrategyTable, TableRow
from .actions import Doer, seat_words
from .search import Found


def told_table(objective: Objective, found: Found, positions: int, *, ours: bool = True) -> StrategyTable:
    """Return the table as people read it, of the coalition if it is *ours*; the game with it has so many *positions*."""
    program = objective.signals.graph.interpreter.program
    titles = {clause.id: clause.title for _, clause in program.clauses}
    rows = []
    for row in found.rows:
        action, player = row.action, seat_words(objective, row.action.seat)
        when = tuple(condition.words(program, player) for condition in row.conditions)
        rows.append(TableRow(_doer_words(objective, action.doer), when, action.clause, titles.get(action.clause, ""), action.choice))
    return StrategyTable(tuple(rows), found.is_smallest, positions, is_answer=not ours)


def _doer_words(objective: Objective, doer: Doer) -> str:
    """Return who it is: by name, or "the player after p"."""
    if not isinstance(doer, int):
        return f"the {doer}"
    words = seat_words(objective, doer)
    return words if words in objective.seats else f"the player {words}"
