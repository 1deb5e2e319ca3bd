"""Moves that the scope cuts: what they would come to decides what is possible, in every engine and
at every size of the scope alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.bmc.bounded import least_moves
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.budget import Tuning
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models import ir
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..rulesets import asked

HEAD = """\
game "A test"
players 2 or more
scope players 2, stack 2
start decide(active)
items
  bolt "bolt"
zones
  stack last in first out
  pool in any order
state
  ready : flag
  count : 0 to 2
"""
DECIDE = "stage decide(holder: player)\n  priority holder\n"
FIRST = (
    '  may 1 "the first"\n    when stack is empty\n    put bolt on stack\n    go decide(holder)\n'
)
HOLDS, VIOLATED = Outcome.HOLDS, Outcome.VIOLATED


def may(id_: str, *lines: str, mode: str = "may") -> str:
    """Return a clause that does what *lines* say, and goes on."""
    return "".join(
        [
            f'  {mode} {id_} "clause {id_}"\n',
            *(f"    {line}\n" for line in lines),
            "    go decide(active)\n",
        ]
    )


def must(id_: str, *lines: str) -> str:
    """Return one that the active player is made to use."""
    return may(id_, "by active", *lines, mode="must")


def engines() -> Iterator[Engine]:
    """Yield every engine that searches, in each of its ways."""
    yield Reference()
    for slicing, symmetry in ((True, True), (False, False)):
        yield Explicit(Interpreter, tuning=Tuning(slicing=slicing, symmetry=symmetry))


def verdicts(program: ir.Program, question: f.Property, size: int) -> Iterator[Verdict]:
    """Yield what every engine says in a scope with zones of that *size*; it is replayed."""
    scope = make_scope(program, None, {zone.name: size for zone in program.zones})
    for engine in engines():
        yield from check(program, [question], scope, engine=engine)


def check_outcome(
    stages: str, formula: str, outcome: Outcome, sizes: tuple[int, ...] = (1, 2, 3)
) -> None:
    """Check that the verdict on *formula* is *outcome* in scopes of all *sizes*."""
    program, question = asked(HEAD + DECIDE + stages, *formula.splitlines())
    for size in sizes:
        for number, verdict in enumerate(verdicts(program, question, size)):
            assert verdict.outcome == outcome, (size, number)


# ------------------------------------------------------------------ what is possible

TWO = FIRST + may(
    "3",
    "when stack is not empty",
    "put bolt on stack",
    "put bolt on stack",
    "require size of stack < 2",
)
"""No player may act while there is something on the stack: clause 3 can never be completed."""
NOBODY = "always (stack is not empty implies not someone may act)"


def test_a_later_requirement_forbids_a_move_that_is_cut() -> None:
    check_outcome(TWO, NOBODY, HOLDS)
    check_outcome(
        TWO, "for every player p: always (stack is not empty implies not p may act)", HOLDS
    )
    check_outcome(TWO, "never clause 3 is possible", HOLDS)
    check_outcome(TWO, "always (stack is not empty implies not no clause applies)", VIOLATED)


def test_at_every_size_as_well() -> None:
    program, question = asked(HEAD + DECIDE + TWO, NOBODY)
    assert isinstance(prove(program, question), Proof)


def test_a_requirement_that_is_met_beyond_the_scope_allows_it() -> None:
    stages = FIRST + may(
        "3",
        "when stack is not empty",
        "put bolt on stack",
        "put bolt on stack",
        "require size of stack > 2",
    )
    check_outcome(stages, NOBODY, VIOLATED)
    check_outcome(stages, "always (stack is not empty implies not no clause applies)", HOLDS)


def test_whoever_may_pass_may_pass() -> None:
    """A pass is a pass at any place in the move."""
    for lines in (("put bolt on stack", "pass"), ("pass", "put bolt on stack")):
        check_outcome(
            may("1", *lines), "always (someone has priority implies someone may pass)", HOLDS
        )
        check_outcome(may("1", *lines), "never someone may act", HOLDS)
        program, question = asked(
            HEAD + DECIDE + may("1", *lines),
            "always (someone has priority implies someone may pass)",
        )
        assert isinstance(prove(program, question), Proof)


def test_a_cut_move_may_be_a_pass_in_some_ways_only() -> None:
    stages = may("1", "put bolt on stack", 'either "one"', "  pass", 'or "two"', "  ready := no")
    check_outcome(stages, "always (someone may pass and someone may act)", HOLDS)
    stages = may("1", "put bolt on stack", 'either "one"', "  pass", 'or "two"', "  require ready")
    check_outcome(stages, "never someone may act", HOLDS)


STUCK = FIRST + must(
    "2", "when stack is not empty", "put bolt on stack", "require size of stack < 2"
)
"""Where there is something on the stack the rules say nothing more."""


def test_a_gap_is_found_in_the_smallest_scope() -> None:
    program, _ = asked(HEAD + DECIDE + STUCK, NOBODY)
    for size in (1, 2, 3):
        for verdict in verdicts(program, property_named(program, "complete"), size):
            assert verdict.outcome == VIOLATED, size
            assert verdict.trace is not None
            assert [step.move.clause for step in verdict.trace.steps] == ["1"]


def test_the_symbolic_engine_knows_the_same_play() -> None:
    program, _ = asked(HEAD + DECIDE + STUCK, NOBODY)
    assert least_moves(program, property_named(program, "complete"), 3, lambda *_: None).moves == 1


# ------------------------------------------------------------------ on the way, choices, numbers


def test_what_overflows_only_on_the_way_is_cut_and_possible() -> None:
    stages = may(
        "1",
        "put bolt on stack",
        "put bolt on stack",
        "remove top of stack",
        "if stack is not empty",
        "  remove top of stack",
    )
    program, question = asked(HEAD + DECIDE + stages, "always someone may act")
    for verdict in verdicts(program, question, 1):
        assert (
            verdict.outcome,
            verdict.counts.positions,
            verdict.counts.moves,
            verdict.counts.cut,
        ) == (HOLDS, 1, 0, 1)


def test_a_cut_move_counts_once_however_many_ways_it_has() -> None:
    """The counts are those of before: a move is cut before the choices that would follow."""
    stages = must("1", "put bolt on stack", "choose x in 0 to 2", "count := x")
    program, question = asked(HEAD + DECIDE + stages, "always clause 1 is possible")
    (verdict,) = check(
        program, [question], make_scope(program, 2, {"stack": 1, "pool": 1}), engine=Reference()
    )
    assert (verdict.outcome, verdict.counts.moves, verdict.counts.cut) == (HOLDS, 3, 3)


def test_a_choice_of_what_there_is_no_room_for() -> None:
    stages = may(
        "1",
        "put bolt on pool",
        "put bolt on pool",
        "choose x in pool",
        "remove x",
        "require size of pool is 1",
    )
    check_outcome(stages, "always (pool is empty implies someone may act)", HOLDS)
    check_outcome(stages, "always (size of pool is 1 implies not someone may act)", HOLDS, (2, 3))
    check_outcome(
        FIRST
        + may(
            "2",
            "when stack is not empty",
            "put bolt on pool",
            "choose x in stack",
            "remove x",
            "require ready",
        ),
        "never clause 2 is possible",
        HOLDS,
    )


def test_a_number_that_leaves_its_range_beyond_the_scope() -> None:
    """What only such a number can see has to be kept: the stack can have more items than its size
    in the scope.
    """
    stages = may("1", "put bolt on stack", "count := size of stack")
    check_outcome(stages, "always (someone may act implies size of stack < 2)", HOLDS, (1, 2, 3))
    check_outcome(
        stages, "always (size of stack is 1 implies not no clause applies)", HOLDS, (1, 2, 3)
    )
    check_outcome(stages, "never no clause applies", VIOLATED, (2, 3))


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ("sequence battle\n  attack\n  block\n", ("put bolt on stack", "advance battle")),
        (
            "attributes\n  level : 0 to 1\n",
            ("put bolt on pool", "put bolt with level (count + 2) on stack"),
        ),
        ("", ("put bolt on stack", "hand of holder -= 1")),
        ("", ("put bolt on stack", "count := count + 3")),
    ],
)
def test_what_cannot_be_done_after_it_was_cut(more: str, lines: tuple[str, ...]) -> None:
    rules = (
        HEAD
        + "  hand : 0 to 1 for each player = 0\n"
        + more
        + DECIDE
        + FIRST
        + may("2", "when stack is not empty", *lines)
    )
    program, question = asked(rules, "never clause 2 is possible")
    assert all(
        verdict.outcome == HOLDS for size in (1, 2) for verdict in verdicts(program, question, size)
    )


def test_an_argument_that_leaves_its_range_beyond_the_scope() -> None:
    stages = FIRST + may("2", "when stack is not empty", "put bolt on stack").replace(
        "    go decide(active)\n", "    go over(size of stack)\n"
    )
    stages += 'stage over(many: 0 to 1)\n  must 9 "over"\n    game over\n'
    check_outcome(stages, "never clause 2 is possible", HOLDS)


def test_slices_keep_what_a_requirement_after_a_put_reads() -> None:
    stages = may("1", "put bolt on stack", "require ready") + may("2", "ready := yes")
    check_outcome(stages, "always (clause 1 is possible implies ready)", HOLDS)
    check_outcome(stages, "always (ready implies clause 1 is possible)", HOLDS)


# ------------------------------------------------------------------ conflicts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (("put bolt on stack",), ("put bolt on stack",), HOLDS),
        (("put bolt on stack",), ("put bolt on stack", "ready := yes"), VIOLATED),
        (
            ("put bolt on stack", "put bolt on stack", "remove top of stack"),
            ("put bolt on stack",),
            HOLDS,
        ),
        (
            ("put bolt on stack",),
            ("ready := yes", "put bolt on stack", "require size of stack < 1"),
            HOLDS,
        ),
        (("put bolt on stack",), ("put bolt on pool",), VIOLATED),
    ],
)
def test_conflicts_are_of_outcomes_as_they_are(
    first: tuple[str, ...], second: tuple[str, ...], outcome: Outcome
) -> None:
    stages = must("1", *first) + must("2", *second)
    check_outcome(stages, "never clauses conflict", outcome)
    check_outcome(
        FIRST
        + must("2", "when stack is not empty", *first)
        + must("3", "when stack is not empty", *second),
        "always (stack is not empty implies not clauses conflict)",
        outcome,
    )


# ------------------------------------------------------------------ what must eventually happen


def test_a_play_of_which_every_move_fails_has_ended() -> None:
    program, question = asked(HEAD + DECIDE + STUCK, "eventually game is over")
    for size in (1, 2):
        for verdict in verdicts(program, question, size):
            assert verdict.outcome == VIOLATED, size
            assert verdict.trace is not None
            assert (verdict.trace.loop, len(verdict.trace.steps)) == (None, 1)


def test_a_play_that_only_the_scope_stops_has_not() -> None:
    goes_on = FIRST + must(
        "2", "when stack is not empty", "put bolt on stack", "require size of stack > 1"
    )
    program, question = asked(
        HEAD + DECIDE + goes_on, "eventually (size of stack > 3 or game is over)"
    )
    assert all(
        verdict.outcome != VIOLATED
        for size in (1, 2)
        for verdict in verdicts(program, question, size)
    )


# ------------------------------------------------------------------ compiled


@pytest.mark.parametrize(
    ("stages", "formula", "outcome"),
    [
        (TWO, NOBODY, HOLDS),
        (TWO, "always (stack is not empty implies not no clause applies)", VIOLATED),
        (STUCK, "eventually game is over", VIOLATED),
        (STUCK, "never clauses conflict", HOLDS),
        (
            must("1", "put bolt on stack") + must("2", "put bolt on pool"),
            "always (stack is not empty implies not clauses conflict)",
            VIOLATED,
        ),
    ],
)
def test_compiled_code_says_the_same(stages: str, formula: str, outcome: Outcome) -> None:
    pytest.importorskip("llvmlite")
    program, question = asked(HEAD + DECIDE + stages, formula)
    (verdict,) = check(
        program,
        [question],
        make_scope(program, 2, {"stack": 1, "pool": 1}),
        engine=Explicit(Interpreter, 0),
    )
    assert verdict.outcome == outcome


def test_where_there_is_no_room_to_look_beyond_the_scope_nobody_knows() -> None:
    program, question = asked(
        HEAD + DECIDE + FIRST + may("3", "put bolt on stack", "require ready"),
        "never clause 3 is possible",
    )
    whole = Explicit(Interpreter, tuning=Tuning(slicing=False))
    (verdict,) = check(
        program, [question], make_scope(program, 2, {"stack": 63, "pool": 1}), engine=whole
    )
    assert verdict.outcome == Outcome.UNKNOWN
    assert (
        verdict.reason
        == "with room for what the rules allow beyond the scope, stack takes 64 bits; a word has 63"
    )
