"""Checking: the one place that asks an engine, and replays every trace before it is shown.

Program + properties + scope + budget --engine--> decisions --replay--> verdicts

Unfinished rulesets: what a play shows before it comes to a clause that is still to be written is
true; nothing else is known.

A clause with `todo` in the place of its body ends the play. A question is asked only of the moments
before that (`guarded`), so a play that breaks it does so for any body of the clause. What no play
shows is not known if some play comes to the clause (`settled`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from typing import Literal

from ...models.diagnostics import Diagnostic, InputError
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.syntax import NamedSizes
from ...models.words import join_words
from ...properties import formula as f
from ...properties.binding.future import always, asks_what_is_possible
from ...properties.formula import Property
from ..prover.kept import Attempt
from ..prover.prover import Attempts, Prover
from ..questions.questions import HIDDEN, unseen
from ..reference.semantics.explore import explore as explore_graph
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import replay, used
from ..types.budget import (
    INTERRUPTED,
    Budget,
    BudgetSpentError,
    Meter,
    OnProgress,
    Progress,
    nobody,
)
from ..types.engine import Decision, Engine
from ..types.position import OVER, Trace, TraceStep
from ..types.scope import Scope
from ..types.verdict import NOT_EXPLORED, UNDECIDED, Counts, Outcome, Verdict
from .cuts import Cuts, enforced, never_used
from .endings import Endings
from .engines import DEFAULT, engine_named

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
    undecided = verdict.outcome in UNDECIDED
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
    reason = (
        f"{said} still to be written (`todo`), and a play {'comes' if is_sure else 'may come'} "
        "there"
    )
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


def check(
    program: Program,
    properties: Sequence[Property],
    scope: Scope,
    budget: Budget | None = None,
    on_progress: OnProgress = nobody,
    engine: Engine | None = None,
    prover: Prover | None = None,
) -> list[Verdict]:
    """Return the verdict on each of *properties*, in their order.

    A property that needs more room than *scope* has gets it; if less was asked for explicitly, it
    is not decided (`Verdict.lacks`). If clauses of the rules are still to be written, only what a
    play shows before it comes to one is told, and nothing is proved. The *prover*, if there is one,
    then tries for every size what the *engine* finds to hold, or to be impossible, within its
    scope. Ctrl-C ends the search, not the call: what was found by then is told. Raises `InputError`
    if the scope is larger than any machine could search for even one of them, and `ReplayError` if
    a trace of the *engine* is not what it says.
    """
    questions, come = properties, list[Property]()
    if program.unfinished:
        come, prover = comes_to(program, questions), None
        properties = [*(guarded(program, question) for question in questions), *come]
    meter = Meter(budget or Budget(), on_progress)
    engine = engine or engine_named(DEFAULT)
    rooms: dict[Scope, list[int]] = {scope: []}
    for place, question in enumerate(properties):
        rooms.setdefault(scope.with_room(question.needs), []).append(place)
    found: dict[int, Verdict] = {}
    with (
        meter.watching(),
        nullcontext()
        if prover is None
        else closing(prover.begin_attempts(program, meter)) as attempts,
    ):
        if attempts is not None:
            meter.on_progress = _going_on(attempts, on_progress)
        for room, places in rooms.items():
            small = {
                place: lacks for place in places if (lacks := scope.lacks(properties[place].needs))
            }
            found.update(
                (place, _undecided(program, properties[place], scope, lacks))
                for place, lacks in small.items()
            )
            asked = [place for place in places if place not in small]
            verdicts = _within(
                engine, program, [properties[place] for place in asked], room, meter, attempts
            )
            found.update(zip(asked, verdicts, strict=True))
        cuts = _look_for_cut(engine, program, found, meter, attempts)
        verdicts = [found[place] for place in range(len(properties))]

        def after_cuts(
            verdicts: Sequence[Verdict], impossible: Sequence[Property]
        ) -> list[Verdict]:
            return [
                cuts[verdict.scope].settled(place, verdict, impossible)
                for place, verdict in enumerate(verdicts)
            ]

        verdicts = (
            after_cuts(verdicts, ()) if attempts is None else _tried(attempts, verdicts, after_cuts)
        )
    return settled(verdicts[: len(questions)], questions, verdicts[len(questions) :])


def _going_on(attempts: Attempts, on_progress: OnProgress) -> OnProgress:
    """Return an *on_progress* that has *attempts* go on, too; else their worker would be idle until
    the search has its next answer.
    """

    def heard(progress: Progress) -> None:
        attempts.go_on()
        on_progress(progress)

    return heard


def _look_for_cut(
    engine: Engine,
    program: Program,
    found: Mapping[int, Verdict],
    meter: Meter,
    attempts: Attempts | None,
) -> dict[Scope, Cuts]:
    """Return what becomes of verdicts that were *found* and rest on what no play shows, by scopes;
    some is added to the *attempts*.
    """
    cuts = {}
    for scope in dict.fromkeys(verdict.scope for verdict in found.values()):
        cuts[scope] = Cuts(engine, program, scope, meter)
        for question in cuts[scope].with_more_room(
            {place: verdict for place, verdict in found.items() if verdict.scope == scope}
        ):
            if attempts is not None and question not in attempts.questions:
                attempts.add(question, must=True, units=attempts.prover.budget.unshown)
    return cuts


def _undecided(program: Program, question: Property, scope: Scope, lacks: NamedSizes) -> Verdict:
    """Return that *question* is not decided, since *scope* has less than what it *lacks*."""
    reason = f"it needs {' and '.join(f'{name} {size}' for name, size in lacks)}"
    return Verdict(
        program, question, Outcome.UNKNOWN, scope, NOT_EXPLORED, reason=reason, lacks=lacks
    )


def _within(
    engine: Engine,
    program: Program,
    properties: Sequence[Property],
    scope: Scope,
    meter: Meter,
    attempts: Attempts | None,
) -> list[Verdict]:
    """Return the verdict of *engine* on each of *properties* within *scope*, each trace
    replayed.
    """
    if not properties:
        return []
    interpreter, verdicts = Interpreter(program, scope), []
    answers = _ask_engine(engine, program, properties, scope, meter, attempts)
    for question, (decision, counts) in zip(properties, answers, strict=True):
        player = interpreter if decision.trace is None else _with_room(interpreter, decision.trace)
        if decision.trace is not None:
            try:
                replay(player, decision.trace, decision.question)
            except (
                BudgetSpentError,
                KeyboardInterrupt,
            ) as why:  # a trace is shown only if it was replayed
                decision = Decision(Outcome.UNKNOWN, question, reason=_ended(meter, why))
                player = interpreter
        verdicts.append(_verdict(program, question, player.scope, decision, counts, engine.name))
    return verdicts


TRIED = {Outcome.HOLDS: Outcome.PROVED, Outcome.IMPOSSIBLE: Outcome.IMPOSSIBLE}
"""What is tried for every size, and what it is then."""


def _tried(
    attempts: Attempts,
    verdicts: list[Verdict],
    settled: Callable[[Sequence[Verdict], Sequence[Property]], list[Verdict]],
) -> list[Verdict]:
    """Return *verdicts* with what came of *attempts* to prove them for every size; *settled* where
    that says what is impossible.
    """
    if not attempts.questions:
        return settled(verdicts, ())
    if attempts.meter.interrupted or any(verdict.reason == INTERRUPTED for verdict in verdicts):
        attempts.left = attempts.left or INTERRUPTED

    def known(answers: Sequence[Attempt]) -> list[Verdict]:
        tried = dict(zip(attempts.questions, answers, strict=True))
        notes = tuple(attempts.prover.notes)
        found = [
            after_attempt(verdict, tried[verdict.property], notes)
            if verdict.property in tried
            else verdict
            for verdict in verdicts
        ]
        return settled(
            found, [question for question, attempt in tried.items() if attempt.proof is not None]
        )

    hear = attempts.prover.hear
    return known(attempts.answers(None if hear is None else lambda answers: hear(known(answers))))


def after_attempt(verdict: Verdict, attempt: Attempt, notes: tuple[str, ...]) -> Verdict:
    """Return *verdict* after an *attempt* to prove it for every size, with *notes* on how that
    went.
    """
    verdict = replace(verdict, notes=(*verdict.notes, *notes))
    if attempt.is_finite and verdict.is_hidden:
        # What the scope could hide goes on for ever, and nothing does.
        return replace(
            verdict, outcome=Outcome.HOLDS, reason="", unproved=attempt.reason, is_hidden=False
        )
    if attempt.proof is None and verdict.is_hidden:
        return replace(
            verdict, unproved=attempt.reason, reason=f"{HIDDEN}; none was found: {attempt.reason}"
        )
    if attempt.proof is None:
        return replace(verdict, unproved=attempt.reason)
    outcome = Outcome.PROVED if verdict.is_hidden else TRIED[verdict.outcome]
    return replace(
        verdict, outcome=outcome, reason="", engine="symbolic", proof=attempt.proof, is_hidden=False
    )


def _ask_engine(
    engine: Engine,
    program: Program,
    properties: Sequence[Property],
    scope: Scope,
    meter: Meter,
    attempts: Attempts | None,
) -> list[tuple[Decision, Counts]]:
    """Return what *engine* knows of *properties*; nothing of those that it has not come to when
    somebody interrupts it.

    What is so within *scope* is added to the *attempts*, which go on meanwhile. Raises `InputError`
    if it has refused all of them.
    """
    answers: list[tuple[Decision, Counts]] = []
    reason = INTERRUPTED
    try:
        if properties and not meter.interrupted:
            for decision, counts in decisions(engine, program, properties, scope, meter, attempts):
                question = properties[len(answers)]
                answers.append((decision, counts))
                if (
                    attempts is not None
                    and question.mode != "enforce"
                    and (decision.outcome in TRIED or decision.is_hidden)
                ):
                    attempts.add(question, must=decision.is_hidden or question.every_size)
    except (BudgetSpentError, KeyboardInterrupt) as why:
        reason = _ended(meter, why)
    if (
        answers
        and len(answers) == len(properties)
        and all(decision.refused for decision, _ in answers)
    ):
        raise InputError([_hopeless(program, scope, answers[0][0].reason)])
    rest = properties[len(answers) :]
    return [
        *answers,
        *((Decision(Outcome.UNKNOWN, question, reason=reason), NOT_EXPLORED) for question in rest),
    ]


def _ended(meter: Meter, why: BaseException) -> str:
    """Return the reason of what ended for *why*, a spent budget or an interrupt, which *meter* is
    told of.
    """
    meter.interrupted = meter.interrupted or isinstance(why, KeyboardInterrupt)
    return INTERRUPTED if isinstance(why, KeyboardInterrupt) else str(why)


def decisions(
    engine: Engine,
    program: Program,
    properties: Sequence[Property],
    scope: Scope,
    meter: Meter,
    attempts: Attempts | None = None,
) -> Iterator[tuple[Decision, Counts]]:
    """Yield what *engine* knows of each of *properties*, one after the other; what never ends is
    settled, with the *attempts* at proofs.
    """
    endings = Endings(engine, program, scope, meter)
    searched = engine.decide(
        program, [one for one in properties if one.mode != "enforce"], scope, meter
    )
    for question in properties:
        if question.mode == "enforce":
            if meter.interrupted:
                return
            if question.absent:
                yield unseen(question), NOT_EXPLORED
                continue
            packed = engine.name != "reference"
            decision, counts = enforced(
                program, question, scope, meter, sliced=engine.slices, packed=packed
            )
            yield (
                decision if attempts is None else _proved_table(decision, attempts.prover, meter),
                counts,
            )
            continue
        answer = next(searched, None)
        if answer is None:
            return
        found, counts = answer
        is_proved = attempts is not None and found.is_hidden and attempts.has_proof(question)
        yield endings.settled(found, question, is_proved=is_proved), counts
    next(searched, None)  # so that the engine comes to its end, where it keeps what it compiled


def _hopeless(program: Program, scope: Scope, estimate: str) -> Diagnostic:
    """Return that *scope* is larger than any search."""
    message = f"{program.name} with {scope} has {estimate}, more than any machine can look at"
    return Diagnostic(
        "C104",
        message,
        hint="ask for fewer players or smaller zones, or say with --time how long it may try",
    )


def _verdict(
    program: Program,
    question: Property,
    scope: Scope,
    decision: Decision,
    counts: Counts,
    engine: str,
) -> Verdict:
    """Return what *decision* says of *question*."""
    notes = decision.notes
    if not decision.is_shortest:
        longer = f"a shorter play may exist for {question.name} of {program.name}"
        notes = (*notes, f"{longer}: the search ended before it had looked at all shorter ones")
    return Verdict(
        program,
        question,
        decision.outcome,
        scope,
        counts,
        decision.trace,
        decision.reason,
        decision.bound,
        engine,
        notes,
        decision.sliced,
        decision.symmetric,
        is_shortest=decision.is_shortest,
        is_hidden=decision.is_hidden,
        table=decision.table,
        dead=decision.dead,
        unshown=decision.unshown,
    )


def _with_room(interpreter: Interpreter, trace: Trace) -> Interpreter:
    """Return *interpreter*, or if its scope has no room for *trace*, which goes on with more and
    more items, one of a scope that has.
    """
    if trace.growth is None:
        return interpreter
    scope = interpreter.scope
    sizes = tuple(
        (zone, max(size, needed))
        for (zone, size), (_, needed) in zip(
            scope.sizes, used(interpreter.program, trace), strict=True
        )
    )
    return (
        interpreter
        if sizes == scope.sizes
        else Interpreter(interpreter.program, Scope(scope.players, sizes))
    )


@frozen
class Exploration:
    """What an exploration without a question tells: how much there is, and how often each clause
    *fired*.

    Clauses that are *open* never fired, but the scope cut moves, or the search is not complete, and
    there is no proof that they are unused at every size. *stopped* says why the search is not
    complete; it is empty if it is.
    """

    counts: Counts
    fired: Mapping[str, int]
    open: Collection[str]
    stopped: str


def explore(
    program: Program,
    scope: Scope,
    budget: Budget | None = None,
    on_progress: OnProgress = nobody,
    prover: Prover | None = None,
) -> Exploration:
    """Return how much there is within *scope*, and how many moves each clause has there; the
    *prover* says which are never used.
    """
    meter = Meter(budget or Budget(), on_progress)
    meter.begin("exploring")
    graph = explore_graph(Interpreter(program, scope), meter)
    unused = [
        id_ for id_, times in graph.fired.items() if (graph.cut or graph.stopped) and not times
    ]
    never = (
        frozenset[str]()
        if prover is None or graph.stopped
        else never_used(program, unused, prover, meter)
    )
    return Exploration(graph.counts, graph.fired, frozenset(unused) - never, graph.stopped)


def why_over(program: Program, scope: Scope, trace: Trace) -> Literal["", "over", "scope", "gap"]:
    """Return why *trace* ends: the game is over, the *scope* allows no further move, or the rules
    have none. Empty if it could go on.
    """
    position = trace.positions[-1]
    interpreter = Interpreter(program, scope)
    if position.stage == OVER:
        return "over"
    if interpreter.moves(position).moves:
        return ""
    return "scope" if interpreter.allowed(position) else "gap"


def full_zones(program: Program, scope: Scope, trace: Trace) -> NamedSizes:
    """Return the zones that are too small for what the rules allow where *trace* ends, each with
    what the least of these moves takes.
    """
    ends = (after for _, after in Interpreter(program, scope).allowed(trace.positions[-1]))
    taken = [
        tuple(
            (zone, len(items))
            for (zone, size), items in zip(scope.sizes, after.zones, strict=True)
            if len(items) > size
        )
        for after in ends
    ]
    return min(
        filter(None, taken), key=lambda zones: (sum(items for _, items in zones), zones), default=()
    )


def simulate(
    program: Program, scope: Scope, seed: int, steps: int, budget: Budget | None = None
) -> Trace:
    """Return a play of up to *steps* moves, chosen at random: first the clause, then one of its
    moves.

    The same *seed* gives the same play. It ends early where there is no move. Raises
    `BudgetSpentError`.
    """
    with Meter(budget or Budget()).watching():
        return _simulated(Interpreter(program, scope), random.Random(seed), steps)


def _simulated(interpreter: Interpreter, chance: random.Random, steps: int) -> Trace:
    initial = position = interpreter.initial()
    played: list[TraceStep] = []
    while len(played) < steps and (found := interpreter.moves(position).moves):
        clause = chance.choice(list(dict.fromkeys(move.clause for move, _ in found)))
        move, position = chance.choice(
            [(move, target) for move, target in found if move.clause == clause]
        )
        played.append(TraceStep(move, position))
    trace = Trace(initial, tuple(played))
    replay(interpreter, trace)
    return trace


def _proved_table(decision: Decision, prover: Prover, meter: Meter) -> Decision:
    """Return *decision*, if all that its table has to keep is proved without the limit to the
    scope, as guards of the rules.

    What holds of the guarded rules holds for every size in which its player sits on the same seat,
    and no scope ends anything there. So nothing is left out of the verdict, either.
    """
    if decision.table is None or decision.guarded is None:
        return decision
    attempts = prover.attempt(decision.guarded.program, decision.guarded.properties, meter)
    if any(attempt.proof is None for attempt in attempts):
        return decision
    return replace(decision, reason="", table=replace(decision.table, is_proved=True))
