"""Precedence: what clauses of a block ``the first that applies`` say of those above them, taken off
before an edit and said anew after it.

Nobody writes that none above applies: who edits a condition changes with it when the clauses below
can be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....models import ir
from ....models.binding.typed import all_of, negated
from ....models.ir.analysis import guard_parts
from ....models.ir.parts import expressions, expressions_of, of_expressions, statements


def as_written(stage: ir.Stage) -> ir.Stage:
    """Return *stage* with the guards that its clauses have in the text."""
    return replace(
        stage, clauses=tuple(replace(clause, guard=_own_guard(clause)) for clause in stage.clauses)
    )


def as_meant(edited: ir.Stage, original: ir.Stage) -> ir.Stage:
    """Return *edited*, which is as written, with guards that say that none above applies; it has
    the clauses of *original*.
    """
    pairs = zip(as_written(original).clauses, edited.clauses, strict=True)
    changed = {new.id: new for old, new in pairs if _when(old) != _when(new)}
    clauses = []
    for clause in edited.clauses:
        above = tuple(
            (id_, _applies(changed[id_], clause) if id_ in changed else was)
            for id_, was in clause.above
        )
        implied = [negated(applies) for _, applies in above if not isinstance(applies, ir.Literal)]
        guard = all_of([*([] if clause.guard == ir.YES else [clause.guard]), *implied])
        clauses.append(replace(clause, guard=guard, above=above))
    return replace(edited, clauses=tuple(clauses))


def _own_guard(clause: ir.Clause) -> ir.Expr:
    return all_of([part for part, above in guard_parts(clause) if not above])


def _when(clause: ir.Clause) -> tuple[str | None, ir.Expr, ir.Expr]:
    """Return all that decides whether *clause* applies."""
    return clause.owner.variable, clause.owner.condition, clause.guard


def _applies(clause: ir.Clause, below: ir.Clause) -> ir.Expr:
    """Return what says that *clause* applies, in names that *below* has not given."""
    variable, condition, guard = _when(clause)
    joined = all_of([part for part in (condition, guard) if part != ir.YES])
    applies = (
        joined if variable is None else ir.Exists(variable, ir.PlayersIn(ir.Everyone()), joined)
    )
    bound, taken = set(_bound_names(expressions(applies))), _taken(below)
    for name in sorted(bound & taken):
        fresh = next(
            other
            for number in range(2, len(bound | taken) + 3)
            if (other := f"{name}_{number}") not in bound | taken
        )
        applies = _renamed(applies, name, fresh)
        bound.add(fresh)
    return applies


def _taken(clause: ir.Clause) -> set[str]:
    """Return the names that *clause* gives."""
    named = {
        one.variable
        for one in statements(clause.body)
        if isinstance(one, ir.Choose | ir.Let | ir.ForEach)
    }
    return (
        named
        | set(_bound_names(expressions_of(clause)))
        | ({clause.owner.variable} if clause.owner.variable is not None else set())
    )


def _bound_names(exprs: Iterable[ir.Expr]) -> Iterator[str]:
    """Yield the names that *exprs*, each by itself, give."""
    return (expr.variable for expr in exprs if isinstance(expr, ir.Exists))


def _renamed(expr: ir.Expr, name: str, fresh: str) -> ir.Expr:
    def change(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Exists) and part.variable == name:
            return replace(part, variable=fresh)
        return ir.Local(fresh) if part == ir.Local(name) else part

    renamed: ir.Expr = ir.rewrite(expr, of_expressions(change))
    return renamed
