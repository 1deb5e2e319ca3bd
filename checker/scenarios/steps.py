"""Steps: a play as an engine's author needs it: before each deed who has priority, what they may do
and what not, then what happens, and who receives priority, by which clause.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...models import ir
from ...models.frozen import frozen
from ..conform.at_priority import Handing
from ..conform.events import LogEvent, LogEvents
from ..conform.showing import Showing
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..types.position import Move, Position, TraceStep

_MOST_MOVES = 100


@frozen
class PlayerOffer:
    """What a player may do, or may not: by a *clause*, and which *kind* of item comes of it."""

    clause: str
    title: str
    kind: str


@frozen
class ScenarioStep:
    """A window: how things *look* where *holder* has priority, what they *may* do there and may
    not, what they *do*, and what is *seen* of the rest of it.

    *asked* has who decides what on the way: the clause, the seat and the title of what is chosen.
    *caused* is what the cards cause. *receives* are the seats that have priority then, none if the
    game is over; *by* is the clause that decides it.
    """

    look: LogEvent
    holder: int | None
    may: tuple[PlayerOffer, ...]
    may_not: tuple[PlayerOffer, ...]
    does: PlayerOffer | None
    asked: tuple[tuple[str, int, str], ...]
    caused: tuple[str, ...]
    seen: LogEvents
    receives: tuple[int, ...]
    by: str


@frozen
class Scenario:
    """A play that an engine ought to allow, *step* by step; *moments* names the promises whose
    condition arises at its *end*, of which that is the look.
    """

    number: int
    steps: tuple[ScenarioStep, ...]
    moments: tuple[str, ...]
    end: LogEvent


class Telling:
    """Tells plays of a game as scenarios."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter, self.program = interpreter, interpreter.program
        self.referee, self.showing = Referee(interpreter), Showing(interpreter)
        self._handing = Handing(self.program)
        self._offers = {
            clause.id: PlayerOffer(clause.id, clause.title, _kind(clause))
            for _, clause in self.program.clauses
        }

    def scenario(
        self, number: int, steps: Sequence[TraceStep], moments: tuple[str, ...] = ()
    ) -> Scenario:
        """Return the play of *steps* from the start as a scenario."""
        found, at = list[ScenarioStep](), self.interpreter.initial()
        begin, window = at, list[TraceStep]()
        for step in steps:
            window.append(step)
            if self.referee.holders(step.position) or step is steps[-1]:
                found.append(self._window(begin, window))
                begin, window = step.position, []
        return Scenario(number, tuple(found), moments, self.showing.look(begin))

    def to_rest(self, steps: Sequence[TraceStep]) -> list[TraceStep]:
        """Return *steps*, and how play goes on with as little decided as can be until somebody has
        priority, or nothing goes on; beyond the scope where it has no room for that.
        """
        found = list(steps)
        while found and not self.referee.holders(found[-1].position):
            at = found[-1].position
            moves = self.referee.within(at).moves or self.referee.moves(at)
            if not moves or len(found) > len(steps) + _MOST_MOVES:
                break
            found.append(TraceStep(*min(moves, key=lambda one: self.referee.cost(one[0]))))
        return found

    def _window(self, begin: Position, window: list[TraceStep]) -> ScenarioStep:
        holders = self.referee.holders(begin)
        after = window[-1].position
        first = window[0].move if holders else None
        able = [
            move.clause for move, _ in self.referee.moves(begin) if self.referee.mode(move) == "may"
        ]
        stage = next((one for one in self.program.stages if one.name == begin.stage), None)
        acts = [one.id for one in (stage.clauses if stage else ()) if one.mode == "may"]
        return ScenarioStep(
            look=self.showing.look(begin),
            holder=min(holders, default=None),
            may=tuple(self._offers[one] for one in dict.fromkeys(able)) if holders else (),
            may_not=tuple(self._offers[one] for one in acts if one not in able) if holders else (),
            does=self._offers[first.clause] if first else None,
            asked=tuple(asked for step in window for asked in _asked(step.move)),
            caused=tuple(title for step in window for title, _ in self.referee.caused(step.move)),
            seen=tuple(
                event for step in window for event in self.showing.of(step.move, step.position)
            ),
            receives=tuple(sorted(self.referee.holders(after))),
            by=self._decided(begin, window),
        )

    def _decided(self, begin: Position, window: list[TraceStep]) -> str:
        stages = [begin.stage, *(step.position.stage for step in window)]
        way = [(stage, step.move.clause) for stage, step in zip(stages, window, strict=False)]
        return self._handing.decides(reversed(way), stages[-1])


def _asked(move: Move) -> list[tuple[str, int, str]]:
    return [
        (move.clause, choice.by, str(choice.value) if not choice.what else choice.what)
        for choice in move.choices
        if isinstance(choice.by, int)
    ]


def _kind(clause: ir.Clause) -> str:
    return next((one.kind for one in clause.body if isinstance(one, ir.Put)), "")
