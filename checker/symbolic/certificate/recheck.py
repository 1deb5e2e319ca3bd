"""Rechecking: a Program, a property and the text of a certificate -> a Proof made anew, or why
there is none.

Only the invariant and the ranking are taken from the text. The moves, the property and the
obligations are those of the encoder, as if the proof had just been found; each is put to a plain
solver. What the encoder knows of every position is part of the
invariant, whether the text says it or not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....models import ir
from ....properties.formula import Property
from ..encoding.encode import encoding
from ..encoding.features import features
from ..encoding.obligations import Invariant, complete, first_failure
from ..encoding.system import System
from ..liveness.progress import progress
from ..liveness.recurrence import ways_to_ask
from ..liveness.termination import PRECISION, Termination
from ..position.weakenings import UnsupportedError
from ..prove import Proof
from .certificate import title
from .read_ranks import KnownFeatures
from .smtlib import HeadingField, UnreadableError, listed
from .stated import Stated

UNITS = 20_000_000
"""How much a solver may do for one obligation; it needs a hundredth of it."""


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
