"""Recurrence: a question about the future -> what a play that breaks it keeps true from some moment
on, and what it does again and again.

In comes a property that nests words about the future, with what it assumes; out goes one of mode
``progress``, and what has to be true at infinitely many moments besides. Each conjunct of what
breaks it is one of these, and anything else is not supported for all sizes:

    A leads to B, broken              from some moment on (not B) since (A and not B) eventually A,
    assumed             from some moment on once A; broken: from some moment on never once A A until
    B, assumed or broken      from some moment on it was so, or was not finitely often A, assumed
    from some moment on not A; broken: again and again A again and again A, assumed        again and
    again A; broken: from some moment on not A A leads to B, assumed             again and again
    nothing is waited for

    A or B, each of these, assumed    again and again what A says or what B says

The last is less than what is assumed: `(again and again A) implies (again and again B)` becomes
that again and again B is so or A is not. Of several things that happen again and again it is enough
to look at one: what breaks the property is then said to do less than it does. At the last moment of
a play that ends all of them are true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from ....properties import formula as f
from ....properties.binding.future import ALWAYS_TRUE
from ...watching.owed import conjuncts
from ..position.weakenings import UnsupportedError

_Signed: TypeAlias = tuple[f.Temporal, bool]
"""What is said of the future, and whether it is denied."""
_TRUE = f.And(())


@dataclass(frozen=True)
class Recurrence:
    """What a play breaks on which from some moment on the body of *question* stays true, and each
    of *again* is so again and again.
    """

    question: f.Property
    again: tuple[f.Formula, ...] = ()


def recurrence(question: f.Property) -> Recurrence:
    """Return what breaks *question*, of mode ``progress`` or ``future``; raise `UnsupportedError`
    if it is none of the kinds above.
    """
    if question.future is None:
        return Recurrence(question)
    assert isinstance(question.body, f.And)
    stays, again = list[f.Formula](), list[f.Formula]()
    for one in (*((given.formula, False) for given in question.given), (question.future, True)):
        for temporal, denied in conjuncts(one[0], denied=one[1]):
            reading = _Reading(question.body.parts)
            of, formula = (reading.conjunct if one[1] else reading.assumed)(temporal, denied=denied)
            (again if of == "again" else stays).append(formula)
    asked = replace(
        question,
        mode="progress",
        body=stays[0] if len(stays) == 1 else f.And(tuple(stays)),
        future=None,
        given=(),
    )
    return Recurrence(asked, tuple(again))


def ways_to_ask(question: f.Property) -> range:
    """Return the numbers of what to look at of all that is so again and again, one of which is
    enough; 0 if nothing is.
    """
    return range(max(len(recurrence(question).again), 1))


class _Reading:
    """Reads what is said of the future of the *parts* of a property."""

    def __init__(self, parts: tuple[f.Formula, ...]) -> None:
        self.parts = parts

    def assumed(self, temporal: f.Temporal, *, denied: bool) -> tuple[str, f.Formula]:
        """Return the same of what is assumed, where it may be enough that one of several things is
        so.
        """
        if not isinstance(temporal, f.Together) or not denied or _is_now(temporal):
            return self.conjunct(temporal, denied=denied)
        either = list[f.Formula]()
        for part in temporal.parts:
            negated = [*conjuncts(part, denied=True)]
            if len(negated) > 1:
                raise _unsupported()
            either += [self.assumed(one, denied=is_denied)[1] for one, is_denied in negated]
        return "again", f.Or(tuple(either))

    def conjunct(self, temporal: f.Temporal, *, denied: bool) -> tuple[str, f.Formula]:
        """Return what is so from some moment on, or again and again, where *temporal*, or if
        *denied* its negation, is so at the first.
        """
        match temporal:
            case f.Until(left, right) if denied and left == ALWAYS_TRUE:
                return self._always([*conjuncts(right)], right)
            case f.Until(left, right) if not denied and left == ALWAYS_TRUE:
                return "stays", self._eventually([*conjuncts(right)])
            case f.Until(left, right):
                came = f.Once(
                    f.And((self._now(right), f.Not(f.Previously(f.Once(f.Not(self._now(left)))))))
                )
                return "stays", f.Not(came) if denied else came
            case f.PartHolds() | f.Otherwise() | f.Together():
                at_first = f.Not(f.Previously(_TRUE))
                return "stays", f.Once(f.And((at_first, self._now(temporal, denied=denied))))
            case _:
                assert_never(temporal)

    def _always(self, never: list[_Signed], whole: f.Temporal) -> tuple[str, f.Formula]:
        """Return what is so if at no moment all that is *never* so at once is."""
        if _is_now(whole):
            return "stays", f.Not(f.Once(self._now(whole)))
        waits = [
            one.right
            for one, denied in never
            if denied and isinstance(one, f.Until) and one.left == ALWAYS_TRUE
        ]
        first = [one for one in never if _is_now(one[0])]
        if len(waits) != 1 or len(first) + 1 != len(never):
            raise _unsupported()
        came = self._now(waits[0])
        return "again", came if not first else f.Not(
            f.Since(f.Not(came), f.And((self._conjunction(first), f.Not(came))))
        )

    def _eventually(self, comes: list[_Signed]) -> f.Formula:
        """Return what is true from some moment on if all that *comes* is true at once at some
        moment.
        """
        first = [one for one in comes if _is_now(one[0])]
        rest = [one for one in comes if one not in first]
        if not rest:
            return f.Once(self._conjunction(first))
        kept = [
            one.right
            for one, denied in rest
            if denied and isinstance(one, f.Until) and one.left == ALWAYS_TRUE
        ]
        if len(kept) < len(rest):
            raise _unsupported()
        stays = self._conjunction([(one, True) for one in kept])
        return f.Since(stays, f.And((self._conjunction(first), stays))) if first else stays

    def _conjunction(self, signed: list[_Signed]) -> f.Formula:
        parts = tuple(self._now(one, denied=denied) for one, denied in signed)
        return parts[0] if len(parts) == 1 else f.And(parts)

    def _now(self, temporal: f.Temporal, *, denied: bool = False) -> f.Formula:
        """Return what *temporal* says of one moment."""
        match temporal:
            case f.PartHolds(number):
                return f.Not(self.parts[number]) if denied else self.parts[number]
            case f.Otherwise(operand):
                return self._now(operand, denied=not denied)
            case f.Together(parts):
                of = tuple(self._now(part, denied=denied) for part in parts)
                return f.Or(of) if denied else f.And(of)
            case f.Until():
                raise _unsupported()
            case _:
                assert_never(temporal)


def _is_now(temporal: f.Temporal) -> bool:
    """Whether *temporal* says nothing of later moments."""
    match temporal:
        case f.PartHolds():
            return True
        case f.Otherwise(operand):
            return _is_now(operand)
        case f.Together(parts):
            return all(map(_is_now, parts))
        case f.Until():
            return False
        case _:
            assert_never(temporal)


def _unsupported() -> UnsupportedError:
    return UnsupportedError("what it says of the future, which is not supported for all sizes")
