"""Requests: what a process that looks for proofs may be asked. One comes as data (`request_data`,
`workers`), and `handler` does it.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from ...models.ir import Program
from ...models.storage.digests import engine_digest
from ...models.trees import TREES, Trees
from ...properties import formula
from ...properties.formula import Property
from ..questions.digests import rules_digest
from ..slicing.relevant import trim


@dataclass(frozen=True)
class ToProve:
    """Whether *question* holds of *program* at every size, with so many *units* of the solver.

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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class ToBound:
    """How many moves, up to *most*, it takes at least to break *question*, or to do what it calls
    possible, at any size of *program*.
    """

    program: Program
    question: Property
    most: int


Request = ToProve | ToRecheck | ToBound
_TREES = Trees([*TREES, formula, sys.modules[__name__]])


_LAST: dict[int, tuple[Program, bytes]] = {}
"""The program that was told last, by its identity, and as data: all requests of a run are about
one.
"""


def request_data(request: Request) -> bytes:
    """Return *request* as data: its program in a line, and in another the rest."""
    return _as_data(request.program) + b"\n" + _TREES.as_bytes(request, [request.program])


def read_request(content: bytes) -> Request:
    """Return the request told as *content*; raise ValueError if it is none."""
    first, _, rest = content.partition(b"\n")
    request: Request = _TREES.from_bytes(rest, Request, [_program(first)])
    return request


def prepare(content: bytes) -> None:
    """Do of a request what the next one will have, too, before any solver is asked; one that cannot
    be read is refused by `read`.
    """
    with suppress(ValueError):
        program = _program(content.partition(b"\n")[0])
        trim(program)
        rules_digest(program)
        engine_digest()


def _as_data(program: Program) -> bytes:
    if id(program) not in _LAST:
        _LAST.clear()
        _LAST[id(program)] = program, _TREES.as_bytes(program)
    return _LAST[id(program)][1]


@lru_cache(maxsize=4)
def _program(content: bytes) -> Program:
    program: Program = _TREES.from_bytes(content, Program)
    return program
