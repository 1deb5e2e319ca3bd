"""Larger: an edit of which nothing shows within the scope is tried one size larger, as far as that
goes quickly; and what shows soon.

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

_MOST_AT_FIRST = 1_000
"""How many pairs of positions are compared for what shows soon."""
_MOST_PAIRS = 20_000
"""How many pairs of positions are compared in each larger scope."""
_LEAST_PAIRS = 5_000
"""If what players are said to do tells two rulesets apart, as many pairs are compared without it,
and at least this many.
"""


def differs_soon(
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope], renaming: NameMap, meter: Meter
) -> bool:
    """Return whether something tells *old* from *new* within *scopes* after a few observations."""
    if meter.why_over:
        return False
    part = Meter(replace(meter.rest(), positions=_MOST_AT_FIRST), meter.on_progress)
    sides = sides_of(old, new, scopes, renaming, by_titles=True)
    found = difference(old, new, scopes, renaming, part, wanted=1, sides=sides)
    if found.compared.stopped == INTERRUPTED:
        meter.interrupted = True
        meter.hurry()
    return bool(found.shown)


def difference_with_room(
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope], renaming: NameMap, meter: Meter
) -> Difference:
    """Return what tells *old* from *new* within *scopes*, or where nothing does, in a scope one
    size larger.
    """
    found = difference_told(old, new, scopes, renaming, meter)
    if found.is_same or found.shown or found.compared.stopped:
        return found
    for larger in _larger(old, new, scopes, is_cut=found.compared.cut > 0):
        if meter.why_over:
            break
        part = Meter(replace(meter.rest(), positions=_MOST_PAIRS), meter.on_progress)
        more = difference_told(old, new, larger, renaming, part)
        if more.shown:
            return replace(more, enlarged=True)
    return found


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
    old: ir.Program, new: ir.Program, scopes: tuple[Scope, Scope], *, is_cut: bool
) -> Iterator[tuple[Scope, Scope]]:
    """Yield *scopes* with room for one item more on each zone, and with one player more."""
    if is_cut:
        more = [
            replace(scope, sizes=tuple((zone, size + 1) for zone, size in scope.sizes))
            for scope in scopes
        ]
        yield more[0], more[1]
    players = scopes[0].players + 1
    if all(most is None or players <= most for _, most in (old.players, new.players)):
        yield replace(scopes[0], players=players), replace(scopes[1], players=players)
