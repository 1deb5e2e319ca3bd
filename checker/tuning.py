"""Tuning: how a search is done. It changes what a question costs and how much of it is told, never what the answer is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..models.diagnostics import Diagnostic, InputError

MOST_THREADS = 64


@dataclass(frozen=True)
class Tuning:
    """How a search is done: by how many *threads*, and what it may leave out.

    *slicing* leaves out of a position what the question cannot see, *symmetry* takes positions that differ only
    by a turn of the table for one. *checkpoints* is the folder in which a long search writes down how far it is
    (None: nowhere); with *resume* it goes on from what it finds there.
    """

    threads: int = 1
    slicing: bool = True
    symmetry: bool = True
    checkpoints: Path | None = None
    resume: bool = False

    def __post_init__(self) -> None:
        errors = []
        if not 1 <= self.threads <= MOST_THREADS:
            errors.append(Diagnostic("C107", f"a search is done by 1 to {MOST_THREADS} threads, not by {self.threads}"))
        if self.resume and self.checkpoints is None:
            errors.append(Diagnostic("C108", "there is no folder of checkpoints to go on from", hint="say which with --checkpoint"))
        if errors:
            raise InputError(errors)
