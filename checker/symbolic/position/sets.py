"""Sets of players: who is in one, with and without a player, and which of two are the same.

The encoding remembers only the tracked players of a set. If it counts them, it also remembers how
many there are, and who they are if they sit next to each other, like those who have passed in turn:
a *run* ends at its last player and goes back from there around the table. Every set of none, one,
all or all but one is a run. The encoding remembers only what is true of every set, so it takes no
play away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import z3

from ..solver import terms as t
from ..solver.terms import ONE, ZERO
from .frame import EncodingContext, PlayerSet, Run, SymbolicFrame
from .players import Players
from .weakenings import Weakening


def everyone(context: EncodingContext) -> PlayerSet:
    """Return the set of all players."""
    return _alike(t.TRUE, context.players.count, context)


def nobody(context: EncodingContext) -> PlayerSet:
    """Return the set of no players."""
    return _alike(t.FALSE, ZERO, context)


def _alike(are_in: t.Bool, size: t.Integer, context: EncodingContext) -> PlayerSet:
    run = Run(size, t.TRUE, ZERO) if context.sets else None
    return PlayerSet((are_in,) * len(context.players.tracked), are_in, run)


def constant(name: str, context: EncodingContext) -> PlayerSet:
    """Return the cells of a set called *name*."""
    members = tuple(z3.Bool(f"{label} in {name}") for label in context.players.labels)
    run = (
        Run(z3.Int(f"number of {name}"), z3.Bool(f"{name} side by side"), z3.Int(f"last of {name}"))
        if context.sets
        else None
    )
    return PlayerSet(members, None, run)


def flat(value: PlayerSet) -> list[t.Term]:
    """Return what is in the cells of a set."""
    return [
        *value.members,
        *([value.run.size, value.run.together, value.run.last] if value.run is not None else []),
    ]


def always_true(value: PlayerSet, players: Players) -> Iterator[t.Bool]:
    """Yield what is true of every set of *players*."""
    yield from players.same_seat_same_value(value.members)
    if value.run is None:
        return
    size, together, last = value.run.size, value.run.together, value.run.last
    inside, outside = _tracked(value, players)
    yield from (
        players.is_seat(last),
        t.at_most(inside, size),
        t.at_most(t.plus(size, outside), players.count),
    )
    yield t.implies(
        t.either(t.at_most(size, ONE), t.at_most(players.count, t.plus(size, ONE))), together
    )
    for seat, is_in in players.paired(value.members):
        yield t.implies(together, t.equal(is_in, t.less(players.ahead(seat, last), size)))


def contains(members: PlayerSet, player: t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return whether *player* is one of *members*; nobody never is."""
    paired = list(frame.context.players.paired(members.members))
    if frame.context.players.exact:
        return t.any_of(t.both(t.equal(player, who), inside) for who, inside in paired)
    answer = t.both(_untracked(members, player, frame), t.at_most(ZERO, player))
    for who, inside in paired:
        answer = t.choice(t.equal(player, who), inside, answer)
    return answer


def member_count(members: PlayerSet, frame: SymbolicFrame) -> t.Integer:
    """Return how many *members* there are; where they are not counted, any number that the tracked
    players allow.
    """
    players = frame.context.players
    if members.run is not None:
        return members.run.size
    inside, outside = _tracked(members, players)
    if players.exact:
        return inside
    if members.others is not None:
        return t.choice(members.others, t.minus(players.count, outside), inside)
    frame.context.weakenings.add(Weakening.ANONYMOUS_MEMBERS)
    guess = frame.context.fresh_number("number of them")
    frame.assume(t.both(t.at_most(inside, guess), t.at_most(t.plus(guess, outside), players.count)))
    return guess


def _untracked(members: PlayerSet, player: t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return whether *player*, if it is no tracked one, is one of *members*."""
    players = frame.context.players
    if members.others is not None:
        return members.others
    if any(player.eq(who) for who in players.tracked):
        return t.FALSE  # not used: the player is a tracked one
    guess = frame.context.fresh_truth("is one of them")
    frame.context.weakenings.add(
        Weakening.ANONYMOUS_MEMBERS if members.run is None else Weakening.SCATTERED
    )
    if members.run is None:
        return guess
    run = members.run
    answer = t.either(
        t.both(run.together, t.less(players.ahead(player, run.last), run.size)),
        t.both(t.negation(run.together), guess),
    )
    inside, outside = _tracked(members, players)
    is_other = t.all_of(
        [t.at_most(ZERO, player), *(t.negation(t.equal(player, who)) for who in players.tracked)]
    )
    frame.assume(t.implies(t.both(is_other, answer), t.less(inside, run.size)))
    frame.assume(
        t.implies(
            t.both(is_other, t.negation(answer)), t.less(t.plus(run.size, outside), players.count)
        )
    )
    return answer


def _tracked(members: PlayerSet, players: Players) -> tuple[t.Integer, t.Integer]:
    """Return how many of the tracked players are *members*, and how many are not; two on one seat
    are one.
    """
    inside = outside = ZERO
    for place, (who, is_in) in enumerate(players.paired(members.members)):
        is_new = t.all_of(t.negation(t.equal(who, other)) for other in players.tracked[:place])
        inside = t.plus(inside, t.one_if(t.both(is_new, is_in)))
        outside = t.plus(outside, t.one_if(t.both(is_new, t.negation(is_in))))
    return inside, outside


# ------------------------------------------------------------------ changes


def with_player(members: PlayerSet, player: t.Integer, frame: SymbolicFrame) -> PlayerSet:
    """Return *members* with *player*."""
    new = PlayerSet(
        tuple(
            t.either(is_in, t.equal(player, who))
            for who, is_in in frame.context.players.paired(members.members)
        ),
        members.others if members.others is not None and t.is_true(members.others) else None,
    )
    if members.run is None:
        return new
    players, run = frame.context.players, members.run
    is_in = contains(members, player, frame)
    following = players.neighbour(run.last, 1, ZERO)[0]
    at_the_end = t.either(t.equal(run.size, ZERO), t.equal(player, following))
    at_the_start = t.equal(players.ahead(player, run.last), run.size)
    last = t.choice(at_the_end, player, run.last)
    return _with_run(
        members,
        new,
        is_in,
        Run(t.plus(run.size, ONE), t.either(at_the_end, at_the_start), last),
        frame,
    )


def without_player(members: PlayerSet, player: t.Integer, frame: SymbolicFrame) -> PlayerSet:
    """Return *members* without *player*."""
    new = PlayerSet(
        tuple(
            t.both(is_in, t.negation(t.equal(player, who)))
            for who, is_in in frame.context.players.paired(members.members)
        ),
        members.others if members.others is not None and t.is_false(members.others) else None,
    )
    if members.run is None:
        return new
    players, run = frame.context.players, members.run
    is_out = t.negation(contains(members, player, frame))
    at_the_end = t.either(t.equal(run.size, players.count), t.equal(player, run.last))
    at_the_start = t.equal(t.plus(players.ahead(player, run.last), ONE), run.size)
    last = t.choice(at_the_end, players.neighbour(player, -1, ZERO)[0], run.last)
    return _with_run(
        members,
        new,
        is_out,
        Run(t.minus(run.size, ONE), t.either(at_the_end, at_the_start), last),
        frame,
    )


def _with_run(
    old: PlayerSet, new: PlayerSet, stays: t.Bool, changed: Run, frame: SymbolicFrame
) -> PlayerSet:
    """Return *new* with its run: that of *old* if it *stays*, else *changed* if the old one is a
    run, else any.
    """
    run, context = old.run, frame.context
    assert run is not None
    together, last = changed.together, changed.last
    if not t.is_true(run.together):
        context.weakenings.add(Weakening.SCATTERED)
        together = t.choice(run.together, together, context.fresh_truth("side by side"))
        last = t.choice(run.together, last, frame.seat("the last of them"))
    found = Run(
        t.choice(stays, run.size, changed.size),
        t.choice(stays, run.together, together),
        t.choice(stays, run.last, last),
    )
    answer = replace(new, run=found)
    for fact in always_true(answer, context.players):
        frame.assume(fact)
    return answer


def same(one: PlayerSet, other: PlayerSet, frame: SymbolicFrame) -> t.Bool:
    """Return whether two sets have the same players."""
    everywhere = t.all_of(
        t.equal(left, right) for left, right in zip(one.members, other.members, strict=True)
    )
    if frame.context.players.exact or t.is_false(everywhere):
        return everywhere
    if one.others is not None and other.others is not None and one.others.eq(other.others):
        return everywhere
    frame.context.weakenings.add(Weakening.UNIVERSAL)
    answer = frame.context.fresh_truth("the same players")
    frame.assume(t.implies(answer, everywhere))
    if one.run is not None and other.run is not None:
        sizes, count = t.equal(one.run.size, other.run.size), frame.context.players.count
        few = t.either(t.equal(one.run.size, ZERO), t.equal(one.run.size, count))
        as_long = t.both(sizes, t.either(few, t.equal(one.run.last, other.run.last)))
        frame.assume(
            t.implies(answer, t.both(sizes, t.equal(one.run.together, other.run.together)))
        )
        frame.assume(
            t.implies(t.both(one.run.together, other.run.together), t.equal(answer, as_long))
        )
    return answer


def some_in_all(
    answer: t.Bool, cubes: Iterable[tuple[list[Run], bool]], frame: SymbolicFrame
) -> None:
    """Assume of *answer*, whether some player is in all sets of one of *cubes*, what follows from
    how many each has.

    If *k* sets have more than *k* - 1 times as many players together as the table, they have
    one in common; unless more than being in all of them is asked of the player (the flag says that
    it is not).
    """
    count, possible = frame.context.players.count, []
    for runs, is_all in cubes:
        spare = count
        for run in runs:
            spare = t.plus(t.minus(spare, count), run.size)
        if is_all:
            frame.assume(t.implies(t.less(ZERO, spare), answer))
        possible.append(t.all_of(t.less(ZERO, run.size) for run in runs))
    frame.assume(t.implies(answer, t.any_of(possible)))
