"""ITF: a play in the Informal Trace Format of Apalache, for the tools of other model checkers.

In: `Play`. Out: text. The format is told in https://apalache-mc.org/docs/adr/015adr-trace.html. A
state has the whole position, and the move that led to it.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, assert_never

from .json import json_text
from .plays.play import Moment, Play, PlayState, StateCell, StateItem

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
_OF_MOVES = ("move", "mover", "stage", "arguments", "priority", "over")


def render_itf(play: Play, description: str) -> str:
    """Return *play*, whose *description* is a line, as an ITF document that ends with a line
    end.
    """
    states = [
        _state(moment, state) for moment, state in zip(play.moments, play.states, strict=True)
    ]
    meta = {
        "format": "ITF",
        "format-description": FORMAT,
        "description": description,
        "conclusion": play.conclusion,
    }
    if play.spotlights:
        meta["spotlights"] = ", ".join(f"{name} is {who}" for name, who in play.spotlights)
    document: dict[str, Any] = {
        "#meta": meta,
        "vars": [name for name in states[0] if name != "#meta"],
        "states": states,
    }
    if play.loop is not None:
        # The last state is that of moment number `loop` again, so what comes after it is what came
        # after that.
        document["loop"] = play.loop + 1
    return json_text(document)


def _state(moment: Moment, state: PlayState) -> dict[str, Any]:
    told = {
        "move": moment.clause,
        "mover": moment.mover,
        "stage": moment.stage,
        "arguments": {cell.name: _itf_value(cell) for cell in state.arguments},
        "priority": {"#set": moment.priority},
        "over": moment.over,
    }
    zones = {_itf_name(zone): [_itf_item(item) for item in items] for zone, items in state.zones}
    return {"#meta": {"index": moment.number}, **told, **_variables(state), **zones}


def _variables(state: PlayState) -> dict[str, Any]:
    """Return the variables of *state*; of one that each player has, a map."""
    found: dict[str, Any] = {}
    for name, of_name in groupby(state.variables, lambda cell: cell.name):
        cells = list(of_name)
        found[_itf_name(name)] = (
            {"#map": [[cell.player, _itf_value(cell)] for cell in cells]}
            if cells[0].player
            else _itf_value(cells[0])
        )
    return found


def _itf_name(name: str) -> str:
    """Return what a variable or a zone is called, whose name may be that of something else in a
    state.
    """
    return f"{name}_" if name in _OF_MOVES else name


def _itf_item(item: StateItem) -> dict[str, Any]:
    attributes = {
        f"{cell.name}_" if cell.name in ("kind", "controller") else cell.name: _itf_value(cell)
        for cell in item.attributes
    }
    return {"kind": item.kind, "controller": item.controller, **attributes}


def _itf_value(cell: StateCell) -> Any:
    match cell.kind:
        case "flag":
            return cell.words == ("yes",)
        case "number":
            return {"#bigint": cell.words[0]}
        case "word":
            return cell.words[0]
        case "player":
            return cell.words[0] if cell.words else "nobody"
        case "players":
            return {"#set": cell.words}
        case _:
            assert_never(cell.kind)
