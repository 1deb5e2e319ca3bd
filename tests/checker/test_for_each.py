"""What is done for every item or player at once: who is meant and what is assigned is read before
anything changes, by every engine.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.position import Item, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source

from ..rulesets import asked
from ..symbolic.judge import REFUTED

HEAD = """\
language 2
game "All at once"
players 2 or more
scope players 3, stack 3, queue 3, pool 3, heap 3
start decide(active)

items
  spell "spell"
  trick "trick" [slow]

zones
  stack last in first out
  queue first in first out
  pool  in any order
  heap  in any order

state
  hand   : 0 to 2 for each player
  passed : players

stage decide(holder: player)
  priority holder

  may 1 "put"
    hand of holder += 1
    either "spell"
      put spell on stack
    or "trick"
      put trick on stack
    go decide(after holder)
  may 2 "put elsewhere"
    put spell on pool
    go decide(after holder)
  may 3 "sweep"
    {}
    go decide(after holder)
"""


def game(*lines: str) -> str:
    """Return a game in which clause 3 has *lines*."""
    return HEAD.format("\n    ".join(lines))


def swept(text: str, clauses: str, players: int = 3) -> list[Position]:
    """Return where clause 3 leads after moves of *clauses*: each word has an id, and which of its
    moves it is if not the first.
    """
    program = load(Source("x.rules", text))
    interpreter = Interpreter(program, make_scope(program, players))
    position = interpreter.initial()
    for said in clauses.split():
        clause, which = said[0], int(said[1:] or 0)
        position = [
            after for move, after in interpreter.moves(position).moves if move.clause == clause
        ][which]
    return [after for move, after in interpreter.moves(position).moves if move.clause == "3"]


def kinds(position: Position) -> list[list[str]]:
    """Return of each zone whose spell or trick lies there, from its first item."""
    return [[f"{item.kind[0]}{item.controller}" for item in zone] for zone in position.zones]


@pytest.mark.parametrize(
    ("line", "zones"),
    [
        ("remove every t in stack", [[], [], [], []]),
        ("remove every t in stack where t is slow", [["s0", "s2"], [], [], []]),
        ("remove every t in stack where size of stack > 2", [[], [], [], []]),
        ("resolve every t in stack where controller of t is not active", [["s0"], [], [], []]),
        ("move every t in stack to queue", [[], ["s0", "t1", "s2"], [], []]),
        ("move every t in stack to pool where t is spell", [["t1"], [], ["s0", "s2"], []]),
        (
            "move every t in stack to heap where some u in stack where (u is slow and t is spell)",
            [["t1"], [], [], ["s0", "s2"]],
        ),
        ("remove every t in queue", [["s0", "t1", "s2"], [], [], []]),
    ],
)
def test_which_items_and_where_they_lie(line: str, zones: list[list[str]]) -> None:
    (after,) = swept(game(line), "10 11 10")
    assert kinds(after) == zones


def test_items_lie_behind_those_that_were_there() -> None:
    (after,) = swept(
        game(
            "move every t in stack to queue", "put trick on stack", "move every t in queue to stack"
        ),
        "10 11",
    )
    assert kinds(after) == [["t2", "s0", "t1"], [], [], []]


@pytest.mark.parametrize(
    ("line", "hands"),
    [
        ("hand of everyone := 2", (2, 2, 2)),
        ("hand of (players but active) := 0", (1, 0, 0)),
        ("hand of every p in players := hand of after p", (1, 0, 1)),
        ("hand of every p in players := hand of before p where hand of p is 1", (0, 1, 0)),
        (
            "hand of every p in players += 1 where every q in players satisfies hand of q < 2",
            (2, 2, 1),
        ),
        ("hand of passed := 2", (1, 1, 0)),
    ],
)
def test_which_players_and_what_they_get(line: str, hands: tuple[int, ...]) -> None:
    (after,) = swept(game(line), "1 1")
    assert after.values[1] == hands


def test_a_number_out_of_its_range_or_no_room_is_so_of_the_whole_move() -> None:
    assert swept(game("hand of everyone -= 1"), "1 1") == []
    program = load(
        Source(
            "x.rules",
            game("put spell on queue", "put spell on queue", "move every t in stack to queue"),
        )
    )
    interpreter = Interpreter(program, make_scope(program, 3))
    position = interpreter.initial()
    for clause in "11":
        position = next(
            after for move, after in interpreter.moves(position).moves if move.clause == clause
        )
    found = interpreter.moves(position)
    assert found.cut
    assert not [move for move, _ in found.moves if move.clause == "3"]
    beyond = [after for move, after in interpreter.allowed(position) if move.clause == "3"]
    assert [len(zone) for zone in beyond[0].zones] == [0, 4, 0, 0]


SWEEPS = [
    ("remove every t in stack where controller of t is holder", "move every t in pool to heap"),
    (
        "move every t in stack to queue where t is slow",
        "remove every t in pool where controller of t is active",
    ),
    (
        "move every t in queue to stack",
        "move every t in stack to queue where controller of t is holder",
        "hand of everyone := 0",
    ),
    (
        "resolve every t in stack",
        "hand of every p in players := hand of before p where p is not holder",
    ),
]
QUESTIONS = [
    "for every item i: never (clause 3 and i on stack and controller of i is active)",
    "for every item i, item j: never (i is removed and j is removed)",
    "for every item i, item j: never (i leaves stack and j leaves stack)",
    "for every item i, item j: never (i is front of queue and j is top of stack)",
    "for every item i: never (i is put on queue and i is spell)",
    "for every item i: never (i is put on queue and i is not trick)",
    "for every player p: never (clause 3 and hand of p is 2)",
    "for every item i: always (i leaves stack implies clause 3)",
    "never (clause 3 and something on stack and something on queue)",
    "for every item i, item j: never ((i is put on stack and once j is put on stack) and "
    "previously i is put on stack)",
    "for every item i, item j: always (i on queue and j on queue and i is front of queue implies "
    "once (j on stack and i on stack))",
]


@pytest.mark.slow
@pytest.mark.parametrize("lines", SWEEPS)
def test_the_engines_agree(lines: tuple[str, ...]) -> None:
    """The same verdicts, counts and lengths of plays; and nothing is proved that a search
    refutes.
    """
    proved = 0
    for formula in QUESTIONS:
        program, question = asked(game(*lines), formula)
        scope = make_scope(program, 2, {zone.name: 2 for zone in program.zones})
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


def test_a_sweep_without_what_it_does_is_nothing() -> None:
    program = load(Source("x.rules", game("hand of everyone := 2")))
    (statement,) = [node for node in ir.walk(program) if isinstance(node, ir.ForEach)]
    assert statement.domain == ir.PlayersIn(ir.Everyone())
    assert statement.condition == ir.YES


def test_an_attribute_changes_where_a_zone_is_past_its_bound() -> None:
    """A question may go beyond the scope and ask there what is possible within it."""
    program = load(
        Source(
            "crowded.rules",
            """\
language 2
game "Past its bound"
players 2
start only
items
  card "card"
attributes
  tapped : flag
zones
  pool in any order
stage only
  may 1 "tap a card"
    by active
    when pool is not empty
    choose c in pool
    tapped of c := yes
    go only
""",
        )
    )
    interpreter = Interpreter(program, make_scope(program, sizes={"pool": 1}))
    cards = tuple(Item("card", seat, (False,)) for seat in (0, 1))
    crowded = interpreter.initial()._replace(zones=(cards,))
    found = interpreter.moves(crowded)
    assert [len(after.zones[0]) for _, after in found.moves] == [2, 2]
    assert found.cut == 0
