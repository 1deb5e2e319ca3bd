"""Conditions: what formulas say at a moment, as conditions of Python over the position reached and the marks of the move.

Everything but the past is the same for a formula that is watched alone (`monitor`) and for step formulas that
are watched together (`steps`); each says by itself what is remembered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TypeAlias, assert_never

from ....models import ir
from ....models.ir.parts import expressions, locals_in
from ....properties import formula as f
from ....properties.parts import formulas as parts_of
from ...slicing.sorts import player
from ...types.position import OVER
from ..layout.layout import UNSEEN
from ..moves.state import Bound, Here
from ..moves.writer import Function
from .enabled import Enabled
from .watched import MAY, PASSES, Watched

Past: TypeAlias = f.Previously | f.Once | f.Since
_OfPosition: TypeAlias = f.Holds | f.HasPriority | f.AtStage | f.GameIsOver
_OfItem: TypeAlias = f.On | f.IsNext
_OfEnabled: TypeAlias = f.Enabled | f.ClausePossible | f.Gap | f.Conflict
_OfMove: TypeAlias = f.ItemEvent | f.PlayerEvent | f.Uses | f.SequenceEvent


class Conditions(ABC):
    """Writes conditions to *function*; *items* are the item spotlights by their numbers in the layout."""

    def __init__(self, mode: Watched, enabled: Enabled, function: Function, items: Mapping[str, int]) -> None:
        self.mode, self.enabled, self.function, self.items = mode, enabled, function, items
        self.layout, self.values = mode.layout, mode.values
        self.here = Here(tuple(f"s{number}" for number in range(self.layout.words)))
        self.able = self.holders = ""
        for name, number in items.items():
            field = self.layout.extra.get(f"item {number}")
            code = "0" if field is None else self.values.read(field, self.here)
            self.here = self.here.bind(name, Bound(code, None, format=self.layout.formats.get(f"item {number}")))

    def bind_player(self, name: str, seat: str) -> None:
        """Let the player spotlight *name* stand for *seat*."""
        self.here = self.here.bind(name, Bound(seat, player(self.layout.players)))

    def prepare(self, *formulas: f.Formula) -> None:
        """Write what has to be known before the conditions of *formulas*: what is enabled in the position, and who has priority."""
        asked = {type(part) for part in parts_of(*formulas)}
        if asked & {f.Enabled, f.Gap, f.Conflict}:
            self.able = self.function.let("enabled", self.enabled.able(self.here))
        if f.HasPriority in asked:
            self.holders = self.function.let("holders", self.enabled.priority(self.here))

    # ------------------------------------------------------------------ what is true now

    def truth(self, formula: f.Formula) -> str:
        """Return the condition that *formula* is true now; write what it has to remember."""
        match formula:
            case f.Not(operand):
                return negated(self.truth(operand))
            case f.And(parts):
                return joined(" and ", "True", [self.truth(part) for part in parts])
            case f.Or(parts):
                return joined(" or ", "False", [self.truth(part) for part in parts])
            case f.Previously() | f.Once() | f.Since():
                return self.past(formula)
            case f.Holds() | f.HasPriority() | f.AtStage() | f.GameIsOver():
                return self._of_position(formula)
            case f.On() | f.IsNext():
                return self._of_item(formula)
            case f.Enabled() | f.ClausePossible() | f.Gap() | f.Conflict():
                return self._of_enabled(formula)
            case f.ItemEvent() | f.PlayerEvent() | f.Uses() | f.SequenceEvent():
                return self._of_move(formula)
            case _:
                assert_never(formula)

    @abstractmethod
    def past(self, node: Past) -> str:
        """Return the condition that *node* is true now."""

    def _of_position(self, formula: _OfPosition) -> str:
        match formula:
            case f.Holds(expression, items):
                return joined(" and ", "True", [*map(self.seen, items), self.values.condition(expression, self.here)])
            case f.HasPriority(None):
                return f"({self.holders} != 0)"
            case f.HasPriority(who):
                assert who is not None
                seat = self.values.code(who, self.here)
                return self._of_player(who, f"({self.holders} >> {seat} & 1 != 0)")
            case f.AtStage(stage):
                return self._at(stage) if stage in self.layout.stages else "False"
            case f.GameIsOver():
                return self._at(OVER)
            case _:
                assert_never(formula)

    def _of_item(self, formula: _OfItem) -> str:
        zone, zones = self.layout.zones[formula.zone], self.mode.zones
        place = self.values.read(self.mode.place(self.items[formula.item]), self.here)
        is_on = zones.is_on(place, zone)
        if isinstance(formula, f.On):
            return is_on
        return f"({is_on} and {place} == {zones.place(zone, self.values.end_at(zone, self.here))})"

    def _of_enabled(self, formula: _OfEnabled) -> str:
        able, bits = self.able, self.enabled.bits
        match formula:
            case f.Enabled(who, what):
                shift = 0 if what == "pass" else self.layout.players
                if who is None:
                    return f"({able} & {((1 << self.layout.players) - 1) << shift} != 0)"
                seat = self.values.code(who, self.here)
                return self._of_player(who, f"({seat} < {self.layout.players} and {able} >> {shift} + {seat} & 1 != 0)")
            case f.ClausePossible(clause):
                return self.enabled.possible(clause, self.here)
            case f.Gap():
                return f"({able} & {bits.any} == 0 and not {self._at(OVER)})"
            case f.Conflict():
                return self.enabled.conflict(able, self.here)
            case _:
                assert_never(formula)

    def _of_move(self, formula: _OfMove) -> str:
        match formula:
            case f.ItemEvent() | f.SequenceEvent():
                return f"(marks & {self.mode.mark(formula, self.items)} != 0)"
            case f.PlayerEvent(event, who):
                both, wanted = PASSES | MAY, PASSES if event == "passes" else MAY
                happens = f"(marks & {PASSES} != 0)" if event == "passes" else f"(marks & {both} == {wanted})"
            case f.Uses(clause, who):
                happens = f"(used == {self.mode.clauses[clause]})" if clause in self.mode.clauses else "False"
            case _:
                assert_never(formula)
        return happens if who is None else self._of_player(who, f"({happens} and me == {self.values.code(who, self.here)})")

    # ------------------------------------------------------------------ spotlights

    def is_at(self, item: str, place: int) -> str:
        """Return the condition that the spotlit *item* is at *place*."""
        return self.values.is_code(self.mode.place(self.items[item]), place, self.here)

    def seen(self, item: str) -> str:
        """Return the condition that the spotlit *item* has been put on a zone."""
        return f"(not {self.is_at(item, UNSEEN)})"

    def _of_player(self, who: ir.Expr, condition: str) -> str:
        """Return *condition*, which is false while *who* depends on an item not seen yet."""
        items = sorted(locals_in(expressions(who)) & set(self.items))
        return joined(" and ", "True", [*map(self.seen, items), condition])

    def _at(self, stage: str) -> str:
        return self.values.is_code(self.layout.stage, self.layout.stages[stage], self.here)


def negated(condition: str) -> str:
    """Return the opposite of *condition*."""
    return {"True": "False", "False": "True"}.get(condition, f"(not {condition})")


def joined(word: str, neutral: str, parts: list[str]) -> str:
    """Return *parts* joined with and or or; one that decides alone stands alone."""
    deciding = "False" if neutral == "True" else "True"
    kept = [part for part in parts if part != neutral]
    if deciding in kept:
        return deciding
    return f"({word.join(kept)})" if kept else neutral
