"""Requests: what a process that looks for proofs may be asked. It comes to it as data (`told`, `workers`), and `handler` does it."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from ...models.ir import Program
from ...models.options.cases import Case
from ...models.trees import TREES, Trees
from ...properties import formula
from ...properties.formula import Property


@dataclass(frozen=True)
class ToProve:
    """Whether *question* holds of *program* at every size, with so many *units* of the solver.

    To *explain* says what it rests on; *second* says that a second solver is to see what comes of it.
    """

    program: Program
    question: Property
    units: int
    explain: bool = False
    second: bool = False


@dataclass(frozen=True)
class ToProveWhich:
    """For which of *cases* of the options that the program of *what* leaves open it is so."""

    what: ToProve
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class ToRecheck:
    """Whether the invariant or the ranking in *certificate* proves *question* of *program*; the rest is as in `ToProve`."""

    program: Program
    question: Property
    certificate: str
    explain: bool = False
    second: bool = False


@dataclass(frozen=True)
class ToBound:
    """How many moves, up to *most*, it takes at least to break *question*, or to do what it calls possible, at any size of *program*."""

    program: Program
    question: Property
    most: int


Request = ToProve | ToProveWhich | ToRecheck | ToBound
_TREES = Trees([*TREES, formula, sys.modules[__name__]])


def told(request: Request) -> bytes:
    """Return *request* as data."""
    return _TREES.told(request)


def read(content: bytes) -> Request:
    """Return the request told as *content*; raise ValueError if it is none."""
    request: Request = _TREES.read(content, Request)
    return request
