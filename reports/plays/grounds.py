"""Grounds: why the rules went on as they did after the last decision, where that rests on an
earlier one.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ...models import ir
from ...models.binding.typed import all_of
from ...models.ir.analysis import guard_parts
from ...models.ir.parts import expressions, things_named
from .annotated import AnnotatedTrace
from .origins import ConditionPart, branch_parts, findings, parts_of
from .play import Ground
from .wording import guard_words


def grounds_of(
    told: AnnotatedTrace, decisions: Sequence[int], barred: Container[int]
) -> tuple[Ground, ...]:
    """Return why the moves after the last of the *decisions* went as they did, where that rests on
    an earlier one.

    Nothing is said of moves that are *barred*, of which it is told elsewhere.
    """
    last = max(decisions, default=0)
    earlier = frozenset(decisions) - {last}
    grounds = []
    for moment in range(max(last, 1), told.last + 1):
        for condition, parts in () if moment in barred else _conditions(told, moment):
            if any(_rests_on(part, earlier) for part in parts):
                clause = told.interpreter.clauses[told.trace.steps[moment - 1].move.clause]
                grounds.append(Ground(moment, clause.id, clause.title, condition, findings(parts)))
    return tuple(grounds)


def _conditions(
    told: AnnotatedTrace, moment: int
) -> Iterator[tuple[str, tuple[ConditionPart, ...]]]:
    """Yield in words why the move *moment* had to be made, if it had to, and what decided where it
    led; each with its parts.
    """
    clause = told.interpreter.clauses[told.trace.steps[moment - 1].move.clause]
    names = told.locals_at(moment)
    if clause.mode == "must":
        closed = told.closed(clause.guard, moment - 1, clause.owner)
        own = all_of([part for part, above in guard_parts(clause) if not above])
        said = "" if own == ir.YES else told.words.condition(own, names, held=True)
        yield (
            guard_words(said, [above for _, above in guard_parts(clause) if above]),
            parts_of(told, closed, moment - 1),
        )
    for taken in told.branches_of(moment):
        closed = told.closed(taken.condition, moment - 1, clause.owner)
        yield told.branch_words(taken, names), branch_parts(told, closed, moment, held=taken.held)


def _rests_on(part: ConditionPart, decisions: Container[int]) -> bool:
    """Whether *part* is so by one of the *decisions*, and is no more than what lies on a zone,
    which everybody sees.
    """
    return part.finding.since in decisions and not things_named("zone", expressions(part.atom))
