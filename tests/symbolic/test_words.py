"""The invariant in the ruleset's own words, and what a proof rests on."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cache

import pytest
import z3

from stacklaw.checker.symbolic.encoding.encode import Precision, encoding
from stacklaw.checker.symbolic.encoding.system import RECHECK, System, first_failure
from stacklaw.checker.symbolic.explain.cells import CellWording, cells_in_words
from stacklaw.checker.symbolic.explain.dependencies import havocked_rules, rests_on
from stacklaw.checker.symbolic.explain.words import formula, in_words, sentences
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.symbolic.safety.horn import InductiveCore, inductive_core
from stacklaw.checker.symbolic.solver.terms import TRUE, both
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named

from ..rulesets import ONE_PASS, asked

ASKED = [
    ("mtg", "response_window"),
    ("mtg", "lifo"),
    ("stack", "own_window"),
    ("fftcg", "settled_before_priority"),
    pytest.param("zx", "hold_priority", marks=pytest.mark.slow),
    pytest.param("fow", "step_waits_for_stack", marks=pytest.mark.slow),
]

EMPTY = z3.Int("size of stack") == 0


@cache
def proof(game: str, name: str) -> Proof:
    program = load_game(game)
    found = prove(program, property_named(program, name))
    assert isinstance(found, Proof)
    return found


@cache
def core_of(game: str, name: str) -> InductiveCore:
    """Return what is left of the invariant of that proof, found once for all that is asked of
    it.
    """
    found = proof(game, name)
    return inductive_core(found.system, found.invariant)


def with_havoc(proof: Proof, ids: Set[str]) -> System:
    """Return the System of *proof* with havoc in the clauses of those *ids*."""
    encoded = encoding(proof.program, proof.question, proof.precision)
    rules = [rule for rule in encoded.rules() if rule.clause not in ids]
    for stage, clause in encoded.program.clauses:
        if clause.id in ids:
            rules += havocked_rules(encoded, stage, clause)
    return replace(proof.system, rules=tuple(rules))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), ASKED)
def test_what_is_left_of_an_invariant_meets_its_obligations(game: str, name: str) -> None:
    found = proof(game, name)
    assert first_failure(found.system, core_of(game, name).invariant, RECHECK) is None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), ASKED)
def test_the_clauses_that_are_not_named_may_all_be_freed(game: str, name: str) -> None:
    found = proof(game, name)
    core = core_of(game, name)
    named = rests_on(found, core)
    assert named
    others = {clause.id for _, clause in found.program.clauses} - set(named)
    assert others
    assert first_failure(with_havoc(found, others), core.invariant, RECHECK) is None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), ASKED)
def test_each_clause_that_is_named_is_needed(game: str, name: str) -> None:
    found = proof(game, name)
    core = core_of(game, name)
    named = rests_on(found, core)
    assert named
    for clause in {named[0], named[-1]}:
        failure = first_failure(with_havoc(found, {clause}), core.invariant, RECHECK)
        assert failure is not None
        assert failure.obligation.clause == clause


@pytest.mark.slow
def test_what_magic_rests_on() -> None:
    assert {"117.4/a", "608.2"} <= set(rests_on(proof("mtg", "lifo")) or ())
    assert "117.4/b" in (rests_on(proof("mtg", "step_waits_for_stack")) or ())


def test_nothing_is_said_of_what_is_possible() -> None:
    program = load_game("mtg")
    found = prove(program, property_named(program, "complete"))
    assert isinstance(found, Proof)
    assert rests_on(found) is None


def test_the_invariant_in_words() -> None:
    found = proof("mtg", "step_waits_for_stack")
    by_hand = {
        stage: both(known, EMPTY) if stage.startswith("step_") else known
        for stage, known in found.system.known.items()
    }
    assert in_words(replace(found, invariant=by_hand)) == (
        "at step_begins and step_ends: stack is empty",
    )


def test_spacer_s_invariant_in_words() -> None:
    said = in_words(proof("mtg", "response_window"))
    assert [sentence for sentence in said if "once (p has priority and i on stack)" in sentence]
    assert not [sentence for sentence in said if "bit" in sentence.split() or "!" in sentence]


def test_what_has_no_phrase_is_a_formula() -> None:
    size, other = z3.Ints("size other")
    cells = {"size": CellWording("size of stack"), "other": CellWording("size of waiting")}
    assert formula(z3.Not(size + -1 * other >= 2), cells) == "size of stack < size of waiting + 2"
    (said,) = sentences([z3.Or(size > 3, other <= 2)], TRUE, cells)
    assert said.in_two() == ("not (size of stack > 3)", "size of waiting <= 2")


def test_names_that_the_solver_gives_are_not_told() -> None:
    size, first, other = z3.Ints("size first other")
    cells = {
        name: CellWording(noun)
        for name, noun in {"size": "size of stack", "first": "i", "other": "j"}.items()
    }
    (said,) = sentences([other == z3.If(size > 0, z3.If(first > 0, first, 2), 1)], TRUE, cells)
    assert said.in_two()[1] == ("j is ((i if i > 0, else 2) if size of stack > 0, else 1)")


def test_what_is_said_of_one_cell_is_said_together() -> None:
    step = z3.Int("step")
    cells = {"step": CellWording("step", values={0: "draw", 1: "main", 2: "end"})}
    (said,) = sentences([z3.And(z3.Not(step <= 0), TRUE), z3.Not(step >= 2)], TRUE, cells)
    assert said.in_two() == ("", "step is main")


def test_two_cells_with_few_values_are_said_one_by_one() -> None:
    where, kind = z3.Ints("where kind")
    cells = {
        "where": CellWording(
            "i", values={0: "i is yet to come", 2: "i on stack", 3: "i on waiting"}, bare=True
        ),
        "kind": CellWording("kind of i", values={3: "card", 4: "counter", 5: "trigger"}),
    }
    said = [
        sentence.in_two()
        for sentence in sentences([z3.Or(where != 3, where < kind - 1)], TRUE, cells)
    ]
    assert said == [("i on waiting", "kind of i is trigger")]
    said = [sentence.in_two() for sentence in sentences([where < kind - 1], TRUE, cells)]
    assert sorted(said) == [
        ("i on stack", "kind of i is not card"),
        ("i on waiting", "kind of i is trigger"),
    ]


def test_seats_are_counted_from_the_spotlit_player() -> None:
    holder, other = z3.Ints("holder other")
    cells = {
        "holder": CellWording("holder", is_seat=True, origin="p"),
        "other": CellWording("active", is_seat=True, origin="p"),
    }
    (said,) = sentences([z3.Not(other + -1 * holder >= 0)], TRUE, cells)
    assert said.in_two() == ("", "counted from p, holder sits later than active")
    (said,) = sentences([z3.And(holder <= other), z3.Not(other + -1 * holder >= 1)], TRUE, cells)
    assert said.in_two() == ("", "holder is active")


def test_how_two_numbers_compare() -> None:
    one, other = z3.Ints("one other")
    cells = {"one": CellWording("size of stack"), "other": CellWording("size of copies")}
    (said,) = sentences([one <= other, one >= other], TRUE, cells)
    assert said.in_two() == ("", "size of stack is size of copies")
    (said,) = sentences([one + -1 * other > -1], TRUE, cells)
    assert said.in_two() == ("", "size of stack >= size of copies")
    assert formula(one > other + -2, cells) == "size of stack > size of copies - 2"


def test_a_parameter_called_like_a_spotlight_is_told_apart() -> None:
    rules = ONE_PASS.replace("holder", "p")
    program, question = asked(
        rules, "for every player p:", "  never (p passes and not previously p has priority)"
    )
    cells, _ = cells_in_words(
        encoding(program, question, Precision(seats=True, attributes=True, counts=True))
    )
    cell = cells["p of decide"]
    assert cell.noun == "decide's p"
    assert ("decide's p is p", "decide's p is not p") in [phrases for _, phrases in cell.likely]
    program, question = asked(
        ONE_PASS, "for every player p:", "  never (p passes and not previously p has priority)"
    )
    assert (
        cells_in_words(
            encoding(program, question, Precision(seats=True, attributes=True, counts=True))
        )[0]["holder of decide"].noun
        == "holder"
    )
