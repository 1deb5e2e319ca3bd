"""The future: what a formula says of the moments to come, taken apart down to what it says of
single moments.

In comes surface syntax, out goes a `formula.Temporal` over numbered parts. What each part says is
typed by `connectives`: the position, the move and the past. The words about the future become
``until``, ``not`` and ``and``:

    eventually A        true until A             A leads to B        always (A implies eventually B)
    always A            not eventually not A     again and again A   always eventually A (at the
    end: `rest`) never A             not eventually A         finitely often A    not again and
    again A

A word about the past cannot look at what speaks of the future: which moment would decide it?
"""

from __future__ import annotations

from typing import assert_never

from ...models import ir, syntax
from .. import formula as f
from .connectives import FormulaTyper, conjuncts_of
from .rest import ENDED, again_and_again, at_rest

_TIMES = {
    "always": 1,
    "never": 1,
    "eventually": 1,
    "until": 1,
    "leads to": 2,
    "again and again": 2,
    "finitely often": 2,
}
"""The words about the future, each with how many ``until`` it stands for."""
MOST_UNTIL = 8
"""How often a formula and what it assumes may look at the future: each time doubles the work."""
ALWAYS_TRUE = f.Together(())


def speaks_of_the_future(expr: syntax.Expr) -> bool:
    """Whether *expr* has a word about the future in it."""
    return any(_is_of_the_future(node) for node in ir.walk(expr))


def nests_the_future(body: syntax.Expr) -> bool:
    """Whether a word about the future stands below the outermost operator of *body*."""
    return any(_is_of_the_future(node) for node in ir.walk(body) if node is not body)


def looks_ahead(expr: syntax.Expr) -> int:
    """Return how many ``until`` the words about the future in *expr* stand for."""
    return sum(
        _TIMES.get(node.operator, 0)
        for node in ir.walk(expr)
        if isinstance(node, syntax.Unary | syntax.Binary)
    )


def _is_of_the_future(node: object) -> bool:
    return isinstance(node, syntax.Unary | syntax.Binary) and node.operator in _TIMES


class FutureTyper:
    """Types what one property says of the future; *parts* are the formulas over single moments,
    each once.
    """

    def __init__(self, typer: FormulaTyper) -> None:
        self.parts: list[f.Formula] = []
        self._typer = typer

    def temporal(self, expr: syntax.Expr) -> f.Temporal | None:
        """Type *expr*; None if it has a mistake, which is reported."""
        if not speaks_of_the_future(expr):
            return self._now(expr)
        match expr:
            case syntax.Enforce():
                self._typer.formula(expr)  # it says why that cannot stand here
                return None
            case syntax.Unary("again and again" | "finitely often"):
                again = self._again_and_again(expr)
                return (
                    again
                    if again is None or expr.operator == "again and again"
                    else otherwise(again)
                )
            case syntax.Unary("not" | "always" | "never" | "eventually"):
                operand = self.temporal(expr.operand)
                return None if operand is None else _unary(expr.operator, operand)
            case syntax.Binary("and" | "or"):
                parts = (
                    [self.temporal(part) for part in conjuncts_of(expr)]
                    if expr.operator == "and"
                    else self._both(expr)
                )
                typed = tuple(part for part in parts if part is not None)
                if len(typed) < len(parts):
                    return None
                return (
                    f.Together(typed)
                    if expr.operator == "and"
                    else otherwise(f.Together(tuple(map(otherwise, typed))))
                )
            case syntax.Binary("implies" | "until" | "leads to"):
                left, right = self._both(expr)
                return (
                    None if left is None or right is None else _binary(expr.operator, left, right)
                )
            case _:
                hint = "let it look back at what is so at one moment: `previously`, `once`, `historically` and `since` stand inside"
                what = (
                    f"`{expr.operator}`"
                    if isinstance(expr, syntax.Unary | syntax.Binary)
                    else "This"
                )
                self._typer.report.add(
                    "P202", expr.span, f"{what} cannot look at what speaks of the future.", hint
                )
                return None

    def _both(self, expr: syntax.Binary) -> list[f.Temporal | None]:
        return [self.temporal(expr.left), self.temporal(expr.right)]

    def _now(self, expr: syntax.Expr) -> f.Temporal | None:
        typed = self._typer.formula(expr)
        return None if typed is None else self._part(typed)

    def _part(self, formula: f.Formula) -> f.Temporal:
        if formula not in self.parts:
            self.parts.append(formula)
        return f.PartHolds(self.parts.index(formula))

    def _again_and_again(self, expr: syntax.Unary) -> f.Temporal | None:
        """Type *expr*, that something is so at infinitely many moments; at the end of a play, that
        it is so at rest.
        """
        if not speaks_of_the_future(expr.operand):
            typed = self._typer.formula(expr.operand)
            said = None if typed is None else self._settled(again_and_again(typed), expr)
            return None if said is None else always(eventually(said))
        inner = self.temporal(expr.operand)
        settled = None if inner is None else self._at_rest(inner, expr)
        if inner is None or settled is None:
            return None
        ended = self._part(ENDED)
        goes_on, ends = f.Together((inner, otherwise(ended))), f.Together((settled, ended))
        return always(eventually(otherwise(f.Together((otherwise(goes_on), otherwise(ends))))))

    def _at_rest(self, temporal: f.Temporal, expr: syntax.Unary) -> f.Temporal | None:
        """Return what *temporal* comes to at rest, where nothing is still to come."""
        match temporal:
            case f.PartHolds(number):
                return self._settled(at_rest(self.parts[number]), expr)
            case f.Otherwise(operand):
                inner = self._at_rest(operand, expr)
                return None if inner is None else otherwise(inner)
            case f.Together(parts):
                found = [self._at_rest(part, expr) for part in parts]
                typed = tuple(part for part in found if part is not None)
                return f.Together(typed) if len(typed) == len(found) else None
            case f.Until(_, right):
                return self._at_rest(right, expr)
            case _:
                assert_never(temporal)

    def _settled(self, formula: f.Formula | None, expr: syntax.Unary) -> f.Temporal | None:
        """Return *formula* as a part; if *expr* has none that is small enough, report that."""
        if formula is None:
            self._typer.report.add(
                "P305",
                expr.span,
                "This looks back too often to be so again and again.",
                "split it into several properties",
            )
            return None
        return self._part(formula)


def otherwise(temporal: f.Temporal) -> f.Temporal:
    """Return the negation of *temporal*, without a double one."""
    return temporal.operand if isinstance(temporal, f.Otherwise) else f.Otherwise(temporal)


def eventually(temporal: f.Temporal) -> f.Temporal:
    """Return that *temporal* is true at this moment or a later one."""
    return f.Until(ALWAYS_TRUE, temporal)


def always(temporal: f.Temporal) -> f.Temporal:
    """Return that *temporal* is true at this moment and at all later ones."""
    return otherwise(eventually(otherwise(temporal)))


def finitely_often(temporal: f.Temporal) -> f.Temporal:
    """Return that *temporal* is true only finitely often."""
    return otherwise(always(eventually(temporal)))


def _unary(operator: syntax.UnaryOperator, operand: f.Temporal) -> f.Temporal:
    match operator:
        case "not":
            return otherwise(operand)
        case "eventually":
            return eventually(operand)
        case "always":
            return always(operand)
        case _:
            return otherwise(eventually(operand))


def _binary(operator: syntax.BinaryOperator, left: f.Temporal, right: f.Temporal) -> f.Temporal:
    if operator == "until":
        return f.Until(left, right)
    implied = right if operator == "implies" else eventually(right)
    implication = otherwise(f.Together((left, otherwise(implied))))
    return implication if operator == "implies" else always(implication)
