"""Proving: a Program and a property -> a Proof for every size, or why there is none.

Several encodings are tried, those that remember least first. Solvers that know nothing of a
suggestion hold it against the three obligations; only what meets them is a Proof. The cost is
counted in units of the solver, not in seconds, so the answer does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ...models.frozen import frozen
from ...properties import formula as f
from ...properties.formula import Property
from ..slicing.slice import relevant
from ..types.budget import Budget, Meter
from .encoding.encode import Precision, encoding, instances, with_witnesses
from .encoding.system import RECHECK, Descent, System, complete, first_failure
from .position.weakenings import UnsupportedError
from .safety.suggest import suggest
from .solver import terms as t

UNITS = 60_000_000
"""How many units may be spent on one question: some seconds."""
_OF_LEMMA = 200_000
"""Lemmas are no use where there are fewer units for each of the things that they say."""
_LITTLE = 1_000_000
"""Where there is less than so much, encodings that remember more are tried only as long as
something is left of it.
"""
_REST = 8
"""An encoding may take one part in this many of the units, even if those before it left less."""


@frozen
class Proof:
    """That *question* holds of *program* for every number of players and every zone size: an
    *invariant* of *system*.

    Every obligation of the invariant was met by a plain solver. *spent* is how many units it took
    to find it. The invariant has that of *lemmas*, by name, in it: the proof stands by itself.
    """

    program: ir.Program
    question: Property
    system: System
    invariant: Mapping[str, t.Bool]
    precision: Precision
    spent: int = 0
    lemmas: tuple[str, ...] = ()

    @cached_property
    def descent(self) -> Descent | None:
        """What comes to an end, if that is what is proved."""
        return None


@frozen
class Unproved:
    """That no proof was found; *reason* says why, *spent* how many units that took.

    Of what must eventually happen *is_finite* says that nothing goes on for ever without it, at any
    size: a play may only end before.
    """

    reason: str
    spent: int = 0
    is_finite: bool = False


def prove(program: ir.Program, question: Property, units: int = UNITS) -> Proof | Unproved:
    """Return a proof that *question* holds (or that what it calls possible is not), or why none was
    found with *units* units.
    """
    meter = Meter(Budget(units=max(units, 1)))  # with none there would be no bound
    attempts = attempts_at(question, units)
    share = units // len(attempts)
    reason = ""
    for asked in attempts:
        with meter.part(share) as left:
            try:
                found = _attempt(program, asked, left)
            except UnsupportedError as error:
                found = f"proofs do not support this: {error}"
        if not isinstance(found, str):
            return replace(found, spent=meter.units)
        reason = found
    return Unproved(reason, meter.units)


def _attempt(program: ir.Program, asked: Property, left: Meter) -> Proof | str:
    """Return a proof with one of the encodings and what is *left*, or why there is none with the
    last of them.
    """
    systems: list[System] = []
    reason = ""
    for precision in precisions(program, asked):
        if systems and left.units_left <= 0 and left.most_units < _LITTLE:
            break
        encoded = encoding(program, asked, precision)
        system = encoded.system()
        if any(system.is_same(other) for other in systems):
            continue
        systems.append(system)
        with left.part(max(left.units_left, left.most_units // _REST)) as part:
            found, lemmas = suggest(encoded, system, part)
        reason = found.reason
        if found.invariant is not None:
            invariant = complete(system, found.invariant)
            failure = first_failure(system, invariant, RECHECK)
            if failure is None:
                return Proof(program, asked, system, invariant, precision, lemmas=lemmas)
            duty = f"{failure.obligation.duty} of {failure.obligation.clause or 'the beginning'}"
            reason = f"the invariant does not meet its obligation: {duty}"
    return reason


def attempts_at(question: Property, units: int) -> list[Property]:
    """Return with which lemmas *question* is tried: first without, for what is easy does not need
    them. Each may take as much.
    """
    alone, said = replace(question, lemmas=()), instances(question)[1]
    return [alone, question] if said and units // 2 >= len(said) * _OF_LEMMA else [alone]


def precisions(program: ir.Program, question: Property) -> list[Precision]:
    """Return the encodings worth trying, those that remember least first."""
    seen = relevant(program, f.And((question.body, *(lemma.body for lemma in question.lemmas))))
    least, most = program.players
    of_seats = [True] if least == most else [False, True]
    of_attributes = [True] if seen.attributes <= seen.spoken_of else [False, True]
    quick = [
        Precision(seats, attributes, counts=False)
        for attributes in of_attributes
        for seats in of_seats
    ]
    found = [*quick, Precision(seats=True, attributes=True, counts=True)]
    if with_witnesses(program, question) != question:
        found += [replace(precision, witnesses=True) for precision in found]
    return found
