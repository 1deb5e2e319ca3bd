"""States: the positions and choices of a play, whole, for programs that go on from them: nothing is
left out, and nothing retold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ..checker.types.position import OVER, Item, Move, Position, Trace, Value
from ..models import ir
from .naming import player_name, seats_of
from .plays.play import PlayState, StateCell, StateItem


def states_of(program: ir.Program, trace: Trace) -> tuple[PlayState, ...]:
    """Return the positions of *trace*, a play of *program*."""
    return tuple(_state(program, position) for position in trace.positions)


def ways_of(trace: Trace) -> tuple[str, ...]:
    """Return of each move of *trace* what tells it from all others of its clause: whose it is, and
    the numbers of what is chosen.
    """
    return tuple(_way(step.move) for step in trace.steps)


def _way(move: Move) -> str:
    owner = player_name(move.owner) if isinstance(move.owner, int) else move.owner
    return " ".join(
        [owner, *(str(choice.value if choice.at < 0 else choice.at) for choice in move.choices)]
    )


def _state(program: ir.Program, position: Position) -> PlayState:
    parameters = () if position.stage == OVER else program.stage(position.stage).parameters
    arguments = tuple(
        _cell(one.name, one.type, value)
        for one, value in zip(parameters, position.arguments, strict=True)
    )
    zones = zip(program.zones, position.zones, strict=True)
    return PlayState(
        arguments,
        tuple(
            cell
            for declared, value in zip(program.variables, position.values, strict=True)
            for cell in _cells(declared, value)
        ),
        tuple(
            (zone.name, tuple(_state_item(program, item) for item in items))
            for zone, items in zones
        ),
    )


def _cells(declared: ir.VariableDeclaration, value: Value) -> Iterator[StateCell]:
    """Yield what a variable is, for each player if it is declared so."""
    if declared.each_player and isinstance(value, tuple):
        for seat, its in enumerate(value):
            yield _cell(declared.name, declared.type, its, player_name(seat))
    else:
        yield _cell(declared.name, declared.type, value)


def _state_item(program: ir.Program, item: Item) -> StateItem:
    values = zip(program.attributes, item.attributes, strict=True)
    return StateItem(
        item.kind,
        player_name(item.controller),
        tuple(_cell(one.name, one.type, value) for one, value in values),
    )


def _cell(name: str, type_: ir.Type, value: Value, player: str = "") -> StateCell:
    match type_:
        case ir.FlagType():
            return StateCell(name, player, "flag", ("yes" if value else "no",))
        case ir.NumberType():
            return StateCell(name, player, "number", (str(value),))
        case ir.PlayerType():
            return StateCell(
                name, player, "player", (player_name(value),) if isinstance(value, int) else ()
            )
        case ir.PlayersType():
            return StateCell(name, player, "players", tuple(map(player_name, seats_of(value))))
        case ir.EnumType() | ir.ItemType():
            return StateCell(name, player, "word", (str(value),))
        case _:
            assert_never(type_)
