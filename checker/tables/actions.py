"""Actions: what a row of a table says, of the coalition or of the others.

In comes a decision of one of the two sides, out goes an action for each of its ways. Of the others
each decision is by itself: whose move it is, its clause, and each choice in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...models import ir
from ...models.ir.parts import statements
from ..strategies.arena import Arena
from ..strategies.forks import CUT, Alternative, Fork, Way
from ..strategies.objective import Objective
from ..strategies.views import told_item
from ..types.position import Choice, Item, Move

Doer: TypeAlias = 'int | Literal["rules", "cards"]'
"""Who does something: the player on a seat, the rules or the cards."""


@dataclass(frozen=True)
class TableAction:
    """What a row says: *doer* uses *clause*, or if *choice* says so makes this choice in it;
    without a clause the move is left to *doer*.

    The conditions of the row are about the player on *seat*: who does it, or of what rules and
    cards do the first of the coalition.
    """

    doer: Doer
    clause: str
    choice: str
    seat: int


def actions_of(arena: Arena, node: int) -> list[TableAction | None]:
    """Return what the ways of a decision are, in the order of its edges; None where one leads
    beyond the scope.
    """
    fork = arena.ways[node]
    assert isinstance(fork, Fork)
    return fork_actions(arena.objective, fork)


def fork_actions(objective: Objective, fork: Fork) -> list[TableAction | None]:
    """Return what the ways of *fork* are."""
    return [None if way == CUT else _action(objective, option, way) for option, way in fork.ways]


def cut_actions_of(objective: Objective, fork: Fork) -> frozenset[TableAction]:
    """Return what the coalition, which decides at *fork*, could do there if the scope had room for
    it.
    """
    return frozenset(_action(objective, option, fork) for option in fork.cut)


def seat_words(objective: Objective, seat: int) -> str:
    """Return the player on *seat*, as the question names them or by the way from one whom it
    names.
    """
    names = {at: name for name, at in reversed(objective.seats.items())}
    name, first = next(iter(objective.seats.items()))
    away = (seat - first) % objective.signals.graph.interpreter.scope.players
    return names.get(seat, f"{'after ' * away}{name}")


def _action(objective: Objective, option: Alternative, way: Way) -> TableAction:
    """Return what is done by taking *option*, on *way*: whose move it is, its clause, or a choice
    in it.
    """
    doer = _first_move(objective, way).owner if option.choice is None else option.choice.by
    choice = "" if option.choice is None else _choice_words(objective, option.clause, option.choice)
    return TableAction(
        doer,
        option.clause,
        choice,
        doer if isinstance(doer, int) else next(iter(objective.seats.values())),
    )


def _first_move(objective: Objective, way: Way) -> Move:
    """Return the first move within the scope to which *way* leads."""
    move = next(_moves_of(objective, way))
    assert move is not None
    return move


def _moves_of(objective: Objective, way: Way) -> Iterator[Move]:
    graph = objective.signals.graph
    if isinstance(way, Fork):
        for _, inner in way.ways:
            yield from _moves_of(objective, inner)
    elif way != CUT:
        yield graph.moves[graph.label[way]]


def _choice_words(objective: Objective, clause: str, choice: Choice) -> str:
    """Return what is chosen: of items their kind and whose they are, of players who they are."""
    interpreter = objective.signals.graph.interpreter
    if not choice.what:
        return f'"{choice.value}"'
    body = interpreter.clauses[clause].body
    domain = next(
        (
            node.domain
            for node in statements(body)
            if isinstance(node, ir.Choose) and node.variable == choice.what
        ),
        None,
    )
    if isinstance(choice.value, Item):
        assert isinstance(domain, ir.ItemsOn)
        whose = (
            "own"
            if isinstance(choice.by, int)
            else f"{(first := next(iter(objective.seats.items())))[0]}'s"
        )
        by = choice.by if isinstance(choice.by, int) else first[1]
        return f"{choice.what} is {told_item(interpreter, domain.zone, choice.value, by, whose)}"
    if isinstance(domain, ir.PlayersIn) and isinstance(choice.value, int):
        return f"{choice.what} is {seat_words(objective, choice.value)}"
    return f"{choice.what} is {choice.value}"
