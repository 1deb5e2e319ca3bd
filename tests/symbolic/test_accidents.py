"""The accidents that other model checkers had with proofs, each as a ruleset of ours in which it
would happen.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import z3

from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic import prove as proving
from stacklaw.checker.symbolic.encoding.encode import Precision
from stacklaw.checker.symbolic.encoding.system import complete, first_failure
from stacklaw.checker.symbolic.prove import Proof, Unproved, prove
from stacklaw.checker.symbolic.safety.horn import search
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.symbolic.solver.terms import metered
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from .. import rulesets
from ..rulesets import encode
from .judge import REFUTED

DETAILED = Precision(seats=True, attributes=True, counts=True)
HEAD = (
    'game "A test"\nplayers {players}\nscope players 2, stack 2\nstart decide(active)\n'
    'items\n  spell  "spell"\n  trick  "trick"\nzones\n  stack  last in first out\nstate\n  '
    "marked : player or nobody = nobody\n"
)
DECIDE = "stage decide(holder: player)\n  priority holder\n"
PUT = '  may 1 "put"\n    put spell on stack\n    go decide(holder)\n'
PASS = '  may 2 "pass"\n    pass\n    go decide(after holder)\n'
STUCK = 'stage stuck\n  must 9 "never"\n    when stack is empty\n    game over\n'


def asked(stages: str, *formula: str, players: str = "2 or more") -> tuple[ir.Program, f.Property]:
    """Return a game with *stages*, and the property whose lines are *formula*."""
    return rulesets.asked(HEAD.format(players=players) + stages, *formula)


def answers(
    program: ir.Program, question: f.Property, players: int = 2, stack: int = 2
) -> tuple[bool, bool]:
    """Return whether a search of this scope refutes *question*, and whether it is proved for every
    size.
    """
    found = check(program, [question], make_scope(program, players, {"stack": stack}))[0].outcome
    return found in REFUTED, isinstance(prove(program, question), Proof)


# ------------------------------------------------------------------ plays that end


@pytest.mark.parametrize(
    ("stages", "formula"),
    [
        (
            DECIDE + '  may 1 "put"\n    put spell on stack\n    go stuck\n' + PASS + STUCK,
            "always stack is empty",
        ),
        (
            DECIDE + '  may 1 "put"\n    put spell on stack\n    game over\n' + PASS,
            "always stack is empty",
        ),
        (
            DECIDE + '  may 1 "put"\n    put spell on stack\n    game over\n' + PASS,
            "for every item i: never i is put on stack",
        ),
        (DECIDE + '  must 1 "end"\n    game over\n', "never game is over"),
        (
            DECIDE + '  may 1 "put"\n    when stack is not empty\n    put spell on stack\n    go '
            "decide(holder)\n",
            "always some clause can be used",
        ),
    ],
)
def test_transitions_that_are_not_total(stages: str, formula: str) -> None:
    """stanford-centaur/pono 457: what a play comes to where nothing goes on is broken all the
    same.
    """
    if "clause" in formula:  # there is no word for it but the catalogue's
        program, _ = asked(stages, "always stack is empty")
        question = property_named(program, "complete")
    else:
        program, question = asked(stages, formula)
    assert answers(program, question) == (True, False)


@pytest.mark.parametrize("formula", ["always stack is empty", "for every item i: never i on stack"])
def test_an_assumption_that_blocks_the_step_after_the_bad_state(formula: str) -> None:
    """pono 377: the bad position counts although every move from it is forbidden; a monitor that
    comes a step late does not see it.
    """
    blocked = '  may 1 "put"\n    put spell on stack\n    go after_it(holder)\n'
    after_it = (
        'stage after_it(next: player)\n  must 5 "go on"\n    require stack is empty\n    go '
        "decide(next)\n"
    )
    program, question = asked(DECIDE + blocked + PASS + after_it, formula)
    assert answers(program, question) == (True, False)
    program, late = asked(DECIDE + blocked + PASS + after_it, "never previously stack is not empty")
    assert answers(program, late) == (False, True)
    within = (
        '  may 1 "put"\n    put spell on stack\n    require stack is empty\n    go decide(holder)\n'
    )
    program, question = asked(DECIDE + within + PASS, formula)
    assert answers(program, question) == (False, True)


# ------------------------------------------------------------------ what a solver says


def test_an_invariant_that_is_no_invariant() -> None:
    """pono 225, Z3 6716: a wrong suggestion of Spacer's is found by the obligation that fails."""
    program = load_game("stack")
    system = encode(program, property_named(program, "response_window"), DETAILED)
    everything = dict.fromkeys(system.cells, t.TRUE)
    empty_stack = {**everything, "decide": z3.Int("size of stack") == 0}
    for wrong, duty in (
        (everything, "property"),
        (dict.fromkeys(everything, t.FALSE), "initial"),
        (empty_stack, "consecution"),
    ):
        failure = first_failure(system, complete(system, wrong), 10_000_000)
        assert failure is not None
        assert failure.obligation.duty == duty


def test_each_part_of_an_invariant_that_is_weakened_is_noticed() -> None:
    """The same, of an invariant that Spacer did find: some obligation fails for each stage that may
    be anything at all.
    """
    program = load_game("zx")
    proof = prove(program, property_named(program, "lifo"))
    assert isinstance(proof, Proof)
    needed = 0
    for stage in proof.system.cells:
        failure = first_failure(proof.system, {**proof.invariant, stage: t.TRUE}, 10_000_000)
        needed += failure is not None
        if failure is not None:
            assert failure.obligation.source == stage
    assert needed


def test_an_obligation_that_nobody_could_check_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z3 6716: unknown is no proof."""
    monkeypatch.setattr(proving, "RECHECK", 1)
    program = load_game("zx")
    answer = prove(program, property_named(program, "lifo"))
    assert isinstance(answer, Unproved)
    assert "does not meet its obligation" in answer.reason


@pytest.mark.parametrize("game", ["zx", "stack"])
def test_no_datatypes_are_asked_of_the_solver(game: str) -> None:
    """Z3 2641: Spacer is unsound with lists; the encoding has truth values and whole numbers
    only.
    """
    program = load_game(game)
    system = encode(program, property_named(program, "lifo"), DETAILED)
    sorts = {str(cell.sort()) for cells in system.cells.values() for cell in cells}
    sorts |= {str(one.sort()) for rule in system.rules for one in t.constants_of(rule.condition)}
    assert sorts <= {"Bool", "Int"}


def test_a_small_budget_is_told() -> None:
    program = load_game("zx")
    answer = prove(program, property_named(program, "lifo"), 2_000)
    assert isinstance(answer, Unproved)
    assert answer.reason


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "4242"])
def test_two_runs_give_the_same_invariant(seed: str) -> None:
    """Z3 7525, apalache 814: the answer of a process does not vary with its hashes."""
    code = """
from stacklaw.checker.symbolic.prove import prove
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named
program = load_game("stack")
proof = prove(program, property_named(program, "own_window"))
print({stage: one.sexpr() for stage, one in proof.invariant.items()})
"""
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hashes},
        ).stdout
        for hashes in ("0", seed)
    ]
    assert told[0] == told[1] != ""


@pytest.mark.parametrize(
    ("game", "name", "is_true"),
    [
        ("zx", "lifo", True),
        ("stack", "own_window", True),
        ("zx", "full_round", False),
        ("stack", "full_round", False),
    ],
)
def test_the_seed_does_not_change_the_answer(game: str, name: str, is_true: bool) -> None:
    """kind2 715: another seed may find another invariant, and none of what is false."""
    program = load_game(game)
    system = encode(program, property_named(program, name), DETAILED)
    for seed in range(3):
        found = search(system, metered(20_000_000), seed)
        assert (found.invariant is not None) == is_true
        assert (
            found.invariant is None
            or first_failure(system, complete(system, found.invariant), 20_000_000) is None
        )


# ---------------------------------------------------------- what is not there, and what is far away


def test_an_unsupported_construct_is_an_error() -> None:
    """Apalache 1691: what cannot be said is never taken for something else."""
    program = load_game("zx")
    answer = prove(program, property_named(program, "no_dead_clause"))
    assert isinstance(answer, Unproved)
    assert "do not support" in answer.reason


@pytest.mark.parametrize(
    "formula",
    [
        "never some i in stack where i is spell",
        "always every i in stack satisfies i is trick",
        "always number of players < 3",
    ],
)
def test_all_of_something_is_more_than_the_spotlit_ones(formula: str) -> None:
    """Apalache 1691: what is said of all items and players is not said of none."""
    program, question = asked(DECIDE + PUT + PASS, formula)
    assert answers(program, question, players=3) == (True, False)


@pytest.mark.parametrize(
    ("formula", "fails"),
    [
        ("always size of stack < 3", (2, 3)),
        ("always number of players is 2", (3, 1)),
        ("always marked is nobody", (3, 1)),
    ],
)
def test_the_end_of_a_scope_is_no_proof(formula: str, fails: tuple[int, int]) -> None:
    """fizzbee 169: what holds as far as anybody looked, for want of room or of a third player, is
    not proved.
    """
    mark = (
        '  may 6 "mark"\n    when after holder is not before holder\n    marked := holder\n    go '
        "decide(holder)\n"
    )
    program, question = asked(DECIDE + PUT + PASS + mark, formula)
    assert answers(program, question) == (False, False)
    assert answers(program, question, *fails) == (True, False)


def test_for_two_players_only_it_is_proved() -> None:
    mark = (
        '  may 6 "mark"\n    when after holder is not before holder\n    marked := holder\n    go '
        "decide(holder)\n"
    )
    program, question = asked(DECIDE + PUT + PASS + mark, "always marked is nobody", players="2")
    assert answers(program, question) == (False, True)
