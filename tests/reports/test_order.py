"""The first that applies: a clause that is not used because of one above it is told by the name of
that one, not by a negated guard.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.statements import as_meant, as_written
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named, typed_files
from stacklaw.reports.plays.explain import explain
from stacklaw.reports.plays.play import Play
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_why

RULES = """\
game "An order"
players 2
scope players 2, stack 2
start decide(active)

option fast "whether spells may be hurried"
  no   "they may not"
  yes  "they may"

items
  spell  "spell"

zones
  stack  last in first out

state
  hurried : flag
  tired : players
  count : 0 to 1

stage decide(p: player)
  priority p

  may 1 "cast a spell"
    put spell on stack
    go settle(after p)

  may 2 "cast a spell in a hurry"
    put spell on stack
    hurried := yes
    go settle(after p)

  may 3 "rest"
    pass
    tired += p
    go settle(after p)

stage settle(p: player)
  the first that applies

    must 10 "the top spell resolves at once"
      when fast is yes and hurried and stack is not empty
      resolve top of stack
      hurried := no
      go settle(active)

    must 11 "somebody rests for good"
      by any q where q in tired and q not in tired
      go settle(p)

    must 12 "all are asleep"
      when tired is everyone
      count += 1
      go settle(p)

    must 13 "the player may answer"
      go decide(p)

    must 14 "nothing is left"
      game over
"""


ASKED = """\
property asleep "nobody is asleep for good"
  never (count is 1)
"""


def played(name: str, **settings: str) -> Play:
    program = load(Source("order.rules", RULES), settings)
    asked = {
        one.name: one for one in typed_files(program, [Source("order.props", ASKED)]).properties
    }
    question = asked.get(name) or property_named(program, name)
    (verdict,) = check(program, [question], make_scope(program), engine=Reference())
    play = explain(verdict)
    assert play is not None
    return play


def why(play: Play) -> str:
    return " ".join(" ".join(plain(part, 400).split()) for part in render_why(play))


def test_a_window_that_an_earlier_clause_takes_away() -> None:
    said = why(played("response_window", fast="yes"))
    assert (
        "by 13 the player may answer. But 10 the top spell resolves at once (move 2) applies "
        "instead, because it comes first" in said
    )
    assert (
        "it comes first and applies: hurried is yes since move 1, stack is not empty since move 1."
        in said
    )
    assert "not (" not in said


def test_a_gap_behind_an_earlier_clause() -> None:
    (finding,) = played("complete").findings
    assert finding.text == (
        "no clause applies; 12 all are asleep comes nearest, but count would be 2 and goes from 0 "
        "to 1; 13 cannot be used, because 12 comes first and applies"
    )


def test_what_led_to_it_names_the_clauses_that_do_not_apply() -> None:
    assert (
        "12 all are asleep (move 4), because tired is everyone, and 11, which comes first, does "
        "not apply:" in why(played("asleep"))
    )
    hurried = why(played("asleep", fast="yes"))
    assert "because tired is everyone, and 10 and 11, which come first, do not apply:" in hurried


def test_a_clause_that_is_never_used_says_which_come_before_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "order.rules"
    path.write_text(
        RULES + 'claims\n  possible rests "somebody rests for good"\n    possible clause 11\n',
        encoding="utf-8",
    )
    assert run(["check", str(path), "--set", "fast=yes"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "which applies only if 10, which comes first, does not apply" in said


@pytest.mark.parametrize("fast", ["no", "yes"])
def test_an_edit_below_a_clause_that_the_options_may_rule_out_keeps_what_is_written(
    fast: str,
) -> None:
    for stage in load(Source("order.rules", RULES), {"fast": fast}).stages:
        assert as_meant(as_written(stage), stage) == stage
        written = [clause.guard for clause in as_written(stage).clauses if clause.id == "12"]
        assert written in ([], [ir.Equal(ir.Variable("tired"), ir.Everyone())])
