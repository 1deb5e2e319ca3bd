"""Nothing is proved of a mutated or a random ruleset that a play of it refutes.

Only what a search of small scopes refutes is tried: a proof of anything else could not be contradicted there. Of what is not
refuted now and then one is tried, and a proof is held against larger scopes; this shows that mutants are not merely too hard to prove.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import Phase, assume, given
from hypothesis import strategies as st

from stacklaw.checker.budget import Budget
from stacklaw.checker.engine import Engine
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.interpreter import Interpreter
from stacklaw.checker.run import check
from stacklaw.checker.scope import make_scope
from stacklaw.checker.symbolic.encode import Precision, encode
from stacklaw.checker.symbolic.horn import search
from stacklaw.checker.symbolic.moments import asks_what_is_enabled
from stacklaw.checker.symbolic.obligations import complete, first_failure
from stacklaw.checker.symbolic.prove import precisions
from stacklaw.checker.symbolic.unsupported import UnsupportedError
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue_for, property_named

from ..explicit.test_options import settings_of
from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .judge import REFUTED
from .mutations import Mutant, mutations

PHASES = (Phase.reuse, Phase.generate)
"""What is found is not made smaller: it would take minutes."""
LITTLE = 300_000
"""Effort enough for most proofs about the games."""
RECHECK = 20_000_000
POSITIONS = 1_000


def is_proved(program: ir.Program, question: f.Property, precision: Precision) -> bool:
    """Whether *question* is proved with one encoding and little effort."""
    try:
        system = encode(program, question, precision)
    except UnsupportedError:
        return False
    found = search(system, LITTLE)
    return found.invariant is not None and first_failure(system, complete(system, found.invariant), RECHECK) is None


def refuted(program: ir.Program, asked: list[f.Property], players: int, size: int, engine: Engine | None = None) -> list[f.Property]:
    """Return what of *asked* a search of a small scope refutes.

    Not what asks which moves are possible, where a move was cut: whether it is one nobody knows without the room that it takes.
    """
    scope = make_scope(program, players, {zone.name: size for zone in program.zones})
    verdicts = check(program, asked, scope, Budget(positions=POSITIONS), engine=engine or Reference())
    sure = [verdict for verdict in verdicts if not (verdict.counts.cut and asks_what_is_enabled(verdict.property.body))]
    return [verdict.property for verdict in sure if verdict.outcome in REFUTED]


def asked_of(program: ir.Program) -> list[f.Property]:
    """Return what of the catalogue can be proved."""
    named = [property_named(program, entry.name) for entry in catalogue_for(program)]
    return [question for question in named if question.mode != "progress" and not any(s.kind == "clause" for s in question.spotlights)]


# ------------------------------------------------------------------ the games, mutated


@cache
def games(game: str) -> list[dict[str, str]]:
    """Return what is chosen of the options of *game*: mostly nothing, now and then one, or two that interact."""
    others = list(settings_of(game))
    return [*[{}] * 3 * len(others), *others]


@cache
def mutated(game: str, *chosen: tuple[str, str]) -> tuple[list[Mutant], list[str]]:
    """Return the mutants of *game* with these options, and the names of what is refuted of the original."""
    program = load_game(game, dict(chosen))
    return mutations(program), [question.name for question in refuted(program, asked_of(program), program.players[0], 1)]


def check_mutant(data: st.DataObject, game: str) -> str:
    """Check a mutant of *game*; return what was tried, and whether there is a proof."""
    changed, known = mutated(game, *data.draw(st.sampled_from(games(game))).items())
    mutant = data.draw(st.sampled_from(changed))
    assume(mutant.is_wellformed)
    program, asked = mutant.program, asked_of(mutant.program)
    least, most = program.players
    players = least if most == least else data.draw(st.sampled_from([2, 2, 3]))
    try:
        found = refuted(program, asked, players, data.draw(st.sampled_from([1, 1, 2])))
    except (IndexError, RuntimeError):
        return "an item is asked for where there is none"  # such a ruleset is not read at all
    new = [question for question in found if question.name not in known]
    question = data.draw(st.sampled_from(new or [question for question in asked if question not in found]))
    proved = is_proved(program, question, data.draw(st.sampled_from(precisions(program, question))))
    told = f"{program.name}, {mutant.change}: {question.name}"
    assert not (proved and new), told
    if proved:
        assert not refuted(program, [question], players, 2, Explicit(Interpreter)), told
        assert most == least or not refuted(program, [question], players + 1, 1), told
    return "refuted" if new else "proved" if proved else "neither"


def check_mutants(game: str, number: int) -> Counter[str]:
    """Check so many mutants of *game*."""
    outcomes: Counter[str] = Counter()

    @given(st.data())
    @tries(number, phases=PHASES)
    def check_one(data: st.DataObject) -> None:
        outcomes[check_mutant(data, game)] += 1

    check_one()
    return outcomes


@pytest.mark.parametrize("game", ["stack", "zx"])
def test_a_few_mutants(game: str) -> None:
    check_mutants(game, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), [("zx", 40), ("stack", 30), ("mtg", 20), ("fftcg", 8), ("fow", 3)])
def test_many_mutants(game: str, number: int) -> None:
    outcomes = check_mutants(game, number)
    assert outcomes.total() >= number
    assert number < 20 or (outcomes["refuted"] > 0 and outcomes["proved"] > 0), outcomes


# ------------------------------------------------------------------ random ones


def check_random(data: st.DataObject) -> None:
    program = data.draw(programs())
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1], SPOTLIGHTS[:1] + SPOTLIGHTS[2:], SPOTLIGHTS]))
    question = f.Property("random", "", "", "always", spotlights, f.Not(data.draw(formulas(spotlights))), None, "")
    if is_proved(program, question, data.draw(st.sampled_from(precisions(program, question)))):
        for players, size in ((2, 2), (3, 1)):
            assert not refuted(program, [question], players, size)


def test_a_few_random_programs() -> None:
    tries(10, phases=PHASES)(given(st.data())(check_random))()


@pytest.mark.slow
def test_many_random_programs() -> None:
    tries(200, phases=PHASES)(given(st.data())(check_random))()
