"""Monitors: what a formula says at a moment, as text.

In comes a formula about the past, out goes the function ``watch``: from the position reached, whose move
it was and the marks, it makes the field *past* of that position (`watched`). A past subformula has one bit
and is computed from the inside out, from what is true now and its bit of the moment before: Havelund and Rosu,
"Synthesizing monitors for safety properties" (TACAS 2002). Where the formula can no longer become true,
whatever happens, the function returns -1 and the play is followed no further.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from ...models import ir
from ...properties import formula as f
from ..position import OVER
from .enabled import Enabled
from .here import Bound, Here
from .layout import GONE, UNSEEN
from .modes import BITS
from .sorts import player
from .text import Function
from .values import Values
from .watched import MAY, PASSES, Watched

_Past: TypeAlias = f.Previously | f.Once | f.Since
_OfPosition: TypeAlias = f.Holds | f.HasPriority | f.AtStage | f.GameIsOver
_OfItem: TypeAlias = f.On | f.IsNext
_OfEnabled: TypeAlias = f.Enabled | f.ClausePossible | f.Gap | f.Conflict
_OfMove: TypeAlias = f.ItemEvent | f.PlayerEvent | f.Uses | f.SequenceEvent


def past_bits(formula: f.Formula) -> int:
    """Return how many bits the field *past* has: one for each past subformula."""
    return sum(isinstance(node, f.Previously | f.Once | f.Since) for node in ir.walk(formula))


class Monitor:
    """Writes ``watch`` for one formula."""

    def __init__(self, formula: f.Formula, mode: Watched, values: Values, enabled: Enabled, seats: Sequence[str]) -> None:
        self.mode, self.values, self.enabled, self.layout = mode, values, enabled, values.layout
        words = tuple(f"s{number}" for number in range(self.layout.words))
        self.function = Function("watch", (*words, "me", "marks", "out", "n"))
        self.here = self._with_spotlights(Here(words), seats)
        self._numbers: dict[int, int] = {}
        self._new: list[str] = []
        self.before = self.function.let("before", self.values.read(self.layout.extra["past"], self.here))
        enabled.prepare(self.function, self.here, formula)
        now = self._truth(formula)
        self._finish(formula, now)

    def _with_spotlights(self, here: Here, seats: Sequence[str]) -> Here:
        for name in seats:
            here = here.bind(name, Bound(self.values.read(self.layout.extra[f"seat of {name}"], here), player(self.layout.players)))
        for name in self.mode.items:
            field = self.layout.extra.get(f"item {name}")
            here = here.bind(name, Bound("0" if field is None else self.values.read(field, here), None))
        return here

    def _finish(self, formula: f.Formula, now: str) -> None:
        with self.function.block(f"if {now}:"):
            self.function.line(f"out[{BITS}] |= 1")
            self.function.line(f"return {' | '.join(self._new) or '0'}")
        seen = [f"not {self._is(item, UNSEEN)}" for item in self.mode.items]
        never = self._never(formula)
        if never != "False":
            with self.function.block(f"if {' and '.join([*seen, never])}:"):
                self.function.line("return -1")
        self.function.line(f"return {' | '.join(self._new) or '0'}")

    # ------------------------------------------------------------------ what is true now

    def _truth(self, formula: f.Formula) -> str:
        """Return the condition that *formula* is true now; write what it has to remember."""
        match formula:
            case f.Not(operand):
                return f"(not {self._truth(operand)})"
            case f.And(parts):
                return _joined(" and ", "True", [self._truth(part) for part in parts])
            case f.Or(parts):
                return _joined(" or ", "False", [self._truth(part) for part in parts])
            case f.Previously() | f.Once() | f.Since():
                return self._past(formula)
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

    def _past(self, node: _Past) -> str:
        match node:
            case f.Previously(operand):
                remembered, value = self._truth(operand), ""
            case f.Once(operand):
                remembered = f"({self._truth(operand)} or {{before}})"
                value = "new"
            case f.Since(left, right):
                held = self._truth(left)
                remembered = f"({self._truth(right)} or {held} and {{before}})"
                value = "new"
            case _:
                assert_never(node)
        number = self._numbers[id(node)] = len(self._new)
        before = f"({self.before} >> {number} & 1 != 0)"
        bit = self.function.let("bit", f"({1 << number} if {remembered.replace('{before}', before)} else 0)")
        self._new.append(bit)
        return f"({bit} != 0)" if value else before

    def _of_position(self, formula: _OfPosition) -> str:
        match formula:
            case f.Holds(expression, items):
                return _joined(" and ", "True", [*map(self._seen, items), self.values.condition(expression, self.here)])
            case f.HasPriority(None):
                return f"({self.enabled.priority(self.here)} != 0)"
            case f.HasPriority(who):
                assert who is not None
                seat = self.values.code(who, self.here)
                return self._of_player(who, f"({self.enabled.priority(self.here)} >> {seat} & 1 != 0)")
            case f.AtStage(stage):
                return self._at(stage) if stage in self.layout.stages else "False"
            case f.GameIsOver():
                return self._at(OVER)
            case _:
                assert_never(formula)

    def _of_item(self, formula: _OfItem) -> str:
        zone, zones = self.layout.zones[formula.zone], self.mode.zones
        place = self.values.read(self.mode.place(formula.item), self.here)
        is_on = zones.is_on(place, zone)
        if isinstance(formula, f.On):
            return is_on
        return f"({is_on} and {place} == {zones.place(zone, self.values.end_at(zone, self.here))})"

    def _of_enabled(self, formula: _OfEnabled) -> str:
        able, bits = self.enabled.able, self.enabled.bits
        match formula:
            case f.Enabled(who, what):
                shift = 0 if what == "pass" else self.layout.players
                if who is None:
                    return f"({able} & {((1 << self.layout.players) - 1) << shift} != 0)"
                seat = self.values.code(who, self.here)
                return self._of_player(who, f"({seat} < {self.layout.players} and {able} >> {shift} + {seat} & 1 != 0)")
            case f.ClausePossible(clause):
                return f"({able} & {bits.clauses[clause]} != 0)" if clause in bits.clauses else "False"
            case f.Gap():
                return f"({able} & {bits.any | bits.was_cut} == 0 and not {self._at(OVER)})"
            case f.Conflict():
                return self.enabled.conflict(self.here)
            case _:
                assert_never(formula)

    def _of_move(self, formula: _OfMove) -> str:
        marks = self.mode.marks
        match formula:
            case f.ItemEvent() | f.SequenceEvent():
                return f"(marks & {marks[formula]} != 0)"
            case f.PlayerEvent(event, who):
                both, wanted = PASSES | MAY, PASSES if event == "passes" else MAY
                happens = f"(marks & {PASSES} != 0)" if event == "passes" else f"(marks & {both} == {wanted})"
            case f.Uses(clause, who):
                happens = f"(marks & {marks[f.Uses(clause)]} != 0)"
            case _:
                assert_never(formula)
        return happens if who is None else self._of_player(who, f"({happens} and me == {self.values.code(who, self.here)})")

    # ------------------------------------------------------------------ spotlights

    def _is(self, item: str, place: int) -> str:
        return self.values.is_code(self.mode.place(item), place, self.here)

    def _seen(self, item: str) -> str:
        return f"(not {self._is(item, UNSEEN)})"

    def _of_player(self, who: ir.Expr, condition: str) -> str:
        """Return *condition*, which is false while *who* depends on an item not seen yet."""
        items = sorted({node.name for node in ir.walk(who) if isinstance(node, ir.Local)} & set(self.mode.items))
        return _joined(" and ", "True", [*map(self._seen, items), condition])

    def _at(self, stage: str) -> str:
        return self.values.is_code(self.layout.stage, self.layout.stages[stage], self.here)

    # ------------------------------------------------------------------ what can still become true

    def _never(self, formula: f.Formula) -> str:
        """Return a condition under which *formula*, all items having been seen, is false at all later moments (Kleene's logic)."""
        match formula:
            case f.Not(operand):
                return self._always(operand)
            case f.And(parts):
                return _joined(" or ", "False", [self._never(part) for part in parts])
            case f.Or(parts):
                return _joined(" and ", "True", [self._never(part) for part in parts])
            case f.Previously(operand) | f.Once(operand):
                return _joined(" and ", "True", [self._never(operand), f"(not {self._bit(formula)})"])
            case f.Since(left, right):
                held = _joined(" or ", "False", [f"(not {self._bit(formula)})", self._never(left)])
                return _joined(" and ", "True", [self._never(right), held])
            case f.On(item, _) | f.IsNext(item, _) | f.ItemEvent(_, str(item), _):
                return self._is(item, GONE)
            case _:
                return "False"

    def _always(self, formula: f.Formula) -> str:
        """Return a condition under which *formula* is true at all later moments."""
        match formula:
            case f.Not(operand):
                return self._never(operand)
            case f.And(parts):
                return _joined(" and ", "True", [self._always(part) for part in parts])
            case f.Or(parts):
                return _joined(" or ", "False", [self._always(part) for part in parts])
            case f.Previously(operand):
                return _joined(" and ", "True", [self._always(operand), self._bit(formula)])
            case f.Once(operand):
                return _joined(" or ", "False", [self._bit(formula), self._always(operand)])
            case f.Since(_, right):
                return self._always(right)
            case _:
                return "False"

    def _bit(self, node: _Past) -> str:
        """Return the condition that the bit of *node* is set from now on."""
        return f"({self._new[self._numbers[id(node)]]} != 0)"


def _joined(word: str, neutral: str, parts: list[str]) -> str:
    """Return *parts* joined with and or or; one that decides alone stands alone."""
    deciding = "False" if neutral == "True" else "True"
    kept = [part for part in parts if part != neutral]
    if deciding in kept:
        return deciding
    return f"({word.join(kept)})" if kept else neutral
