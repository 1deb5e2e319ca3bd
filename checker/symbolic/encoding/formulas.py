"""Formulas at a moment of the encoding: what a formula says of a move and the position it leads to,
as a term.

What is remembered of the past are the bits of a plan (`watching.plan`). ``previously`` of what the
position alone decides needs none, for the position before the move is at hand; what was enabled in
it is not asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

import z3

from ....models import ir
from ....models.ir.parts import expressions, locals_in
from ....properties import formula as f
from ....properties.parts import speaks_of
from ...types.position import OVER
from ...watching.plan import And, Atom, Before, Gone, New, Not, Old, Or, Said, plan
from ..position.expressions import evaluate, holds, is_nobody
from ..position.frame import GONE, ItemTerm, PlayerSet, SymbolicEvent, SymbolicFrame, SymbolicValue
from ..position.sets import contains
from ..position.weakenings import UnsupportedError
from ..solver import terms as t
from .enabled import ClausePaths, options, possible


@dataclass(frozen=True)
class EncodedPosition:
    """A position: its *frame*, its *stage* and the *arguments* of that. *options* is filled when it
    is first asked what is enabled.
    """

    frame: SymbolicFrame
    stage: str
    arguments: tuple[SymbolicValue, ...]
    options: list[ClausePaths] = field(default_factory=list)

    @classmethod
    def at(cls, stage: ir.Stage, frame: SymbolicFrame) -> EncodedPosition:
        """Return the position of *frame*, whose locals are the arguments of *stage*."""
        return cls(frame, stage.name, tuple(frame.locals.values()))


@dataclass(frozen=True)
class EncodedMove:
    """A move: its clause, the clause's mode, its owner if that is a player, and its events."""

    clause: str
    mode: str
    owner: t.Integer | None
    events: tuple[SymbolicEvent, ...]


@dataclass
class EncodedMoment:
    """A *move* (None at moment 0) from the position *before* to the one *here*; *bits* are the
    monitor's before it, *new* after it.
    """

    here: EncodedPosition
    before: EncodedPosition | None = None
    move: EncodedMove | None = None
    bits: tuple[t.Bool, ...] = ()
    new: list[t.Bool] = field(default_factory=list)


class EncodedMonitor:
    """The monitor of one formula: its plan at the moments of the encoding."""

    def __init__(self, formula: f.Formula) -> None:
        self.formula = formula
        self.plan = plan(formula, _is_at_hand, shares=True)

    def look(self, moment: EncodedMoment) -> tuple[t.Bool, ...]:
        """Return the bits to remember of *moment*; after that any part of the plan can be asked for
        its truth.
        """
        for bit in self.plan.bits:
            moment.new.append(self.truth(moment, bit.update))
        return tuple(moment.new)

    def truth(self, moment: EncodedMoment, said: Said | None = None) -> t.Bool:
        """Return whether *said* (None: the formula) is true at *moment*; the bits it asks for are
        known.
        """
        match said or self.plan.truth:
            case Not(operand):
                return t.negation(self.truth(moment, operand))
            case And(parts):
                return t.all_of([self.truth(moment, part) for part in parts])
            case Or(parts):
                return t.any_of([self.truth(moment, part) for part in parts])
            case Before(number):
                return (
                    t.FALSE
                    if moment.before is None
                    else self.truth(EncodedMoment(moment.before), self.plan.before[number])
                )
            case Old(number):
                return t.FALSE if moment.move is None else moment.bits[number]
            case New(number):
                return moment.new[number]
            case Gone(item):
                return t.equal(moment.here.frame.spots[item].where, t.number(GONE))
            case Atom(leaf):
                return _leaf(leaf, moment)
            case other:
                assert_never(other)


def _is_at_hand(part: f.Formula) -> bool:
    return not speaks_of(part, "move", "past", "enabled")


def _leaf(leaf: f.Leaf, moment: EncodedMoment) -> t.Bool:
    here = moment.here
    match leaf:
        case f.Holds(expression, items):
            seen = t.all_of([here.frame.seen(item) for item in items])
            return t.FALSE if t.is_false(seen) else t.both(seen, holds(expression, _with(here, {})))
        case f.HasPriority(player):
            return _has_priority(player, here)
        case f.On(item, zone):
            return here.frame.on(item, zone)
        case f.IsNext(item, zone):
            return t.both(
                here.frame.on(item, zone), t.equal(here.frame.spots[item].place, t.number(0))
            )
        case f.AtStage(stage):
            return t.truth(here.stage == stage)
        case f.GameIsOver():
            return t.truth(here.stage == OVER)
        case f.LeafOfEnabled():
            return _of_enabled(leaf, here)
        case f.LeafOfMove():
            return t.FALSE if moment.move is None else _of_move(leaf, moment.move, here)
        case _:
            assert_never(leaf)


def _of_enabled(formula: f.OfEnabled, here: EncodedPosition) -> t.Bool:
    if here.stage == OVER:
        return t.FALSE
    if not here.options:
        here.options.append(
            options(here.frame.context.program.stage(here.stage), here.arguments, here.frame)
        )
    who = (
        _player(formula.player, here)
        if isinstance(formula, f.Enabled) and formula.player is not None
        else None
    )
    return possible(formula, here.options[0], who, here.frame)


def _has_priority(player: ir.Expr | None, here: EncodedPosition) -> t.Bool:
    stage = next(
        (stage for stage in here.frame.context.program.stages if stage.name == here.stage), None
    )
    if stage is None or stage.priority is None:
        return t.FALSE
    frame = _with(here, dict(zip((p.name for p in stage.parameters), here.arguments, strict=True)))
    holder = evaluate(stage.priority, frame)
    who = None if player is None else _player(player, here)
    if isinstance(holder, PlayerSet):
        if who is not None:
            return t.both(who[1], contains(holder, who[0], here.frame))
        if holder.run is not None:
            return t.less(t.number(0), holder.run.size)
        someone = here.frame.seat("someone")
        answer = here.frame.context.fresh_truth("someone has priority")
        if here.frame.context.players.exact:
            return t.any_of(holder.members)
        for inside in holder.members:
            here.frame.assume(t.implies(inside, answer))
        here.frame.assume(t.implies(answer, contains(holder, someone, here.frame)))
        return answer
    assert isinstance(holder, z3.ArithRef)
    is_somebody = t.negation(is_nobody(holder))
    return is_somebody if who is None else t.all_of((who[1], is_somebody, t.equal(holder, who[0])))


def _player(player: ir.Expr, here: EncodedPosition) -> tuple[t.Integer, t.Bool]:
    """Return whom *player* names here, and whether it names anybody: nothing is said of an item not
    seen yet, nor of nobody.
    """
    asked = locals_in(expressions(player)) & set(here.frame.spots)
    seen = t.all_of([here.frame.seen(item) for item in sorted(asked)])
    who = evaluate(player, _with(here, {}))
    assert isinstance(who, z3.ArithRef)
    return who, t.both(seen, t.negation(is_nobody(who)))


def _with(here: EncodedPosition, locals_: dict[str, SymbolicValue]) -> SymbolicFrame:
    """Return the frame of *here* with the spotlights, or else *locals_*, as its locals; what it
    requires, *here* requires.
    """
    frame = here.frame.copy()
    frame.conditions, frame.facts = here.frame.conditions, here.frame.facts
    frame.shared = frozenset()  # the locals are others than those of the clause
    items = {
        name: ItemTerm("", None, spot.attributes, {}) for name, spot in here.frame.spots.items()
    }
    frame.locals = {**here.frame.context.players.spotlights, **items, **locals_}
    return frame


# ------------------------------------------------------------------ about the move


def _of_move(formula: f.OfMove, move: EncodedMove, here: EncodedPosition) -> t.Bool:
    match formula:
        case f.ItemEvent(word, item, zone):
            kinds = {
                "is put on": ("put", "move"),
                "leaves": ("move", "resolves", "is removed"),
            }.get(word, (word,))
            return t.any_of(
                t.both(event.when, t.TRUE if item is None else event.same[item])
                for event in move.events
                if event.kind in kinds and zone in (None, _zone_of(word, event))
            )
        case f.PlayerEvent("passes", player):
            passers = [event.player for event in move.events if event.kind == "passes"]
            return _is_player(player, passers, here)
        case f.PlayerEvent("chooses"):
            raise UnsupportedError("who makes a choice")
        case f.PlayerEvent(_, player):
            passes = any(event.kind == "passes" for event in move.events)
            return (
                t.FALSE if passes or move.mode != "may" else _is_player(player, [move.owner], here)
            )
        case f.Uses(clause, player):
            if clause != move.clause:
                return t.FALSE
            return t.TRUE if player is None else _is_player(player, [move.owner], here)
        case f.SequenceEvent(word, None):
            return t.any_of(event.when for event in move.events if event.kind == f"step {word}")
        case f.SequenceEvent(word, sequence):
            return t.any_of(
                event.when
                for event in move.events
                if event.kind == f"sequence {word}" and event.sequence == sequence
            )
        case _:
            assert_never(formula)


def _is_player(
    player: ir.Expr | None, players: list[t.Integer | None], here: EncodedPosition
) -> t.Bool:
    """Whether *player* (None: anybody) is one of *players*, of whom None is no player."""
    if player is None:
        return t.truth(bool(players))
    who, named = _player(player, here)
    return t.both(named, t.any_of(t.equal(who, other) for other in players if other is not None))


def _zone_of(word: str, event: SymbolicEvent) -> str:
    return event.to_zone if word == "is put on" and event.kind == "move" else event.zone
