"""Unshown: what no play within a scope shows, asked as a question of its own, of what is possible.

A verdict may rest on what was not found: a clause that is never used, a condition that never arises. Where the scope cut moves
that is no answer, so it is asked again, with more room and of every size (`run.cuts`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...models import ir
from ...properties import formula as f
from .questions import ITSELF, of_each_clause

_NAME = "what no play within the scope shows"


def unshown(program: ir.Program, question: f.Property, where: Iterable[tuple[str, int]]) -> dict[str, f.Property]:
    """Return what is unshown, as questions of what is possible, by the ids of the clauses of which *question* asks it.

    *where* is what a verdict says of it (`Decision`). Whether any play fits what it assumes is no such question.
    """
    each = of_each_clause(program, question)
    return {ids: _possible(_parts(each[ids])[number]) for ids, number in where if number != ITSELF or question.mode == "possible"}


def any_of(questions: Iterable[f.Property]) -> f.Property:
    """Return the question whether any of *questions*, which `unshown` returns, is possible."""
    questions = tuple(questions)
    spotlights = tuple(dict.fromkeys(spotlight for question in questions for spotlight in question.spotlights))
    bodies = tuple(dict.fromkeys(question.body for question in questions))
    return _possible(f.Part(bodies[0] if len(bodies) == 1 else f.Or(bodies), spotlights))


def uses(clause: str) -> f.Property:
    """Return the question whether the *clause* with this id is ever used."""
    return _possible(f.Part(f.Uses(clause), ()))


def _parts(question: f.Property) -> tuple[f.Part, ...]:
    """Return the conditions of *question*; the last is what it asks itself."""
    return (*question.conditions, f.Part(question.body, question.spotlights))


def _possible(part: f.Part) -> f.Property:
    spotlights = tuple(spotlight for spotlight in part.spotlights if spotlight.kind != "clause")
    return f.Property(_NAME, "", "", "possible", spotlights, part.formula, None, part.text)
