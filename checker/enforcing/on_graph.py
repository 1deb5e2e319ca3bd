"""Deciding on a graph what a coalition can enforce: one game for every choice of players.

Cards and rules are with the others, and everybody sees everything. What is enforced even if leaving
the scope loses is enforced with more room, too. What is enforced only if the others do not leave it
is enforced within the scope. What eventually has to happen is not called enforced if a play might
go on for ever with more and more items: no scope has such a play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from ...models import ir
from ...models.frozen import frozen
from ...properties import formula as f
from ..process.collector import collector_paused
from ..questions.questions import puts_without_end
from ..reference.formulas.signals import Signals
from ..reference.semantics.explore import Graph, explore
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter, lifted
from ..slicing.slice import left_out_words
from ..strategies.arena import FIRST, Arena, arena_of, interpreter_for
from ..strategies.forks import with_forced
from ..strategies.objective import Objective
from ..strategies.solve import Solution, play_of, solve
from ..tables.conditions import Doer, seat_words
from ..tables.playback import guarded_game, play_back
from ..tables.sampling import sampled_table
from ..tables.search import Found, find_table
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.graphs import Edges
from ..types.position import WITHOUT_PLAY, WITHOUT_TABLE, StrategyTable, TableRow, Trace
from ..types.scope import Scope
from ..types.verdict import Outcome


def within_budget(
    decision: Decision, meter: Meter, without: str, tell: Callable[[], Decision]
) -> Decision:
    """Return what *tell* makes of *decision*; if the budget or somebody ends that, the same with a
    note *without* what it is, and why.
    """
    try:
        if not (reason := meter.why_over):
            return tell()
    except BudgetSpentError as spent:
        reason = str(spent)
    except KeyboardInterrupt:
        meter.interrupted, reason = True, INTERRUPTED
    return untold(decision, without, reason)


def untold(decision: Decision, without: str, reason: str) -> Decision:
    """Return *decision* with a note that it is told *without* something, for a *reason*."""
    return replace(
        decision, notes=(*decision.notes, f"{decision.question.name} is {without}: {reason}")
    )


WITHIN = (
    "within the scope: plays in which the others put more on a zone than it has room for are left "
    "out"
)
HIDDEN = (
    "it can be enforced within the scope; but where the others go beyond it, putting more on a "
    "zone than it has room for, a play might go on for ever with more and more items"
)
EMPTY = "because they can always force a player to act for ever, which is assumed not to happen"
ONLY_WITHIN = (
    "within the scope anything can be enforced, for there the others can only act for ever, which "
    "is assumed not to be, or go beyond it: a larger scope may say more"
)
ALL_BEYOND = (
    "every play goes beyond the scope, putting more on a zone than it has room for: a larger scope "
    "may say more"
)
OWN_CUT = "the scope cuts moves of the coalition that might decide it"
EXPLORING = 0.5
"""The share of a budget that the exploration may spend."""
_NEVER: tuple[f.Goal, ...] = (f.Goal("always", f.And(())),)
"""What cannot be enforced."""


@frozen
class Solved:
    """The game of one choice of players: who wins it (*solution*)."""

    arena: Arena
    solution: Solution

    @property
    def is_won(self) -> bool:
        """Whether the coalition wins from the start."""
        return bool(self.solution.even[FIRST])


def decide_on_graph(
    program: ir.Program, question: f.Property, scope: Scope, meter: Meter, *, sliced: bool
) -> tuple[Decision, Graph]:
    """Return whether some players can enforce what *question* says, which has the mode ``enforce``,
    within *scope*, and the graph of that.

    If *sliced*, positions are not told apart by what does not matter; the answer is the same. If
    the graph was *stopped*, more could have been said.
    """
    meter.begin("exploring", EXPLORING)
    graph = with_forced(explore(interpreter_for(program, scope, question, sliced=sliced), meter))
    meter.begin(f"playing {question.name}")
    try:
        with collector_paused():
            return replace(
                _decide_on_graph(Signals(graph), question, meter), sliced=_left_out(graph)
            ), graph
    except BudgetSpentError as spent:
        return Decision(Outcome.UNKNOWN, question, reason=graph.stopped or str(spent)), graph
    except KeyboardInterrupt:
        meter.interrupted = True
        return Decision(Outcome.UNKNOWN, question, reason=INTERRUPTED), graph


def _left_out(graph: Graph) -> tuple[str, ...]:
    interpreter = graph.interpreter
    return (
        left_out_words(interpreter.program, interpreter.kept)
        if isinstance(interpreter, SlicedInterpreter)
        else ()
    )


def _decide_on_graph(signals: Signals, question: f.Property, meter: Meter) -> Decision:
    if signals.graph.expanded == 0:
        return Decision(Outcome.UNKNOWN, question, reason=signals.graph.stopped)
    first: Solved | None = None
    lost: list[Objective] = []
    won: dict[Outcome, tuple[Decision, Solved]] = {}
    open_ = is_beyond = False
    try:
        for arena in _arenas(signals, question, meter):
            if arena.is_beyond:
                is_beyond = True
                continue
            solved = _solved(arena, beyond=True)
            if solved.is_won:
                decision, best = _won(solved, question, meter)
                if decision.outcome == Outcome.POSSIBLE and not decision.reason:
                    return _with_play(decision, best, meter)
                won.setdefault(decision.outcome, (decision, best))
            else:
                # What the others are told to do must not lead to where the exploration has ended.
                most = (
                    solved
                    if not signals.graph.stopped
                    else replace(solved, solution=_solve(arena, beyond=True, open_=True))
                )
                open_ |= most.is_won
                first = first or most
                lost.append(arena.objective)
    except (BudgetSpentError, KeyboardInterrupt) as why:
        if Outcome.POSSIBLE not in won:
            raise
        meter.interrupted |= isinstance(
            why, KeyboardInterrupt
        )  # what some players can enforce stays, even if others were not asked
    if (open_ or is_beyond) and won.keys() <= {Outcome.VACUOUS}:
        return Decision(Outcome.UNKNOWN, question, reason=signals.graph.stopped or ALL_BEYOND)
    if Outcome.POSSIBLE in won:
        return _with_play(*won[Outcome.POSSIBLE], meter)
    for outcome in (Outcome.UNKNOWN, Outcome.VACUOUS):
        if outcome in won:
            return won[outcome][0]
    is_open = bool(signals.graph.cut) and any(_may_be_won(objective, meter) for objective in lost)
    decision = Decision(Outcome.IMPOSSIBLE, question, reason=OWN_CUT if is_open else "")
    return decision if first is None else _with_play(decision, first, meter, ours=False)


def _may_be_won(objective: Objective, meter: Meter) -> bool:
    """Whether the coalition wins if it wins on every way that the scope cuts, even if the others
    choose it. If not, it does not win with more room either.
    """
    return bool(_solve(arena_of(objective, meter, hope=True), beyond=True, open_=True).even[FIRST])


def _won(solved: Solved, question: f.Property, meter: Meter) -> tuple[Decision, Solved]:
    """Return what it comes to that the coalition wins a game, and the game with which that is
    shown.
    """
    always, objective = _solved(solved.arena, beyond=False), solved.arena.objective
    decision = worth_of_won(
        objective.signals.graph.interpreter.program,
        question,
        lambda: _can_break_what_is_assumed(objective, meter, beyond=not always.is_won),
        is_sure=always.is_won,
    )
    return decision, always if always.is_won else solved


def worth_of_won(
    program: ir.Program, question: f.Property, is_empty: Callable[[], bool], *, is_sure: bool
) -> Decision:
    """Return what it comes to that the coalition of *question* wins, be it where going beyond the
    scope is lost if it *is_sure*; *is_empty* says whether it does so although nothing at all can be
    enforced.
    """
    if question.assuming and is_empty():
        if is_sure:
            return Decision(Outcome.VACUOUS, question, reason=EMPTY)
        return Decision(Outcome.UNKNOWN, question, reason=ONLY_WITHIN)
    if not is_sure and may_be_put_off(program, question):
        return Decision(Outcome.UNKNOWN, question, reason=HIDDEN)
    return Decision(Outcome.POSSIBLE, question, reason="" if is_sure else WITHIN)


def _with_play(decision: Decision, best: Solved, meter: Meter, *, ours: bool = True) -> Decision:
    """Return *decision* on the game *best*, which the coalition wins if it is *ours*, with a play
    and, if one was found, a table.

    Neither has a say in the verdict: what of them there was no time for is left out, and a note
    says so.
    """
    shown = within_budget(
        decision,
        meter,
        WITHOUT_PLAY,
        lambda: replace(decision, trace=_play(best, meter, ours=ours)),
    )
    objective = best.arena.objective
    if not ours:
        return within_budget(
            shown, meter, WITHOUT_TABLE, lambda: _with_answer(shown, objective, meter)
        )
    return with_table(shown, objective.graph.interpreter, tuple(objective.seats.values()), meter)


def _play(solved: Solved, meter: Meter, *, ours: bool) -> Trace:
    """Return a play of the whole game that a side wins."""
    return lifted(
        solved.arena.objective.signals.graph.interpreter,
        play_of(solved.arena, solved.solution, meter, ours=ours),
    )


def _with_answer(decision: Decision, objective: Objective, meter: Meter) -> Decision:
    """Return *decision*, that something cannot be enforced, with a table of the others that was
    played back, if a small one was found.
    """
    arena, is_open = arena_of(objective, meter, each=True), bool(objective.graph.stopped)
    priority = arena.with_ends(beyond=True, open_=is_open)
    found = find_table(
        arena, _solve(arena, beyond=True, open_=is_open), priority, meter, ours=False
    )
    if found is None:
        return decision
    positions = play_back(objective, found.rows, meter, beyond=True, ours=False)
    return replace(decision, table=_told_table(objective, found, positions, ours=False))


def with_table(
    decision: Decision, interpreter: Interpreter, seats: tuple[int, ...], meter: Meter
) -> Decision:
    """Return *decision*, that the players on *seats* can enforce something, with a table and as
    guards, if a small one was found.
    """

    def decided() -> Decision:
        sampled = sampled_table(
            interpreter, decision.question, seats, meter, beyond=bool(decision.reason)
        )
        if sampled is None:
            return decision
        objective, found, positions = sampled
        return replace(
            decision,
            table=_told_table(objective, found, positions),
            guarded=guarded_game(objective, found.rows),
        )

    return within_budget(decision, meter, WITHOUT_TABLE, decided)


def _arenas(signals: Signals, question: f.Property, meter: Meter) -> Iterator[Arena]:
    """Yield the game for every choice of players with which the objective can be reached at all;
    different players come first.
    """
    every = product(range(signals.graph.interpreter.scope.players), repeat=len(question.spotlights))
    for seats in sorted(every, key=lambda seats: -len(set(seats))):
        objective = Objective(signals, question, seats)
        if not objective.is_out_of_reach:
            yield arena_of(objective, meter)


def _can_break_what_is_assumed(objective: Objective, meter: Meter, *, beyond: bool) -> bool:
    """Whether the coalition wins although nothing that it is to enforce can be, where going
    *beyond* the scope is won, or not.
    """
    question = objective.question
    assert question.enforced is not None
    nothing = replace(question, enforced=replace(question.enforced, goals=_NEVER))
    return _solved(
        arena_of(Objective(objective.signals, nothing, tuple(objective.seats.values())), meter),
        beyond=beyond,
    ).is_won


def may_be_put_off(program: ir.Program, question: f.Property) -> bool:
    """Whether what the coalition of *question* is eventually to bring about may never come on a
    play with more and more items.

    What the coalition itself puts on a zone it puts there by choice: if the others end, so does
    what is put by players.
    """
    assert question.enforced is not None
    assuming: list[f.Assumption] = [
        "players" if who == "others" else who for who in question.assuming
    ]
    is_for_some_day = any(goal.kind != "always" for goal in question.enforced.goals)
    return is_for_some_day and puts_without_end(program, assuming)


def _solved(arena: Arena, *, beyond: bool) -> Solved:
    return Solved(arena, _solve(arena, beyond=beyond, open_=False))


def _solve(arena: Arena, *, beyond: bool, open_: bool) -> Solution:
    return solve(
        arena.ours, arena.with_ends(beyond=beyond, open_=open_), Edges(arena.first, arena.target)
    )


def _told_table(
    objective: Objective, found: Found, positions: int, *, ours: bool = True
) -> StrategyTable:
    """Return the table as people read it, of the coalition if it is *ours*; the game with it has
    *positions* positions.
    """
    program = objective.signals.graph.interpreter.program
    titles = {clause.id: clause.title for _, clause in program.clauses}
    rows = []
    for row in found.rows:
        action, player = row.action, seat_words(objective, row.action.seat)
        when = tuple(condition.in_words(program, player) for condition in row.conditions)
        rows.append(
            TableRow(
                _doer_words(objective, action.doer),
                when,
                action.clause,
                titles.get(action.clause, ""),
                action.choice,
            )
        )
    return StrategyTable(tuple(rows), found.is_smallest, positions, is_answer=not ours)


def _doer_words(objective: Objective, doer: Doer) -> str:
    """Return who it is: by name, or "the player after p"."""
    if not isinstance(doer, int):
        return f"the {doer}"
    words = seat_words(objective, doer)
    return words if words in objective.seats else f"the player {words}"
