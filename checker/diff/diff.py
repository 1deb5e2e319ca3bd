"""The difference of two rulesets: what those at the table notice, and the plays that lead there.

Plays: how each side comes to where they differ, as moves of its own rules.

A separation knows what was observed; on each side many plays may look like it. The one told has the
fewest moves. On the side that does something more it ends with that; on the other, if it comes to
rest, where nothing more happens unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, assert_never

from ...models import ir
from ...models.frozen import frozen
from ..process.collector import collector_paused
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import replay
from ..types.budget import BudgetSpentError, Meter
from ..types.engine import need_finished
from ..types.graphs import shortest_way
from ..types.position import Move, Trace, TraceStep
from ..types.scope import Scope, scope_of
from .behaviour import OLD_NEW, Compared, Deed, Goes, GoesOn, Rests, Separation, Which, compare
from .equivalent import Equivalence, equivalent_at_every_size
from .same import NameMap, declarations
from .side import (
    Cloud,
    Holders,
    MoveMade,
    Observation,
    Observer,
    Positions,
    PriorityGiven,
    Rest,
    Side,
    gets_first,
    shared_attributes,
    shared_titles,
)

if TYPE_CHECKING:
    from .conditions import ProvedCondition


class _At(NamedTuple):
    """A position by its number, and how many observations came before."""

    position: int
    seen: int


def play_of(side: Side, which: Which, separation: Separation) -> Trace:
    """Return a play of *side*, the *which* of the two, that shows *separation*: without its last
    move if the scope cuts that.
    """
    word, difference = separation.word, separation.difference if which == separation.side else None
    cloud = separation.clouds[which == "new"]
    if isinstance(difference, Goes) and difference.how in side.offer(cloud).following:
        word = (*word, difference.how)
        trace, last = _play_like(side, word, lambda _: True)
    else:
        trace, last = _play_like(side, word, _goal(side, cloud, difference))
    return _looped(side, cloud, trace, last) if isinstance(difference, GoesOn) else trace


def _goal(side: Side, cloud: Cloud, difference: Deed | None) -> Callable[[int], bool]:
    """Return where a play ends that shows *difference*; with None, where it comes to rest, if it
    does.
    """

    def rest(number: int) -> Rest | None:
        return (
            side.rest(number)
            if side.is_seen(cloud.last, number)
            else gets_first(side.holders(number), cloud.last)
        )

    match difference:
        case Goes(how):
            return lambda number: how in side.offered(number).cut
        case GoesOn():
            unseen = side.unseen(cloud)
            return lambda number: bool(_round(unseen, number))
        case Rests(how):
            return lambda number: rest(number) == how
        case None:
            comes_to_rest = bool(side.offer(cloud).rests)
            return lambda number: not comes_to_rest or rest(number) is not None
        case _:
            assert_never(difference)


def _play_like(
    side: Side, word: Sequence[Observation], is_there: Callable[[int], bool]
) -> tuple[Trace, int]:
    """Return a play with the fewest moves that looks like *word* and ends in a position that
    *is_there*, and the number of that.
    """
    lasts = _lasts(word)

    def arrived(number: int, seen: int) -> _At:
        """Return the position after who has priority there was observed, if that is what comes
        next.
        """
        if (
            seen < len(word)
            and not side.is_seen(lasts[seen], number)
            and word[seen] == PriorityGiven(side.holders(number))
        ):
            return _At(number, seen + 1)
        return _At(number, seen)

    def steps(at: _At) -> Iterator[tuple[tuple[Move, _At], _At]]:
        is_known = side.is_seen(lasts[at.seen], at.position)
        for move, target in side.offered(at.position).moves if is_known else ():
            seen = side.observed(move)
            if seen is None or (at.seen < len(word) and word[at.seen] == seen):
                after = arrived(target, at.seen + (seen is not None))
                yield (move, after), after

    def is_end(at: _At) -> bool:
        return at.seen == len(word) and is_there(at.position)

    (first,) = side.first.positions
    begin = arrived(first, 0)
    way = [] if is_end(begin) else shortest_way(begin, steps, is_end)
    end = way[-1][1] if way else begin
    assert is_end(end), "what was observed has no play"
    made = tuple(TraceStep(move, side.positions[at.position]) for move, at in way)
    return Trace(side.positions[first], made), end.position


def _lasts(word: Sequence[Observation]) -> list[Holders]:
    """Return who had priority last at the beginning of *word* and after each of its
    observations.
    """
    lasts: list[Holders] = [()]
    for seen in word:
        lasts.append(seen.holders if isinstance(seen, PriorityGiven) else lasts[-1])
    return lasts


def _looped(side: Side, cloud: Cloud, trace: Trace, number: int) -> Trace:
    """Return *trace*, which ends in position *number*, with the unseen moves that lead back
    there.
    """
    circle = _round(side.unseen(cloud), number)
    steps = []
    for before, after in pairwise([number, *circle]):
        move = next(
            move
            for move, target in side.offered(before).moves
            if target == after and side.observed(move) is None
        )
        steps.append(TraceStep(move, side.positions[after]))
    return replace(trace, steps=(*trace.steps, *steps), loop=len(trace.steps))


def _round(unseen: Mapping[int, tuple[int, ...]], number: int) -> list[int]:
    """Return the shortest way along *unseen* moves from *number* back to it, empty if there is
    none.
    """
    return shortest_way(
        number,
        lambda at: ((after, after) for after in unseen.get(at, ())),
        lambda after: after == number,
    )


@frozen
class Demonstration:
    """A *separation* with a play of each side that shows it; *is_cut* if the scope cuts the last
    move of the side that does more.

    *instead* is what the other side's cloud can go on with; with *only_adds* this side's can do all
    of it as well.
    """

    separation: Separation
    plays: Mapping[Which, Trace]
    is_cut: bool
    instead: tuple[Observation, ...]
    only_adds: bool = False


@frozen
class Difference:
    """What tells *old* from *new*, within the scopes of both, which are one if the zones are the
    same.

    *is_same* says that the two are the same game at every size; then nothing was searched. It may
    rest on conditions that were *proved* to say the same; if they are not known to be the same,
    *why_not* says why. *unseen* are the attributes of items that only one side knows, and that were
    not looked at for it. It is *enlarged* if its scope is one size larger than what was asked for,
    where nothing tells them apart soon. It is *by_titles* if what was found shows only in what
    players are said to do.
    """

    old: ir.Program
    new: ir.Program
    scopes: tuple[Scope, Scope]
    renaming: NameMap
    is_same: bool
    compared: Compared
    shown: tuple[Demonstration, ...]
    positions: tuple[int, int]
    unseen: tuple[str, ...]
    proved: tuple[ProvedCondition, ...] = ()
    why_not: str = ""
    enlarged: bool = False
    by_titles: bool = False


def scopes_of_both(
    old: ir.Program,
    new: ir.Program,
    renaming: NameMap,
    players: int | None,
    stack: int | None,
    sizes: Mapping[str, int],
) -> tuple[Scope, Scope]:
    """Return the scope of each side: where they differ the larger number of players and of items,
    so that both have the same room.

    Unless somebody asks for a number of *players* it is one that plays both. *sizes* are of zones
    of either side. Raises `InputError`.
    """
    unknown = [
        zone
        for zone in sizes
        if zone not in {zone.name for program in (old, new) for zone in program.zones}
    ]
    if unknown:
        scope_of(new, players, stack, dict.fromkeys(unknown, 1))  # says what is wrong
    own = [
        scope_of(
            program,
            players,
            stack,
            {zone.name: sizes[zone.name] for zone in program.zones if zone.name in sizes},
        )
        for program in (old, new)
    ]
    most = max(scope.players for scope in own)
    if players is None:
        most = min([most, *(high for _, high in (old.players, new.players) if high is not None)])
    for program in (old, new):
        scope_of(program, most, None, {})
    room = [dict(scope.sizes) for scope in own]
    after = {renaming.old("zone", zone): zone for zone in room[1]}
    for zone in room[0].keys() & after.keys():
        room[0][zone] = room[1][after[zone]] = max(room[0][zone], room[1][after[zone]])
    return Scope(most, tuple(room[0].items()), own[0].asked), Scope(
        most, tuple(room[1].items()), own[1].asked
    )


def difference(
    old: ir.Program,
    new: ir.Program,
    scopes: tuple[Scope, Scope],
    renaming: NameMap,
    meter: Meter,
    *,
    wanted: int = len(OLD_NEW),
    sides: tuple[Side, Side] | None = None,
) -> Difference:
    """Return what tells *old* from *new* within *scopes*, as far as *meter* lets the search go;
    every play was replayed.

    Unless *sides* say how closely plays are observed, what players are said to do tells nothing
    apart.
    """
    for program in (old, new):
        need_finished(program)
    shared = shared_attributes(old, new, renaming)
    names = {a.name for a in old.attributes} | {
        renaming.old("attribute", a.name) for a in new.attributes
    }
    unseen = tuple(sorted(names - shared))
    found = (
        Equivalence(why_not="they declare other attributes")
        if unseen
        else equivalent_at_every_size(old, new, renaming)
    )
    if not found.why_not:
        return Difference(
            old, new, scopes, renaming, True, Compared(), (), (0, 0), (), found.proved
        )
    if sides is None:
        sides = sides_of(old, new, scopes, renaming)
    shown = tuple[Demonstration, ...]()
    with collector_paused(), meter.watching():
        compared = compare(*sides, meter, wanted=wanted)
        try:
            shown = tuple(
                _shown(sides, compared.separations[which])
                for which in OLD_NEW
                if which in compared.separations
            )
        except BudgetSpentError as spent:  # a difference that cannot be told is none that was found
            compared = replace(compared, separations={}, stopped=str(spent))
    shown = _told_once(sorted(shown, key=lambda one: len(one.separation.word)))
    reached = sides[0].reached, sides[1].reached
    return Difference(
        old, new, scopes, renaming, False, compared, shown, reached, unseen, why_not=found.why_not
    )


def _told_once(shown: Sequence[Demonstration]) -> tuple[Demonstration, ...]:
    """Return *shown* without a stop at which less is possible, but something, where the other one
    tells what more is, at that moment.
    """
    more = [one.separation.clouds for one in shown if isinstance(one.separation.difference, Goes)]
    return tuple(
        one
        for one in shown
        if not (_offers_something(one.separation.difference) and one.separation.clouds in more)
    )


def _offers_something(difference: Deed) -> bool:
    return (
        isinstance(difference, Rests) and bool(difference.how.offers) and not difference.how.is_over
    )


def sides_of(
    old: ir.Program,
    new: ir.Program,
    scopes: tuple[Scope, Scope],
    renaming: NameMap,
    *,
    by_titles: bool = False,
) -> tuple[Side, Side]:
    """Return both sides; with *by_titles* what players are said to do is observed, too."""
    shared = shared_attributes(old, new, renaming)
    titles = shared_titles(old, new) if by_titles else frozenset[str]()
    before = Side(
        Interpreter(old, scopes[0]), Observer(old, NameMap(), shared, titles), Positions()
    )
    return before, side_of_new(before, new, renaming, scopes[1], shared, titles)


def side_of_new(
    old: Side,
    new: ir.Program,
    renaming: NameMap,
    scope: Scope,
    shared: frozenset[str],
    titles: frozenset[str] = frozenset(),
) -> Side:
    """Return the side of *new*; if it declares the same, its positions are those of *old*, and what
    is known of them is.
    """
    is_alike = _declare_the_same(old.interpreter.program, new) and not renaming.old_of
    positions, like = (old.all_positions, old) if is_alike else (Positions(), None)
    observer = Observer(new, renaming, shared, titles)
    return Side(Interpreter(new, scope), observer, positions, like=like)


def _declare_the_same(old: ir.Program, new: ir.Program) -> bool:
    """Return whether positions of both are made of the same, and a stage that both have can begin
    with the same arguments.
    """
    parameters = {stage.name: stage.parameters for stage in old.stages}
    begin_alike = all(
        stage.parameters == parameters.get(stage.name, stage.parameters) for stage in new.stages
    )
    return declarations(old) == declarations(new) and begin_alike


def _shown(sides: tuple[Side, Side], separation: Separation) -> Demonstration:
    plays: dict[Which, Trace] = {}
    for which, side in zip(OLD_NEW, sides, strict=True):
        plays[which] = play_of(side, which, separation)
        replay(side.interpreter, plays[which])
    at = OLD_NEW.index(separation.side)
    how = getattr(separation.difference, "how", None)
    offers = tuple(side.offer(cloud) for side, cloud in zip(sides, separation.clouds, strict=True))
    is_cut = isinstance(how, MoveMade) and how not in offers[at].following
    instead = offers[1 - at].observations
    return Demonstration(
        separation,
        plays,
        is_cut,
        tuple(sorted(instead, key=repr)),
        instead <= offers[at].observations,
    )
