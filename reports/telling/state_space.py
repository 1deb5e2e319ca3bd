"""State space: the positions that a game comes to within a scope, where they are few, as plain
data: each in words, and its moves.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...checker.reference.semantics.explore import Graph, explore
from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.budget import Budget, Meter
from ...checker.types.position import OVER, Item, Position, Trace
from ...checker.types.scope import Scope
from ...models import ir
from ...models.frozen import frozen
from ...models.words import join_words
from ..naming import attribute_words, kind_title, owner_name, player_name, step_title, value_words
from ..plays.play import PlayState
from ..states import states_of


@frozen
class ReachedMove:
    """A move: *who* makes it (``A``, ``the rules``), by which *clause*, and the number of the
    position that it leads to.
    """

    who: str
    clause: str
    target: int


@frozen
class ReachedPosition:
    """A position: its *stage*, empty if the game is over, and what *title* that has, *holders* of
    priority, and what it *says* else.

    *says* are the zones with something on them, and the variables that are not as at the start.
    *way* are the numbers of the moves of a shortest play to it. *moves* are those that it has;
    *cut* is how many more the scope cut.
    """

    stage: str
    title: str
    holders: tuple[str, ...]
    says: tuple[str, ...]
    state: PlayState
    way: tuple[int, ...]
    moves: tuple[ReachedMove, ...]
    cut: int


def reached_positions(program: ir.Program, scope: Scope, most: int) -> tuple[ReachedPosition, ...]:
    """Return the positions of *program* within *scope*, none farther from the start than the next;
    none if there are more than *most*.
    """
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=most)))
    return (
        ()
        if graph.stopped
        else tuple(_position(graph, number) for number in range(len(graph.positions)))
    )


def _position(graph: Graph, number: int) -> ReachedPosition:
    interpreter, position = graph.interpreter, graph.positions[number]
    program = interpreter.program
    (state,) = states_of(program, Trace(position, ()))
    stage = None if position.stage == OVER else program.stage(position.stage)
    return ReachedPosition(
        position.stage,
        "the game is over" if stage is None else stage.title or stage.name,
        tuple(player_name(seat) for seat in sorted(interpreter.priority(position))),
        (
            *_piles(program, interpreter.scope, position),
            *_values(program, interpreter.scope, position, graph.positions[0]),
        ),
        state,
        tuple(edge - graph.first_edge[graph.source(edge)] for edge in graph.way_to(number)),
        tuple(
            ReachedMove(owner_name(move.owner), move.clause, target)
            for move, target in graph.successors(number)
        ),
        graph.cut.get(number, 0),
    )


def _piles(program: ir.Program, scope: Scope, position: Position) -> Iterator[str]:
    for zone, items in zip(program.zones, position.zones, strict=True):
        if items:
            yield (
                f"{zone.title or zone.name}: "
                f"{join_words([_item_words(program, scope, item) for item in items])}"
            )


def _item_words(program: ir.Program, scope: Scope, item: Item) -> str:
    attributes = [
        attribute_words(one.name, value, value_words(value, one.type, scope.players))
        for one, value in zip(program.attributes, item.attributes, strict=True)
        if value is not False
    ]
    told = f" ({', '.join(attributes)})" if attributes else ""
    return f"{player_name(item.controller)}'s {kind_title(program, item.kind)}{told}"


def _values(
    program: ir.Program, scope: Scope, position: Position, start: Position
) -> Iterator[str]:
    """Yield what is not as at the *start*."""
    for declared, value, first in zip(
        program.variables, position.values, start.values, strict=True
    ):
        if value == first:
            continue
        name = declared.title or declared.name
        if declared.name == ir.ACTIVE:
            yield f"{value_words(value, declared.type, scope.players)} is active"
        elif declared.each_player and isinstance(value, tuple) and isinstance(first, tuple):
            its = [
                f"{player_name(seat)} {value_words(one, declared.type, scope.players)}"
                for seat, one in enumerate(value)
                if one != first[seat]
            ]
            yield f"{name}: {', '.join(its)}"
        else:
            words = value_words(value, declared.type, scope.players)
            yield f"{name}: {step_title(program, declared.name, words)}"
