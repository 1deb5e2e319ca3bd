"""Asked: which properties can be asked of a game elsewhere, and where each of their formulas is
looked for.

A property is asked if formulas about moments decide it: that something is never so, or possible.
What must eventually happen, what each of all clauses does, and what players can enforce are left to
the checker. All is watched on whole positions, so that plays need no lifting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....models import ir
from ....properties import formula as f
from ...questions.questions import Query, all_queries
from ..emit.groups import Abstraction, Group, groups_of


@dataclass(frozen=True)
class AskedPlace:
    """Where a formula is looked for: bit *bit* of the search *which* of text *group*."""

    group: int
    which: int
    bit: int


@dataclass(frozen=True)
class AskedProperty:
    """A property, by its *number*: where is looked for what breaks it, or shows it if it
    *is_possible*, and for its *conditions*.

    Each condition comes with its text.
    """

    number: int
    is_possible: bool
    first: AskedPlace
    conditions: tuple[tuple[str, AskedPlace], ...]
    needs: Mapping[str, int]


def askable(
    program: ir.Program, properties: Sequence[f.Property], players: int
) -> tuple[list[AskedProperty], list[Group]]:
    """Return those of *properties* that can be asked at a table of *players*, and the groups of
    their formulas.
    """
    kept = {
        number: one for number, one in enumerate(properties) if not why_left(program, one, players)
    }
    queries = {number: list(all_queries(program, one)) for number, one in kept.items()}
    each = dict.fromkeys(query for its in queries.values() for query in its)
    groups = groups_of([(query, Abstraction()) for query in each], players)
    places = {
        query: AskedPlace(number, which, bit)
        for number, group in enumerate(groups)
        for which, batch in enumerate(group.batches)
        for bit, query in enumerate(batch.queries)
    }

    def place(query: Query) -> AskedPlace:
        return places[query]

    found = []
    for number, one in kept.items():
        first, *conditions = queries[number]
        texts = [condition.text for condition in one.conditions]
        its = tuple(zip(texts, map(place, conditions), strict=True)) if one.mode == "always" else ()
        found.append(
            AskedProperty(number, one.mode == "possible", place(first), its, dict(one.needs))
        )
    return found, groups


def why_left(program: ir.Program, question: f.Property, players: int) -> str:
    """Return why *question* is left to the checker at a table of *players*; empty if formulas about
    moments decide it.
    """
    if program.unfinished:
        return "there are clauses still to be written"
    if (needs := dict(question.needs).get("players", 0)) > players:
        return f"it is about {needs} players"
    if question.absent:
        return f"the rules know no {question.absent}"
    if question.is_of_clauses:
        return "it asks about each clause"
    if question.mode == "enforce":
        return "it is about what players can enforce"
    return (
        "" if question.mode in ("always", "possible") else "it is about what must eventually happen"
    )
