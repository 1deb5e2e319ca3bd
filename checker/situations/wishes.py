"""Wishes: what a question says to be so, and the play of fewest decisions that leads there."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from math import inf

from ...models import ir
from ...models.frozen import frozen
from ...models.words import join_words
from ..types.position import Item, Position
from .line import Line, PricedMove, Referee
from .nouns import kinds_words, player_called
from .question import NOT_FOUND, not_understood
from .vocabulary import GameWords
from .words import content, seat_of, seats_in

_MOST_POSITIONS = 15_000
_FEW_POSITIONS = 3_000
_DEAR = (inf, 0)
_IN = r"(?:in|during|at|on)"
_WHOSE = r"(?:(?:([A-P])|the (?:turn|active) player)'s )?"
_PLAYER = (
    r"[A-P](?:'s opponent)?|[Tt]he (?:turn|active|non-?turn|non-?active|other|opposing|defending) "
    r"(?:player|owner)|[Tt]he opponent"
)


@frozen
class Wish:
    """Something that is to be so: *words* as they were said, what *holds* it of a position, and
    whether it says the step, or the turn alone.

    *stands_in* is the title of a step that only stands for what was said, and *steps* are those it
    may be.
    """

    words: str
    holds: Callable[[Position], bool]
    is_step: bool = False
    is_turn: bool = False
    stands_in: str = ""
    steps: tuple[tuple[int, str], ...] = ()


def read_condition(
    statement: str,
    line: Line,
    referee: Referee,
    vocabulary: GameWords,
    hint_of: Callable[[str], str],
) -> Wish | None:
    """Return what *statement* says of a position; None if it is no such statement. *hint_of* tells
    which option would switch on a step that is not there.
    """
    players = referee.interpreter.scope.players
    if found := re.fullmatch(rf"({_PLAYER}) (?:has|gets|receives|have) priority", statement):
        seat = player_called(
            found[1].replace("The ", "the ", 1),
            line.position,
            players,
        )
        return None if seat is None else Wish(statement, lambda at: seat in referee.holders(at))
    if found := re.fullmatch(
        r"(?:it is )?([A-P])(?:'s turn| is (?:the )?(?:active|turn)(?: player)?)", statement
    ):
        owner = seat_of(found[1])
        return Wish(statement, lambda at: at.values[0] == owner, is_turn=True)
    return _of_step(statement, referee, vocabulary, hint_of) or _of_zone(
        statement, referee, vocabulary
    )


def _of_step(
    statement: str, referee: Referee, vocabulary: GameWords, hint_of: Callable[[str], str]
) -> Wish | None:
    found = re.fullmatch(
        rf"{_IN} (?:the (?:beginning|start) of )?{_WHOSE}(.+)",
        statement,
        re.IGNORECASE,
    )
    its = re.fullmatch(rf"it is {_WHOSE}(.+)", statement, re.IGNORECASE)
    found = found or its
    if found is None:
        return None
    owner = None if found[1] is None else seat_of(found[1])
    if owner is None and found[1]:
        raise not_understood(
            f"`{found[1]}` is no player here.", "players are called by capitals: A, B", code="C203"
        )
    words = content(found[2])
    if re.fullmatch(r"(?:[A-P]'s |the )?turn", found[2]):
        return Wish(statement, lambda at: owner is None or at.values[0] == owner, is_turn=True)
    steps = vocabulary.steps_called(words)
    if not steps:
        if re.match(rf"^{_IN}\b", statement, re.IGNORECASE):
            titles = [
                step.title or step.name for s in referee.program.sequences for step in s.steps
            ]
            hint = f"steps: {join_words(titles, 'or')}" if titles else "these rules have no steps"
            if "'s " in found[2]:
                hint = "call each player by a letter, as in `in B's turn`"
            raise not_understood(
                f"No step is called `{found[2]}`.",
                hint_of(found[2]) or hint,
                code="C202",
            )
        return None
    return Wish(
        statement,
        lambda at: (owner is None or at.values[0] == owner) and is_in(at, steps),
        is_step=True,
        stands_in=vocabulary.standing_in(words, steps),
        steps=tuple(steps),
    )


def is_in(position: Position, steps: Iterable[tuple[int, str]]) -> bool:
    """Whether *position* is in one of *steps*; one without a name is all of its sequence."""
    return any(
        position.values[number + 1] == step
        or (not step and position.values[number + 1] != ir.NO_STEP)
        for number, step in steps
    )


def zones_called(program: ir.Program) -> dict[str, int]:
    """Return the number of each zone by what it is called: its name, ``stack`` and ``waiting``."""
    named = {zone.name: number for number, zone in enumerate(program.zones)}
    tagged = {
        tag: named[zone.name]
        for tag in ("stack", "waiting")
        for zone in program.zones_tagged(tag)[:1]
    }
    return {**tagged, **named}


def _of_zone(statement: str, referee: Referee, vocabulary: GameWords) -> Wish | None:
    named = zones_called(referee.program)
    words = "|".join(map(re.escape, named))
    if not words:
        return None
    if found := re.fullmatch(
        rf"(?:[Tt]he )?({words}) is (not )?empty|(?:(?:with )?nothing|no item)(?: is)? (?:on|in) "
        rf"(?:the )?({words})",
        statement,
    ):
        number, is_not = named[found[1] or found[3]], bool(found[2])
        return Wish(statement, lambda at: bool(at.zones[number]) == is_not)
    if found := re.fullmatch(
        rf"({words}): (.+)|(.+?) (?:is|are) (?:on|in) (?:the )?({words})|with (.+?) (?:on|in) "
        rf"(?:the )?({words})",
        statement,
    ):
        name, said = (
            (found[1], found[2])
            if found[1]
            else (found[4], found[3])
            if found[4]
            else (found[6], found[5])
        )
        number, wanted = named[name], _pile(said, vocabulary)
        return Wish(statement, lambda at: _lies(at.zones[number], wanted, exact=bool(found[1])))
    return None


@frozen
class _Wanted:
    owner: int | None
    kinds: frozenset[str]

    def fits(self, item: Item) -> bool:
        return (self.owner is None or item.controller == self.owner) and (
            not self.kinds or item.kind in self.kinds
        )


def _pile(said: str, vocabulary: GameWords) -> list[_Wanted]:
    """Return the items that *said* names, the lowest first."""
    downward = re.split(r",?\s+(?:above|over|on top of)\s+", said)
    names = (
        downward[::-1]
        if len(downward) > 1
        else re.split(r",?\s+(?:below|under|beneath)\s+|,\s*(?:then )?|\s+and\s+", said)
    )
    found, last = list[_Wanted](), frozenset[str]()
    for name in names:
        owner = next(iter(seats_in(name)), None)
        words = content(name)
        kinds = frozenset(vocabulary.kinds_called(words)) if words else last
        if words and not kinds:
            raise not_understood(
                f"No item is called `{name}`.",
                f"kinds: {kinds_words(vocabulary)}",
                code="C202",
            )
        last = kinds
        found.append(_Wanted(owner, kinds))
    return found


def _lies(items: tuple[Item, ...], wanted: list[_Wanted], *, exact: bool) -> bool:
    if exact:
        return len(items) == len(wanted) and all(
            one.fits(item) for one, item in zip(wanted, items, strict=True)
        )
    rest = list(items)
    for one in wanted:
        match = next((item for item in rest if one.fits(item)), None)
        if match is None:
            return False
        rest.remove(match)
    return True


def reach(referee: Referee, line: Line, conditions: list[Wish]) -> Line:
    """Return the line of fewest decisions from *line* to where all *conditions* are so. Raises
    InputError if there is none.
    """
    best = (-1, line.position)
    search = _Cheapest(referee, line)
    for position in search.positions(_MOST_POSITIONS):
        met = sum(condition.holds(position) for condition in conditions)
        if met == len(conditions):
            return search.line_to(position)
        best = max(best, (met, position), key=lambda pair: pair[0])
    met, position = best
    lacking = [condition.words for condition in conditions if not condition.holds(position)]
    words = ", ".join(one.words for one in conditions)
    where = search.why_open or f"no play within {referee.interpreter.scope} comes there"
    raise not_understood(
        f"`{words}` is not reached: {where}.",
        f"the nearest meets {met} of {len(conditions)}, without: {join_words(lacking)}",
        code=NOT_FOUND if search.why_open else "C204",
    )


def nearest(
    referee: Referee, line: Line, is_met: Callable[[Position], bool], *, with_acts: bool = True
) -> tuple[Line | None, str]:
    """Return the line of fewest decisions from *line* to where *is_met* is so, *with acts* of
    players or only with passes, if one is soon found; if not, also why there may be one all the
    same.
    """
    search = _Cheapest(referee, line, with_acts=with_acts)
    for position in search.positions(_FEW_POSITIONS):
        if is_met(position):
            return search.line_to(position), ""
    return None, search.why_open


class _Cheapest:
    """A search for where *line* leads *with acts* of players or only with passes, by the fewest
    decisions (Dijkstra).

    *why_open* says at its end why what it has not found may be there all the same; it is empty if
    it is not.
    """

    def __init__(self, referee: Referee, line: Line, *, with_acts: bool = True) -> None:
        self.referee, self.line, self.with_acts = referee, line, with_acts
        self.why_open = ""
        self._last: dict[Position, tuple[Position, PricedMove]] = {}
        """How each position is come to at the least price."""

    def positions(self, most: int) -> Iterator[Position]:
        """Yield the positions, those with the fewest decisions first, *most* of them."""
        order, is_cut = count(), False
        price = {self.line.position: (0, 0)}
        open_ = [(0, 0, next(order), self.line.position)]
        seen = set[Position]()
        while open_ and len(seen) < most:
            cost, moves, _, position = heapq.heappop(open_)
            if position in seen:
                continue
            seen.add(position)
            yield position
            is_cut = is_cut or bool(self.referee.within(position).cut)
            for step in self.referee.priced(position):
                paid = cost + step.cost, moves + 1
                if (self.with_acts or not step.is_act) and paid < price.get(step.after, _DEAR):
                    price[step.after], self._last[step.after] = paid, (position, step)
                    heapq.heappush(open_, (*paid, next(order), step.after))
        if open_:
            self.why_open = f"only the {most:,} nearest positions were looked at"
        elif is_cut:
            scope = self.referee.interpreter.scope
            self.why_open = f"no play within {scope} was found, and the scope cuts moves"

    def line_to(self, position: Position) -> Line:
        """Return the line played on to *position*, which was found."""
        steps = list[PricedMove]()
        while position != self.line.position:
            position, step = self._last[position]
            steps.append(step)
        line = self.line
        for step in reversed(steps):
            line = line.after(step.move, step.after, step.how)
        return line
