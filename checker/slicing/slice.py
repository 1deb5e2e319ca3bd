"""Slices: what of a position a search keeps. The rest it can do without, as nothing it looks for
depends on it.

Which slice a search can do with, `needs` finds out. `layout` gives what is dropped no bits, and
`specialise` leaves out of a clause what only changes dropped things. Should anything ask for a
dropped thing all the same, the text would say `DROPPED` there, and `emit` sees to it that no text
says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ...models import ir
from ...models.words import join_words

DROPPED = "DROPPED"
"""What stands in a text where something dropped is asked for."""
ANYWHERE = ""
"""In the place of a zone's name: all zones together."""

PartRange: TypeAlias = tuple[str, str, int, int]
"""A zone, or `ANYWHERE`; a part of its items; the lowest and the highest code that part ever has
there.
"""


@dataclass(frozen=True)
class Slice:
    """What is kept: *variables*, *parameters* (each with its stage), *parts* of items (each with
    its zone), and *owners* of clauses.

    *fixed* are the variables that never change, with their codes; they take no bits. *kinds* has
    for each kind the one that stands for it: nothing tells kinds apart that have the same. *ranges*
    are narrower than the types of the parts say. *follows* says whether spotlights follow items, so
    that even items with the same parts are told apart.
    """

    variables: frozenset[str]
    parameters: frozenset[tuple[str, str]]
    parts: frozenset[tuple[str, str]]
    owners: frozenset[str]
    kinds: tuple[tuple[str, str], ...]
    fixed: tuple[tuple[str, int], ...] = ()
    ranges: tuple[PartRange, ...] = ()
    follows: bool = True
    is_whole: bool = False


def whole(program: ir.Program) -> Slice:
    """Return the slice that keeps everything."""
    names = [ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)]
    return Slice(
        variables=frozenset(variable.name for variable in program.variables),
        parameters=frozenset(
            (stage.name, parameter.name)
            for stage in program.stages
            for parameter in stage.parameters
        ),
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


def left_out_words(program: ir.Program, kept: Slice) -> tuple[str, ...]:
    """Return in words what *kept* leaves out of *program*, thing by thing, except what never
    changes.
    """
    fixed = {name for name, _ in kept.fixed}
    return (
        *(
            variable.name
            for variable in program.variables
            if variable.name not in kept.variables | fixed
        ),
        *_items_said(program, kept),
        *_parameters_said(program, kept),
        *_kinds_said(kept),
    )


def _items_said(program: ir.Program, kept: Slice) -> Iterator[str]:
    """Yield each part of items with the zones on which nobody asks for it; what only one kind of
    item could tell apart is no news.
    """
    known = {(zone, part) for zone, part, low, high in kept.ranges if low == high}
    names = [ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)]
    for name in names:
        zones = [
            zone.name
            for zone in program.zones
            if (zone.name, name) not in kept.parts | known and (ANYWHERE, name) not in known
        ]
        if zones and not (name == ir.KIND and len(program.kinds) < 2):
            yield f"the {name} of items on {' and '.join(zones)}"


def _parameters_said(program: ir.Program, kept: Slice) -> Iterator[str]:
    for stage in program.stages:
        for parameter in stage.parameters:
            if (stage.name, parameter.name) not in kept.parameters:
                yield f"the {parameter.name} of {stage.name}"


def _kinds_said(kept: Slice) -> Iterator[str]:
    """Yield the kinds that are not told apart, where the kind of items is kept at all."""
    if not any(part == ir.KIND for _, part in kept.parts):
        return
    classes: dict[str, list[str]] = {}
    for kind, stands in kept.kinds:
        classes.setdefault(stands, []).append(kind)
    for same in classes.values():
        if len(same) > 1:
            yield f"the difference between {join_words(same)}"
