"""Making sure: the line that a clause lacks where something in it may not be there, for hints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial, reduce

from .. import syntax
from ..printing.show_expressions import show_expression
from ..source import Span

_ABOVE = "put above it: `{} {}`"


@dataclass(frozen=True)
class HeadLines:
    """Where the first lines of a clause stand: its `when`s, and the first statement after them."""

    whens: frozenset[int] = frozenset()
    first: Span | None = None

    @classmethod
    def of(cls, head: Iterable[syntax.Statement], rest: syntax.Block) -> HeadLines:
        """Return where the lines of *head* stand, and the first of the *rest*."""
        return cls(
            frozenset(s.span.line for s in head if isinstance(s, syntax.When)),
            rest[0].span if rest else None,
        )

    def line_for(self, asked: str, span: Span, statement: Span | None) -> str:
        """Return a hint how to make sure of what is *asked* before the place *span*, in this
        *statement*; empty if no line above could.
        """
        if span.line in self.whens or (
            statement is not None and statement == self.first and statement.line == span.line
        ):
            return _ABOVE.format("when", asked)
        if statement is not None and statement.line == span.line:
            return _ABOVE.format("require", asked)
        return ""


def some_choice(choose: syntax.Choose) -> str:
    """Return what asks whether *choose* has anything to choose, as it is written."""
    asked = [part for part in conjuncts(choose.condition) if not is_order(part)]
    condition = reduce(partial(syntax.Binary, "and"), asked) if asked else syntax.ANYTHING
    return show_expression(syntax.Quantified("some", choose.variable, choose.domain, condition))


def is_order(part: syntax.Expr) -> bool:
    """Tell whether *part* of the condition of a choice says who comes first."""
    return isinstance(part, syntax.Binary) and part.operator == "comes first from"


def conjuncts(expr: syntax.Expr | None) -> tuple[syntax.Expr, ...]:
    """Return the parts of *expr* that ``and`` joins, from the left; none for None."""
    if expr is None:
        return ()
    if isinstance(expr, syntax.Binary) and expr.operator == "and":
        return (*conjuncts(expr.left), *conjuncts(expr.right))
    return (expr,)
