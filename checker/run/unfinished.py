"""Unfinished rulesets: what a play shows before it comes to a clause that is still to be written is
so, and nothing else is known.

A clause with `todo` in the place of its body ends the play. A question is asked of the moments
before that alone (`guarded`), so a play that breaks it does so whatever the clause will do. What no
play shows is not known if some play comes to the clause (`settled`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...models.ir import Program
from ...models.words import join_words
from ...properties import formula as f
from ...properties.binding.future import always
from ...properties.binding.rest import asks_what_is_possible
from ..types.verdict import Outcome, Verdict

_SHOWN_BY_A_PLAY = (Outcome.VIOLATED, Outcome.POSSIBLE)


def guarded(program: Program, question: f.Property) -> f.Property:
    """Return *question* asked only of what comes before the clauses of *program* that are still to
    be written.
    """
    if _asks_of_clauses(question) or question.mode == "enforce":
        return question
    written = f.Not(f.Once(_unknown(program.unfinished, question)))
    if isinstance(question.body, f.And) and question.mode == "future":
        given = f.Given(always(f.PartHolds(len(question.body.parts))))
        return replace(
            question, body=f.And((*question.body.parts, written)), given=(*question.given, given)
        )
    body = (
        f.Or((question.body, f.Not(written)))
        if question.mode == "always"
        else f.And((question.body, written))
    )
    return replace(question, body=body)


def comes_to(program: Program, questions: Sequence[f.Property]) -> list[f.Property]:
    """Return for each clause of *program* that is still to be written the question whether some
    play comes to it.

    It is asked in each of the scopes in which the *questions* are: one that needs more room may see
    a clause that others never come to.
    """
    return [
        f.Property(
            id_,
            f"clause {id_} can be used",
            "",
            "possible",
            (),
            f.Uses(id_),
            None,
            f"possible clause {id_}",
            needs=needs,
        )
        for needs in dict.fromkeys(question.needs for question in questions)
        for id_ in program.unfinished
    ]


def settled(
    verdicts: Sequence[Verdict], questions: Sequence[f.Property], come: Sequence[Verdict]
) -> list[Verdict]:
    """Return *verdicts* on *questions*, as they were before `guarded`.

    *come* are the verdicts on what `comes_to` asks.
    """
    return [
        _settled(
            replace(verdict, property=question),
            [one for one in come if one.property.needs == question.needs],
        )
        for verdict, question in zip(verdicts, questions, strict=True)
    ]


def _settled(verdict: Verdict, come: Sequence[Verdict]) -> Verdict:
    reached = [one.property.name for one in come if one.outcome is not Outcome.IMPOSSIBLE]
    undecided = verdict.outcome in (Outcome.UNKNOWN, Outcome.BOUNDED)
    shown = (
        verdict.trace is not None
        and verdict.outcome in _SHOWN_BY_A_PLAY
        and verdict.property.mode != "enforce"
    )
    if undecided or shown or not reached:
        return verdict
    said = (
        f"clause {reached[0]} is"
        if len(reached) == 1
        else f"clauses {join_words(list(reached))} are"
    )
    is_sure = any(one.outcome is Outcome.POSSIBLE for one in come)
    reason = f"{said} still to be written (`todo`), and a play {'comes' if is_sure else 'may come'} there"
    return replace(verdict, outcome=Outcome.UNKNOWN, reason=reason, trace=None, dead=(), table=None)


def _asks_of_clauses(question: f.Property) -> bool:
    """Whether *question* asks for a play to each clause: it says nothing of single moments, so
    there is nothing to guard.
    """
    return question.mode == "possible" and question.is_of_clauses


def _unknown(ids: Sequence[str], question: f.Property) -> f.Formula:
    """Return what is true where it is not known what happens: a clause of *ids* is used.

    For a *question* about what is possible that is so as soon as it can be: once written it may be
    a pass, do the same as another clause, or not be possible at all.
    """
    asks = asks_what_is_possible(question.body)
    said: list[f.Formula] = [f.Uses(id_) for id_ in ids]
    said += [f.ClausePossible(id_) for id_ in ids] if asks else []
    return f.Or(tuple(said)) if len(said) > 1 else said[0]
