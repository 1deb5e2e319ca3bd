"""Monitors: what a formula says at a moment, as text.

In comes a formula about the past, out goes its function: from the position reached, whose move
it was and the marks, it makes the field *past* of that position (`watched`), and says in the header of the buffer
if the formula is true. A past subformula has one bit
and is computed from the inside out, from what is true now and its bit of the moment before: Havelund and Rosu,
"Synthesizing monitors for safety properties" (TACAS 2002). Where the formula can no longer become true,
whatever happens, the function returns -1 and the play is followed no further.
"""

from __future__ import annotations

from typing import assert_never

from ....properties import formula as f
from ...questions.questions import Wanted
from ..layout.layout import GONE, UNSEEN
from ..moves.hooks import BITS
from ..moves.writer import Function
from .conditions import Conditions, Past, joined
from .enabled import Enabled
from .groups import named
from .watched import CARDS, MAY, PASSES, Watched


def monitor(name: str, wanted: Wanted, mode: Watched, enabled: Enabled) -> Function:
    """Return the function *name* that watches one formula."""
    function = Function(name, mode.parameters)
    _Monitor(mode, enabled, function, named(wanted, "item")).write(wanted)
    return function


def staying(name: str, wanted: Wanted, mode: Watched, enabled: Enabled) -> Function:
    """Return the function *name* that leaves of all moves those that are part of a loop of `lasso`.

    After them the formula is true, and whoever is assumed to act only finitely often does not act. That there is a move at
    all is said in the header.
    """
    function = Function(name, mode.parameters)
    _Monitor(mode, enabled, function, named(wanted, "item")).write_staying(wanted)
    return function


class _Monitor(Conditions):
    """Writes the function of one formula; what it remembers has a bit each."""

    def write(self, wanted: Wanted) -> None:
        """Write the function that says whether the formula is true."""
        formula, now = wanted.formula, self._now(wanted)
        with self.function.block(f"if {now}:"):
            self.function.line(f"out[{BITS}] |= 1")
            self.function.line(f"return {' | '.join(self._new) or '0'}")
        never = self._never(formula)
        if never != "False":
            seen = [f"not {self.is_at(item, UNSEEN)}" for item in self.items]
            with self.function.block(f"if {' and '.join([*seen, never])}:"):
                self.function.line("return -1")
        self.function.line(f"return {' | '.join(self._new) or '0'}")

    def write_staying(self, wanted: Wanted) -> None:
        """Write the function that leaves only moves of a loop."""
        self.function.line(f"out[{BITS}] |= 1")
        left_out = {"players": f"(marks & {PASSES | MAY} == {MAY})", "cards": f"(marks & {CARDS} != 0)"}
        for who in wanted.assuming:
            with self.function.block(f"if {left_out[who]}:"):
                self.function.line("return -1")
        now = self._now(wanted)
        self.function.line(f"return {' | '.join(self._new) or '0'} if {now} else -1")

    def _now(self, wanted: Wanted) -> str:
        """Write what is remembered, and return the condition that the formula is true."""
        self._numbers: dict[int, int] = {}
        self._new: list[str] = []
        for name, number in named(wanted, "player").items():
            self.bind_player(name, self.values.read(self.layout.extra[f"seat of {number}"], self.here))
        past = self.layout.extra.get("past")
        self._before = "0" if past is None else self.function.let("before", self.values.read(past, self.here))
        self.prepare(wanted.formula)
        return self.truth(wanted.formula)

    def past(self, node: Past) -> str:
        """Write what is remembered of *node*, and return the condition that it is true now."""
        match node:
            case f.Previously(operand):
                remembered, value = self.truth(operand), ""
            case f.Once(operand):
                remembered = f"({self.truth(operand)} or {{before}})"
                value = "new"
            case f.Since(left, right):
                held = self.truth(left)
                remembered = f"({self.truth(right)} or {held} and {{before}})"
                value = "new"
            case _:
                assert_never(node)
        number = self._numbers[id(node)] = len(self._new)
        before = f"({self._before} >> {number} & 1 != 0)"
        bit = self.function.let("bit", f"({1 << number} if {remembered.replace('{before}', before)} else 0)")
        self._new.append(bit)
        return f"({bit} != 0)" if value else before

    # ------------------------------------------------------------------ what can still become true

    def _never(self, formula: f.Formula) -> str:
        """Return a condition under which *formula*, all items having been seen, is false at all later moments (Kleene's logic)."""
        match formula:
            case f.Not(operand):
                return self._always(operand)
            case f.And(parts):
                return joined(" or ", "False", [self._never(part) for part in parts])
            case f.Or(parts):
                return joined(" and ", "True", [self._never(part) for part in parts])
            case f.Previously(operand) | f.Once(operand):
                return joined(" and ", "True", [self._never(operand), f"(not {self._bit(formula)})"])
            case f.Since(left, right):
                held = joined(" or ", "False", [f"(not {self._bit(formula)})", self._never(left)])
                return joined(" and ", "True", [self._never(right), held])
            case f.On(item, _) | f.IsNext(item, _) | f.ItemEvent(_, str(item), _):
                return self.is_at(item, GONE)
            case f.ItemEvent() | f.PlayerEvent() | f.Uses() | f.SequenceEvent():
                return "False"  # who knows what moves there will be
            case f.Holds() | f.HasPriority() | f.AtStage() | f.GameIsOver():
                return "False"
            case f.Enabled() | f.ClausePossible() | f.Gap() | f.Conflict():
                return "False"
            case _:
                assert_never(formula)

    def _always(self, formula: f.Formula) -> str:
        """Return a condition under which *formula* is true at all later moments."""
        match formula:
            case f.Not(operand):
                return self._never(operand)
            case f.And(parts):
                return joined(" and ", "True", [self._always(part) for part in parts])
            case f.Or(parts):
                return joined(" or ", "False", [self._always(part) for part in parts])
            case f.Previously(operand):
                return joined(" and ", "True", [self._always(operand), self._bit(formula)])
            case f.Once(operand):
                return joined(" or ", "False", [self._bit(formula), self._always(operand)])
            case f.Since(_, right):
                return self._always(right)
            case f.Holds() | f.HasPriority() | f.On() | f.IsNext() | f.AtStage() | f.GameIsOver():
                return "False"  # nothing of a position or a move is sure to be true for ever
            case f.Enabled() | f.ClausePossible() | f.Gap() | f.Conflict():
                return "False"
            case f.ItemEvent() | f.PlayerEvent() | f.Uses() | f.SequenceEvent():
                return "False"
            case _:
                assert_never(formula)

    def _bit(self, node: Past) -> str:
        """Return the condition that the bit of *node* is set from now on."""
        return f"({self._new[self._numbers[id(node)]]} != 0)"
