"""Estimating how many positions a search will find, and how many there were without a part.

In go a Program, a scope and the way its text is emitted; out comes an `Estimate`. Small scopes are
searched exactly in some milliseconds: fewer players, fewer items. From them to the
scope that is asked for:

    N(n, s) = N(n, 1) * product over the zones of G(n, s) / G(n, 1)
    N(n, 1) = a * b**n * n**c

for *n* players and zones of *s* items. *b* is what each player brings, and *c* the players that a
position names: whose turn it is, who has priority. *G* is the `growth` of one zone.

Samples of small scopes: how many positions there are within small sizes of the zones, for one
number of players.

In goes a text emitted for a small scope (`Emitted`), out comes a `TableSamples`. It is searched in
plain Python, the positions with few items first: when all of those within some sizes are found,
that is one `ScopeSample`, whose number of positions is that of a search of this scope. The search
ends when its moves are spent.

Growth: how many more positions there are when a zone may hold more items.

In go the samples of small tables, out comes G(n, s) / G(n, 1) of one zone for *n*
players and *s* items:

    G(n, s) = sum for l = 0..s of w(l) * [x**l] A(x)**(n / m),    A(x) = sum of g(l) / w(l) * x**l

*g(l)* is how many positions hold *l* items there at the table of *m* players that was measured with
the most items on the zone; *w(l)* is *l!* for sequences of items and 1 for multisets. This is how
labelled and unlabelled structures of independent parts are counted (exponential and ordinary
generating functions: Flajolet and Sedgewick, Analytic Combinatorics, chapters I and II), a player
being a part: with items that never run out it gives (k n)**l arrangements of *l* items, or as many
multisets, and with hands that run out it gives fewer. Items of which nothing says whose they are
may be as many, or as few, as one player's; what the other tables show decides.

Sizes: how many positions there would be if something were the same in all of them; what a game
is large by.

What is left out is not forgotten by the rules: the positions that are reached are counted, as they
look without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from math import exp, factorial, log, sqrt

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ..types.position import Item, Position
from ..types.scope import Scope
from .emit.emit import Emitted, emit
from .moves.hooks import FIRST
from .moves.layout import Key, Layout, TooWideError, Words, as_key, as_words
from .search.interpreted import Interpreted
from .search.tier import OnPause, nobody_looks


def sizes(program: ir.Program, positions: Sequence[Position]) -> list[tuple[str, str, int]]:
    """Return each variable, zone and attribute of *program*: which of these it is, its name, and
    how many of *positions* differ without it; the fewest first.
    """
    parts: list[tuple[str, Sequence[ir.VariableDeclaration | ir.Zone | ir.Attribute], _Look]] = [
        ("variable", program.variables, _without_value),
        ("zone", program.zones, _without_zone),
        ("attribute", program.attributes, _without_attribute),
    ]
    found = [
        (kind, part.name, len({look(at, place) for at in positions}))
        for kind, named, look in parts
        for place, part in enumerate(named)
    ]
    return sorted(found, key=lambda row: row[2])


_Look = Callable[[Position, int], Hashable]


def _without_value(at: Position, place: int) -> Hashable:
    return at[:2], at.values[:place], at.values[place + 1 :], at.zones


def _without_zone(at: Position, place: int) -> Hashable:
    return at[:3], at.zones[:place], at.zones[place + 1 :]


def _without_attribute(at: Position, place: int) -> Hashable:
    def look(item: Item) -> Hashable:
        return item[:2], item.attributes[:place], item.attributes[place + 1 :]

    return at[:3], tuple(tuple(map(look, zone)) for zone in at.zones)


Sizes = tuple[int, ...]
"""A size for each zone of the Program."""
_PART = 256
"""How many positions are expanded between two looks at what is spent."""


@frozen
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


_CLEARLY = 0.1
"""By how much another law must fit better than the usual one, in logarithms."""


class GrowthLaw(Enum):
    """How more players make more of what is on a zone."""

    SEQUENCES = "sequences"
    MULTISETS = "multisets"
    ALIKE = "alike"  # as many as with one player


class Growth:
    """The growth of the zone of number *zone*; *growths* are the steps that were measured, from one
    item to two on.
    """

    def __init__(self, samples: Sequence[TableSamples], zone: int, *, is_ordered: bool) -> None:
        self.zone, self.is_ordered = zone, is_ordered
        self.source = max(samples, key=lambda one: (one.scopes[-1].sizes[zone], one.players))
        self.others = [one for one in samples if one is not self.source]
        self.growths = _growths(self.source.scopes, zone)
        self.law = self._law()

    def logarithm(self, size: int, players: int) -> float:
        """Return log G(players, size) / G(players, 1)."""
        return self._logarithm(1, size, players, self.law) if size > 1 else 0.0

    def _logarithm(self, before: int, after: int, players: int, law: GrowthLaw) -> float:
        histogram = self._continued(after)
        weights = [
            factorial(number) if law is GrowthLaw.SEQUENCES else 1 for number in range(after + 1)
        ]
        exponent = Fraction(1) if law is GrowthLaw.ALIKE else Fraction(players, self.source.players)
        series = power_of(
            [Fraction(one) / weight for one, weight in zip(histogram, weights, strict=True)],
            exponent,
        )
        terms = [
            max(term * weight, Fraction()) for term, weight in zip(series, weights, strict=True)
        ]
        return log(sum(terms)) - log(sum(terms[: before + 1]))

    def _continued(self, size: int) -> list[float]:
        histogram, k = self._histogram()[: size + 1], self._different()
        for number in range(len(histogram), size + 1):
            histogram.append(histogram[-1] * (k if self.is_ordered else (k + number - 1) / number))
        return histogram

    def _law(self) -> GrowthLaw:
        """Return the law that fits what the other tables show of this zone."""
        laws = (
            [GrowthLaw.SEQUENCES, GrowthLaw.MULTISETS, GrowthLaw.ALIKE]
            if self.is_ordered
            else [GrowthLaw.MULTISETS, GrowthLaw.ALIKE]
        )
        seen = [
            (one.players, *growth)
            for one in self.others
            for growth in _growths(one.scopes, self.zone)
        ]
        if seen:
            return min(
                laws,
                key=lambda law: (
                    sum(self._error(law, *one) for one in seen)
                    + (0.0 if law is laws[0] else _CLEARLY)
                ),
            )
        # If two tables show the same items there, no item says whose it is.
        differs = (
            len({one.items[self.zone] for one in [self.source, *self.others]}) > 1
            or not self.others
        )
        return laws[0] if differs else GrowthLaw.MULTISETS

    def _error(
        self, law: GrowthLaw, players: int, before: ScopeSample, after: ScopeSample
    ) -> float:
        size = before.sizes[self.zone]
        return abs(
            self._logarithm(size, size + 1, players, law) - log(after.positions / before.positions)
        )

    def _histogram(self) -> list[float]:
        """Return how the positions divide by the number of items on the zone, the first two
        together being 1.

        The fullest stratum of a scope is too small, as what leads back to it from fuller ones is
        cut; so from two items on it is what a scope has more than the one before.
        """
        empty, single = self.source.scopes[-1].histograms[self.zone][:2]
        result, total = [empty / (empty + single), single / (empty + single)], 1.0
        for before, after in self.growths:
            grown = total * after.positions / before.positions
            result.append(grown - total)
            total = grown
        return result

    def _different(self) -> float:
        """Return how many items a place on the zone seems to choose from, by the last two numbers
        of its histogram that were measured.

        With *k* of them there are *k* sequences for each that is an item shorter, and
        (k + l - 1) / l multisets of *l* items.
        """
        source, zone = self.source, self.zone
        if not self.growths:
            empty, single = source.scopes[-1].histograms[zone][:2]
            return (
                (single / empty if empty else single)
                if self.is_ordered
                else float(source.items[zone])
            )
        before, after = self.growths[-1]
        size = before.sizes[zone]
        if len(self.growths) > 1:
            histogram = self._histogram()
            ratio = histogram[-1] / histogram[-2] if histogram[-2] > 0 else 0.0
        else:
            # The stratum of single items is too small before (see above), and too large after,
            # being whole now.
            alone = sqrt(before.histograms[zone][1] * after.histograms[zone][1])
            ratio = (after.positions - before.positions) / alone if alone else 0.0
        return ratio if self.is_ordered else max(ratio * (size + 1) - size, 0.0)


def _growths(scopes: Sequence[ScopeSample], zone: int) -> list[tuple[ScopeSample, ScopeSample]]:
    """Return the scopes before and after *zone* grew, from one item to two on."""
    return [
        (before, after)
        for before, after in pairwise(scopes)
        if 0 < before.sizes[zone] < after.sizes[zone]
    ]


def power_of(series: Sequence[Fraction], exponent: Fraction) -> list[Fraction]:
    """Return the power series raised to *exponent*, divided by its first coefficient (J. C. P.
    Miller's recurrence).

    It is exact: what is lost of a number here would be multiplied with factorials.
    """
    first = series[0] or Fraction(1, 10**9)
    result = [Fraction(1)]
    for number in range(1, len(series)):
        terms = (
            (exponent * at - number + at) * series[at] * result[number - at]
            for at in range(1, number + 1)
        )
        result.append(sum(terms, Fraction()) / (number * first))
    return result


MOST_MOVES = 60_000
"""How many moves may be made in small scopes: 50 to 100 ms."""
_FIRST = 5
"""How many times as many the table that is asked for may take until one zone has its second item:
without these nothing is known of it.
"""
HOPELESS = 2.0**40
"""More positions than any machine holds: 8 TiB of them, at a word each."""
_MOST_ITEMS = 4
_SHARE = 8
"""What part of the moves a table with fewer players may take beyond one item on each zone."""
_NAMED = 2.0
"""The exponent *c* where it cannot be measured: a position names the active player and who has
priority.
"""
_CERTAIN, _DOUBT, _GUESSED = 0.2, 0.12, 0.2
"""The logarithm of the factor by which an estimate may be wrong: so much, so much for each e-fold
beyond what was measured, and so much for each item on a zone of which not even the second was
measured.
"""


class HopelessError(Exception):
    """No machine could finish a search; the message is the estimate."""


TextFor = Callable[[Scope], Emitted]
StartsFor = Callable[[Layout], Sequence[Words]]


@frozen
class SearchPlan:
    """How a search will be done, for any scope: the text that *text_for* emits, from the starts
    that *starts_for* names.

    *turned* says that the text turns positions so that the active player has the first seat,
    *which* what formula it watches.
    """

    text_for: TextFor
    starts_for: StartsFor = lambda layout: [layout.initial()]
    turned: bool = False
    which: int = 0


@frozen
class Estimate:
    """About *positions* positions, very likely between *low* and *high*; all three are the same if
    they were counted.
    """

    positions: float
    low: float
    high: float

    @property
    def is_hopeless(self) -> bool:
        """Whether no machine could hold the positions, even if there are far fewer than
        estimated.
        """
        return self.low > HOPELESS

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.positions:,.0f} positions"
        return f"about {self.positions:.1e} positions ({self.low:.0e} to {self.high:.0e})"


def estimated(
    program: ir.Program,
    scope: Scope,
    plan: SearchPlan | None = None,
    moves: int = MOST_MOVES,
    look: OnPause = nobody_looks,
) -> Estimate | None:
    """Return how many positions a search of *scope* finds, after *moves* moves in smaller scopes;
    None if these say nothing.

    Without a *plan* nothing is sliced, turned or watched. *look* is called often, and may raise
    what ends it.
    """
    plan = plan or SearchPlan(lambda smaller: emit(Layout(program, smaller)))
    named = _NAMED - 1.0 if plan.turned else _NAMED
    samples = _samples(program, scope, plan, moves, named, look)
    if not samples:
        return None
    last = samples[-1].scopes[-1]
    if samples[-1].players == scope.players and last.sizes == tuple(
        size for _, size in scope.sizes
    ):
        return Estimate(last.positions, last.positions, last.positions)
    logarithm = of_players(_bases(samples), scope.players, named)
    doubt = _CERTAIN
    for number, zone in enumerate(program.zones):
        size, is_ordered = scope.sizes[number][1], zone.order != "unordered"
        growth = Growth(samples, number, is_ordered=is_ordered)
        logarithm += growth.logarithm(size, scope.players)
        if size > 1 and not growth.growths:
            doubt += _GUESSED * (size - 1)
    doubt += _DOUBT * max(logarithm - log(max(one.scopes[-1].positions for one in samples)), 0.0)
    return Estimate(_power(logarithm), _power(logarithm - doubt), _power(logarithm + doubt))


def rounded(estimate: Estimate | None) -> int:
    """Return about how many positions there are, 0 if that is unknown."""
    return 0 if estimate is None else round(estimate.positions)


def _power(logarithm: float) -> float:
    return exp(min(logarithm, 700.0))


def _samples(
    program: ir.Program, scope: Scope, plan: SearchPlan, moves: int, named: float, look: OnPause
) -> list[TableSamples]:
    """Return what can be measured with *moves* moves: tables with fewer players, from one player
    on where their number is not fixed.
    """
    low, high = program.players
    samples: list[TableSamples] = []
    for players in range(scope.players if low == high else 1, scope.players + 1):
        if len(samples) > 1 and _cost(samples, players, named) > moves:
            break
        emitted = _emitted(
            plan.text_for,
            Scope(players, tuple((name, min(size, _MOST_ITEMS)) for name, size in scope.sizes)),
        )
        if emitted is None:
            continue
        most = moves if players == scope.players else moves // _SHARE
        starts = plan.starts_for(emitted.layout)
        first = moves * _FIRST if players == scope.players else moves
        found = sample(emitted, most, first, starts, plan.which, look)
        moves -= found.moves
        if found.scopes and not found.scopes[-1].positions:
            continue  # what is looked for cannot begin with so few players
        if _base(found) is None:
            break
        samples.append(found)
    return samples


def _emitted(text_for: TextFor, scope: Scope) -> Emitted | None:
    """Return the text for a small scope, None if there is none: a range may be empty where one
    player is too few.
    """
    try:
        emitted = text_for(scope)
    except (TooWideError, InputError):
        return None
    return None if any(sort.high < sort.low for sort in emitted.layout.sorts.values()) else emitted


def _cost(samples: Sequence[TableSamples], players: int, named: float) -> float:
    """Return how many moves a table of *players* is likely to take for its first samples."""
    last = samples[-1]
    return (
        _power(of_players(_bases(samples), players, named)) * last.moves / last.scopes[-1].positions
    )


def _bases(samples: Sequence[TableSamples]) -> list[tuple[int, float]]:
    return [(one.players, base) for one in samples if (base := _base(one)) is not None]


def _base(found: TableSamples) -> float | None:
    """Return the logarithm of how many positions there are with one item at most on each zone, None
    if that is not known.
    """
    return next(
        (log(scope.positions) for scope in found.scopes if all(size == 1 for size in scope.sizes)),
        None,
    )


def of_players(known: Sequence[tuple[int, float]], players: int, named: float) -> float:
    """Return log N(n, 1) at *players*: log a + n log b + c log n through the last three of *known*;
    *named* is c if there are fewer.
    """
    last, here = known[-1]
    if last == players:
        return here
    if len(known) == 1:
        return here + named * log(players / last)
    before, there = known[-2]
    steps, ratio, rise = last - before, log(last / before), here - there
    c = named
    if len(known) > 2:
        first, start = known[-3]
        # Two equations: what the logarithm rose by in each of the two steps.
        c = ((there - start) / (before - first) - rise / steps) / (
            log(before / first) / (before - first) - ratio / steps
        )
    c = min(max(c, 0.0), rise / ratio)
    b = (rise - c * ratio) / steps
    return here + b * (players - last) + c * log(players / last)
