"""Evaluating: what a formula means at a moment of one finite play: the textbook definition.

In comes an interpreter and a `Trace` with its spotlights, out goes the truth of any formula at any
moment of it. Replay holds what the search found against this, and the tests hold the monitors
against it; it shares nothing with them but the interpreter.

NOTE(enabled): where a formula asks what may be done, the rules answer, and they have no scope.
Every move is made to its end without bounds, one that the scope cuts too: if it comes to an end it
is possible (and in as many ways as it does), and only then; it is a pass if it passes anywhere;
where it leads is compared as it is. A play that comes to where no move is possible so has ended.
Nothing else looks at what is beyond the scope.

NOTE(moment): at moment *k* everything is said of move *k* and of the position it leads to; so a
player named by an expression is the one it names in that position (``active passes``).

Grounding: a formula, and what its spotlights stand for -> the formula without them.

Players become their seats, and what is asked of an item (its kind, controller, attributes, as they
are now) becomes the answer. What is said of an item not seen yet becomes false. Where an item *is*,
and what happens to it, stays as it is; the monitor follows the item.

The logic of the formula is kept node by node, so that its past subformulas keep their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias, TypeVar, assert_never

from ....models import ir
from ....models.ir.analysis import is_moving
from ....models.ir.parts import expressions as expressions_in
from ....models.ir.parts import locals_in, of_expressions
from ....models.options.configure import joined
from ....properties import formula as f
from ....properties.formula import of_formulas
from ...types.position import OVER, Event, Item, Move, Position, SpotlitItem, Trace
from ..semantics.events import is_said_of
from ..semantics.expressions import Expressions, ItemPlace
from ..semantics.interpreter import Interpreter

Spotlit: TypeAlias = Mapping[str, int | Item | None]
"""What the spotlights stand for: a seat, an item, or None for an item not seen yet."""
T = TypeVar("T")

TRUE: f.Formula = f.And(())
FALSE: f.Formula = f.Or(())


def ground(formula: f.Formula, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    """Return *formula* with its spotlights replaced by what they stand for."""
    return ir.rewrite(formula, of_formulas(lambda part: _ground(part, spotlit, expressions)))


def _ground(formula: f.Formula, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    """Return *formula* so, if it has no parts or if they are ground already."""
    match formula:
        case f.Compound():
            return formula
        case f.Holds(expression, items):
            if any(spotlit[item] is None for item in items):
                return FALSE
            value = _constant_folded(_substituted(expression, spotlit, expressions), expressions)
            return (
                (TRUE if value.value else FALSE)
                if isinstance(value, ir.Literal)
                else f.Holds(value)
            )
        case (
            f.HasPriority(player) | f.Enabled(player) | f.PlayerEvent(_, player) | f.Uses(_, player)
        ):
            if player is None:
                return formula
            seat = _seat(player, spotlit, expressions)
            if seat is None:
                return FALSE
            if isinstance(seat, ir.Literal):
                return FALSE if seat.value is None else replace(formula, player=seat)
            # A player that depends on the position is always one of the players.
            return f.Or(
                tuple(
                    f.And((f.Holds(ir.Equal(seat, who)), replace(formula, player=who)))
                    for who in map(ir.Literal, range(expressions.players))
                )
            )
        case f.LeafOfPosition() | f.LeafOfEnabled() | f.ItemEvent() | f.SequenceEvent():
            return formula
        case _:
            assert_never(formula)


def _seat(player: ir.Expr, spotlit: Spotlit, expressions: Expressions) -> ir.Expr | None:
    """Return *player* without spotlights; None if it depends on an item not seen yet."""
    if any(spotlit[name] is None for name in locals_in(expressions_in(player))):
        return None
    return _constant_folded(_substituted(player, spotlit, expressions), expressions)


def _substituted(expression: ir.Expr, spotlit: Spotlit, expressions: Expressions) -> ir.Expr:
    """Return *expression* with literals in the place of spotlit players and of what it asks of
    spotlit items.
    """

    def change(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Local(name) if isinstance(who := spotlit.get(name), int) and not isinstance(
                who, Item
            ):
                return ir.Literal(who)
            case ir.AttributeOf(ir.Local(name), attribute) if isinstance(
                item := spotlit.get(name), Item
            ):
                return ir.Literal(expressions.attribute(attribute)(item))
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return expr  # it names no spotlight, or in its parts only
            case _:
                assert_never(expr)

    return ir.rewrite(expression, of_expressions(change))


def _constant_folded(expression: ir.Expr, expressions: Expressions) -> ir.Expr:
    """Return *expression* with its constant parts computed."""

    def change(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.All(parts):
                return joined(parts, ir.All, neutral=ir.YES)
            case ir.Any(parts):
                return joined(parts, ir.Any, neutral=ir.NO)
            case ir.Not() | ir.Equal() | ir.OneOf() | ir.Less() | ir.Contains() if _is_constant(
                expr
            ):
                return ir.Literal(bool(expressions.constant(expr)))
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return expr  # it depends on the position, is no condition, or does not decide one
            case _:
                assert_never(expr)

    folded = ir.rewrite(expression, of_expressions(change))
    return ir.Literal(expressions.constant(folded)) if _is_constant(folded) else folded


def _is_constant(expression: ir.Expr) -> bool:
    return not any(map(is_moving, expressions_in(expression)))


_OfItem: TypeAlias = f.On | f.IsNext | f.ItemEvent
_OfMove: TypeAlias = f.PlayerEvent | f.Uses | f.SequenceEvent


class Evaluator:
    """The truth of formulas along one play."""

    def __init__(self, interpreter: Interpreter, trace: Trace) -> None:
        self.interpreter = interpreter
        self.zones = interpreter.expressions.zone_numbers
        self.positions = trace.positions
        self.moves: list[Move | None] = [None, *(step.move for step in trace.steps)]
        self.seats = {name: who for name, who in trace.spotlights if isinstance(who, int)}
        self.items = {name: who for name, who in trace.spotlights if isinstance(who, SpotlitItem)}
        self.lives = {name: self._life(item) for name, item in self.items.items()}
        self.enabled: dict[int, list[tuple[Move, Position]]] = {}

    def holds(self, formula: f.Formula, moment: int) -> bool:
        """Whether *formula* is true at *moment*."""
        position = self.positions[moment]
        match formula:
            case f.Not(operand):
                return not self.holds(operand, moment)
            case f.And(parts):
                return all(self.holds(part, moment) for part in parts)
            case f.Or(parts):
                return any(self.holds(part, moment) for part in parts)
            case f.Previously(operand):
                return moment > 0 and self.holds(operand, moment - 1)
            case f.Once(operand):
                return any(self.holds(operand, earlier) for earlier in range(moment + 1))
            case f.Since(left, right):
                return any(
                    self.holds(right, earlier)
                    and all(self.holds(left, later) for later in range(earlier + 1, moment + 1))
                    for earlier in range(moment + 1)
                )
            case f.Holds(expression, items):
                return all(self._seen(item, moment) for item in items) and bool(
                    self._value(expression, moment)
                )
            case f.HasPriority(None):
                return bool(self.interpreter.priority(position))
            case f.HasPriority(player):
                return player is not None and self._player(
                    player, moment
                ) in self.interpreter.priority(position)
            case f.AtStage(stage):
                return position.stage == stage
            case f.GameIsOver():
                return position.stage == OVER
            case f.On() | f.IsNext() | f.ItemEvent():
                return self._of_item(formula, moment)
            case f.LeafOfEnabled():
                return self._of_enabled(formula, moment)
            case f.PlayerEvent() | f.Uses() | f.SequenceEvent():
                move = self.moves[moment]
                return move is not None and self._of_move(formula, move, moment)
            case _:
                assert_never(formula)

    def _of_enabled(self, formula: f.OfEnabled, moment: int) -> bool:
        if moment not in self.enabled:
            self.enabled[moment] = self.interpreter.allowed(self.positions[moment])
        found = self.enabled[moment]
        match formula:
            case f.Enabled(player, what):
                able = {
                    move.owner
                    for move, _ in found
                    if self._is_may(move) and _passes(move) == (what == "pass")
                }
                return bool(able) if player is None else self._player(player, moment) in able
            case f.ClausePossible(clause):
                return any(move.clause == clause for move, _ in found)
            case f.Gap():
                return not found and self.positions[moment].stage != OVER
            case f.Conflict():
                return self._conflict(found)
            case _:
                assert_never(formula)

    def _conflict(self, found: list[tuple[Move, Position]]) -> bool:
        """Whether two must clauses lead to different positions, or a must clause stands beside a
        may clause.
        """
        modes = {self.interpreter.clauses[move.clause].mode for move, _ in found}
        outcomes: dict[str, set[Position]] = {}
        for move, target in found:
            if self.interpreter.clauses[move.clause].mode == "must":
                outcomes.setdefault(move.clause, set()).add(target)
        return {"may", "must"} <= modes or any(
            one != other for one in outcomes.values() for other in outcomes.values()
        )

    def _of_item(self, formula: _OfItem, moment: int) -> bool:
        if isinstance(formula, f.ItemEvent):
            move, item = self.moves[moment], formula.item
            events = move.events if move is not None else ()
            if item is not None:
                concerned = self.lives[item][moment][0] if self._seen(item, moment) else []
                events = tuple(events[number] for number in concerned)
            return any(is_said_of(formula, event, self.zones) for event in events)
        place = self._item_place(formula.item, moment)
        if place is None or place[0] != self.zones[formula.zone]:
            return False
        last = len(self.positions[moment].zones[place[0]]) - 1
        return isinstance(formula, f.On) or place[1] == (
            last if self.interpreter.expressions.lifo[formula.zone] else 0
        )

    def _of_move(self, formula: _OfMove, move: Move, moment: int) -> bool:
        match formula:
            case f.PlayerEvent("passes", player):
                passers = {event.player for event in move.events if event.kind == "passes"}
                return bool(passers) if player is None else self._player(player, moment) in passers
            case f.PlayerEvent("chooses", player):
                choosers = {choice.by for choice in move.choices} - {"rules", "cards"}
                return (
                    bool(choosers) if player is None else self._player(player, moment) in choosers
                )
            case f.PlayerEvent(_, player):
                acts = self._is_may(move) and not _passes(move)
                return acts and (player is None or self._player(player, moment) == move.owner)
            case f.Uses(clause, player):
                return move.clause == clause and (
                    player is None or self._player(player, moment) == move.owner
                )
            case f.SequenceEvent():
                return any(is_said_of(formula, event, self.zones) for event in move.events)
            case _:
                assert_never(formula)

    # ------------------------------------------------------------------ spotlights

    def _value(self, expression: ir.Expr, moment: int) -> object:
        items = {name: (life[moment][2], None) for name, life in self.lives.items()}
        bound: dict[str, object] = {**self.seats, **items}
        return self.interpreter.evaluate(expression, tuple(bound))(
            self.positions[moment], tuple(bound.values())
        )

    def _player(self, player: ir.Expr, moment: int) -> object:
        """Return the seat that *player* names; ``"nobody"`` if it names nobody, or depends on an
        item not seen yet.
        """
        if not all(
            name in self.seats or self._seen(name, moment)
            for name in locals_in(expressions_in(player))
        ):
            return "nobody"
        return "nobody" if (seat := self._value(player, moment)) is None else seat

    def _seen(self, item: str, moment: int) -> bool:
        return item in self.items and moment >= self.items[item].since

    def _item_place(self, item: str, moment: int) -> ItemPlace | None:
        return self.lives[item][moment][1] if self._seen(item, moment) else None

    def _life(self, item: SpotlitItem) -> list[tuple[list[int], ItemPlace | None, Item]]:
        """Return, for each moment, the numbers of the move's events that concern *item*, its place
        in the position, and what it is there.

        The item is followed by putting a mark in its place: every zone is kept as a list of marks,
        and every event is done to these lists.
        """
        zones: list[list[bool]] = [[] for _ in self.zones]
        life: list[tuple[list[int], ItemPlace | None, Item]] = []
        now = item.item
        for moment, move in enumerate(self.moves):
            concerned = []
            for number, event in enumerate(move.events if move is not None else ()):
                if follow_marks(event, zones, (moment, number) == (item.since, item.event)):
                    concerned.append(number)
                    now = event.item if event.kind == "changes" and event.item is not None else now
            places = [
                (zone, marks.index(True)) for zone, marks in enumerate(zones) if True in marks
            ]
            life.append((concerned, places[0] if places else None, now))
        return life

    def _is_may(self, move: Move) -> bool:
        return self.interpreter.clauses[move.clause].mode == "may"


def follow_marks(event: Event, zones: list[list[T]], born: T) -> T | None:
    """Do *event* to the marks on *zones*, that of a new item being *born*; return the mark of the
    item that took part, if one did.
    """
    match event.kind:
        case "put":
            zones[event.zone].insert(event.at, born)
            return born
        case "move" | "changes":
            mark = zones[event.zone].pop(event.at)
            zones[event.to_zone].insert(event.to_at, mark)
            return mark
        case "resolves" | "is removed":
            return zones[event.zone].pop(event.at)
        case "begins resolving":
            return zones[event.zone][event.at]
        case "passes" | "step ends" | "sequence ends" | "sequence begins" | "step begins":
            return None
        case _:
            assert_never(event.kind)


def _passes(move: Move) -> bool:
    return any(event.kind == "passes" for event in move.events)
