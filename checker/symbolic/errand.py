"""An errand: a Program, a property, an effort and whether to explain, pickled -> a proof as plain data, or why there is none.

With cases of the options that the Program leaves open: proofs, each with those it is about, and why there is none of the others.
A Program, a property and a number of moves -> how many it takes at least, at any size, up to that number (`bounded`).
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from ...models.cases import Case
from ...models.ir import Program
from ...properties.formula import Property
from .bounded import bound
from .certificate import certificate
from .for_which import prove_for_which
from .measures import in_lines
from .obligations import obligations
from .prove import Proof, Unproved, prove
from .rests import rests_on
from .termination import Termination, prove_progress
from .weakenings import sentence
from .words import in_words


def do(errand: bytes) -> dict[str, Any]:
    """Return what came of *errand*, with what it took in Z3's resource units."""
    asked = pickle.loads(errand)
    try:
        if len(asked) == len(("program", "question", "most")):
            least = bound(*asked)
            return {"moves": least.moves, "players": least.players}
        program, question, effort, explain, *of_cases = asked
        if of_cases:
            return _for_which(program, question, of_cases[0], effort, explain=explain)
        return _proof(program, question, effort, explain=explain)
    except Exception as error:
        # Whatever it is, it is a mistake in looking for a proof, and must not end the search that the proof would better.
        return {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}


def _proof(program: Program, question: Property, effort: int, *, explain: bool) -> dict[str, Any]:
    ends = question.mode == "progress"
    found = prove_progress(program, question, effort) if ends else prove(program, question, effort)
    if isinstance(found, Unproved):
        return {"reason": found.reason, "spent": found.spent}
    return {**_said(found, explain=explain), "spent": found.spent}


def _for_which(program: Program, question: Property, cases: Sequence[Case], effort: int, *, explain: bool) -> dict[str, Any]:
    """Return for which of *cases* of the options that *program* leaves open *question* is proved, and why not for the others."""
    found = prove_for_which(program, question, cases, effort)
    proofs = [(proved, _said(proof, explain=explain)) for proof, proved in found.proofs]
    return {"proofs": proofs, "unproved": list(found.unproved.items()), "spent": found.spent}


def _said(found: Proof, *, explain: bool) -> dict[str, Any]:
    """Return a proof as plain data."""
    forgets = sorted(found.system.weakenings, key=lambda weakening: weakening.name)
    return {
        "certificate": certificate(found),
        "obligations": sum(1 for _ in obligations(found.system)),
        "forgets": [sentence(weakening) for weakening in forgets],
        "invariant": in_lines(found.measures) if isinstance(found, Termination) else in_words(found) if explain else (),
        "rests_on": rests_on(found) if explain and not isinstance(found, Termination) else None,
        "lemmas": () if isinstance(found, Termination) else found.lemmas,
    }
