"""Gaps: where no clause applies, which one came nearest, and what stopped it.

A clause whose guard holds is run again by the reference interpreter, up to and past each of its
statements; the one that is reached and not passed stops it. If no guard holds, the clause with the
fewest conditions that are not met came nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import Position
from ...models import ir
from ...models.ir.analysis import Stopping, guard_parts, stops_in, with_stops
from ...models.words import join_words
from .annotated import AnnotatedTrace
from .wording import comes_first

_MOST = 3
"""How many clauses are named at most."""
_FAR = ir.Literal(1_000_000)


def nearest_words(told: AnnotatedTrace, moment: int) -> str:
    """Return which clause of the stage at *moment* came nearest, and what stopped it; it ends a
    sentence that says that none applies.
    """
    stage = told.program.stage(told.trace.positions[moment].stage)
    missing = {
        clause.id: _missing(told, clause, moment)
        for clause in stage.clauses
        if clause.owner.variable is None
    }
    stopped = [
        (clause, _stop(told, clause, moment))
        for clause in stage.clauses
        if missing.get(clause.id) == []
    ]
    near = [(clause, f"{words}{_bars(clause, missing)}") for clause, words in stopped if words]
    if not near:
        least = min((len(parts) for parts in missing.values() if parts), default=0)
        near = [
            (c, f"but {join_words(parts)}")
            for c in stage.clauses
            if (parts := missing.get(c.id)) and len(parts) == least
        ]
    named = [(f"{clause.id} {clause.title}".rstrip(), words) for clause, words in near[:_MOST]]
    if len(near) < 2:
        return "".join(f"; {clause} comes nearest, {words}" for clause, words in named)
    more = f"; and {len(near) - _MOST} more" if len(near) > _MOST else ""
    return f"; nearest come {'; '.join(f'{clause}, {words}' for clause, words in named)}{more}"


def false_guards(told: AnnotatedTrace, moment: int) -> Iterator[tuple[ir.Clause, ir.Expr, str]]:
    """Yield the clauses of the stage at *moment* that do not apply, with the first false part of
    their guard.

    If that says that a clause above it in its block does not apply, with the id of that clause,
    which does.
    """
    position = told.trace.positions[moment]
    possible = {move.clause for move, _ in told.interpreter.allowed(position)}
    for clause in told.program.stage(position.stage).clauses:
        if (
            clause.id not in possible
            and clause.owner.variable is None
            and (false := _false_parts(told, clause, moment))
        ):
            yield clause, *false[0]


def _false_parts(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> list[tuple[ir.Expr, str]]:
    """Return the parts of *clause*'s guard that are false at *moment*, as far as they can be asked:
    one may rely on those before.

    Each has the clause above it that applies because of it, as in `guard_parts`.
    """
    position = told.trace.positions[moment]
    names = tuple(parameter.name for parameter in told.program.stage(position.stage).parameters)
    false: list[tuple[ir.Expr, str]] = []
    for part, above in guard_parts(clause):
        try:
            holds = told.interpreter.evaluate(part, names)(position, position.arguments)
        except (IndexError, TypeError, RuntimeError):
            if not false:
                raise
            continue
        false += [] if holds else [(part, above)]
    return false


def _missing(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> list[str]:
    """Return what is so, and must not be for *clause* to apply at *moment*, in words."""
    names = told.parameters_at(moment)
    false = _false_parts(told, clause, moment)
    words = [
        comes_first(above) if above else told.words.condition(part, names, held=False)
        for part, above in false
    ]
    return list(dict.fromkeys(words))


def _bars(clause: ir.Clause, missing: Mapping[str, Sequence[str]]) -> str:
    """Return, as the end of a sentence, which other clauses lack nothing but that *clause*, which
    is stopped, does not apply.
    """
    barred = [id_ for id_, words in missing.items() if words == [comes_first(clause.id)]]
    return (
        f"; {join_words(barred)} cannot be used, because {comes_first(clause.id)}" if barred else ""
    )


# ------------------------------------------------------------------ the statement that stops a move


def _stop(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> str:
    """Return what stops *clause* at *moment*, where its guard holds; empty if nothing does, or
    nobody can tell.
    """
    for number, stop in enumerate(stops_in(clause.body)):
        if _runs(told, clause, moment, number, past=False) and not _runs(
            told, clause, moment, number, past=True
        ):
            return _stopping_words(told, clause, stop, moment, number)
    return (
        "" if _runs(told, clause, moment, -1, past=True) else "but there is nobody who could use it"
    )


def _runs(
    told: AnnotatedTrace,
    clause: ir.Clause,
    moment: int,
    number: int,
    *,
    past: bool,
    program: ir.Program | None = None,
) -> list[Position]:
    """Return where *clause* leads at *moment*, in zones of any size, if it ends right before stop
    *number*, or *past* it.
    """

    def ended(at: int, stop: Stopping) -> ir.Block:
        return (stop,) if at != number else (stop, ir.GameOver()) if past else (ir.GameOver(),)

    alone = replace(clause, body=with_stops(clause.body, ended))
    rules = program or told.program
    here = told.trace.positions[moment]
    stages = tuple(
        replace(stage, clauses=(alone,) if stage.name == here.stage else ())
        for stage in rules.stages
    )
    return [
        after
        for _, after in Interpreter(replace(rules, stages=stages), told.interpreter.scope).allowed(
            here
        )
    ]


def _stopping_words(
    told: AnnotatedTrace, clause: ir.Clause, stop: Stopping, moment: int, number: int
) -> str:
    """Return in words what *stop*, statement *number* of *clause*, could not do at *moment*."""
    match stop:
        case ir.Assign():
            return _out_of_range(told, clause, stop, moment, number)
        case ir.ForEach():
            done = next((done for done in stop.body if isinstance(done, ir.Assign)), None)
            return "" if done is None else _out_of_range(told, clause, done, moment, number)
        case ir.Choose(_, ir.ItemsOn(zone)) if not told.trace.positions[moment].zones[
            [z.name for z in told.program.zones].index(zone)
        ]:
            return f"but {zone} is empty"
        case _:
            return f"but {told.words.stopped(stop, told.parameters_at(moment))}"


def _out_of_range(
    told: AnnotatedTrace, clause: ir.Clause, stop: ir.Assign, moment: int, number: int
) -> str:
    """Return which number *stop* would have made of its variable, and from where to where it
    goes.
    """
    declared = told.program.variable(stop.variable)
    assert isinstance(declared.type, ir.NumberType)
    low, high = (
        told.interpreter.expressions.constant(bound)
        for bound in (declared.type.low, declared.type.high)
    )
    free = replace(declared, type=ir.NumberType(ir.Subtract(ir.Literal(0), _FAR), _FAR))
    wide = replace(
        told.program,
        variables=tuple(free if one is declared else one for one in told.program.variables),
    )
    at = [one.name for one in told.program.variables].index(stop.variable)
    reached = [
        after.values[at] for after in _runs(told, clause, moment, number, past=True, program=wide)
    ]
    would = sorted({new for value in reached for new in _numbers(value) if not low <= new <= high})
    subject = declared.title or declared.name
    return (
        f"but {subject} would be {would[0]} and goes from {low} to {high}"
        if would
        else f"but {subject} goes from {low} to {high}"
    )


def _numbers(value: object) -> list[int]:
    """Return the numbers in *value*, of one variable or of one that each player has."""
    return [
        one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, int)
    ]
