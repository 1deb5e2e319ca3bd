"""Groups: which formulas are watched by one text, and which of them in one search.

Formulas whose positions have the same fields share a text: those with as many item spotlights, of
which they ask the same parts. Spotlights go by their numbers there, in the order of the formula's
own. A *step formula* speaks of no item and remembers nothing but what was true of the position that
the move left; whether it is true can be said of each move by itself, so that many of them are
looked for in one search, each with a bit of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import assert_never

from ....models import ir
from ....models.frozen import frozen
from ....properties import formula as f
from ....properties.formula import expressions_in, formulas, operands, speaks_of
from ...questions.questions import Query
from ...slicing.slice import Slice
from ...watching.plan import Mark, Plan, Promise, owing, plan

MOST_BITS = 59
"""How many step formulas are watched at once, how many truths of the position left they have, and
how many marks formulas share.
"""


@frozen
class FormulaBatch:
    """What one search looks for: one formula, or with *are_steps* step formulas, the first with the
    lowest bit.

    With *stays* it is the moves that leave the one formula true and may be made again and again
    (`lasso`).
    """

    queries: tuple[Query, ...]
    are_steps: bool = False
    stays: bool = False

    @property
    def bits(self) -> int:
        """The bits of all its formulas."""
        return (1 << len(self.queries)) - 1

    @property
    def told_bits(self) -> int:
        """The bits of the formulas whose plays are to be told."""
        return sum(query.told << bit for bit, query in enumerate(self.queries))


@frozen
class Abstraction:
    """How a formula is looked for: on what is *kept* of positions (None: all), *turned* or not,
    *roughly* or not.

    Roughly, any two must clauses that are enabled at once conflict: a slice does not know their
    outcomes. What was found roughly is looked for *again*. That happens to few formulas, so these
    share no text with the others, which need nothing of conflicts.
    """

    kept: Slice | None = None
    turned: bool = False
    roughly: bool = False
    again: bool = False


@frozen
class Group:
    """The *batches* of one text, by their numbers, all looked for on one *abstraction*.

    *asked* are, for each item spotlight, the parts of the item that formulas ask for.
    """

    batches: tuple[FormulaBatch, ...]
    asked: tuple[frozenset[str], ...] = ()
    abstraction: Abstraction = Abstraction()

    @property
    def items(self) -> range:
        """The numbers of the item spotlights."""
        return range(len(self.asked))

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """All formulas."""
        return tuple(query for batch in self.batches for query in batch.queries)

    @cached_property
    def seats(self) -> int:
        """How many player spotlights have a field: none of a step formula has one."""
        return max(
            (
                len(spotlight_numbers(query, "player"))
                for batch in self.batches
                if not batch.are_steps
                for query in batch.queries
            ),
            default=0,
        )

    @cached_property
    def past(self) -> int:
        """How many bits are remembered, with those of what is owed."""
        alone = [batch.queries[0] for batch in self.batches if not batch.are_steps]
        return max(
            (len(plan(query.formula).bits) + len(promises(query)) for query in alone), default=0
        )

    @cached_property
    def owed(self) -> int:
        """How many promises about the future a formula has at most."""
        return max((len(promises(query)) for query in self.queries), default=0)


def spotlight_numbers(query: Query, kind: str) -> dict[str, int]:
    """Return the names of the spotlights of *kind*, each with its number among them."""
    names = [spotlight.name for spotlight in query.spotlights if spotlight.kind == kind]
    return {name: number for number, name in enumerate(names)}


def promises(query: Query) -> tuple[Promise, ...]:
    """Return what a formula about the future may owe."""
    return () if query.temporal is None else owing(query.temporal).promises


def marked(query: Query) -> list[Mark]:
    """Return what a formula says of the events in a move, items by their numbers."""
    return [numbered(mark, spotlight_numbers(query, "item")) for mark in plan(query.formula).marks]


def numbered(mark: Mark, items: Mapping[str, int]) -> Mark:
    """Return *mark* of an item by its number among *items*."""
    return (
        replace(mark, item=str(items[mark.item]))
        if isinstance(mark, f.ItemEvent) and mark.item is not None
        else mark
    )


def asked_of_items(query: Query) -> tuple[frozenset[str], ...]:
    """Return for each item spotlight the parts of the item that the formula asks for."""
    asked: dict[str, set[str]] = {name: set() for name in spotlight_numbers(query, "item")}
    for expr in expressions_in(query.formula):
        if (
            isinstance(expr, ir.AttributeOf)
            and isinstance(expr.item, ir.Local)
            and expr.item.name in asked
        ):
            asked[expr.item.name].add(expr.name)
    return tuple(frozenset(parts) for parts in asked.values())


# ------------------------------------------------------------------ step formulas


def is_step(query: Query, players: int) -> bool:
    """Whether a formula can be watched together with others, at a table of *players*."""
    return not (
        query.for_ever
        or spotlight_numbers(query, "item")
        or step_plan(query).bits
        or left_bits(query, players) > MOST_BITS
    )


def step_plan(query: Query) -> Plan:
    """Return the plan of a formula watched together with others: what was true of the position left
    is handed on through the move.
    """
    return plan(query.formula, _is_at_hand)


def _is_at_hand(part: f.Formula) -> bool:
    return not speaks_of(part, "move", "past")


def left_bits(query: Query, players: int) -> int:
    """Return how many truths of the position left a step formula has: each for every choice of
    players.
    """
    return len(step_plan(query).before) * prod(players for _ in spotlight_numbers(query, "player"))


def step_by_step(queries: Iterable[Query], players: int) -> Group:
    """Return the group of step formulas, in as few searches as there is room for."""
    batches: list[list[Query]] = []
    room = 0
    for one in queries:
        bits = left_bits(one, players)
        if not batches or len(batches[-1]) == MOST_BITS or bits > room:
            batches.append([])
            room = MOST_BITS
        batches[-1].append(one)
        room -= bits
    return Group(tuple(FormulaBatch(tuple(batch), are_steps=True) for batch in batches))


# ------------------------------------------------------------------ grouping


def groups_of(queries: Iterable[tuple[Query, Abstraction]], players: int) -> list[Group]:
    """Return the groups of all *queries*, each formula in one of them for each abstraction on which
    it is looked for.
    """
    together: dict[tuple[Abstraction, bool, object], list[Query]] = {}
    for one, abstraction in queries:
        planned = plan(one.formula)
        is_large = max(len(planned.bits), len(planned.marks)) > MOST_BITS // 2
        alone = one if is_large else None
        alike = one.temporal is not None, asked_of_items(one), alone
        together.setdefault((abstraction, is_step(one, players), alike), []).append(one)
    return [
        replace(
            step_by_step(part, players) if are_steps else one_by_one(part), abstraction=abstraction
        )
        for (abstraction, are_steps, _), formulas in together.items()
        for part in _with_room(formulas)
    ]


def _with_room(formulas: list[Query]) -> Iterator[list[Query]]:
    """Yield *formulas* in parts whose marks have room in a word."""
    part: list[Query] = []
    marks: set[object] = set()
    for one in formulas:
        its = set(marked(one))
        if part and len(marks | its) > MOST_BITS:
            yield part
            part = []
            marks = set()
        part.append(one)
        marks |= its
    yield part


def one_by_one(formulas: Iterable[Query]) -> Group:
    """Return the group in which each of *formulas*, with as many item spotlights, is watched alone
    and remembers by itself.
    """
    formulas = tuple(formulas)
    asked = zip(*map(asked_of_items, formulas), strict=True)
    batches = (
        FormulaBatch((one,), stays=stays)
        for one in formulas
        for stays in ((False, True) if one.for_ever else (False,))
    )
    return Group(tuple(batches), tuple(frozenset().union(*parts) for parts in asked))


# ------------------------------------------------------------------ conflicts


def asks_of_conflicts(formula: f.Formula) -> bool:
    """Whether *formula* speaks of conflicts."""
    return any(isinstance(part, f.Conflict) for part in formulas(formula))


def asks_who_chooses(formula: f.Formula) -> bool:
    """Whether *formula* asks who makes a choice; a slice may leave out choices, and who makes
    them.
    """
    return any(
        isinstance(part, f.PlayerEvent) and part.event == "chooses" for part in formulas(formula)
    )


def can_be_rough(formula: f.Formula, *, denied: bool = False) -> bool:
    """Whether *formula* cannot become false where more conflicts than there are (if *denied*:
    fewer) are seen.
    """
    match formula:
        case f.Conflict():
            return not denied
        case f.Not(operand):
            return can_be_rough(operand, denied=not denied)
        case f.And() | f.Or() | f.Previously() | f.Once() | f.Since():
            return all(can_be_rough(part, denied=denied) for part in operands(formula))
        case f.LeafOfPosition() | f.Enabled() | f.ClausePossible() | f.Gap():
            return True  # these are as true as ever
        case f.LeafOfMove():
            return True
        case _:
            assert_never(formula)
