"""Kept proofs: in the user's cache folder, under names made of all that they depend on
(`models.storage.keeping`).

A proof depends on the rules, the property and the engine that found it, and so does the answer that
there is none, for which the units count too. Neither is looked for twice. A proof is believed if
this user's key has signed it; of any other only the certificate is taken, to be checked again
(`symbolic.recheck`).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from ...models import ir
from ...models.frozen import frozen
from ...models.storage.keeping import PROOFS, found, keep_tree, kept_tree, name_of, tree_in
from ...models.storage.key import engine_digest, has_key
from ...models.storage.opening import cache_folder
from ...models.trees import Trees
from ...properties.formula import Property
from ..types import verdict
from ..types.verdict import Proved

FORMAT = "8"


@frozen
class Attempt:
    """What came of looking for a proof: the *proof*, or the *reason* why there is none; *spent* is
    how many units it cost.

    Of a question that *is_refuted* one solver took something for a proof that another has refuted:
    no budget mends that. *is_finite* says of what must eventually happen that no play goes on for
    ever without it, at any size, though there is no proof.
    """

    proof: Proved | None
    reason: str = ""
    spent: int = 0
    is_refuted: bool = False
    is_finite: bool = False


@frozen
class Unsigned:
    """A *certificate* that is yet to be checked again, and how many units it has *spent*: 0 if this
    user's key has not signed it.

    A number that somebody else wrote down could leave no units for the next question.
    """

    certificate: str
    spent: int


_TREES = Trees([verdict, sys.modules[__name__]])


class Proofs:
    """The proofs of one *program* that are kept in a *folder*; *note* is what went wrong with
    keeping them.
    """

    def __init__(self, program: ir.Program, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()
        self.note = ""
        rules = replace(program, title="", document="", claims=(), left_out=(), scope=(), terms=())
        self._depends = name_of(FORMAT, engine_digest(), repr(rules))

    def kept_attempt(self, question: Property, units: int) -> Attempt | None:
        """Return what came of trying to prove *question* with *units* units, or of any proof that
        was found; None if it was not tried.
        """
        return self._stored_attempt(question, None) or self._stored_attempt(question, units)

    def unsigned(self, question: Property) -> Unsigned | None:
        """Return what is kept of a proof of *question* that anybody may have written."""
        there = found(self._file(question, None))
        attempt: Attempt | None = None if there is None else tree_in(there.content, _TREES, Attempt)
        if attempt is None or attempt.proof is None or attempt.spent < 0:
            return None
        proof = attempt.proof
        return Unsigned(proof.certificate or proof.excerpt, 0 if has_key() else attempt.spent)

    def add(self, question: Property, units: int, attempt: Attempt) -> None:
        """Keep *attempt* for the next time; a proof is kept without a key as well, since it is then
        checked again.
        """
        is_proved = attempt.proof is not None
        for_any = is_proved or attempt.is_refuted
        file = self._file(question, None if for_any else units)
        note = keep_tree(file, _TREES, attempt, PROOFS, is_checked=is_proved)
        self.note = self.note or note

    def _file(self, question: Property, units: int | None) -> Path:
        return self._file_for(question, "proof" if units is None else f"no proof with {units}")

    def _file_for(self, question: Property, what: str) -> Path:
        return self.folder / f"{name_of(self._depends, what, repr(question))}.proof"

    def _stored_attempt(self, question: Property, units: int | None) -> Attempt | None:
        attempt: Attempt | None = kept_tree(self._file(question, units), _TREES, Attempt)
        if attempt is None or attempt.spent < 0:
            return None
        proof = attempt.proof
        return None if proof and (proof.obligations <= 0 or proof.spent < 0) else attempt
