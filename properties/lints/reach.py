"""The reach of a quantifier: in version 1 of the language it ends before the next ``and``, where a reader goes on."""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir, syntax
from ...models.diagnostics import Diagnostic
from ...models.source import Source

_GO_ON = ("and", "or", "implies", "leads to")


def lint_reach(ruleset: syntax.Ruleset, source: Source) -> Iterator[Diagnostic]:
    """Yield the quantifiers of *ruleset*, which *source* is, that end before something that may have been meant to belong to them."""
    for node in ir.walk(ruleset):
        if isinstance(node, syntax.Binary) and node.operator in _GO_ON and (quantified := _last_of(node.left)) is not None:
            joint = "satisfies" if quantified.quantifier == "every" else "where"
            said = f"What stands after this `{joint}` ends before `{node.operator}`."
            hint = f"`language 2` at the top lets it go on; `({quantified.quantifier} {quantified.variable} in D)` ends it there"
            yield Diagnostic("W107", said, source, quantified.span, hint, "warning")


def _last_of(expr: syntax.Expr) -> syntax.Quantified | None:
    """Return the quantifier with which *expr* ends, if it was read in version 1 and has no parentheses around it."""
    while isinstance(expr, syntax.Binary | syntax.Unary) and not expr.enclosed:
        if isinstance(expr, syntax.Binary) and expr.operator not in (*_GO_ON, "since", "until"):
            return None
        expr = expr.right if isinstance(expr, syntax.Binary) else expr.operand
    if not isinstance(expr, syntax.Quantified) or expr.wide or expr.enclosed or expr.body == syntax.ANYTHING:
        return None
    return expr
