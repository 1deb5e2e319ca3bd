"""Roles: what the player whom the rules call so can enforce; and what takes acting for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.run.cuts import STALLING
from stacklaw.checker.run.engines import EngineName, engine_named
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.diagnostics import InputError

from ..rulesets import asked

RUN = """\
game "A run"
players 2 or more
scope players 2, board 2
start decide(active)
items
  ice "ice"
zones
  board in any order
turn
  main
state
  corp   : player
  other  : player
  stolen : flag
term runner means after corp
stage decide(p: player)
  priority p
  may 1 "install ice"
    when p is corp
    put ice on board
    go decide(after p)
  may 2 "run"
    when p is runner and board is empty
    stolen := yes
    game over
  may 3 "pass"
    pass
    go decide(after p)
  may 4 "look"
    other := p
    go decide(p)
"""


def verdict(*formula: str, engine: EngineName = "explicit", players: int = 2) -> Verdict:
    program, question = asked(RUN, *formula)
    (found,) = check(
        program, [question], make_scope(program, players), None, engine=engine_named(engine)
    )
    return found


@pytest.mark.parametrize("engine", ["explicit", "reference"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_role_is_whoever_has_it(engine: EngineName, players: int) -> None:
    """The corp, which begins, keeps the others out; the runner cannot even begin to."""
    mine = verdict("corp can enforce never stolen", engine=engine, players=players)
    assert mine.outcome == Outcome.POSSIBLE
    assert mine.trace is not None
    assert dict(mine.trace.spotlights)["corp"] == 0
    for formula in (
        "runner can enforce eventually stolen",
        "after corp can enforce eventually stolen",
    ):
        assert verdict(formula, engine=engine, players=players).outcome == Outcome.IMPOSSIBLE
    both = verdict("corp and runner can enforce eventually stolen", engine=engine, players=players)
    assert both.outcome == Outcome.POSSIBLE
    assert both.trace is not None
    assert dict(both.trace.spotlights) == {"corp": 0, "runner": 1}


def test_a_role_is_as_the_players_that_are_watched() -> None:
    """The same as to ask of any player, and to say which one it is."""
    by_name = verdict("corp can enforce never stolen")
    watched = verdict("for some player p: p can enforce ((always p is corp) and (never stolen))")
    assert by_name.outcome == watched.outcome == Outcome.POSSIBLE


@pytest.mark.parametrize("who", ["active", "other", "before other", "nobody", "stolen", "somebody"])
def test_who_may_change_is_no_role(who: str) -> None:
    with pytest.raises(InputError) as found:
        asked(RUN, f"{who} can enforce never stolen")
    assert found.value.diagnostics[0].code in ("P208", "P101", "R001")


def test_what_takes_acting_for_ever_says_so() -> None:
    """Looking again and again keeps anything from happening; installing ice does it once."""
    looks = verdict("for some player p: p can enforce never someone passes")
    assert looks.outcome == Outcome.POSSIBLE
    assert STALLING in looks.notes
    assert STALLING not in verdict("corp can enforce never stolen").notes
    stricter = verdict(
        "for some player p:",
        "  p can enforce (never someone passes) and p acts only finitely often",
    )
    assert stricter.outcome == Outcome.IMPOSSIBLE
    assert STALLING not in replace(stricter).notes
