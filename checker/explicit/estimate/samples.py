"""Samples of small scopes: how many positions there are within small sizes of the zones, for one
number of players.

In goes a text emitted for a small scope (`Emitted`), out comes a `TableSamples`. It is searched in
plain Python, the positions with few items first: when all of those within some sizes are found,
that is one `ScopeSample`, whose number of positions is that of a search of this scope. The search
ends when its moves are spent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..emit.emit import Emitted
from ..layout.layout import Key, Layout, Words, as_key, as_words
from ..moves.hooks import FIRST
from ..search.interpreted import Interpreted
from ..search.tier import OnPause, nobody_looks

Sizes = tuple[int, ...]
"""A size for each zone of the Program."""
_PART = 256
"""How many positions are expanded between two looks at what is spent."""


@dataclass(frozen=True)
class ScopeSample:
    """How many *positions* there are within *sizes*, and for each zone how many of them hold 0, 1,
    ... items there.
    """

    sizes: Sizes
    positions: int
    histograms: tuple[tuple[int, ...], ...]


@dataclass
class TableSamples:
    """What is known of a table of *players*: its *scopes*, each of larger sizes, and how many
    different *items* lie alone on each zone.

    *moves* is what this has cost.
    """

    players: int
    scopes: list[ScopeSample] = field(default_factory=list)
    items: Sizes = ()
    moves: int = 0


def sample(
    emitted: Emitted,
    least: int,
    most: int,
    starts: Sequence[Words] = (),
    which: int = 0,
    look: OnPause = nobody_looks,
) -> TableSamples:
    """Search scopes up to that of *emitted*; *most* moves may be made for those with an item on
    each zone and one more, *least* beyond.

    *starts* are as those of a search, and *which* the formula that is watched. *look* is called
    often, and may raise what ends it.
    """
    sampler = _Sampler(
        Interpreted(emitted, which), emitted.layout, starts or [emitted.layout.initial()], look
    )
    result = TableSamples(emitted.layout.players)
    for limit in ladder([size for _, size in emitted.layout.scope.sizes]):
        if not sampler.is_explored(limit, most if sum(limit) <= len(limit) + 1 else least):
            break
        result.scopes.append(sampler.sampled(limit))
    result.moves, result.items = sampler.moves, sampler.items()
    return result


def ladder(sizes: Sequence[int]) -> Iterator[Sizes]:
    """Yield sizes from nothing on any zone up to *sizes*, one zone growing at a time, the earlier
    zones first.
    """
    now = [0] * len(sizes)
    yield tuple(now)
    while now != list(sizes):
        for zone, size in enumerate(sizes):
            if now[zone] < size:
                now[zone] += 1
                yield tuple(now)


class _Sampler:
    """The positions found, a list for each combination of lengths, with how many of each list are
    expanded.
    """

    def __init__(
        self, run: Interpreted, layout: Layout, starts: Sequence[Words], look: OnPause
    ) -> None:
        self.run, self.look, self.moves = run, look, 0
        self.zones = [layout.zones[zone.name] for zone in layout.program.zones]
        masks = [0] * layout.words
        for zone in self.zones:
            masks[zone.length.word] |= zone.length.mask << zone.length.shift
        self.masks = masks
        self.found: dict[Key, list[Key]] = {}
        self.expanded: dict[Key, int] = {}
        self.known: set[Key] = set()
        for start in starts:
            self._sort([as_key(words) for words in self.run.started(start)])

    def is_explored(self, limit: Sizes, most: int) -> bool:
        """Find all positions within *limit*; return False if that takes more than *most* moves in
        all.
        """
        while pending := [
            key for key in self._keys_within(limit) if self.expanded[key] < len(self.found[key])
        ]:
            for key in pending:
                at = self.expanded[key]
                self.look()
                self.expanded[key] = min(at + _PART, len(self.found[key]))
                for position in self.found[key][at : at + _PART]:
                    self._sort(self._following(position))
                if self.moves > most:
                    return False
        return True

    def _following(self, position: Key) -> Sequence[Key]:
        run = self.run
        if isinstance(position, int):
            following: Sequence[Key] = run.out[FIRST : run.function(position, run.out, FIRST)]
        else:
            following = run.outputs(position)
        self.moves += len(following)
        return following

    def _sort(self, positions: Sequence[Key]) -> None:
        """Put those of *positions* that are new on their lists."""
        known, masks, found = self.known, self.masks, self.found
        for position in positions:
            if position not in known:
                known.add(position)
                key = (
                    position & masks[0]
                    if isinstance(position, int)
                    else tuple([w & m for w, m in zip(position, masks, strict=True)])
                )
                if key in found:
                    found[key].append(position)
                else:
                    found[key], self.expanded[key] = [position], 0

    def _keys_within(self, limit: Sizes) -> list[Key]:
        return [
            key
            for key in self.found
            if all(n <= most for n, most in zip(self._lengths(key), limit, strict=True))
        ]

    def _lengths(self, key: Key) -> list[int]:
        return [zone.length.code_in(as_words(key)) for zone in self.zones]

    def sampled(self, limit: Sizes) -> ScopeSample:
        """Return the numbers within *limit*."""
        histograms = [[0] * (most + 1) for most in limit]
        keys = self._keys_within(limit)
        for key in keys:
            for lengths, length in zip(histograms, self._lengths(key), strict=True):
                lengths[length] += len(self.found[key])
        return ScopeSample(
            limit, sum(len(self.found[key]) for key in keys), tuple(map(tuple, histograms))
        )

    def items(self) -> Sizes:
        """Return how many different items have been seen alone on each zone."""
        alone: list[set[int]] = [set() for _ in self.zones]
        for key, positions in self.found.items():
            for seen, zone, length in zip(alone, self.zones, self._lengths(key), strict=True):
                if length == 1:
                    seen.update(zone.slots.code_in(as_words(position)) for position in positions)
        return tuple(map(len, alone))
