"""Clauses that are hardly meant: still to be written, called a pass and none; a stage with priority in which nobody can pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...models import ir
from ...models.diagnostics import Diagnostic
from ...models.ir.parts import statements
from ...models.options.reachable import reachable_stages


def lint_unfinished(program: ir.Program) -> Iterator[Diagnostic]:
    """Yield the clauses of *program* that are still to be written."""
    for _, clause in program.clauses:
        if clause.unfinished:
            message = f"Clause {clause.id} is still to be written."
            yield Diagnostic("W108", message, program.source, clause.span, "put what happens in the place of `todo`", "warning")


def lint_unreached(program: ir.Program) -> Iterator[Diagnostic]:
    """Yield the stages of *program*, whose options are open, that no play comes to."""
    reached = reachable_stages(program.stages, program.start)
    for stage in program.stages:
        if stage.name not in reached:
            hint = f"some clause has to `go {stage.name}`, or the stage is not needed"
            yield Diagnostic("W110", f"No play ever comes to the stage `{stage.name}`.", program.source, stage.span, hint, "warning")


_PASS = re.compile(r"\bpass(es)?\b", re.IGNORECASE)


def lint_passes(program: ir.Program) -> Iterator[Diagnostic]:
    """Yield where *program*, whose options are open, has no pass and should have one."""
    for stage in program.stages:
        voluntary = [clause for clause in stage.clauses if clause.mode == "may"]
        passes = [
            clause for clause in stage.clauses if clause.unfinished or any(isinstance(one, ir.Pass) for one in statements(clause.body))
        ]
        called = [clause for clause in voluntary if clause not in passes and _PASS.search(f"{clause.title} {clause.id}")]
        for clause in called:
            message = f"Clause {clause.id} is called a pass and has no `pass`: by it a player acts."
            yield Diagnostic("W102", message, program.source, clause.span, "add the line `pass`, or call it otherwise", "warning")
        if stage.priority is not None and voluntary and not passes and not called:
            message = f"In stage `{stage.name}` somebody has priority and nobody can pass."
            hint = "add the line `pass` to the clause by which a player passes, or leave out `priority` and say `by` in the clauses"
            yield Diagnostic("W101", message, program.source, stage.span, hint, "warning")
