"""Roots, what makes other claims say nothing: a loop or a gap that no play gets past, or a clause
that is never used.

In: the verdicts of a run. Out: `Root` values, each with the rows that follow from it. A row follows
if what it speaks of can be brought about by clauses alone that no play within the scope uses; these
come from a loop or a gap if every way to them leads through its stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal, assert_never

from ...checker.types.position import OVER
from ...checker.types.verdict import Outcome, Verdict
from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import effect_of
from ...models.ir.parts import statements
from ...models.options.configure import reached
from ...properties import formula as f
from ...properties.formula import formulas
from ...properties.wording import expression_words
from ..plays.wording import guard_words

Clauses = frozenset[str]
Does = Callable[[ir.Statement], bool]


@frozen
class DeadClause:
    """A clause that is never used within the scope: its id and title, its *line* in the ruleset,
    its *guard* in words, empty if none.
    """

    id: str
    title: str
    line: int
    guard: str


@frozen
class Root:
    """Why the rows with the numbers *follow* say nothing: no play gets past *what* row number *row*
    tells, or *clauses* are never used.

    Without a play of its own *row* is -1. *clauses* are those that are never used because of it, or
    if that is not *sure*, that a gap keeps from being used, as far as anybody can see.
    """

    what: Literal["loop", "gap", "clause"]
    row: int
    clauses: tuple[DeadClause, ...]
    follow: tuple[int, ...]
    is_sure: bool = True


def roots_of(verdicts: Sequence[Verdict], wanting: Sequence[int]) -> tuple[Root, ...]:
    """Return the roots of those of *verdicts* with the numbers *wanting* that say nothing; no
    number follows from two.
    """
    dead = next((frozenset(verdict.dead) for verdict in verdicts if verdict.dead), None)
    if dead is None:
        return ()
    makers = _Makers(verdicts[0].program)
    follow = {
        number: lacks for number in wanting if (lacks := makers.lacking(verdicts[number], dead))
    }
    roots = []
    found = max(
        _barriers(verdicts, dead),
        key=lambda one: (
            sum(lacks <= one[2] for lacks in follow.values()),
            *_ease(verdicts, one[1]),
        ),
        default=None,
    )
    if found is not None:
        what, row, hidden = found
        if those := tuple(
            number for number, lacks in follow.items() if lacks <= hidden and number != row
        ):
            roots.append(Root(what, row, _in_order(makers.program, hidden), those))
            follow = {number: lacks for number, lacks in follow.items() if number not in those}
    gap = next(
        (number for number, one in enumerate(verdicts) if _ends_in_gap(one) and _stops(one, dead)),
        None,
    )
    if follow and gap is not None and not roots:
        lacking = frozenset[str]().union(*follow.values())
        return (Root("gap", gap, _in_order(makers.program, lacking), (*follow,), is_sure=False),)
    for lacks in dict.fromkeys(follow.values()):
        those = tuple(number for number, other in follow.items() if other == lacks)
        roots.append(Root("clause", -1, _in_order(makers.program, lacks), those))
    return tuple(roots)


def _ends_in_gap(verdict: Verdict) -> bool:
    """Whether *verdict* tells a play that ends where no clause applies."""
    return (
        verdict.outcome == Outcome.VIOLATED
        and verdict.trace is not None
        and any(isinstance(part, f.Gap) for part in formulas(verdict.property.body))
    )


def _stops(verdict: Verdict, dead: Clauses) -> bool:
    """Whether every play stops where that of *verdict* ends: all clauses there are *dead*."""
    end = verdict.trace and verdict.trace.positions[-1].stage
    return all(clause.id in dead for stage, clause in verdict.program.clauses if stage.name == end)


def _ease(verdicts: Sequence[Verdict], number: int) -> tuple[int, int]:
    """Return how easy it is to follow the play of one of *verdicts*: the shorter the better, and of
    several as short the first.
    """
    trace = verdicts[number].trace
    return -(len(trace.steps) if trace else 0), -number


def _in_order(program: ir.Program, ids: Clauses) -> tuple[DeadClause, ...]:
    say = partial(expression_words, program)
    return tuple(
        DeadClause(clause.id, clause.title, clause.span.line, guard_words(clause, say))
        for _, clause in program.clauses
        if clause.id in ids
    )


# ------------------------------------------------------------------ what no play gets past


def _barriers(
    verdicts: Sequence[Verdict], dead: Clauses
) -> Iterator[tuple[Literal["loop", "gap"], int, Clauses]]:
    """Yield each play that goes round, or that ends in a gap, and that no play gets past: its kind,
    its row, and the clauses behind it.
    """
    for number, verdict in enumerate(verdicts):
        trace = verdict.trace
        if trace is None or verdict.outcome != Outcome.VIOLATED:
            continue
        again = trace.loop if trace.growth is None else trace.growth
        if again is None and not _ends_in_gap(verdict):
            continue
        at = frozenset(
            position.stage
            for position in trace.positions[len(trace.steps) if again is None else again :]
        )
        if OVER not in at and (hidden := _behind(verdict.program, at, dead, is_gap=again is None)):
            yield "gap" if again is None else "loop", number, hidden


def _behind(program: ir.Program, at: frozenset[str], dead: Clauses, *, is_gap: bool) -> Clauses:
    """Return the *dead* clauses to which every way leads through the stages *at*; none if a play
    gets past these.
    """
    leads = {
        stage.name: {target for clause in stage.clauses for target in _targets(clause)}
        for stage in program.stages
    }
    before = reached([program.start.stage], lambda stage: () if stage in at else leads[stage]) - at
    after = {stage.name for stage in program.stages} - before - at
    if any(clause.id not in dead for stage, clause in program.clauses if stage.name in after):
        return frozenset()
    inside = [clause for stage, clause in program.clauses if stage.name in at and clause.id in dead]
    if is_gap and any(
        clause.id not in dead for stage, clause in program.clauses if stage.name in at
    ):
        return frozenset()  # a play that does not stop there goes on
    behind = {clause.id for stage, clause in program.clauses if stage.name in after}
    behind |= {clause.id for clause in inside if is_gap or _targets(clause) <= after}
    # What the rules would do there is a part of it only where something lies behind: else that
    # clause is itself the cause.
    return frozenset(behind | {clause.id for clause in inside if behind and clause.mode == "must"})


def _targets(clause: ir.Clause) -> set[str]:
    return {
        statement.stage for statement in statements(clause.body) if isinstance(statement, ir.Go)
    }


# ------------------------------------------------------------------ what brings something about


def _first(found: Iterable[Clauses | None]) -> Clauses | None:
    """Return the first of what is *found* that has clauses, else one without, else None."""
    known = [one for one in found if one is not None]
    return next(filter(None, known), known[0] if known else None)


class _Makers:
    """The clauses of a *program* that can bring something about."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._does = {clause.id: tuple(statements(clause.body)) for _, clause in program.clauses}

    def lacking(self, verdict: Verdict, dead: Clauses) -> Clauses | None:
        """Return the *dead* clauses that *verdict* would need to say something; None if other
        clauses would do.
        """
        match verdict.outcome:
            case Outcome.VACUOUS:
                return _first(
                    self._lacking(part.formula, dead) for part in verdict.property.conditions
                )
            case Outcome.IMPOSSIBLE:
                return self._lacking(verdict.property.body, dead)
            case _:
                return None

    def _lacking(self, formula: f.Formula, dead: Clauses) -> Clauses | None:
        """Return the *dead* clauses without which *formula* is never true, none if no clause at all
        makes it so; None if others do.
        """
        match formula:
            case f.And(parts):
                return _first(self._lacking(part, dead) for part in parts)
            case f.Or(parts):
                found = [self._lacking(part, dead) for part in parts]
                return (
                    None
                    if None in found
                    else frozenset().union(*(one for one in found if one is not None))
                )
            case f.Previously(operand) | f.Once(operand) | f.Since(_, operand):
                return self._lacking(operand, dead)
            case f.Not() | f.LeafOfEnabled():
                return None
            case f.LeafOfPosition():
                makers = self._of_position(formula)
            case f.LeafOfMove():
                makers = self._of_move(formula)
            case _:
                assert_never(formula)
        return makers if makers is not None and makers <= dead else None

    def _of_position(
        self, formula: f.Holds | f.HasPriority | f.On | f.IsNext | f.AtStage | f.GameIsOver
    ) -> Clauses | None:
        """Return the clauses without which *formula* is never true; None if it may be true from the
        start, or that is not known.
        """
        match formula:
            case f.On(_, zone) | f.IsNext(_, zone) | f.Holds(ir.Not(ir.IsEmpty(zone))):
                return self._that(
                    lambda one: isinstance(one, ir.Put | ir.Move) and one.zone == zone
                )
            case f.Holds(_, items):
                return self._that(lambda one: isinstance(one, ir.Put)) if items else None
            case f.HasPriority():
                return self._leading(
                    {stage.name for stage in self.program.stages if stage.priority is not None}
                )
            case f.AtStage(stage):
                return self._leading({stage})
            case f.GameIsOver():
                return self._that(lambda one: isinstance(one, ir.GameOver))
            case _:
                assert_never(formula)

    def _of_move(self, formula: f.ItemEvent | f.PlayerEvent | f.Uses | f.SequenceEvent) -> Clauses:
        """Return the clauses whose moves alone can be what *formula* says."""
        match formula:
            case f.Uses(clause):
                return frozenset({clause})
            case f.PlayerEvent("passes"):
                return self._that(lambda one: isinstance(one, ir.Pass))
            case f.PlayerEvent("chooses"):
                return self._that(
                    lambda one: isinstance(one, ir.Choose | ir.Branch) and one.by != "cards"
                )
            case f.PlayerEvent():
                return frozenset(
                    clause.id for _, clause in self.program.clauses if clause.mode == "may"
                )
            case f.SequenceEvent(_, name):
                return self._that(
                    lambda one: (
                        (steps := effect_of(one).steps) is not None and name in (None, steps)
                    )
                )
            case f.ItemEvent("is put on", _, zone):
                return self._that(lambda one: effect_of(one).joins == zone)
            case f.ItemEvent("begins resolving"):
                return self._that(lambda one: isinstance(one, ir.BeginResolving))
            case f.ItemEvent("leaves"):
                return self._that(lambda one: effect_of(one).is_taken)
            case f.ItemEvent(how):
                return self._that(lambda one: isinstance(one, ir.Leave) and one.how == how)
            case _:
                assert_never(formula)

    def _that(self, does: Does) -> Clauses:
        return frozenset(id_ for id_, body in self._does.items() if any(does(one) for one in body))

    def _leading(self, stages: set[str]) -> Clauses | None:
        if self.program.start.stage in stages:
            return None
        return self._that(lambda one: isinstance(one, ir.Go) and one.stage in stages)
