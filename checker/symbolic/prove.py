"""Proving: a Program and a property -> a Proof for every size, or why there is none.

Several encodings are tried, those that remember least first. Whatever is suggested is held against the three obligations
by solvers that know nothing of it; only what meets them is a Proof. Effort is counted in Z3's resource units, not in seconds,
so that the answer does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ...models import ir
from ...properties import formula as f
from ...properties.formula import Property
from ..slicing.relevant import relevant
from .encoding.encode import Precision, encoding
from .encoding.instances import instances
from .encoding.obligations import RECHECK, Descent, complete, first_failure
from .encoding.system import System
from .position.unsupported import UnsupportedError
from .safety.suggest import suggest
from .solver import terms as t

EFFORT = 60_000_000
"""How much may be done for one question: some seconds."""
_OF_LEMMA = 1_000_000
"""Lemmas are no use where there is less effort for each of the things that they say."""
_REST = 8
"""An encoding may take one part in so many of the effort, whatever those before it have taken."""


@dataclass(frozen=True)
class Proof:
    """That *question* holds of *program* for every number of players and every zone size: an *invariant* of *system*.

    Every obligation of the invariant was met by a plain solver. *spent* is what it took to find it, in Z3's resource units.
    The invariant has that of *lemmas*, by name, in it: the proof stands by itself.
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


@dataclass(frozen=True)
class Unproved:
    """That no proof was found; *reason* says why, *spent* what that took.

    Of what must happen some day *is_finite* says that nothing goes on for ever without it, at any size: a play may only end before.
    """

    reason: str
    spent: int = 0
    is_finite: bool = False


def prove(program: ir.Program, question: Property, effort: int = EFFORT) -> Proof | Unproved:
    """Return a proof that *question* holds (or that what it calls possible is not), or why none was found."""
    spent = 0
    attempts = _attempts(question, effort)
    share = effort // len(attempts)
    for asked in attempts:
        begun = spent
        systems: list[System] = []
        try:
            for precision in precisions(program, asked):
                encoded = encoding(program, asked, precision)
                system = encoded.system()
                if any(system.is_same(other) for other in systems):
                    continue
                systems.append(system)
                found = suggest(encoded, system, max(share - (spent - begun), share // _REST))
                spent += found.spent
                if found.invariant is not None:
                    invariant = complete(system, found.invariant)
                    failure = first_failure(system, invariant, RECHECK)
                    if failure is None:
                        return Proof(program, asked, system, invariant, precision, spent, found.lemmas)
                    duty = f"{failure.obligation.duty} of {failure.obligation.clause or 'the beginning'}"
                    reason = f"the invariant does not meet its obligation: {duty}"
                else:
                    reason = found.reason
        except UnsupportedError as error:
            reason = f"the encoding does not know: {error}"
    return Unproved(reason, spent)


def _attempts(question: Property, effort: int) -> list[Property]:
    """Return with which lemmas *question* is tried: first without, for what is easy does not need them. Each may take as much."""
    alone, said = replace(question, lemmas=()), instances(question)[1]
    return [alone, question] if said and effort // 2 >= len(said) * _OF_LEMMA else [alone]


def precisions(program: ir.Program, question: Property) -> list[Precision]:
    """Return the encodings worth trying, those that remember least first."""
    seen = relevant(program, f.And((question.body, *(lemma.body for lemma in question.lemmas))))
    least, most = program.players
    of_seats = [True] if least == most else [False, True]
    of_attributes = [True] if seen.attributes <= seen.spoken_of else [False, True]
    quick = [Precision(seats, attributes, counts=False) for attributes in of_attributes for seats in of_seats]
    return [*quick, Precision(seats=True, attributes=True, counts=True)]
