"""Slices: what of a position a search keeps. The rest it can do without, as nothing it looks for depends on it.

Which slice a search can do with, `slicing` finds out. `layout` gives what is dropped no bits, and `residue` leaves out of a clause
what only changes dropped things. Should anything ask for a dropped thing all the same, the text would say `DROPPED` there,
and `emit` sees to it that no text says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ...models import ir

DROPPED = "DROPPED"
"""What stands in a text where something dropped is asked for."""
ANYWHERE = ""
"""In the place of a zone's name: all zones together."""

Range: TypeAlias = tuple[str, str, int, int]
"""A zone, or `ANYWHERE`; a part of its items; the lowest and the highest code that part ever has there."""


@dataclass(frozen=True)
class Slice:
    """What is kept: *variables*, *parameters* (each with its stage), *parts* of items (each with its zone), and *owners* of clauses.

    *fixed* are the variables that never change, with their codes; they take no bits. *kinds* has for each kind the one
    that stands for it: nothing tells kinds apart that have the same. *ranges* are narrower than the types of the parts say.
    *follows* says whether spotlights follow items, so that even items with the same parts are told apart.
    """

    variables: frozenset[str]
    parameters: frozenset[tuple[str, str]]
    parts: frozenset[tuple[str, str]]
    owners: frozenset[str]
    kinds: tuple[tuple[str, str], ...]
    fixed: tuple[tuple[str, int], ...] = ()
    ranges: tuple[Range, ...] = ()
    follows: bool = True
    is_whole: bool = False


def whole(program: ir.Program) -> Slice:
    """Return the slice that keeps everything."""
    names = [ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)]
    return Slice(
        variables=frozenset(variable.name for variable in program.variables),
        parameters=frozenset((stage.name, parameter.name) for stage in program.stages for parameter in stage.parameters),
        parts=frozenset((zone.name, name) for zone in program.zones for name in names),
        owners=frozenset(clause.id for _, clause in program.clauses),
        kinds=tuple((kind.name, kind.name) for kind in program.kinds),
        is_whole=True,
    )


def undropped(text: str) -> str:
    """Return *text*; raise ValueError if it asks for something that has been dropped."""
    if DROPPED in text:
        raise ValueError("a text asks for what has been dropped: its slice is too small")
    return text
