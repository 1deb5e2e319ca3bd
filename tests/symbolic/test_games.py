"""The games: what is proved for every size, and that the reference agrees on all that it can look
at.
"""

from __future__ import annotations

from functools import cache

import pytest

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.encoding.encode import Precision
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue_for, claims_of, property_named

from ..explicit.test_options import settings_of
from ..rulesets import encode
from .judge import REFUTED, sizes_of_table
from .second_solver import answers_of_cvc5

EVERYWHERE = ["single_holder", "unambiguous"]
RESPONSES = [
    "lifo",
    "response_window",
    "own_window",
    "settled_before_priority",
    "step_waits_for_stack",
]
ROUNDS = [
    "full_round",
    "full_round_ends_step",
    "turn_player_after_resolution",
    "window_between_resolutions",
    "no_lost_triggers",
    "slow_needs_empty_stack",
]
PROVED = {
    "mtg": [
        *EVERYWHERE,
        *RESPONSES,
        *ROUNDS,
        "nobody_while_resolving",
        "window_in_every_step",
        "useful_priority",
        "complete",
    ],
    "fftcg": [
        *EVERYWHERE,
        *RESPONSES,
        *ROUNDS,
        "nobody_while_resolving",
        "end_of_turn_response",
        "complete",
    ],
    "zx": [
        *EVERYWHERE,
        "settled_before_priority",
        "step_waits_for_stack",
        "window_in_every_step",
        "hold_priority",
        "useful_priority",
        "no_lost_triggers",
        "complete",
    ],
    "fow": [
        *EVERYWHERE,
        "lifo",
        "response_window",
        "settled_before_priority",
        "step_waits_for_stack",
        *ROUNDS[:3],
        *ROUNDS[4:],
    ],
    "netrunner": ["single_holder"],
    "riftbound": [
        "single_holder",
        "settled_before_priority",
        "step_waits_for_stack",
        "slow_needs_empty_stack",
        "lifo",
        "complete",
    ],
    "stack": [*EVERYWHERE, *RESPONSES, "window_in_every_step", "useful_priority", "complete"],
    "stack@triggers=no": [
        *EVERYWHERE,
        *RESPONSES[:3],
        "slow_needs_empty_stack",
        "step_waits_for_stack",
        "hold_priority",
    ],
    "stack@step4=next": ["response_window", "own_window"],
    "mtg@payment=announced": ["response_window", "full_round", "nobody_while_resolving"],
    "fow@resolution=whole": ["one_chance"],
    "flesh": [
        "single_holder",
        "settled_before_priority",
        "useful_priority",
        "no_lost_triggers",
        "turn_player_after_resolution",
    ],
}


SMALL = 25_000
"""Python finds this many positions about as fast as a kernel is compiled."""
SECOND = 6
"""One in this many proofs is shown to the second solver; `test_certify` shows it others."""
FEW = [("zx", "hold_priority"), ("zx", "unambiguous")]
LITTLE = 400_000


def _asked(program: ir.Program) -> list[f.Property]:
    named = [
        property_named(program, entry.name)
        for entry in catalogue_for(program)
        if entry.name != "no_dead_clause"
    ]
    return [question for question in named if question.mode != "progress"]


def _refuted(program: ir.Program, asked: list[f.Property], players: int) -> list[f.Property]:
    """Return which of *asked* the explicit engine refutes for this number of *players*; two have a
    little more room on zones.
    """
    scope = make_scope(
        program, players, {zone.name: 2 if players == 2 else 1 for zone in program.zones}
    )
    return [
        verdict.property
        for verdict in check(program, asked, scope, engine=Explicit(Interpreter, SMALL))
        if verdict.outcome in REFUTED
    ]


@cache
def _refuted_of_the_proved(game: str) -> frozenset[str]:
    """Return what of all that is proved of *game* a search for 2 to 4 players refutes: nothing, if
    all is right.
    """
    program = load_game(game)
    asked = [property_named(program, name) for name in PROVED[game]]
    return frozenset(
        question.name
        for players in sizes_of_table(program, 4)
        for question in _refuted(program, asked, players)
    )


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(
            game, name, marks=() if (game, name) in FEW else [pytest.mark.long, pytest.mark.rare]
        )
        for game, names in PROVED.items()
        for name in names
    ],
)
def test_proved_for_every_size(game: str, name: str) -> None:
    """What is proved holds for 2 to 4 players; with one proof in six, of the next game others, cvc5
    agrees in each obligation.
    """
    program = load_game(game)
    question = property_named(program, name)
    proof = prove(program, question)
    assert isinstance(proof, Proof), proof.reason
    assert name not in _refuted_of_the_proved(game)
    if (list(PROVED).index(game) + PROVED[game].index(name)) % SECOND:
        return
    text = certificate(proof)
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")


@pytest.mark.rare
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow if game in ("zx", "stack") else pytest.mark.long)
        for game in game_names()
    ],
)
def test_no_proof_contradicts_a_play(game: str) -> None:
    """A property that is refuted with an option, or with one player more, and not without, is not
    proved.

    Half of the catalogue is asked of every third reading.
    """
    known: set[str] = set()
    for number, setting in enumerate(
        [{}, *[setting for setting in settings_of(game) if len(setting) == 1][::3]]
    ):
        program = load_game(game, setting)
        for players in sizes_of_table(program, 2 if setting else 3):
            scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
            asked = [
                one
                for one in (_asked(program)[number % 2 :: 2] if setting else _asked(program))
                if one.name not in known
            ]
            verdicts = check(
                program,
                asked,
                scope,
                Budget(positions=3_000),
                engine=Explicit(Interpreter, small=1 << 60),
            )
            new = [verdict.property for verdict in verdicts if verdict.outcome in REFUTED]
            known |= {question.name for question in new}
            for question in new:
                assert not isinstance(prove(program, question, LITTLE), Proof), (
                    setting,
                    players,
                    question.name,
                )


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [game for game in game_names() if load_game(game).players[1] is None]
)
def test_what_the_claims_say_of_two_players_holds_of_more(game: str) -> None:
    """So that none of them that is proved, for every number of players, is contradicted by three or
    four; what is, is not proved.
    """
    program = load_game(game)
    claims = [typed.property for typed in claims_of(program) if typed.property.mode != "progress"]
    refuted = {
        players: {question.name for question in _refuted(program, claims, players)}
        for players in (2, 3, 4)
    }
    for question in claims:
        if question.name in (refuted[3] | refuted[4]) - refuted[2]:
            assert not isinstance(prove(program, question, LITTLE), Proof), question.name


@pytest.mark.parametrize(
    "game",
    [game if game == "zx" else pytest.param(game, marks=pytest.mark.slow) for game in game_names()],
)
def test_the_catalogue_can_be_encoded(game: str) -> None:
    """No decided property of the catalogue has anything in it that the encoding does not know, but
    those of each clause.
    """
    program = load_game(game)
    for question in [one for one in _asked(program) if one.name not in PROVED[game]]:
        assert encode(program, question, Precision(seats=True, attributes=True, counts=True)).rules
