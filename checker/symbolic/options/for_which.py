"""For which values of the options that are left open does a property hold? A Program, a property
and cases -> proofs for some of them.

The options are cells that no move changes, so one System speaks of all cases at once, and one
invariant proves the property for all of them. Where the encoding has a play that breaks it, the
cases in which it does are left out, and the rest is asked again: what the proof is about is then a
condition on the options, which the beginning of a play is assumed to meet. What is left out is
asked of an encoding that remembers more.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ....models import ir
from ....models.options.cases import Case, condition
from ....properties.formula import Property
from ...types.budget import Budget, Meter
from ..encoding.encode import Encoding, Precision, encoding
from ..encoding.obligations import RECHECK, complete, first_failure
from ..encoding.system import System
from ..liveness.termination import prove_progress
from ..position.expressions import holds
from ..position.sorts import option_cell
from ..position.unsupported import UnsupportedError
from ..prove import Proof, Unproved, precisions
from ..safety.horn import search
from ..solver import terms as t
from .witness import values_of_play, witness

_MOST_TRIES = 12
"""How often something is asked of one encoding."""
_TOGETHER = 2
"""After so many plays that break it, what lies between the cases left out is asked piece by
piece.
"""
_MOST_UNITS = 4
"""The query ends after so many times what one question may take."""
_MOST_MEASURED = 3
"""How often measures are looked for."""
_SPENT = "the budget for all cases together was spent on others"


@dataclass
class CaseProofs:
    """Of which cases the *proofs* are, each with those it is about; the reason for each that is
    *unproved*.
    """

    proofs: list[tuple[Proof, tuple[Case, ...]]] = field(default_factory=list)
    unproved: dict[Case, str] = field(default_factory=dict)


def prove_for_which(
    program: ir.Program, question: Property, cases: Iterable[Case], units: int
) -> CaseProofs:
    """Return proofs that *question* holds for as many of *cases* of the options that *program*
    leaves open as can be proved.

    An encoding of some of them may take so many *units*, and all together several times as many.
    """
    if question.mode in ("progress", "future"):
        return _comes_to_an_end(program, question, list(cases), units)
    query = _Query(program, question, dict.fromkeys(cases, ""), units)
    try:
        for precision in precisions(program, question):
            query.prove_left(precision)
            if not query.answer.unproved or query.meter.units_left <= 0:
                break
    except UnsupportedError as error:
        query.answer.unproved = dict.fromkeys(
            query.answer.unproved, f"the encoding does not know: {error}"
        )
    query.answer.unproved = {
        case: reason or _SPENT for case, reason in query.answer.unproved.items()
    }
    return query.answer


def _comes_to_an_end(
    program: ir.Program, question: Property, cases: list[Case], units: int
) -> CaseProofs:
    """Return what `prove_for_which` does of a *question* of what must eventually happen: measures
    for all cases, or else for fewer.
    """
    answer, waiting = CaseProofs(unproved=dict.fromkeys(cases, _SPENT)), [cases]
    for _ in range(_MOST_MEASURED):
        if not waiting:
            break
        together = waiting.pop(0)
        found = prove_progress(
            replace(program, when=condition(program.open_options, together)), question, units
        )
        if isinstance(found, Unproved):
            answer.unproved |= dict.fromkeys(together, found.reason)
            waiting += [
                half
                for half in (together[: len(together) // 2], together[len(together) // 2 :])
                if len(together) > 1
            ]
        else:
            answer.proofs.append((found, tuple(together)))
            answer.unproved = {
                case: reason for case, reason in answer.unproved.items() if case not in together
            }
    return answer


class _Query:
    def __init__(
        self, program: ir.Program, question: Property, cases: dict[Case, str], units: int
    ) -> None:
        self.program, self.question, self.units = program, replace(question, lemmas=()), units
        self.meter = Meter(Budget(units=max(_MOST_UNITS * units, 1)))
        self.options = program.open_options
        self.cells = [option_cell(option.name) for option in self.options]
        self.all = list(cases)
        self.answer = CaseProofs(unproved=cases)

    def prove_left(self, precision: Precision) -> None:
        """Prove what can be proved with *precision* of the cases left; if it can be, with all that
        is proved already, by one proof.
        """
        encoded = encoding(self.program, self.question, precision)
        system = encoded.system()
        waiting, plays, tries, earlier = (
            [list(self.answer.unproved)],
            0,
            0,
            len(self.answer.unproved),
        )
        while waiting and tries < _MOST_TRIES and self.meter.units_left > 0:
            cases = min(waiting, key=len)
            waiting.remove(cases)
            broken, reason = self._try(encoded, system, cases, precision)
            tries, plays = tries + 1, plays + bool(broken)
            if broken:
                pieces = _without(cases, broken)
                waiting += (
                    pieces if plays >= _TOGETHER else [[case for piece in pieces for case in piece]]
                )
            elif reason and len(cases) > 1:
                waiting += [cases[: len(cases) // 2], cases[len(cases) // 2 :]]
            waiting = [cases for cases in waiting if cases]
        if len(self.answer.proofs) > 1 and len(self.answer.unproved) < earlier:
            self._try(
                encoded,
                system,
                [case for case in self.all if case not in self.answer.unproved],
                precision,
            )

    def _try(
        self, encoded: Encoding, system: System, cases: list[Case], precision: Precision
    ) -> tuple[set[Case], str]:
        """Try to prove *cases* together; return those of which the encoding has a play that breaks
        it, and why there is no proof.
        """
        given = holds(condition(self.options, cases), encoded.layout.frame(""))
        asked = given_to(system, given)
        with self.meter.part(self.units) as part:
            found = search(asked, part)
        reason = found.reason
        if found.invariant is not None:
            reason = self._prove(asked, found.invariant, precision, cases)
        self.answer.unproved.update(
            (case, reason) for case in cases if case in self.answer.unproved
        )
        return self._broken(asked, set(cases)) if found.is_broken else set(), reason

    def _prove(
        self,
        system: System,
        suggested: Mapping[str, t.Bool],
        precision: Precision,
        cases: list[Case],
    ) -> str:
        """Keep the proof that *suggested* is of *cases*; return why it is none, if it is none."""
        invariant = complete(system, suggested)
        failure = first_failure(system, invariant, RECHECK)
        if failure is not None:
            return f"the invariant does not meet its obligation: {failure.obligation.duty} of {failure.obligation.clause}"
        program = replace(self.program, when=condition(self.options, cases))
        proof = Proof(program, self.question, system, invariant, precision)
        others = [
            (other, theirs) for other, theirs in self.answer.proofs if not set(theirs) <= set(cases)
        ]
        self.answer.proofs = [*others, (proof, tuple(cases))]
        for case in cases:
            self.answer.unproved.pop(case, None)
        return ""

    def _broken(self, system: System, cases: set[Case]) -> set[Case]:
        """Return of which of *cases* the encoding has a play that breaks the property: one, and
        others with a play through its stages.
        """
        if len(cases) == 1:
            return cases
        found = witness(system, self.cells, self.units)
        if found is None:
            return set()
        broken = {self._case(found.values, system)}
        broken |= {
            self._case(values, system)
            for values in values_of_play(system, self.cells, found, len(cases))
        }
        return broken & cases

    def _case(self, values: Sequence[int], system: System) -> Case:
        return tuple(
            system.names[value] if option.numbers is None else value
            for option, value in zip(self.options, values, strict=True)
        )


def _without(cases: Iterable[Case], broken: Container[Case]) -> list[list[Case]]:
    """Return *cases* without those *broken*, in the pieces in which these leave them."""
    return [
        list(piece)
        for is_broken, piece in groupby(cases, lambda case: case in broken)
        if not is_broken
    ]


def given_to(system: System, given: t.Bool) -> System:
    """Return *system* where *given* is assumed of cells that no move changes."""
    return replace(
        system,
        given=given,
        known={stage: t.both(known, given) for stage, known in system.known.items()},
    )
