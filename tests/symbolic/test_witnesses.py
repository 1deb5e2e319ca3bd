"""Witnesses: what is said of them is what the formula says, and that no item of a sort is left is
proved where it is so, and only there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import simulate
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.recheck import Rejected, recheck
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.encoding.encode import with_witnesses
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.position import SpotlitItem, Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import ACTIVE, SPOTLIGHTS, ZONES, conditions, formulas, programs
from .judge import REFUTED, Judge

UNITS = 4_000_000
HAND = """
language 2
game "Hand"
players 2 or more
start decide(active)

items
  card "card"

attributes
  marked : flag

zones
  pool  in any order
  stack last in first out
  queue first in first out

stage decide(holder: player)
  priority holder
  may 1 "put"
    maybe
      put card with marked yes on @
    maybe
      put card on @
    go decide(after holder)
  may 2 "mark"
    when @ is not empty
    choose t in @
    marked of t := yes
    go decide(holder)
  may 3 "clean up"
    {}
    go decide(holder)
  may 4 "look"
    go decide(holder)
"""
ALL = "remove every t in @ where marked of t"
LEFT = "always (clause 3 implies no t in @ where marked of t)"
STILL = "always (((not (clause 1 or clause 2)) since clause 3) implies no t in @ where marked of t)"
WRONG = [
    "remove every t in @ where not marked of t",
    "remove every t in @ where marked of t and controller of t is active",
    "remove every t in @ where marked of t\n    put card with marked yes on @",
    "marked of every t in @ := yes where marked of t",
    "if holder is active\n      remove every t in @ where marked of t",
]


# ------------------------------------------------------------------ by the definition


@st.composite
def with_quantifiers(draw: st.DrawFn, spotlights: tuple[f.Spotlight, ...]) -> f.Formula:
    """Return formulas that say of some items, more often than others do, that they are there."""
    players = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
    of_items: list[ir.Expr] = [
        ir.Equal(ir.AttributeOf(ir.Local("x"), ir.CONTROLLER), ACTIVE),
        ir.AttributeOf(ir.Local("x"), "shut"),
        ir.Equal(ir.AttributeOf(ir.Local("x"), ir.KIND), ir.Literal("spell")),
        ir.All((ir.AttributeOf(ir.Local("x"), "shut"), draw(conditions(*players)))),
    ]
    some = st.builds(
        lambda zone, said: ir.Exists("x", ir.ItemsOn(zone), said),
        st.sampled_from(ZONES),
        st.sampled_from(of_items),
    )
    expressions = st.one_of(
        some, some.map(ir.Not), st.builds(lambda *parts: ir.Any(parts), some, conditions(*players))
    )
    leaves = st.one_of(expressions.map(f.Holds), expressions.map(f.Holds), formulas(spotlights))
    return draw(
        st.recursive(
            leaves,
            lambda inner: st.one_of(
                st.builds(f.Not, inner),
                st.builds(lambda a, b: f.And((a, b)), inner, inner),
                st.builds(lambda a, b: f.Or((a, b)), inner, inner),
                st.builds(f.Previously, inner),
                st.builds(f.Once, inner),
                st.builds(f.Since, inner, inner),
            ),
            max_leaves=4,
        )
    )


def items_of(play: Trace) -> Iterator[SpotlitItem]:
    for moment, step in enumerate(play.steps, start=1):
        for number, event in enumerate(step.move.events):
            if event.kind == "put" and event.item is not None:
                yield SpotlitItem(event.item, moment, number)


@pytest.mark.slow
@given(st.data())
@tries(150)
def test_what_is_said_of_the_witnesses_is_what_the_formula_says(data: st.DataObject) -> None:
    program = data.draw(programs())
    scope = make_scope(program, 2, {"stack": 3, "queue": 2, "pool": 3})
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[:1], SPOTLIGHTS[2:]]))
    mode: Literal["always", "possible"] = data.draw(st.sampled_from(["always", "possible"]))
    question = f.Property(
        "asked", "", "", mode, spotlights, data.draw(with_quantifiers(spotlights)), None, ""
    )
    said = with_witnesses(program, question)
    play = simulate(program, scope, data.draw(st.integers(0, 1000)), 6)
    there = list(items_of(play))[:5]
    seats: st.SearchStrategy[int | SpotlitItem] = st.integers(0, 1)
    own: list[tuple[str, int | SpotlitItem]] = [
        (spotlight.name, data.draw(seats if spotlight.kind == "player" else st.sampled_from(there)))
        for spotlight in spotlights
        if spotlight.kind == "player" or there
    ]
    names = [spotlight.name for spotlight in said.spotlights[len(spotlights) :]]
    others: list[SpotlitItem | None] = [
        item for item in there if item not in dict(own).values()
    ] + [None] * len(names)
    ways = [
        [*own, *((name, who) for name, who in zip(names, way, strict=True) if who)]
        for way in permutations(others, len(names))
    ]
    interpreter = Interpreter(program, scope)
    sought = question.mode == "possible"
    plain = Evaluator(interpreter, replace(play, spotlights=tuple(own)))
    each = [
        Evaluator(interpreter, replace(play, spotlights=tuple(way)))
        for way in {tuple(way) for way in ways}
    ]
    for moment in range(len(play.positions)):
        decides = [one.holds(said.body, moment) == sought for one in each]
        assert any(decides) == (plain.holds(question.body, moment) == sought)


# ------------------------------------------------------------------ proofs


def hand(does: str, formula: str, zone: str = "pool") -> tuple[ir.Program, f.Property]:
    return asked(HAND.format(does).replace("@", zone), formula.replace("@", zone))


@pytest.mark.parametrize("zone", ["pool", "stack", "queue"])
@pytest.mark.parametrize(
    "formula", [LEFT, STILL, "possible (clause 3 and some t in @ where marked of t)"]
)
def test_that_nothing_is_left_is_proved(formula: str, zone: str) -> None:
    program, question = hand(ALL, formula, zone)
    found = prove(program, question, UNITS)
    assert isinstance(found, Proof)
    assert found.precision.witnesses
    text = certificate(found)
    assert isinstance(recheck(program, question, Stated(text)), Proof)
    forgets = text.replace(", witnesses\n", "\n")
    assert forgets != text
    assert isinstance(recheck(program, question, Stated(forgets)), Rejected)


@pytest.mark.parametrize("zone", ["pool", "stack", "queue"])
@pytest.mark.parametrize("does", WRONG)
def test_of_rules_that_leave_something_it_is_not(does: str, zone: str) -> None:
    program, question = hand(does, LEFT, zone)
    assert Judge(program, 2, 2).outcome(question) in REFUTED
    assert not isinstance(prove(program, question, UNITS), Proof)
    found = prove(*hand(ALL, LEFT, zone), UNITS)
    assert isinstance(found, Proof)
    assert isinstance(recheck(program, question, Stated(certificate(found))), Rejected)


def test_two_quantifiers_may_mean_one_item() -> None:
    """Had each a witness of its own, different from the other's, a single marked card would break
    nothing.
    """
    program, question = hand(
        ALL,
        "never ((some t in pool where marked of t) and some t in pool where controller of t is "
        "active)",
    )
    assert len(with_witnesses(program, question).spotlights) == 2
    assert Judge(program, 2, 1).outcome(question) in REFUTED
    assert not isinstance(prove(program, question, UNITS), Proof)


@pytest.mark.parametrize(
    "formula",
    [
        "always once no t in pool where marked of t",
        "never historically some t in pool where marked of t",
        "never ((some t in pool where marked of t) since clause 3)",
        "always ((clause 1 or clause 4) since no t in pool where marked of t)",
        "always (clause 4 implies some t in pool where marked of t)",
        "for every item i, item j, item k: never (i on pool and j on pool and k on pool and (some "
        "t in pool where marked of t) and some t in pool where controller of t is active)",
    ],
)
def test_what_takes_several_items_has_no_witness(formula: str) -> None:
    """At each moment it may be another one, or none breaks it, or they would be too many."""
    program, question = hand(ALL, formula)
    assert with_witnesses(program, question) is question
