"""The future: what a formula says of the moments to come, and of the end.

In comes surface syntax, out goes a `formula.Temporal` over numbered parts. What each part says is
typed by `connectives`: the position, the move and the past. The words about the future become
``until``, ``not`` and ``and``:

    eventually A        true until A             A leads to B        always (A implies eventually B)
    always A            not eventually not A     again and again A   always eventually A (at the
    end: `rest`) never A             not eventually A         finitely often A    not again and
    again A

A word about the past cannot look at what speaks of the future: which moment would decide it?

A play that ends stays at its last position for ever, and nothing happens there any more. So what
happens (a clause, an act, a pass) happens only finitely often on it, what is so of the last
position is so again and again, and what looks back settles, once it has looked past the last move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from ...models import ir, syntax
from ...models.binding.definite import conjuncts
from .. import formula as f
from ..formula import formulas, operands
from .connectives import FormulaTyper, negated

ENDED: f.Formula = f.Or((f.Or((f.GameIsOver(),)), f.Gap()))
"""That a play ends here: the game is over, or the rules allow no move. No author writes an `Or` of
one part, so it is known again.
"""
MOST_AT_REST = 2_000
"""How many parts a formula may have that says what another comes to at rest."""
_TRUE, _FALSE = f.And(()), f.Or(())
_Known: TypeAlias = dict[tuple[int, int], tuple[f.Formula, int]]


def at_rest(formula: f.Formula) -> f.Formula | None:
    """Return what *formula* comes to, said of the last moment of a play that ends: how it is from
    some moment on.

    It is an empty `And` or `Or` if that is all the same to the last position, and None if it is too
    large.
    """
    looks_back = sum(isinstance(part, f.Previously) for part in formulas(formula))
    found, size = _after(formula, looks_back + 1, {})
    return None if size > MOST_AT_REST else found


def again_and_again(formula: f.Formula) -> f.Formula | None:
    """Return what is true at infinitely many moments of a play that goes on if *formula* is, and at
    the last one if that is so at rest.
    """
    settled = at_rest(formula)
    if settled is None or settled == formula:
        return settled
    if settled == _FALSE:
        return f.And((formula, f.Not(ENDED)))
    if settled == _TRUE:
        return f.Or((formula, ENDED))
    return f.Or((f.And((formula, f.Not(ENDED))), f.And((settled, ENDED))))


def while_it_goes_on(formula: f.Formula) -> f.Formula:
    """Return what `again_and_again` was made of, if that is nothing that is so at rest; otherwise
    *formula* itself.
    """
    match formula:
        case f.And((inner, f.Not(ended))) if ended == ENDED:
            return inner
        case _:
            return formula


def asks_what_is_possible(formula: f.Formula) -> bool:
    """Whether *formula* asks what is possible, but for whether a play ends."""
    if formula == ENDED:
        return False
    return isinstance(formula, f.OfEnabled) or any(map(asks_what_is_possible, operands(formula)))


def _after(formula: f.Formula, moments: int, known: _Known) -> tuple[f.Formula, int]:
    """Return what *formula* is *moments* moments after the last, as a formula of the last one, and
    how many parts it has.
    """
    key = id(formula), moments
    if key not in known:
        found, size = (
            _found(formula, moments, known)
            if moments
            else (formula, sum(1 for _ in formulas(formula)))
        )
        known[key] = found, min(size, MOST_AT_REST + 1)
    return known[key]


def _found(formula: f.Formula, moments: int, known: _Known) -> tuple[f.Formula, int]:
    match formula:
        case f.Not(operand):
            inner, size = _after(operand, moments, known)
            return _negated(inner), size + 1
        case f.And(parts) | f.Or(parts):
            found = [_after(part, moments, known) for part in parts]
            join = _conjunction if isinstance(formula, f.And) else _some
            return join([one for one, _ in found]), 1 + sum(size for _, size in found)
        case f.Previously(operand):
            return _after(operand, moments - 1, known)
        case f.Once(operand):
            was, before = _after(formula, moments - 1, known)
            now, size = _after(operand, moments, known)
            return _some([was, now]), before + size + 1
        case f.Since(left, right):
            was, before = _after(formula, moments - 1, known)
            kept, of_left = _after(left, moments, known)
            came, of_right = _after(right, moments, known)
            return _some([came, _conjunction([kept, was])]), before + of_left + of_right + 2
        case f.LeafOfPosition():
            return formula, 1
        case f.LeafOfEnabled():
            return formula, 1
        case f.LeafOfMove():
            return _FALSE, 1
        case _:
            assert_never(formula)


def _negated(formula: f.Formula) -> f.Formula:
    if formula in (_TRUE, _FALSE):
        return _FALSE if formula == _TRUE else _TRUE
    return negated(formula)


def _conjunction(parts: list[f.Formula]) -> f.Formula:
    return _joined_formulas(parts, f.And, _TRUE, _FALSE)


def _some(parts: list[f.Formula]) -> f.Formula:
    return _joined_formulas(parts, f.Or, _FALSE, _TRUE)


def _joined_formulas(
    parts: list[f.Formula], kind: type[f.And | f.Or], neutral: f.Formula, decisive: f.Formula
) -> f.Formula:
    """Return *parts* joined, each once."""
    left = tuple(dict.fromkeys(part for part in parts if part != neutral))
    if decisive in left:
        return decisive
    return neutral if not left else left[0] if len(left) == 1 else kind(left)


def leaves_out_ends(assumed: f.Temporal, parts: tuple[f.Formula, ...]) -> bool:
    """Whether *assumed*, which is said of *parts*, is so on no play that ends."""
    return _on_ends(assumed, parts, last=False) is False


def _on_ends(temporal: f.Temporal, parts: tuple[f.Formula, ...], *, last: bool) -> bool | None:
    """Return what *temporal* is at every moment of all plays that end, or at their *last*; None if
    that depends.
    """
    match temporal:
        case f.PartHolds(number):
            return _at_end(parts[number]) if last else None
        case f.Otherwise(operand):
            value = _on_ends(operand, parts, last=last)
            return None if value is None else not value
        case f.Together(each):
            return _every(_on_ends(one, parts, last=last) for one in each)
        case f.Until(left, right):
            comes = _on_ends(right, parts, last=True)
            if last or (comes is True and left == f.Together(())):
                return comes
            return False if _on_ends(right, parts, last=False) is False else None
        case _:
            assert_never(temporal)


def _at_end(formula: f.Formula) -> bool | None:
    """Return what *formula* is at the last moment of all plays that end; None if that depends on
    the play.
    """
    match formula:
        case f.Or() if formula == ENDED:
            return True
        case f.Not(operand):
            value = _at_end(operand)
            return None if value is None else not value
        case f.And(parts):
            return _every(map(_at_end, parts))
        case f.Or(parts):
            value = _every(_at_end(f.Not(part)) for part in parts)
            return None if value is None else not value
        case _:
            return None


def _every(values: Iterable[bool | None]) -> bool | None:
    found = [*values]
    return False if False in found else None if None in found else True


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
            typed_now = self._typer.formula(expr)
            return None if typed_now is None else self._part(typed_now)
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
                return None if operand is None else _SAID[expr.operator](operand)
            case syntax.Binary("and" | "or"):
                parts = (
                    [self.temporal(part) for part in conjuncts(expr)]
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
                hint = (
                    "let it look back at what is so at one moment: `previously`, `once`, "
                    "`historically` and `since` stand inside"
                )
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


_SAID: dict[str, Callable[[f.Temporal], f.Temporal]] = {
    "not": otherwise,
    "eventually": eventually,
    "always": always,
    "never": lambda temporal: otherwise(eventually(temporal)),
}
"""What the words say that are said of one formula."""


def _binary(operator: syntax.BinaryOperator, left: f.Temporal, right: f.Temporal) -> f.Temporal:
    if operator == "until":
        return f.Until(left, right)
    implied = right if operator == "implies" else eventually(right)
    implication = otherwise(f.Together((left, otherwise(implied))))
    return implication if operator == "implies" else always(implication)
