"""The monitor: a log against the rules, event by event; ``stacklaw.Monitor``.

It keeps the *set* of positions that explain what was seen, from one window to the next, and what it
has found of (set, window). Where no play explains a window it tells a deviation, and goes on from
what the log shows.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.load import load_rules
from ...models.source import Source
from ..reference.semantics.interpreter import Interpreter
from ..types.position import Position
from ..types.scope import Scope, make_scope
from .events import SEEN_OF_MOVES, Dictionary, EventError, LogEvent, LogEvents, event_of
from .fitting import Fitting, LogWindow, Standing, Standings
from .maps import MapReading, read_map
from .search import SearchFound, WaysOn, WindowSearch
from .showing import Showing, TooManyWaysError

MOST_NODES = 20_000
_MOST_EVENTS = 64
_MOST_BACK = 64
_MORE_ROOM = (8, 16)
_OF_POSITIONS = ("look", "may")

ShownBy = tuple[str, Literal["active", "another", ""]]
"""The name of an event, and whether the active player or another one has or does it."""
FindingKind = Literal["deviation", "unknown"]
DeviationClass = tuple[str, str, str]
"""The clause by which the rules go on, the event of the log, and the event of the rules."""


def shown_by(begin: Standings, events: Sequence[LogEvent]) -> frozenset[ShownBy]:
    """Return which *events* come after *begin*, and whose they are."""
    active = {one.position.values[0] for one in begin}
    return frozenset(
        (one.name, ("active" if one.seats <= active else "another") if one.seats else "")
        for one in events
    )


@frozen
class LogFinding:
    """What is told of a log: a *deviation*, or that what comes there is *unknown*.

    *number* and *line* are those of the *event* in the log, *turn* and *step* where that was.
    *before* is what the log shows since somebody had priority last. *stood* are positions in which
    the rules still explain it, *ways* how they go on, *field* what of a look is not so. *clause*
    decides. *reason* says why nothing is known. *waiver* is the number of the one that covers it,
    -1 if none does. *begin* is where play may have stood before the *window* in which it is.
    """

    kind: FindingKind
    number: int
    line: int
    event: LogEvent
    turn: int
    step: str
    clause: str = ""
    ways: tuple[WaysOn, ...] = ()
    stood: tuple[Position, ...] = ()
    field: str = ""
    before: LogEvents = ()
    reason: str = ""
    waiver: int = -1
    begin: Standings = frozenset()
    window: LogWindow | None = None

    @property
    def shown(self) -> frozenset[ShownBy]:
        """What the log shows before it, since somebody had priority last."""
        return shown_by(self.begin, self.before)

    @property
    def of_class(self) -> DeviationClass:
        """Which deviations are like it."""
        return self.clause, self.event.name, self.wanted

    @property
    def wanted(self) -> str:
        """The name of the event that the rules want instead, empty if they want none."""
        return self.ways[0].shown.name if self.ways else ""


@dataclass
class Tally:
    """How much of a log was looked at: *events*, *windows*, those of them that are *explained*; how
    many events could not be judged (*blind*). *right* counts, by clause, how often the log is right
    about whom it gives priority, *beside* what else it has `shown` then.
    """

    events: int = 0
    windows: int = 0
    explained: int = 0
    blind: int = 0
    right: Counter[str] = field(default_factory=Counter)
    beside: dict[str, set[ShownBy]] = field(default_factory=dict)


@frozen
class _Past:
    """A window that is over: the numbers of its first and last event, where it began, in which turn
    and step, and itself. Looks only say how things are: with no more than them taken back, the
    window stands.
    """

    since: int
    until: int
    begin: Standings | None
    window: LogWindow
    turn: int
    step: str


class ProgramMonitor:
    """Holds the events of a log against *program*; those *hidden* by their names it never shows."""

    def __init__(
        self,
        program: ir.Program,
        players: int | None = None,
        hidden: Collection[str] = (),
        most: int = MOST_NODES,
    ) -> None:
        unknown = sorted(set(hidden) - SEEN_OF_MOVES)
        if unknown:
            raise EventError(
                f"`{unknown[0]}` is nothing that could be hidden.",
                f"events of moves: {', '.join(sorted(SEEN_OF_MOVES))}",
            )
        self.program, self.tally = program, Tally()
        self._hidden, self._most = frozenset(hidden), most
        self._line = 0
        self._deal(make_scope(program, players))

    def _deal(self, scope: Scope) -> None:
        """Begin with *players* players."""
        self.scope = scope
        self._names = Dictionary(self.program, scope.players)
        self._search, self._fitting = _searching(self.program, scope, self._hidden, self._most)
        self.showing = self._search.showing
        self._initial = frozenset({Standing(self.showing.interpreter.initial())})
        self._states: Standings | None = self._initial
        self._decided = ""
        self._turn, self._step = 1, ""
        self._past = deque[_Past](maxlen=_MOST_BACK)
        self._undone = deque[tuple[int, int]](maxlen=_MOST_BACK)
        self._is_cut, self._is_fresh, self._is_from_start = False, True, True
        self._begin_window()
        # Whoever has priority as the game begins may be told, though no move gives it to them.
        self._is_told_again = any(
            self.showing.interpreter.priority(one.position) for one in self._initial
        )

    def _begin_window(self) -> None:
        self._seen: list[tuple[int, int, LogEvent]] = []
        self._looks: list[tuple[int, int, LogEvent]] = []
        self._is_told_again = False

    # ------------------------------------------------------------------ event by event

    def step_event(self, event: LogEvent, line: int = 0) -> list[LogFinding]:
        """Take the next *event*, and return what it settles: a window is judged when the next one
        begins. Raises `EventError` if it speaks of what the game does not have.
        """
        self.tally.events += 1
        self._line = line
        number = self.tally.events
        if event.name == "players":
            return self._take_players(event, number)
        self._names.check(event)
        found: list[LogFinding] = []
        is_look = event.name in _OF_POSITIONS
        if self._is_over() and (not is_look or self._is_of_another(event)):
            found += self._judge()
        if self._is_fresh and event.name == "look":
            self._states, self._is_from_start = None, False  # the log begins somewhere
        self._is_fresh = False
        match event.name:
            case "gap":
                found += self.finish()
                self._states, self._is_cut, self._is_from_start = None, False, False
                self._past.clear()
            case "cancel":
                self._cancel(event, number)
            case "rollback":
                self._roll_back(event, number)
            case _ if is_look:
                self._looks.append((number, line, event))
            case _ if event.name not in self._hidden:
                self._seen.append((number, line, event))
                if len(self._seen) >= _MOST_EVENTS:
                    found += self._judge()
        return found

    def finish(self) -> list[LogFinding]:
        """Return what is still to be said at the end of a log, or of a part of it."""
        return self._judge() if self._seen or self._looks else []

    def _take_players(self, event: LogEvent, number: int) -> list[LogFinding]:
        if number > 1:
            raise EventError("The number of players stands at the beginning of a log.")
        if event.get("n") is not None:
            try:
                self._deal(make_scope(self.program, event.get("n")))
            except InputError as error:
                raise EventError(error.diagnostics[0].message) from error
        return []

    def _is_over(self) -> bool:
        """Whether the window that was begun has come to where somebody has priority."""
        return bool(self._looks) or (bool(self._seen) and self._seen[-1][2].name == "priority")

    def _is_of_another(self, look: LogEvent) -> bool:
        """Whether *look* is of another moment than those before it: they say other things, where no
        event of priority would stand between them.
        """
        if "priority" not in self._hidden or look.name != "look":
            return False
        return any(
            value is not None and look.get(name) not in (None, value)
            for _, _, one in self._looks
            for name, value in one.said
            if one.name == "look"
        )

    def _cancel(self, event: LogEvent, number: int) -> None:
        """Take the last act back, of whom *event* says."""
        by = event.get("by")

        def is_it(one: LogEvent) -> bool:
            return one.name == "act" and (by is None or one.get("by") in (None, by))

        acts = [at for at, (_, _, one) in enumerate(self._seen) if is_it(one)]
        if acts:
            self._seen = self._seen[: acts[-1]]
            self._is_told_again = not self._seen
            return
        last = next((p for p in reversed(self._past) if any(map(is_it, p.window.events))), None)
        if last is None and self._is_from_start and "act" not in self._hidden:
            raise EventError(
                "There is no act that could be taken back.", "`cancel` follows an `act`"
            )
        self._go_back(-1 if last is None else last.since - 1, number)

    def _roll_back(self, event: LogEvent, number: int) -> None:
        """Take back all after the event whose number *event* says."""
        to = -1 if event.get("to") is None else event.get("to")
        if to >= number:
            raise EventError(f"Event {to} has not come yet: this is event {number}.")
        for since, until in self._undone:
            if since < to < until:
                raise EventError(f"Event {to} has been taken back itself, by event {until}.")
        if self._past and to >= self._past[-1].until:
            self._undone.append((to, number))
            self._seen = [one for one in self._seen if one[0] <= to]
            self._looks, self._is_told_again = [], not self._seen
        else:
            self._go_back(to, number)

    def _go_back(self, to: int, number: int) -> None:
        """Take back all after event *to*, as event *number* says; *to* is -1 if that is not
        known.
        """
        if to >= 0:
            self._undone.append((to, number))
        first, states = None, None
        while self._past and self._past[-1].until > to:
            first = self._past.pop()
        if first is not None:
            self._turn, self._step = first.turn, first.step
            states = first.begin if first.since > to >= 0 else None
        self._is_from_start = self._is_from_start and states is not None
        self._begin_window()
        self._states, self._is_told_again = states, states is not None

    # ------------------------------------------------------------------ window by window

    def _judge(self) -> list[LogFinding]:
        """Return what is found of the window that is over."""
        numbered, is_whole = [*self._seen, *self._looks], self._is_over()
        events = tuple(one for _, _, one in self._seen)
        window = LogWindow(events, tuple(one for _, _, one in self._looks), is_whole)
        is_again = self._is_told_again
        begin, turn, step = self._states, self._turn, self._step
        self._begin_window()
        self.tally.windows += 1
        told = self._told(begin, window, numbered, is_again=is_again)
        for event in events:
            self._turn += event.name == "turn" and self.tally.windows > 1
            self._step = event.get("name") if event.name == "step" else self._step
        for look in window.looks:
            self._step = look.get("step") or self._step
        last = numbered[max(len(events) - 1, 0)][0]
        self._is_from_start = self._is_from_start and len(self._past) < _MOST_BACK
        self._past.append(_Past(numbered[0][0], last, begin, window, turn, step))
        return told

    def _told(
        self,
        begin: Standings | None,
        window: LogWindow,
        numbered: list[tuple[int, int, LogEvent]],
        *,
        is_again: bool,
    ) -> list[LogFinding]:
        if begin is None:
            self._states = self._fitted(window)
            self._is_cut = not self._search.facts.is_seen_whole
            self.tally.blind += len(window.events)
            return []
        says_again = is_again and all(one.name == "priority" for one in window.events)
        window = window._replace(is_whole=window.is_whole or says_again)
        found = self._standing(begin, window) if says_again else SearchFound()
        if not says_again or begin is self._initial:
            moved = self._search.find(begin, window)
            spent = moved.is_spent or found.is_spent
            found = replace(moved, ends=moved.ends | found.ends, is_spent=spent)
        if found.ends:
            self.tally.explained += 1
            if window.events and window.events[-1].name == "priority" and found.decided:
                self.tally.right[found.decided] += 1
                beside = self.tally.beside.setdefault(found.decided, set())
                beside |= shown_by(begin, window.events[:-1])
            self._states, self._decided = found.ends, found.decided or self._decided
            self._is_cut = self._is_cut or found.is_cut
            return []
        made = self._deviation(begin, window, numbered, found)
        return [] if made is None else [made]

    def _standing(self, begin: Standings, window: LogWindow) -> SearchFound:
        """Find those of *begin* that fit *window*, which says once more how things are."""
        found, last = SearchFound(), [one for one in window.events if one.seats]
        self.showing.tried = 0
        try:
            found.ends = frozenset(
                one
                for one in begin
                if all(e.seats == self.showing.interpreter.priority(one.position) for e in last)
                and not any(self.showing.differs(look, one.position) for look in window.looks)
            )
        except TooManyWaysError:
            found.is_spent = True
        return found

    def _fitted(self, window: LogWindow, *, whole: bool = False) -> Standings | None:
        return (
            self._fitting.positions([*window.events[-1:], *window.looks], whole=whole)
            if window.is_whole
            else None
        )

    # ------------------------------------------------------------------ where nothing explains it

    def _deviation(
        self,
        begin: Standings,
        window: LogWindow,
        numbered: list[tuple[int, int, LogEvent]],
        found: SearchFound,
    ) -> LogFinding | None:
        whole = self._search.find(begin, window, is_told=True)
        reason = "its budget ended" if found.is_spent or whole.is_spent else ""
        if not reason and found.is_cut:
            found, reason = self._with_more_room(begin, window)
            if found.ends:
                self._states = found.ends
                self.tally.explained += 1
                return None
        if not reason and self._is_cut and not self._is_sure(window):
            reason = "moves before it were left out"
        at = min(whole.explained, len(numbered) - 1)
        number, line, event = numbered[at]
        ways = tuple(sorted(whole.ways, key=lambda way: _rank(way, event)))
        step = next(
            (e.get("name") for _, _, e in reversed(numbered[:at]) if e.name == "step"), self._step
        )
        made = LogFinding(
            "unknown" if reason else "deviation",
            number,
            line,
            event,
            self._turn,
            step,
            ways=ways[:_MOST_TOLD],
            stood=tuple(whole.stood[:1]),
            reason=reason,
            before=tuple(one for _, _, one in numbered[:at]),
            begin=begin,
            window=window,
        )
        made = replace(made, clause=self._clause(made), field=self._field(made))
        self._states = self._taken_up(begin, window, whole)
        self._is_cut = not self._search.facts.is_seen_whole
        return made

    def _clause(self, made: LogFinding) -> str:
        """Return the clause by which the rules go on instead."""
        if made.ways:
            way = made.ways[0]
            return way.decided if way.shown.name == "priority" else way.clause
        return self._decided

    def _field(self, made: LogFinding) -> str:
        if made.event.name in _OF_POSITIONS and made.stood:
            self.showing.tried = 0
            with suppress(TooManyWaysError):  # then it is unknown, and the budget is told
                return self.showing.differs(made.event, made.stood[0])
        return ""

    def _with_more_room(self, begin: Standings, window: LogWindow) -> tuple[SearchFound, str]:
        """Return what is found of *window* with more room, and why that does not settle it."""
        for room in _MORE_ROOM:
            found = self._search.find(begin, window, room)
            if found.ends or not found.is_cut:
                return found, "its budget ended" if found.is_spent else ""
        return found, "there is no room for all that is unseen"

    def _is_sure(self, window: LogWindow) -> bool:
        """Whether nothing explains *window* from any position that the log may have shown before
        it.
        """
        last = self._past[-1].window if self._past else None
        begin = None if last is None else self._fitted(last, whole=True)
        if begin is None:
            return False
        found = self._search.find(begin, window)
        return not (found.ends or found.is_cut or found.is_spent)

    def _taken_up(
        self, begin: Standings, window: LogWindow, found: SearchFound
    ) -> Standings | None:
        """Return where play stands after a deviation: what the log shows of it, and for the rest
        how things were by the rules. Where only a look is not so, it may be the look that is wrong.
        """
        if not window.is_whole:
            return None
        last = list(window.looks)
        priority = [one for one in window.events[-1:] if one.name == "priority"]
        states = self._fitting.positions([*priority, *last])
        if states is not None and found.explained >= len(window.events):
            return states | self._search.find(begin, window._replace(looks=())).ends
        if states is not None or last:
            return states
        looks = {self.showing.look(one) for one in found.stood} | {
            self.showing.look(way.at) for way in found.ways
        }
        fitting = [
            self._fitting.positions(
                [*priority, LogEvent("look", tuple(p for p in look.said if p[0] != "holder"))]
            )
            for look in looks
        ]
        known = [one for one in fitting if one is not None]
        return frozenset().union(*known) if known else None


@lru_cache(maxsize=4)
def _searching(
    program: ir.Program, scope: Scope, hidden: frozenset[str], most: int
) -> tuple[WindowSearch, Fitting]:
    """Return what searches and remembers, which several logs share."""
    search = WindowSearch(Showing(Interpreter(program, scope), hidden), most)
    return search, Fitting(search.showing, search.facts)


def forget() -> None:
    """Forget what several logs share."""
    _searching.cache_clear()


_MOST_TOLD = 4


def _rank(way: WaysOn, event: LogEvent) -> tuple[bool, bool]:
    """Return how far from *event* the rules' *way* on is: the same sort of event comes first."""
    return way.shown.name != event.name, way.shown.name != "priority"


class LogMonitor(ProgramMonitor):
    """Holds events against the rules of *game*, one after the other.

    *hidden* names the events of moves that are never shown; *most* is how many positions are looked
    at for a window, *set* sets options. The events are those of docs/conform.md.
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        hidden: Collection[str] = (),
        most: int = MOST_NODES,
        set: Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
        map: str | None = None,  # noqa: A002 - as above
    ) -> None:
        self._reading = None if map is None else MapReading(read_map(Source("map", map)))
        never = self._reading.by.hidden.union(hidden) if self._reading else hidden
        super().__init__(load_rules(game, set), players, never, most)

    def step(self, event: Mapping[str, object], line: int = 0) -> list[LogFinding]:
        """Take the next *event*, and return what it settles: deviations, and what is unknown.

        What a window shows is judged when the next one begins; `finish` judges the last. Raises
        ValueError if *event* is none.
        """
        if self._reading is None:
            return self.step_event(event_of(dict(event)), line)
        events = [
            numbered
            for one in self._reading.events(dict(event))
            for numbered in self._reading.in_order(line, one)
        ]
        return self._judged(events)

    def finish(self) -> list[LogFinding]:
        """Return what is still to be said at the end."""
        held = self._reading.rest() if self._reading else []
        return self._judged(held) + super().finish()

    def _judged(self, events: list[tuple[int, LogEvent]]) -> list[LogFinding]:
        return [found for at, one in events for found in self.step_event(one, at)]
