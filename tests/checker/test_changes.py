"""Attributes that change: the item stays the same item, in any place and seen by any player, for
every engine.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.position import Item
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source

from ..rulesets import asked
from ..symbolic.judge import REFUTED

HEAD = """\
language 2
game "Taps"
players 2 or more
scope players 2, {0} 2
start decide(active)

items
  spell "spell"

attributes
  tapped : flag
  level  : 0 to 2

zones
  {0} {1}

state
  same : flag

stage decide(holder: player)
  priority holder

  may 1 "put"
    put spell on {0}
    go decide(after holder)
  may 2 "change"
    when {0} is not empty
{2}
    go decide(holder)
  may 3 "take what is tapped"
    when some t in {0} where tapped of t
    choose t in {0} where tapped of t
    remove t
    go decide(after holder)
"""
ORDERS = {"stack": "last in first out", "queue": "first in first out", "pool": "in any order"}


def game(zone: str, *lines: str) -> str:
    """Return a game with one *zone*, in which clause 2 has *lines* (with `@` for the zone)."""
    return HEAD.format(
        zone, ORDERS[zone], "\n".join(f"    {line}" for line in lines).replace("@", zone)
    )


def after(text: str, clauses: str) -> list[tuple[Item, ...]]:
    """Return what lies on the zone after clause 2 in each way, which follows the first moves of
    *clauses*.
    """
    program = load(Source("x.rules", text))
    interpreter = Interpreter(program, make_scope(program))
    position = interpreter.initial()
    for clause in clauses:
        position = next(
            then for move, then in interpreter.moves(position).moves if move.clause == clause
        )
    return [then.zones[0] for move, then in interpreter.moves(position).moves if move.clause == "2"]


def looks(items: tuple[Item, ...]) -> list[tuple[object, ...]]:
    return [(item.controller, *item.attributes) for item in items]


@pytest.mark.parametrize(
    ("zone", "lines", "expected"),
    [
        ("stack", ["tapped of top of @ := yes"], [[(0, False, 0), (1, True, 0)]]),
        ("queue", ["level of front of @ += 2"], [[(0, False, 2), (1, False, 0)]]),
        (
            "pool",
            ["choose t in @", "level of t := 1"],
            [[(0, False, 1), (1, False, 0)], [(0, False, 0), (1, False, 1)]],
        ),
        ("stack", ["level of top of @ += 3"], []),
        (
            "stack",
            ["tapped of every t in @ := yes where controller of t is active"],
            [[(0, True, 0), (1, False, 0)]],
        ),
        ("stack", ["level of every t in @ := size of @"], [[(0, False, 2), (1, False, 2)]]),
        (
            "stack",
            ["level of every t in @ := 2 where no u in @ where level of u is 2"],
            [[(0, False, 2), (1, False, 2)]],
        ),
        ("pool", ["level of every t in @ -= 1"], []),
        (
            "pool",
            ["tapped of every t in @ := no where tapped of t"],
            [[(0, False, 0), (1, False, 0)]],
        ),
        (
            "stack",
            [
                "choose a in @ where controller of a is holder",
                "choose b in @",
                "tapped of a := yes",
                "if tapped of b",
                "  level of b := 1",
            ],
            [[(0, True, 1), (1, False, 0)], [(0, True, 0), (1, False, 0)]],
        ),
    ],
)
def test_what_an_item_becomes(
    zone: str, lines: list[str], expected: list[list[tuple[object, ...]]]
) -> None:
    text = game(zone, *lines)
    if "choose a" in text:
        text = text.replace(
            "when stack is not empty", "when some a in stack where controller of a is holder"
        )
    assert [looks(items) for items in after(text, "11")] == expected


def test_an_item_of_a_zone_in_any_order_lies_where_its_look_puts_it() -> None:
    text = game("pool", "choose t in @", "level of t := 1").replace(
        "put spell on pool", "put spell by active on pool"
    )
    assert [looks(items) for items in after(text, "11")] == [[(0, False, 0), (0, False, 1)]] * 2


CHANGES = [
    ("stack", ["tapped of top of @ := yes"]),
    (
        "queue",
        [
            "tapped of front of @ := not tapped of front of @",
            "level of every t in @ := 1 where tapped of t",
        ],
    ),
    ("pool", ["choose t in @", "tapped of t := not tapped of t"]),
    (
        "pool",
        [
            "choose a in @",
            "choose b in @",
            "tapped of a := yes",
            "same := tapped of b",
            "level of b := 1",
        ],
    ),
    ("stack", ["tapped of every t in @ := not tapped of t where controller of t is active"]),
]
QUESTIONS = [
    "for every item i: always (i is removed implies tapped of i)",
    "for every item i: always (i is removed implies once (i is put on {0} and not tapped of i))",
    "for every item i: never (not tapped of i and once tapped of i)",
    "for every item i: never (tapped of i and previously not tapped of i and not clause 2)",
    "for every item i: never (tapped of i and not i on {0})",
    "for every item i, item j: never (tapped of i and tapped of j)",
    "for every item i, item j: never (previously (not tapped of i and not tapped of j) and tapped "
    "of i and tapped of j)",
    "for every item i: never (level of i is 1 and not tapped of i)",
    "for every item i: never (i on {0} and level of i is 2)",
    "never (same and clause 2)",
    "never (some t in {0} where (tapped of t and controller of t is not active))",
]


@pytest.mark.slow
@pytest.mark.parametrize(("zone", "lines"), CHANGES)
def test_the_engines_agree(zone: str, lines: list[str]) -> None:
    """The same verdicts and lengths of plays; and nothing is proved that a search refutes."""
    proved = 0
    for formula in QUESTIONS:
        program, question = asked(game(zone, *lines), formula.format(zone))
        scope = make_scope(program)
        answers = [
            check(program, [question], scope, engine=engine_named(name))[0]
            for name in ("explicit", "reference")
        ]
        one, other = ((a.outcome, None if a.trace is None else len(a.trace.steps)) for a in answers)
        assert one == other
        if isinstance(prove(program, question, 500_000), Proof):
            proved += 1
            assert answers[0].outcome not in REFUTED
    assert proved
