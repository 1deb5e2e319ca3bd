"""Progress: a Program and what must not stay true for ever -> what a play that breaks it would have
to do again and again.

The formula's truth is a bit of the monitor. A play that breaks the property either ends with the
bit set, or takes *steps* for ever that lead from a moment with the bit set to the next. The first
is a question of safety like any other. Of the steps only such count as may happen again and again:
what `assuming` names is left out. The plays that lead there are all plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import z3

from ....models import ir
from ....models.ir.parts import of_statements
from ....properties import formula as f
from ...slicing.relevant import relevant
from ...types.budget import Meter
from ...types.position import OVER
from ...watching.plan import lasting
from ..encoding.encode import Encoding, Precision, encoding
from ..encoding.formulas import EncodedMoment, EncodedMonitor, EncodedMove, EncodedPosition
from ..encoding.instances import instances
from ..encoding.obligations import Invariant, ask_solver
from ..encoding.statements import BlockPath
from ..encoding.system import Breach, Rule, System
from ..position.players import MOST_EXACT
from ..solver import terms as t
from .recurrence import recurrence

UNITS = 20_000_000
"""How much a solver may do to see that a play does not end at a stage."""
ANYONE = "the player whose move it is"
"""The spotlit player that stands for each step's owner, where the number of players is open."""


@dataclass(frozen=True)
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
            passes = any(event.kind == "passes" for event in way.frame.events)
            acts = clause.mode == "may" and not passes
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
