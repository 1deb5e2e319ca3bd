"""Certificates held against rules: whether the invariant or the ranking in one proves its property
of them.

A Program + a property + the text of a certificate --worker--> obligations made anew, each asked of
a plain solver
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

from ..models import ir
from ..models.frozen import frozen
from ..models.storage.key import engine_digest
from ..properties.formula import Property
from .process.serving import Reply, answer_in
from .prover.request import NODES, Rechecked, ToRecheck, request_data, why_none
from .prover.workers import COMMAND, replies
from .questions.digests import property_digest, rules_digest
from .symbolic.certificate.smtlib import (
    HEADER,
    PATIENCE,
    HeadingField,
    is_unchanged,
    values_in,
)
from .types.engine import need_finished

CHANGED = "it was changed after it was written: the digest is another"


@frozen
class CertificateHeading:
    """What a certificate says that it is about: which *game*, the *name* of the property; digests
    of the *rules*, of what is *asked*, of the *engine*.
    """

    game: str
    name: str
    rules: str
    asked: str
    engine: str

    def is_of_rules(self, program: ir.Program) -> bool:
        """Whether it is bound to the rules of *program*."""
        return self.rules == f"sha256:{rules_digest(program)}"

    def is_of_property(self, question: Property) -> bool:
        """Whether it is bound to what *question* asks."""
        return self.asked == f"sha256:{property_digest(question)}"

    @property
    def is_of_engine(self) -> bool:
        """Whether it was written by this engine."""
        return self.engine.endswith(f"sha256:{engine_digest()}")


@frozen
class Certified:
    """What came of it: *obligations* obligations are met, or what is *wrong*."""

    obligations: int
    wrong: str = ""


def heading_of(text: str) -> CertificateHeading | None:
    """Return what the certificate *text* says that it is about; None if it is none."""
    if not text.startswith(f"{HEADER}\n"):
        return None
    said = values_in(text)
    field = HeadingField
    fields = field.GAME, field.PROPERTY, field.RULES, field.ASKED, field.ENGINE
    return CertificateHeading(*(said.get(one, "") for one in fields))


def certify_of(program: ir.Program, question: Property, text: str) -> Certified:
    """Return whether the certificate *text* proves *question* of *program*, its obligations made
    anew from the rules.

    Where it is bound to these rules, this property and this engine, what it asks has to be what
    they ask, too.
    """
    need_finished(program)
    heading = heading_of(text)
    if heading is None:
        return Certified(0, "it is no certificate of this version of Stacklaw")
    if not is_unchanged(text):
        return Certified(0, CHANGED)
    reply = _rechecked(ToRecheck(program, question, text))
    found: Rechecked | None = answer_in(NODES, reply, Rechecked)
    if found is None:
        return Certified(0, why_unchecked(reply))
    if found.attempt.proof is None:
        return Certified(0, found.attempt.reason)
    is_same = (
        heading.is_of_rules(program) and heading.is_of_property(question) and heading.is_of_engine
    )
    if is_same and found.differs:
        first = found.differs if len(found.differs) < 80 else f"{found.differs[:80]}…"
        return Certified(0, f"what it asks is not what its rules ask, first in: {first}")
    return Certified(found.attempt.proof.obligations)


def _rechecked(request: ToRecheck) -> Reply:
    """Return what a worker replies; nothing if the solver hangs."""
    try:
        with closing(
            replies([request_data(request)], 1, _until(time.monotonic() + PATIENCE), COMMAND)
        ) as coming:
            return next((reply for _, reply in coming), {})
    except TimeoutError:
        return {}


def _until(end: float) -> Callable[[], None]:
    def tick() -> None:
        if time.monotonic() > end:
            raise TimeoutError

    return tick


def why_unchecked(reply: Reply) -> str:
    """Return why *reply* to a `ToRecheck` has no answer."""
    if not reply:
        return f"the solver has not answered within {PATIENCE} seconds"
    return why_none(reply, "the process that checked it has died")
