"""Emitting: a Program and its layout -> the text of one function that finds the moves of any position.

The text is a subset of Python: whole numbers, shifts and masks, loops over ranges, calls. CPython runs it as
it is (`interpreted`), and it can be compiled (`assembly`). Each clause is a function, or a few; a stage calls its
clauses, and ``successors`` the stage. The same Program gives the same text, letter for letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...models import ir
from ...properties import formula as f
from ..scope import Scope
from .dispatch import dispatch
from .enabled import Enabled
from .layout import FIRST_PLACE, Layout, TooWideError
from .modes import Successors
from .monitor import Monitor, past_bits
from .moves import Moves
from .sorts import player
from .text import Module
from .turning import Turning
from .values import Values
from .watched import Telling, Watched
from .ways import most_moves
from .zones import Zones

MOST_MOVES = 1 << 22
"""How many moves of one position there is room for."""


@dataclass(frozen=True)
class Emitted:
    """The *text*, how its positions lie, and how many moves one of them can have at most.

    Each position found takes *width* words of the buffer.
    """

    text: str
    layout: Layout
    most_moves: int
    width: int


def emit(layout: Layout, *, turned: bool = False) -> Emitted:
    """Return the text for *layout*'s Program, with the functions ``start`` and ``successors`` (NOTE(buffer) in `modes`).

    If *turned* it finds positions as `turning` leaves them.
    """
    module, mode = Module(), Successors()
    values = Values(layout, module)
    zones = Zones(layout, module, values)
    if turned:
        mode.turning = Turning(layout, module, values)
    _write(layout, module, Moves(layout, module, values, zones, mode))
    return Emitted(str(module), layout, _bounded(most_moves(layout)), layout.words)


def emit_watched(
    program: ir.Program,
    scope: Scope,
    formula: f.Formula,
    spotlights: Sequence[f.Spotlight],
    *,
    telling: bool = False,
    turned: bool = False,
) -> Emitted:
    """Return the text whose positions watch *formula* (`watched`); if *turned* as `turning` leaves them, if *telling* with their moves."""
    items = [spotlight.name for spotlight in spotlights if spotlight.kind == "item"]
    seats = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
    layout = Layout(program, scope, _extra(program, scope, formula, items, seats))
    module = Module()
    values = Values(layout, module)
    zones = Zones(layout, module, values)
    mode = (Telling if telling else Watched)(layout, values, zones, formula, items)
    monitor = Monitor(formula, mode, values, Enabled(layout, module, values, zones, formula), seats)
    module.functions.append(monitor.function)
    if turned:
        mode.turning = Turning(layout, module, values, items, seats)
    _write(layout, module, Moves(layout, module, values, zones, mode))
    width = layout.words + (3 if telling else 0)
    return Emitted(str(module), layout, _bounded(most_moves(layout, 1 + len(items))), width)


def _bounded(moves: int) -> int:
    """Return *moves*; raise `TooWideError` if no buffer can hold so many."""
    if moves > MOST_MOVES:
        raise TooWideError(f"a position may have {moves:,} moves; a buffer holds {MOST_MOVES:,}")
    return moves


def _extra(program: ir.Program, scope: Scope, formula: f.Formula, items: Sequence[str], seats: Sequence[str]) -> list[tuple[str, int]]:
    """Return the fields of what is watched, with their widths."""
    places = FIRST_PLACE + sum(size for _, size in scope.sizes)
    asked = {node.item.name for node in ir.walk(formula) if isinstance(node, ir.AttributeOf) and isinstance(node.item, ir.Local)}
    extra = [(f"seat of {name}", player(scope.players).bits) for name in seats]
    extra += [(f"place of {name}", (places - 1).bit_length()) for name in items]
    extra += [(f"item {name}", Layout(program, scope).item_bits) for name in items if name in asked]
    return [*extra, ("past", past_bits(formula))]


def _write(layout: Layout, module: Module, moves: Moves) -> None:
    """Write the functions ``start`` and ``successors``."""
    moves.start()
    clauses = {stage.name: [moves.clause(stage, clause) for clause in stage.clauses] for stage in layout.program.stages}
    module.functions += dispatch(layout, "successors", clauses)
