"""What a log shows of a game: of each move its events; plays at random, as logs."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, assert_never

from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.ir.analysis import passes
from ...models.ir.parts import statements
from ...models.words import did_you_mean
from ..mutate.edits.edits import edits_of
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..situations.words import content
from ..types.budget import BudgetSpentError
from ..types.position import OVER, Event, Item, Move, Position
from ..types.scope import Scope
from .at_priority import shown_first
from .events import LogEvent, LogEvents, Remembered, made


@frozen
class LogStyle:
    """How a play is shown: *hidden* are the events that no log of it has, *gaps* the share of
    events from which on a few are missing, *quiet* how likely nothing is caused where the cards
    might cause something.
    """

    hidden: frozenset[str] = frozenset()
    gaps: float = 0.0
    quiet: float = 0.0


_LONGEST_GAP = 12
_SHOWN = 3
"""How many edits of a clause does a hint name."""


def played_log(
    program: ir.Program, scope: Scope, seed: int, steps: int, style: LogStyle
) -> Iterator[LogEvent]:
    """Yield the log of a play of *steps* moves at random; the same *seed* gives the same log.

    Zones have the sizes of *scope* as long as that leaves a move.
    """
    chance = random.Random(seed)
    yield made("players", n=scope.players)
    missing = 0
    for event in _events(program, scope, chance, steps, style):
        if not missing and chance.random() < style.gaps:
            missing = chance.randint(1, _LONGEST_GAP)
            yield made("gap", n=missing)
        if missing:
            missing -= 1
        else:
            yield event


def _events(
    program: ir.Program, scope: Scope, chance: random.Random, steps: int, style: LogStyle
) -> Iterator[LogEvent]:
    referee = Referee(Interpreter(program, scope))
    showing = Showing(referee.interpreter, style.hidden)
    position = referee.interpreter.initial()
    for _ in range(steps):
        found = referee.within(position).moves or referee.moves(position)
        if not found:
            return
        move, position = _chosen(found, chance, referee, style.quiet)
        for event in showing.of(move, position):
            yield LogEvent(event.name, tuple(one for one in event.said if one[0] != "clause"))
        if referee.holders(position) and "look" not in style.hidden:
            yield showing.look(position)


def _chosen(
    found: list[tuple[Move, Position]], chance: random.Random, referee: Referee, quiet: float
) -> tuple[Move, Position]:
    """Return one of the moves *found*: first its clause, then the rest."""
    if chance.random() < quiet:
        found = [one for one in found if referee.is_quiet(one[0])] or found
    clause = chance.choice(list(dict.fromkeys(move.clause for move, _ in found)))
    return chance.choice([one for one in found if one[0].clause == clause])


def edited_as(program: ir.Program, said: str) -> ir.Program:
    """Return *program* with the edit that `mutate` calls *said*: its clause, a colon, its words."""
    edits = {f"{edit.clause}: {edit.words}": edit for edit in edits_of(program)}
    if said not in edits:
        clause = said.partition(":")[0].strip()
        of_it = [edit.words for edit in edits.values() if edit.clause == clause]
        some = f"edits of {clause}: {'; '.join(of_it[:_SHOWN])}" if of_it else "CLAUSE: EDIT"
        hint = did_you_mean(said, edits) or some
        raise wrong_input("L114", f"There is no edit `{said}`.", hint=hint)
    if edits[said].is_refused:
        raise wrong_input("L114", f"No ruleset could say `{said}`.")
    return edits[said].program


def unhidden(names: Collection[str]) -> frozenset[str]:
    """Return the *names*, those that stand in one text apart from each other."""
    return frozenset(name for said in names for name in said.split(",") if name)


_CONCEDE = content("concede")
_MOST_KEPT = 10_000
_MOST_TRIED = 500_000
_SHOWN_AS = {"put": "trigger", "resolves": "resolve", "is removed": "leave"}


class Spare(NamedTuple):
    """How many items may come to wait: in *total*, *of* each player, and *others* of others."""

    total: int
    of: Mapping[int | None, int] | None = None
    others: int = 0


class _Begun(NamedTuple):
    """What is shown of a move as far as it is made: what is *decided*, what *happens*; and *whose*
    items come to wait by it, of which *due* are due.
    """

    decided: LogEvents
    happens: LogEvents
    whose: tuple[int | None, ...]
    due: int


class TooManyWaysError(BudgetSpentError):
    """More beginnings of moves were looked at than is sensible."""


class Showing:
    """The events of a game: those *hidden* by their names are not shown."""

    def __init__(self, interpreter: Interpreter, hidden: Collection[str] = ()) -> None:
        program = self.program = interpreter.program
        self.interpreter, self.hidden = interpreter, frozenset(hidden)
        zones = {zone.name: number for number, zone in enumerate(program.zones)}
        self.stacks = [zones[zone.name] for zone in program.zones_tagged("stack")]
        self.waiting = [zones[zone.name] for zone in program.zones_tagged("waiting")]
        self.clauses = interpreter.clauses
        self._passes = {id_ for id_, one in self.clauses.items() if passes(one.body)}
        self._concedes = {
            id_
            for id_, one in self.clauses.items()
            if one.mode == "may" and content(one.title) >= _CONCEDE
        }
        flags = {one.name for one in program.variables if "process" in one.tags}
        self._processes = {
            id_ for id_, one in self.clauses.items() if _lowers(one, flags)
        }  # what a rules process performs lowers the flag that calls for it
        self._puts = {
            id_: {one.kind for one in statements(clause.body) if isinstance(one, ir.Put)}
            for id_, clause in self.clauses.items()
        }
        self.unseen = self._processes if "sba" in self.hidden else set()
        self._waiting_for = _titles_of_waiting(program)
        self.by_stage = {stage.name: stage.clauses for stage in program.stages}
        self._first = {
            id_: self._shown_first(clause)
            for id_, clause in self.clauses.items()
            if clause.mode != "may"
        }
        self._known = Remembered[Move, _Begun](_MOST_KEPT)
        self.tried = 0
        """How many beginnings of moves were looked at, since somebody has said that it is 0."""

    def of(self, move: Move, after: Position) -> LogEvents:
        """Return what is seen of *move*, which leads to *after*, in its order."""
        begun, turn = self._begun(move), made("turn", of=after.values[0])
        shown = [*begun.decided, *(turn if one.name == "turn" else one for one in begun.happens)]
        holders = self.interpreter.priority(after)
        if holders and "priority" not in self.hidden:
            shown.append(made("priority", of=_one_or_all(holders)))
        return tuple(shown)

    def may_become(self, move: Move, seen: LogEvents, spare: Spare | None) -> bool:
        """Whether *move*, which may still go on, can show what is *seen* next, and no more comes to
        wait by it than there is *spare*.
        """
        self._tries(move)
        begun = self._begun(move)
        if not _is_room(begun, spare):
            return False
        if isinstance(move.owner, int):
            if self.clauses[move.clause].mode != "may":
                return True  # what it shows is known only once it has put something
            rest = len(begun.decided)
        else:  # more may be asked, which shows before what happens
            rest = len(begun.decided)
            while rest < len(seen) and seen[rest].name == "choice":
                rest += 1
        return _are_first(begun.decided, seen) and _are_first(begun.happens, seen[rest:])

    def _begun(self, move: Move) -> _Begun:
        found = self._known.get(move)
        if found is None:
            decided, happens = (
                tuple([one for one in some if one.name not in self.hidden])
                for some in (self._decision(move), self._happens(move))
            )
            whose = [
                one.item.controller
                for one in move.events
                if one.kind == "put" and one.item and one.zone in self.waiting
            ]
            due = sum([not one.what and one.value in self._waiting_for for one in move.choices])
            if due > len(whose) and isinstance(last := move.choices[-1].value, int):
                whose.append(last)
            found = self._known.keep(move, _Begun(decided, happens, tuple(whose), due))
        return found

    def is_seen(self, move: Move) -> bool:
        """Whether nothing that is never shown comes to wait by *move*."""
        self._tries(move)
        return "trigger" not in self.hidden or not any(
            event.kind == "put" and event.zone in self.waiting for event in move.events
        )

    def _tries(self, _: Move) -> bool:
        """Count a move as tried, whichever it is: it is wanted. Raises `TooManyWaysError`."""
        self.tried += 1
        if self.tried > _MOST_TRIED:
            raise TooManyWaysError("there are too many ways to go on")
        return True

    def waits(self, move: Move, spare: Spare | None) -> bool:
        """Whether no more comes to wait by *move* than there is *spare*."""
        return spare is None or _is_room(self._begun(move), spare)

    def _decision(self, move: Move) -> Iterator[LogEvent]:
        """Yield what somebody decides in *move*, but which of their items comes first."""
        mode, by = self.clauses[move.clause].mode, move.owner
        put = self._by_hand(move)
        if isinstance(by, int) and (mode == "may" or put):
            if move.clause in self._concedes:
                yield made("concede", by=by)
            elif move.clause not in self._passes:
                kind = put.item.kind if put and put.item else None
                yield made("act", by=by, kind=kind, clause=move.clause)
        elif isinstance(by, int):
            yield made("choice", by=by)
        else:
            asked = [one.by for one in move.choices if isinstance(one.by, int) and not one.what]
            yield from (made("choice", by=seat) for seat in dict.fromkeys(asked))

    def _happens(self, move: Move) -> Iterator[LogEvent]:
        """Yield what happens in *move*."""
        if move.clause in self._processes:
            yield made("sba")
        by_hand = self._by_hand(move)
        for event in move.events:
            if event is not by_hand:
                yield from self._happening(event)

    def _by_hand(self, move: Move) -> Event | None:
        """Return the event by which the player whose *move* it is puts something to resolve."""
        if not isinstance(move.owner, int):
            return None
        puts = (one for one in move.events if one.kind == "put" and one.zone not in self.waiting)
        return next(puts, None)

    def _happening(self, event: Event) -> Iterator[LogEvent]:
        match event.kind:
            case "passes":
                yield made("pass", by=event.player)
            case "put" | "resolves" | "is removed":
                assert event.item is not None
                name = _SHOWN_AS[event.kind]
                yield made(name, by=event.item.controller, kind=event.item.kind)
            case "step begins":
                first = self.program.sequences[0].steps[:1] if self.program.sequences else ()
                if event.sequence == ir.TURN and any(event.step == one.name for one in first):
                    yield made("turn")  # of whom, the position tells
                yield made("step", name=event.step)
            case "move" | "changes" | "begins resolving":
                pass  # a log shows where items have come by its looks
            case "step ends" | "sequence ends" | "sequence begins":
                pass  # and how a sequence goes on by the steps that begin
            case _:
                assert_never(event.kind)

    def clauses_for(self, stage: str, next_: LogEvent | None) -> tuple[str, ...]:
        """Return the clauses of *stage* whose moves may come where *next_* is the next event that a
        log shows, or come for sure.
        """
        return tuple(clause.id for clause in self.by_stage[stage] if self._may_come(clause, next_))

    def can_show(self, clause: str, next_: LogEvent | None) -> bool:
        """Whether a move by *clause* shows nothing, or *next_* first, as far as its text tells."""
        first = self._first.get(clause, {""})
        return "" in first or (next_ is not None and next_.name in first)

    def _shown_first(self, clause: ir.Clause) -> frozenset[str]:
        if clause.owner == ir.Owner():
            is_process = clause.id in self._processes
            return shown_first(clause, self.hidden, is_process=is_process)
        names = {""} if clause.id in self._passes else {"act", "choice"}
        return frozenset("" if name in self.hidden else name for name in names)

    def _may_come(self, clause: ir.Clause, next_: LogEvent | None) -> bool:
        if clause.mode != "may":
            return True
        names = (
            ("pass",)
            if clause.id in self._passes
            else ("concede",)
            if clause.id in self._concedes
            else ("act",)
        )
        if names[0] in self.hidden:
            return True
        if next_ is None or next_.name not in names:
            return False
        kind, id_ = next_.get("kind"), next_.get("clause")
        return (kind is None or kind in self._puts[clause.id]) and id_ in (None, clause.id)

    # ------------------------------------------------------------------ positions

    def look(self, position: Position) -> LogEvent:
        """Return all that a look shows of *position*."""
        holders = self.interpreter.priority(position)
        return made(
            "look",
            active=position.values[0],
            step=self._step(position),
            stack=tuple((item.controller, item.kind) for item in self.lying(position)),
            holder=_one_or_all(holders) if holders else None,
        )

    def lying(self, position: Position) -> list[Item]:
        """Return the items that wait to resolve, the first put first."""
        return [item for zone in self.stacks for item in position.zones[zone]]

    def _step(self, position: Position) -> str | None:
        """Return the step it is: that of what goes on beside the turn, if anything does."""
        steps = [str(position.values[number + 1]) for number in range(len(self.program.sequences))]
        return next((step for step in reversed(steps) if step != ir.NO_STEP), None)

    def differs(self, seen: LogEvent, position: Position) -> str:
        """Return the field in which *seen*, a look or what somebody may do, is not so in
        *position*; empty if all of it is.
        """
        if position.stage == OVER:
            return "holder"
        if seen.name == "may":
            return self._may_differs(seen, position)
        for field, value in seen.said:
            match field:
                case "active":
                    fits = position.values[0] == value
                case "step":
                    fits = value in position.values[1 : len(self.program.sequences) + 1]
                case "stack":
                    lying = self.lying(position)
                    fits = len(lying) == len(value) and all(map(is_item, lying, value))
                case _:
                    holders = frozenset(value if isinstance(value, tuple) else (value,))
                    fits = self.interpreter.priority(position) == holders
            if not fits:
                return field
        return ""

    def _may_differs(self, seen: LogEvent, position: Position) -> str:
        holders = self.interpreter.priority(position)
        if seen.seats and not seen.seats & holders:
            return "of"
        kinds = {
            put.item.kind
            for move, _ in self.interpreter.allowed(position, wanted=self._tries)
            if (put := self._by_hand(move)) and put.item
        }
        offered = set(seen.get("kinds") or ())
        if offered - kinds:
            return "kinds"
        return "all" if seen.get("all") and kinds - offered else ""


def is_item(item: Item, said: tuple[int | None, str | None]) -> bool:
    """Whether *item* is what is *said* of one: whose it is, and its kind."""
    whose, kind = said
    return (kind is None or kind == item.kind) and (whose is None or whose == item.controller)


def _is_room(begun: _Begun, spare: Spare | None) -> bool:
    """Whether no more comes to wait by what is *begun* than there is *spare*."""
    _, _, whose, due = begun
    if spare is None or not (due or whose):
        return True
    if max(due, len(whose)) > max(spare.total, 0):
        return False
    of = spare.of
    return of is None or spare.others >= sum(
        max(whose.count(seat) - of[seat], 0) for seat in set(whose)
    )


def _are_first(shown: LogEvents, seen: LogEvents) -> bool:
    """Whether *seen* begins with what is *shown*, as far as both go; what is not shown of it yet
    may be anything.
    """
    for one, other in zip(shown, seen, strict=False):
        if one.name != other.name:
            return False
        if one.said != other.said and not all(
            one.get(field) in (None, value) for field, value in other.said
        ):
            return False
    return True


def explains(shown: LogEvent, seen: LogEvent) -> bool:
    """Whether *seen*, of which a log may leave things unsaid, is what a move has *shown*."""
    return shown.name == seen.name and all(
        one in shown.said
        or (seen.name == "priority" and frozenset(shown.seats) == frozenset(seen.seats))
        for one in seen.said
    )


def _one_or_all(seats: frozenset[int]) -> int | tuple[int, ...]:
    return next(iter(seats)) if len(seats) == 1 else tuple(sorted(seats))


def _lowers(clause: ir.Clause, flags: set[str]) -> bool:
    return clause.mode == "must" and any(
        isinstance(one, ir.Assign) and one.variable in flags and one.value != ir.Literal(True)
        for one in clause.body
    )


def _titles_of_waiting(program: ir.Program) -> frozenset[str]:
    """Return the titles of what may happen by which something comes to wait for sure."""
    waiting = {zone.name for zone in program.zones_tagged("waiting")}
    does, does_not = set[str](), {""}
    for _, clause in program.clauses:
        for branch in statements(clause.body):
            for title, block in branch.options if isinstance(branch, ir.Branch) else ():
                puts = any(isinstance(one, ir.Put) and one.zone in waiting for one in block)
                (does if puts else does_not).add(title)
    return frozenset(does - does_not)
