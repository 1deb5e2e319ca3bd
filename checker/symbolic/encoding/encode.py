"""Encoding: a Program and a question -> the System whose bad moments are those at which its formula
is false.

Every path through every clause becomes a rule. Nothing bounds the zones or, where the game leaves
it open, the number of players. What cannot be said raises `UnsupportedError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ....models import ir
from ....properties import formula as f
from ....properties.parts import about
from ...slicing.relevant import relevant
from ...types.position import OVER
from ...watching.plan import And, Atom, Said, asked_in, conjuncts
from ..position.frame import EncodingContext, SymbolicFrame
from ..position.layout import CellLayout
from ..position.players import make_players
from ..position.weakenings import UnsupportedError, Weakening
from ..solver import terms as t
from .formulas import EncodedMoment, EncodedMonitor, EncodedMove, EncodedPosition
from .instances import instances
from .statements import BlockPath, fires, paths, shared_locals
from .system import START, Breach, Rule, System
from .witnesses import with_witnesses


@dataclass(frozen=True)
class Encoding:
    """A Program's positions, laid out as cells, and the monitor that watches them.

    A moment is bad if *asked*, a part of its plan, is false. What *lemmas* say is watched as well;
    each can be asked in its place.
    """

    layout: CellLayout
    monitor: EncodedMonitor
    asked: Said
    lemmas: tuple[tuple[str, Said], ...]

    @property
    def program(self) -> ir.Program:
        """The Program, without what nobody asks for."""
        return self.layout.context.program

    def system(self) -> System:
        """Return what is asked of Z3."""
        context, stages = self.layout.context, [stage.name for stage in self.program.stages]
        rules = tuple(self.rules())
        return System(
            {stage: self.layout.constants(stage) for stage in stages},
            {stage: self.layout.always_true(stage) for stage in stages},
            rules,
            tuple(self.breaches()),
            frozenset(context.weakenings | context.players.weakenings),
            {code: value for value, code in context.codes.items()},
        )

    def rules(self) -> Iterator[Rule]:
        """Yield the rules by which a play begins and goes on."""
        for path in paths((self.program.start,), self.layout.initial()):
            yield self._rule(path, START, None, None)
        for stage, clause in self.program.clauses:
            yield from self.rules_of(stage, clause)

    def rules_of(self, stage: ir.Stage, clause: ir.Clause) -> Iterator[Rule]:
        """Yield the rules of *clause* of *stage*."""
        for before, path in self.paths_of(stage, clause):
            yield self.rule_of(stage, clause, before, path)

    def paths_of(
        self, stage: ir.Stage, clause: ir.Clause
    ) -> Iterator[tuple[SymbolicFrame, BlockPath]]:
        """Yield every path through *clause* of *stage*, each with the frame of the position before
        it.
        """
        before, frame = self.layout.frame(stage.name), self.layout.frame(stage.name)
        before.memo = frame.memo = {}
        frame.shared = shared_locals(stage, clause)
        if fires(clause, frame):
            yield from ((before, path) for path in paths(clause.body, frame))

    def rule_of(
        self, stage: ir.Stage, clause: ir.Clause, before: SymbolicFrame, path: BlockPath
    ) -> Rule:
        """Return the rule for a *path* through *clause* of *stage* from the position of
        *before*.
        """
        made = EncodedMove(clause.id, clause.mode, path.frame.owner, tuple(path.frame.events))
        return self._rule(path, stage.name, EncodedPosition.at(stage, before), made)

    @cached_property
    def of_stages(self) -> Said:
        """What is asked of each stage by itself, and not of the moves that lead there.

        What is enabled takes all clauses of a stage to say; where a part of what is asked speaks of
        nothing but the position, once is enough.
        """
        return And(tuple(part for part in conjuncts(self.asked) if _is_of_stage(part)))

    @cached_property
    def of_moves(self) -> Said:
        """The rest of what is asked."""
        return And(tuple(part for part in conjuncts(self.asked) if not _is_of_stage(part)))

    def breaches(self) -> Iterator[Breach]:
        """Yield how the positions of each stage break the property, if that is asked of stages."""
        for stage in self.program.stages if self.of_stages != And(()) else ():
            frame = self.layout.frame(stage.name)
            here = EncodedPosition.at(stage, frame)
            bad = t.negation(self.monitor.truth(EncodedMoment(here), self.of_stages))
            condition = t.all_of([*frame.facts, bad])
            if not t.is_false(condition):
                yield Breach("", stage.name, condition)

    def _rule(
        self, path: BlockPath, source: str, before: EncodedPosition | None, made: EncodedMove | None
    ) -> Rule:
        here = EncodedPosition(path.frame, path.stage, path.arguments)
        moment = EncodedMoment(here, before, made, self.layout.bits)
        bits = self.monitor.look(moment)
        asked = self.asked if path.stage == OVER else self.of_moves
        good = self.monitor.truth(moment, asked)
        conditions = [
            *path.frame.conditions,
            *path.frame.facts,
            *(before.frame.facts if before else []),
        ]
        condition = t.all_of(conditions)
        cells = () if path.stage == OVER else self.layout.cells(path.frame, path.arguments, bits)
        return Rule(
            made.clause if made else "", source, path.stage, condition, cells, t.negation(good)
        )


@dataclass(frozen=True)
class Precision:
    """How much the encoding remembers: less makes shorter proofs, and fewer.

    *seats*: the order of players around the table. *attributes*: those of items that only the rules
    ask for. *counts*: how many items there are, where otherwise none and some are told apart.
    *sets*: how many players are in a set of players, and who they are where they sit side by side.
    So many items of each zone as are *listed* are remembered one by one, with all that is asked of
    them. *witnesses*: an item by which the formula is broken (`witnesses`).
    """

    seats: bool
    attributes: bool
    counts: bool
    sets: bool = False
    listed: int = 0
    witnesses: bool = False

    def __str__(self) -> str:
        kept = {
            "the order of seats": self.seats,
            "all attributes": self.attributes,
            "numbers of items": self.counts,
        }
        if self.sets:
            kept["numbers of players"] = True
        if self.listed:
            kept[f"the first {self.listed} items of each zone"] = True
        if self.witnesses:
            kept["items that break the formula"] = True
        return ", ".join(f"with{'' if yes else 'out'} {what}" for what, yes in kept.items())


REMEMBERED = ("seats", "attributes", "counts", "sets", "witnesses")
"""What a certificate says of its encoding: what in `Precision` it remembers."""


def encoding(program: ir.Program, question: f.Property, precision: Precision) -> Encoding:
    """Return the encoding of *question*, which asks of no clause spotlight, with so much
    *precision*.

    Its lemmas are watched, so that an invariant can speak of them; nothing is taken for granted.
    """
    if question.is_of_clauses:
        raise UnsupportedError("what is asked of each clause in turn")
    if question.mode == "future":
        raise UnsupportedError("what nests words about the future")
    if question.mode not in ("always", "possible"):
        raise UnsupportedError(
            "what must eventually happen takes a ranking function, not an invariant"
        )
    question = with_witnesses(program, question) if precision.witnesses else question
    good = question.body if question.mode == "always" else f.Not(question.body)
    spotlights, lemmas = instances(question)
    watched = f.And((good, *(lemma.formula for lemma in lemmas)))
    seen = relevant(program, watched)
    named = tuple(spotlight.name for spotlight in spotlights if spotlight.kind == "player")
    items = tuple(spotlight.name for spotlight in spotlights if spotlight.kind == "item")
    players = make_players(program.players, named, loose=not precision.seats)
    kept = seen.attributes if precision.attributes else seen.spoken_of
    tops = frozenset((zone, name) for zone, name in seen.tops if name in kept)
    counted = precision.sets and precision.seats and not players.exact
    tops = frozenset() if precision.listed else tops
    context = EncodingContext(
        seen.program,
        players,
        items,
        seen.attributes,
        kept,
        tops,
        seen.variables,
        precision.counts,
        counted,
        precision.listed,
    )
    if kept != seen.attributes:
        context.weakenings.add(Weakening.FORGOTTEN_ATTRIBUTES)
    _number_values(context)
    layout = CellLayout(context, seen.constant)
    monitor = EncodedMonitor(watched)
    assert isinstance(monitor.plan.truth, And)
    asked, *said = monitor.plan.truth.parts
    return Encoding(
        layout.with_bits(len(monitor.plan.bits)),
        monitor,
        asked,
        tuple(zip((one.name for one in lemmas), said, strict=True)),
    )


def _is_of_stage(said: Said) -> bool:
    """Whether *said* asks what is enabled, and nothing but the position beside that."""
    spoken_of = {about(part.leaf) if isinstance(part, Atom) else "past" for part in asked_in(said)}
    return "enabled" in spoken_of and not spoken_of & {"move", "past"}


def _number_values(context: EncodingContext) -> None:
    """Give each named value its number, those of one type next to each other where they can be."""
    types = [variable.type for variable in context.program.variables]
    types += [attribute.type for attribute in context.program.attributes]
    types += [parameter.type for stage in context.program.stages for parameter in stage.parameters]
    for type_ in types:
        if isinstance(type_, ir.EnumType):
            for value in type_.values:
                context.code(value)
    for kind in context.program.kinds:
        context.code(kind.name)
