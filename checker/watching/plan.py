"""Plans for watching: what to mark and remember of a play, what makes a formula true, what is owed.

A past subformula has one bit, and is computed from the inside out, from what is true now and the
bits of the moment before: Havelund and Rosu, "Synthesizing monitors for safety properties" (TACAS
2002). Where an engine has the position that a move leaves at hand, it may look at that instead
(*looks_at*), which takes no bit.

What is owed: a formula about the future -> what of it is left to come true after each moment.

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

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from ...models.frozen import frozen
from ...properties import formula as f
from ...properties.binding.future import ALWAYS_TRUE
from ...properties.formula import formulas


@frozen
class Promise:
    """That *until* is true, or with *denied* that it is not."""

    until: f.Until
    denied: bool = False


@frozen
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
        for one, denied in temporal_conjuncts(whole)
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


def temporal_conjuncts(
    temporal: f.Temporal, *, denied: bool = False
) -> Iterator[tuple[f.Temporal, bool]]:
    """Yield what has to be true for *temporal* to be, each with whether it is its negation that has
    to.
    """
    match temporal:
        case f.Otherwise(operand):
            yield from temporal_conjuncts(operand, denied=not denied)
        case f.Together(parts) if not denied:
            for part in parts:
                yield from temporal_conjuncts(part)
        case _:
            yield temporal, denied


@frozen
class Atom:
    """What *leaf* says of the position reached, or of the move; at moment 0 there is no move, and
    what is said of it is false.
    """

    leaf: f.Leaf


@frozen
class Before:
    """Of the position left, what the plan's *before* of this *number* says; false at moment 0."""

    number: int


@frozen
class Old:
    """The bit of this *number* as the move before has left it; false at moment 0."""

    number: int


@frozen
class New:
    """The bit of this *number* as it is remembered from now on."""

    number: int


@frozen
class Gone:
    """The spotlit *item* has left all zones."""

    item: str


@frozen
class Not:
    """Negation."""

    operand: Said


@frozen
class And:
    """Conjunction."""

    parts: tuple[Said, ...]


@frozen
class Or:
    """Disjunction."""

    parts: tuple[Said, ...]


Mark: TypeAlias = f.ItemEvent | f.SequenceEvent
Said: TypeAlias = Atom | Before | Old | New | Gone | Not | And | Or
FALSE = Or(())


@frozen
class Bit:
    """What is remembered for *source*, a past subformula: after each moment whether *update* is
    true of it.
    """

    source: f.Past
    update: Said


@frozen
class Plan:
    """How to watch a formula.

    *marks* are what it says of the events in a move, *clauses* the clauses of which it asks whether
    the move is theirs. *before* is what it asks of the position left. *bits* is what it remembers;
    the update of a bit never looks at the new value of a later one. The formula is true where
    *truth* is. Where *never* is, and all items have been seen, it will be true at no later moment
    of any play.
    """

    marks: tuple[Mark, ...]
    clauses: tuple[str, ...]
    before: tuple[Said, ...]
    bits: tuple[Bit, ...]
    truth: Said
    never: Said


@lru_cache(maxsize=1024)
def plan(
    formula: f.Formula,
    looks_at: Callable[[f.Formula], bool] = lambda _: False,
    *,
    shares: bool = False,
) -> Plan:
    """Return the plan of *formula*, made once. What was true at the moment before is looked up if
    the engine *looks_at* it.

    If the engine *shares*, equal parts have one bit; else each has its own.
    """
    planning = _Planning(looks_at, shares=shares)
    whole = planning.part(formula)
    marks = dict.fromkeys(part for part in formulas(formula) if isinstance(part, Mark))
    clauses = dict.fromkeys(part.clause for part in formulas(formula) if isinstance(part, f.Uses))
    return Plan(
        tuple(marks),
        tuple(clauses),
        tuple(planning.before),
        tuple(planning.bits),
        whole.now,
        whole.never,
    )


class _Part(NamedTuple):
    """What a part of the formula comes to *now*, and when it is sure to be true *never* again, or
    *always* (Kleene's logic).
    """

    now: Said
    never: Said = FALSE
    always: Said = FALSE


class _Planning:
    """Gathers what is asked of the position left, and the bits, from the inside out."""

    def __init__(self, looks_at: Callable[[f.Formula], bool], *, shares: bool) -> None:
        self.looks_at, self.shares = looks_at, shares
        self.before: list[Said] = []
        self.bits: list[Bit] = []
        self._numbers: dict[f.Past, int] = {}

    def part(self, formula: f.Formula) -> _Part:
        """Return what *formula* comes to."""
        match formula:
            case f.Not(operand):
                of = self.part(operand)
                return _Part(Not(of.now), of.always, of.never)
            case f.And(parts):
                now, never, always = self._said_parts(parts)
                return _Part(And(now), Or(never), And(always))
            case f.Or(parts):
                now, never, always = self._said_parts(parts)
                return _Part(Or(now), And(never), Or(always))
            case f.Previously(operand) if self.looks_at(operand):
                self.before.append(self.part(operand).now)
                return _Part(Before(len(self.before) - 1))
            case f.Previously(operand):
                of = self.part(operand)
                bit = self._remember(formula, lambda _: of.now)
                return _Part(Old(bit.number), And((of.never, Not(bit))), And((of.always, bit)))
            case f.Once(operand):
                of = self.part(operand)
                bit = self._remember(formula, lambda old: Or((of.now, old)))
                return _Part(bit, And((of.never, Not(bit))), Or((bit, of.always)))
            case f.Since(left, right):
                held, of = self.part(left), self.part(right)
                bit = self._remember(formula, lambda old: Or((of.now, And((held.now, old)))))
                return _Part(bit, And((of.never, Or((Not(bit), held.never)))), of.always)
            case f.On(item) | f.IsNext(item) | f.ItemEvent(_, str(item)):
                return _Part(Atom(formula), never=Gone(item))
            case f.LeafOfPosition() | f.LeafOfEnabled() | f.LeafOfMove():
                return _Part(Atom(formula))
            case _:
                assert_never(formula)

    def _said_parts(
        self, formulas: tuple[f.Formula, ...]
    ) -> tuple[tuple[Said, ...], tuple[Said, ...], tuple[Said, ...]]:
        parts = [self.part(formula) for formula in formulas]
        return (
            tuple(part.now for part in parts),
            tuple(part.never for part in parts),
            tuple(part.always for part in parts),
        )

    def _remember(self, source: f.Past, update: Callable[[Old], Said]) -> New:
        """Add the bit of *source*, whose parts have theirs, with the *update* of what it was;
        return it as it is after that.
        """
        number = self._numbers.get(source) if self.shares else None
        if number is None:
            number = self._numbers[source] = len(self.bits)
            self.bits.append(Bit(source, update(Old(number))))
        return New(number)


def lasting(formula: f.Formula) -> f.Since:
    """Return *formula* so that its truth is a bit, the last one: whether it stays true for ever is
    asked from one moment to the next.
    """
    return f.Since(f.Or(()), formula)


def asked_in(*whole: Said) -> Iterator[Atom | Before | Old | New | Gone]:
    """Yield all that *whole* asks for, logic aside."""
    for said in whole:
        match said:
            case Not(operand):
                yield from asked_in(operand)
            case And(parts) | Or(parts):
                yield from asked_in(*parts)
            case Atom() | Before() | Old() | New() | Gone():
                yield said
            case _:
                assert_never(said)


def conjuncts(said: Said) -> Iterator[Said]:
    """Yield the parts that *said* is the conjunction of."""
    match said:
        case And(parts):
            for part in parts:
                yield from conjuncts(part)
        case Not(Or(parts)):
            yield from (Not(part) for part in parts)
        case _:
            yield said
