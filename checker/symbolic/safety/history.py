"""History: what the monitor remembers, against the values of each cell at each stage: a System ->
an invariant that says so.

What a formula asks of the past often comes down to which steps have been, and where the game is
now: "if the step is the last one, the middle one was". All such pairs are held against the moves
together, as in `houdini`; Spacer may look for them one by one for long.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from ...types.budget import BudgetSpentError, Meter
from ..encoding.obligations import RECHECK, first_failure
from ..encoding.system import System
from ..solver import terms as t
from ..solver.units import units_spent
from .core import inductive_core
from .horn import HornResult
from .houdini import always_true
from .ranges import absent

_SHARE = 2
"""Of what Spacer may do, one part in so many is done here."""
_LEAST = 5_000_000
"""With fewer units it is not begun."""
_UNDECIDED = "what is remembered beside each value of a cell is not enough"


def recall(system: System, bits: Sequence[t.Bool], meter: Meter) -> HornResult:
    """Return the invariant that pairs each of *bits*, cells of every stage, with the values of the
    others, if it is enough.

    The search for it ends soon after a part of *meter* is spent. Leaving out what the proof does
    not need comes on top of that.
    """
    units = meter.most_units // _SHARE
    if not bits or units < _LEAST:
        return HornResult(None, _UNDECIDED)
    with meter.part(units, units_spent) as part, suppress(BudgetSpentError):
        found = absent(system, part)
        known = {
            stage: t.all_of([system.known[stage], *always]) for stage, (always, _) in found.items()
        }
        pairs = {stage: _pairs(sometimes, bits) for stage, (_, sometimes) in found.items()}
        invariant = always_true(replace(system, known=known), pairs, part)
        if first_failure(system, invariant, RECHECK) is None:
            return HornResult(inductive_core(system, invariant).invariant)
    return HornResult(None, _UNDECIDED)


def _pairs(literals: Sequence[t.Bool], bits: Sequence[t.Bool]) -> list[t.Bool]:
    """Return each of the *literals* where a bit is, or is not."""
    signed = [sign for bit in bits for sign in (bit, t.negation(bit))]
    pairs = (t.either(sign, literal) for sign, literal in product(signed, literals))
    return [one for one in {one.get_id(): one for one in pairs}.values() if not t.is_true(one)]
