"""Step formulas as text: one function says of a move which of many formulas it makes true.

A step formula (`groups`) looks at the position reached, the move, and what was true of the position
left. The last is handed on through the move as the number *was*, a bit for each such truth. Player
spotlights are loops over the seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain

from ...questions.questions import Query
from ..moves.hooks import BITS
from ..moves.writer import FunctionWriter
from .conditions import Conditions
from .enabled import EnabledWriter
from .groups import FormulaBatch, spotlight_numbers, step_plan
from .watched import WatchHooks


def steps_function(
    name: str, batch: FormulaBatch, hooks: WatchHooks, enabled: EnabledWriter
) -> FunctionWriter:
    """Return the function *name* that writes the bits of the formulas of *batch* that a move makes
    true; it remembers nothing.
    """
    function = FunctionWriter(name, hooks.parameters)
    writer = _Steps(hooks, enabled, function, {})
    plans = [step_plan(query) for query in batch.queries]
    writer.prepare(*(planned.truth for planned in plans))
    function.line("bits = 0")
    for bit, (query, planned) in enumerate(zip(batch.queries, plans, strict=True)):
        with (
            writer.of_any_players(query, len(planned.before)),
            function.block(f"if {writer.truth(planned.truth)}:"),
        ):
            function.line(f"bits |= {1 << bit}")
    function.line(f"out[{BITS}] |= bits")
    function.line("return 0")
    return function


def truths_left(
    name: str, batch: FormulaBatch, hooks: WatchHooks, enabled: EnabledWriter
) -> FunctionWriter:
    """Return the function *name* that says what is true of a position that a move is to leave."""
    function = FunctionWriter(name, hooks.of_left)
    writer = _Steps(hooks, enabled, function, {})
    asked = [step_plan(query).before for query in batch.queries]
    writer.prepare(*chain.from_iterable(asked))
    function.line("was = 0")
    for query, before in zip(batch.queries, asked, strict=True):
        if before:
            with writer.of_any_players(query, len(before)):
                for place, said in zip(writer.places, before, strict=True):
                    with function.block(f"if {writer.truth(said)}:"):
                        function.line(f"was |= 1 << {place}")
    function.line("return was")
    return function


class _Steps(Conditions):
    """Writes conditions of one step formula after the other, inside loops over what its player
    spotlights stand for.
    """

    first = 0
    """The number of truths of the position left that earlier formulas have."""

    def of_any_players(self, query: Query, truths: int) -> ExitStack:
        """Open a loop over the choices of players for *query*, which has so many *truths* of the
        position left for each choice.
        """
        stack, players = ExitStack(), self.layout.players
        choice, choices = "", 1
        for name in spotlight_numbers(query, "player"):
            seat = self.function.fresh("p")
            stack.enter_context(
                self.function.block(f"for {seat} in range({self.values.present(self.here)}):")
            )
            self.bind_player(name, seat)
            choice = f"({choice} * {players} + {seat})" if choice else seat
            choices = choices * players
        numbers = range(self.first, self.first + truths * choices, choices)
        self.places = [f"({number} + {choice})" if choice else str(number) for number in numbers]
        self.first += truths * choices
        return stack


def looks_back(batches: Iterable[FormulaBatch]) -> bool:
    """Whether a step formula of *batches* asks what was true of the position left."""
    return any(
        step_plan(query).before for batch in batches if batch.are_steps for query in batch.queries
    )
