"""Emitting: a Program and its layout -> the text of one function that finds the moves of any position.

The text is a subset of Python: whole numbers, shifts and masks, loops over ranges, calls. CPython runs it as
it is, numba compiles it (`kernel`). Each clause is a function, or a few; a stage calls its clauses, and
``successors`` the stage. The same Program gives the same text, letter for letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .layout import Layout
from .modes import Successors
from .moves import Moves
from .text import Function, Module
from .values import Values
from .ways import most_moves
from .zones import Zones


@dataclass(frozen=True)
class Emitted:
    """The *text*, how its positions lie, how many moves one of them can have at most, and how many words tell one (*width*)."""

    text: str
    layout: Layout
    most_moves: int
    width: int


def emit(layout: Layout) -> Emitted:
    """Return the text for *layout*'s Program, with the functions ``start`` and ``successors`` (NOTE(buffer) in `modes`)."""
    module = Module()
    values = Values(layout, module)
    moves = Moves(layout, module, values, Zones(layout, module, values), Successors())
    moves.start()
    clauses = {stage.name: [moves.clause(stage, clause) for clause in stage.clauses] for stage in layout.program.stages}
    module.functions += _dispatch(layout, "successors", clauses)
    return Emitted(str(module), layout, most_moves(layout), layout.words)


def _dispatch(layout: Layout, name: str, clauses: dict[str, list[str]]) -> Sequence[Function]:
    """Return the functions that call the *clauses* of each stage, and the one, called *name*, that calls these."""
    words = [f"s{number}" for number in range(layout.words)]
    given, stages = ", ".join([*words, "out", "n"]), []
    whole = Function(name, (*words, "out", "n"))
    whole.line(f"stage = {words[layout.stage.word]} >> {layout.stage.shift} & {layout.stage.mask}")
    for number, (stage, called) in enumerate(clauses.items()):
        one = Function(f"{name}_of_{number}", whole.parameters)
        for clause in called:
            one.line(f"n = {clause}({given})")
        one.line("return n")
        stages.append(one)
        with whole.block(f"if stage == {layout.stages[stage]}:"):
            whole.line(f"return {one.name}({given})")
    whole.line("return n")
    return [*stages, whole]
