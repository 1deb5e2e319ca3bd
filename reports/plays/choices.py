"""Choices: what somebody decides with a move, a player or the cards, and whether they could have chosen anything else."""

from __future__ import annotations

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import Choice, Move, Position
from ...models import ir
from ...models.ir.analysis import passes
from ...models.ir.parts import statements
from .play import DecisionSort


def decision_in(interpreter: Interpreter, before: Position, move: Move) -> DecisionSort:
    """Return what is decided by *move*, made in the position *before* it; empty if the rules leave no choice."""
    if any(event.kind == "passes" for event in move.events):
        return "passes"
    mode = interpreter.clauses[move.clause].mode
    if mode == "may":
        return "acts"
    deciders = {choice.by for choice in _free(interpreter, before, move)}
    if any(isinstance(by, int) for by in deciders):
        return "acts"
    return "cards" if mode == "chance" or "cards" in deciders else ""


def _free(interpreter: Interpreter, before: Position, move: Move) -> list[Choice]:
    """Return the choices of *move* that could have been others; of what cards may cause, only what they do cause."""
    alike = [other for other, _ in interpreter.moves(before).moves if (other.clause, other.owner) == (move.clause, move.owner)]
    free = []
    for number, choice in enumerate(move.choices):
        others = [o.choices[number] for o in alike if len(o.choices) > number and o.choices[:number] == move.choices[:number]]
        if any(other != choice for other in others) and not _is_nothing(choice):
            free.append(choice)
    return free


def _is_nothing(choice: Choice) -> bool:
    """Whether *choice* says that cards cause nothing: of what they may cause the first option is that."""
    return choice.by == "cards" and not choice.what and choice.at == 0 and (not choice.value or str(choice.value).startswith(ir.NOT))


def variables_noting_passes(program: ir.Program) -> tuple[str, ...]:
    """Return the sets of players that a clause by which somebody passes adds a player to."""
    passing = [statement for _, clause in program.clauses if passes(clause.body) for statement in statements(clause.body)]
    noting = dict.fromkeys(
        statement.variable
        for statement in passing
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.With)
        and statement.value.players == ir.Variable(statement.variable)
    )
    return tuple(noting)
