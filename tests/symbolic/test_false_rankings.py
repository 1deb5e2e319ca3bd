"""What goes on for ever, or ends too early, is never proved to come to an end: each move of such a
play is one that a ranking has to rank.

In each ruleset something undoes what a measure would count. A search refutes the question; so there
is no ranking, and the moves that its play makes again and again have to be among those of the
encoding, each with its own player spotlit.
"""

from __future__ import annotations

import pytest
import z3

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.liveness.progress import ANYONE, ProgressProblem, progress
from stacklaw.checker.symbolic.liveness.termination import PRECISION, Termination, prove_progress
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.types.position import OVER, Trace
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir

from ..rulesets import asked
from .judge import REFUTED, sizes_of_table
from .plays import Shadow, is_breach, query

UNITS = 1_500_000
HEAD = """\
game "It goes on"
players {players}
start decide(active)
items
  spell "spell"
zones
  stack last in first out
  pool in any order
state
  passed : players
  count : 0 to 2
  hand : 0 to 1 for each player = 1
stage decide(holder: player)
  priority holder
"""
PASS = '  may 1 "pass"\n    pass\n    passed += holder\n    {also}go decide(after holder)\n'
CALM = ("assuming players act only finitely often", "assuming cards act only finitely often")
ALL = "eventually (passed is everyone)"


def passing(also: str = "") -> str:
    """Return the rules in which everybody passes, and *also* does something then."""
    return PASS.format(also=f"{also}\n    ".lstrip("\n ") if also else "")


GOES_ON = [
    # Who passes may do more, and is not assumed to stop.
    (passing("passed := none"), CALM[:1], ALL),
    # What a player has to do is no act.
    (
        passing()
        + '  must 2 "undo"\n    by holder\n    when passed is not empty\n    passed := none\n   '
        " go decide(holder)\n",
        CALM,
        ALL,
    ),
    # The cards are not assumed to stop.
    (passing('maybe "undo"\n      passed := none'), CALM[:1], ALL),
    (passing() + '  chance 2 "undo"\n    passed := none\n    go decide(holder)\n', CALM[:1], ALL),
    # Nor is the player who chooses, inside what they do or before.
    (
        passing(
            'either "undo" by after holder\n      passed := none\n    or "not"\n      count := 0'
        ),
        CALM,
        ALL,
    ),
    (passing("choose p in players by after holder\n    passed -= p"), CALM, ALL),
    # One leaves the set for each that comes.
    (passing("passed -= before holder"), CALM, ALL),
    # A play ends before: the game is over, nothing can be done any more, or a number would leave
    # its range.
    (passing() + '  chance 2 "end"\n    game over\n', CALM, ALL),
    (passing("require after holder is not active"), CALM, ALL),
    (passing("count += 1"), CALM, "eventually (passed is everyone and passed is empty)"),
    # What is taken comes back: the same item, another in its place, or as many as there were.
    (
        '  must 1 "put"\n    when stack is empty and pool is empty\n    put spell by holder on '
        "stack\n    go decide(holder)\n"
        '  must 2 "down"\n    when stack is not empty\n    move top of stack to pool\n    go '
        "decide(after holder)\n"
        '  must 3 "up"\n    when pool is not empty\n    choose i in pool\n    move i to stack\n   '
        " go decide(holder)\n",
        (),
        "(size of pool + size of stack > 0) leads to (pool is empty and stack is empty)",
    ),
    (
        '  must 1 "put"\n    when pool is empty\n    put spell by holder on pool\n    put spell '
        "by holder on pool\n    go decide(holder)\n"
        '  must 2 "another"\n    when pool is not empty\n    choose i in pool\n    remove i\n    '
        "put spell by holder on pool\n"
        "    go decide(holder)\n",
        (),
        "for every item i: (i on pool) leads to (not i on pool)",
    ),
    # Each has a card less, and the next one more.
    (
        passing("hand of holder := 0\n    hand of after holder := 1"),
        CALM,
        "eventually (every p in players satisfies hand of p is 0)",
    ),
    # A seat further each time is no nearer.
    ('  must 1 "on"\n    count := 0\n    go decide(after holder)\n', (), "eventually (count is 1)"),
]


@pytest.mark.slow
@pytest.mark.parametrize("players", ["2", "2 or more"])
@pytest.mark.parametrize(("clauses", "assuming", "formula"), GOES_ON)
def test_what_goes_on_is_not_proved_to_end(
    clauses: str, assuming: tuple[str, ...], formula: str, players: str
) -> None:
    program, question = asked(HEAD.format(players=players) + clauses, *assuming, formula)
    encoded = progress(program, question, PRECISION)
    for number in sizes_of_table(program, 3):
        scope = make_scope(program, number, {zone.name: 2 for zone in program.zones})
        (verdict,) = check(program, [question], scope)
        assert verdict.outcome in REFUTED
        assert verdict.trace is not None
        check_for_ever(encoded, program, scope, verdict.trace)
    assert not isinstance(prove_progress(program, question, UNITS), Termination)


def check_for_ever(
    encoded: ProgressProblem, program: ir.Program, scope: Scope, play: Trace
) -> None:
    """Fail if what *play* makes again and again is no step of the encoding, or its end no end."""
    interpreter = Interpreter(program, scope)

    def shadow(mover: int) -> Shadow:
        who = (*play.spotlights, (ANYONE, mover)) if encoded.by_anyone else play.spotlights
        return Shadow(encoded.encoding, interpreter, Trace(play.initial, play.steps, who))

    if play.loop is None:
        check_end(encoded, shadow(0), play)
        return
    for moment in range(play.loop, len(play.steps)):
        move, source, target = (
            play.steps[moment].move,
            play.positions[moment].stage,
            play.positions[moment + 1].stage,
        )
        steps = [
            step
            for step in encoded.steps
            if (step.source, step.clause, step.target) == (source, move.clause, target)
        ]
        for mover in [move.owner] if isinstance(move.owner, int) else range(scope.players):
            cells = shadow(mover)
            after = cells.cells(moment + 1)
            made = [
                z3.substitute(
                    query(step, after, is_bad=False), *changed(encoded, cells, moment, source)
                )
                for step in steps
            ]
            assert is_possible(t.any_of(made)), (moment, move, mover)


def check_end(encoded: ProgressProblem, shadow: Shadow, play: Trace) -> None:
    """Fail if the last position of *play* is none where the encoding has a play end while the
    formula is true.
    """
    last = len(play.steps)
    if play.positions[last].stage != OVER:
        assert is_breach(encoded.system, play.positions[last], shadow.cells(last))
        return
    source, clause = play.positions[last - 1].stage, play.steps[last - 1].move.clause
    ends = [
        rule
        for rule in encoded.system.rules
        if (rule.source, rule.clause, rule.target) == (source, clause, OVER)
    ]
    cells = changed(encoded, shadow, last - 1, source)
    assert is_possible(
        t.any_of(z3.substitute(t.both(rule.condition, rule.bad), *cells) for rule in ends)
    )


def changed(
    encoded: ProgressProblem, shadow: Shadow, moment: int, stage: str
) -> list[tuple[t.Term, t.Term]]:
    """Return the cells of *stage* whose values are known, each with its value at *moment*."""
    pairs = zip(encoded.system.cells[stage], shadow.cells(moment), strict=True)
    return [(cell, value) for cell, value in pairs if not cell.eq(value)]


def is_possible(condition: t.Bool) -> bool:
    solver = z3.SimpleSolver()
    solver.add(condition)
    return bool(solver.check() == z3.sat)
