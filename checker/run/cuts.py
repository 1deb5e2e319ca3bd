"""Cuts: what becomes of a verdict that rests on what no play within a scope shows.

A play that was not found may still exist: a larger scope may show it. So it is looked for with more
room, and tried for every size. If that proves it impossible the verdict stands; else it is UNKNOWN,
with all the sizes to ask for (docs/verdicts.md).

Enforced: what becomes of the answer that something cannot be enforced, if the scope cut moves that
might decide it; and whether what can be enforced takes acting for ever.

The first is asked with more room. If it can be enforced there, the answer is open. If it could not
be enforced even if all that is cut there were won, the answer stands at every larger size. Else it
is told of the scopes that were looked at, and no claim rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from ...models import ir
from ...models.diagnostics import Diagnostic
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.ir.analysis import most_joining
from ...models.syntax import NamedSizes
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import Property
from ..prover.prover import OPEN, Prover
from ..questions.questions import ITSELF, UNSHOWN, of_each_clause
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import missing
from ..types.budget import Budget, BudgetSpentError, Meter
from ..types.engine import Decision, Engine
from ..types.scope import MOST_ITEMS, Scope
from ..types.verdict import Counts, Outcome, Verdict
from .engines import engine_named

_MOST_ENFORCED = 400_000
"""How many packed positions are looked at in each larger scope."""
STALLING = "It takes acting for ever: with `acts only finitely often` beside the goal nobody can."
_LARGER_ENFORCED = 2
"""How many larger scopes are looked at, one after the other."""


def enforced(
    program: Program, question: Property, scope: Scope, meter: Meter, *, sliced: bool, packed: bool
) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, as `decide_enforced`, and what
    of that rests on moves that were cut.
    """
    # Few ask for strategies, and all would wait for them.
    from ..enforcing.decide import decide_enforced  # noqa: PLC0415

    decision, counts = decide_enforced(
        program, question, scope, meter, sliced=sliced, packed=packed
    )
    if decision.outcome == Outcome.IMPOSSIBLE and decision.reason:
        decision = _with_more_room(program, decision, scope, meter, sliced=sliced)
    if decision.outcome == Outcome.POSSIBLE and not decision.reason:
        decision = _stalling(program, decision, scope, meter, sliced=sliced)
    return decision, counts


def _stalling(
    program: Program, decision: Decision, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision:
    """Return *decision*, that somebody can enforce something, with a note if that takes acting for
    ever.
    """
    asked = decision.question.enforced
    assert asked is not None
    if any(goal.kind == "finitely" for goal in asked.goals) or meter.why_over:
        return decision
    acts = (f.PlayerEvent("acts", ir.Local(name)) for name in asked.coalition)
    finitely = tuple(f.Goal("finitely", one) for one in acts)
    stricter = replace(decision.question, enforced=replace(asked, goals=(*asked.goals, *finitely)))
    found = _decided(program, stricter, scope, meter, sliced=sliced)
    if found is None or found.outcome != Outcome.IMPOSSIBLE or found.reason:
        return decision
    return replace(decision, notes=(*decision.notes, STALLING))


def _with_more_room(
    program: Program, decision: Decision, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision:
    """Return what *decision*, that something cannot be enforced, comes to with more room than
    *scope* has.
    """
    why, sizes, first = decision.reason, NamedSizes(), NamedSizes()
    try:
        for larger, room in _larger_scopes(program, scope, meter, _LARGER_ENFORCED):
            first = first or room
            found = _decided(program, decision.question, larger, meter, sliced=sliced)
            if found is None or found.outcome not in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE):
                break
            sizes = room
            if found.outcome == Outcome.POSSIBLE:
                return _open(decision, f"it can be enforced with more room: ask with {asks(sizes)}")
            if not found.reason:
                return replace(decision, reason="")
    except BudgetSpentError:
        pass
    except KeyboardInterrupt:
        meter.interrupted = True
    if not sizes:
        return _open(decision, f"{why}; {cut_words(first)}")
    return replace(decision, reason=f"{why}; with more room ({asks(sizes)}) nobody can, either")


def _decided(
    program: Program, question: Property, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision | None:
    """Return what `decide_compactly` finds of few positions; None if it cannot say."""
    from ..enforcing.decide import decide_compactly  # noqa: PLC0415 - as above

    room = Meter(replace(meter.left(), positions=_MOST_ENFORCED), meter.on_progress)
    found = decide_compactly(program, question, scope, room, sliced=sliced)
    meter.interrupted |= room.interrupted
    return None if found is None else found[0]


def _open(decision: Decision, reason: str) -> Decision:
    """Return that *decision* is open, for that *reason*."""
    return Decision(Outcome.UNKNOWN, decision.question, reason=reason, sliced=decision.sliced)


_FEW = 1_000
"""In how many positions it is looked up which zones are too small."""
_MOST = 5_000
"""How many positions are looked at in each larger scope: as many as are found before anything is
compiled.
"""
_SECONDS = 5.0
"""How long the moves of the start are looked at."""
_LARGER = 3
"""How many larger scopes are looked at, one after the other."""
_EACH = 4
"""Of how many clauses that are never used each is tried for every size by itself, and all of them
together.
"""


def with_more_room(program: Program, scope: Scope, meter: Meter) -> Scope:
    """Return *scope* with more room on each zone that is too small for a move which the rules allow
    there, as little as one takes.
    """
    graph = explore(Interpreter(program, scope), Meter(replace(meter.left(), positions=_FEW)))
    sizes = dict(scope.sizes)
    needed: dict[str, int] = {}
    for number in graph.cut:
        for zone, size in missing(graph.interpreter, graph.positions[number]).items():
            needed[zone] = min(size, needed.get(zone, size))
    if not needed:  # they are cut farther from the start
        joined = most_joining((clause.body for _, clause in program.clauses), sizes)
        needed = {zone: size + 1 for zone, size in scope.sizes if joined[zone]}
    return replace(
        scope,
        sizes=tuple((zone, min(needed.get(zone, size), MOST_ITEMS)) for zone, size in scope.sizes),
    )


def _larger_scopes(
    program: Program, scope: Scope, meter: Meter, most: int
) -> Iterator[tuple[Scope, NamedSizes]]:
    """Yield larger scopes, *most* at most, each with room for what the one before it cut, and what
    sizes of theirs *scope* does not have.
    """
    larger = scope
    for _ in range(most):
        before, larger = larger, with_more_room(program, larger, meter)
        if larger == before:
            return
        yield larger, larger_sizes(scope, larger)


def cut_start(program: Program, scope: Scope) -> tuple[Diagnostic, ...]:
    """Return a warning if *scope* cuts all moves of the start, so that nothing of the game is
    looked at.
    """
    interpreter, meter = Interpreter(program, scope), Meter(Budget(_SECONDS))
    start = interpreter.initial()
    try:
        with meter.watching():
            if interpreter.moves(start).moves or not interpreter.allowed(start):
                return ()
            larger = with_more_room(program, scope, meter)
    except BudgetSpentError:
        return ()
    hint = f"ask with {asks(larger_sizes(scope, larger))}, or say so in the ruleset's `scope`"
    return (
        Diagnostic(
            "C120",
            "The scope cuts all moves of the start, so only one position was looked at.",
            hint=hint,
            severity="warning",
        ),
    )


def larger_sizes(scope: Scope, larger: Scope) -> NamedSizes:
    """Return the sizes of *larger* that *scope* does not have."""
    return tuple(
        size for size, before in zip(larger.sizes, scope.sizes, strict=True) if size != before
    )


def asks(sizes: NamedSizes) -> str:
    """Return the options that ask for *sizes*: ``--scope waiting=3 --scope stack=3``."""
    return " ".join(f"--scope {zone}={size}" for zone, size in sizes)


@frozen
class _LargerScope:
    """The *sizes* to ask for, and whether a play there *shows* what was looked for."""

    sizes: NamedSizes = ()
    shows: bool = False


@dataclass
class Cuts:
    """What an *engine* and proofs make of verdicts on *program* that rest on what no play within
    *scope* shows.

    *open* are, by the numbers of verdicts, the questions without an answer so far.
    """

    engine: Engine
    program: Program
    scope: Scope
    meter: Meter
    open: dict[int, dict[str, Property]] = field(default_factory=dict)
    _rooms: dict[Property, _LargerScope] = field(default_factory=dict)

    def with_more_room(self, verdicts: Mapping[int, Verdict]) -> Iterator[Property]:
        """Look with more room for what *verdicts*, by their numbers, have not found; yield what to
        try for every size.

        That is what is not found there, either.
        """
        for number, verdict in verdicts.items():
            if verdict.counts.cut and (verdict.unshown):
                self.open[number] = unshown(self.program, verdict.property, verdict.unshown)
        self._look_for(
            [question for questions in self.open.values() for question in questions.values()]
        )
        for number, questions in self.open.items():
            left = [question for question in questions.values() if not self._rooms[question].shows]
            if verdicts[number].outcome == Outcome.VACUOUS:
                left = [_any_of(left)] if len(left) == len(questions) > 0 else []
            yield from _to_try(left)

    def settled(self, number: int, verdict: Verdict, impossible: Sequence[Property]) -> Verdict:
        """Return *verdict*, which has this *number*, where *impossible* is so at every size."""
        if number in self.open:
            questions = self.open[number]
            if verdict.outcome == Outcome.VACUOUS:
                return (
                    verdict
                    if questions and _any_of(questions.values()) in impossible
                    else self._not_vacuous(verdict, questions)
                )
            return self._of_dead(verdict, questions, impossible)
        if (
            verdict.outcome == Outcome.IMPOSSIBLE
            and verdict.is_of_cut_scope()
            and verdict.unproved != OPEN
        ):
            return replace(verdict, reason=self.needed(verdict.property))
        return verdict

    # ------------------------------------------------------------------ with more room

    def _look_for(self, questions: Iterable[Property]) -> None:
        """Look for *questions* in larger scopes, one after the other, each with room for what the
        one before it cut.
        """
        left = [question for question in dict.fromkeys(questions) if question not in self._rooms]
        self._rooms.update(dict.fromkeys(left, _LargerScope()))
        if not left:
            return
        self.meter.begin("looking with more room")
        first = NamedSizes()
        try:
            for scope, sizes in _larger_scopes(self.program, self.scope, self.meter, _LARGER):
                first = first or sizes
                meter = Meter(replace(self.meter.left(), positions=_MOST), self.meter.on_progress)
                found = zip(
                    left, self.engine.decide(self.program, left, scope, meter), strict=False
                )
                shown = {
                    question
                    for question, (decision, _) in found
                    if decision.trace is not None or decision.outcome == Outcome.POSSIBLE
                }
                self.meter.interrupted |= meter.interrupted
                self._rooms.update(dict.fromkeys(shown, _LargerScope(sizes, shows=True)))
                left = [question for question in left if question not in shown]
                if not left or self.meter.interrupted:
                    break
        except BudgetSpentError:
            pass
        except KeyboardInterrupt:
            self.meter.interrupted = True
        self._rooms.update(dict.fromkeys(left, _LargerScope(first)))

    def _room(self, questions: Iterable[Property]) -> _LargerScope:
        """Return the sizes to ask for so that a play may show each of *questions*, and whether one
        does.
        """
        rooms = [self._rooms[question] for question in questions]
        largest: dict[str, int] = {}
        for zone, size in (one for room in rooms for one in room.sizes):
            largest[zone] = max(size, largest.get(zone, size))
        return _LargerScope(
            tuple((zone, largest[zone]) for zone, _ in self.scope.sizes if zone in largest),
            all(room.shows for room in rooms),
        )

    # ------------------------------------------------------------------ what is said

    def _not_vacuous(self, verdict: Verdict, questions: Mapping[str, Property]) -> Verdict:
        room = next(
            (found for question in questions.values() if (found := self._rooms[question]).shows),
            None,
        )
        if room is not None:
            reason = (
                "nothing breaks it, and what it is about arises only with more room: ask with "
                f"{asks(room.sizes)}"
            )
        else:
            which = "what it is about ever arises" if questions else "any play fits what it assumes"
            reason = (
                f"nothing breaks it; whether {which} is open, for "
                f"{cut_words(self._room(questions.values()).sizes)}"
            )
        return replace(verdict, outcome=Outcome.UNKNOWN, reason=reason)

    def _of_dead(
        self, verdict: Verdict, questions: Mapping[str, Property], impossible: Sequence[Property]
    ) -> Verdict:
        dead = _proved(
            {
                ids: question
                for ids, question in questions.items()
                if not self._rooms[question].shows
            },
            impossible,
        )
        others = {ids: question for ids, question in questions.items() if ids not in dead}
        room, names = self._room(others.values()), join_words([*others])
        if room.shows:
            said = f"possible for {names} only with more room: ask with {asks(room.sizes)}"
        else:
            said = f"open for {names}, for {cut_words(room.sizes)}"
        if not dead:
            return replace(verdict, outcome=Outcome.UNKNOWN, reason=said, dead=())
        reason = f"not possible for {', '.join(dead)} at any size{f'; {said}' if others else ''}"
        return replace(verdict, reason=reason, dead=tuple(dead) if verdict.dead else ())

    def needed(self, question: Property) -> str:
        """Return what room to ask for so that a play may show, or break, what *question* says."""
        question = replace(question, needs=())
        self._look_for([question])
        room = self._rooms[question]
        needs = f"`needs {', '.join(f'{zone} {size}' for zone, size in room.sizes)}`"
        if room.shows:
            return f"with more room one does: {needs}"
        return f"the scope cuts moves{f', and {needs} asks for more room' if room.sizes else ''}"


def never_used(
    program: Program, ids: Sequence[str], prover: Prover, meter: Meter
) -> frozenset[str]:
    """Return those of the clauses *ids* of *program* that are proved to be used at no size, all
    together or some by themselves.
    """
    if not ids or program.unfinished:
        return frozenset()
    questions = {id_: _uses(id_) for id_ in ids}
    with closing(prover.begin_attempts(program, meter)) as attempts:
        for question in _to_try(list(questions.values())):
            attempts.add(question, must=True, units=prover.budget.unshown)
        attempts.answers()
        return frozenset(_proved(questions, attempts.proved))


def _to_try(questions: Sequence[Property]) -> list[Property]:
    """Return what to try of *questions*, one of each clause: all of them together, and some by
    themselves.
    """
    return [_any_of(questions), *questions[:_EACH]] if len(questions) > 1 else [*questions]


def _proved(questions: Mapping[str, Property], impossible: Sequence[Property]) -> list[str]:
    """Return the clauses of which what *questions* ask is *impossible*."""
    are_all = bool(questions) and _any_of(questions.values()) in impossible
    return [ids for ids, question in questions.items() if are_all or question in impossible]


def for_claim(verdict: Verdict, expectation: str) -> Verdict:
    """Return *verdict* as it is told of a claim with this *expectation*: not found is no reason why
    one is not met.
    """
    if verdict.for_claim(expectation) == verdict.outcome:
        return verdict
    if verdict.property.mode == "enforce":
        return replace(verdict, outcome=Outcome.UNKNOWN, trace=None, table=None)
    if verdict.outcome == Outcome.IMPOSSIBLE:
        return replace(
            verdict,
            outcome=Outcome.UNKNOWN,
            reason=f"no play within the scope shows it; {verdict.reason or verdict.unproved}",
        )
    cuts = Cuts(engine_named("explicit"), verdict.program, verdict.scope, Meter(Budget()))
    return replace(
        verdict,
        outcome=Outcome.UNKNOWN,
        reason=f"no play within the scope breaks it; {cuts.needed(verdict.property)}",
    )


def cut_words(sizes: NamedSizes) -> str:
    """Return that the scope cuts moves, and what to ask for: more room on the zones that are too
    small, as *sizes* have it.
    """
    return f"the scope cuts moves: ask with more room{f', such as {asks(sizes)}' if sizes else ''}"


def unshown(
    program: ir.Program, question: f.Property, where: Iterable[tuple[str, int]]
) -> dict[str, f.Property]:
    """Return what is unshown, as questions of what is possible, by the ids of the clauses of which
    *question* asks it.

    *where* is what a verdict says of it (`Decision`). Whether any play fits what it assumes is no
    such question.
    """
    each = of_each_clause(program, question)
    return {
        ids: _possible(_parts(each[ids])[number])
        for ids, number in where
        if number != ITSELF or question.mode == "possible"
    }


def could_be_unshown(program: ir.Program, question: f.Property) -> Iterator[f.Property]:
    """Yield all that `unshown` may return of *question*, after any search."""
    for ids, asked in of_each_clause(program, question).items():
        where = ((ids, number) for number in (*range(len(asked.conditions)), ITSELF))
        for one in where:
            yield from unshown(program, question, [one]).values()


def _any_of(questions: Iterable[f.Property]) -> f.Property:
    """Return the question whether any of *questions*, which `unshown` returns, is possible."""
    questions = tuple(questions)
    spotlights = tuple(
        dict.fromkeys(spotlight for question in questions for spotlight in question.spotlights)
    )
    bodies = tuple(dict.fromkeys(question.body for question in questions))
    return _possible(f.Part(bodies[0] if len(bodies) == 1 else f.Or(bodies), spotlights))


def _uses(clause: str) -> f.Property:
    """Return the question whether the *clause* with this id is ever used."""
    return _possible(f.Part(f.Uses(clause), ()))


def _parts(question: f.Property) -> tuple[f.Part, ...]:
    """Return the conditions of *question*; the last is what it asks itself."""
    return (*question.conditions, f.Part(question.body, question.spotlights))


def _possible(part: f.Part) -> f.Property:
    spotlights = tuple(spotlight for spotlight in part.spotlights if spotlight.kind != "clause")
    return f.Property(UNSHOWN, "", "", "possible", spotlights, part.formula, None, part.text)
