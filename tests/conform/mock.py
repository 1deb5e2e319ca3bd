"""An engine to test with: the interpreter, of the rules or of an edit of them, behind a driver."""

from __future__ import annotations

from collections.abc import Sequence

from stacklaw.checker.conform.events import LogEvent
from stacklaw.checker.conform.fitting import LogWindow, Standing
from stacklaw.checker.conform.search import WindowSearch
from stacklaw.checker.conform.showing import Showing
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.scenarios.driver import CannotError
from stacklaw.checker.scenarios.steps import ScenarioStep
from stacklaw.checker.situations.line import Referee
from stacklaw.checker.types.position import OVER, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir


class MockDriver:
    """Plays scenarios on *program*: what a step shows is shown where it can be."""

    def __init__(self, program: ir.Program, players: int = 2) -> None:
        self.interpreter = Interpreter(program, make_scope(program, players))
        self.referee, self.showing = Referee(self.interpreter), Showing(self.interpreter)
        self.at: Position = self.interpreter.initial()
        self._search = WindowSearch(self.showing, 2_000)

    def fresh(self, players: int, steps: Sequence[ScenarioStep]) -> None:  # noqa: ARG002 - it needs no cards
        self.at = self.interpreter.initial()

    def holder(self) -> int | None:
        return min(self.referee.holders(self.at), default=None)

    def look(self) -> LogEvent:
        return self.showing.look(self.at)

    def offers(self) -> Sequence[str]:
        return [
            move.clause
            for move, _ in self.referee.moves(self.at)
            if self.referee.mode(move) == "may"
        ]

    def do(self, step: ScenarioStep) -> None:
        """Show what the step shows, if the engine can; else begin as it says and go on quietly."""
        shown = tuple(one for one in step.seen if one.name != "priority")
        begin = [Standing(self.at)]
        ends = self._search.run(begin, LogWindow(step.seen, is_whole=bool(step.receives))).ends
        if not ends and shown:  # all but who receives priority
            ends = self._search.run(begin, LogWindow(shown, is_whole=False)).ends
        self._seen: list[LogEvent] = list(shown) if ends else []
        if ends:
            self.at = min(one.position for one in ends)
        if not ends or not self._is_at_rest(self.at):
            self.at = self._quietly(step, is_begun=bool(ends))

    def seen(self) -> Sequence[LogEvent]:
        return self._seen

    def _is_at_rest(self, at: Position) -> bool:
        return bool(self.referee.holders(at)) or at.stage == OVER

    def _quietly(self, step: ScenarioStep, *, is_begun: bool) -> Position:
        at, is_begun = self.at, is_begun or step.does is None
        for _ in range(100):
            moves = self.referee.moves(at)
            if not is_begun:
                moves = [one for one in moves if step.does and one[0].clause == step.does.clause]
            moves = [one for one in moves if self.referee.is_quiet(one[0])] or moves
            if not moves:
                raise CannotError("nothing goes on so")
            self._seen += self.showing.of(*moves[0])
            at, is_begun = moves[0][1], True
            if self._is_at_rest(at):
                return at
        raise CannotError("it does not come to an end")
