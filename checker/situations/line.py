"""Lines of play: what has been made of a situation so far, with every item that was ever put, and
what goes by itself.

Moves go by themselves, *quietly*, if they are moves of the rules in which the cards cause nothing,
and no player has priority who could act.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from ...models import ir
from ...models.frozen import frozen
from ..reference.semantics.events import became, follow
from ..reference.semantics.interpreter import Interpreter, Moves
from ..types.budget import look_inside
from ..types.position import OVER, Choice, Event, Item, Move, Position, Trace, TraceStep
from .causes import ways_inside, ways_of_cards, ways_of_luck

MovesOn: TypeAlias = list[tuple[Move, Position]]
"""Moves, each with the position to which it leads."""
ItemFate = Literal["", "resolves", "is removed"]
Provenance = Literal["said", "filled", "rules"]
"""Why a move stands in a line: the question says it, it was filled in for a player, or it went by
itself.
"""
_MOST_LINES = 24
_MOST_QUIET = 200
_MOST_KEPT = 50_000
"""Of how many positions the moves are kept."""


@frozen
class Tracked:
    """An item of a line: what it is, where it lies (None once it has left), what became of it, the
    move that put it, and how many items had *left* by when it did, which makes no other line.
    """

    item: Item
    place: tuple[int, int] | None
    fate: ItemFate
    since: int
    left: int = field(default=0, compare=False)


@frozen
class Line:
    """A play from *initial* by *steps*, each with *how* it came there; *items* are all that were
    put, in that order.
    """

    initial: Position
    steps: tuple[TraceStep, ...] = ()
    how: tuple[Provenance, ...] = ()
    items: tuple[Tracked, ...] = ()

    @property
    def position(self) -> Position:
        """Where it has come to."""
        return self.steps[-1].position if self.steps else self.initial

    @property
    def trace(self) -> Trace:
        """The play itself."""
        return Trace(self.initial, self.steps)

    def after(self, move: Move, position: Position, how: Provenance) -> Line:
        """Return this line with one move more."""
        items = self.items
        for event in move.events:
            if event.zone < 0:  # nothing happens to an item
                continue
            left = sum(one.place is None for one in items)
            items = tuple([_followed(one, event, left) for one in items])
            if event.kind == "put" and event.item is not None:
                items += (Tracked(event.item, (event.zone, event.at), "", len(self.steps)),)
        return Line(self.initial, (*self.steps, TraceStep(move, position)), (*self.how, how), items)

    @property
    def said(self) -> list[int]:
        """The numbers of the moves that the question says."""
        return [at for at, how in enumerate(self.how) if how == "said"]

    @property
    def ends_as_said(self) -> bool:
        """Whether the question says its last move."""
        return self.how[-1:] == ("said",)

    def left_in(self, then: Line) -> list[int]:
        """Return the numbers of the items that lie somewhere here, and have left in *then*; which
        left first comes first.
        """
        pairs = enumerate(zip(self.items, then.items, strict=False))
        found = [at for at, (was, now) in pairs if was.place is not None and now.place is None]
        return sorted(found, key=lambda at: then.items[at].left)

    def prefixes(self) -> list[Line]:
        """Return the line of no moves, of its first, of its first two, and so on, up to itself."""
        found = [Line(self.initial)]
        for step, how in zip(self.steps, self.how, strict=True):
            found.append(found[-1].after(step.move, step.position, how))
        return found


@frozen
class PricedMove:
    """A *move* to the position *after* it: what it costs, whether it *is_act* of a player, and how
    it would come into a line.
    """

    move: Move
    after: Position
    cost: int
    is_act: bool
    how: Provenance


def _followed(one: Tracked, event: Event, left: int) -> Tracked:
    if one.place is None:
        return one
    place = follow(one.place, event)
    if place == one.place and event.kind != "changes":
        return one
    fate: ItemFate = "" if place else "resolves" if event.kind == "resolves" else "is removed"
    return Tracked(became(one.item, one.place, event), place, fate, one.since, left)


class Referee:
    """Plays lines of a game on."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.program = interpreter.program
        self._ways = frozenset(ways_of_cards(interpreter.program))
        self._inside = ways_inside(interpreter.program)
        self._luck = ways_of_luck(interpreter.program)
        self._order = {clause: place for place, clause in enumerate(interpreter.clauses)}
        self._within: dict[Position, Moves] = {}
        self._allowed: dict[Position, MovesOn] = {}
        self._priced: dict[Position, tuple[PricedMove, ...]] = {}

    def start(self) -> Line:
        """Return the line of no moves."""
        return Line(self.interpreter.initial())

    def moves(self, position: Position) -> MovesOn:
        """Return the moves that the rules allow in *position*."""
        within = self.within(position)
        if not within.cut:
            return within.moves
        found = self._allowed.get(position)
        if found is None:
            # Only of clauses that the scope cuts are there more.
            more = self.interpreter.allowed(position, within.cut_of)
            whole = [one for one in within.moves if one[0].clause not in within.cut_of]
            found = sorted((*whole, *more), key=lambda one: self._order[one[0].clause])
            self._allowed[position] = found
        return found

    def within(self, position: Position) -> Moves:
        """Return those of its moves that the scope has room for, and how many it cuts."""
        found = self._within.get(position)
        if found is None:
            look_inside()
            if len(self._within) >= _MOST_KEPT:
                self._within.clear()
                self._allowed.clear()
            found = self._within[position] = self.interpreter.moves(position)
        return found

    @property
    def looked_at(self) -> int:
        """Of how many positions the moves are known."""
        return len(self._within)

    def mode(self, move: Move) -> str:
        """Return whether *move* is a player's (``may``), the rules' or the cards'."""
        return self.interpreter.clauses[move.clause].mode

    def is_quiet(self, move: Move) -> bool:
        """Whether the cards cause nothing in *move* that they might as well not cause."""
        own = self._luck.get(move.clause, ())
        return not any(self._is_cause(choice, own) for choice in move.choices)

    def _is_cause(self, choice: Choice, own: Collection[str]) -> bool:
        """Whether the cards cause something by *choice* that they might as well not cause; of their
        clause of luck *own* ways they take one.
        """
        return (
            choice.at != 0
            and choice.by == "cards"
            and not choice.what
            and (choice.value not in self._ways or choice.value in own)
        )

    def caused(self, move: Move) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return what the cards cause in *move* and might not: each title, with the seats that are
        chosen for it.
        """
        found: list[tuple[str, tuple[int, ...]]] = []
        inside: Collection[str] = ()
        own = self._luck.get(move.clause, ())
        for choice in move.choices:
            if choice.by != "cards":
                continue
            title = str(choice.value)
            if choice.what:
                if found:
                    found[-1] = (found[-1][0], (*found[-1][1], *_seat_of(choice)))
            elif title in inside:
                found[-1] = (title, found[-1][1])
            elif self._is_cause(choice, own):
                found.append((title, ()))
                inside = self._inside.get(title, ())
        return tuple(found)

    def went(self, move: Move) -> list[str]:
        """Return the titles of the ways that the cards take in *move*, as they had to take one."""
        caused = [title for title, _ in self.caused(move)]
        titles = [str(c.value) for c in move.choices if c.by == "cards" and not c.what]
        return [one for one in titles if one and one not in caused and not one.startswith(ir.NOT)]

    def rank(self, move: Move, titles: list[str]) -> tuple[int, int]:
        """Return how many ways a clause of luck goes in *move* that are not among *titles*, and the
        place there of what the cards cause.
        """
        went = self.went(move) if self.mode(move) == "chance" else []
        said = [title for title, _ in self.caused(move)] or [
            self.interpreter.clauses[move.clause].title,
            *went,
        ]
        more = sum(one not in titles for one in went)
        return more, min(titles.index(title) for title in said if title in titles)

    def by_luck(self, move: Move) -> list[Choice]:
        """Return what the cards have chosen in *move* if its clause is one of luck: that stays."""
        if self.mode(move) != "chance":
            return []
        return [
            one
            for one in move.choices
            if one.by == "cards" and (one.at or one.value) and not str(one.value).startswith(ir.NOT)
        ]

    def priced(self, position: Position) -> tuple[PricedMove, ...]:
        """Return the moves that the scope has room for in *position*, with what each decides; all
        searches of this game ask for the same.
        """
        found = self._priced.get(position)
        if found is None:
            if len(self._priced) >= _MOST_KEPT:
                self._priced.clear()
            found = self._priced[position] = tuple(
                PricedMove(
                    move,
                    after,
                    self.cost(move),
                    self.mode(move) == "may" and not self.is_pass(move),
                    "rules" if self.mode(move) == "must" and self.is_quiet(move) else "filled",
                )
                for move, after in self.within(position).moves
            )
        return found

    def cost(self, move: Move) -> int:
        """Return how much is decided in *move*: nothing by the rules, little by a pass, more by an
        act or by the cards.
        """
        if not self.is_quiet(move) or self.mode(move) == "chance":
            return 12
        if self.mode(move) == "must":
            return 2 if any(isinstance(choice.by, int) for choice in move.choices) else 0
        return 1 if self.is_pass(move) else 8

    def forks(self, line: Line) -> list[Line]:
        """Return *line* with each of the rules that apply at once where it goes on by itself;
        *line* alone if they never do.
        """
        one, seen = line, {line.position}
        while len(seen) <= _MOST_QUIET and (
            not self._rests(one.position) or self.by_itself(one.position)
        ):
            moves = [] if one.position.stage == OVER else self.by_itself(one.position)
            if len({move.clause for move, _ in moves}) > 1:
                return [one.after(move, after, "rules") for move, after in moves]
            if not moves or moves[0][1] in seen:
                break
            seen.add(moves[0][1])
            one = one.after(*moves[0], "rules")
        return [line]

    def is_pass(self, move: Move) -> bool:
        """Whether somebody passes in *move*."""
        return any(event.kind == "passes" for event in move.events)

    def holders(self, position: Position) -> frozenset[int]:
        """Return who has priority and can use it."""
        return self.interpreter.priority(position)

    # ------------------------------------------------------------------ what goes by itself

    def by_itself(self, position: Position, *, alike: bool = False) -> MovesOn:
        """Return the moves by which play goes on from *position* without any decision; none if
        somebody has to decide.

        Moves that differ by what the rules leave open (which of two clauses applies, whose ability
        is first) are all returned, with *alike* also those that differ only by items that look
        alike.
        """
        found = [(move, after) for move, after in self.moves(position) if self.is_quiet(move)]
        ruled = [(move, after) for move, after in found if self.mode(move) == "must"]
        if self.holders(position) and any(self.mode(move) == "may" for move, _ in found):
            # Rules that apply although somebody could act are a conflict, of which the rules' side
            # is told too.
            return ruled
        if ruled:
            if _asks_a_player(ruled):
                return []
            return ruled if alike else _alike_once(ruled)
        return self._what_has_to_be_done(position, found)

    def _what_has_to_be_done(self, position: Position, found: MovesOn) -> MovesOn:
        """Return the one act of a player without priority that leads on, such as to pay for what
        was announced.
        """
        acts = [(move, after) for move, after in found if self.mode(move) == "may"]
        if acts and len({move.owner for move, _ in acts}) == 1:
            on = [(move, after) for move, after in acts if after.stage != position.stage]
            return on if len({(move.clause, after) for move, after in on}) == 1 else []
        chances = [(move, after) for move, after in found if self.mode(move) == "chance"]
        # Where only the cards could decide, what the text names first is filled in.
        return chances[:1] if not acts else []

    def quiet_lines(self, line: Line, within: tuple[object, ...] | None = None) -> list[Line]:
        """Return *line* played on to where somebody decides; with *within*, only while the steps
        are these. If no decision ever comes, since the rules go round, return *line* itself.
        """
        ended: list[Line] = []
        open_, seen = [line], {line.position}
        for _ in range(_MOST_QUIET):
            if not open_:
                break
            one = open_.pop()
            moves = [] if one.position.stage == OVER else self.by_itself(one.position)
            rests = self._rests(one.position)
            if not moves or rests:
                ended.append(one)
            for move, after in moves:
                if within is not None and self.is_left(within, after):
                    ended += [] if rests else [one]
                elif after not in seen:
                    seen.add(after)
                    open_.append(one.after(move, after, self._how(move)))
        found = list({(one.position, one.items): one for one in ended}.values())[:_MOST_LINES]
        return found or [line]

    def _how(self, move: Move) -> Provenance:
        """Return how *move*, by which play goes on by itself, comes into a line."""
        is_filled = isinstance(move.owner, int) or self.mode(move) == "chance"
        return "filled" if is_filled else "rules"

    def _rests(self, position: Position) -> bool:
        """Whether somebody who has priority can do something in *position*."""
        return bool(self.holders(position)) and any(
            self.mode(move) == "may" for move, _ in self.moves(position)
        )

    def steps(self, position: Position) -> tuple[object, ...]:
        """Return the steps of all sequences, and whose turn it is."""
        return position.values[: len(self.program.sequences) + 1]

    def is_left(self, steps: tuple[object, ...], position: Position) -> bool:
        """Whether *position* is in one of *steps* no more; what was not going on may begin."""
        there = zip(steps, self.steps(position), strict=True)
        return any(was not in (ir.NO_STEP, now) for was, now in there)

    def named_steps(self, position: Position) -> tuple[tuple[int, str], ...]:
        """Return the steps of *position*, each with the number of its sequence."""
        steps = position.values[1 : len(self.program.sequences) + 1]
        return tuple((at, str(step)) for at, step in enumerate(steps) if step != ir.NO_STEP)

    def quiet_moves(
        self, position: Position, *, alike: bool = False
    ) -> Iterator[tuple[Move, Position, Provenance]]:
        """Yield the moves of a quiet play: what goes by itself, else the passes of those who may
        pass.
        """
        if not self._rests(position):
            for move, after in self.by_itself(position, alike=alike):
                yield move, after, self._how(move)
            return
        for move, after in self.moves(position):
            if self.is_quiet(move) and self.is_pass(move):
                yield move, after, "filled"


def deciders(move: Move) -> list[int]:
    """Return who decides something in *move*: its owner, and who is asked."""
    seats = (move.owner, *(choice.by for choice in move.choices))
    return [seat for seat in seats if isinstance(seat, int)]


def _asks_a_player(moves: MovesOn) -> bool:
    """Whether a player decides which of *moves*, all of the rules, is made."""
    if len({after for _, after in moves}) < 2:
        return False
    clauses = {move.clause for move, _ in moves}
    return len(clauses) == 1 and any(
        isinstance(choice.by, int) and not choice.what
        for move, _ in moves
        for choice in move.choices
    )


def _alike_once(moves: MovesOn) -> MovesOn:
    """Return *moves* that lead to different positions, the first to each."""
    return list({after: (move, after) for move, after in reversed(moves)}.values())[::-1]


def _seat_of(choice: Choice) -> tuple[int, ...]:
    """Return the seat that is chosen: that of a player, or of the controller of an item."""
    who = choice.value.controller if isinstance(choice.value, Item) else choice.value
    return (who,) if isinstance(who, int) and not isinstance(who, bool) else ()
