"""Nothing is proved of a mutated or a random ruleset that a play of it refutes.

What a search of a small scope refutes is tried: a proof of anything else could not be contradicted
there. Most is asked of one encoding, as that is what may be wrong; some goes the whole way, with
all encodings and k-induction. Of what is not refuted now and then one is tried, and a proof is held
against larger scopes; this shows that mutants are not merely too hard to prove.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.encoding.encode import Precision
from stacklaw.checker.symbolic.encoding.system import complete, first_failure
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.prove import Proof, precisions, prove
from stacklaw.checker.symbolic.safety.horn import search
from stacklaw.checker.symbolic.solver.terms import metered
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue_for, property_named

from ..explicit.test_options import settings_of
from ..luck import tries
from ..rulesets import encode
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .judge import REFUTED
from .mutations import Mutant, mutations
from .rich import WATCHED, of_what_is_possible, rich_programs

PHASES = (Phase.reuse, Phase.generate)
"""What is found is not made smaller: it would take minutes."""
LITTLE = 300_000
"""Units enough for most proofs about the games."""
RECHECK = 20_000_000
POSITIONS = 1_000
MOST_LOOKED_AT = 8
"""On average, one of this many mutants is refuted where its original is not."""
MOST_ASKED = 2
"""At most this many questions are tried of one ruleset."""


def is_proved(program: ir.Program, question: f.Property, precision: Precision) -> bool:
    """Whether *question* is proved with one encoding and a small budget."""
    try:
        system = encode(program, question, precision)
    except UnsupportedError:
        return False
    found = search(system, metered(LITTLE))
    return (
        found.invariant is not None
        and first_failure(system, complete(system, found.invariant), RECHECK) is None
    )


def refuted(
    program: ir.Program,
    asked: list[f.Property],
    players: int,
    size: int,
    engine: Engine | None = None,
) -> list[f.Property]:
    """Return what of *asked* a search of a small scope refutes, first what takes the longest
    play.
    """
    scope = make_scope(program, players, {zone.name: size for zone in program.zones})
    verdicts = check(
        program, asked, scope, Budget(positions=POSITIONS), engine=engine or Reference()
    )
    found = [
        verdict for verdict in verdicts if verdict.outcome in REFUTED and verdict.trace is not None
    ]
    return [
        verdict.property
        for verdict in sorted(found, key=lambda one: -len(one.trace.steps) if one.trace else 0)
    ]


def is_proved_somehow(
    data: st.DataObject, program: ir.Program, question: f.Property, whole: int
) -> bool:
    """Whether *question* is proved with one encoding, or once in *whole* times with all that there
    is.
    """
    if data.draw(st.integers(1, whole)) == whole:
        return isinstance(prove(program, question, LITTLE // 5), Proof)
    return is_proved(program, question, data.draw(st.sampled_from(precisions(program, question))))


def asked_of(program: ir.Program) -> list[f.Property]:
    """Return what of the catalogue can be proved."""
    named = [property_named(program, entry.name) for entry in catalogue_for(program)]
    return [
        question
        for question in named
        if question.mode != "progress" and not any(s.kind == "clause" for s in question.spotlights)
    ]


# ------------------------------------------------------------------ the games, mutated


@cache
def games(game: str) -> list[dict[str, str]]:
    """Return what is chosen of the options of *game*: mostly nothing, now and then one, or two that
    interact.
    """
    others = list(settings_of(game))
    return [*[{}] * 3 * len(others), *others]


@cache
def mutated(game: str, *chosen: tuple[str, str]) -> tuple[list[Mutant], list[str]]:
    """Return the mutants of *game* with these options, and the names of what is refuted of the
    original.
    """
    program = load_game(game, dict(chosen))
    return mutations(program), [
        question.name for question in refuted(program, asked_of(program), program.players[0], 1)
    ]


def check_mutant(data: st.DataObject, game: str) -> str:
    """Check a mutant of *game*, one of which more is refuted than of the game, if one is soon
    found; return what came of it.
    """
    changed, known = mutated(game, *data.draw(st.sampled_from(games(game))).items())
    program, found = changed[0].program, list[f.Property]()
    for _ in range(MOST_LOOKED_AT):
        mutant = data.draw(st.sampled_from(changed))
        players = (
            data.draw(st.sampled_from([2, 2, 3]))
            if program.players[0] != program.players[1]
            else program.players[0]
        )
        if not mutant.is_wellformed:
            continue
        try:
            program, found = (
                mutant.program,
                refuted(
                    mutant.program,
                    asked_of(mutant.program),
                    players,
                    data.draw(st.sampled_from([1, 1, 2])),
                ),
            )
        except (IndexError, RuntimeError):
            continue  # an item is asked for where there is none: such a ruleset is not read at all
        new = [question for question in found if question.name not in known]
        if new:
            for question in new[:MOST_ASKED]:
                assert not is_proved_somehow(data, program, question, 6), (
                    f"{program.name}, {mutant.change}: {question.name}"
                )
            return "refuted"
    other = data.draw(
        st.sampled_from(
            [
                question
                for question in asked_of(program)
                if question.name not in {one.name for one in found}
            ]
        )
    )
    if not is_proved_somehow(data, program, other, 6):
        return "neither"
    least, most = program.players
    assert not refuted(program, [other], least, 2, Explicit(Interpreter)), (
        f"{program.name}: {other.name}"
    )
    assert most == least or not refuted(program, [other], least + 1, 1), (
        f"{program.name}: {other.name}"
    )
    return "proved"


def check_mutants(game: str, number: int) -> Counter[str]:
    """Check *number* mutants of *game*."""
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


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "number"), [("zx", 6), ("stack", 6), ("mtg", 1), ("fftcg", 1), ("fow", 1)]
)
def test_many_mutants(game: str, number: int) -> None:
    """Of one mutant in three at least, something is tried that a search refutes: for others a proof
    could not be wrong.
    """
    outcomes = check_mutants(game, number)
    assert outcomes.total() >= number
    assert number < 6 or outcomes["refuted"] >= number // 3, outcomes


# ------------------------------------------------------------------ random ones


def check_random(data: st.DataObject, *, rich: bool = False) -> str:
    """Check what a search refutes of a random ruleset; return whether there is anything."""
    program = data.draw(rich_programs() if rich else programs())
    spotlights = data.draw(
        st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1], WATCHED, SPOTLIGHTS])
    )
    said = [
        *(formulas(spotlights) for _ in range(8 if rich else 4)),
        of_what_is_possible(spotlights),
    ]
    asked = [
        f.Property(
            f"random {number}", "", "", "always", spotlights, f.Not(data.draw(one)), None, ""
        )
        for number, one in enumerate(said)
    ]
    found = refuted(program, asked, *data.draw(st.sampled_from([(2, 2), (2, 1), (3, 1), (4, 1)])))
    for question in found[:MOST_ASKED]:
        assert not is_proved_somehow(data, program, question, 40 if rich else 12), question.body
    others = [question for question in asked if question not in found]
    if (
        others
        and (not found or data.draw(st.integers(0, 19)) == 0)
        and is_proved_somehow(data, program, others[0], 6)
    ):
        for players, size in ((2, 2), (3, 1)):
            assert not refuted(program, [others[0]], players, size), others[0].body
    return "refuted" if found else "not refuted"


def check_many(number: int, *, rich: bool = False) -> None:
    """Check *number* random rulesets; of eight in ten something is refuted."""
    outcomes: Counter[str] = Counter()

    @given(st.data())
    @tries(number, phases=PHASES)
    def check_one(data: st.DataObject) -> None:
        outcomes[check_random(data, rich=rich)] += 1

    check_one()
    assert outcomes["refuted"] >= number * 8 // 10, outcomes


def test_a_few_random_programs() -> None:
    check_many(5)


@pytest.mark.rare
@pytest.mark.slow
@pytest.mark.parametrize(("number", "rich"), [(40, False), (6, True)])
def test_many_random_programs(number: int, rich: bool) -> None:
    check_many(number, rich=rich)
