"""What the cards bring about in one of several ways is found by each of its names."""

from __future__ import annotations

import pytest

from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source

WAYS = """
game "Ways"
players 2
scope players 2, waiting 2
start decide(active)

items
  trap   "trap"
  relic  "relic"

zones
  waiting in any order

stage decide(holder: player)
  priority holder
  may 1 "look around"
    maybe "something turns up"
      either "a trap turns up"
        put trap on waiting
      or "a relic turns up"
        put relic by after holder on waiting
    go decide(holder)
  may 2 "call for luck"
    go luck
  may 3 "wait"
    pass
    go decide(after holder)

stage luck
  chance 4 "luck strikes"
    either "the left hand is lucky"
      put trap by active on waiting
    or "the right hand is lucky"
      put relic by active on waiting
    maybe
      either "one more trap is found"
        put trap by after active on waiting
      or "one more relic is found"
        put relic by after active on waiting
    go decide(active)
  must 5 "there is none"
    go decide(active)
"""


@pytest.mark.parametrize(
    ("situation", "answer"),
    [
        ("A looks around", "nothing"),
        ("A looks around; a trap turns up", "A's trap"),
        ("A looks around; a relic turns up", "B's relic"),
        ("A calls for luck; the left hand is lucky", "A's trap"),
        ("A calls for luck; the right hand is lucky", "A's relic"),
        (
            "A calls for luck; the left hand is lucky; one more relic is found",
            "A's trap and B's relic",
        ),
        (
            "A calls for luck; the right hand is lucky; one more trap is found",
            "B's trap and A's relic",
        ),
    ],
)
def test_a_way_is_found_by_its_name(situation: str, answer: str) -> None:
    program = load(Source("ways.rules", WAYS))
    found = ask(program, f"{situation}: what is on waiting?", make_scope(program)).answers[0]
    assert found.agrees(answer), found.value


def test_what_is_caused_may_have_gone_any_way() -> None:
    program = load(Source("ways.rules", WAYS))
    said = "A looks around; something turns up: what is on waiting?"
    found = ask(program, said, make_scope(program)).answers[0]
    assert found.agrees("A's trap") or found.agrees("B's relic"), found.value
