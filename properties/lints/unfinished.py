"""Unfinished clauses: those with `todo` in the place of their bodies."""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir
from ...models.diagnostics import Diagnostic


def lint_unfinished(program: ir.Program) -> Iterator[Diagnostic]:
    """Yield the clauses of *program* that are still to be written."""
    for _, clause in program.clauses:
        if clause.unfinished:
            message = f"Clause {clause.id} is still to be written."
            yield Diagnostic("W108", message, program.source, clause.span, "put what happens in the place of `todo`", "warning")
