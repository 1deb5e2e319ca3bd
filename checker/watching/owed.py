"""What is owed: a formula about the future -> what of it is left to come true after each moment.

An ``until`` that is to come true at a moment either does so there, or is *put off*: it has to come
true at the next one. So does the negation of one, which no moment settles for good unless its left
side fails. What has to come true after a moment is *owed* there: a set of such promises. There may
be several sets that will do, and only the least of them are looked at, for what is owed with less
is owed all the more easily (a tableau as in Gerth, Peled, Vardi and Wolper, "Simple on-the-fly
automatic verification of linear temporal logic", 1995, with a set of formulas for each state;
Couvreur, "On-the-fly verification of linear temporal logic", FM 1999).

A play that goes on for ever keeps what it promises if each ``until`` is at infinitely many moments
not owed, and one that ends if no ``until`` is owed at its end. As the language cannot say "at the
next moment", an ``until`` is owed only where it was just put off.

What has to be so at every moment *stands*: it is asked of each moment, and is not owed by any.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from ...models.node import node
from ...properties import formula as f
from ...properties.binding.future import ALWAYS_TRUE


@node
class Promise:
    """That *until* is true, or with *denied* that it is not."""

    until: f.Until
    denied: bool = False


@node
class Owing:
    """What *whole* asks of a play: at moment 0 itself, at every moment what *stands*, and after a
    moment what is *owed* of *promises*.

    What is said inside of what has to be so at more than one moment is *renewed*: it may be owed
    again when it has come true.
    """

    whole: f.Temporal
    stands: tuple[f.Temporal, ...]
    standing: frozenset[Promise]
    promises: tuple[Promise, ...]
    renewed: frozenset[Promise]

    @property
    def once(self) -> int:
        """The bits of the promises that eventually have to come true and then are owed never again:
        of these none is owed in a loop.
        """
        return sum(
            1 << number
            for number, one in enumerate(self.promises)
            if not one.denied and one not in self.renewed
        )

    @property
    def often(self) -> int:
        """The bits of the promises that eventually have to come true, and may be owed again."""
        return sum(
            1 << number
            for number, one in enumerate(self.promises)
            if not one.denied and one in self.renewed
        )


@lru_cache(maxsize=1024)
def owing(whole: f.Temporal) -> Owing:
    """Return what *whole* asks of a play of which it is to be true at moment 0."""
    standing = {
        Promise(one, denied=True): f.Otherwise(one.right)
        for one, denied in conjuncts(whole)
        if denied and isinstance(one, f.Until) and one.left == ALWAYS_TRUE
    }
    all_ = dict.fromkeys(_promises(whole))
    renewed = frozenset(
        inside
        for one in all_
        if one.denied
        for inside in _promises(one.until, denied=True)
        if inside != one
    )
    return Owing(
        whole,
        tuple(standing.values()),
        frozenset(standing),
        tuple(one for one in all_ if one not in standing),
        renewed,
    )


def _promises(temporal: f.Temporal, *, denied: bool = False) -> Iterator[Promise]:
    """Yield what *temporal*, or if *denied* its negation, may come to owe, those inside first."""
    match temporal:
        case f.PartHolds():
            return
        case f.Otherwise(operand):
            yield from _promises(operand, denied=not denied)
        case f.Together(parts):
            for part in parts:
                yield from _promises(part, denied=denied)
        case f.Until(left, right):
            yield from _promises(left, denied=denied)
            yield from _promises(right, denied=denied)
            yield Promise(temporal, denied)
        case _:
            assert_never(temporal)


def conjuncts(temporal: f.Temporal, *, denied: bool = False) -> Iterator[tuple[f.Temporal, bool]]:
    """Yield what has to be true for *temporal* to be, each with whether it is its negation that has
    to.
    """
    match temporal:
        case f.Otherwise(operand):
            yield from conjuncts(operand, denied=not denied)
        case f.Together(parts) if not denied:
            for part in parts:
                yield from conjuncts(part)
        case _:
            yield temporal, denied
