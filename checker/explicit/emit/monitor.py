"""Monitors: what a formula says at a moment, and what it leaves to come, as text.

In comes a formula about the past, out goes its function: from the position reached, whose move it
was and the marks, it makes the field *past* of that position (`watched`), and says in the header of
the buffer if the formula is true, all as its plan says (`watching.plan`). Where the formula can
never become true any more, the function returns -1 and the play is followed no further.

Conditions: what formulas say at a moment, as conditions of Python over the position reached and
the marks of the move.

What the plan of a formula says is the same for one that is watched alone (`monitor`) and for step
formulas that are watched together (`emit`); each says by itself where what is remembered lies.

Eventualities: what a formula about the future leaves to come after a move, as text.

In comes what is asked of a play (`watching.plan`), out goes the function that says which promises
may be owed after a move. A set of promises is a number, a bit for each, and a set of such sets a
number again: bit *k* says that it will do to owe set *k*. So "and" and "or" of what is asked are
those of numbers, and no sets are tried one after the other. Sets of more than five promises take
several words; the words of `hooks.OWED` have the least sets, each of which is a way to go on.
Without any such set the play is followed no further.

What is owed lies in the lowest bits of the field *past*, below what the monitor remembers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import assert_never

from ....models import ir
from ....models.ir.parts import expressions, locals_in
from ....properties import formula as f
from ...questions.questions import Query
from ...slicing.sorts import player
from ...types.position import OVER
from ...watching.plan import (
    And,
    Atom,
    Before,
    Gone,
    New,
    Not,
    Old,
    Or,
    Owing,
    Promise,
    Said,
    asked_in,
    owing,
    plan,
)
from ..moves.dispatch import EmitPoint
from ..moves.hooks import BITS, OWED, OWED_WORDS
from ..moves.layout import GONE, UNSEEN
from ..moves.state import BoundLocal, ZoneSpot
from .enabled import EnabledWriter
from .groups import spotlight_numbers
from .watched import CARDS, MAY, PASSES, WatchHooks

_IN_A_WORD = 5
"""Of how many promises a word has all sets."""
MOST_OWED = _IN_A_WORD + (OWED_WORDS - 1).bit_length()


def most_ways(owed: int) -> int:
    """Return how many sets of *owed* promises there can be if none of them is part of another."""
    return comb(owed, owed // 2)


def _least(needs: Sequence[str], number: int, size: int) -> str:
    """Return those of the sets in word *number* of *needs*, each of which has all larger sets too,
    that have no smaller one.
    """
    larger = []
    for bit in range(size):
        if bit < _IN_A_WORD:
            larger.append(f"(({needs[number]} & {_with(bit, size) >> (1 << bit)}) << {1 << bit})")
        elif number >> bit - _IN_A_WORD & 1:
            larger.append(needs[number ^ 1 << bit - _IN_A_WORD])
    return f"{needs[number]} & ~({' | '.join(larger)})" if larger else needs[number]


def _with(bit: int, size: int) -> int:
    """Return the sets of a word of *size* promises in all that have promise *bit*."""
    return sum(1 << number for number in range(1 << min(size, _IN_A_WORD)) if number >> bit & 1)


class _Needs:
    """Writes which sets of promises would do, word by word; *parts* are the conditions that the
    parts of the formula are true.
    """

    def __init__(self, here: EmitPoint, asked: Owing, parts: Sequence[str]) -> None:
        self.here = here
        self.asked = asked
        self.size = len(asked.promises)
        self.every = (1 << (1 << min(self.size, _IN_A_WORD))) - 1
        self.parts = [self._part(condition) for condition in parts]
        self._known: dict[tuple[int, Promise], str] = {}

    def _part(self, condition: str) -> str:
        if condition in ("True", "False"):
            return self._of(holds=condition == "True")
        return self.here.let("part", f"({self.every} if {condition} else 0)")

    def _of(self, *, holds: bool) -> str:
        return str(self.every) if holds else "0"

    def written(self, begins: str, before: str) -> list[str]:
        """Write what is asked of a moment, where *begins* says that it is the first and *before* is
        owed if not; return the words.
        """
        needs = []
        for word in range(max(owed_words(self.size), 1)):
            at_first = self._mask(word, self.asked.whole)
            stands = [self._mask(word, one) for one in self.asked.stands]
            owed = [
                f"({self._promised(word, promise)} if {before} >> {number} & 1 != 0 else "
                f"{self.every})"
                for number, promise in enumerate(self.asked.promises)
            ]
            needs.append(
                self.here.let(
                    "need", f"({at_first} if {begins} else {self._all([*stands, *owed])})"
                )
            )
        return needs

    def _mask(self, word: int, temporal: f.Temporal, *, denied: bool = False) -> str:
        """Return the sets of *word* with which *temporal*, or if *denied* its negation, is kept."""
        match temporal:
            case f.PartHolds(number):
                truth = self.parts[number]
                if truth in (str(self.every), "0"):
                    return self._of(holds=(truth == "0") == denied)
                return f"({self.every} ^ {truth})" if denied else truth
            case f.Otherwise(operand):
                return self._mask(word, operand, denied=not denied)
            case f.Together(parts):
                of = [self._mask(word, part, denied=denied) for part in parts]
                return self._any(of) if denied else self._all(of)
            case f.Until():
                return self._promised(word, Promise(temporal, denied))
            case _:
                assert_never(temporal)

    def _promised(self, word: int, promise: Promise) -> str:
        """Return the sets of *word* with which *promise* is kept at this moment, or put off."""
        if (word, promise) not in self._known:
            left, right = (
                self._mask(word, side, denied=promise.denied)
                for side in (promise.until.left, promise.until.right)
            )
            put_off = self._put_off(word, promise)
            text = (
                self._all([right, self._any([left, put_off])])
                if promise.denied
                else self._any([right, self._all([left, put_off])])
            )
            self._known[word, promise] = text if text.isdigit() else self.here.let("kept", text)
        return self._known[word, promise]

    def _put_off(self, word: int, promise: Promise) -> str:
        """Return the sets of *word* that have *promise*; what stands is promised in any case."""
        if promise in self.asked.standing:
            return str(self.every)
        bit = self.asked.promises.index(promise)
        return (
            str(_with(bit, self.size))
            if bit < _IN_A_WORD
            else self._of(holds=bool(word >> bit - _IN_A_WORD & 1))
        )

    def _all(self, parts: Sequence[str]) -> str:
        return join_conditions(" & ", str(self.every), "0", parts)

    def _any(self, parts: Sequence[str]) -> str:
        return join_conditions(" | ", "0", str(self.every), parts)


class Conditions:
    """Writes conditions of the position *here*; *items* are the item spotlights by their numbers in
    the layout.

    *past* has the bits of the position left, *bits* are those that are new; *places* says where in
    *was* each truth of that position is.
    """

    def __init__(
        self, hooks: WatchHooks, enabled: EnabledWriter, here: EmitPoint, items: Mapping[str, int]
    ) -> None:
        self.hooks = hooks
        self.enabled = enabled
        self.here = here
        self.items = items
        self.layout = hooks.layout
        self.able = self.holders = ""
        self.past = "0"
        self.bits = list[str]()
        self.places = list[str]()
        for name, number in items.items():
            field = self.layout.extra.get(f"item {number}")
            code = "0" if field is None else here.field_code(field)
            format_ = self.layout.formats.get(f"item {number}")
            self.here = self.here.bind(name, BoundLocal(code, None, format=format_))

    def bind_player(self, name: str, seat: str) -> None:
        """Let the player spotlight *name* stand for *seat*."""
        self.here = self.here.bind(name, BoundLocal(seat, player(self.layout.players)))

    def prepare(self, *said: Said) -> None:
        """Write what has to be known before the conditions of what is *said*: what is enabled in
        the position, and who has priority.
        """
        asked = {type(part.leaf) for part in asked_in(*said) if isinstance(part, Atom)}
        if asked & {f.Enabled, f.Gap, f.Conflict}:
            self.able = self.here.let("enabled", self.enabled.able(self.here))
        if f.HasPriority in asked:
            self.holders = self.here.let("holders", self.enabled.priority(self.here))

    # ------------------------------------------------------------------ what is true now

    def truth(self, said: Said) -> str:
        """Return the condition that *said* is true now."""
        match said:
            case Not(operand):
                return negated(self.truth(operand))
            case And(parts):
                return all_true(*map(self.truth, parts))
            case Or(parts):
                return join_conditions(" or ", "False", "True", [*map(self.truth, parts)])
            case Before(number):
                return f"(was >> {self.places[number]} & 1 != 0)"
            case Old(number):
                return f"({self.past} >> {number} & 1 != 0)"
            case New(number):
                return f"({self.bits[number]} != 0)"
            case Gone(item):
                return self.is_at(item, GONE)
            case Atom(leaf):
                return self._leaf(leaf)
            case _:
                assert_never(said)

    def _leaf(self, leaf: f.Leaf) -> str:
        here = self.here
        players = self.layout.players
        able = self.able
        match leaf:
            case f.Holds(expression, items):
                return all_true(*map(self.seen, items), here.condition(expression))
            case f.HasPriority(who):
                if who is None:
                    return f"({self.holders} != 0)"
                return self._of_player(who, f"({self.holders} >> {here.code(who)} & 1 != 0)")
            case f.AtStage(stage):
                return here.at_stage(stage) if stage in self.layout.stages else "False"
            case f.GameIsOver():
                return here.at_stage(OVER)
            case f.On(item, name) | f.IsNext(item, name):
                zone = self.layout.zones[name]
                place = here.field_code(self.hooks.place_field(self.items[item]))
                if isinstance(leaf, f.On):
                    return zone.has(place)
                return (
                    f"({zone.has(place)} and {place} == {ZoneSpot(zone, here.end_at(zone)).place})"
                )
            case f.Enabled(who, what):
                shift = 0 if what == "pass" else players
                if who is None:
                    return f"({able} & {((1 << players) - 1) << shift} != 0)"
                seat = here.code(who)
                return self._of_player(
                    who, f"({seat} < {players} and {able} >> {shift} + {seat} & 1 != 0)"
                )
            case f.ClausePossible(clause):
                return self.enabled.possible(clause, here)
            case f.Gap():
                return f"({able} & {self.enabled.bits.any} == 0 and not {here.at_stage(OVER)})"
            case f.Conflict():
                return self.enabled.conflict(able, here)
            case f.ItemEvent() | f.SequenceEvent():
                return f"(marks & {self.hooks.mark(leaf, self.items)} != 0)"
            case f.PlayerEvent("passes", who):
                return self._by(who, f"(marks & {PASSES} != 0)")
            case f.PlayerEvent("chooses", who):
                chosen = f"(marks >> {self.hooks.choosers} & {(1 << players) - 1})"
                if who is None:
                    return f"({chosen} != 0)"
                seat = here.code(who)
                return self._of_player(who, f"({seat} < {players} and {chosen} >> {seat} & 1 != 0)")
            case f.PlayerEvent(_, who):
                return self._by(who, f"(marks & {PASSES | MAY} == {MAY})")
            case f.Uses(clause, who):
                number = self.hooks.clauses.get(clause)
                return self._by(who, "False" if number is None else f"(used == {number})")
            case _:
                assert_never(leaf)

    def _by(self, who: ir.Expr | None, happens: str) -> str:
        """Return the condition that a move of which this *happens* is one of *who*: with None,
        anybody's.
        """
        return (
            happens
            if who is None
            else self._of_player(who, f"({happens} and me == {self.here.code(who)})")
        )

    # ------------------------------------------------------------------ spotlights

    def is_at(self, item: str, place: int) -> str:
        """Return the condition that the spotlit *item* is at *place*."""
        return self.here.is_code(self.hooks.place_field(self.items[item]), place)

    def seen(self, item: str) -> str:
        """Return the condition that the spotlit *item* has been put on a zone."""
        return f"(not {self.is_at(item, UNSEEN)})"

    def _of_player(self, who: ir.Expr, condition: str) -> str:
        """Return *condition*, which is false while *who* depends on an item not seen yet."""
        items = sorted(locals_in(expressions(who)) & set(self.items))
        return all_true(*map(self.seen, items), condition)


def negated(condition: str) -> str:
    """Return the opposite of *condition*."""
    return {"True": "False", "False": "True"}.get(condition, f"(not {condition})")


def join_conditions(word: str, neutral: str, deciding: str, parts: Sequence[str]) -> str:
    """Return *parts* joined with and or or; one that decides alone stands alone."""
    kept = [part for part in parts if part != neutral]
    if deciding in kept:
        return deciding
    return f"({word.join(kept)})" if kept else neutral


def all_true(*parts: str) -> str:
    """Return the condition that all *parts* are true."""
    return join_conditions(" and ", "True", "False", parts)


def owed_words(owed: int) -> int:
    """Return how many words of the buffer's header say which sets of *owed* promises may be owed; 0
    if there are no promises.
    """
    return -(-(1 << owed) // 32) if owed else 0


class FormulaMonitor(Conditions):
    """Writes the function, beginning *here*, that watches the formula of *query*: what that
    remembers has a bit each, above the lowest ones of what is owed.
    """

    def __init__(
        self, query: Query, hooks: WatchHooks, enabled: EnabledWriter, here: EmitPoint
    ) -> None:
        super().__init__(hooks, enabled, here, spotlight_numbers(query, "item"))
        self.query = query
        self.plan = plan(query.formula)

    def write(self, *, stays: bool) -> None:
        """Write all of it; if the formula *stays*, only those moves that may be part of a loop are
        left.
        """
        if stays:
            self._leave_out()
        if self.query.temporal is not None:
            self._keep(owing(self.query.temporal))
            return
        # Other formulas of the text may owe something, this one never does.
        for word in range(owed_words(self.hooks.owed)):
            self.here.line(f"out[{OWED + word}] = {int(not word)}")
        if stays:
            # After the moves of a loop of `lasso` the formula is true.
            now, bits = self.now()
            self.here.line(f"return {bits} if {now} else -1")
        else:
            self._watch()

    def _watch(self) -> None:
        here = self.here
        now, bits = self.now()
        with here.block(f"if {now}:"):
            here.line(f"out[{BITS}] |= 1")
            here.line(f"return {bits}")
        never = self.truth(self.plan.never)
        if never != "False":
            seen = [f"not {self.is_at(item, UNSEEN)}" for item in self.items]
            with here.block(f"if {' and '.join([*seen, never])}:"):
                here.line("return -1")
        here.line(f"return {bits}")

    def _keep(self, asked: Owing) -> None:
        """Write what a formula about the future owes after a move, *asked* of a play."""
        size = len(asked.promises)
        truth = self.plan.truth
        _, bits = self.now(size)
        assert isinstance(truth, And)
        parts = [self.truth(part) for part in truth.parts]
        here = self.here
        past = self.layout.extra.get("past")
        before = "0" if past is None else here.let("owed", here.field_code(past))
        needs = _Needs(here, asked, parts).written(f"marks & {self.hooks.begins} != 0", before)
        with here.block(f"if {' | '.join(needs)} == 0:"):
            here.line("return -1")
        for number in range(owed_words(self.hooks.owed)):
            here.line(
                f"out[{OWED + number}] = "
                f"{_least(needs, number, size) if number < len(needs) else 0}"
            )
        here.line(f"return ({bits}) << {size}" if size else f"return {bits}")

    def _leave_out(self) -> None:
        """Write that there is a move, and that those are left out by which somebody acts who is
        assumed to do so only finitely often.
        """
        self.here.line(f"out[{BITS}] |= 1")
        left_out = {
            "players": f"(marks & {PASSES | MAY} == {MAY})",
            "cards": f"(marks & {CARDS} != 0)",
        }
        for who in self.query.assuming:
            with self.here.block(f"if {left_out[who]}:"):
                self.here.line("return -1")

    def now(self, owed: int = 0) -> tuple[str, str]:
        """Write what is remembered, above the *owed* lowest bits, and return the condition that the
        formula is true, and all bits together.
        """
        for name, number in spotlight_numbers(self.query, "player").items():
            self.bind_player(name, self.here.field_code(self.layout.extra[f"seat of {number}"]))
        if (past := self.layout.extra.get("past")) is not None:
            read = self.here.field_code(past)
            self.past = self.here.let("before", f"({read}) >> {owed}" if owed else read)
        self.prepare(self.plan.truth, *(bit.update for bit in self.plan.bits))
        for number, bit in enumerate(self.plan.bits):
            self.bits.append(
                self.here.let("bit", f"({1 << number} if {self.truth(bit.update)} else 0)")
            )
        return self.truth(self.plan.truth), " | ".join(self.bits) or "0"
