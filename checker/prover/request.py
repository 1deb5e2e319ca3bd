"""Requests: what a process that looks for proofs may be asked, and its answers. One comes as data
(`request_data`, `workers`), and `handler` does it.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import lru_cache

from ...models.frozen import frozen
from ...models.ir import Program
from ...models.storage.key import engine_digest
from ...models.trees import TREES, Trees
from ...properties import formula
from ...properties.formula import Property
from ..process.serving import Reply
from ..questions.digests import rules_digest
from ..replay import replay
from ..replay.replay import EncodedTrace
from ..slicing.slice import trim
from ..types import verdict
from . import kept
from .kept import Attempt


@frozen
class ToProve:
    """Whether *question* holds of *program* at every size, with *units* units of the solver.

    To *explain* says what it rests on; *second* says that a second solver is to see what comes of
    it. A *whole* certificate is written for those who read it; an excerpt is enough to check the
    proof again.
    """

    program: Program
    question: Property
    units: int
    explain: bool = False
    second: bool = False
    whole: bool = True


@frozen
class ToRecheck:
    """Whether the invariant or the ranking in *certificate* proves *question* of *program*; the
    rest is as in `ToProve`.
    """

    program: Program
    question: Property
    certificate: str
    explain: bool = False
    second: bool = False
    whole: bool = True


@frozen
class ToBound:
    """How many moves, up to *most*, it takes at least to break *question*, or to do what it calls
    possible, at any size of *program*.
    """

    program: Program
    question: Property
    most: int


@frozen
class Rechecked:
    """What came of a `ToRecheck`: the *attempt* made anew, with a reason if the certificate is
    rejected, and the first command in it that the rules do not ask (*differs*).
    """

    attempt: Attempt
    differs: str = ""


@frozen
class LeastMoves:
    """What came of a `ToBound`: no play of fewer *moves* does it, at any size. The rest is as in
    `symbolic.bmc.bounded.Bound`.
    """

    moves: int
    players: int | None
    play: EncodedTrace | None = None


Request = ToProve | ToRecheck | ToBound
NODES = Trees([*TREES, formula, verdict, replay, kept, sys.modules[__name__]])
"""What requests and answers are made of; the answer to a `ToProve` is an `Attempt`."""


_LAST: dict[int, tuple[Program, bytes]] = {}
"""The program that was told last, by its identity, and as data: all requests of a run are about
one.
"""


def request_data(request: Request) -> bytes:
    """Return *request* as data: its program, what it is, and the rest, in a line each."""
    kind = type(request).__name__.encode()
    rest = NODES.as_bytes(request, [request.program])
    return b"\n".join((_as_data(request.program), kind, rest))


def read_request(content: bytes) -> Request:
    """Return the request told as *content*; raise ValueError if it is none."""
    program, _, rest = _parts_of(content)
    request: Request = NODES.from_bytes(rest, Request, [_program(program)])
    return request


def why_none(reply: Reply, died: str) -> str:
    """Return why *reply* has no answer; of a process that ended, that it *died*."""
    if "missing" in reply:
        return f"there is no solver: {reply['missing']}"
    return died if "died" in reply else f"a mistake in stacklaw: {reply['failed']}"


def prepare(content: bytes) -> bool:
    """Do what this request and the next have in common, before any solver is asked. Return whether
    a process may do it after others, as it may recheck certificates. A request that cannot be read
    is refused by `read_request`.
    """
    with suppress(ValueError):
        data, kind, _ = _parts_of(content)
        program = _program(data)
        trim(program)
        rules_digest(program)
        engine_digest()
        return kind == ToRecheck.__name__.encode()
    return False


def _parts_of(content: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the three lines of a request; raise ValueError if there are not as many."""
    program, kind, rest = content.split(b"\n")
    return program, kind, rest


def _as_data(program: Program) -> bytes:
    if id(program) not in _LAST:
        _LAST.clear()
        _LAST[id(program)] = program, NODES.as_bytes(program)
    return _LAST[id(program)][1]


@lru_cache(maxsize=4)
def _program(content: bytes) -> Program:
    program: Program = NODES.from_bytes(content, Program)
    return program
