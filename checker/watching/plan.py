"""Plans: a formula about the past -> what to mark and to remember of a play, and what then makes it
true.

A past subformula has one bit, and is computed from the inside out, from what is true now and the
bits of the moment before: Havelund and Rosu, "Synthesizing monitors for safety properties" (TACAS
2002). Where an engine has the position that a move leaves at hand, it may look at that instead
(*looks_at*), which takes no bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from ...models.node import node
from ...properties import formula as f
from ...properties.parts import formulas


@node
class Atom:
    """What *leaf* says of the position reached, or of the move; at moment 0 there is no move, and
    what is said of it is false.
    """

    leaf: f.Leaf


@node
class Before:
    """Of the position left, what the plan's *before* of this *number* says; false at moment 0."""

    number: int


@node
class Old:
    """The bit of this *number* as the move before has left it; false at moment 0."""

    number: int


@node
class New:
    """The bit of this *number* as it is remembered from now on."""

    number: int


@node
class Gone:
    """The spotlit *item* has left all zones."""

    item: str


@node
class Not:
    """Negation."""

    operand: Said


@node
class And:
    """Conjunction."""

    parts: tuple[Said, ...]


@node
class Or:
    """Disjunction."""

    parts: tuple[Said, ...]


Mark: TypeAlias = f.ItemEvent | f.SequenceEvent
Said: TypeAlias = Atom | Before | Old | New | Gone | Not | And | Or
FALSE = Or(())


@node
class Bit:
    """What is remembered for *source*, a past subformula: after each moment whether *update* is
    true of it.
    """

    source: f.Past
    update: Said


@node
class Plan:
    """How to watch a formula.

    *marks* and *clauses* are what it says of the events in a move, and of which clause it is.
    *before* is what it asks of the position left, *bits* what it remembers, of which the update of
    none looks at the new value of a later one. It is true where *truth* is. Where *never* is, and
    all items have been seen, it will be true at no later moment, whatever happens.
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
            case f.LeafOfPosition() | f.LeafOfEnabled():
                return _Part(Atom(formula))
            case f.LeafOfMove():
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
