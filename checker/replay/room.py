"""Room: how many items a play has on each zone, in the middle of its moves too -> the smallest
scope that it fits into.
"""

from __future__ import annotations

from typing import assert_never

from ...models.ir import Program
from ...models.syntax import NamedSizes
from ..reference.semantics.interpreter import Interpreter
from ..types.position import Position
from ..types.scope import Scope
from ..types.trace import Trace, TraceStep


def used(program: Program, trace: Trace) -> NamedSizes:
    """Return the most items that each zone of *program* ever has in *trace*, between moves and in
    the middle of them.
    """
    sizes = [len(items) for items in trace.initial.zones]
    most = list(sizes)
    for step in trace.steps:
        for event in step.move.events:
            match event.kind:
                case "put":
                    sizes[event.zone] += 1
                case "move":
                    sizes[event.zone] -= 1
                    sizes[event.to_zone] += 1
                case "resolves" | "is removed":
                    sizes[event.zone] -= 1
                case (
                    "changes"
                    | "begins resolving"
                    | "passes"
                    | "step ends"
                    | "sequence ends"
                    | "sequence begins"
                    | "step begins"
                ):
                    pass
                case _:
                    assert_never(event.kind)
            most = [max(pair) for pair in zip(most, sizes, strict=True)]
    return tuple((zone.name, size) for zone, size in zip(program.zones, most, strict=True))


def fitting(program: Program, players: int, trace: Trace) -> Scope:
    """Return the scope of *players* players with just enough room for *trace*."""
    return Scope(players, tuple((zone, max(size, 1)) for zone, size in used(program, trace)))


def missing(interpreter: Interpreter, position: Position) -> dict[str, int]:
    """Return for each zone that is too small for a move which the rules allow in *position* the
    least size that has room for one.
    """
    sizes, needed = dict(interpreter.scope.sizes), dict[str, int]()
    for move, after in interpreter.allowed(position):
        for zone, size in used(interpreter.program, Trace(position, (TraceStep(move, after),))):
            if size > sizes[zone]:
                needed[zone] = min(size, needed.get(zone, size))
    return needed
