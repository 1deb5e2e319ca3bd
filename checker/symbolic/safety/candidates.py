"""Candidates for invariants: an Encoding -> what may always be true at each stage, for whoever
keeps what is (`houdini.always_true`).

Simple ones: what the question and its lemmas say, as far as the cells tell; of a zone whether it is
empty; of a variable which of its values it has not. Of items, under whatever the question asks of a
position, or under a bit of the monitor: where one is if another is somewhere, and which of two is
the next to leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import z3

from ....models import ir
from ....properties.parts import about
from ...watching.plan import And, Atom, Before, Not, Old, Said, asked_in
from ..encoding.encode import Encoding
from ..encoding.formulas import EncodedMoment, EncodedPosition
from ..position.frame import GONE, UNSEEN, SymbolicFrame
from ..solver import terms as t


def simple(encoded: Encoding) -> dict[str, list[t.Bool]]:
    """Return the simple candidates about each stage of *encoded*."""
    return {
        stage.name: _without_doubles(_simple(encoded, stage.name))
        for stage in encoded.program.stages
    }


def of_items(encoded: Encoding) -> dict[str, list[t.Bool]]:
    """Return the simple candidates about each stage of *encoded*, and those about two items."""
    return {
        stage.name: _without_doubles(
            [*_simple(encoded, stage.name), *_of_items(encoded, stage.name)]
        )
        for stage in encoded.program.stages
    }


def _without_doubles(candidates: Iterable[t.Bool]) -> list[t.Bool]:
    return [
        candidate
        for candidate in {candidate.get_id(): candidate for candidate in candidates}.values()
        if not t.is_true(candidate)
    ]


def _simple(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    for asked in (*(lemma for _, lemma in encoded.lemmas), encoded.asked):
        yield from _candidates_of(encoded, stage, asked)
    layout = encoded.layout
    frame = layout.frame(stage)
    for size in frame.sizes.values():
        yield t.equal(size, t.number(0))
        yield t.less(t.number(0), size)
    for variable in layout.variables:
        value = frame.values[variable.name]
        if isinstance(variable.type, ir.EnumType) and isinstance(value, z3.ArithRef):
            yield from (
                t.negation(t.equal(value, layout.context.code(name)))
                for name in variable.type.values
            )
        elif isinstance(value, z3.BoolRef):
            yield value
            yield t.negation(value)


def _candidates_of(encoded: Encoding, stage: str, said: Said) -> Iterator[t.Bool]:
    """Yield what *said* comes to by the cells of *stage* alone, if that is anything."""
    if any(
        about(part.leaf) == "move" if isinstance(part, Atom) else isinstance(part, Before | Old)
        for part in asked_in(said)
    ):
        return  # what else is asked of the past is in a bit
    layout = encoded.layout
    frame = layout.frame(stage)
    term = encoded.monitor.truth(
        EncodedMoment(
            EncodedPosition(frame, stage, tuple(frame.locals.values())), new=[*layout.bits]
        ),
        said,
    )
    cells = {cell.get_id() for cell in layout.constants(stage)}
    if all(constant.get_id() in cells for constant in t.constants_of(term)):
        yield term


def _of_items(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    literals = [
        part
        for literal in _literals(encoded.layout.frame(stage))
        for part in (literal, t.negation(literal))
    ]
    for unless in _unless(encoded, stage):
        yield unless
        yield from (t.either(unless, literal) for literal in literals)
        yield from (t.any_of((unless, one, other)) for one, other in combinations(literals, 2))


def _unless(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    """Yield what has to be false for a candidate about items to be of use: a part of what would
    break the question.
    """
    asked = encoded.asked
    bad = asked.operand if isinstance(asked, Not) else Not(asked)
    parts = bad.parts if isinstance(bad, And) else (bad,)
    yield t.negation(
        t.all_of([said for part in parts for said in _candidates_of(encoded, stage, part)])
    )
    yield from map(t.negation, encoded.layout.bits)


def _literals(frame: SymbolicFrame) -> Iterator[t.Bool]:
    """Yield where each spotlit item may be, and which of two on one ordered zone leaves first."""
    orders = frame.context.orders
    for name, spot in frame.spots.items():
        yield from (frame.on(name, zone) for zone in orders)
        yield from (t.equal(spot.where, t.number(place)) for place in (GONE, UNSEEN))
    for one, other in combinations(frame.spots, 2):
        first = (
            frame.first[one, other]
            if frame.first
            else t.less(frame.spots[one].place, frame.spots[other].place)
        )
        for zone in (zone for zone, order in orders.items() if order != "unordered"):
            together = t.both(frame.on(one, zone), frame.on(other, zone))
            yield t.both(together, first)
            yield t.both(together, t.negation(first))
