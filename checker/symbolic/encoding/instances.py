"""Instances: what the lemmas of a question say of the players and items that the question watches.

A lemma says something of any players and items, so it says it of those: for each way to put them in
the places of its own, up to `MOST` ways. Where the question watches fewer than a lemma speaks of,
more are watched. Different spotlights get different ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, islice, permutations, product
from typing import assert_never

from ....models import ir
from ....models.ir.parts import expressions, locals_in, of_expressions, with_locals
from ....properties import formula as f
from ....properties.parts import expressions_in, of_formulas

MOST = 12
"""In how many ways a lemma is said at most; each has to be proved."""
_Renaming = Mapping[str, str]


@dataclass(frozen=True)
class Instance:
    """What the lemma called *name* says of some players and items: a *formula*."""

    name: str
    formula: f.Formula


def instances(question: f.Property) -> tuple[tuple[f.Spotlight, ...], tuple[Instance, ...]]:
    """Return whom to watch for *question* and its lemmas, and what the lemmas say of them, in their
    order.
    """
    spotlights = question.spotlights
    for lemma in question.lemmas:
        for kind in ("player", "item"):
            spotlights += tuple(_missing(lemma, kind, spotlights, question.body))
    said = [
        instance
        for lemma in question.lemmas
        for instance in islice(_instances(lemma, spotlights), MOST)
    ]
    return spotlights, tuple(dict.fromkeys(said))


def _missing(
    lemma: f.Property, kind: str, spotlights: tuple[f.Spotlight, ...], body: f.Formula
) -> Iterator[f.Spotlight]:
    """Yield spotlights of *kind*, as many as *lemma* has more than *spotlights*, called as in
    *lemma* where the name is free.
    """
    own = [spotlight for spotlight in lemma.spotlights if spotlight.kind == kind]
    names = chain(
        (spotlight.name for spotlight in own),
        (f"{spotlight.name}{number}" for number in count(2) for spotlight in own),
    )
    taken = {
        *(spotlight.name for spotlight in spotlights),
        *(expr.variable for expr in expressions_in(body) if isinstance(expr, ir.Exists)),
    }
    free = (name for name in names if name not in taken)
    for _ in range(len(own) - len(_of_kind(spotlights, kind))):
        yield replace(own[0], name=next(free))


def _instances(lemma: f.Property, spotlights: tuple[f.Spotlight, ...]) -> Iterator[Instance]:
    ways = []
    for kind in ("player", "item"):
        own, others = _of_kind(lemma.spotlights, kind), _of_kind(spotlights, kind)
        ways.append(
            [dict(zip(own, chosen, strict=True)) for chosen in permutations(others, len(own))]
        )
    for players, items in product(*ways):
        yield Instance(lemma.name, renamed(lemma.body, {**players, **items}))


def renamed(formula: f.Formula, renaming: _Renaming) -> f.Formula:
    """Return *formula* with its spotlights renamed; what it names within itself keeps out of the
    way of the new names.
    """

    def apart(expr: ir.Expr) -> ir.Expr:
        if not isinstance(expr, ir.Exists) or (
            expr.variable not in renaming and expr.variable not in renaming.values()
        ):
            return expr
        other = _apart(expr.variable, expr, renaming)
        return replace(
            expr, variable=other, body=with_locals(expr.body, {expr.variable: ir.Local(other)})
        )

    kept = ir.rewrite(formula, of_formulas(lambda part: part, of_expressions(apart)))
    names = of_expressions(lambda expr: _called(expr, renaming))
    result: f.Formula = ir.rewrite(kept, of_formulas(lambda part: _of_items(part, renaming), names))
    return result


def _called(expr: ir.Expr, renaming: _Renaming) -> ir.Expr:
    """Return *expr* by its new name, if it is a local that has one."""
    return (
        ir.Local(renaming[expr.name])
        if isinstance(expr, ir.Local) and expr.name in renaming
        else expr
    )


def _of_items(formula: f.Formula, renaming: _Renaming) -> f.Formula:
    """Return *formula* with the new names of the items that it speaks of by itself."""
    match formula:
        case f.Holds(items=items):
            return replace(formula, items=tuple(renaming.get(item, item) for item in items))
        case f.On(item) | f.IsNext(item):
            return replace(formula, item=renaming.get(item, item))
        case f.ItemEvent(item=item):
            return formula if item is None else replace(formula, item=renaming.get(item, item))
        case f.HasPriority() | f.Enabled() | f.PlayerEvent() | f.Uses():
            return formula  # a player is an expression, renamed already
        case (
            f.ClausePossible()
            | f.AtStage()
            | f.GameIsOver()
            | f.Gap()
            | f.Conflict()
            | f.SequenceEvent()
        ):
            return formula  # these speak of no item
        case f.Compound():
            return formula
        case _:
            assert_never(formula)


def _apart(variable: str, node: ir.Exists, renaming: _Renaming) -> str:
    """Return another name for *variable*, which *node* binds, that nobody has."""
    taken = {*renaming, *renaming.values(), *locals_in(expressions(node))}
    number = 1
    while f"{variable}{number}" in taken:
        number += 1
    return f"{variable}{number}"


def _of_kind(spotlights: tuple[f.Spotlight, ...], kind: str) -> list[str]:
    return [spotlight.name for spotlight in spotlights if spotlight.kind == kind]
