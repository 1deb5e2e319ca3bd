"""Step formulas as text: one function says of a move which of many formulas it makes true.

A step formula (`groups`) looks at the position reached, the move, and what was true of the position left. The
last is handed on through the move as the number *was*, a bit for each such truth. Player spotlights are
loops over the seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from ....models import ir
from ....properties import formula as f
from ....properties.parts import formulas, of_formulas
from ...questions.questions import Wanted
from ..moves.hooks import BITS
from ..moves.writer import Function
from .conditions import Conditions, Past
from .enabled import Enabled
from .groups import Bundle, left_bits, named
from .watched import Watched


def steps(name: str, bundle: Bundle, mode: Watched, enabled: Enabled) -> Function:
    """Return the function *name* that writes the bits of the formulas of *bundle* that a move makes true; it remembers nothing."""
    function = Function(name, mode.parameters)
    writer = _Steps(mode, enabled, function, {})
    writer.prepare(*(_without_past(wanted.formula) for wanted in bundle.wanted))
    function.line("bits = 0")
    for bit, first, wanted in _with_first(bundle, mode.layout.players):
        with writer.of_any_players(wanted, first), function.block(f"if {writer.truth(wanted.formula)}:"):
            function.line(f"bits |= {1 << bit}")
    function.line(f"out[{BITS}] |= bits")
    function.line("return 0")
    return function


def left(name: str, bundle: Bundle, mode: Watched, enabled: Enabled) -> Function:
    """Return the function *name* that says what is true of a position that a move is to leave."""
    function = Function(name, mode.of_left)
    writer, players = _Steps(mode, enabled, function, {}), mode.layout.players
    writer.prepare(*(node.operand for wanted in bundle.wanted for node in _past(wanted.formula)))
    function.line("was = 0")
    for _, first, wanted in _with_first(bundle, players) if bundle.are_steps else ():
        if _past(wanted.formula):
            with writer.of_any_players(wanted, first):
                for node in _past(wanted.formula):
                    with function.block(f"if {writer.truth(node.operand)}:"):
                        function.line(f"was |= 1 << {writer.place_of(node)}")
    function.line("return was")
    return function


class _Steps(Conditions):
    """Writes conditions of one step formula after the other, inside loops over what its player spotlights stand for."""

    def of_any_players(self, wanted: Wanted, first: int) -> ExitStack:
        """Open a loop over the choices of players for *wanted*; the first of its truths of the position left has number *first*."""
        stack, players, self._places = ExitStack(), self.layout.players, {}
        choice = ""
        for name in named(wanted, "player"):
            seat = self.function.fresh("p")
            stack.enter_context(self.function.block(f"for {seat} in range({players}):"))
            self.bind_player(name, seat)
            choice = f"({choice} * {players} + {seat})" if choice else seat
        choices = players ** len(named(wanted, "player"))
        for number, node in enumerate(_past(wanted.formula)):
            at = first + number * choices
            self._places[id(node)] = f"({at} + {choice})" if choice else str(at)
        return stack

    def place_of(self, node: f.Previously) -> str:
        """Return the number of the bit of *node*."""
        return self._places[id(node)]

    def past(self, node: Past) -> str:
        """Return the condition that *node*, which is about the position left, is true."""
        assert isinstance(node, f.Previously)
        return f"(was >> {self.place_of(node)} & 1 != 0)"


def _with_first(bundle: Bundle, players: int) -> Iterator[tuple[int, int, Wanted]]:
    """Yield each formula after the number of its bit and that of the first of its truths of the position left."""
    first = 0
    for bit, wanted in enumerate(bundle.wanted):
        yield bit, first, wanted
        first += left_bits(wanted, players)


def _past(formula: f.Formula) -> list[f.Previously]:
    return [part for part in formulas(formula) if isinstance(part, f.Previously)]


def _without_past(formula: f.Formula) -> f.Formula:
    """Return *formula* without what it says of the position left."""

    def change(part: f.Formula) -> f.Formula:
        return f.Previously(f.And(())) if isinstance(part, f.Previously) else part

    return ir.rewrite(formula, of_formulas(change))


def looks_back(bundles: Iterable[Bundle]) -> bool:
    """Whether a step formula of *bundles* asks what was true of the position left."""
    return any(_past(wanted.formula) for bundle in bundles if bundle.are_steps for wanted in bundle.wanted)
