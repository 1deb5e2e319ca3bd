"""What nests words about the future, for every size: what is proved, what is not supported, and
that no search contradicts a proof.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import Query, all_queries, decide
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.certify import check
from stacklaw.checker.symbolic.certificate.recheck import recheck
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.liveness.progress import recurrence
from stacklaw.checker.symbolic.liveness.termination import Termination, prove_progress
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.prove import Unproved
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import always, eventually, finitely_often, otherwise

from ..checker.test_future import ATOMS, ENDS, GAME
from ..checker.test_loops import DECIDE, HEAD, small_games
from ..luck import tries
from ..rulesets import asked

COUNTED = """\
stage decide(holder: player)
  priority holder
  may idle "wait"
    go decide(after holder)
  may end "end the turn"
    when level is not 9
    level += 1
    advance
    go decide(active)
  may over "end the game"
    when level is 9
    game over
"""
CAST = (
    '  may cast "cast"\n    put spell on stack\n    go decide(after holder)\n  may pass "pass"\n  '
    "  pass\n    go decide(after holder)\n"
)


def proved(stages: str, *lines: str) -> Termination | Unproved:
    found = prove_progress(*asked(HEAD + stages, *lines))
    assert isinstance(found, Termination | Unproved)
    return found


@pytest.mark.parametrize(
    ("stages", "lines"),
    [
        (GAME, ["assuming finitely often someone acts", "again and again someone passes"]),
        (GAME, ["assuming players act only finitely often", "again and again someone passes"]),
        (
            GAME,
            [
                "assuming finitely often clause act",
                "always (someone has priority implies (eventually someone passes))",
            ],
        ),
        (GAME, ["assuming always not someone acts", "eventually someone passes"]),
        (
            GAME,
            [
                "assuming again and again someone passes",
                "assuming finitely often someone acts",
                "again and again someone passes",
            ],
        ),
        (
            DECIDE + CAST,
            ["assuming finitely often clause cast", "always (eventually someone passes)"],
        ),
        (COUNTED, ["assuming again and again turn ends", "eventually game is over"]),
        (
            COUNTED,
            [
                "assuming again and again turn ends",
                "always (someone has priority implies (eventually game is over))",
            ],
        ),
        (COUNTED, ["finitely often turn ends"]),
        (
            COUNTED,
            [
                "assuming again and again turn ends",
                "assuming again and again clause idle",
                "eventually game is over",
            ],
        ),
        (
            GAME,
            [
                "assuming (again and again clause pass is possible) implies (again and again "
                "clause pass)",
                "again and again someone passes",
            ],
        ),
        (
            COUNTED,
            [
                "assuming (again and again (level is not 9)) implies (again and again turn ends)",
                "eventually (level is 9 or game is over)",
            ],
        ),
        (
            COUNTED,
            [
                "assuming always (someone has priority implies (eventually turn ends))",
                "eventually game is over",
            ],
        ),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else "",
)
def test_what_is_proved(stages: str, lines: list[str]) -> None:
    found = proved(stages, *lines)
    assert isinstance(found, Termination), found


@pytest.mark.parametrize(
    ("stages", "lines"),
    [
        (GAME, ["again and again someone passes"]),
        (GAME, ["assuming again and again someone acts", "again and again someone passes"]),
        (COUNTED, ["eventually game is over"]),
        (COUNTED, ["assuming again and again clause idle", "eventually game is over"]),
        (COUNTED, ["finitely often clause idle"]),
        (
            COUNTED,
            [
                "assuming (again and again level is 9) implies (again and again turn ends)",
                "eventually game is over",
            ],
        ),
        (
            GAME,
            [
                "assuming (again and again clause pass is possible) implies (again and again "
                "clause act)",
                "again and again someone passes",
            ],
        ),
        (GAME + ENDS, ["assuming again and again turn ends", "again and again someone passes"]),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else "",
)
def test_what_is_false_is_not_proved(stages: str, lines: list[str]) -> None:
    assert isinstance(proved(stages, *lines), Unproved)


@pytest.mark.parametrize(
    "lines",
    [
        ["(again and again someone passes) and (again and again someone acts)"],
        [
            "assuming (again and again clause pass is possible) implies (always (eventually "
            "(someone acts and (eventually turn ends))))",
            "again and again someone passes",
        ],
        [
            "always (someone passes implies (eventually (someone acts and (eventually someone "
            "passes))))"
        ],
    ],
    ids="; ".join,
)
def test_what_is_not_supported_says_so(lines: list[str]) -> None:
    found = proved(GAME, *lines)
    assert isinstance(found, Unproved)
    assert found.reason == "proofs do not support this: what it says of the future"


@pytest.mark.parametrize(
    ("stages", "lines"),
    [
        (COUNTED, ["assuming again and again turn ends", "eventually game is over"]),
        (GAME, ["assuming finitely often someone acts", "again and again someone passes"]),
    ],
    ids=["patient", "stays"],
)
def test_a_certificate_is_one(stages: str, lines: list[str]) -> None:
    program, question = asked(HEAD + stages, *lines)
    found = prove_progress(program, question)
    assert isinstance(found, Termination)
    text = certificate(found)
    assert ("patient move" in text) == (stages is COUNTED)
    assert check(text, 60).is_valid
    assert isinstance(recheck(program, question, Stated(text)), Termination)


# ------------------------------------------------------------------ random ones

PARTS = len(ATOMS)


def one(chance: random.Random) -> f.Temporal:
    """Draw something of the kinds that are supported, be it assumed or broken."""
    first, second = (f.PartHolds(chance.randrange(PARTS)) for _ in range(2))
    return chance.choice(
        [
            always(otherwise(f.Together((first, otherwise(eventually(second)))))),
            eventually(first),
            always(first),
            f.Until(first, second),
            always(eventually(first)),
            finitely_often(first),
            first,
        ]
    )


def either(chance: random.Random) -> f.Temporal:
    """Draw what is so if one of several is: mostly that what may be so again and again is so again
    and again.
    """
    first, second = (always(eventually(f.PartHolds(chance.randrange(PARTS)))) for _ in range(2))
    fair = f.Together((first, otherwise(second)))
    return otherwise(
        chance.choice(
            [fair, fair, f.Together((fair, one(chance))), f.Together((one(chance), one(chance)))]
        )
    )


def question_of(chance: random.Random, *, eithers: bool = False) -> f.Property:
    drawn = [one, either] if eithers else [one]
    future, givens = (
        one(chance),
        tuple(f.Given(chance.choice(drawn)(chance)) for _ in range(chance.randrange(3))),
    )
    assuming: tuple[f.Assumption, ...] = chance.choice([(), (), ("players",), ("players", "cards")])
    return f.Property(
        "q",
        "",
        "",
        "future",
        (),
        f.And(ATOMS),
        None,
        "",
        assuming=assuming,
        future=future,
        given=givens,
    )


@given(small_games(), st.integers(0, 10**9))
@tries(15)
def test_what_breaks_it_is_what_was_asked(program: ir.Program, seed: int) -> None:
    """A play keeps the formula from coming true if and only if it stays so from some moment on, and
    what recurs does again and again.

    Of what is assumed to be one of several things less is asked, so only that much has to recur.
    """
    chance, interpreter = (
        random.Random(seed),
        Interpreter(program, make_scope(program, 2, {"stack": 1})),
    )
    eithers = chance.random() < 0.5
    questions, asked_, said = list[f.Property](), list[Query](), list[Query]()
    while len(questions) < 20:
        question = question_of(chance, eithers=eithers)
        assert question.future is not None
        try:
            read = recurrence(question)
        except UnsupportedError:
            assert eithers
            continue
        questions.append(question)
        whole = f.Together(
            (*(given.formula for given in question.given), f.Otherwise(question.future))
        )
        asked_.append(
            Query(
                question.body,
                (),
                told=False,
                for_ever=True,
                assuming=question.assuming,
                temporal=whole,
            )
        )
        often = (
            always(eventually(f.PartHolds(number))) for number in range(1, 1 + len(read.again))
        )
        stays = f.Together((eventually(always(f.PartHolds(0))), *often))
        body = f.And((read.question.body, *read.again))
        said.append(
            Query(body, (), told=False, for_ever=True, assuming=question.assuming, temporal=stays)
        )
    deciding = Deciding(program, interpreter.scope, [*asked_, *said], interpreter, Meter())
    for question, query, other in zip(questions, asked_, said, strict=True):
        breaks, recurs = deciding.look_for(query).found, deciding.look_for(other).found
        event(f"breaks: {breaks}, recurs: {recurs}")
        assert recurs if breaks else eithers or not recurs, question


@pytest.mark.slow
@given(small_games(), st.integers(0, 10**9))
@tries(25)
def test_no_search_contradicts_a_proof(program: ir.Program, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        question = question_of(chance, eithers=chance.random() < 0.5)
        found = prove_progress(program, question, 3_000_000)
        event("proved" if isinstance(found, Termination) else "not proved")
        if isinstance(found, Termination):
            for size in (1, 2):
                interpreter = Interpreter(program, make_scope(program, 2, {"stack": size}))
                deciding = Deciding(
                    program, interpreter.scope, all_queries(program, question), interpreter, Meter()
                )
                assert decide(program, question, deciding.look_for).outcome != Outcome.VIOLATED
