"""Dispatch: from the stage of a position to the functions of its clauses, and from a number to a
function.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..layout.layout import Layout
from .writer import FunctionWriter


def dispatch(layout: Layout, name: str, clauses: dict[str, list[str]]) -> list[FunctionWriter]:
    """Return the functions that call the *clauses* of each stage, and the one, called *name*, that
    calls these.
    """
    words = layout.names
    given, stages = ", ".join([*words, "out", "n"]), []
    whole = FunctionWriter(name, (*words, "out", "n"))
    whole.line(f"stage = {words[layout.stage.word]} >> {layout.stage.shift} & {layout.stage.mask}")
    for number, (stage, called) in enumerate(clauses.items()):
        one = FunctionWriter(f"{name}_of_{number}", whole.parameters)
        for clause in called:
            one.line(f"n = {clause}({given})")
        one.line("return n")
        stages.append(one)
        with whole.block(f"if stage == {layout.stages[stage]}:"):
            whole.line(f"return {one.name}({given})")
    whole.line("return n")
    return [*stages, whole]


def by_number(
    name: str, parameters: Sequence[str], number: str, functions: Sequence[FunctionWriter]
) -> FunctionWriter:
    """Return the function *name* that calls the one of *functions* that *number* says; all have the
    same *parameters*.
    """
    whole = FunctionWriter(name, parameters)
    _choose(
        whole, number, [f"{function.name}({', '.join(parameters)})" for function in functions], 0
    )
    return whole


def _choose(function: FunctionWriter, number: str, calls: Sequence[str], first: int) -> None:
    """Write that of *calls*, the first having number *first*, the one of *number* is made, by
    halving.
    """
    if len(calls) == 1:
        function.line(f"return {calls[0]}")
        return
    half = len(calls) // 2
    with function.block(f"if {number} < {first + half}:"):
        _choose(function, number, calls[:half], first)
    _choose(function, number, calls[half:], first + half)
