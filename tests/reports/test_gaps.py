"""Where no clause applies it is told which one came nearest, and what stopped it."""

from __future__ import annotations

import pytest

from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named
from stacklaw.reports.plays.explain import explain

from ..rulesets import SPELLS

HEAD = f"""\
game "Gaps"
players 2
scope players 2, stack 2
start decide(active)
{SPELLS}
turn
  only  "the only step"

sequence battle "the battle"
  fight

state
  missed : 0 to 2  "how often the bell was missed"
  luck : 0 to 1 for each player
  shut : flag

stage decide(holder: player) "a player has priority"
  priority holder

"""
LATER = """
  must 9 "later"
    when shut and stack is not empty
    go decide(holder)
"""
CASES = {
    "missed := missed + 1\n    go decide(holder)": (
        "1 act comes nearest, but how often the bell was missed would be 3 and goes from 0 to 2"
    ),
    "luck of holder := luck of holder - 1\n    go decide(holder)": (
        "1 act comes nearest, but luck would be -1 and goes from 0 to 1"
    ),
    "require stack is not empty\n    go decide(holder)": (
        "1 act comes nearest, but it requires that stack is not empty"
    ),
    "choose q in players\n    require q is not active and q is not after active\n"
    "    go decide(q)": (
        "1 act comes nearest, but it requires that q is not active and q is not after active"
    ),
    "when shut\n    go decide(holder)": "1 act comes nearest, but shut is no",
    "when stack is not empty and shut\n    go decide(holder)": (
        "nearest come 1 act, but stack is empty and shut is no; 9 later, but shut is no and stack "
        "is empty"
    ),
}


@pytest.mark.parametrize("body", CASES)
def test_the_clause_that_came_nearest_is_named(body: str) -> None:
    program = load(Source("gaps.rules", f'{HEAD}  may 1 "act"\n    {body}\n{LATER}'))
    (verdict,) = check(
        program, [property_named(program, "complete")], make_scope(program), engine=Reference()
    )
    play = explain(verdict)
    assert play is not None
    (finding,) = play.findings
    assert finding.text.startswith(f"no clause applies; {CASES[body]}")
    assert body.startswith("when stack") == ("; 9 later" in finding.text)


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_of_many_that_came_as_near_three_are_named(count: int) -> None:
    clauses = "".join(
        f'  must {number} "do {number}"\n    when missed is {number % 2 + 1}\n    go '
        "decide(holder)\n"
        for number in range(count)
    )
    program = load(Source("gaps.rules", HEAD + clauses))
    (verdict,) = check(
        program, [property_named(program, "complete")], make_scope(program), engine=Reference()
    )
    play = explain(verdict)
    assert play is not None
    told = [
        f"{number} do {number}, but missed is not {number % 2 + 1}"
        for number in range(min(count, 3))
    ]
    more = [f"and {count - 3} more"] if count > 3 else []
    (finding,) = play.findings
    assert finding.text.startswith(f"no clause applies; nearest come {'; '.join([*told, *more])}")
