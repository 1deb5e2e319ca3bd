"""Watching: is a formula true at some moment of some play? The shortest such play, if there is one.

In comes a graph and a formula with its spotlights, out goes a `SearchResult`. The search is
breadth-first over pairs of a position and a `MonitorState`: what the spotlights stand for, where
their items are, and the monitor's bits. Player spotlights are chosen at the start, all choices at
once; an item spotlight turns to an item when that is put on a zone, or not, and then follows it.

What a move and a position do to a `MonitorState` depends on very little of them: moves fall into
classes, positions into the rows of their signals, and the answer for each class and row is computed
once. So the inner loop is a few look-ups.

A formula without past and items is true or false of an edge and its target alone. Edges are in the
order of the depths of their sources. So the first edge of which the formula is true ends a shortest
play, and is read off the graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from ....models import ir
from ....models.frozen import frozen
from ....properties import formula as f
from ....properties.formula import expressions_in, formulas, speaks_of
from ...questions.questions import Query, SearchResult
from ...types.budget import INTERRUPTED, BudgetSpentError, Meter
from ...types.position import Event, Item, Move, SpotlitItem, Trace
from ..semantics.events import follow
from ..semantics.explore import Graph
from ..semantics.expressions import ItemPlace
from .evaluate import ground
from .monitor import Monitor, Now, said_of_move
from .signals import Signals

_ITEM_EVENTS = frozenset({"put", "move", "changes", "resolves", "is removed", "begins resolving"})


def classify(
    graph: Graph, formula: f.Formula, *, with_items: bool, asks_items: bool
) -> tuple[list[int], list[Move]]:
    """Return the class of each label of *graph*, and a move of each class.

    *with_items* says whether *formula* has item spotlights, *asks_items* whether it asks for their
    kind, controller or attributes.
    """
    interpreter = graph.interpreter
    asked = [
        one
        for part in formulas(formula)
        if isinstance(part, f.OfMove) and not (isinstance(part, f.ItemEvent) and part.item)
        for one in _of_each_seat(part, interpreter.scope.players)
    ]
    numbers: dict[Hashable, int] = {}
    representatives: list[Move] = []
    classes = []
    for move in graph.moves:
        content = (
            tuple([said_of_move(question, move, interpreter) for question in asked]),
            tuple(
                [
                    _projected(event, asks_items)
                    for event in move.events
                    if event.kind in _ITEM_EVENTS
                ]
            )
            if with_items
            else (),
        )
        number = numbers.setdefault(content, len(numbers))
        if number == len(representatives):
            representatives.append(move)
        classes.append(number)
    return classes, representatives


def _of_each_seat(formula: f.OfMove, players: int) -> Iterator[f.OfMove]:
    """Yield all that *formula* may be once its player is known."""
    if isinstance(formula, f.PlayerEvent | f.Uses) and formula.player is not None:
        yield from (replace(formula, player=ir.Literal(seat)) for seat in range(players))
    else:
        yield formula


def _projected(event: Event, asks_items: bool) -> Event:
    """Return *event* without what no item spotlight depends on."""
    item = event.item if asks_items and event.kind in ("put", "changes") else None
    return event._replace(item=item)


CHECK_EVERY = 1024
TRUE_NOW, NEVER_TRUE = -1, -2
_SEEN = Item("", -1)
"""Stands for every item where the formula asks nothing of it."""


class MonitorState(NamedTuple):
    """What is remembered besides the position: seats and items by spotlight, the items' places, the
    monitor's bits.
    """

    seats: tuple[int, ...]
    items: tuple[Item | None, ...]
    places: tuple[ItemPlace | None, ...]
    bits: int = 0


class Sight(NamedTuple):
    """A way to watch one move: what is watched after it, the *events* of each item, and *picks*.

    A pick is which of the move's new items (from 0) an item spotlight turns to, None for none.
    *guess* is what is guessed of the future (`future`).
    """

    watched: MonitorState
    events: tuple[tuple[Event, ...], ...]
    picks: tuple[int | None, ...]
    guess: int = 0


@dataclass(slots=True)
class SightOutcomes:
    """A `Sight` of a class of moves, and what it comes to by the row of the position reached:
    *outcomes*, filled as they are met.
    """

    sight: Sight
    move: Move | None
    rows: list[int]
    outcomes: dict[int, int] = field(default_factory=dict)


class Watch:
    """The search for one formula over one graph."""

    def __init__(self, signals: Signals, query: Query, meter: Meter) -> None:
        self.signals, self.graph, self.query, self.meter = signals, signals.graph, query, meter
        self.formula, spotlights = query.formula, query.spotlights
        self.players = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
        self.items = [spotlight.name for spotlight in spotlights if spotlight.kind == "item"]
        asked = (
            expr.item for expr in expressions_in(self.formula) if isinstance(expr, ir.AttributeOf)
        )
        self._asks_items = any(
            isinstance(item, ir.Local) and item.name in self.items for item in asked
        )
        self._changes = any(
            event.kind == "changes" for move in signals.graph.moves for event in move.events
        )
        self._monitors: dict[tuple[object, ...], _Eye] = {}
        self._numbers: dict[MonitorState, int] = {}
        self._watched: list[MonitorState] = []
        self._ways: list[dict[int, list[SightOutcomes]]] = []
        self._classes, self._representatives = classify(
            signals.graph, self.formula, with_items=bool(self.items), asks_items=self._asks_items
        )
        self._ends = self._kinds_and_targets()
        self.may_repeat = [True] * len(signals.graph.moves)
        self._came: dict[int, int] = {}
        self._layers = 0

    def search(self) -> SearchResult:
        """Return the answer; if anything ends the search before its time, the answer says so."""
        trace, stopped = None, ""
        try:
            trace = self._search()
        except BudgetSpentError as spent:
            stopped = str(spent)
        except KeyboardInterrupt:
            self.meter.interrupted, stopped = True, INTERRUPTED
        bound = self.graph.complete_layers - 1
        return SearchResult(
            trace is not None,
            min(bound, self._layers) if stopped else bound,
            stopped or self.graph.stopped,
            trace,
        )

    # ------------------------------------------------------------------ the search

    def _search(self) -> Trace | None:
        if self.graph.expanded == 0:
            return None
        layer: list[int] = []
        for start in self._starts():
            outcome = self._outcome(start, start.rows[0])
            if outcome == TRUE_NOW:
                return self._as_trace(start.sight.watched, [], [])
            if outcome >= 0:
                layer.append(outcome * len(self.graph.positions))
                self._came[layer[-1]] = -1
        while layer:
            following: list[int] = []
            for first in range(0, len(layer), CHECK_EVERY):
                self.meter.check(self._layers + 1, len(self._came), len(self._came))
                found = self._expand(layer[first : first + CHECK_EVERY], following)
                if found is not None:
                    return self._trace_through(found)
            self._layers, layer = self._layers + 1, following
        return None

    def _starts(self) -> Iterator[SightOutcomes]:
        """Return how a play can be watched from its start: every choice of players, and no item
        yet.
        """
        nothing = (None,) * len(self.items)
        for seats in product(range(self.graph.interpreter.scope.players), repeat=len(self.players)):
            watched = MonitorState(seats, nothing, nothing)
            yield SightOutcomes(
                Sight(watched, ((),) * len(self.items), nothing), None, self._eye(watched).rows
            )

    def _expand(self, states: list[int], following: list[int]) -> list[int] | None:
        """Add what comes after *states* to *following*; return the states of a play to where the
        formula is true, if it is anywhere.

        A state is the number of a `MonitorState`, or `TRUE_NOW`, times the number of positions,
        plus the number of a position.
        """
        size, came = len(self.graph.positions), self._came
        for state in states:
            which, source = divmod(state, size)
            for kind, position in self._ends[source]:
                for _, outcome in self._outcomes(which, kind, position):
                    target = outcome * size + position
                    if outcome == TRUE_NOW:
                        return [*self._states_to(state), target]
                    if outcome >= 0 and target not in came:
                        came[target] = state
                        following.append(target)
        return None

    def _outcomes(
        self, which: int, kind: int, position: int
    ) -> Iterator[tuple[SightOutcomes, int]]:
        """Yield the ways to watch a move of class *kind* in the `MonitorState` of number *which*,
        with what each comes to in *position*.
        """
        if kind not in self._ways[which]:
            move = self._representatives[kind]
            self._ways[which][kind] = [
                SightOutcomes(sight, move, self._eye(sight.watched).rows)
                for sight in self._sights(self._watched[which], move)
            ]
        for way in self._ways[which][kind]:
            row = way.rows[position]
            yield way, way.outcomes[row] if row in way.outcomes else self._outcome(way, row)

    def _kinds_and_targets(self) -> list[list[tuple[int, int]]]:
        """Return, for each position, the class and the target of its edges, each pair once."""
        graph = self.graph
        pairs = list(zip(map(self._classes.__getitem__, graph.label), graph.target, strict=True))
        return [list(dict.fromkeys(pairs[low:high])) for low, high in pairwise(graph.first_edge)]

    # ------------------------------------------------------ what one moment does to what is watched

    def _outcome(self, way: SightOutcomes, row: int) -> int:
        """Return what *way* comes to in a position of *row*: the number of a `MonitorState`, or
        `TRUE_NOW` or `NEVER_TRUE`.
        """
        way.outcomes[row] = NEVER_TRUE
        if row >= 0:
            is_true, then = self._moment(way, row)
            if is_true:
                way.outcomes[row] = TRUE_NOW
            elif then is not None:
                way.outcomes[row] = self._state_number(then)
        return way.outcomes[row]

    def _moment(self, way: SightOutcomes, row: int) -> tuple[bool, MonitorState | None]:
        """Return whether the formula is true after *way* in a position of *row*, and what is
        watched then: None if it never will be.
        """
        watched, eye = way.sight.watched, self._eye(way.sight.watched)
        now = self._now(way, row)
        is_true, bits = eye.monitor.step(watched.bits, now)
        gone = frozenset(item for item, place in now.places.items() if place is None)
        may_change = self._asks_items and any(place is not None for place in watched.places)
        goes_on = (
            is_true
            or None in watched.items
            or (may_change and self._changes)
            or not eye.monitor.never_true(bits, gone)
        )
        return is_true, watched._replace(bits=bits) if goes_on else None

    def _now(self, way: SightOutcomes, row: int) -> Now:
        """Return what a monitor sees after *way* in a position of *row*."""
        watched, values = way.sight.watched, self._eye(way.sight.watched).values[row]
        events = dict(zip(self.items, way.sight.events, strict=True))
        return Now(values, way.move, events, dict(zip(self.items, watched.places, strict=True)))

    def _state_number(self, watched: MonitorState) -> int:
        number = self._numbers.setdefault(watched, len(self._watched))
        if number == len(self._watched):
            self._watched.append(watched)
            self._ways.append({})
        return number

    def _eye(self, watched: MonitorState) -> _Eye:
        """Return the monitor for what the spotlights of *watched* stand for, with its signals."""
        key = (watched.seats, watched.items)
        if key not in self._monitors:
            stands_for = {
                **dict(zip(self.players, watched.seats, strict=True)),
                **dict(zip(self.items, watched.items, strict=True)),
            }
            interpreter = self.graph.interpreter
            monitor = Monitor(
                ground(self.formula, stands_for, interpreter.expressions), interpreter
            )
            self._monitors[key] = _Eye(monitor, *self.signals.rows(tuple(monitor.signals)))
        return self._monitors[key]

    def _sights(self, watched: MonitorState, move: Move) -> Iterator[Sight]:
        """Return every way to watch *move*: each item not seen yet may be any new one, or none; two
        are never the same.
        """
        new = [None, *range(len(_puts(move)))]
        for picks in product(*(new if item is None else [None] for item in watched.items)):
            picked = [number for number in picks if number is not None]
            if len(set(picked)) == len(picked):
                yield self._sight(watched, move, picks)

    def _sight(self, watched: MonitorState, move: Move, picks: tuple[int | None, ...]) -> Sight:
        items, places, events = [], [], []
        for item, place, pick in zip(watched.items, watched.places, picks, strict=True):
            born = None
            if pick is not None:
                born = _puts(move)[pick]
                item = (move.events[born].item if self._asks_items else None) or _SEEN
            place, concerned = _follow(place, move.events, born)
            if item is not None and self._asks_items:
                item = (
                    next(
                        (event.item for event in reversed(concerned) if event.kind == "changes"),
                        None,
                    )
                    or item
                )
            items.append(item)
            places.append(place)
            events.append(concerned)
        return Sight(
            MonitorState(watched.seats, tuple(items), tuple(places), watched.bits),
            tuple(events),
            picks,
        )

    # ------------------------------------------------------------------ the play that was found

    def _states_to(self, state: int) -> list[int]:
        """Return the states of a shortest play to *state*."""
        states = [state]
        while (came := self._came[states[-1]]) >= 0:
            states.append(came)
        return states[::-1]

    def _trace_through(self, states: list[int], repeated: int | None = None) -> Trace:
        """Return the play through *states*; the moves from number *repeated* on are such as may
        happen again and again.
        """
        size, edges, ways = len(self.graph.positions), [], []
        for number, (before, after) in enumerate(pairwise(states)):
            edge, way = self._watched_step(
                before, after, may_repeat=repeated is not None and number >= repeated
            )
            edges.append(edge)
            ways.append(way)
        return self._as_trace(self._watched[states[0] // size], edges, ways)

    def _watched_step(
        self, before: int, after: int, *, may_repeat: bool
    ) -> tuple[int, SightOutcomes]:
        graph, size = self.graph, len(self.graph.positions)
        which, source = divmod(before, size)
        outcome, position = divmod(after, size)
        for edge in graph.edges(source):
            if graph.target[edge] == position and (
                self.may_repeat[graph.label[edge]] or not may_repeat
            ):
                for way, found in self._outcomes(which, self._classes[graph.label[edge]], position):
                    if found == outcome:
                        return edge, way
        raise AssertionError("the search has lost its way")

    def _as_trace(
        self, watched: MonitorState, edges: list[int], ways: list[SightOutcomes]
    ) -> Trace:
        trace = self.graph.trace(edges)
        spotlights: list[tuple[str, int | SpotlitItem]] = list(
            zip(self.players, watched.seats, strict=True)
        )
        for moment, (step, way) in enumerate(zip(trace.steps, ways, strict=True), 1):
            for name, pick in zip(self.items, way.sight.picks, strict=True):
                if pick is not None:
                    event = _puts(step.move)[pick]
                    spotlights.append(
                        (name, SpotlitItem(step.move.events[event].item or _SEEN, moment, event))
                    )
        return Trace(trace.initial, trace.steps, tuple(spotlights))


@frozen
class _Eye:
    """A *monitor*, the number of every position's row of its signals, and the rows' *values*."""

    monitor: Monitor
    rows: list[int]
    values: list[tuple[int, ...]]


def _puts(move: Move) -> list[int]:
    """Return the numbers of the events by which new items come."""
    return [number for number, event in enumerate(move.events) if event.kind == "put"]


def _follow(
    place: ItemPlace | None, events: tuple[Event, ...], born: int | None
) -> tuple[ItemPlace | None, tuple[Event, ...]]:
    """Return the place of an item after *events*, and those that concern it; it may be *born* with
    one of them.
    """
    concerned = []
    for number, event in enumerate(events):
        if number == born:
            place = (event.zone, event.at)
            concerned.append(event)
        elif place is not None:
            if event.kind != "put" and place == (event.zone, event.at):
                concerned.append(event)
            place = follow(place, event)
    return place, tuple(concerned)


# ------------------------------------------------------------------ without past and items


def can_scan(query: Query) -> bool:
    """Whether the formula of *query* has no past and speaks of no spotlit item."""
    return not speaks_of(query.formula, "past") and not any(
        spotlight.kind == "item" for spotlight in query.spotlights
    )


def scan(signals: Signals, query: Query, meter: Meter) -> Trace | None:
    """Return a shortest play to a moment of which the formula of *query* is true; None if the graph
    has none.
    """
    graph = signals.graph
    best: tuple[int, tuple[int, ...]] | None = None
    if graph.expanded == 0:
        return None
    names = [spotlight.name for spotlight in query.spotlights if spotlight.kind == "player"]
    classes, moves = classify(graph, query.formula, with_items=False, asks_items=False)
    for number, seats in enumerate(
        product(range(graph.interpreter.scope.players), repeat=len(names))
    ):
        meter.check(1, len(graph.positions), number * len(graph.label))
        stands_for = dict(zip(names, seats, strict=True))
        edge = _first_true(
            signals,
            ground(query.formula, stands_for, graph.interpreter.expressions),
            classes,
            moves,
        )
        if edge is not None and (best is None or edge < best[0]):
            best = edge, seats
            if edge == AT_START:
                break
    if best is None:
        return None
    edge, seats = best
    trace = graph.trace([] if edge == AT_START else [*graph.way_to(graph.source(edge)), edge])
    return replace(trace, spotlights=tuple(zip(names, seats, strict=True)))


AT_START = -1


def _first_true(
    signals: Signals, formula: f.Formula, classes: list[int], moves: list[Move]
) -> int | None:
    """Return the first edge of which a ground *formula* is true, or `AT_START`; None if it never
    is.
    """
    graph, monitor = signals.graph, Monitor(formula, signals.graph.interpreter)
    rows, values = signals.rows(tuple(monitor.signals))

    @cache
    def is_true(kind: int, row: int) -> bool:
        move = None if kind == AT_START else moves[kind]
        return row >= 0 and monitor.step(0, Now(values[row], move, {}, {}))[0]

    if is_true(AT_START, rows[0]):
        return AT_START
    kinds = map(classes.__getitem__, graph.label)
    ends = zip(kinds, map(rows.__getitem__, graph.target), strict=True)
    return next((edge for edge, end in enumerate(ends) if is_true(*end)), None)
