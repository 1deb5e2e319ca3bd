"""The smallest scope at which something fails: fewest players first, then the smallest zones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import pytest

from stacklaw.checker import smallest as refuter
from stacklaw.checker.prover.workers import COMMAND
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.replay.replay import EncodedTrace, ReplayError, decode_trace, used
from stacklaw.checker.run.check import check
from stacklaw.checker.smallest import FOUND, LITTLE, Refuter, refute
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.engine import Decision
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..rulesets import MARKS, SPELLS, TABLE, asked


def found(formula: str, players: int = 2, stack: int = 2) -> Verdict | None:
    program, question = asked(MARKS, formula)
    return refute(program, question, make_scope(program, players, {"stack": stack}))


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        (
            "always stack is empty",
            "it fails with 2 players, with 1 item on stack, in 1 move, and with 3 players, too",
        ),
        (
            "always size of stack < 3",
            "it fails with 2 players, with 3 items on stack, in 3 moves, and with 3 players, too",
        ),
        (
            "always marked is nobody",
            "it fails with 3 players, in 1 move, and with 4 players, too; not with 2 players, "
            "stack 3",
        ),
        (
            "possible marked is not nobody",
            "it is possible with 3 players, in 1 move, and with 4 players, too; not with 2 "
            "players, stack 3",
        ),
        (
            "never number of players is 3",
            "it fails with 3 players, in 0 moves; not with 2 players, stack 3",
        ),
        (
            "always number of players < 4",
            "it fails with 4 players, in 0 moves, and with 5 players, too; not with 2 players, "
            "stack 3 or with 3 players, stack 3",
        ),
        (
            "always number of players > 3",
            "it fails with 2 players, in 0 moves, and with 3 players, too",
        ),
    ],
)
def test_where_it_fails_first(formula: str, sentence: str) -> None:
    for players, stack in ((2, 2), (4, 3)):
        refutation = found(formula, players, stack)
        assert refutation is not None
        assert refutation.smallest is not None
        assert refutation.smallest.sentence.replace("stack 4", "stack 3") == sentence


def test_what_holds_is_not_refuted() -> None:
    assert found("always size of stack < 20") is None
    assert found("possible size of stack > 20") is None


class Unsure:
    """The reference, which is not sure of two players."""

    name = "unsure"
    slices = True

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def decide(
        self, program: ir.Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        for decision, counts in Reference().decide(program, properties, scope, meter):
            yield (
                (
                    decision
                    if scope.players > 2
                    else Decision(self.outcome, decision.question, bound=1)
                ),
                counts,
            )


@pytest.mark.parametrize("outcome", [Outcome.BOUNDED, Outcome.UNKNOWN])
def test_a_search_that_was_not_finished_is_not_told_of(outcome: Outcome) -> None:
    program, question = asked(MARKS, "always marked is nobody")
    refutation = refute(program, question, make_scope(program), engine=Unsure(outcome))
    assert refutation is not None
    assert refutation.smallest is not None
    assert (refutation.scope.players, refutation.smallest.without) == (3, ())


# ------------------------------------------------------------------ what the smallest zones hide

LARGER_WITHIN = f"""\
game "Larger within"
{TABLE}{SPELLS}
state
  done : flag

stage decide(holder: player)
  priority holder

  may 1 "put and take"
    put spell on stack
    put spell on stack
    if stack is not empty
      remove top of stack
    if stack is not empty
      resolve top of stack
    done := yes
    go decide(holder)
"""
"""A move has two items on the stack that is empty before and after it."""
HIDDEN = f"""\
game "Hidden"
{TABLE}{SPELLS}
stage decide(holder: player)
  priority holder

  may 1 "put two, which nobody may"
    put spell on stack
    put spell on stack
    require no
    go decide(holder)

  may 2 "put one"
    when stack is empty
    put spell on stack
    go decide(holder)
"""
"""With an item on the stack there is no move; a search with room for fewer than three cuts one."""


def test_a_zone_that_is_larger_in_the_middle_of_a_move() -> None:
    program, question = asked(LARGER_WITHIN, "never done")
    refutation = refute(program, question, make_scope(program))
    assert refutation is not None
    assert refutation.smallest is not None
    assert (
        refutation.smallest.sentence
        == "it fails with 2 players, with 2 items on stack, in 1 move, and with 3 players, too"
    )
    assert refutation.scope == Scope(2, (("stack", 2),))
    scope, trace = decode_trace(program, question, EncodedTrace(2, (("stack", 4),), (0,)))
    assert (scope, used(program, trace)) == (refutation.scope, (("stack", 2),))


def test_a_gap_that_a_small_scope_hides() -> None:
    program, question = asked(HIDDEN, "never no clause applies")
    refutation = refute(program, question, make_scope(program, None, {"stack": 3}))
    assert refutation is not None
    assert refutation.smallest is not None
    assert refutation.trace is not None
    assert [step.move.clause for step in refutation.trace.steps] == ["2"]
    assert refutation.smallest.sizes == (("stack", 1),)
    assert refutation.smallest.sentence.startswith("it fails with 2 players, with 1 item on stack")
    scope, _ = decode_trace(program, question, EncodedTrace(2, (("stack", 4),), (0,)))
    assert check(program, [question], scope)[0].outcome is Outcome.VIOLATED


@pytest.mark.parametrize(
    ("rules", "formula"), [(LARGER_WITHIN, "never done"), (HIDDEN, "never no clause applies")]
)
def test_the_refuter_tells_them(rules: str, formula: str) -> None:
    program, question = asked(rules, formula)
    verdicts = check(program, [question], make_scope(program, None, {"stack": 3}))
    (verdict,) = Refuter().annotate(program, verdicts, Meter())
    assert (verdict.outcome, verdict.least) == (Outcome.VIOLATED, 1)
    assert verdict.smallest is not None
    assert verdict.smallest.moves == 1


# ------------------------------------------------------------------ the refuter


def told(formula: str, command: Sequence[str] = COMMAND, *, interrupted: bool = False) -> Verdict:
    """Return what the refuter makes of the verdict for two players and two items."""
    program, question = asked(MARKS, formula)
    verdicts = check(program, [question], make_scope(program))
    (verdict,) = Refuter(command=command).annotate(
        program, verdicts, Meter(interrupted=interrupted)
    )
    return verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "outcome", "least", "players", "items"),
    [
        ("always stack is empty", Outcome.VIOLATED, 1, 2, 1),
        ("always size of stack < 6", Outcome.VIOLATED, 6, 2, 6),
        ("always marked is nobody", Outcome.VIOLATED, 1, 3, 0),
        ("always number of players < 7", Outcome.VIOLATED, 0, 7, 0),
        ("possible number of players > 6", Outcome.POSSIBLE, 0, 7, 0),
    ],
)
def test_what_fails_beyond_the_scope_is_violated_there(
    formula: str, outcome: Outcome, least: int, players: int, items: int
) -> None:
    verdict = told(formula)
    assert (verdict.outcome, verdict.least) == (outcome, least)
    assert verdict.smallest is not None
    assert verdict.smallest.scope.players == players
    assert verdict.smallest.sizes == (("stack", items),)
    assert verdict.trace is not None
    assert verdict.trace.positions[0].stage == "decide"
    assert len(verdict.trace.steps) == verdict.smallest.moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "least"), [("always size of stack >= 0", 12), ("always size of stack < 40", 12)]
)
def test_what_nobody_finds_stays_as_it_is(formula: str, least: int) -> None:
    verdict = told(formula)
    assert (verdict.outcome, verdict.smallest, verdict.least, verdict.notes) == (
        Outcome.HOLDS,
        None,
        least,
        (),
    )


PASSES = "someone passes"
for _ in range(6):
    PASSES = f"(someone passes and previously once {PASSES})"


PLAYED = Scope(2, (("stack", 5),))
"""That of the shorter play."""


@pytest.mark.slow
@pytest.mark.parametrize("by", ["explicit", "symbolic"])
def test_a_shorter_play_in_larger_zones_is_the_one_that_is_told(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "symbolic":  # as where a search of the scope of the play is not finished
        few = Budget(positions=3)
        monkeypatch.setattr(
            refuter,
            "search",
            lambda program, question, scope, engine: check(
                program, [question], scope, few if scope == PLAYED else LITTLE, engine=engine
            )[0],
        )
    verdict = told(f"never (size of stack > 4 or once {PASSES})")
    assert (verdict.outcome, verdict.engine, verdict.least) == (Outcome.VIOLATED, by, 5)
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == 5
    assert verdict.scope == PLAYED
    assert verdict.smallest is not None
    assert (verdict.smallest.moves, verdict.smallest.sizes) == (7, (("stack", 0),))
    assert verdict.notes == (
        "what is told of asked is of 2 players, stack 5; with 2 players, stack 2 it was VIOLATED",
    )


@pytest.mark.parametrize(
    ("numbers", "why"),
    [((0, 9), "move 2 is number 9 of"), ((0,), "the formula is true at moment 1")],
)
def test_a_worker_that_tells_no_play_is_not_believed(numbers: tuple[int, ...], why: str) -> None:
    program, question = asked(MARKS, "always size of stack < 2")
    play = EncodedTrace(2, (("stack", 4),), numbers)
    with pytest.raises(ReplayError, match=why):
        decode_trace(program, question, play)


def test_a_worker_that_dies_takes_nothing_along() -> None:
    verdict = told("always stack is empty", (sys.executable, "-c", "raise SystemExit(3)"))
    assert verdict.smallest is not None
    assert verdict.least == 0
    assert verdict.notes == (
        "it is not known how many moves asked takes at any size, for the process that asked ended "
        "with 3",
    )


def test_an_interrupted_run_is_not_looked_into() -> None:
    assert told("always stack is empty", interrupted=True).smallest is None


EVERY = {"stack": 2, "fow": 2}
"""For one in this many of the failing claims the smallest scope is looked for;
`symbolic/test_bounded.py` asks for moves.
"""


@pytest.mark.parametrize(
    "game",
    [name if name == "zx" else pytest.param(name, marks=pytest.mark.slow) for name in game_names()],
)
def test_the_claims_that_fail_and_no_smaller_scope_does(game: str) -> None:
    program = load_game(game)
    wide = make_scope(program)
    failing = [
        claim.property
        for claim in claims_of(program)
        if claim.claim.expect == "fails" and claim.property.mode == "always"
    ]
    failing = [
        question
        for question in failing
        if not any(spotlight.kind == "clause" for spotlight in question.spotlights)
    ]
    failing = failing[:: EVERY.get(game, 1)]
    for question, expected in zip(failing, check(program, failing, wide), strict=True):
        here = refute(program, question, wide)
        assert here is not None, question.name
        assert expected.trace is not None
        assert here.scope.players == program.players[0]
        assert here.trace is not None
        assert len(here.trace.steps) >= len(expected.trace.steps)  # a smaller scope has fewer plays
        assert all(size <= dict(here.scope.sizes)[zone] for zone, size in used(program, here.trace))
        for smaller in _smaller(here.scope):
            assert check(program, [question], smaller)[0].outcome not in FOUND, (
                question.name,
                str(smaller),
            )


def _smaller(scope: Scope) -> list[Scope]:
    """Return the scopes with one item less on one zone."""
    return [
        Scope(
            scope.players,
            tuple((zone, size - (zone == less)) for zone, size in scope.sizes),
            frozenset({less}),
        )
        for less, most in scope.sizes
        if most > 1
    ]
