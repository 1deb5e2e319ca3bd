"""What is proved to come to an end does so within every scope; and what goes on for ever within one
is never proved to end.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.encoding.features import features
from stacklaw.checker.symbolic.liveness.progress import ANYONE, progress
from stacklaw.checker.symbolic.liveness.termination import PRECISION, Termination, prove_progress
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..strategies_ir import formulas, programs
from .judge import REFUTED, Judge, sizes_of_table
from .mutations import mutations
from .plays import Shadow
from .second_solver import answers_of_cvc5
from .test_recheck import comes_back

FUTURE = ("stack_drains", "round_ends", "turn_ends", "kernel_terminates")
LITTLE = 600_000
FEW = [("stack", "turn_ends"), ("mtg", "kernel_terminates")]
"""Proofs that are found in a second or two; between them, they have stages of which they say
nothing, and sums of three.
"""
OPEN = [*(("netrunner", name) for name in FUTURE), *(("flesh", name) for name in FUTURE[:3])]
"""What only a search says yet: see docs/proofs.md."""
LONG = [("fow", "stack_drains"), ("fow", "turn_ends"), ("fow", "kernel_terminates")]
"""What takes long to prove, and no more than what is proved beside it."""
SMALL = 25_000
"""Python finds this many positions about as fast as a kernel is compiled."""
ROUNDS = Path(__file__).with_name("rounds.rules").read_text(encoding="utf-8")


def rounds(*changes: tuple[str, str]) -> ir.Program:
    """Return a small game for any number of players, with some *changes* of its text."""
    text = ROUNDS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(Source("rounds.rules", text))


def is_proved(program: ir.Program, name: str) -> bool:
    """Whether a proof is found with two or three times the units that it takes where there is
    one.
    """
    return isinstance(prove_progress(program, property_named(program, name), LITTLE), Termination)


def is_refuted(program: ir.Program, name: str, players: int) -> bool:
    """Whether a search of a small scope sees a play that goes on for ever, or ends before."""
    scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
    return (
        check(program, [property_named(program, name)], scope, engine=Explicit(Interpreter))[
            0
        ].outcome
        in REFUTED
    )


# ------------------------------------------------------------------ what is proved


@cache
def not_held(game: str) -> frozenset[str]:
    """Return what of all that must happen does not hold of *game*, as far as searches of 2 to 4
    players and the reference see.
    """
    program = load_game(game)
    asked = [property_named(program, name) for name in FUTURE]
    found: set[str] = set()
    for players in sizes_of_table(program, 4):
        scope = make_scope(
            program, players, {zone.name: 2 if players == 2 else 1 for zone in program.zones}
        )
        # What a cut could hide is not for a search to decide; a play that grows for ever would have
        # been found.
        verdicts = check(program, asked, scope, engine=Explicit(Interpreter, SMALL))
        found |= {
            verdict.property.name
            for verdict in verdicts
            if verdict.outcome != Outcome.HOLDS and not verdict.is_hidden
        }
    judge = Judge(program, 2, 1, 3_000)
    return frozenset(
        found | {question.name for question in asked if judge.outcome(question) in REFUTED}
    )


@pytest.mark.rare
@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(
            game,
            name,
            marks=()
            if (game, name) in FEW
            else pytest.mark.slow
            if name == "round_ends" and game != "fow"
            else pytest.mark.long,
        )
        for game in game_names()
        for name in FUTURE
        if (game, name) not in [*LONG, *OPEN]
    ],
)
def test_every_game_comes_to_its_ends(game: str, name: str) -> None:
    """For every size; no search of 2 to 4 players sees anything else, each certificate comes back,
    some are shown to a second solver.
    """
    program = load_game(game)
    question = property_named(program, name)
    proof = prove_progress(program, question)
    assert isinstance(proof, Termination), proof.reason
    assert proof.spent > 0
    assert proof.measures or name == "stack_drains"
    assert name not in not_held(game)
    text = comes_back(program, proof)
    if (game_names().index(game) + FUTURE.index(name)) % 3:
        return
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")


def test_a_certificate_tells_what_grows_less() -> None:
    program = rounds()
    proof = prove_progress(program, property_named(program, "stack_drains"))
    assert isinstance(proof, Termination)
    heading, _, functions = certificate(proof).partition("(set-logic")
    assert "; 1. the number of items on waiting" in heading
    assert re.search(
        r"\(define-fun \|rank \d decide\| [^\n]* Int\n  \(\+ players \(\* \(- 1\) \|number of "
        r"passed\|\)\)\)",
        functions,
    )
    assert (
        "A move that is a player's is asked only where that player is the spotlit one." in heading
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mtg", "stack"])
def test_no_measure_tells_who_is_spotlit(game: str) -> None:
    """Every feature of a position is one number, for any spotlit player and any first seat."""
    program = load_game(game)
    asked = progress(program, property_named(program, "turn_ends"), PRECISION)
    assert asked.by_anyone
    scope, known = make_scope(program, 3), features(asked.encoding.layout)
    play = simulate(program, scope, 1, 25)
    shadows = [
        Shadow(
            asked.encoding,
            Interpreter(program, scope),
            Trace(play.initial, play.steps, ((ANYONE, who),)),
        )
        for who in range(3)
    ]
    for moment, position in enumerate(play.positions):
        told = set()
        for shadow in shadows:
            cells = zip(asked.system.cells[position.stage], shadow.cells(moment), strict=True)
            pairs = [pair for pair in cells if not pair[0].eq(pair[1])]
            told.add(
                tuple(
                    str(z3.simplify(z3.substitute(feature.at_stage(position.stage), *pairs)))
                    for feature in known
                )
            )
        assert len(told) == 1
        assert all(value.isdigit() for value in told.pop())


# ------------------------------------------------------------------ what goes on for ever


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (
            "    move t to stack\n",
            "    move t to stack\n    put trigger by active on waiting\n",
            "kernel_terminates",
        ),
        ("    passed += holder\n", "", "round_ends"),
        (
            "    passed += holder\n    go passing(holder)",
            "    passed := none\n    go passing(holder)",
            "turn_ends",
        ),
        (
            "    go check(after passer)\n",
            "    passed -= passer\n    go check(after passer)\n",
            "stack_drains",
        ),
        ("    resolve top of stack\n", "", "stack_drains"),
        ("    advance\n", "", "turn_ends"),
    ],
)
def test_what_undoes_what_brings_it_to_an_end(old: str, new: str, name: str) -> None:
    """A trigger that triggers itself, a pass that is not recorded, or is forgotten: it goes round
    for ever, and nothing is proved.
    """
    assert is_proved(rounds(), name)
    program = rounds((old, new))
    if "put trigger" not in new:  # within a scope there is no room for a trigger again and again
        assert is_refuted(program, name, 2)
    assert not is_proved(program, name)


def check_mutant(data: st.DataObject) -> None:
    mutant = data.draw(
        st.sampled_from([mutant for mutant in mutations(rounds()) if mutant.is_wellformed])
    )
    name, players = data.draw(st.sampled_from(FUTURE)), data.draw(st.sampled_from([2, 3]))
    proved = is_proved(mutant.program, name)
    assert not (proved and is_refuted(mutant.program, name, players)), mutant.change


def test_a_few_mutants() -> None:
    tries(5)(given(st.data())(check_mutant))()


@pytest.mark.rare
@pytest.mark.slow
def test_many_mutants() -> None:
    tries(8)(given(st.data())(check_mutant))()


@pytest.mark.slow
@given(st.data())
@tries(6)
def test_random_programs(data: st.DataObject) -> None:
    """What random rules never let go on for ever, or let end, within a scope is all that is proved
    of them.
    """
    assumed: list[tuple[f.Assumption, ...]] = [(), ("players",), ("players", "cards")]
    program, assuming = data.draw(programs()), data.draw(st.sampled_from(assumed))
    question = f.Property(
        "random", "", "", "progress", (), data.draw(formulas(())), None, "", assuming=assuming
    )
    if isinstance(prove_progress(program, question, LITTLE), Termination):
        for players in (2, 3):
            scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
            assert (
                check(program, [question], scope, engine=Explicit(Interpreter))[0].outcome
                not in REFUTED
            )
