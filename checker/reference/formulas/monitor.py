"""Monitors: a formula about the past as a finite automaton.

In comes a ground formula (`ground`), out goes a `Monitor` that remembers one bit for each past
subformula and needs nothing else of the play: Havelund and Rosu, "Synthesizing monitors for safety
properties" (TACAS 2002). At each moment the past subformulas are computed from the inside out, from
what is true now and their bits of the moment before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from ....models import ir
from ....properties import formula as f
from ...types.position import Event, Move
from ..semantics.events import is_said_of
from ..semantics.expressions import ItemPlace
from ..semantics.interpreter import Interpreter

Signal: TypeAlias = (
    f.Holds
    | f.HasPriority
    | f.Enabled
    | f.ClausePossible
    | f.AtStage
    | f.GameIsOver
    | f.Gap
    | f.Conflict
)
"""A ground statement about the position alone."""


@dataclass(slots=True)
class Now:
    """One moment, as a monitor sees it.

    *signals* are the values of the monitor's signals in the position; *move* the move, None at
    moment 0; *events* those of each spotlit item, *places* where the items are now.
    """

    signals: tuple[int, ...]
    move: Move | None
    events: Mapping[str, tuple[Event, ...]]
    places: Mapping[str, ItemPlace | None]
    past: list[bool] = field(default_factory=list)


Truth: TypeAlias = Callable[[Now], bool]


class Monitor:
    """A deterministic monitor of one ground formula; `signals` is what it wants to know of each
    position.
    """

    def __init__(self, formula: f.Formula, interpreter: Interpreter) -> None:
        self.formula = formula
        self.signals: list[Signal] = []
        self._interpreter = interpreter
        self._zones = interpreter.expressions.zone_numbers
        self._past: list[tuple[f.Past, tuple[Truth, ...]]] = []
        self._numbers: dict[int, int] = {}
        self._parts = [
            self._compile(part)
            for part in (formula.parts if isinstance(formula, f.And) else (formula,))
        ]

    def step(self, bits: int, now: Now) -> tuple[bool, int]:
        """Return whether the formula is true now, and the bits to remember; before moment 0 they
        are all 0.
        """
        truths, new = self.true_parts(bits, now)
        return all(truths), new

    def true_parts(self, bits: int, now: Now) -> tuple[tuple[bool, ...], int]:
        """Return which parts of the formula, a conjunction, are true now, and the bits to remember;
        what is so of the past now is in *now* afterwards.
        """
        past, new = now.past, 0
        for number, (node, operands) in enumerate(self._past):
            before = bool(bits >> number & 1)
            first = operands[0](now)
            match node:
                case f.Previously():
                    value, remembered = before, first
                case f.Once():
                    value = remembered = first or before
                case f.Since():
                    value = remembered = operands[1](now) or (first and before)
                case _:
                    assert_never(node)
            past.append(value)
            new |= remembered << number
        return tuple([part(now) for part in self._parts]), new

    def never_true(self, bits: int, gone: frozenset[str]) -> bool:
        """Whether the formula can be true at no later moment of any play; all items have been seen,
        and some are *gone*.
        """
        return self._ever(self.formula, bits, gone) is False

    # ------------------------------------------------------------------ what a formula says now

    def _compile(self, formula: f.Formula) -> Truth:
        match formula:
            case f.Not(operand):
                value = self._compile(operand)
                return lambda now: not value(now)
            case f.And(parts):
                every = [self._compile(part) for part in parts]
                return lambda now: all(part(now) for part in every)
            case f.Or(parts):
                some = [self._compile(part) for part in parts]
                return lambda now: any(part(now) for part in some)
            case f.Previously(operand) | f.Once(operand):
                return self._remember(formula, self._compile(operand))
            case f.Since(left, right):
                return self._remember(formula, self._compile(left), self._compile(right))
            case f.ItemEvent(_, str(item)):
                return lambda now: any(
                    is_said_of(formula, event, self._zones) for event in now.events[item]
                )
            case f.On(item, zone):
                wanted = self._zones[zone]
                return lambda now: (place := now.places[item]) is not None and place[0] == wanted
            case f.IsNext(item, zone):
                wanted = self._zones[zone]
                if not self._interpreter.expressions.lifo[zone]:
                    return lambda now: now.places[item] == (wanted, 0)
                size = self._signal(f.Holds(ir.Size(zone)))
                return lambda now: now.places[item] == (wanted, now.signals[size] - 1)
            case f.PlayerEvent() | f.Uses() | f.SequenceEvent() | f.ItemEvent():
                return lambda now: (
                    now.move is not None and said_of_move(formula, now.move, self._interpreter)
                )
            case f.LeafOfPosition() | f.LeafOfEnabled():
                number = self._signal(formula)
                return lambda now: bool(now.signals[number])
            case _:
                assert_never(formula)

    def _remember(self, node: f.Past, *operands: Truth) -> Truth:
        number = self._numbers[id(node)] = len(self._past)
        self._past.append((node, operands))
        return lambda now: now.past[number]

    def _signal(self, signal: Signal) -> int:
        if signal not in self.signals:
            self.signals.append(signal)
        return self.signals.index(signal)

    # ----------------------------------------------------------------- what a formula can still say

    def _ever(self, formula: f.Formula, bits: int, gone: frozenset[str]) -> bool | None:
        """Return the truth of *formula* at all later moments, None if it is not known (Kleene's
        logic).
        """
        match formula:
            case f.Not(operand):
                value = self._ever(operand, bits, gone)
                return None if value is None else not value
            case f.And(parts):
                values = [self._ever(part, bits, gone) for part in parts]
                return False if False in values else None if None in values else True
            case f.Or(parts):
                values = [self._ever(part, bits, gone) for part in parts]
                return True if True in values else None if None in values else False
            case f.Previously(operand):
                value = self._ever(operand, bits, gone)
                return value if value is self._was(formula, bits) else None
            case f.Once(operand):
                return True if self._was(formula, bits) else self._ever(operand, bits, gone)
            case f.Since(left, right):
                value, was = self._ever(right, bits, gone), self._was(formula, bits)
                if value is False and (not was or self._ever(left, bits, gone) is False):
                    return False
                return True if value is True else None
            case f.On(item) | f.IsNext(item) | f.ItemEvent(_, item):
                return False if item in gone else None
            case f.LeafOfPosition() | f.LeafOfEnabled():
                return None
            case f.PlayerEvent() | f.Uses() | f.SequenceEvent():
                return None
            case _:
                assert_never(formula)

    def _was(self, formula: f.Past, bits: int) -> bool:
        return bool(bits >> self._numbers[id(formula)] & 1)


def said_of_move(formula: f.OfMove, move: Move, interpreter: Interpreter) -> bool:
    """Whether a ground statement about the move alone is true of *move*."""
    passes = [event.player for event in move.events if event.kind == "passes"]
    match formula:
        case f.PlayerEvent("passes", player):
            return bool(passes) if player is None else seat_of(player) in passes
        case f.PlayerEvent("chooses", player):
            return any(
                isinstance(one.by, int) if player is None else one.by == seat_of(player)
                for one in move.choices
            )
        case f.PlayerEvent(_, player):
            is_act = not passes and interpreter.clauses[move.clause].mode == "may"
            return is_act and (player is None or seat_of(player) == move.owner)
        case f.Uses(clause, player):
            return clause == move.clause and (player is None or seat_of(player) == move.owner)
        case f.SequenceEvent() | f.ItemEvent():
            return any(
                is_said_of(formula, event, interpreter.expressions.zone_numbers)
                for event in move.events
            )
        case _:
            assert_never(formula)


def seat_of(player: ir.Expr) -> object:
    """Return the seat of a *player* in a ground formula."""
    assert isinstance(player, ir.Literal)
    return player.value
