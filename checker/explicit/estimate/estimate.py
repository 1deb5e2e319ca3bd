"""Estimating how many positions a search will find, before it starts.

In go a Program, a scope and the way its text is emitted; out comes an `Estimate`. Small scopes are
searched exactly in some milliseconds (`samples`): fewer players, fewer items. From them to the
scope that is asked for:

    N(n, s) = N(n, 1) * product over the zones of G(n, s) / G(n, 1)
    N(n, 1) = a * b**n * n**c

for *n* players and zones of *s* items. *b* is what each player brings, and *c* the players that a
position names: whose turn it is, who has priority. *G* is the `growth` of one zone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

from ....models import ir
from ....models.diagnostics import InputError
from ...types.scope import Scope
from ..emit.emit import Emitted, emit
from ..layout.layout import Layout, TooWideError, Words
from ..search.tier import OnPause, nobody_looks
from .growth import Growth
from .samples import TableSamples, sample

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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
        if size > 1 and not growth.is_measured:
            doubt += _GUESSED * (size - 1)
    doubt += _DOUBT * max(logarithm - log(max(one.scopes[-1].positions for one in samples)), 0.0)
    return Estimate(_power(logarithm), _power(logarithm - doubt), _power(logarithm + doubt))


def rounded(estimate: Estimate | None) -> int:
    """Return about how many positions there are, 0 if nobody knows."""
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
