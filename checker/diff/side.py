"""A side: one ruleset within the scope, as far as those at the table can observe it.

Positions have numbers, in the order in which they are asked for; what a position offers is found
when somebody asks for the first time. Several positions may be behind what was observed so far: a
*cloud* of them, and who is known to have priority. What a cloud offers is found once.

What those at the table can observe of a play: the only thing in which two rulesets are compared.

Observed of a move are its owner, whether it may or must be made, who chooses in it, and its events:
what is put, moved, resolves or leaves (kind, controller, attributes), who passes, which step or
sequence begins or ends; that somebody acts, if it does nothing else. Observed of positions is who
has priority. Not observed are stages, state variables, clauses by their id, places within a zone. A
move of which nothing is observed is *silent*. What players are said to do, by the title of a clause
or of what they choose, is observed where that is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from copy import copy
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import statements
from ..reference.semantics.interpreter import Interpreter, Moves
from ..types.position import OVER, Event, Item, Move, Position
from .same import NameMap


class SeenItem(NamedTuple):
    """An item as it lies there: its *kind*, the seat of its *controller*, and those of its
    attributes that both sides know.
    """

    kind: str
    controller: int
    attributes: tuple[tuple[str, bool | int | str | None], ...] = ()


class SeenEvent(NamedTuple):
    """An event, in the words of the old rules: see `checker.types.position.Event`."""

    kind: str
    item: SeenItem | None = None
    zone: str = ""
    to_zone: str = ""
    player: int | None = None
    sequence: str = ""
    step: str = ""


class MoveMade(NamedTuple):
    """A move is made, by a seat, the ``rules`` or the ``cards``, which may or must (*mode*) make
    it; *choosers* are others who choose. *said* is what players are said to do, where that is
    observed.
    """

    owner: int | str
    mode: str
    choosers: tuple[int | str, ...]
    events: tuple[SeenEvent, ...]
    said: tuple[str, ...] = ()


class PriorityGiven(NamedTuple):
    """The players on these seats have priority now, and were not those who had it last."""

    holders: tuple[int, ...]


Observation = MoveMade | PriorityGiven


class Observer:
    """Tells what is observed of the moves of *program*, in the words of the old rules; *shared*
    attributes only, and of what players are said to do *titles* alone.
    """

    def __init__(
        self,
        program: ir.Program,
        renaming: NameMap,
        shared: frozenset[str],
        titles: Collection[str] = (),
    ) -> None:
        self.modes = {clause.id: clause.mode for _, clause in program.clauses}
        self._titles = {clause.id: clause.title for _, clause in program.clauses}
        self._said = frozenset(titles)
        self._old = renaming.old
        self._zones = [renaming.old("zone", zone.name) for zone in program.zones]
        self._attributes = [
            renaming.old("attribute", attribute.name) for attribute in program.attributes
        ]
        self._enums = [isinstance(attribute.type, ir.EnumType) for attribute in program.attributes]
        self._shared = shared
        self._items: dict[Item, SeenItem] = {}
        self._events: dict[Event, SeenEvent] = {}

    def unsaid(self) -> Observer:
        """Return the observer who does not hear what players say."""
        other = copy(self)
        other._said = frozenset()
        return other

    def observed(self, move: Move) -> MoveMade | None:
        """Return what is observed of *move*, None if it is silent."""
        mode, said = self.modes[move.clause], self._said_of(move) if self._said else ()
        if not move.events and mode != "may" and not said:
            return None
        choosers = sorted(
            {choice.by for choice in move.choices if choice.by != move.owner}, key=str
        )
        return MoveMade(
            move.owner,
            mode,
            tuple(choosers),
            tuple(self._event(event) for event in move.events),
            said,
        )

    def _said_of(self, move: Move) -> tuple[str, ...]:
        title = self._titles[move.clause] if self.modes[move.clause] == "may" else ""
        chosen = [
            str(choice.value)
            for choice in move.choices
            if isinstance(choice.by, int) and not choice.what
        ]
        return tuple(one for one in (title, *chosen) if one in self._said)

    def _event(self, event: Event) -> SeenEvent:
        if event not in self._events:
            self._events[event] = self._seen_event(event)
        return self._events[event]

    def _item(self, item: Item) -> SeenItem:
        if item not in self._items:
            self._items[item] = self._seen_item(item)
        return self._items[item]

    def _seen_event(self, event: Event) -> SeenEvent:
        old = self._old
        return SeenEvent(
            event.kind,
            None if event.item is None else self._item(event.item),
            "" if event.zone < 0 else self._zones[event.zone],
            "" if event.to_zone < 0 else self._zones[event.to_zone],
            event.player,
            old("sequence", event.sequence),
            old("step", event.step),
        )

    def _seen_item(self, item: Item) -> SeenItem:
        values = zip(self._attributes, self._enums, item.attributes, strict=True)
        told = sorted(
            (name, self._old("value", value) if is_enum and isinstance(value, str) else value)
            for name, is_enum, value in values
            if name in self._shared
        )
        return SeenItem(self._old("kind", item.kind), item.controller, tuple(told))


def shared_titles(old: ir.Program, new: ir.Program) -> frozenset[str]:
    """Return what players may do and choose by its titles, as far as both sides have the same."""
    shared = frozenset[str]()
    for titles in (_acts, _options):
        before, after = titles(old), titles(new)
        shared |= before if before == after else frozenset()
    return shared - {""}


def _acts(program: ir.Program) -> frozenset[str]:
    return frozenset(clause.title for _, clause in program.clauses if clause.mode == "may")


def _options(program: ir.Program) -> frozenset[str]:
    """Return among what players choose."""
    return frozenset(
        title
        for _, clause in program.clauses
        for one in statements(clause.body)
        if isinstance(one, ir.Branch) and one.by != "cards"
        for title, _ in one.options
    )


def shared_attributes(old: ir.Program, new: ir.Program, renaming: NameMap) -> frozenset[str]:
    """Return the attributes that items have on both sides, by their old names."""
    return frozenset(attribute.name for attribute in old.attributes) & frozenset(
        renaming.old("attribute", attribute.name) for attribute in new.attributes
    )


Holders = tuple[int, ...]
"""The seats that have priority, ascending; none if nobody has."""


class Offered(NamedTuple):
    """What a position offers: its *visible* moves with what is observed of them, its *silent* ones,
    and those that the scope *cut*.

    Each leads to the position with that number; *moves* are all of them in the order of the rules,
    with their targets.
    """

    visible: tuple[tuple[Observation, int], ...]
    silent: tuple[int, ...]
    cut: frozenset[MoveMade]
    moves: tuple[tuple[Move, int], ...]


_NOTHING = Offered((), (), frozenset(), ())
"""What is offered when the game is over."""


class Cloud(NamedTuple):
    """The *positions* that may be behind what was observed, and who had priority *last*."""

    last: Holders
    positions: frozenset[int]


class Rest(NamedTuple):
    """A position at which nothing happens unseen: what it *offers*, who has priority, and whether
    the game *is_over*.
    """

    offers: frozenset[Observation]
    holders: Holders
    is_over: bool

    def is_within(self, other: Rest) -> bool:
        """Return whether what is offered here is offered there, and the rest is the same."""
        return self.offers <= other.offers and self[1:] == other[1:]


@frozen
class Offer:
    """What a cloud offers after any unseen moves: *following* observations with the clouds they
    lead to, and those that the scope *cut*.

    *goes_on* says that unseen moves can go on for ever. *rests* says how it can come to rest: the
    least that is offered then.
    """

    following: dict[Observation, Cloud]
    cut: frozenset[Observation]
    goes_on: bool
    rests: frozenset[Rest]

    @property
    def observations(self) -> frozenset[Observation]:
        """What can be observed next, within the scope or beyond."""
        return self.cut | self.following.keys()

    def allows(self, seen: Observation) -> bool:
        """Return whether *seen* can be observed next, within the scope or beyond."""
        return seen in self.following or seen in self.cut


class Positions:
    """The positions of sides whose rulesets declare the same, by number."""

    def __init__(self) -> None:
        self.all: list[Position] = []
        self._numbers: dict[Position, int] = {}

    def number_of(self, position: Position) -> int:
        """Return the number of *position*."""
        number = self._numbers.setdefault(position, len(self.all))
        if number == len(self.all):
            self.all.append(position)
        return number


_Known = tuple[dict[int, Offered], dict[int, Holders]]
"""What is known of the positions of one stage: what they offer, and who has priority."""
_UNKNOWN: _Known = {}, {}


class Side:
    """The plays that *interpreter* allows, as *observer* sees them; *positions* may be shared with
    sides that declare the same.

    With *like*, a side with the same positions: what is known of a stage that is written alike
    there is known here, too, and in another stage what is offered where clauses that differ have
    the same moves. So of two rulesets which differ in one clause little more than its own moves is
    looked at twice. *closer* is the same side as somebody observes it who hears what players say:
    its moves are known, and only what is observed of them is another.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        observer: Observer,
        positions: Positions,
        like: Side | None = None,
        closer: Side | None = None,
    ) -> None:
        self._like, self._closer = like, closer
        self.interpreter, self.observer, self.all_positions = interpreter, observer, positions
        self.observed = observer.observed
        self.positions = positions.all
        self._stages = {stage.name: stage for stage in interpreter.program.stages}
        self._known: dict[str, _Known] = {
            name: _shared(like, name, stage) for name, stage in self._stages.items()
        }
        before = {} if like is None else like._stages
        self._changed = {
            name: changed_clauses(before[name], stage)
            for name, stage in self._stages.items()
            if name in before
        }
        self._offers: dict[Cloud, Offer] = {}
        self._behind: dict[Cloud, dict[str, list[int]]] = {}
        self._reached: set[int] = set()
        self.moves = 0
        self.first = Cloud((), frozenset({positions.number_of(interpreter.initial())}))

    def offered(self, number: int) -> Offered:
        """Return what position *number* offers."""
        position = self.positions[number]
        if position.stage == OVER:
            return _NOTHING
        known = self._known[position.stage][0]
        found = known.get(number)
        if found is None:
            found = known[number] = (
                self._as_closer(number) or self._as_like(number) or self._expanded(position)
            )
            self.moves += len(found.moves)
        return found

    def _as_closer(self, number: int) -> Offered | None:
        """Return what position *number* offers, by its moves on the side where what players say is
        heard, too; None if there is no such side.
        """
        if self._closer is None:
            return None
        offered, like = self._closer.offered(number), self._like
        if like is not None and like._closer is not None and offered is like._closer.known(number):
            return like.offered(number)
        cut = frozenset(seen._replace(said=()) for seen in offered.cut)
        return self._offered(list(offered.moves), cut)

    def known(self, number: int) -> Offered | None:
        """Return what position *number* offers; None if it was not asked for."""
        return self._known.get(self.positions[number].stage, _UNKNOWN)[0].get(number)

    def _as_like(self, number: int) -> Offered | None:
        """Return what position *number* offers, by what the side that this one is like offers
        there; None if that does not say it.

        Only the clauses that differ are asked. The others have the moves that they have there.
        """
        position, like = self.positions[number], self._like
        changed = self._changed.get(position.stage)
        if changed is None or like is None:
            return None
        ours, offered = self.interpreter.moves(position, changed), like.offered(number)
        theirs, is_cut = (
            [
                (move, self.positions[target])
                for move, target in offered.moves
                if move.clause in changed
            ],
            False,
        )
        if offered.cut:
            is_cut = like.interpreter.moves(position, changed).cut > 0
        if not ours.cut and not is_cut:
            return (
                offered
                if ours.moves == theirs
                else self._exchanged(offered, ours.moves, position.stage)
            )
        is_alike = ours.cut and is_cut and ours.moves == theirs
        if is_alike and self.interpreter.allowed(position, changed) == like.interpreter.allowed(
            position, changed
        ):
            return offered
        return None

    def _exchanged(
        self, offered: Offered, moves: list[tuple[Move, Position]], stage: str
    ) -> Offered:
        """Return what is *offered* at a position of *stage* with these *moves* of the clauses that
        differ, none of which is cut.
        """
        of_clauses: dict[str, list[tuple[Move, int]]] = {
            clause.id: [] for clause in self._stages[stage].clauses
        }
        for move, target in offered.moves:
            of_clauses[move.clause].append((move, target))
        of_clauses |= {clause: [] for clause in self._changed[stage] or ()}
        for move, after in moves:
            of_clauses[move.clause].append((move, self.all_positions.number_of(after)))
        return self._offered([made for its in of_clauses.values() for made in its], offered.cut)

    @property
    def reached(self) -> int:
        """How many positions the clouds of this side have, whose offers were asked for."""
        return len(self._reached)

    def holders(self, number: int) -> Holders:
        """Return who has priority in position *number*."""
        position = self.positions[number]
        if position.stage == OVER:
            return ()
        known = self._known[position.stage][1]
        found = known.get(number)
        if found is None:
            found = known[number] = tuple(sorted(self.interpreter.priority(position)))
        return found

    def offer(self, cloud: Cloud) -> Offer:
        """Return what *cloud* offers."""
        found = self._offers.get(cloud)
        if found is None:
            found = self._offers[cloud] = self._gathered(cloud)
        return found

    def is_seen(self, last: Holders, number: int) -> bool:
        """Return whether it is known who has priority in position *number*, if those had it
        *last*.
        """
        return self.holders(number) in ((), last)

    def rest(self, number: int) -> Rest | None:
        """Return how position *number* is at rest, None if something can happen there unseen."""
        offered = self.offered(number)
        if offered.silent:
            return None
        offers = frozenset(seen for seen, _ in offered.visible) | offered.cut
        return Rest(offers, self.holders(number), self.positions[number].stage == OVER)

    def unseen(self, cloud: Cloud) -> dict[int, tuple[int, ...]]:
        """Return every position to which unseen moves lead from *cloud*, with those to which one
        more such move leads from there.

        From one where others have priority nothing leads on before that was observed.
        """
        found: dict[int, tuple[int, ...]] = {}
        todo = sorted(cloud.positions)
        while todo:
            number = todo.pop()
            if number not in found:
                found[number] = (
                    self.offered(number).silent if self.is_seen(cloud.last, number) else ()
                )
                todo += found[number]
        return found

    def _gathered(self, cloud: Cloud) -> Offer:
        if self._like is not None and self._offers_alike(self._like, cloud):
            self._reached.update(*self._like._behind[cloud].values())
            return self._like.offer(cloud)
        unseen = self.unseen(cloud)
        self._reached |= unseen.keys()
        if self._like is None:
            by_stage: dict[str, list[int]] = {}
            self._behind[cloud] = by_stage
            for number in unseen:
                by_stage.setdefault(self.positions[number].stage, []).append(number)
        following: dict[Observation, set[int]] = {}
        cut: set[Observation] = set()
        rests: set[Rest] = set()
        for number in unseen:
            if not self.is_seen(cloud.last, number):
                gets = PriorityGiven(self.holders(number))
                following.setdefault(gets, set()).add(number)
                rests.add(gets_first(self.holders(number), cloud.last))
                continue
            offered = self.offered(number)
            for seen, target in offered.visible:
                following.setdefault(seen, set()).add(target)
            cut |= offered.cut
            if (rest := self.rest(number)) is not None:
                rests.add(rest)
        clouds = {}
        for seen, targets in following.items():
            last = seen.holders if isinstance(seen, PriorityGiven) else cloud.last
            clouds[seen] = Cloud(last, frozenset(targets))
        least = frozenset(
            rest
            for rest in rests
            if not any(other != rest and other.is_within(rest) for other in rests)
        )
        return Offer(clouds, frozenset(cut), goes_round(unseen), least)

    def _offers_alike(self, other: Side, cloud: Cloud) -> bool:
        """Return whether it is known that all positions to which unseen moves of the *other* side
        lead from *cloud* are alike for both.
        """
        if cloud not in other._behind:
            return False
        others = [
            (stage, its)
            for stage, its in other._behind[cloud].items()
            if self._known.get(stage) is not other._known.get(stage)
        ]
        return all(
            stage in self._known and all(self._is_like(other, number) for number in its)
            for stage, its in others
        )

    def _is_like(self, other: Side, number: int) -> bool:
        """Return whether position *number*, of a stage that both have, is the same for both
        sides.
        """
        ours, theirs = self.offered(number), other.offered(number)
        return (ours is theirs or ours == theirs) and self.holders(number) == other.holders(number)

    def _expanded(self, position: Position) -> Offered:
        found = self.interpreter.moves(position)
        cut = self._cut(position, found) if found.cut else frozenset[MoveMade]()
        return self._offered(
            [(move, self.all_positions.number_of(target)) for move, target in found.moves], cut
        )

    def _offered(self, moves: list[tuple[Move, int]], cut: frozenset[MoveMade]) -> Offered:
        visible: list[tuple[Observation, int]] = []
        silent: list[int] = []
        for move, number in moves:
            seen = self.observed(move)
            if seen is None:
                silent.append(number)
            else:
                visible.append((seen, number))
        return Offered(tuple(visible), tuple(dict.fromkeys(silent)), cut, tuple(moves))

    def _cut(self, position: Position, found: Moves) -> frozenset[MoveMade]:
        """Return what is observed of the moves that the rules allow in *position*, and the scope
        does not: those beyond what was *found*.
        """
        within = [made for made in found.moves if made[0].clause in found.cut_of]
        beyond = Counter(self.interpreter.allowed(position, found.cut_of)) - Counter(within)
        seen = [self.observed(move) for move, _ in beyond]
        assert None not in seen, "a move that puts nothing was cut"
        return frozenset(made for made in seen if made is not None)


def unsaid(sides: tuple[Side, Side]) -> tuple[Side, Side]:
    """Return *sides* as somebody observes them who does not hear what players say."""
    old, new = sides
    unheard = Side(old.interpreter, old.observer.unsaid(), old.all_positions, closer=old)
    like = None if new._like is None else unheard
    observer = new.observer.unsaid()
    return unheard, Side(new.interpreter, observer, new.all_positions, like, closer=new)


def _shared(like: Side | None, name: str, stage: ir.Stage) -> _Known:
    """Return what of a *stage* is known by the side that is *like* the one asked for, as far as it
    is written alike there.
    """
    other = like._stages.get(name) if like is not None else None
    if like is None or other is None:
        return {}, {}
    if other == stage:
        return like._known[name]
    return {}, like._known[name][1] if (other.priority, other.parameters) == (
        stage.priority,
        stage.parameters,
    ) else {}


def changed_clauses(old: ir.Stage, new: ir.Stage) -> frozenset[str] | None:
    """Return which clauses *new* has otherwise than *old*, if all of their moves are known by them:
    they are the same ones, made alike.
    """
    pairs = list(zip(old.clauses, new.clauses, strict=False))
    if len(old.clauses) != len(new.clauses) or old.parameters != new.parameters:
        return None
    if any((one.id, one.mode) != (other.id, other.mode) for one, other in pairs):
        return None
    return frozenset(one.id for one, other in pairs if one != other)


def gets_first(holders: Holders, last: Holders) -> Rest:
    """Return how a position is at rest whose *holders* of priority are others than those who had it
    *last*: that is observed first.
    """
    return Rest(frozenset({PriorityGiven(holders)}), last, is_over=False)


def goes_round(edges: dict[int, tuple[int, ...]]) -> bool:
    """Return whether *edges*, all of whose targets are in it, can be followed for ever."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        return True
    return False
