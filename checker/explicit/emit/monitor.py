"""Monitors: what a formula says at a moment, as text.

In comes a formula about the past, out goes its function: from the position reached, whose move it
was and the marks, it makes the field *past* of that position (`watched`), and says in the header of
the buffer if the formula is true, all as its plan says (`watching.plan`). Where the formula can no
longer become true, whatever happens, the function returns -1 and the play is followed no further.
"""

from __future__ import annotations

from ...questions.questions import Query
from ...watching.plan import Plan, plan
from ..layout.layout import UNSEEN
from ..moves.hooks import BITS, OWED
from ..moves.writer import FunctionWriter
from .conditions import Conditions
from .enabled import EnabledWriter
from .groups import spotlight_numbers
from .watched import CARDS, MAY, PASSES, WatchHooks


def monitor(name: str, query: Query, hooks: WatchHooks, enabled: EnabledWriter) -> FunctionWriter:
    """Return the function *name* that watches one formula."""
    function = FunctionWriter(name, hooks.parameters)
    owe_nothing(function, hooks)
    writer = MonitorConditions(hooks, enabled, function, spotlight_numbers(query, "item"))
    planned = plan(query.formula)
    now, bits = writer.now(query, planned)
    with function.block(f"if {now}:"):
        function.line(f"out[{BITS}] |= 1")
        function.line(f"return {bits}")
    never = writer.truth(planned.never)
    if never != "False":
        seen = [f"not {writer.is_at(item, UNSEEN)}" for item in writer.items]
        with function.block(f"if {' and '.join([*seen, never])}:"):
            function.line("return -1")
    function.line(f"return {bits}")
    return function


def staying(name: str, query: Query, hooks: WatchHooks, enabled: EnabledWriter) -> FunctionWriter:
    """Return the function *name* that leaves of all moves those that are part of a loop of `lasso`.

    After them the formula is true, and whoever is assumed to act only finitely often does not act.
    That there is a move at all is said in the header.
    """
    function = FunctionWriter(name, hooks.parameters)
    leave_out(function, query)
    owe_nothing(function, hooks)
    now, bits = MonitorConditions(hooks, enabled, function, spotlight_numbers(query, "item")).now(
        query, plan(query.formula)
    )
    function.line(f"return {bits} if {now} else -1")
    return function


def leave_out(function: FunctionWriter, query: Query) -> None:
    """Write that there is a move, and that those are left out by which somebody acts who is assumed
    to do so only finitely often.
    """
    function.line(f"out[{BITS}] |= 1")
    left_out = {"players": f"(marks & {PASSES | MAY} == {MAY})", "cards": f"(marks & {CARDS} != 0)"}
    for who in query.assuming:
        with function.block(f"if {left_out[who]}:"):
            function.line("return -1")


def owe_nothing(function: FunctionWriter, hooks: WatchHooks) -> None:
    """Write, where other formulas of the text may owe something, that this one never does."""
    for word in range(owed_words(hooks.owed)):
        function.line(f"out[{OWED + word}] = {int(not word)}")


def owed_words(owed: int) -> int:
    """Return how many words of the buffer's header say of each set of so many promises whether it
    may be *owed*; 0 if nothing is.
    """
    return -(-(1 << owed) // 32) if owed else 0


class MonitorConditions(Conditions):
    """Writes conditions of one formula; what it remembers has a bit each, above the *owed* lowest
    ones.
    """

    def now(self, query: Query, planned: Plan, owed: int = 0) -> tuple[str, str]:
        """Write what is remembered, and return the condition that the formula is true, and all bits
        together.
        """
        for name, number in spotlight_numbers(query, "player").items():
            self.bind_player(
                name, self.values.field_code(self.layout.extra[f"seat of {number}"], self.here)
            )
        if (past := self.layout.extra.get("past")) is not None:
            read = self.values.field_code(past, self.here)
            self.past = self.function.let("before", f"({read}) >> {owed}" if owed else read)
        self.prepare(planned.truth, *(bit.update for bit in planned.bits))
        for number, bit in enumerate(planned.bits):
            self.bits.append(
                self.function.let("bit", f"({1 << number} if {self.truth(bit.update)} else 0)")
            )
        return self.truth(planned.truth), " | ".join(self.bits) or "0"
