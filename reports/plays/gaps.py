"""Gaps: where no clause applies, which one came nearest, and what stopped it."""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir
from .annotated import AnnotatedTrace


def nearest_words(told: AnnotatedTrace, moment: int) -> str:
    """Return what each clause of the stage at *moment* would need to apply, as far as a guard says it."""
    names = told.parameters_at(moment)
    needs = [f"{clause.id} would need {told.words.condition(part, names, held=True)}" for clause, part in false_guards(told, moment)]
    return f": {'; '.join(needs)}" if needs else ""


def false_guards(told: AnnotatedTrace, moment: int) -> Iterator[tuple[ir.Clause, ir.Expr]]:
    """Yield the clauses of the stage at *moment* that do not apply, with the first false part of their guard."""
    position = told.trace.positions[moment]
    possible = {move.clause for move, _ in told.interpreter.allowed(position)}
    stage = told.program.stage(position.stage)
    names = tuple(parameter.name for parameter in stage.parameters)
    for clause in stage.clauses:
        if clause.id in possible or clause.owner.variable is not None:
            continue
        parts = clause.guard.parts if isinstance(clause.guard, ir.All) else (clause.guard,)
        # Only the first false part: a later one may rely on it.
        false = next((p for p in parts if not told.interpreter.evaluate(p, names)(position, position.arguments)), None)
        if false is not None:
            yield clause, false
