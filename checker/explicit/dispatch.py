"""Dispatch: from the stage of a position to the functions of its clauses."""

from __future__ import annotations

from .layout import Layout
from .text import Function


def dispatch(layout: Layout, name: str, clauses: dict[str, list[str]]) -> list[Function]:
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
