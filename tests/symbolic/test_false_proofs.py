"""Rulesets of which something false was once proved, each with the mistake of the encoding that did
it.

In each the search of a small scope refutes the question; so no proof of it, and no bound above the
length of that play, can be right.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.prover.concretise import decoded
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.bmc.bounded import least_moves
from stacklaw.checker.symbolic.liveness.termination import prove_progress
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.types.scope import make_scope

from ..rulesets import asked
from .judge import REFUTED
from .test_accidents import HEAD

UNITS = 2_000_000
HOLDER = "stage decide(holder: player)\n  priority holder\n"


def game(stages: str, **more: str) -> str:
    """Return the rules of a game with *stages*, and *more* in its sections."""
    return (
        HEAD.format(players="2 or more")
        + "".join(f"{section}\n  {line}\n" for section, line in more.items())
        + stages
    )


COUNTER = game(
    HOLDER + '  may 1 "count"\n    count += 1\n    go decide(holder)\n', state="count : 0 to 2"
)
ANYBODY = game(
    HOLDER
    + '  may 1 "anybody"\n    by any p where p is active or p is not active\n    go decide(p)\n'
)
EITHER = game(
    HOLDER + '  may 1 "one or two"\n    choose x in 1 to 2\n    if x is 1\n      pass\n    go '
    "decide(holder)\n"
)
TWO = game(
    HOLDER + '  may 1 "put"\n    put spell on pool\n    go decide(holder)\n'
    '  may 2 "take two"\n    when pool is not empty\n    choose a in pool\n    remove a\n'
    "    if pool is not empty\n      choose b in pool\n      remove b\n    go decide(holder)\n",
    zones="pool in any order",
)
ALIKE = game(
    "".join(
        f'{head}  must {number} "mark"\n    by any p where p is {who}active\n    marked := p\n    '
        "go decide(holder)\n"
        for number, head, who in ((1, HOLDER, ""), (2, "", "not "))
    )
)
NAMESAKE = HEAD.format(players="2 or more").replace(
    "start decide(active)", "start i(active, 0)"
) + (
    "stage i(holder: player, place: 0 to 1)\n  priority holder\n"
    '  may 1 "put"\n    put spell on stack\n    go i(after holder, 1)\n'
    '  may 2 "it is one"\n    when place is 1\n    go i(holder, place)\n'
)
REACHED = game(
    HOLDER + '  may 1 "on"\n    go decide(holder)\n  may 2 "reach"\n    reached := yes\n    go '
    "decide(holder)\n",
    state="reached : flag",
)
LEVELS = game(
    HOLDER + '  may 1 "look"\n    if some t in stack where level of t is 1\n      go decide(after '
    "holder)\n    else\n      go decide(holder)\n",
    attributes="level : 1 to levels",
    option="",
).replace("option\n  \n", 'option levels "levels" from 0 to 1 default 0\n')

COMPLETE = "never not (clause 1 is possible)"
FALSE = [
    # A number that is not asked for was left out, and with it that a move would take it out of
    # its range.
    (COUNTER, COMPLETE),
    # Of a clause with a choice there was one move for all that was asked: it cannot be one player's
    # and another's, act and pass.
    (ANYBODY, "for every player p, player q: never (p may act and q may act and p is not q)"),
    (EITHER, "for every player p: never (p may act and p may pass)"),
    # What was known of a second choice was true only if there was a first one, and ruled out all
    # positions where there was none.
    (TWO, "never (pool is empty and clause 1 is possible)"),
    # Two clauses alike were thought to lead to the same positions, though each picks a player of
    # its own.
    (ALIKE, "always (no clause applies or not clauses conflict)"),
    # A parameter of a stage and a cell of a spotlit item had one name, and were one.
    (NAMESAKE, "for every item i: never (i is top of stack and clause 2)"),
    # The formula said of each layer that a play comes so far by a name that a variable may have,
    # too.
    (REACHED, "never (not reached and clause 1)"),
    # An attribute without any value was asked of items that there cannot be, and ruled out
    # everything.
    (LEVELS, "never clause 1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "formula"), FALSE)
def test_what_a_play_refutes_is_not_proved(rules: str, formula: str) -> None:
    """diffblue/cbmc 6057, kind2 715: what the encoding takes for known must never contradict
    itself.
    """
    program, question = asked(rules, formula)
    (verdict,) = check(program, [question], make_scope(program))
    assert verdict.outcome in REFUTED
    assert verdict.trace is not None
    assert not isinstance(prove(program, question, UNITS), Proof)
    assert least_moves(
        program, question, len(verdict.trace.steps) + 2, decoded, UNITS
    ).moves <= len(verdict.trace.steps)


def test_a_number_that_nobody_asks_for_may_end_a_play() -> None:
    """The same number, where something must eventually happen: what it is waited for may not come
    before the end.
    """
    program, question = asked(
        COUNTER,
        "assuming players act only finitely often",
        "eventually some p in players where p is not p",
    )
    assert check(program, [question], make_scope(program))[0].outcome in REFUTED
    assert not isinstance(prove_progress(program, question, UNITS), Proof)
