"""Cells in words: what a proof's cells are called in the ruleset, and what it is to have this value
or that.

In comes the Encoding of a proof, out goes for each cell its noun and its phrases: ``passed`` of p
being true reads "p in passed".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ....properties import formula as f
from ....properties.wording import expression_words, formula_words
from ..encoding.encode import Encoding
from ..position.frame import FIRST_ZONE, GONE, UNSEEN
from ..position.players import NOBODY
from ..position.sorts import type_of_attribute
from ..solver import terms as t
from ..solver.terms import ZERO

_LONG = 70
"""A formula with more letters is said once, and goes by a number elsewhere."""
Phrases = tuple[str, str]
"""How it is said, and how its contrary."""


@frozen
class CellWording:
    """A cell called *noun*: a truth has *phrases*; a number *values*, by name, if there are few,
    else *likely* ones, by phrases.

    *is_seat* says that it is a player, whose seat is counted from the player *origin* (empty if
    that is no particular one). *bare* says that its values are phrases by themselves.
    """

    noun: str
    phrases: Phrases = ("", "")
    values: Mapping[int, str] = field(default_factory=dict)
    likely: tuple[tuple[t.Term, Phrases], ...] = ()
    is_seat: bool = False
    origin: str = ""
    bare: bool = False


def cells_in_words(encoded: Encoding) -> tuple[dict[str, CellWording], dict[str, int]]:
    """Return the cells of an encoding by the names of their constants, and the long formulas among
    them, which go by numbers.
    """
    naming = _Naming(encoded)
    return dict(naming.cells()), naming.long


class _Naming:
    def __init__(self, encoded: Encoding) -> None:
        self.layout, self.monitor = encoded.layout, encoded.monitor
        self.context = encoded.layout.context
        self.program = encoded.program
        self.long: dict[str, int] = {}
        self.spotlit = {*self.context.players.spotlights, *self.context.items}
        self.labels = {
            label: self._who(label, seat)
            for seat, label in self.context.players.paired(self.context.players.labels)
        }

    def cells(self) -> Iterator[tuple[str, CellWording]]:
        yield from self._of_players()
        for variable in self.layout.variables:
            if isinstance(variable.type, ir.PlayersType):
                yield from self._set(variable.name, variable.name)
            elif variable.each_player:
                for label, who in self.labels.items():
                    yield (
                        f"{variable.name} of {label}",
                        self._typed(f"{variable.name} of {who}", variable.type),
                    )
            else:
                yield variable.name, self._typed(variable.name, variable.type)
        yield from self._of_zones()
        yield from self._of_items()
        for number, bit in enumerate(self.monitor.plan.bits):
            yield f"bit {number}", self._bit(bit.source)
        for stage in self.program.stages:
            for parameter in stage.parameters:
                name = f"{parameter.name} of {stage.name}"
                called = (
                    f"{stage.name}'s {parameter.name}"
                    if parameter.name in self.spotlit
                    else parameter.name
                )
                if isinstance(parameter.type, ir.PlayersType):
                    yield from self._set(called, name)
                else:
                    yield name, self._typed(called, parameter.type)

    def _who(self, label: str, seat: t.Integer) -> str:
        """Return what a tracked player is called: by its spotlight, or by where it sits from that
        one.
        """
        players = self.context.players
        if not players.exact:
            return label
        number = seat.as_long()
        if not players.spotlights:
            return "the first player" if number == 0 else f"player {number + 1}"
        first = next(iter(players.spotlights))
        if number == 0:
            return first
        return (
            f"{first}'s opponent"
            if len(players.tracked) == 2
            else " ".join(["after"] * number + [first])
        )

    def _of_players(self) -> Iterator[tuple[str, CellWording]]:
        players = self.context.players
        yield str(players.count), CellWording("number of players")
        for name, seat in players.spotlights.items():
            if not z3.is_int_value(seat):
                yield str(seat), self._seat(name)

    def _seat(self, noun: str) -> CellWording:
        players = self.context.players
        seats = list(players.paired(self.labels.values()))
        if players.exact and players.spotlights:
            seats += [
                (seat, name)
                for name, seat in players.spotlights.items()
                if not z3.is_int_value(seat)
            ]
        origin = next(iter(players.spotlights), "")
        named = [(seat, name) for seat, name in [*seats, (NOBODY, "nobody")] if name != noun]
        return CellWording(
            noun,
            likely=tuple(
                (seat, (f"{noun} is {name}", f"{noun} is not {name}")) for seat, name in named
            ),
            is_seat=True,
            origin=origin,
        )

    def _set(self, called: str, name: str) -> Iterator[tuple[str, CellWording]]:
        for label, who in self.labels.items():
            yield (
                f"{label} in {name}",
                CellWording(called, (f"{who} in {called}", f"{who} not in {called}")),
            )

    def _typed(self, noun: str, type_: ir.Type) -> CellWording:
        match type_:
            case ir.FlagType():
                return CellWording(noun, (noun, f"not {noun}"))
            case ir.EnumType(values):
                return CellWording(
                    noun, values={self.context.code(value).as_long(): value for value in values}
                )
            case ir.PlayerType():
                return self._seat(noun)
            case ir.NumberType() | ir.PlayersType() | ir.ItemType():
                return CellWording(noun)
            case _:
                assert_never(type_)

    def _of_zones(self) -> Iterator[tuple[str, CellWording]]:
        for zone in self.program.zones:
            empty = (f"{zone.name} is empty", f"{zone.name} is not empty")
            yield f"size of {zone.name}", self._amount(f"size of {zone.name}", empty)
        for zone_name, name in self.context.tops:
            said = expression_words(self.program, ir.AttributeOf(ir.EndOf(zone_name), name))
            yield (
                f"{name} of the end of {zone_name}",
                self._typed(said, type_of_attribute(self.context, name)),
            )

    def _amount(self, noun: str, none: Phrases) -> CellWording:
        """Return a number called *noun*; *none* says that it is 0."""
        values = {} if self.context.counting else dict(enumerate(none))
        return CellWording(noun, values=values, likely=((ZERO, none),), bare=True)

    def _of_items(self) -> Iterator[tuple[str, CellWording]]:
        zones = [zone.name for zone in self.program.zones]
        for item in self.context.items:
            where = {UNSEEN: f"{item} is yet to come", GONE: f"{item} has left the game"}
            where |= {FIRST_ZONE + number: f"{item} on {zone}" for number, zone in enumerate(zones)}
            yield f"where {item} is", CellWording(item, values=where, bare=True)
            first = (f"nothing leaves before {item}", f"something leaves before {item}")
            yield (
                f"place of {item}",
                self._amount(f"number of items that leave before {item}", first),
            )
            for name in self.context.attributes:
                yield (
                    f"{name} of {item}",
                    self._typed(f"{name} of {item}", type_of_attribute(self.context, name)),
                )
            for other in self.context.items:
                yield (
                    f"{item} before {other}",
                    CellWording(item, (_before(item, other), _before(other, item))),
                )

    def _bit(self, formula: f.Past) -> CellWording:
        """Return the bit that remembers *formula*; of what was true before the move it remembers
        what is true now.
        """
        said = formula.operand if isinstance(formula, f.Previously) else formula
        words = formula_words(self.program, said)
        if len(words) > _LONG:
            number = self.long.setdefault(words, len(self.long) + 1)
            return CellWording(words, (f"[{number}]", f"not [{number}]"))
        if isinstance(said, f.Since | f.And | f.Or):
            words = f"({words})"
        return CellWording(words, (words, f"not {words}"))


def _before(item: str, other: str) -> str:
    return f"{item} leaves before {other} if both are on one zone"
