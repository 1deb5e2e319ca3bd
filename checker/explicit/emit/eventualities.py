"""Eventualities: what a formula about the future leaves to come after a move, as text.

In comes what is asked of a play (`watching.owed`), out goes the function that says which promises
may be owed after a move. A set of promises is a number, a bit for each, and a set of such sets a
number again: bit *k* says that it will do to owe set *k*. So "and" and "or" of what is asked are
those of numbers, and nothing is tried one after the other. Sets of more than five promises take
several words; the words of `hooks.OWED` have the least sets, each of which is a way to go on. Where
there is none the play is followed no further.

What is owed lies in the lowest bits of the field *past*, below what the monitor remembers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import assert_never

from ....properties import formula as f
from ...questions.questions import Query
from ...watching.owed import Owing, Promise, owing
from ...watching.plan import And, plan
from ..moves.hooks import OWED, OWED_WORDS
from ..moves.writer import FunctionWriter
from .enabled import EnabledWriter
from .groups import spotlight_numbers
from .monitor import MonitorConditions, leave_out, owed_words
from .watched import WatchHooks

_IN_A_WORD = 5
"""Of how many promises a word has all sets."""
MOST_OWED = _IN_A_WORD + (OWED_WORDS - 1).bit_length()


def most_ways(owed: int) -> int:
    """Return how many sets of so many promises there can be of which none is part of another."""
    return comb(owed, owed // 2)


def keeping(
    name: str, query: Query, hooks: WatchHooks, enabled: EnabledWriter, *, stays: bool
) -> FunctionWriter:
    """Return the function *name* that watches one formula about the future; if it *stays*, only
    those moves that may be part of a loop.
    """
    assert query.temporal is not None
    function, asked = FunctionWriter(name, hooks.parameters), owing(query.temporal)
    if stays:
        leave_out(function, query)
    writer = MonitorConditions(hooks, enabled, function, spotlight_numbers(query, "item"))
    planned = plan(query.formula)
    size = len(asked.promises)
    _, bits = writer.now(query, planned, size)
    assert isinstance(planned.truth, And)
    parts = [writer.truth(part) for part in planned.truth.parts]
    before = (
        function.let("owed", writer.values.field_code(past, writer.here))
        if (past := hooks.layout.extra.get("past")) is not None
        else "0"
    )
    needs = _Needs(function, asked, parts).written(f"marks & {hooks.begins} != 0", before)
    with function.block(f"if {' | '.join(needs)} == 0:"):
        function.line("return -1")
    for number in range(owed_words(hooks.owed)):
        function.line(
            f"out[{OWED + number}] = {_least(needs, number, size) if number < len(needs) else 0}"
        )
    function.line(f"return ({bits}) << {size}" if size else f"return {bits}")
    return function


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

    def __init__(self, function: FunctionWriter, asked: Owing, parts: Sequence[str]) -> None:
        self.function, self.asked, self.size = function, asked, len(asked.promises)
        self.every = (1 << (1 << min(self.size, _IN_A_WORD))) - 1
        self.parts = [self._part(condition) for condition in parts]
        self._known: dict[tuple[int, Promise], str] = {}

    def _part(self, condition: str) -> str:
        if condition in ("True", "False"):
            return self._of(holds=condition == "True")
        return self.function.let("part", f"({self.every} if {condition} else 0)")

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
                f"({self._promised(word, promise)} if {before} >> {number} & 1 != 0 else {self.every})"
                for number, promise in enumerate(self.asked.promises)
            ]
            needs.append(
                self.function.let(
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
            self._known[word, promise] = text if text.isdigit() else self.function.let("kept", text)
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
        kept = [part for part in parts if part != str(self.every)]
        return "0" if "0" in kept else f"({' & '.join(kept)})" if kept else str(self.every)

    def _any(self, parts: Sequence[str]) -> str:
        kept = [part for part in parts if part != "0"]
        return (
            str(self.every) if str(self.every) in kept else f"({' | '.join(kept)})" if kept else "0"
        )
