"""What a proof is said not to rest on can be written otherwise: each part of each clause that is
not named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.symbolic.encoding.encode import Encoding, encoding
from stacklaw.checker.symbolic.encoding.system import RECHECK, System, complete, first_failure
from stacklaw.checker.symbolic.explain.dependencies import rests_on
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.symbolic.safety.horn import inductive_core
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .edits import edits
from .judge import REFUTED, Judge
from .test_plays import question

UNITS = 5_000_000
HEAD = (
    'game "A test"\nplayers 2 or more\nscope players 2, stack 2, pool 2\nstart s\nitems\n  spell '
    '"spell"\n  trick "trick"\n'
)
HEAD += (
    "attributes\n  locked : flag\n  level : 0 to 2 = 1\nzones\n  stack last in first out\n  pool "
    "in any order\n"
)
OTHERS = (
    '  may 8 "another"\n    by any p where p is active\n    put spell by active with locked yes '
    "on stack\n    go s\n"
)
OTHERS += '  must 9 "resolve"\n    when stack is not empty\n    resolve top of stack\n    go s\n'
RESTS = [
    # What is asked, which clause it rests on, and what that clause is.
    (
        "for every player p: never (p uses 1 and p is not active)",
        'may 1 "act"\n    by active\n    put spell on stack\n    go s',
    ),
    (
        "for every player p: never (p uses 1 and p is not active)",
        'must 1 "act"\n    by active\n    put spell on stack\n    go s',
    ),
    (
        "for every player p: never (p uses 1)",
        'must 1 "act"\n    put spell by active on stack\n    go s',
    ),
    (
        "for every player p: never (p passes and p is not active)",
        'may 1 "pass"\n    by active\n    pass\n    go s',
    ),
    (
        "for every item i: always (i on stack implies locked of i)",
        'may 1 "put"\n    by active\n    put spell with locked yes on stack\n    go s',
    ),
    (
        "for every item i: never (i on stack and level of i is 2)",
        'may 1 "put"\n    by active\n    put spell with locked yes on stack\n    go s',
    ),
    (
        "for every item i: never (i on stack and i is trick)",
        'may 1 "put"\n    by active\n    put spell with locked yes on stack\n    go s',
    ),
    (
        "for every item i: never (i on stack and controller of i is not active)",
        'must 1 "put"\n    put spell by active with locked yes on stack\n    go s',
    ),
    (
        "for every item i: never (i on stack and controller of i is not active)",
        'must 1 "put"\n    let who be active\n    put spell by who with locked yes on stack\n    '
        "go s",
    ),
    (
        "never (clause 1 and battle is attack)",
        'must 1 "on"\n    begin battle\n    skip to block\n    go s',
    ),
    (
        "never marked is not nobody",
        'must 1 "mark"\n    let who be marked\n    marked := who\n    go s',
    ),
    (
        "for every player p: never hand of p is 1",
        'must 1 "draw"\n    hand of active := 0\n    go s',
    ),
    (
        "for every player p: never hand of p is 1",
        'must 1 "draw"\n    choose q in players\n    hand of q := hand of q\n    go s',
    ),
]
STATE = (
    "state\n  marked : player or nobody\n  hand : 0 to 1 for each player\nsequence battle\n  "
    "attack\n  block\n"
)


def proved(rules: str, formula: str) -> Proof:
    """Return the proof of *formula* for the game of *rules*."""
    program, wanted = asked(rules, formula)
    found = prove(program, wanted, UNITS)
    assert isinstance(found, Proof), found
    return found


@pytest.mark.parametrize(("formula", "clause"), RESTS)
def test_what_a_clause_demands_or_gives_is_needed(formula: str, clause: str) -> None:
    found = proved(f"{HEAD}{STATE}stage s\n  {clause}\n", formula)
    assert rests_on(found) == ("1",)


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "clause"), RESTS)
def test_what_is_not_named_may_be_written_otherwise(formula: str, clause: str) -> None:
    """The same games with two clauses more, searched with each edit."""
    found = proved(f"{HEAD}{STATE}stage s\n  {clause}\n{OTHERS}", formula)
    assert "1" in (rests_on(found) or ())
    for what, program in edits_of_others(found):
        judge = Judge(program, 2, 1)
        assert judge.outcome(found.question) not in REFUTED, what


def test_a_kind_that_no_clause_puts_on_a_zone_may_be_put_there() -> None:
    found = proved(
        f'{HEAD}stage s\n  must 1 "put"\n    put spell by active on pool\n    go s\n',
        "for every item i: never i is trick",
    )
    assert rests_on(found) == ("1",)


def test_nothing_is_said_where_a_lemma_asks_what_is_possible() -> None:
    rules = f'{HEAD}stage s\n  must 1 "put"\n    put spell by active on pool\n    go s\n'
    found = proved(rules, "never something on stack")
    assert rests_on(found) == ()
    able = replace(found.question, name="able", body=f.Once(f.ClausePossible("1")))
    assert rests_on(replace(found, question=replace(found.question, lemmas=(able,)))) is None


@pytest.mark.parametrize(
    ("game", "name"),
    [("mtg", "lifo"), pytest.param("stack", "own_window", marks=pytest.mark.slow)],
)
def test_what_the_games_do_not_rest_on_may_be_written_otherwise(game: str, name: str) -> None:
    program = load_game(game)
    found = prove(program, property_named(program, name), UNITS)
    assert isinstance(found, Proof)
    edited = list(edits_of_others(found))
    check_edits(found, edited[:: len(edited) // 40])


@pytest.mark.slow
@given(st.data())
@tries(2)
def test_what_random_proofs_do_not_rest_on_may_be_written_otherwise(data: st.DataObject) -> None:
    program = replace(
        data.draw(programs()), players=data.draw(st.sampled_from([(2, 2), (2, None)]))
    )
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1] + SPOTLIGHTS[2:]]))
    try:
        found = prove(
            program, question(f.Not(data.draw(formulas(spotlights))), spotlights), UNITS // 50
        )
    except UnsupportedError:
        found = None
    assume(isinstance(found, Proof))
    assert isinstance(found, Proof)
    edited = list(edits_of_others(found))
    assume(edited)
    some = data.draw(st.lists(st.sampled_from(edited), min_size=1, max_size=12, unique_by=id))
    check_edits(found, some)


def edits_of_others(found: Proof) -> Iterator[tuple[str, ir.Program]]:
    """Yield the game of *found* with each edit of each clause that the proof is said not to rest
    on.
    """
    named = rests_on(found)
    for _, clause in found.program.clauses if named is not None else ():
        if clause.id not in (named or ()):
            yield from (
                (f"{what} of {clause.id}", program)
                for what, program in edits(found.program, clause)
            )


def check_edits(found: Proof, edited: list[tuple[str, ir.Program]]) -> None:
    """Fail if the invariant of *found*, as far as it is needed, is no invariant of a program that
    is *edited*.
    """
    kept = inductive_core(found.system, found.invariant).conjuncts
    for what, program in edited:
        clause = what.rpartition(" of ")[2]
        try:
            system = with_rules_of(clause, encoding(program, found.question, found.precision))
        except UnsupportedError:
            continue
        invariant = complete(system, {stage: t.all_of(parts) for stage, parts in kept.items()})
        assert first_failure(system, invariant, RECHECK) is None, what


def with_rules_of(clause: str, encoded: Encoding) -> System:
    """Return the System of *encoded* with the rules of *clause* only."""
    rules = [
        rule
        for stage, one in encoded.program.clauses
        if one.id == clause
        for rule in encoded.rules_of(stage, one)
    ]
    cells = {stage.name: encoded.layout.constants(stage.name) for stage in encoded.program.stages}
    known = {stage: encoded.layout.always_true(stage) for stage in cells}
    return System(cells, known, tuple(rules), (), frozenset(), {})
