"""Portable: a game that can be played and counted elsewhere.

In comes a configured Program within a scope, out go two modules of WebAssembly, made of the same texts that run here, and the tables
to read their positions by. Positions are whole and not turned, so both modules have the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....models import ir
from ...types.scope import Scope
from ..emit.emit import emit
from ..emit.told import TOLD, emit_told
from ..layout.layout import Layout
from ..moves import hooks
from ..native import kernel
from ..native.webassembly import web_module
from .tables import layout_table, told_table

_SEARCHES = ("start", "expand", "insert")


@dataclass(frozen=True)
class Portable:
    """A game: the module that *tells* moves, the one that *searches*, and the *tables*, plain data."""

    tells: bytes
    searches: bytes
    tables: dict[str, Any]


def portable(program: ir.Program, scope: Scope) -> Portable:
    """Return *program* within *scope* for another machine.

    Raises `TooWideError` if a position has no room in words of the machine, `NoMachineError` if there is no compiler for it.
    """
    layout = Layout(program, scope)
    told, emitted = emit_told(layout), emit(layout)
    tables = {
        "layout": layout_table(layout),
        "told": told_table(told),
        "search": {
            "buffer": kernel.buffer_words(emitted),
            "batch": kernel.batch(emitted) * emitted.most_moves,
            "first": hooks.FIRST,
            "log": kernel.SLOTS_LOG,
        },
    }
    return Portable(web_module(told.text, TOLD), web_module(kernel.kernel_text(emitted), _SEARCHES), tables)
