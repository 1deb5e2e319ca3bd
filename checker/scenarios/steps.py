"""Steps: a play as an engine's author needs it: before each deed who has priority, what they may do
and what not, then what happens, and who receives priority, by which clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import statements
from ...models.words import player_name
from ..conform.at_priority import Handing
from ..conform.events import LogEvent, LogEvents
from ..conform.showing import Showing
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..types.position import Choice, Item, Move, Position, TraceStep

_MOST_MOVES = 100


@frozen
class PlayerOffer:
    """What a player may do, or may not: by a *clause*, and which *kind* of item comes of it."""

    clause: str
    title: str
    kind: str


@frozen
class ScenarioStep:
    """A window: how things *look* where *holder* has priority, what they *may* do there, what
    nobody may, what the holder *does*, and what is *seen* of the rest of it. Where several players
    have priority, or somebody acts without it, the holder is the one who does something.

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
        first = window[0].move if holders and self._is_deed(window[0].move) else None
        holder = first.owner if first else min(holders, default=None)
        able = [(one.owner, one.clause) for one, _ in self.referee.moves(begin)]
        anybodys = {clause for _, clause in able}
        own = dict.fromkeys(clause for owner, clause in able if owner == holder)
        stage = next((one for one in self.program.stages if one.name == begin.stage), None)
        acts = [one.id for one in (stage.clauses if stage else ()) if one.mode == "may"]
        return ScenarioStep(
            look=self.showing.look(begin),
            holder=holder if isinstance(holder, int) else None,
            may=tuple(self._offers[one] for one in own if one in acts) if holders else (),
            may_not=tuple(self._offers[one] for one in acts if one not in anybodys)
            if holders
            else (),
            does=self._offers[first.clause] if first else None,
            asked=tuple(
                asked for step in window for asked in self._asked(step.move, step.move is not first)
            ),
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

    def _is_deed(self, move: Move) -> bool:
        """Whether *move* is one that a player may make."""
        return isinstance(move.owner, int) and self.referee.mode(move) == "may"

    def _asked(self, move: Move, is_further: bool) -> Iterator[tuple[str, int, str]]:
        """Yield what players decide in *move*: where it *is further* on in a window, to make it."""
        if is_further and isinstance(move.owner, int) and self._is_deed(move):
            yield move.clause, move.owner, self._offers[move.clause].title
        for choice in move.choices:
            if isinstance(choice.by, int):
                yield move.clause, choice.by, self._chosen(move, choice)

    def _chosen(self, move: Move, choice: Choice) -> str:
        value = choice.value
        if isinstance(value, Item):
            title = next(one.title for one in self.program.kinds if one.name == value.kind)
            return f"{player_name(value.controller)}'s {title or value.kind}"
        chooses = [
            one.domain
            for one in statements(self.interpreter.clauses[move.clause].body)
            if isinstance(one, ir.Choose) and one.variable == choice.what
        ]
        if isinstance(value, int) and any(isinstance(one, ir.PlayersIn) for one in chooses):
            return player_name(value)
        return str(value)


def _kind(clause: ir.Clause) -> str:
    return next((one.kind for one in clause.body if isinstance(one, ir.Put)), "")
