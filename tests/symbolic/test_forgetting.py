"""What the encoding must not forget: of each thing that a move may do, a small game in which
something false could be proved without it.

Each question is refuted by a short play, which goes through the one choice, place or moment that is
named beside it.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.liveness.termination import prove_progress
from stacklaw.checker.symbolic.prove import Proof, Unproved, prove
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir

from ..rulesets import asked
from .judge import REFUTED

UNITS = 1_000_000
HEAD = """\
game "A test"
players 2 or more
scope players 2, stack 3, queue 2, heap 2
start decide(active)
items
  spell  "spell"
  trick  "trick"
zones
  stack  last in first out
  queue  first in first out
  heap   in any order
state
  those : players
  count : 0 to 3 = 1
stage decide(holder: player)
  priority holder
"""
AGAIN = "    go decide(holder)\n"
PUT = '  may 1 "put"\n    put spell on {}\n' + AGAIN
TOP = '  may 2 "the top resolves"\n    when stack is not empty\n    resolve top of stack\n' + AGAIN


def clause(*lines: str, number: int = 1, mode: str = "may") -> str:
    return (
        f'  {mode} {number} "clause {number}"\n'
        + "".join(f"    {line}\n" for line in lines)
        + AGAIN
    )


SAFETY: dict[str, tuple[str, str]] = {
    "the third of three ways": (
        clause(
            'either "one"',
            "  those := none",
            'or "two"',
            "  those := everyone",
            'or "three"',
            "  pass",
        ),
        "never someone passes",
    ),
    "the last of several numbers": (
        clause("choose x in 1 to 2", "if x is 2", "  pass"),
        "never someone passes",
    ),
    "the nearest of one": (
        PUT.format("heap")
        + clause(
            "when heap is not empty",
            "choose t in heap where controller of t comes first from active",
            "remove t",
            number=2,
        ),
        "never clause 2",
    ),
    "the nearest of one, which is watched": (
        PUT.format("heap")
        + clause(
            "when heap is not empty",
            "choose t in heap where controller of t comes first from active",
            "remove t",
            number=2,
        ),
        "for every item i: never i leaves heap",
    ),
    "who comes first in a queue": (
        clause("when queue is empty", "put spell on queue")
        + clause("when queue is not empty", "put trick on queue", number=2),
        "never (clause 2 and front of queue is spell)",
    ),
    "an item that nobody watches": (
        PUT.format("heap")
        + clause("when heap is not empty", "choose t in heap", "remove t", number=2),
        "for every item i: never (clause 2 and i on heap)",
    ),
    "an item that comes later": (
        PUT.format("stack"),
        "for every item i: never (i is put on stack and size of stack > 1)",
    ),
    "an item with two above it": (
        PUT.format("stack") + TOP,
        "for every item i: never (clause 2 and i on stack and not i is top of stack)",
    ),
    "an item below the top": (
        PUT.format("stack"),
        "for every item i: always (i on stack implies i is top of stack)",
    ),
    "what is left when one has left": (
        PUT.format("stack") + TOP,
        "never (clause 2 and stack is not empty)",
    ),
    "more than one item": (PUT.format("stack"), "never size of stack > 1"),
    "an item on another zone": (
        PUT.format("queue") + clause("require every t in heap satisfies t is trick", number=2),
        "for every item i: never (clause 2 and i on queue)",
    ),
    "somebody who has left a set": (
        clause("choose p in players", "those := everyone", "those -= p", "require p not in those"),
        "never clause 1",
    ),
    "somebody who has joined a set": (
        clause("choose p in players", "those := none", "those += p", "require p in those"),
        "never clause 1",
    ),
    "a choice that is not there": (
        clause("choose p in players", "those += p")
        + clause("choose p in players", "require p not in those", number=2),
        "always clause 2 is possible",
    ),
    "another choice": (
        clause("by any x where yes"),
        "for every player p, player q: never (p may act and q may act and p is not q)",
    ),
    "a number that leaves its range": (clause("count += 1"), "always clause 1 is possible"),
    "a pass": (clause("pass"), "always (clause 1 implies someone acts)"),
    "the end of the game": ('  may 1 "end"\n    game over\n', "always clause 1 is possible"),
    "two must clauses": (
        clause("put spell by active on queue", mode="must")
        + clause("put trick by active on queue", number=2, mode="must"),
        "never clauses conflict",
    ),
}
PROGRESS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a player who goes on": (clause("those := none"), ("eventually game is over",)),
    "a player who passes": (
        clause("pass"),
        ("assuming players act only finitely often", "eventually game is over"),
    ),
    "cards that go on": (
        '  chance 1 "luck"\n' + AGAIN,
        ("assuming players act only finitely often", "eventually game is over"),
    ),
    "the end of the game": ('  must 1 "end"\n    game over\n', ("eventually someone passes",)),
    "somebody outside a set": (
        clause("require some p in players where p not in those"),
        ("eventually game is over",),
    ),
    "a stage without a move": (clause("when stack is not empty"), ("eventually game is over",)),
}


@pytest.mark.parametrize("what", SAFETY)
def test_what_must_not_be_forgotten(what: str) -> None:
    clauses, formula = SAFETY[what]
    program, question = asked(HEAD + clauses, formula)
    assert check(program, [question], make_scope(program))[0].outcome in REFUTED
    assert not isinstance(prove(program, question, UNITS), Proof)


@pytest.mark.parametrize("what", PROGRESS)
def test_what_must_not_be_forgotten_for_ever(what: str) -> None:
    clauses, lines = PROGRESS[what]
    program, question = asked(HEAD + clauses, *lines)
    assert check(program, [question], make_scope(program))[0].outcome in REFUTED
    assert not isinstance(prove_progress(program, question, UNITS), Proof)


def test_what_may_have_left_is_not_taken_once_more() -> None:
    """No ruleset can say that, but Programs can."""
    twice = clause(
        "when heap is not empty",
        "choose a in heap",
        "choose b in heap",
        "remove a",
        "pass",
        number=2,
    )
    program, question = asked(HEAD + PUT.format("heap") + twice, "never clause 2")
    again = ir.Leave(ir.Local("b"), "is removed")
    found = prove(
        ir.rewrite(program, lambda node: again if node == ir.Pass() else node), question, UNITS
    )
    assert isinstance(found, Unproved)
    assert "may just have left its zone" in found.reason
