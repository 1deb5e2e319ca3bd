"""Features: what of a position can grow less, as numbers that are never below 0.

A measure is a sum of features with factors from 0 on, so never below 0. Every feature is a term
over the cells of each stage that depends only on the position of the rules. So it speaks neither of
the number of a seat, which is counted from the first spotlit player, nor of who is spotlit, nor of
what a cell without a meaning holds there. A spotlit player may stand for anyone, and the measure of
a position is the same for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ..position.frame import PlayerSet, SymbolicFrame, SymbolicValue
from ..position.layout import CellLayout
from ..position.sorts import constant_number
from ..solver import terms as t
from ..solver.terms import ONE, ZERO

PLACE = "the stage"
WITH = " with "
"""Between a stage and what a position has there, in the name of a value."""
MOST_PLACES = 8
"""Into how many places a stage is told apart by its parameters at most."""


@frozen
class Feature:
    """A number of each position: what it is *called*, and its *terms* at the stages where it is not
    0.

    Features of one *family* tell the values of one thing apart; *value* is which.
    """

    called: str
    terms: Mapping[str, t.Integer]
    family: str = ""
    value: str = ""
    cost: int = 1

    @property
    def is_simple(self) -> bool:
        """Whether it is about one thing."""
        return not self.family.startswith(f"{PLACE} and ")

    def at_stage(self, stage: str) -> t.Integer:
        """Return the feature's term over the cells of *stage*."""
        return self.terms.get(stage, ZERO)


def features(layout: CellLayout) -> list[Feature]:
    """Return the features of the positions of *layout*."""
    program = layout.context.program
    stages = [stage.name for stage in program.stages]
    found = list(_of_frame(layout, layout.frame(""), stages))
    families: dict[str, list[Feature]] = {}
    for feature in found:
        families.setdefault(feature.family, []).append(feature)
    places = [place for stage in program.stages for place in _places(stage, layout)]
    found += places
    for stage in program.stages:
        frame = layout.frame(stage.name)
        for parameter in stage.parameters:
            found += _of_seats(parameter, frame, layout, stage.name)
    for name, values in families.items():
        if name:
            found += [_together(place, value) for place in places for value in values]
    return found


def _places(stage: ir.Stage, layout: CellLayout) -> list[Feature]:
    """Return what tells apart where in the rules a position at *stage* is: the stage, with the
    named values that it was given.
    """
    frame = layout.frame(stage.name)
    places = [Feature(f"the stage is {stage.name}", {stage.name: ONE}, PLACE, stage.name, 2)]
    for parameter in stage.parameters:
        values = list(
            _of_value(
                parameter.name, parameter.type, frame.locals[parameter.name], layout, [stage.name]
            )
        )
        if values and values[0].family and len(places) * len(values) <= MOST_PLACES:
            places = [_together(place, value, PLACE) for place in places for value in values]
    return places


def _together(place: Feature, value: Feature, family: str = "") -> Feature:
    """Return the feature that is 1 where both are."""
    ((stage, here),) = place.terms.items()
    there = value.terms[stage]
    both = there if z3.is_int_value(here) else t.one_if(t.both(here > 0, there > 0))
    told = f"{place.value}{WITH}{value.family} {value.value}"
    return Feature(
        told, {stage: both}, family or f"{PLACE} and {value.family}", told, place.cost + 1
    )


def _of_frame(layout: CellLayout, frame: SymbolicFrame, stages: list[str]) -> Iterator[Feature]:
    """Yield the features of what every position has."""
    for zone, size in frame.sizes.items():
        yield Feature(f"the number of items on {zone}", dict.fromkeys(stages, size))
        for word, term in (
            ("empty", t.equal(size, ZERO)),
            ("not empty", t.negation(t.equal(size, ZERO))),
        ):
            yield Feature(f"{zone} is {word}", dict.fromkeys(stages, t.one_if(term)), zone, word, 2)
    for variable in layout.variables:
        if variable.name not in layout.constant and not variable.each_player:
            yield from _of_value(
                variable.name, variable.type, frame.values[variable.name], layout, stages
            )


def _of_value(
    name: str, type_: ir.Type, value: SymbolicValue, layout: CellLayout, stages: list[str]
) -> Iterator[Feature]:
    """Yield the features of one value, at *stages*."""
    match type_:
        case ir.FlagType():
            assert isinstance(value, z3.BoolRef)
            for wanted, term in (("yes", value), ("no", t.negation(value))):
                yield Feature(
                    f"{name} is {wanted}", dict.fromkeys(stages, t.one_if(term)), name, wanted, 2
                )
        case ir.EnumType(values):
            assert isinstance(value, z3.ArithRef)
            for word in values:
                term = t.one_if(t.equal(value, layout.context.code(word)))
                yield Feature(f"{name} is {word}", dict.fromkeys(stages, term), name, word, 2)
        case ir.NumberType(low, high):
            assert isinstance(value, z3.ArithRef)
            least = constant_number(layout.context, low)
            most = constant_number(layout.context, high)
            yield Feature(
                f"how far {name} is above its least", dict.fromkeys(stages, t.minus(value, least))
            )
            yield Feature(
                f"how far {name} is below its most", dict.fromkeys(stages, t.minus(most, value))
            )
        case ir.PlayersType():
            assert isinstance(value, PlayerSet)
            size, count = _size(value, layout), layout.context.players.count
            if size is not None:
                yield Feature(f"the number of players in {name}", dict.fromkeys(stages, size))
                yield Feature(
                    f"the number of players not yet in {name}",
                    dict.fromkeys(stages, t.minus(count, size)),
                )
        case ir.PlayerType() | ir.ItemType():
            return
        case _:
            assert_never(type_)


def _size(value: PlayerSet, layout: CellLayout) -> t.Integer | None:
    """Return how many players are in a set, if that is known."""
    if value.run is not None:
        return value.run.size
    return t.count_true(value.members) if layout.context.players.exact else None


def _of_seats(
    parameter: ir.Parameter, frame: SymbolicFrame, layout: CellLayout, stage: str
) -> Iterator[Feature]:
    """Yield how far the player of *parameter* of *stage* sits from other players that the position
    names.
    """
    name, type_, players = parameter.name, parameter.type, layout.context.players
    if not isinstance(type_, ir.PlayerType) or type_.optional or players.loose:
        return
    value = frame.locals[name]
    assert isinstance(value, z3.ArithRef)
    others: dict[str, tuple[SymbolicValue, t.Bool]] = {ir.ACTIVE: (frame.values[ir.ACTIVE], t.TRUE)}
    for (zone, what), top in frame.tops.items():
        if what == ir.CONTROLLER:
            others[f"the {what} of the next item of {zone}"] = (
                top,
                t.less(ZERO, frame.sizes[zone]),
            )
    for other, (seat, is_there) in others.items():
        assert isinstance(seat, z3.ArithRef)
        ahead = t.choice(is_there, players.ahead(value, seat), ZERO)
        yield Feature(
            f"how many seats {name} of {stage} is away from {other}", {stage: ahead}, cost=3
        )
