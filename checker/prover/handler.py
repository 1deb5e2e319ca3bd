"""Handlers: a request, as data -> what came of it, as plain data.

Of `ToProve`: a proof, or why there is none. Of `ToRecheck`: the proof that a certificate is of,
made anew, or why it is none. Of `ToBound`: how many moves it takes at least, and a play.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import z3

from ..process.serving import Reply, answered
from ..replay.replay import encode_trace
from ..symbolic.bmc.bounded import least_moves
from ..symbolic.certificate.certificate import certificate, excerpt
from ..symbolic.certificate.recheck import CVC5, Rejected, opinion, recheck
from ..symbolic.certificate.smtlib import HeadingField, UnreadableError
from ..symbolic.certificate.stated import Stated
from ..symbolic.encoding.system import obligations
from ..symbolic.explain.dependencies import rests_on
from ..symbolic.explain.words import in_words
from ..symbolic.liveness.ranking import in_lines
from ..symbolic.liveness.termination import Termination, prove_progress
from ..symbolic.position.weakenings import sentence
from ..symbolic.prove import Proof, Unproved, prove
from ..types.verdict import Proved
from .concretise import decoded
from .kept import Attempt
from .request import (
    NODES,
    LeastMoves,
    Rechecked,
    ToBound,
    ToProve,
    ToRecheck,
    read_request,
)

Z3 = "Z3"
_MOST_MEMORY = 4_000
"""How many megabytes a solver may take to check a certificate again."""
_MOST_SECONDS = 120
"""How many seconds of processor time that may take; the hardest of the five games takes a few."""


def do(request: bytes) -> Reply:
    """Return what came of *request*, with the units that it took. A rejected certificate is to be
    rechecked ``again`` by a new process.
    """
    asked = read_request(request)
    try:
        match asked:
            case ToProve():
                answer: object = _proof(asked)
            case ToRecheck():
                answer = _rechecked(asked)
            case ToBound():
                answer = _least_moves(asked)
    except Exception as error:
        # Any error here is a mistake in looking for a proof, and must not end the search that the
        # proof would better.
        return {"failed": f"{type(error).__name__}: {error}".splitlines()[0], "again": True}
    is_rejected = isinstance(answer, Rechecked) and answer.attempt.proof is None
    return answered(NODES, answer) | ({"again": True} if is_rejected else {})


def _least_moves(what: ToBound) -> LeastMoves:
    least = least_moves(what.program, what.question, what.most, decoded)
    if least.play is None:
        return LeastMoves(least.moves, least.players)
    play = encode_trace(least.play.scope, least.play.numbers, least.play.trace)
    return LeastMoves(least.moves, least.players, play)


def _proof(what: ToProve) -> Attempt:
    prover = prove_progress if what.question.mode in ("progress", "future") else prove
    found = prover(what.program, what.question, what.units)
    if isinstance(found, Unproved):
        return Attempt(None, found.reason, found.spent, is_finite=found.is_finite)
    return _seen(
        _proved(found, explain=what.explain, whole=what.whole or what.second), second=what.second
    )


def _rechecked(what: ToRecheck) -> Rechecked:
    """Return the proof that a certificate is of, and the first command that the rules do not ask;
    or why it is rejected.
    """
    z3.set_param("memory_max_size", _MOST_MEMORY)  # the author of the certificate may be hostile
    with _ended_after(_MOST_SECONDS):
        try:
            stated = Stated(what.certificate)
        except UnreadableError as error:
            return Rechecked(Attempt(None, str(error)))
        found = recheck(what.program, what.question, stated)
    if isinstance(found, Rejected):
        return Rechecked(Attempt(None, found.reason))
    is_excerpt, whole = HeadingField.ENGINE not in stated.values, what.whole or what.second
    seen = _seen(
        _proved(
            found,
            what.certificate if is_excerpt and not whole else "",
            explain=what.explain,
            whole=whole,
        ),
        second=what.second,
    )
    if seen.proof is None or is_excerpt or not whole:
        return Rechecked(seen)  # an excerpt asks nothing that could differ
    return Rechecked(seen, stated.differs(Stated(seen.proof.certificate)))


@contextmanager
def _ended_after(seconds: int) -> Iterator[None]:
    """Let the system end this process if it takes more than *seconds* seconds of processor time
    meanwhile, where it can.
    """
    if sys.platform == "win32":
        yield
        return
    import resource  # noqa: PLC0415 - Windows has none

    before = resource.getrlimit(resource.RLIMIT_CPU)
    soon = int(time.process_time()) + 1 + seconds
    with suppress(ValueError, OSError):  # there may be less left already
        resource.setrlimit(resource.RLIMIT_CPU, (soon, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


def _proved(found: Proof, known: str = "", *, explain: bool, whole: bool = True) -> Proved:
    """Return a proof as it is told, with its *whole* certificate or without; *known* is its
    excerpt, if there is one already.
    """
    forgets = sorted(found.system.weakenings, key=lambda weakening: weakening.name)
    return Proved(
        certificate(found) if whole else "",
        sum(1 for _ in obligations(found.system, found.descent)),
        tuple(sentence(weakening) for weakening in forgets),
        tuple(in_lines(found.measures))
        if isinstance(found, Termination)
        else in_words(found)
        if explain
        else (),
        rests_on(found) if explain and not isinstance(found, Termination) else None,
        found.lemmas,
        (Z3,),
        excerpt=known or excerpt(found),
        spent=found.spent,
    )


def _seen(proof: Proved, *, second: bool) -> Attempt:
    """Return *proof* after a *second* solver has seen it, if one should and there is one; or that
    it is refuted.
    """
    seen = opinion(proof.certificate) if second else None
    if seen is not None and seen.refuted:
        why = f"{CVC5} refutes what {Z3} takes for a proof: {seen.refuted}"
        return Attempt(None, why, is_refuted=True)
    if seen is not None:
        by = {"solvers": (Z3, CVC5)} if seen.agrees else {"gave_up": (CVC5,)}
        proof = replace(proof, **by)
    return Attempt(proof, "", proof.spent)
