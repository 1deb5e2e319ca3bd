"""Progress: a Program and what must not stay true for ever -> what recurs on a play that breaks it.

The formula's truth is a bit of the monitor. A play that breaks the property either ends with the
bit set, or takes *steps* for ever that lead from a moment with the bit set to the next. The first
is a question of safety like any other. Of the steps only such count as may happen again and again:
what `assuming` names is left out. The plays that lead there are all plays.

Recurrence: a question about the future -> what a play that breaks it keeps true from some moment
on, and what it does again and again.

In comes a property that nests words about the future, with what it assumes; out goes one of mode
``progress``, and what has to be true at infinitely many moments besides. Each conjunct of what
breaks it is one of these, and anything else is not supported for all sizes:

    A leads to B, broken              from some moment on (not B) since (A and not B) eventually A,
    assumed             from some moment on once A; broken: from some moment on never once A A until
    B, assumed or broken      from some moment on it was so, or was not finitely often A, assumed
    from some moment on not A; broken: again and again A again and again A, assumed        again and
    again A; broken: from some moment on not A A leads to B, assumed             again and again
    nothing is waited for

    A or B, each of these, assumed    again and again what A says or what B says

The last is less than what is assumed: `(again and again A) implies (again and again B)` becomes
that again and again B is so or A is not. Of several things that happen again and again it is enough
to look at one: what breaks the property is then said to do less than it does. At the last moment of
a play that ends all of them are true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.parts import of_statements
from ....properties import formula as f
from ....properties.binding.future import ALWAYS_TRUE
from ...slicing.slice import relevant
from ...types.budget import Meter
from ...types.position import OVER
from ...watching.plan import lasting, temporal_conjuncts
from ..encoding.encode import Encoding, Precision, encoding, instances
from ..encoding.formulas import EncodedMoment, EncodedMonitor, EncodedMove, EncodedPosition
from ..encoding.statements import BlockPath
from ..encoding.system import Breach, Invariant, Rule, System, ask_solver
from ..position.players import MOST_EXACT
from ..position.weakenings import UnsupportedError
from ..solver import terms as t

_Signed: TypeAlias = tuple[f.Temporal, bool]
"""What is said of the future, and whether it is denied."""
_TRUE = f.And(())


@frozen
class Recurrence:
    """What a play breaks on which from some moment on the body of *question* stays true, and each
    of *again* is so again and again.
    """

    question: f.Property
    again: tuple[f.Formula, ...] = ()


def recurrence(question: f.Property) -> Recurrence:
    """Return what breaks *question*, of mode ``progress`` or ``future``; raise `UnsupportedError`
    if it is none of the kinds above.
    """
    if question.future is None:
        return Recurrence(question)
    assert isinstance(question.body, f.And)
    stays, again = list[f.Formula](), list[f.Formula]()
    for one in (*((given.formula, False) for given in question.given), (question.future, True)):
        for temporal, denied in temporal_conjuncts(one[0], denied=one[1]):
            reading = _Reading(question.body.parts)
            of, formula = (reading.conjunct if one[1] else reading.assumed)(temporal, denied=denied)
            (again if of == "again" else stays).append(formula)
    asked = replace(
        question,
        mode="progress",
        body=stays[0] if len(stays) == 1 else f.And(tuple(stays)),
        future=None,
        given=(),
    )
    return Recurrence(asked, tuple(again))


def ways_to_ask(question: f.Property) -> range:
    """Return the numbers of what to look at of all that is so again and again, one of which is
    enough; 0 if nothing is.
    """
    return range(max(len(recurrence(question).again), 1))


class _Reading:
    """Reads what is said of the future of the *parts* of a property."""

    def __init__(self, parts: tuple[f.Formula, ...]) -> None:
        self.parts = parts

    def assumed(self, temporal: f.Temporal, *, denied: bool) -> tuple[str, f.Formula]:
        """Return the same of what is assumed, where it may be enough that one of several things is
        so.
        """
        if not isinstance(temporal, f.Together) or not denied or _is_now(temporal):
            return self.conjunct(temporal, denied=denied)
        either = list[f.Formula]()
        for part in temporal.parts:
            negated = [*temporal_conjuncts(part, denied=True)]
            if len(negated) > 1:
                raise _unsupported()
            either += [self.assumed(one, denied=is_denied)[1] for one, is_denied in negated]
        return "again", f.Or(tuple(either))

    def conjunct(self, temporal: f.Temporal, *, denied: bool) -> tuple[str, f.Formula]:
        """Return what is so from some moment on, or again and again, where *temporal*, or if
        *denied* its negation, is so at the first.
        """
        match temporal:
            case f.Until(left, right) if denied and left == ALWAYS_TRUE:
                return self._always([*temporal_conjuncts(right)], right)
            case f.Until(left, right) if not denied and left == ALWAYS_TRUE:
                return "stays", self._eventually([*temporal_conjuncts(right)])
            case f.Until(left, right):
                came = f.Once(
                    f.And((self._now(right), f.Not(f.Previously(f.Once(f.Not(self._now(left)))))))
                )
                return "stays", f.Not(came) if denied else came
            case f.PartHolds() | f.Otherwise() | f.Together():
                at_first = f.Not(f.Previously(_TRUE))
                return "stays", f.Once(f.And((at_first, self._now(temporal, denied=denied))))
            case _:
                assert_never(temporal)

    def _always(self, never: list[_Signed], whole: f.Temporal) -> tuple[str, f.Formula]:
        """Return what is so if at no moment all that is *never* so at once is."""
        if _is_now(whole):
            return "stays", f.Not(f.Once(self._now(whole)))
        waits = [
            one.right
            for one, denied in never
            if denied and isinstance(one, f.Until) and one.left == ALWAYS_TRUE
        ]
        first = [one for one in never if _is_now(one[0])]
        if len(waits) != 1 or len(first) + 1 != len(never):
            raise _unsupported()
        came = self._now(waits[0])
        return "again", came if not first else f.Not(
            f.Since(f.Not(came), f.And((self._conjunction(first), f.Not(came))))
        )

    def _eventually(self, comes: list[_Signed]) -> f.Formula:
        """Return what is true from some moment on if all that *comes* is true at once at some
        moment.
        """
        first = [one for one in comes if _is_now(one[0])]
        rest = [one for one in comes if one not in first]
        if not rest:
            return f.Once(self._conjunction(first))
        kept = [
            one.right
            for one, denied in rest
            if denied and isinstance(one, f.Until) and one.left == ALWAYS_TRUE
        ]
        if len(kept) < len(rest):
            raise _unsupported()
        stays = self._conjunction([(one, True) for one in kept])
        return f.Since(stays, f.And((self._conjunction(first), stays))) if first else stays

    def _conjunction(self, signed: list[_Signed]) -> f.Formula:
        parts = tuple(self._now(one, denied=denied) for one, denied in signed)
        return parts[0] if len(parts) == 1 else f.And(parts)

    def _now(self, temporal: f.Temporal, *, denied: bool = False) -> f.Formula:
        """Return what *temporal* says of one moment."""
        match temporal:
            case f.PartHolds(number):
                return f.Not(self.parts[number]) if denied else self.parts[number]
            case f.Otherwise(operand):
                return self._now(operand, denied=not denied)
            case f.Together(parts):
                of = tuple(self._now(part, denied=denied) for part in parts)
                return f.Or(of) if denied else f.And(of)
            case f.Until():
                raise _unsupported()
            case _:
                assert_never(temporal)


def _is_now(temporal: f.Temporal) -> bool:
    """Whether *temporal* says nothing of later moments."""
    match temporal:
        case f.PartHolds():
            return True
        case f.Otherwise(operand):
            return _is_now(operand)
        case f.Together(parts):
            return all(map(_is_now, parts))
        case f.Until():
            return False
        case _:
            assert_never(temporal)


def _unsupported() -> UnsupportedError:
    return UnsupportedError("what it says of the future")


UNITS = 20_000_000
"""How much a solver may do to see that a play does not end at a stage."""
ANYONE = "the player whose move it is"
"""The spotlit player that stands for each step's owner, where the number of players is open."""


@frozen
class ProgressProblem:
    """The *system* of all plays, whose bad moments are the ends at which the formula is true, and
    the *steps* that must come to an end.

    *patient* are steps that may be taken for ever, as long as one of *steps* has to be taken again
    and again (`recurrence`).
    """

    encoding: Encoding
    system: System
    steps: tuple[Rule, ...]
    patient: tuple[Rule, ...]

    @property
    def by_anyone(self) -> bool:
        """Whether there is a spotlit player that stands for each step's owner."""
        return ANYONE in self.encoding.layout.context.players.spotlights

    def with_known(self, known: Invariant, left: Meter) -> ProgressProblem:
        """Return the same, where more is *known* of the positions: every move from there is one of
        theirs.
        """
        system = self.system
        rules = tuple(
            replace(rule, condition=t.both(known[rule.source], rule.condition))
            if rule.source
            else rule
            for rule in system.rules
        )
        ends = (
            replace(end, condition=t.both(known[end.source], end.condition))
            for end in system.of_stages
        )
        open_ends = tuple(
            end for end in ends if ask_solver(end.condition, left.allow(UNITS)) != z3.unsat
        )
        return replace(
            self, system=replace(system, known=dict(known), rules=rules, of_stages=open_ends)
        )


def progress(
    program: ir.Program, question: f.Property, precision: Precision, way: int = 0
) -> ProgressProblem:
    """Return what *question*, of mode ``progress`` or ``future``, asks of *program*; the *way* is
    one of `ways_to_ask`.

    Its lemmas are watched, so that what is known of positions can speak of them; nothing is taken
    for granted.
    """
    asked = recurrence(question)
    question, often = asked.question, lasting(asked.again[way]) if asked.again else None
    watched: f.Formula = (
        lasting(question.body) if often is None else f.And((lasting(question.body), often))
    )
    spotlights = question.spotlights
    least, most = program.players
    if least != most or least > MOST_EXACT:
        spotlights = (*spotlights, f.Spotlight("player", ANYONE))
    watching = replace(question, mode="always", body=watched, spotlights=spotlights)
    encoded = encoding(program, watching, precision)
    system = encoded.system()
    rules = tuple(
        replace(rule, bad=t.negation(rule.bad) if rule.target == OVER else t.FALSE)
        for rule in system.rules
    )
    at = _Bits(
        _monitor_number(encoded, lasting(question.body)),
        None if often is None else _monitor_number(encoded, often),
    )
    ends = tuple(_silent_ends(encoded, at))
    seen = f.And((watched, *(lemma.formula for lemma in instances(watching)[1])))
    taken = tuple(
        _steps(
            encoded, relevant(calm(program, question.assuming), seen).program, question.assuming, at
        )
    )
    weakenings = frozenset(encoded.layout.context.weakenings | system.weakenings)
    system = replace(system, rules=rules, of_stages=ends, weakenings=weakenings)
    steps, patient = (
        tuple(rule for rule, waits in taken if waits is is_patient) for is_patient in (False, True)
    )
    return ProgressProblem(encoded, system, steps, patient)


class _Bits(NamedTuple):
    """The numbers of the bits that say whether the formula is true that has to *stay* so, and the
    one that has to be so *often*, if any.
    """

    stay: int
    often: int | None

    def all_of(self, bits: Sequence[t.Bool]) -> list[t.Bool]:
        """Return what both say."""
        return [bits[self.stay]] if self.often is None else [bits[self.stay], bits[self.often]]


def _monitor_number(encoded: Encoding, formula: f.Since) -> int:
    return next(
        number for number, bit in enumerate(encoded.monitor.plan.bits) if bit.source == formula
    )


def calm(program: ir.Program, assuming: tuple[f.Assumption, ...]) -> ir.Program:
    """Return *program* without what the cards do, if they are assumed to do it only finitely
    often.
    """
    if "cards" not in assuming:
        return program

    def quiet(statement: ir.Statement) -> ir.Statement | ir.Block:
        return (
            statement.options[0][1]
            if isinstance(statement, ir.Branch) and statement.by == "cards"
            else statement
        )

    change = of_statements(quiet)
    stages = (
        replace(
            stage,
            clauses=tuple(
                ir.rewrite(clause, change) for clause in stage.clauses if clause.mode != "chance"
            ),
        )
        for stage in program.stages
    )
    return replace(program, stages=tuple(stages))


def _silent_ends(encoded: Encoding, at: _Bits) -> Iterator[Breach]:
    """Yield how a play may end at each stage, with no move enabled, while the formula is true."""
    layout = encoded.layout
    for stage in encoded.program.stages:
        frame = layout.frame(stage.name)
        here = EncodedPosition.at(stage, frame)
        ends = EncodedMonitor(f.Gap()).truth(EncodedMoment(here))
        condition = t.all_of(
            [layout.always_true(stage.name), *frame.facts, *at.all_of(layout.bits), ends]
        )
        if not t.is_false(condition):
            yield Breach("", stage.name, condition)


def _steps(
    encoded: Encoding, program: ir.Program, assuming: tuple[f.Assumption, ...], at: _Bits
) -> Iterator[tuple[Rule, bool]]:
    """Yield the steps of *program* from a moment at which the formula is true to the next, that may
    be taken again and again.

    With each comes whether it is patient: what has to be so often is not so after it.
    """
    for stage, clause in program.clauses:
        for before, way in encoded.paths_of(stage, clause):
            acts = clause.mode == "may" and not way.passes
            if way.stage != OVER and not (acts and "players" in assuming):
                here = EncodedPosition.at(stage, before)
                step, often = _watched_step(encoded, way, stage.name, here, clause, at)
                for condition, waits in ((often, False), (t.negation(often), True)):
                    if not t.is_false(both := t.both(step.condition, condition)):
                        yield replace(step, condition=both), waits


def _watched_step(
    encoded: Encoding,
    way: BlockPath,
    source: str,
    before: EncodedPosition,
    clause: ir.Clause,
    at: _Bits,
) -> tuple[Rule, t.Bool]:
    """Return the step that goes a *way*, and whether what has to be so often is so after it."""
    layout = encoded.layout
    made = EncodedMove(clause.id, clause.mode, way.frame.owner, tuple(way.frame.events))
    here = EncodedPosition(way.frame, way.stage, way.arguments)
    moment = EncodedMoment(here, before, made, layout.bits)
    bits = encoded.monitor.look(moment)
    path = [
        *way.frame.conditions,
        *way.frame.facts,
        *before.frame.facts,
        layout.always_true(source),
        layout.bits[at.stay],
        bits[at.stay],
    ]
    anyone = layout.context.players.spotlights.get(ANYONE)
    if anyone is not None and way.frame.owner is not None:
        path.append(t.equal(way.frame.owner, anyone))
    rule = Rule(
        clause.id,
        source,
        way.stage,
        t.all_of(path),
        layout.cells(way.frame, way.arguments, bits),
        t.FALSE,
    )
    return rule, t.TRUE if at.often is None else bits[at.often]
