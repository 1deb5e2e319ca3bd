"""The search through one window of a log: from the positions before it to those that explain it.

What a log never shows is filled in. Zones have no bound: a search that leaves moves out, since they
put too many unseen items anywhere, says that it is cut.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..types.position import OVER, Move, Position
from .at_priority import AtPriority, Handing
from .events import MOST_LISTED, LogEvent, LogEvents, Remembered
from .fitting import LogWindow, RoundTable, Standing, Standings
from .showing import Showing, Spare, TooManyWaysError, explains, is_item

_MOST_KEPT = 50_000
"""How many positions are remembered, of moves and of windows each."""
_ROOM = 4


class WaysOn(NamedTuple):
    """A move that the rules offer where the log goes on otherwise: from *at* by *clause*, with the
    first thing that would be *shown*.

    *decided* is the clause that decides who has priority, if that is what is shown.
    """

    at: Position
    clause: str
    shown: LogEvent
    decided: str


@dataclass
class SearchFound:
    """What came of a search: the *ends* that explain all of a window, or how many of its events
    were explained at most, and where they *stood* then and the *ways* on that there were.

    *decided* is the clause by which, on one play, the holder got priority; *stages* are those to
    which play came.
    """

    ends: Standings = frozenset()
    explained: int = 0
    stood: list[Position] = field(default_factory=list)
    ways: list[WaysOn] = field(default_factory=list)
    decided: str = ""
    is_cut: bool = False
    is_spent: bool = False
    stages: set[str] = field(default_factory=set)

    def come_to(self, seen: int, position: Position) -> None:
        """Note that *seen* events are explained in *position*."""
        if seen > self.explained:
            self.explained, self.stood, self.ways = seen, [], []
        if seen == self.explained:
            self.stood.append(position)


class _Edge(NamedTuple):
    clause: str
    after: Position
    shown: LogEvents


_Node = tuple[Standing, int]
_Come = dict[_Node, tuple[_Node, str] | None]


_LEAVING = ("resolve", "leave")
_Pile = tuple[tuple[int | None, str | None], ...]


class _Bound(NamedTuple):
    """How many items there are at *most*: for sure if the look at the end *is_whole*, which has
    *stack*. If it *is_strict*, no move is made by which more come to wait than can leave or lie
    there.
    """

    most: int
    stack: _Pile | None = None
    is_whole: bool = False
    is_strict: bool = False


_Sought = tuple[Standings, LogWindow, int, bool]
_Asked = tuple[Position, tuple[str, ...], LogEvents, _Bound | None]


class WindowSearch:
    """Searches through windows: *showing* says what is seen in them; each looks at *most* nodes
    besides those where it begins.
    """

    def __init__(self, showing: Showing, most: int) -> None:
        self.showing, self.most = showing, most
        self.facts = AtPriority(showing.program)
        self._edges = Remembered[_Asked, list[_Edge]](_MOST_KEPT)
        self._table = RoundTable(showing)
        self._known = Remembered[_Sought, SearchFound](_MOST_KEPT)
        self._open = Remembered[tuple[str, LogEvent | None], tuple[str, ...]](_MOST_KEPT)
        self._passing = Handing(showing.program)
        self._leaves_are_seen = not {"resolve", "leave"} & showing.hidden

    def find(
        self,
        begin: Standings,
        window: LogWindow,
        room: int = _ROOM,
        *,
        is_told: bool = False,
    ) -> SearchFound:
        """Return what `run` finds, and remember it. Unless it *is_told* why nothing explains the
        window, one answer serves all turns of the table.
        """
        by = 0 if is_told else self._table.seat(begin)
        begin = self._table.turned(begin, by)
        window = self._table.turned_window(window, by)
        key = begin, window, room, is_told
        found = self._known.get(key)
        if found is None:
            found = self.run(begin, window, room=room, is_told=is_told)
            self._known.keep(key, found, 1 + len(begin) + len(found.ends) + len(found.stood))
        return replace(found, ends=self._table.turned(found.ends, -by)) if by else found

    def run(
        self,
        begin: Collection[Standing],
        window: LogWindow,
        *,
        room: int = _ROOM,
        is_told: bool = False,
    ) -> SearchFound:
        """Return what explains *window* from *begin* on. Up to *room* items more than are seen come
        anywhere, or as many as the look at its end can still hold.

        If it *is_told* why nothing does, the look decides last.
        """
        found, self.showing.tried = SearchFound(), 0
        try:
            self._run(found, begin, window, room, is_told=is_told)
        except TooManyWaysError:
            found.is_spent = True
        return found

    def _run(
        self,
        found: SearchFound,
        begin: Collection[Standing],
        window: LogWindow,
        room: int,
        *,
        is_told: bool,
    ) -> None:
        """Note in *found* what `run` returns."""
        ends = set[Standing]()
        bound = self._bound(begin, window, room, by_look=not is_told)
        come: _Come = {}
        open_ = deque[_Node]()

        def reach(node: _Node, since: tuple[_Node, str] | None) -> None:
            if node not in come:
                come[node] = since
                open_.append(node)

        for standing in begin:
            if node := self._seen_on(standing, 0, window):
                reach(node, None)
        while open_:
            node = open_.popleft()
            found.come_to(node[1], node[0].position)
            found.stages.add(node[0].position.stage)
            if self._is_end(node, window, found):
                ends.add(node[0])
                found.decided = found.decided or self._decided(
                    node[0].position.stage, come[node], come
                )
            for clause, after, shown in self._after(node, window, bound, found):
                if then := self._seen_on(Standing(after, shown), node[1], window):
                    reach(then, (node, clause))
            if found.is_spent or len(come) > self.most + len(begin):
                found.is_spent = True
                return
        found.ends = frozenset(ends)
        if is_told and not ends:
            for node in come:
                self._tell(node, window, found, come)

    def _seen_on(self, standing: Standing, seen: int, window: LogWindow) -> _Node | None:
        """Return *standing* without what of it was *seen*, or is seen next; None if something else
        is.
        """
        position, shown = standing
        same = _same(shown, window.events[seen:])
        if same == len(shown):
            return Standing(position), seen + same
        is_later = seen + same == len(window.events) and not window.is_whole
        return (Standing(position, shown[same:]), seen + same) if is_later else None

    def _tell(self, node: _Node, window: LogWindow, found: SearchFound, come: _Come) -> None:
        """Note in *found* how the rules go on from *node* otherwise than the log does."""
        (position, shown), at = node
        coming = window.events[at:]
        if shown or self._is_all_seen(coming, window) or position.stage == OVER:
            return
        for edge in self._otherwise(position, coming):
            same = _same(edge.shown, coming)
            if same == len(edge.shown) or at + same < found.explained:
                continue  # it explains what comes, or less than other ways do
            if same and at + same > found.explained:
                found.come_to(at + same, edge.after)
            is_priority = edge.shown[same].name == "priority"
            then = edge.after.stage
            decided = self._decided(then, (node, edge.clause), come) if is_priority else ""
            way = WaysOn(position, edge.clause, edge.shown[same], decided)
            if not any(way[1:] == other[1:] for other in found.ways):
                found.ways.append(way)

    def _is_end(self, node: _Node, window: LogWindow, found: SearchFound) -> bool:
        standing, seen = node
        if seen < len(window.events):
            return False
        if not window.is_whole:
            return True
        if standing.position.stage not in self.facts.stages:
            return False
        for number, look in enumerate(window.looks):
            if self.showing.differs(look, standing.position):
                found.come_to(seen + number, standing.position)
                return False
        return True

    def _after(
        self,
        node: _Node,
        window: LogWindow,
        bound: _Bound,
        found: SearchFound,
    ) -> Iterator[_Edge]:
        """Yield the moves that explain what comes by which play may go on from *node*."""
        (position, shown), seen = node
        coming = window.events[seen:]
        if shown or self._is_all_seen(coming, window) or position.stage == OVER:
            return
        leaving = sum(one.name in _LEAVING for one in coming)
        for edge in self._moves(position, coming, bound):
            rest = coming[len(edge.shown) :]
            if bound.stack is not None and not self._is_below(edge.after, bound.stack, rest):
                continue
            items = sum(map(len, edge.after.zones))
            if items > MOST_LISTED:
                found.is_spent = True
            elif items > bound.most + leaving:
                found.is_cut = found.is_cut or not bound.is_whole
            else:
                yield edge

    def _is_all_seen(self, coming: LogEvents, window: LogWindow) -> bool:
        """Whether no move comes any more in *window*, where these events are still *coming*."""
        return not coming and (not window.is_whole or "priority" not in self.showing.hidden)

    def _is_below(self, position: Position, stack: _Pile, coming: LogEvents) -> bool:
        """Whether *stack* can come of what lies there while only those items leave of which that is
        *coming*. As many stay as *stack* may begin with; the others have to leave.
        """
        if not self.facts.grows:
            return True
        gone, stay = Counter[tuple[int, str]](), 0
        for item in self.showing.lying(position):
            if stay < len(stack) and is_item(item, stack[stay]):
                stay += 1
            else:
                gone[item.controller, item.kind] += 1
        if not gone:
            return True
        leaves = [(one.get("by"), one.get("kind")) for one in coming if one.name in _LEAVING]
        if gone.total() > len(leaves):
            return False
        return any(None in one for one in stack) or all(  # where little is said others may stay
            number <= sum(by in (None, whose) and what in (None, kind) for by, what in leaves)
            for (whose, kind), number in gone.items()
        )

    def _bound(
        self, begin: Collection[Standing], window: LogWindow, room: int, *, by_look: bool
    ) -> _Bound:
        """Return how many items there are at most, besides those that are seen to leave."""
        stacks = (look.get("stack") for look in window.looks if look.get("stack") is not None)
        stack = next(stacks, None) if by_look and self._leaves_are_seen else None
        if stack is not None and self.facts.is_seen_whole:
            return _Bound(len(stack), stack, is_whole=True, is_strict=True)
        most = max((sum(map(len, one.position.zones)) for one in begin), default=0)
        most += sum(one.name in ("act", "trigger") for one in window.events)
        is_unseen = "trigger" in self.showing.hidden
        return _Bound(most + room, stack, is_strict=not by_look and is_unseen)

    def _otherwise(self, position: Position, coming: LogEvents) -> Iterator[_Edge]:
        """Yield the moves of *position* that cause nothing unseen, even if they do not show what is
        *coming*.
        """
        showing = self.showing
        clauses = showing.clauses_for(position.stage, coming[0] if coming else None)
        for move, after in showing.interpreter.allowed(position, clauses, showing.is_seen):
            yield _Edge(move.clause, after, showing.of(move, after))

    def _clauses_open(self, stage: str, next_: LogEvent | None) -> tuple[str, ...]:
        """Return the clauses of *stage* whose moves can show what comes *next*."""
        found = self._open.get((stage, next_))
        if found is None:
            open_ = self.showing.clauses_for(stage, next_)
            found = tuple(one for one in open_ if self.showing.can_show(one, next_))
            self._open.keep((stage, next_), found)
        return found

    def _moves(self, position: Position, coming: LogEvents, bound: _Bound) -> list[_Edge]:
        """Return the moves of *position* that explain what is *coming*."""
        next_ = coming[0] if coming else None
        showing, clauses = self.showing, self._clauses_open(position.stage, next_)
        key = position, clauses, coming, bound if bound.is_strict else None
        found = self._edges.get(key)
        if found is None:
            spare = self._spare(position, coming, bound) if bound.is_strict else None

            def is_wanted(move: Move) -> bool:
                return showing.may_become(move, coming, spare)

            edges = dict.fromkeys(
                _Edge(move.clause, after, showing.of(move, after))
                for move, after in showing.interpreter.allowed(position, clauses, is_wanted)
                if showing.waits(move, spare)
            )
            found = self._edges.keep(key, list(edges), 1 + len(edges))
        return found

    def _spare(self, position: Position, coming: LogEvents, bound: _Bound) -> Spare:
        """Return how much can still come to wait in *position*."""
        leaving = sum(one.name in _LEAVING for one in coming)
        lying = len(self.showing.lying(position))
        if bound.stack is None:  # nor is it whole
            return Spare(max(leaving - lying, 0))
        total = bound.most + leaving - sum(map(len, position.zones))
        stay = max(lying - leaving, 0)
        of = Counter(whose for whose, _ in bound.stack[stay:])
        of.subtract(item.controller for z in self.showing.waiting for item in position.zones[z])
        return Spare(total, of, leaving + of[None])

    def _decided(self, stage: str, step: tuple[_Node, str] | None, come: _Come) -> str:
        """Return the clause that decided who has priority in *stage*, to which *step* led: the last
        that does not merely hand on who it is.
        """
        way = list[tuple[str, str]]()
        while step is not None:
            node, clause = step
            way.append((node[0].position.stage, clause))
            step = None if way[-1][0] in self.facts.stages else come.get(node)
        return self._passing.decides(way, stage)


def _same(shown: LogEvents, seen: LogEvents) -> int:
    """Return how many of what is *shown* are what is *seen*, up to the first that is not."""
    for number, (one, other) in enumerate(zip(shown, seen, strict=False)):
        if not explains(one, other):
            return number
    return min(len(shown), len(seen))
