"""Lifting: a play of sliced and turned positions becomes a play of the game, with all there is in
it and everyone in their own seat.

The search (`search`) finds only what it kept of the positions of a play, turned until the active
player sits in seat 0. The text that tells (`watched.TellingHooks`) is over whole positions as they
are. From the start on, each whole position has the moves that its image has, if slicing and turning
are right. So every move that leads to the next image is followed, depth first, and none twice. If
none is left, a slice or a turn is wrong, and `lift` says where; it never makes a play up. The moves
themselves, with their choices and events, are those of a *player*, which knows the moves of a
position in NOTE(move-order). The text and the player have to agree on every position of the play,
or it is not told.

Images are compared by `Projection`. Two items on an unordered zone may look alike in a slice, but
not in the game. Either may come first, so a place there counts as that of the first item that looks
the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from ....models import ir
from ....models.frozen import frozen
from ....properties import formula as f
from ...slicing.symmetry import turned, turned_item, turned_part
from ...types.position import Move, Position, SpotlitItem, Trace, TraceStep
from ..emit.emit import Emitted
from ..emit.watched import TOLD
from ..moves.layout import UNSEEN, Format, Layout, Slots, Words
from .interpreted import Interpreted


class MovesFound(Protocol):
    """The moves of a position."""

    @property
    def moves(self) -> Sequence[tuple[Move, Position]]:
        """Each move with the position it leads to, in NOTE(move-order)."""


class Player(Protocol):
    """Who knows the moves of a position: the reference interpreter."""

    def moves(self, position: Position) -> MovesFound:
        """Return the moves of *position*."""


# ------------------------------------------------------------------ images


class Image(NamedTuple):
    """What a search keeps of a position: *bare* are its words without what is watched; the rest is
    read from the extra fields.

    *shape*, its stage and how many items are on each zone, is what slicing and turning leave as it
    is.
    """

    shape: Words
    bare: Words
    seats: tuple[int, ...]
    places: tuple[int, ...]
    items: tuple[int, ...]
    past: int


class Projection:
    """From positions of the *whole* layout, and from those of the *searched* one, to what of them
    is compared.

    A position of the whole layout is turned first if *turns*. *seats* and *items* are the player
    and item spotlights, by their numbers.
    """

    def __init__(
        self,
        whole: Layout,
        searched: Layout,
        seats: Sequence[str],
        items: Sequence[str],
        *,
        turns: bool,
    ) -> None:
        self.whole, self.searched, self.turns = whole, searched, turns
        self.seats = [f"seat of {name}" for name in seats if f"seat of {name}" in searched.extra]
        self.items = [name for name in items if f"place of {name}" in searched.extra]
        self.has_past = "past" in whole.extra and "past" in searched.extra

    def of_searched(self, words: Words) -> Image:
        """Return the image of a position of the search."""
        extra = self.searched.extra
        bare = tuple(word & mask for word, mask in zip(words, self.searched.bare, strict=True))
        seats = tuple(extra[name].code_in(words) for name in self.seats)
        places = tuple(
            self._first_alike(bare, extra[f"place of {name}"].code_in(words)) for name in self.items
        )
        items = tuple(
            extra[f"item {name}"].code_in(words) for name in self.items if f"item {name}" in extra
        )
        return Image(
            _shape(self.searched, words),
            bare,
            seats,
            places,
            items,
            extra["past"].code_in(words) if self.has_past else 0,
        )

    def is_of(self, image: Image, words: Words) -> bool:
        """Whether a position of the whole layout has that *image*."""
        return _shape(self.whole, words) == image.shape and self.of_whole(words) == image

    def of_whole(self, words: Words) -> Image:
        """Return the image of a position of the whole layout."""
        extra, players, position = self.whole.extra, self.whole.players, self.whole.unpack(words)
        by = self.whole.variables[ir.ACTIVE].code_in(words) if self.turns else 0
        bare = self.searched.pack(turned(self.whole.program, players, position, by))
        seats = tuple((extra[name].code_in(words) - by) % players for name in self.seats)
        places = tuple(
            self._place_in_image(bare, position, extra[f"place of {name}"].code_in(words), by)
            for name in self.items
        )
        items = tuple(
            self._spotlit_item(name, words, by)
            for name in self.items
            if f"item {name}" in self.searched.extra
        )
        return Image(
            _shape(self.whole, words),
            bare,
            seats,
            places,
            items,
            extra["past"].code_in(words) if self.has_past else 0,
        )

    # ------------------------------------------------------------------ items

    def _place_in_image(self, bare: Words, position: Position, place: int, by: int) -> int:
        """Return the place, in the image *bare* of *position*, of the first item that looks like
        the one at *place*.
        """
        zone = _zone_of(self.whole, place)
        if zone is None or zone.order != "unordered":
            return place
        item = position.zones[zone.number][place - zone.first_place]
        searched = self.searched.zones[zone.name]
        code = self.searched.pack_item(
            turned_item(self.whole.program, self.whole.players, item, by), searched.format
        )
        return searched.first_place + _codes(searched, bare).index(code)

    def _first_alike(self, bare: Words, place: int) -> int:
        zone = _zone_of(self.searched, place)
        if zone is None or zone.order != "unordered":
            return place
        codes = _codes(zone, bare)
        return zone.first_place + codes.index(codes[place - zone.first_place])

    def _spotlit_item(self, name: str, words: Words, by: int) -> int:
        """Return what a search keeps of the item of a spotlight."""
        if self.whole.extra[f"place of {name}"].code_in(words) == UNSEEN:
            return 0
        stored, code = self.whole.extra[f"item {name}"].code_in(words), 0
        known = _format_of(self.whole, name).parts
        for part_name, part in _format_of(self.searched, name).kept:
            value = known[part_name].unpack(stored)
            if part_name == ir.KIND:
                assert isinstance(value, str)
                value = self.searched.representatives[value]
            code |= part.pack(
                turned_part(self.whole.program, self.whole.players, part_name, value, by)
            )
        return code


def _shape(layout: Layout, words: Words) -> Words:
    return (
        layout.stage.code_in(words),
        *(zone.length.code_in(words) for zone in layout.zones.values()),
    )


def _format_of(layout: Layout, item: str) -> Format:
    """Return the format in which *layout* keeps what an item spotlight is."""
    return layout.formats.get(f"item {item}", layout.item)


def _zone_of(layout: Layout, place: int) -> Slots | None:
    """Return the zone that *place* is on; None if it is on none."""
    return next(
        (
            zone
            for zone in layout.zones.values()
            if zone.first_place <= place < zone.first_place + zone.size
        ),
        None,
    )


def _codes(zone: Slots, bare: Words) -> list[int]:
    """Return the items of *zone* as they stand in their slots."""
    slots, bits = zone.slots.code_in(bare), zone.format.bits
    return [slots >> at * bits & zone.format.mask for at in range(zone.length.code_in(bare))]


# ------------------------------------------------------------------ plays


@frozen
class Lifting:
    """What `lift` needs besides a play.

    *telling* is the text over whole positions, *which* the number of the formula in it, *starts*
    are all that it may start from. *searched* is the layout of the play, *turns* says whether its
    positions are turned. *spotlights* are those of the formula.
    """

    telling: Emitted
    which: int
    starts: Sequence[Words]
    searched: Layout
    turns: bool
    spotlights: Sequence[f.Spotlight]

    def names(self, kind: str) -> list[str]:
        """Return the names of the spotlights of a kind."""
        return [spotlight.name for spotlight in self.spotlights if spotlight.kind == kind]

    def numbers(self, kind: str) -> list[str]:
        """Return the numbers by which the fields of these spotlights are called."""
        return [str(number) for number, _ in enumerate(self.names(kind))]


def lift(lifting: Lifting, play: Sequence[Words], player: Player) -> Trace:
    """Return a play whose images are *play* and whose last move, or with no image the start, makes
    the formula true.
    """
    run = Interpreted(lifting.telling, lifting.which)
    begun = _begun(lifting, run)
    if not play:
        return _trace(lifting, next(first for first, bits in begun.items() if bits), [], player)
    projection = _projection(lifting)
    images = [projection.of_searched(words) for words in play]
    following = _Following(run, projection, images, [*images[1:], None])
    return _trace(lifting, *_first_that_follows(following, begun), player)


def lift_lasso(lifting: Lifting, way: Sequence[Words], loop: int | None, player: Player) -> Trace:
    """Return a play whose images are *way*, the last of which is its end, or where it comes back to
    that of number *loop*.

    The moves of the loop are those of the function with the number after *which*. The play goes
    round until a position comes back, and not only its image.
    """
    projection = _projection(lifting)
    images = [projection.of_searched(words) for words in way]
    stem = images if loop is None else images[: loop + 1]
    run = Interpreted(lifting.telling, lifting.which)
    first, moves = _first_that_follows(
        _Following(run, projection, stem, stem[1:]), _begun(lifting, run)
    )
    if loop is None:
        return _trace(lifting, first, moves, player)
    size, rounds = lifting.telling.layout.words, Interpreted(lifting.telling, lifting.which + 1)
    at, met = (moves[-1][:size] if moves else first), dict[Words, int]()
    while at not in met:
        met[at] = len(moves)
        _, more = _first_that_follows(
            _Following(rounds, projection, images[loop:], images[loop + 1 :]), [at]
        )
        moves += more
        at = moves[-1][:size]
    return replace(_trace(lifting, first, moves, player), loop=met[at])


def _trace(lifting: Lifting, first: Words, moves: Sequence[Words], player: Player) -> Trace:
    """Return the play from *first* of which *moves* were told."""
    layout = lifting.telling.layout
    spotlit: list[tuple[str, int | SpotlitItem]] = [
        (name, layout.extra[f"seat of {number}"].code_in(first))
        for number, name in enumerate(lifting.names("player"))
    ]
    steps: list[TraceStep] = []
    position = layout.unpack(first)
    for moment, told in enumerate(moves, 1):
        _, number, chosen = told[layout.words :]
        move, target = player.moves(position).moves[number]
        position = layout.unpack(told)
        if target != position:
            raise AssertionError(
                f"move {number} of {steps[-1].position if steps else layout.unpack(first)} leads "
                "elsewhere"
            )
        steps.append(TraceStep(move, target))
        spotlit += _turned_to(lifting.names("item"), chosen, move, moment)
    return Trace(layout.unpack(first), tuple(steps), tuple(spotlit))


def _turned_to(
    items: Sequence[str], chosen: int, move: Move, moment: int
) -> Iterator[tuple[str, SpotlitItem]]:
    """Yield the spotlights that turn to a new item in *move*, with that item."""
    puts = [at for at, event in enumerate(move.events) if event.kind == "put"]
    for order, name in enumerate(items):
        if which := chosen >> TOLD * order & (1 << TOLD) - 1:
            item = move.events[puts[which - 1]].item
            assert item is not None
            yield name, SpotlitItem(item, moment, puts[which - 1])


def _begun(lifting: Lifting, run: Interpreted) -> dict[Words, int]:
    """Return the positions in which a play begins, and the bits of the formulas true there."""
    size = lifting.telling.layout.words
    return {
        first[:size]: bits
        for start in lifting.starts
        for positions, bits in [run.begun(start)]
        for first in positions
    }


def _projection(lifting: Lifting) -> Projection:
    seats, items = lifting.numbers("player"), lifting.numbers("item")
    return Projection(lifting.telling.layout, lifting.searched, seats, items, turns=lifting.turns)


def _first_that_follows(following: _Following, begun: Iterable[Words]) -> tuple[Words, list[Words]]:
    for first in begun:
        if (moves := following.moves(first)) is not None:
            return first, moves
    furthest, all_ = following.furthest, len(following.targets)
    raise AssertionError(
        f"no play has the images that were found: none goes on after {furthest} of {all_} moves"
    )


class _Following:
    """Follows the images *targets* from whole positions whose image is the first of *images*, depth
    first.

    None in the place of an image stands for any position that makes the formula true. A position
    that leads nowhere is not followed again.
    """

    def __init__(
        self,
        run: Interpreted,
        projection: Projection,
        images: Sequence[Image],
        targets: Sequence[Image | None],
    ) -> None:
        self.run = run
        self.projection = projection
        self.first = images[0]
        self.targets = targets
        self.size = projection.whole.words
        self.known: set[tuple[int, Words]] = set()
        self.furthest = 0

    def moves(self, first: Words) -> list[Words] | None:
        """Return what is told of the moves of a play that begins with *first*; None if there is
        none.
        """
        if not self.projection.is_of(self.first, first):
            return None
        way: list[Words] = []
        if not self.targets:
            return way
        open_ = [self._onward(first, 0)]
        while open_:
            made = len(open_)
            told = next(open_[-1], None)
            if told is None:
                open_.pop()
                del way[made - 2 :]
            elif made == len(self.targets):
                return [*way, told]
            elif (made, told[: self.size]) not in self.known:
                self.known.add((made, told[: self.size]))
                self.furthest = max(self.furthest, made)
                way.append(told)
                open_.append(self._onward(told[: self.size], made))
        return None

    def _onward(self, words: Words, made: int) -> Iterator[Words]:
        """Yield the moves from *words*, *made* moves after the start, that lead to the next image
        or make the formula true.
        """
        image = self.targets[made]
        for told in self.run.outputs(words):
            if (
                told[self.size]
                if image is None
                else self.projection.is_of(image, told[: self.size])
            ):
                yield told
