"""Describing: a position in a game's own words, as what a formula can say of it, the more telling
facts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ...models import ir
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Line
from ..types.position import Item, Position, Value

ASKED = "p"
_OTHERS = "qrstu"
ITEM = "i"
LEVELS = 5
"""How telling facts are: 1 who has priority, and where the item is; 2 who has passed; 3 how much
lies where; 4 the steps; 5 the rest.
"""


@dataclass(frozen=True)
class Roles:
    """What players are called in a formula, by their seats."""

    names: Mapping[int, str]

    @property
    def another(self) -> str:
        """What any player may be called, whichever it is."""
        return (ASKED + _OTHERS)[len(self.names)]

    def told_apart(self, used: set[str]) -> Iterator[str]:
        """Yield that the players who are *used* are not each other; of more than two, who sits
        after whom.
        """
        seats = [seat for seat, name in self.names.items() if name in used]
        if len(self.names) == 2 and len(seats) == 2:
            yield f"{self.names[seats[0]]} is not {self.names[seats[1]]}"
            return
        for one, other in pairwise(seats):
            words = self.names[one]
            for _ in range((other - one) % len(self.names)):
                words = f"after {words}"
            yield f"{self.names[other]} is {words}"


def roles_of(players: int, asked: int | None) -> Roles | None:
    """Return what the players are called if *asked* is the one who is asked about; None if there
    are too many.
    """
    first = asked or 0
    seats = [(first + number) % players for number in range(players)]
    return (
        Roles(dict(zip(seats, ASKED + _OTHERS, strict=False))) if players <= len(_OTHERS) else None
    )


class Describer:
    """Says how things lie in positions of a game."""

    def __init__(self, interpreter: Interpreter, roles: Roles) -> None:
        self.interpreter, self.program, self.roles = interpreter, interpreter.program, roles

    def facts(self, line: Line, item: int | None) -> list[tuple[int, str]]:
        """Return what is so where *line* ends, each fact with its level; *item* is followed."""
        position = line.position
        found = [(5, f"at {position.stage}")]
        found += [
            (1, f"{self.roles.names[seat]} has priority")
            for seat in sorted(self.interpreter.priority(position))
        ]
        found += [(1, self._done(line))] if line.how[-1:] == ("said",) else []
        place = None if item is None else line.items[item].place
        if place is not None:
            found.append((1, self._place_words(position, place)))
        for variable, value in zip(self.program.variables, position.values, strict=True):
            found += self._of_variable(variable, value)
        for number, zone in enumerate(self.program.zones):
            size = len(position.zones[number])
            found.append((3, f"size of {zone.name} is {size}" if size else f"{zone.name} is empty"))
            found += [
                (5, words) for words in self._items_words(number, position.zones[number], place)
            ]
        return sorted(found, key=lambda fact: fact[0])

    def _done(self, line: Line) -> str:
        """Return who did what in the last move of *line*."""
        move = line.steps[-1].move
        passing = [event.player for event in move.events if event.kind == "passes"]
        if passing and passing[0] is not None:
            return f"{self.roles.names[passing[0]]} passes"
        return (
            f"{self.roles.names[move.owner]} uses {move.clause}"
            if isinstance(move.owner, int)
            else f"clause {move.clause}"
        )

    def _place_words(self, position: Position, place: tuple[int, int]) -> str:
        zone, at = self.program.zones[place[0]], place[1]
        is_end = at == (len(position.zones[place[0]]) - 1 if zone.order == "lifo" else 0)
        return (
            f"{ITEM} is {zone.end_word} of {zone.name}"
            if zone.end_word and is_end
            else f"{ITEM} on {zone.name}"
        )

    def _of_variable(
        self, variable: ir.VariableDeclaration, value: Value
    ) -> Iterator[tuple[int, str]]:
        name = variable.name
        steps = {sequence.variable for sequence in self.program.sequences}
        if variable.each_player:
            assert isinstance(value, tuple)
            for seat, one in enumerate(value):
                yield 5, self._is(f"{name} of {self.roles.names[seat]}", one)
        elif isinstance(variable.type, ir.PlayersType):
            assert isinstance(value, int)
            seats = {seat for seat in self.roles.names if value >> seat & 1}
            if len(seats) in (0, len(self.roles.names)):
                yield 2, f"{name} is {'everyone' if seats else 'none'}"
            else:
                yield from (
                    (2, f"{who} {'in' if seat in seats else 'not in'} {name}")
                    for seat, who in self.roles.names.items()
                )
        elif name == ir.ACTIVE:
            yield 4, self._is(name, value)
        else:
            yield 4 if name in steps else 5, self._is(name, value, variable.type)

    def _is(self, words: str, value: object, type_: ir.Type | None = None) -> str:
        if isinstance(value, bool):
            return words if value else f"not {words}"
        if value is None:
            return f"{words} is nobody"
        if isinstance(value, int) and not isinstance(type_, ir.NumberType):
            who = self.roles.names[value]
            return f"{who} is active" if words == ir.ACTIVE else f"{words} is {who}"
        return f"{words} is {value}"

    def _items_words(
        self, zone: int, items: tuple[Item, ...], followed: tuple[int, int] | None
    ) -> Iterator[str]:
        declared = self.program.zones[zone]
        for at, item in enumerate(items):
            if followed == (zone, at):
                yield from self._of_item(item, ITEM)
            elif declared.order == "lifo" and at == len(items) - 1:
                yield from self._of_item(item, f"top of {declared.name}")
            else:
                yield f"(some x in {declared.name} where ({' and '.join(self._of_item(item, 'x'))}))"

    def _of_item(self, item: Item, words: str) -> Iterator[str]:
        yield f"kind of {words} is {item.kind}"
        yield f"controller of {words} is {self.roles.names[item.controller]}"
        for attribute, value in zip(self.program.attributes, item.attributes, strict=True):
            said = f"{attribute.name} of {words}"
            # A flag of the top of a zone may be asked only as what it is: the zone may be empty
            # there.
            if isinstance(value, bool):
                yield f"{said} is {'yes' if value else 'no'}"
            else:
                yield self._is(said, value, attribute.type)
