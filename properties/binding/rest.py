"""Rest: what is so at the end of a play, for what is said of infinitely many moments.

A play that ends stays at its last position for ever, and nothing happens there any more. So what
happens (a clause, an act, a pass) happens only finitely often on it, what is so of the last
position is so again and again, and what looks back settles, once it has looked past the last move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from .. import formula as f
from ..parts import formulas, operands

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
    return formula.operand if isinstance(formula, f.Not) else f.Not(formula)


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
