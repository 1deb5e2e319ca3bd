"""What a search must not forget: of each thing that a slice, a turn or a watch could lose, a small
game in which that would be seen.

The answer of the reference, and the length of its play, are those of the explicit engine in all
four ways.
"""

from __future__ import annotations

from itertools import product

import pytest

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Verdict
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..rulesets import asked

ALL_WAYS = [
    Tuning(slicing=slicing, symmetry=symmetry)
    for slicing, symmetry in product((False, True), repeat=2)
]
HEAD = """\
game "A test"
players 2 or more
scope players 2, stack 2, queue 2, heap 2
start decide(active)
items
  spell  "spell"
  trick  "trick" [odd]
  rock   "rock" [odd]
attributes
  level : 0 to 3 = 0
  aim   : player or nobody = nobody
zones
  stack  last in first out
  queue  first in first out
  heap   in any order
turn
  draw
  main
state
  count : 0 to 3 = 1
  shut  : flag = no
  those : players
  boss  : player = active
  whose : player or nobody = nobody
  heir : player or nobody for each player = nobody
  score : 0 to 1 for each player = 0
stage decide(holder: player)
  priority holder
"""
AGAIN = "    go decide(holder)\n"
NEXT = "    go decide(after holder)\n"


def clause(number: int, *lines: str, mode: str = "may", then: str = AGAIN) -> str:
    return (
        f'  {mode} {number} "clause {number}"\n' + "".join(f"    {line}\n" for line in lines) + then
    )


PUT = clause(1, "put spell on heap", then=NEXT)
TURN = clause(9, "pass", "advance", then="    go decide(active)\n")
GAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "a computed part": (
        clause(1, "put spell with level count on stack") + clause(2, "count += 1"),
        (
            "never (stack is not empty and level of top of stack is 2)",
            "never (stack is not empty and level of top of stack is 0)",
        ),
    ),
    "a part of a moved item": (
        clause(1, "put spell with level 3 on queue")
        + clause(
            2,
            "when queue is not empty",
            'either "stay"',
            "  shut := no",
            'or "move"',
            "  move front of queue to stack",
        ),
        ("never (stack is not empty and level of top of stack is 3)",),
    ),
    "a variable that changes later": (
        clause(1, "shut := yes") + clause(2, "when shut"),
        ("never clause 2",),
    ),
    "a step that is skipped to": (
        clause(1, "skip to main") + clause(2, "when step is main"),
        ("never clause 2",),
    ),
    "the turn, and whose it is": (
        TURN,
        ("for every player p: never (p is active and turn begins)", "never turn begins"),
    ),
    "whose move it is": (
        clause(1, "by boss", "pass") + clause(2, "boss := after boss"),
        (
            "for every player p: never (p passes and p is not active)",
            "for every player p: never (p passes and p may act)",
        ),
    ),
    "who must pass": (
        clause(1, "by boss", "pass", mode="must") + clause(2, "boss := after boss"),
        ("for every player p: never (p passes and p is not active)",),
    ),
    "who acts": (
        clause(1, "by boss", "shut := not shut") + clause(2, "boss := after boss"),
        ("for every player p: never (p acts and p is not active)",),
    ),
    "all kinds with a tag": (
        clause(1, "put spell on stack")
        + clause(2, "put rock on stack")
        + clause(3, "when stack is not empty and top of stack is odd"),
        ("never clause 3",),
    ),
    "an entry above its range": (
        clause(1, "score of holder := count") + clause(2, "count += 1"),
        ("always clause 1 is possible",),
    ),
    "a difference": (
        clause(1, "put spell on stack") + clause(2, "count := count - size of stack"),
        ("always clause 2 is possible",),
    ),
    "a number above its range": (clause(1, "count += 2"), ("always clause 1 is possible",)),
    "several kinds": (
        clause(1, "put spell on stack")
        + clause(2, "put trick on stack")
        + clause(3, "put rock on stack")
        + clause(4, "when stack is not empty and kind of top of stack is one of (spell, trick)"),
        (
            "never clause 4",
            "never (clause 4 and top of stack is trick)",
            "never (clause 4 and top of stack is rock)",
        ),
    ),
    "numbers that leave their range": (
        clause(1, "count += 2")
        + clause(2, "count := count - size of stack")
        + clause(3, "put spell on stack"),
        (
            "always clause 1 is possible",
            "always clause 2 is possible",
            "never (previously clause 1 is possible and clause 1 and clause 1)",
        ),
    ),
    "some of a set": (
        clause(1, "those += holder") + clause(2, "when some p in those where p is p"),
        ("never clause 2", "always clause 2 is possible"),
    ),
    "two that are chosen": (
        PUT
        + clause(
            2,
            "when size of heap > 1",
            "choose a in heap",
            "choose b in heap",
            "begin resolving a",
            "remove b",
        ),
        (
            "for every item i: never (i begins resolving and i leaves heap)",
            "for every item i: never (i begins resolving and i on heap)",
        ),
    ),
    "players in sets and entries": (
        clause(1, "those += holder", "heir of holder := after holder", then=NEXT)
        + clause(2, "whose := heir of holder")
        + TURN,
        (
            "for every player p: never (p in those and p is active and turn begins)",
            "for every player p: never (whose is p and p is active and after p in those)",
            "for every player p: never (heir of p is active and once turn begins)",
            "for every player p: never (whose is nobody and p in those and turn begins)",
        ),
    ),
    "items in any order": (
        PUT
        + clause(2, "put trick on heap")
        + clause(3, "when heap is not empty", "choose t in heap", "move t to queue")
        + clause(4, "when queue is not empty", "move front of queue to heap")
        + TURN,
        (
            "for every item i: never (i leaves queue and i is put on heap and size of heap > 1)",
            "for every item i, item j: never (i on heap and j on heap and i leaves queue and once "
            "j on queue)",
            "for every item i: never (i is trick and i leaves heap and turn begins)",
            "for every item i, player p: never (p is controller of i and i on heap and turn begins "
            "and p is not active)",
            "for every item i: never (i leaves stack)",
        ),
    ),
    "an item in the place of another": (
        PUT + clause(2, "put trick on heap"),
        ("for every item i: never (i is trick and i is put on heap and previously i on heap)",),
    ),
    "an item that makes way": (
        clause(1, "put trick on heap")
        + clause(2, "put spell on queue")
        + clause(3, "when queue is not empty", "move front of queue to heap")
        + clause(
            4,
            "when some t in heap where t is spell",
            "choose t in heap where t is spell",
            "remove t",
        )
        + clause(5, "put spell on heap"),
        ("for every item i: never (i is trick and i leaves heap)",),
    ),
    "aims": (
        clause(1, "put spell with aim after holder on heap")
        + clause(2, "put spell on heap")
        + TURN,
        (
            "for every item i: never (aim of i is active and turn begins)",
            "for every item i: never (aim of i is nobody and turn begins)",
            "for every item i: never (aim of i is nobody and i is put on heap)",
        ),
    ),
    "who must and who may": (
        clause(1, "when count is 1", "count := 2", mode="must")
        + clause(2, "when count is 2", "put spell on queue")
        + clause(
            3, "when count is 2 and queue is not empty", "put trick by active on queue", mode="must"
        ),
        (
            "never someone acts",
            "never clauses conflict",
            "for every player p: never (p may act and clauses conflict)",
        ),
    ),
    "where the scope ends": (clause(1, "put spell on queue"), ("never no clause applies",)),
    "two that must do the same": (
        clause(1, "shut := yes", mode="must") + clause(2, "shut := yes", mode="must"),
        ("always clauses conflict",),
    ),
    "the move before": (
        clause(1, "shut := not shut") + clause(2, "when shut"),
        ("never (clause 2 and previously clause 2)",),
    ),
    "the last of several numbers": (
        clause(1, "choose x in 1 to 2", "count := x"),
        ("never count is 2",),
    ),
    "what was once": (
        PUT
        + clause(2, "when heap is not empty", "choose t in heap", "remove t")
        + clause(3, "shut := not shut"),
        (
            "for every item i: never (once i leaves heap and shut and someone acts)",
            "for every item i: never ((i on heap or shut) and once i leaves heap)",
            "for every item i: never ((i on heap or clause 3) and once i leaves heap)",
            "for every item i: never (shut since i leaves heap)",
            "for every item i: never (((not someone passes) since i leaves heap) and clause 3)",
        ),
    ),
}


def told(verdict: Verdict) -> tuple[object, ...]:
    return verdict.outcome, verdict.reason, verdict.trace and len(verdict.trace.steps)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("what", GAMES)
def test_what_must_not_be_forgotten(what: str, players: int) -> None:
    clauses, formulas = GAMES[what]
    program, questions = (
        asked(HEAD + clauses, formulas[0])[0],
        [asked(HEAD + clauses, formula)[1] for formula in formulas],
    )
    agree(program, questions, players)


def test_an_owner_that_may_be_nobody() -> None:
    """No ruleset can say that, but Programs can."""
    program, question = asked(
        HEAD + clause(1, "whose := holder") + clause(2, "by boss", "shut := not shut"),
        "never clause 2",
    )
    boss, whose = ir.Owner(ir.Variable("boss")), ir.Owner(ir.Variable("whose"))
    agree(ir.rewrite(program, lambda node: whose if node == boss else node), [question], 2)


def agree(program: ir.Program, questions: list[f.Property], players: int) -> None:
    """Hold what the explicit engine finds against what the reference does, and how many moves it
    takes to see it.
    """
    size = 2 if players == 2 else 1
    scope = make_scope(program, players, {"stack": size, "queue": 1, "heap": 2})
    expected = check(program, questions, scope, engine=Reference())
    for tuning in ALL_WAYS:
        found = check(program, questions, scope, engine=Explicit(Interpreter, tuning=tuning))
        assert list(map(told, found)) == list(map(told, expected)), tuning
