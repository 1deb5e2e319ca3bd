"""Rechecking: a Program, a property and the text of a certificate -> a Proof made anew, or why
there is none.

Only the invariant and the ranking are taken from the text, and for which values of open options it
is. The moves, the property and the obligations are those of the encoder, as if the proof had just
been found; each is put to a plain solver. What the encoder knows of every position is part of the
invariant, whether the text says it or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import z3

from ....models import ir
from ....models.options.cases import Case, cases_of, condition, number_of_cases
from ....properties.formula import Property
from ..encoding.encode import encoding
from ..encoding.features import features
from ..encoding.obligations import Invariant, complete, first_failure
from ..encoding.system import System
from ..liveness.progress import progress
from ..liveness.recurrence import ways_to_ask
from ..liveness.termination import PRECISION, Termination
from ..options.for_which import given_to
from ..position.expressions import holds
from ..position.sorts import option_cell
from ..position.unsupported import UnsupportedError
from ..prove import Proof
from ..solver import terms as t
from .certificate import title
from .read_ranks import KnownFeatures
from .smtlib import HeadingField, UnreadableError, listed
from .stated import Stated

UNITS = 20_000_000
"""How much a solver may do for one obligation; it needs a hundredth of it."""
MOST_CASES = 4096
"""A condition may be about so many cases of options."""


@dataclass(frozen=True)
class Rejected:
    """That a certificate proves nothing of the rules; *reason* says why, in one sentence without
    its full stop.
    """

    reason: str


def recheck(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    """Return the proof that *question* holds of *program* by the invariant, or the ranking, that is
    *stated*.
    """
    if HeadingField.LEMMAS not in stated.values:
        question = replace(question, lemmas=())
    try:
        if question.mode in ("progress", "future"):
            return _of_any_way(program, question, stated)
        return _invariant(program, question, stated)
    except UnreadableError as error:
        return Rejected(str(error))
    except UnsupportedError as error:
        return Rejected(f"the encoding does not know: {error}")


def _invariant(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    precision = replace(stated.precision, sets=False)
    encoded = encoding(program, question, precision)
    system = encoded.system()
    if program.open_options:
        program = replace(program, when=_when(program, stated))
        system = given_to(system, holds(program.when, encoded.layout.frame("")))
    known = {lemma.name for lemma in question.lemmas}
    lemmas = tuple(
        name for name in listed(stated.values.get(HeadingField.LEMMAS, "")) if name in known
    )
    return _judged(
        Proof(program, question, system, _invariant_in(stated, system), precision, lemmas=lemmas)
    )


def _of_any_way(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    """Return the proof by the ranking that is *stated*, whichever way *question* was asked in."""
    found: Proof | Rejected = Rejected("it says nothing")
    for way in ways_to_ask(question):
        found = _ranking(program, question, stated, way)
        if not isinstance(found, Rejected):
            break
    return found


def _ranking(program: ir.Program, question: Property, stated: Stated, way: int) -> Proof | Rejected:
    if program.open_options:
        program = replace(program, when=_when(program, stated))
    said = listed(stated.values.get(HeadingField.LEMMAS, ""))
    asked = progress(program, question, PRECISION, way)
    system, known = asked.system, KnownFeatures(features(asked.encoding.layout))
    measures = tuple(known.measure(rank) for rank in stated.ranks(system.cells))
    invariant = _invariant_in(stated, system)
    return _judged(
        Termination(
            program,
            question,
            system,
            invariant,
            PRECISION,
            steps=asked.steps,
            patient=asked.patient,
            measures=measures,
            by_anyone=asked.by_anyone,
            lemmas=tuple(lemma.name for lemma in question.lemmas if lemma.name in said),
        )
    )


def _invariant_in(stated: Stated, system: System) -> Invariant:
    """Return the invariant that is *stated*; in an excerpt, which is bound to no engine, without
    what is known of *system* anyway.
    """
    said = stated.invariant(system.cells)
    return said if HeadingField.ENGINE in stated.values else complete(system, said)


def _judged(proof: Proof) -> Proof | Rejected:
    """Return *proof* if every obligation is met."""
    failure = first_failure(proof.system, proof.invariant, UNITS, proof.descent)
    if failure is None:
        return proof
    return Rejected(
        f"the obligation fails: {title(failure.obligation)} (the solver says {failure.answer})"
    )


def _when(program: ir.Program, stated: Stated) -> ir.Expr:
    """Return the condition on the options that *program* leaves open: that they are one of the
    cases of the one that is *stated*.
    """
    options = program.open_options
    if number_of_cases(options) > MOST_CASES:
        raise UnreadableError(f"it is about options with more than {MOST_CASES:,} cases")
    cells = [option_cell(option.name) for option in options]
    said = stated.condition(cells)
    codes = _codes(options)
    cases = [case for case in cases_of(options) if _is_met(said, cells, case, codes)]
    if not cases:
        raise UnreadableError(
            "its condition is met by no values of the options, so it says nothing"
        )
    return condition(options, cases)


def _codes(options: tuple[ir.Option, ...]) -> Mapping[str, int]:
    """Return the numbers that stand for the values of *options*, which the encoder numbers
    first.
    """
    names = dict.fromkeys(name for option in options for name, _ in option.values)
    return {name: number for number, name in enumerate(names)}


def _is_met(said: t.Bool, cells: list[t.Integer], case: Case, codes: Mapping[str, int]) -> bool:
    values = [t.number(value if isinstance(value, int) else codes[value]) for value in case]
    return t.is_true(z3.simplify(t.replaced(said, cells, values)))
