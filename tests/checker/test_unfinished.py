"""Unfinished rulesets: everything told of one is true of every way in which it can be finished."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.loops.loops import find_loops
from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope, scope_of
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..strategies_ir import formulas, programs
from .questions import ITEM, PLAYER

RULES = """game "x"
players 2
scope players 2, stack 2
start decide(active)

items
  spell "spell"

zones
  stack last in first out

state
  over : flag

stage decide(p: player)
  priority p
  may 1 "cast"
    when not over
    put spell on stack
    go decide(after p)
  may 2 "pass"
    pass
    go work

stage work
  must 3 "resolve"
    when stack is not empty
    resolve top of stack
    go decide(active)
  must 4 "go on"
    when stack is empty
    todo

claims
  holds early "before the unfinished clause"
    never something resolves
  holds late "only after it"
    never over
  possible waits "possible before it"
    possible size of stack is 2
  impossible wins "impossible so far"
    possible over
  holds apart "nothing conflicts"
    never clauses conflict
  holds used "each clause"
    for every clause c: possible clause c
"""


def verdicts(rules: str) -> dict[str, Verdict]:
    program = load(Source("x.rules", rules))
    found = check(
        program,
        [property_named(program, name) for name in NAMES],
        scope_of(program, None, None, {}),
    )
    return {verdict.property.name: verdict for verdict in found}


NAMES = ("early", "late", "waits", "wins", "apart", "used")


def test_what_a_play_shows_before_it_is_told_and_nothing_else() -> None:
    found = verdicts(RULES)
    outcomes = {name: found[name].outcome for name in NAMES}
    assert outcomes == {
        "early": Outcome.VIOLATED,
        "late": Outcome.UNKNOWN,
        "waits": Outcome.POSSIBLE,
        "wins": Outcome.UNKNOWN,
        "apart": Outcome.UNKNOWN,
        "used": Outcome.UNKNOWN,
    }
    assert (
        found["late"].reason == "clause 4 is still to be written (`todo`), and a play comes there"
    )


def test_a_clause_that_no_play_comes_to_is_no_reason_to_doubt() -> None:
    found = verdicts(RULES.replace("when stack is empty", "when stack is empty and over"))
    assert found["late"].outcome is Outcome.HOLDS
    assert found["wins"].outcome is Outcome.IMPOSSIBLE


def test_what_two_clauses_do_is_not_known_to_differ() -> None:
    """Both may lead to the same once the one is written."""
    found = verdicts(RULES.replace("when stack is empty\n", "when stack is not empty\n"))
    assert found["apart"].outcome is Outcome.UNKNOWN


def test_how_to_enforce_something_is_not_told_if_that_is_undecided() -> None:
    asked = "  possible ends\n    for some player p: p can enforce eventually game is over\n"
    program = load(Source("x.rules", f"{RULES}{asked}"))
    (verdict,) = check(
        program, [property_named(program, "ends")], make_scope(program, 2, {"stack": 2})
    )
    assert verdict.outcome == Outcome.UNKNOWN
    assert verdict.trace is None
    assert verdict.table is None


def test_it_is_looked_for_where_the_question_is_asked() -> None:
    """Clause 4 can be used only with three items on the stack, for which a claim asks and the scope
    has no room.
    """
    rules = RULES.replace("when stack is empty", "when size of stack is 3").replace(
        '"only after it"', '"only after it"\n    needs stack 3'
    )
    found = verdicts(rules)
    assert found["late"].outcome is Outcome.UNKNOWN
    assert (
        found["late"].reason == "clause 4 is still to be written (`todo`), and a play comes there"
    )
    assert found["wins"].outcome is Outcome.IMPOSSIBLE


def test_other_questions_need_the_whole_rules() -> None:
    program = load(Source("x.rules", RULES))
    with pytest.raises(InputError, match="4 is `todo`") as refused:
        find_loops(program, make_scope(program, 2, {"stack": 2}))
    assert [one.code for one in refused.value.diagnostics] == ["C115"]
    with pytest.raises(InputError, match="4 is `todo`"):
        Prover().begin_attempts(program, Meter())


@pytest.mark.parametrize(
    "body",
    [
        "    todo\n    go decide(active)",
        "    if over\n      todo\n    else\n      go decide(active)",
    ],
)
def test_it_stands_alone(body: str) -> None:
    with pytest.raises(InputError, match="`todo` cannot stand beside"):
        load(Source("x.rules", RULES.replace("    todo", body)))


@st.composite
def unfinished(draw: st.DrawFn) -> tuple[ir.Program, ir.Program]:
    """A game, and the same one with a clause that is still to be written."""
    whole = draw(programs())
    ids = [clause.id for _, clause in whole.clauses]
    chosen = draw(st.sampled_from(ids))
    return whole, _without(whole, chosen)


def _without(program: ir.Program, chosen: str) -> ir.Program:
    def todo(clause: ir.Clause) -> ir.Clause:
        return (
            replace(clause, body=(ir.GameOver(),), unfinished=True)
            if clause.id == chosen
            else clause
        )

    stages = tuple(
        replace(stage, clauses=tuple(map(todo, stage.clauses))) for stage in program.stages
    )
    return replace(program, stages=stages)


@pytest.mark.slow
@given(unfinished(), formulas((ITEM, PLAYER)), st.sampled_from(["always", "possible", "progress"]))
@tries(60)
def test_whatever_is_told_is_so_of_the_whole(
    both: tuple[ir.Program, ir.Program], body: f.Formula, mode: str
) -> None:
    whole, part = both
    question = f.Property("asked", "", "", mode, (ITEM, PLAYER), body, None, "the formula")  # type: ignore[arg-type]
    scope = make_scope(whole, 2, {zone.name: 2 for zone in whole.zones})
    (told,) = check(part, [question], scope, engine=Reference())
    event(str(told.outcome))
    if told.outcome in (Outcome.VIOLATED, Outcome.POSSIBLE, Outcome.HOLDS, Outcome.IMPOSSIBLE):
        (meant,) = check(whole, [question], scope, engine=Reference())
        assert meant.outcome is told.outcome or meant.outcome is Outcome.UNKNOWN
