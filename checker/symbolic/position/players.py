"""Players: how seats around a table of any size become numbers.

With a fixed number of players every seat is *tracked*, and everything is exact. With an open number
the spotlit players are, and a seat is a number below the number of players, which is a number
itself; so two players are compared exactly however many there are. Where no spotlit player's place
at the table matters, `loose` forgets the order of seats as well, which makes proofs short.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TypeVar

import z3

from ....models.frozen import frozen
from ..solver import terms as t
from ..solver.terms import ONE, ZERO
from .weakenings import Weakening

MOST_EXACT = 4
"""Up to how many players, if the game has a fixed number, every seat is tracked."""
NOBODY: t.Integer = t.number(-1)
Value = TypeVar("Value")


@frozen
class Players:
    """The players of a game: *count* of them, of whom the seats *tracked* are known one by one.

    *spotlights* are the seats of the spotlit players by name. *exact* says that the tracked ones
    are all. *loose* forgets the order of seats.
    """

    count: t.Integer
    least: int
    most: int | None
    tracked: tuple[t.Integer, ...]
    labels: tuple[str, ...]
    spotlights: dict[str, t.Integer]
    exact: bool
    loose: bool

    @property
    def rigid(self) -> tuple[t.Integer, ...]:
        """The constants that stay the same all through a play: the number of players and where the
        spotlit ones sit.
        """
        terms = [self.count, *self.spotlights.values()]
        return tuple(term for term in terms if t.value_of(term) is None)

    @property
    def always_true(self) -> t.Bool:
        """What is true of the rigid constants."""
        bounds = [t.at_most(t.number(self.least), self.count)]
        if self.most is not None:
            bounds.append(t.at_most(self.count, t.number(self.most)))
        return t.all_of([*bounds, *(self.is_seat(seat) for seat in self.spotlights.values())])

    @property
    def weakenings(self) -> frozenset[Weakening]:
        """What this way of speaking of players forgets by itself."""
        found = {Weakening.ROTATED} if self.spotlights else set()
        return frozenset(found | {Weakening.LOOSE_NEIGHBOURS} if self.loose else found)

    def is_seat(self, seat: t.Integer) -> t.Bool:
        """Whether a number is a player."""
        return t.both(t.at_most(ZERO, seat), t.less(seat, self.count))

    def paired(self, values: Iterable[Value]) -> zip[tuple[t.Integer, Value]]:
        """Return each tracked player with its one of *values*."""
        return zip(self.tracked, values, strict=True)

    def same_seat_same_value(self, values: Iterable[t.Term]) -> list[t.Bool]:
        """Return that of *values*, one for each tracked player, those of one player are the
        same.
        """
        return [
            t.implies(t.equal(one, other), t.equal(left, right))
            for (one, left), (other, right) in combinations(self.paired(values), 2)
        ]

    def ahead(self, seat: t.Integer, other: t.Integer) -> t.Integer:
        """Return how many seats *other* is after *seat* in the order of seats."""
        return t.choice(
            t.at_most(seat, other), t.minus(other, seat), t.plus(t.minus(other, seat), self.count)
        )

    def neighbour(self, seat: t.Integer, offset: int, other: t.Integer) -> tuple[t.Integer, t.Bool]:
        """Return the player after (or before) *seat*, and what has to be true for that; *other* is
        a fresh number.
        """
        if self.loose:
            return other, t.both(
                self.is_seat(other),
                t.either(t.negation(t.equal(other, seat)), t.equal(self.count, ONE)),
            )
        last = t.minus(self.count, ONE)
        if offset == 1:
            following = t.choice(t.equal(seat, last), ZERO, t.plus(seat, ONE))
        else:
            following = t.choice(t.equal(seat, ZERO), last, t.minus(seat, ONE))
        return following, t.TRUE


def make_players(
    number: tuple[int, int | None], spotlights: tuple[str, ...], *, loose: bool
) -> Players:
    """Return the players of a game for *number* (least, most) with these player *spotlights*."""
    least, most = number
    exact = least == most and least <= MOST_EXACT
    count = t.number(least) if least == most else z3.Int("players")
    seats = {
        name: ZERO if place == 0 else z3.Int(f"seat of {name}")
        for place, name in enumerate(spotlights)
    }
    if exact:
        tracked = tuple(t.number(seat) for seat in range(least))
        labels = tuple(f"seat {seat}" for seat in range(least))
    else:
        tracked, labels = tuple(seats.values()), tuple(seats)
    return Players(count, least, most, tracked, labels, seats, exact, loose and not exact)
