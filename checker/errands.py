"""What a process that looks for proofs may be asked; it comes to it pickled (`workers`), and `symbolic.errand` does it."""

from __future__ import annotations

from dataclasses import dataclass

from ..models.cases import Case
from ..models.ir import Program
from ..properties.formula import Property


@dataclass(frozen=True)
class ToProve:
    """Whether *question* holds of *program* at every size, with so much *effort* for each encoding; to *explain* says what it rests on."""

    program: Program
    question: Property
    effort: int
    explain: bool = False


@dataclass(frozen=True)
class ToProveWhich:
    """For which of *cases* of the options that the program of *what* leaves open it is so."""

    what: ToProve
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class ToBound:
    """How many moves, up to *most*, it takes at least to break *question*, or to do what it calls possible, at any size of *program*."""

    program: Program
    question: Property
    most: int


Errand = ToProve | ToProveWhich | ToBound
