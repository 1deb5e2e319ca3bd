"""Enforcing: ``COALITION can enforce GOAL`` as written -> `formula.Enforced`.

A goal is made of parts that `and` joins, each said of whole plays: ``always``, ``never``,
``eventually``, ``leads to``, and that a player acts only finitely often. Each becomes a formula
about one moment and what is to become of it.
"""

from __future__ import annotations

from dataclasses import replace

from ...models import ir, syntax
from ...models.binding.definite import conjuncts
from ...models.binding.names import PLAYER
from ...models.diagnostics import Report
from ...models.ir.analysis import unchanged
from ...models.ir.parts import expressions
from ...models.printing.show_lines import show_expression
from .. import formula as f
from .connectives import FormulaTyper, negated, unanswered

_HINT = (
    "`p can enforce eventually A`, `always A`, `never A`, `A leads to B`, `p acts only finitely "
    "often`, or several joined by `and`"
)


def type_enforced(
    enforce: syntax.Enforce, typer: FormulaTyper, of_goal: FormulaTyper
) -> f.Enforced | None:
    """Return what *enforce* says, *typer* knowing the players before it, and *of_goal* also the
    spotlights of its goal.

    Mistakes go to the report, and then the answer is None.
    """
    roles: list[tuple[str, ir.Expr]] = []
    coalition = _coalition(enforce.coalition, typer, roles)
    goals = [_goal(part, enforce, of_goal) for part in conjuncts(enforce.goal)]
    typed = tuple(goal for goal in goals if goal is not None)
    if coalition is None or len(typed) < len(goals):
        return None
    return f.Enforced(coalition, typed, tuple(roles))


def _coalition(
    coalition: syntax.Expr, typer: FormulaTyper, roles: list[tuple[str, ir.Expr]]
) -> tuple[str, ...] | None:
    """Return the names of the players of *coalition*; add those that have a role to *roles*."""
    names = []
    for part in conjuncts(coalition):
        known = typer.binder.locals.get(part.name) if isinstance(part, syntax.Name) else None
        if known is not None and known.type == PLAYER and isinstance(part, syntax.Name):
            names.append(part.name)
            continue
        role = None if known is not None else _role(part, typer)
        if role is None:
            hint = "`for some player p, player q: p and q can enforce GOAL`"
            typer.report.add(
                "P208",
                part.span,
                "Before `can enforce` stand players that the formula watches, or a player whom no "
                "clause changes.",
                hint,
            )
            return None
        names.append(show_expression(part))
        roles.append((names[-1], role))
    return tuple(names)


def _role(expr: syntax.Expr, typer: FormulaTyper) -> ir.Expr | None:
    """Return the player that *expr* is throughout a play, as a constant; None if it may change."""
    silent = replace(typer.binder, report=Report(typer.report.source))
    typed = silent.typed(expr, PLAYER)
    if typed is None or typed.type != PLAYER:
        return None
    initial = unchanged(typer.program)
    asked = {one.name for one in expressions(typed.expression) if isinstance(one, ir.Variable)}
    if not asked <= initial.keys():
        return None
    constant: ir.Expr = ir.rewrite(
        typed.expression, lambda part: initial[part.name] if isinstance(part, ir.Variable) else part
    )
    return constant


def typed_spotlights(written: tuple[syntax.Spotlight, ...]) -> tuple[f.Spotlight, ...]:
    """Return spotlights as properties have them."""
    return tuple(f.Spotlight(one.kind, one.name) for one in written)


def _goal(part: syntax.Expr, enforce: syntax.Enforce, typer: FormulaTyper) -> f.Goal | None:
    """Return the goal that *part* is."""
    kind: f.GoalKind
    match part:
        case syntax.Unary("always" | "never" as word, operand):
            kind, typed = "always", typer.formula(operand)
            typed = negated(typed) if word == "always" and typed is not None else typed
        case syntax.Unary("eventually", operand):
            kind, typed = "eventually", typer.formula(operand)
        case syntax.Binary("leads to", trigger, aim):
            kind, typed = "leads to", unanswered(typer.formula(trigger), typer.formula(aim))
        case syntax.Phrase("acts only finitely often"):
            acts = syntax.Phrase("acts", part.subject, span=part.span)
            kind, typed = "finitely", typer.formula(acts)
        case _:
            typer.report.add(
                "P208", part.span, "A goal says what is to become of a whole play.", _HINT
            )
            return None
    if typed is None:
        return None
    wanted = "some" if kind == "eventually" else "every"
    if enforce.spotlights and (enforce.quantifier != wanted or kind == "finitely"):
        hint = "`for every item i: always FORMULA` and `for some item i: eventually FORMULA`"
        typer.report.add(
            "P302",
            enforce.spotlights[0].span,
            f"`for {enforce.quantifier}` does not stand before this goal.",
            hint,
        )
        return None
    return f.Goal(kind, typed, typed_spotlights(enforce.spotlights))
