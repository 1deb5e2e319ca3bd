"""The invariants of a Program: each check finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.models.wellformed import CHECKS, MalformedProgram, check_wellformed

MTG = load_game("mtg")


def with_first_clause(change: Callable[[ir.Clause], ir.Clause]) -> ir.Program:
    stage = MTG.stages[0]
    return replace(
        MTG,
        stages=(
            replace(stage, clauses=(change(stage.clauses[0]), *stage.clauses[1:])),
            *MTG.stages[1:],
        ),
    )


def with_body(*body: ir.Statement) -> ir.Program:
    return with_first_clause(lambda clause: replace(clause, body=body))


BROKEN = {
    "options_are_fixed": with_body(ir.Require(ir.OptionValue("flash")), ir.GameOver()),
    "clause_ids_are_unique": replace(
        MTG, stages=(*MTG.stages, replace(MTG.stages[0], name="again"))
    ),
    "ways_end": with_body(ir.If(ir.YES, (ir.GameOver(),), ())),
    "goes_fit_their_stages": with_body(
        ir.Go(MTG.stages[0].name, (ir.Literal(0), ir.Literal(0), ir.Literal(0)))
    ),
    "names_are_declared": with_body(ir.Assign("life", None, ir.YES), ir.GameOver()),
    "ends_are_of_ordered_zones": with_body(
        ir.Leave(ir.EndOf("waiting"), "resolves"), ir.GameOver()
    ),
    "each_is_done_one_thing": with_body(
        ir.ForEach("t", ir.ItemsOn("waiting"), ir.YES, (ir.Move(ir.Local("t"), "stack"),)),
        ir.GameOver(),
    ),
    "locals_are_bound": with_body(
        ir.Require(ir.Equal(ir.Local("nobody"), ir.Literal(None))), ir.GameOver()
    ),
}


def test_every_check_has_a_program_that_breaks_it() -> None:
    assert set(BROKEN) == {check.__name__ for check in CHECKS}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_invariant_is_found_by_name(name: str) -> None:
    with pytest.raises(MalformedProgram, match=name):
        check_wellformed(BROKEN[name])


@pytest.mark.parametrize("game", game_names())
def test_the_games_are_wellformed(game: str) -> None:
    check_wellformed(load_game(game))
