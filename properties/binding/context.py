"""Context: what a formula may speak of, the program, its names, the spotlit players, items and
clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ...models import ir, syntax
from ...models.binding.expressions import ExpressionBinder
from ...models.binding.typed import ITEM
from ...models.diagnostics import Report


@dataclass
class FormulaContext:
    """What the formulas of one property may speak of, and where their mistakes go.

    *binder* knows the spotlit players and items as its locals; *clauses* are the spotlights that
    stand for a clause.
    """

    program: ir.Program
    binder: ExpressionBinder
    report: Report
    clauses: tuple[str, ...] = ()
    above: Literal["every", "some"] = "every"
    """Which word names the players and items of a formula of this kind."""

    def is_item(self, name: str) -> bool:
        """Whether *name* is a spotlit item."""
        local = self.binder.locals.get(name)
        return local is not None and local.type == ITEM

    def spotlit_items(self, *expressions: ir.Expr) -> tuple[str, ...]:
        """Return the spotlit items that *expressions* speak of."""
        used = {
            node.name
            for expr in expressions
            for node in ir.walk(expr)
            if isinstance(node, ir.Local)
        }
        return tuple(name for name in self.binder.locals if name in used and self.is_item(name))

    def state_only(self, expr: syntax.Expr) -> bool:
        """Whether *expr* speaks of nothing but the position; report what does not."""
        plain = True
        for node, what, chosen in _of_a_play(expr):
            message = (
                f"{what} cannot stand inside a comparison, a quantifier or what a term is given."
            )
            hint = "take the formula apart: join what it says by `and`, `or`, `not` and `implies`"
            if chosen is not None:
                is_item = (
                    isinstance(chosen.domain, syntax.Name)
                    and chosen.domain.name in self.binder.names.zones
                )
                above = f"for {self.above} {'item' if is_item else 'player'} {chosen.variable}:"
                hint = f"what `{chosen.quantifier} {chosen.variable}` picks is named before the formula, with `{above}`"
            self.report.add("P203", node.span, message, hint)
            plain = False
        return plain


def _of_a_play(
    expr: syntax.Node, chosen: syntax.Quantified | None = None
) -> Iterator[tuple[syntax.Node, str, syntax.Quantified | None]]:
    """Yield the outermost nodes of *expr* that speak of a play, how they are called, and the
    quantifier around them, if there is one.
    """
    match expr:
        case syntax.Phrase() | syntax.Idiom():
            yield expr, f"`{expr.kind}`", chosen
        case syntax.Unary() if expr.operator != "not":
            yield expr, f"`{expr.operator}`", chosen
        case syntax.Binary("since" | "until" | "leads to"):
            yield expr, f"`{expr.operator}`", chosen
        case syntax.Word("someone" | "something"):
            yield expr, f"`{expr.word}`", chosen
        case _:
            chosen = expr if isinstance(expr, syntax.Quantified) else chosen
            for part in ir.children(expr):
                for node in part if isinstance(part, tuple) else (part,):
                    if isinstance(node, syntax.Node):
                        yield from _of_a_play(node, chosen)
