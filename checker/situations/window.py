"""Windows: whether a player can do something before an event, searched over positions and the
places of items.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import Literal

from ...models.frozen import frozen
from ...models.syntax import NamedSizes
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import missing
from ..types.position import OVER, Position
from ..types.scope import MOST_ITEMS
from .events import Events, Happening
from .line import Line, Provenance, Referee
from .question import NOT_FOUND

AnswerHead = Literal["yes, now", "yes, in every play", "not yet", "only if", "no", "not known"]
RESTING: tuple[AnswerHead, ...] = ("yes, in every play", "no")
"""The answers that rest on what no play shows."""
MOST = 40_000
_MOST_LARGER = 400
"""How many positions are looked at in a larger scope: a play of few decisions that shows otherwise
is among them.
"""


@frozen
class WindowFound:
    """What came of a search: the *head* of the answer, the *line* that shows it, and whether the
    search was *stopped*.

    *misses* says that a play without the window was found. If the scope *cut* moves, *needs* are
    the sizes with room for the first.
    """

    head: AnswerHead
    line: Line
    cut: bool = False
    stopped: bool = False
    needs: NamedSizes = ()
    misses: bool = False


class Windows:
    """Searches for windows in the rules that *referee* plays."""

    def __init__(self, referee: Referee, events: Events) -> None:
        self.referee, self.events = referee, events

    def find(
        self, line: Line, can: Callable[[Position], bool], end: Happening, most: int = MOST
    ) -> WindowFound:
        """Return whether *can* comes to be so before *end*: at *line*'s end, in every play from
        there, in the quiet one, or in some.

        What rests on what no play shows, where the scope cut moves, is looked for with more room,
        too.
        """
        found = self._within(line, can, end, most)
        if found.head not in RESTING or not found.needs or found.stopped:
            return found
        then = self._with_room(found.needs)._within(line, can, end, _MOST_LARGER)
        contradicts = then.head == "only if" if found.head == "no" else then.misses
        return then if contradicts else found

    def never(self, line: Line, end: Happening) -> str:
        """Return the code of a situation that does not come about if *end* happens in no play from
        *line* on within the scope, all of which were looked at; else nothing.
        """
        search = self._searched(line, None, end, MOST)
        if search.end is not None or search.stopped:
            return ""
        return "C204" if search.cut is None else NOT_FOUND

    def _with_room(self, needs: NamedSizes) -> Windows:
        """Return a search in a scope with the room that is needed."""
        interpreter = self.referee.interpreter
        sizes = tuple(
            (zone, min(max(size, dict(needs).get(zone, size)), MOST_ITEMS))
            for zone, size in interpreter.scope.sizes
        )
        referee = Referee(Interpreter(interpreter.program, replace(interpreter.scope, sizes=sizes)))
        return Windows(referee, Events(referee, self.events.vocabulary))

    def _within(
        self, line: Line, can: Callable[[Position], bool], end: Happening, most: int
    ) -> WindowFound:
        """Return what *most* positions of the scope show."""
        if can(line.position):
            return WindowFound("yes, now", line)
        quiet = self._quiet(line, can, end)
        search = self._searched(line, can, end, most)
        needs = (
            tuple(missing(self.referee.interpreter, search.cut).items())
            if search.cut is not None
            else ()
        )

        def found(head: AnswerHead, shown: Line) -> WindowFound:
            return WindowFound(
                head, shown, search.cut is not None, search.stopped, needs, search.end is not None
            )

        if search.window is not None and search.end is None and not search.stopped:
            return found("yes, in every play", quiet[0] if quiet[1] else search.window)
        if quiet[1]:
            return found("not yet", quiet[0])
        if search.window is not None:
            return found("only if", search.window)
        return found("not known" if search.stopped else "no", quiet[0])

    def _searched(
        self, line: Line, can: Callable[[Position], bool] | None, end: Happening, most: int
    ) -> _Seen:
        """Search, fewest decisions first, from *line* for where *can* is so, and for where *end*
        happens before that, or the game ends; if *can* is None, for *end* alone.
        """

        def key(one: Line) -> object:
            """Return what tells *one* apart: its position, and where the item is that ends it."""
            is_there = 0 <= end.item < len(one.items)
            return one.position, one.items[end.item].place if is_there else None

        found, referee, order = _Seen(), self.referee, count()
        open_, seen = [(0, 0, next(order), line)], set[object]()
        while open_ and ((can and found.window is None) or found.end is None):
            if len(seen) > most:
                found.stopped = True
                break
            cost, steps, _, one = heappop(open_)
            if (here := key(one)) in seen:
                continue
            seen.add(here)
            moves = referee.within(one.position)
            found.cut = one.position if found.cut is None and moves.cut else found.cut
            for move, after in moves.moves:
                how: Provenance = "rules" if referee.mode(move) == "must" else "filled"
                then = one.after(move, after, how)
                is_over = after.stage == OVER and can is not None
                if is_over or self.events.happens(end, one, then):
                    found.end = found.end or then
                elif can and can(after):
                    found.window = found.window or then
                elif key(then) not in seen:
                    heappush(open_, (cost + referee.cost(move), steps + 1, next(order), then))
        return found

    def _quiet(
        self, line: Line, can: Callable[[Position], bool], end: Happening
    ) -> tuple[Line, bool]:
        """Return the quiet play up to where *can* is so, or else to where *end* has happened, and
        which of the two it is.
        """
        open_, seen = deque([line]), {line.position}
        last, ended = line, None
        while open_:
            one = last = open_.popleft()
            for move, after, how in self.referee.quiet_moves(one.position):
                then = one.after(move, after, how)
                if self.events.happens(end, one, then):
                    ended = ended or then
                elif can(after):
                    return then, True
                elif after not in seen:
                    seen.add(after)
                    open_.append(then)
        return ended or last, False


@dataclass
class _Seen:
    """What a search came to first: a *window*, the *end*, a position where the scope *cut* moves;
    whether it was *stopped*.
    """

    window: Line | None = None
    end: Line | None = None
    cut: Position | None = None
    stopped: bool = False
