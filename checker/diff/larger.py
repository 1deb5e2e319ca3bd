"""Larger: an edit that does not show soon within the scope is tried one size larger.

What players are said to do is looked at first: where not even that tells two rulesets apart nothing
does, and fewer positions fit what was observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...models import ir
from ..types.budget import INTERRUPTED, Meter
from ..types.scope import Scope
from .diff import Difference, difference, sides_of
from .same import NameMap
from .side import unsaid

_MOST_AT_FIRST = 2_500
"""How many pairs of positions are compared for what shows soon."""
_MOST_PAIRS = 2 * _MOST_AT_FIRST
"""How many are, where something shows soon in a larger scope, for all that tells it."""
_LEAST_PAIRS = 5_000
"""If what players are said to do tells two rulesets apart, as many pairs are compared without it,
and at least this many.
"""


def differs_soon(
    old: ir.Program,
    new: ir.Program,
    scopes: tuple[Scope, Scope],
    renaming: NameMap,
    meter: Meter,
    pairs: int = _MOST_AT_FIRST,
) -> bool:
    """Return whether something tells *old* from *new* within *scopes*, among the first *pairs* of
    positions.
    """
    if meter.why_over:
        return False
    part = Meter(replace(meter.rest(), positions=pairs), meter.on_progress)
    sides = sides_of(old, new, scopes, renaming, by_titles=True)
    found = difference(old, new, scopes, renaming, part, wanted=1, sides=sides)
    if found.compared.stopped == INTERRUPTED:
        meter.interrupted = True
        meter.hurry()
    return bool(found.shown)


def difference_with_room(
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope], renaming: NameMap, meter: Meter
) -> Difference:
    """Return what tells *old* from *new* within *scopes*, or where nothing does soon, in a scope
    one size larger.
    """
    if not differs_soon(old, new, scopes, renaming, meter):
        for larger in _larger(old, new, scopes):
            if differs_soon(old, new, larger, renaming, meter):
                part = Meter(replace(meter.rest(), positions=_MOST_PAIRS), meter.on_progress)
                found = difference_told(old, new, larger, renaming, part)
                return replace(found, enlarged=True)
    return difference_told(old, new, scopes, renaming, meter)


def difference_told(
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope], renaming: NameMap, meter: Meter
) -> Difference:
    """Return what tells *old* from *new* within *scopes*: what comes of what is done, or where that
    tells nothing, what players are said to do.
    """
    sides = sides_of(old, new, scopes, renaming, by_titles=True)
    said = difference(old, new, scopes, renaming, meter, sides=sides)
    if not said.shown or meter.why_over:
        return said
    pairs = max(said.compared.pairs, _LEAST_PAIRS)
    part = Meter(replace(meter.rest(), positions=pairs), meter.on_progress)
    found = difference(old, new, scopes, renaming, part, sides=unsaid(sides))
    return found if found.shown else replace(said, by_titles=True)


def _larger(
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope]
) -> Iterator[tuple[Scope, Scope]]:
    """Yield *scopes* with room for one item more on each zone, and with one player more."""
    more = [
        replace(scope, sizes=tuple((zone, size + 1) for zone, size in scope.sizes))
        for scope in scopes
    ]
    yield more[0], more[1]
    players = scopes[0].players + 1
    if all(most is None or players <= most for _, most in (old.players, new.players)):
        yield replace(scopes[0], players=players), replace(scopes[1], players=players)
