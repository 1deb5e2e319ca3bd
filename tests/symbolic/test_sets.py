"""Sets of players in the encoding: for any set, what the rules make of it is among what the
encoding makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import z3

from stacklaw.checker.symbolic.encoding.encode import Precision, encoding
from stacklaw.checker.symbolic.position import sets
from stacklaw.checker.symbolic.position.expressions import evaluate
from stacklaw.checker.symbolic.position.frame import PlayerSet, SymbolicFrame
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f

PLAYERS = [2, 3, 4]
SPOTLIGHTS = (f.Spotlight("player", "p"), f.Spotlight("player", "q"))


def frame() -> SymbolicFrame:
    """Return a frame of an encoding with two spotlit players, as many others as there may be, and
    two sets of them.
    """
    program = load_game("mtg", {"leaving": "yes"})
    asked = f.Property("", "", "", "always", SPOTLIGHTS, f.And(()), None, "")
    return encoding(program, asked, Precision(True, True, True, sets=True)).layout.frame(
        "step_begins"
    )


def among(name: str, found: SymbolicFrame) -> PlayerSet:
    value = found.values[name]
    assert isinstance(value, PlayerSet)
    return value


def real(value: PlayerSet, members: set[int], count: int, other: int) -> Iterator[t.Bool]:
    """Yield that *value* is the set of *members*, where the spotlit players sit at 0 and
    *other*.
    """
    assert value.run is not None
    last = [seat for seat in members if (seat + 1) % count not in members]
    yield value.run.size == len(members)
    yield value.run.together == t.truth(len(last) <= 1)
    if len(last) == 1:
        yield value.run.last == last[0]
    for inside, seat in zip(value.members, (0, other), strict=True):
        yield inside == t.truth(seat in members)


def seats(found: SymbolicFrame, count: int, other: int) -> list[t.Bool]:
    players = found.context.players
    return [players.count == count, players.spotlights["q"] == other, *found.facts]


def subsets(count: int) -> Iterator[set[int]]:
    for chosen in product((False, True), repeat=count):
        yield {seat for seat, inside in enumerate(chosen) if inside}


def answer(conditions: list[t.Bool], *more: t.Bool) -> bool:
    solver = z3.SimpleSolver()
    solver.add(*conditions, *more)
    return bool(solver.check() == z3.sat)


def test_what_is_known_of_every_set_is_true_of_each() -> None:
    found = frame()
    value = among("passed", found)
    known = [*sets.always_true(value, found.context.players)]
    for members in subsets(4):
        assert answer([*seats(found, 4, 2), *known], *real(value, members, 4, 2)), members


@pytest.mark.slow
@pytest.mark.parametrize("count", PLAYERS)
@pytest.mark.parametrize("change", ["joined", "left"])
def test_a_set_with_a_player_and_without_one(change: str, count: int) -> None:
    """And of players who sit side by side nothing but the truth is known."""
    found = frame()
    old = among("passed", found)
    player = found.context.fresh_number("player")
    is_in = sets.contains(old, player, found)
    new = (sets.with_player if change == "joined" else sets.without_player)(old, player, found)
    known = [*sets.always_true(old, found.context.players)]
    for members, who, other in product(subsets(count), range(count), range(count)):
        after = members | {who} if change == "joined" else members - {who}
        there = [
            *seats(found, count, other),
            *known,
            *real(old, members, count, other),
            player == who,
        ]
        truth = z3.And(is_in == t.truth(who in members), *real(new, after, count, other))
        assert answer(there, truth), (members, who, other)
        if change == "joined" and sum((seat + 1) % count not in members for seat in members) <= 1:
            assert not answer(there, z3.Not(truth)), (members, who, other)


@pytest.mark.slow
@pytest.mark.parametrize("count", PLAYERS[:2])
def test_two_sets_compared_and_searched(count: int) -> None:
    """Of any two sets the rules' answer is among those of the encoding; where the numbers decide
    it, there is no other.
    """
    found = frame()
    passed, gone = (ir.Variable(name) for name in ("passed", "gone"))
    inside = ir.Any(tuple(ir.Contains(one, ir.Local("x")) for one in (passed, gone)))
    questions: dict[str, ir.Expr] = {
        "all": ir.Not(ir.Exists("x", ir.PlayersIn(ir.Everyone()), ir.Not(inside))),
        "some": ir.Exists("x", ir.PlayersIn(passed), ir.Not(ir.Contains(gone, ir.Local("x")))),
        "none": ir.Equal(passed, ir.NoPlayers()),
        "same": ir.Equal(passed, gone),
    }
    said = {name: evaluate(question, found) for name, question in questions.items()}
    known = [
        fact
        for name in ("passed", "gone")
        for fact in sets.always_true(among(name, found), found.context.players)
    ]
    for one, other, seat in product(list(subsets(count)), list(subsets(count)), range(count)):
        there = [*seats(found, count, seat), *known]
        there += [
            *real(among("passed", found), one, count, seat),
            *real(among("gone", found), other, count, seat),
        ]
        truths = {
            "all": len(one | other) == count,
            "some": bool(one - other),
            "none": not one,
            "same": one == other,
        }
        assert answer(there, *(said[name] == t.truth(truth) for name, truth in truths.items())), (
            one,
            other,
            seat,
        )
        assert not answer(there, said["none"] != t.truth(truths["none"]))
        if not other:
            assert not answer(there, said["all"] != t.truth(truths["all"])), (one, seat)
