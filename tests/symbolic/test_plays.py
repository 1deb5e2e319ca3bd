"""Every play of the rules is a play of the encoding, at any precision: so what holds of the
encoding holds of the rules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import simulate
from stacklaw.checker.symbolic.encoding.encode import Precision, encoding, instances, with_witnesses
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..explicit.test_following import games
from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .plays import check_play, spotlit_plays
from .rich import WATCHED, of_what_is_possible, rich_programs

PRECISIONS = [
    Precision(seats, attributes, counts)
    for seats in (False, True)
    for attributes in (False, True)
    for counts in (False, True)
]
PRECISIONS += [Precision(True, attributes, True, sets=True) for attributes in (False, True)]


def question(body: f.Formula, spotlights: tuple[f.Spotlight, ...]) -> f.Property:
    return f.Property("random", "", "", "always", spotlights, body, None, "")


@pytest.mark.slow
@given(st.data())
@tries(20)
def test_the_plays_of_random_programs(data: st.DataObject) -> None:
    program = data.draw(st.one_of(programs(), games(), rich_programs(), rich_programs()))
    spotlights = data.draw(
        st.sampled_from(
            [
                (),
                SPOTLIGHTS[2:],
                SPOTLIGHTS[:1],
                SPOTLIGHTS[:1] + SPOTLIGHTS[2:],
                SPOTLIGHTS,
                WATCHED,
            ]
        )
    )
    asked = question(
        data.draw(
            st.one_of(formulas(spotlights), formulas(spotlights), of_what_is_possible(spotlights))
        ),
        spotlights,
    )
    if data.draw(st.booleans()):
        asked = with_witnesses(program, asked)
    players = data.draw(st.sampled_from([2, 3, 4]))
    if data.draw(st.booleans()):
        program = replace(program, players=(players, players))
    try:
        encoded = encoding(program, asked, data.draw(st.sampled_from(PRECISIONS)))
        system = encoded.system()
    except UnsupportedError:
        return
    scope = make_scope(program, players, {"stack": 3, "queue": 2, "pool": 3})
    play = simulate(program, scope, data.draw(st.integers(0, 1000)), 12)
    play = spotlit_plays(play, asked.spotlights, players, data.draw(st.integers(0, 10_000)))
    check_play(encoded, system, Interpreter(program, scope), play)


@pytest.mark.slow
@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
@pytest.mark.parametrize("game", game_names())
def test_the_plays_of_the_games(game: str, precision: Precision) -> None:
    program = load_game(game)
    players = program.players[0] if program.players[1] is not None else 3
    scope = make_scope(program, players)
    asked = {
        claim.property.name: claim.property
        for claim in claims_of(program)
        if claim.claim.formula is None
    }
    names = sorted(asked)[
        PRECISIONS.index(precision) :: 4 * len(PRECISIONS)
    ]  # one in four is asked, and of one precision
    for number, name in enumerate(names):
        try:
            encoded = encoding(program, asked[name], precision)
            system = encoded.system()
        except UnsupportedError:
            continue
        play = simulate(program, scope, number, 30)
        play = spotlit_plays(play, instances(asked[name])[0], players, 7 + 5 * number)
        check_play(encoded, system, Interpreter(program, scope), play)
