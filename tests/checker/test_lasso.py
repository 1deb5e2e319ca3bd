"""What must eventually happen: loops, ends and assumptions, and random games in which loops are
looked for by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError, replay
from stacklaw.checker.run.check import check
from stacklaw.checker.types.position import Trace, TraceStep
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.properties import formula as f

from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_watch import plays, watched

HEAD = (
    'game "A test"\nplayers 2\nscope players 2, stack 1\nstart decide(active)\n'
    'items\n  spell  "spell"\nzones\n  stack  last in first out\n'
)
DECIDE = "stage decide(holder: player)\n  priority holder\n"
ACT = '  may 1 "act"\n    go decide(holder)\n'
LUCK = '  chance 2 "luck"\n    go decide(holder)\n'
PASS = '  may 3 "pass"\n    pass\n    go over\nstage over\n  must 4 "it is over"\n    game over\n'
PLAYERS, CARDS = (
    "assuming players act only finitely often",
    "assuming cards act only finitely often",
)


def verdict(stages: str, formula: str, *assuming: str) -> Verdict:
    """Return what is known of *formula* in a game with *stages*, to both engines."""
    program, question = asked(HEAD + stages, *assuming, formula)
    (found,), (expected,) = (
        check(program, [question], make_scope(program), engine=engine)
        for engine in (None, Reference())
    )
    assert (found.outcome, found.is_hidden) == (expected.outcome, expected.is_hidden)
    return found


def told(one: Verdict) -> tuple[list[str], int | None]:
    """Return the clauses of the play, and where its loop begins."""
    assert one.trace is not None
    return [step.move.clause for step in one.trace.steps], one.trace.loop


def test_players_who_act_for_ever_break_it_unless_they_are_assumed_not_to() -> None:
    assert told(verdict(DECIDE + ACT + PASS, "eventually game is over")) == (["1"], 0)
    assert verdict(DECIDE + ACT + PASS, "eventually game is over", PLAYERS).outcome == Outcome.HOLDS
    assert (
        verdict(DECIDE + ACT + PASS, "eventually game is over", CARDS).outcome == Outcome.VIOLATED
    )


def test_each_assumption_leaves_out_its_own_loops_and_no_others() -> None:
    both = DECIDE + ACT + LUCK + PASS
    assert told(verdict(both, "eventually game is over", PLAYERS)) == (["2"], 0)
    assert told(verdict(both, "eventually game is over", CARDS)) == (["1"], 0)
    assert verdict(both, "eventually game is over", PLAYERS, CARDS).outcome == Outcome.HOLDS


def test_a_loop_that_needs_both_is_left_out_by_either() -> None:
    """tla-rs 59, 62, 63: a loop is left out because of the moves in it, not because of others at
    the same positions.
    """
    stages = (
        DECIDE
        + '  may 1 "act"\n    go other\n'
        + PASS
        + 'stage other\n  chance 5 "luck"\n    go decide(active)\n'
    )
    assert told(verdict(stages, "eventually game is over")) == (["1", "5"], 0)
    assert verdict(stages, "eventually game is over", PLAYERS).outcome == Outcome.HOLDS
    assert verdict(stages, "eventually game is over", CARDS).outcome == Outcome.HOLDS


def test_what_cards_let_happen_in_a_move_of_the_rules_is_theirs() -> None:
    stages = (
        DECIDE
        + '  may 1 "pass"\n    pass\n    go settle\nstage settle\n  must 2 "settle"\n'
        + '    maybe "again"\n      go settle\n    go decide(active)\n'
    )
    assert told(verdict(stages, "nobody has priority leads to someone has priority")) == (
        ["1", "2"],
        1,
    )
    assert (
        verdict(stages, "nobody has priority leads to someone has priority", CARDS).outcome
        == Outcome.HOLDS
    )


def test_passing_is_no_acting() -> None:
    stages = DECIDE + '  may 1 "pass"\n    pass\n    go decide(after holder)\n'
    assert told(verdict(stages, "eventually game is over", PLAYERS, CARDS)) == (["1", "1"], 0)


def test_an_end_breaks_it_and_the_end_of_the_scope_does_not() -> None:
    """fizzbee 91: where there is no room there is no end."""
    stuck = (
        DECIDE
        + '  may 1 "put"\n    put spell on stack\n    go stuck\nstage stuck\n  must 2 "never"\n '
        "   when stack is empty\n    game over\n"
    )
    assert told(verdict(stuck, "eventually game is over")) == (["1"], None)
    over = DECIDE + '  may 1 "put"\n    put spell on stack\n    game over\n'
    assert told(verdict(over, "stack is not empty leads to stack is empty")) == (["1"], None)
    full = DECIDE + '  may 1 "put"\n    put spell on stack\n    go decide(holder)\n'
    cut = verdict(full, "eventually size of stack > 1")
    assert (cut.outcome, cut.is_hidden, cut.counts.cut) == (Outcome.UNKNOWN, True, 1)


def test_what_leads_to_something_may_be_vacuous() -> None:
    assert (
        verdict(DECIDE + ACT + PASS, "stack is not empty leads to stack is empty").outcome
        == Outcome.VACUOUS
    )


def test_spotlights_and_the_past_are_remembered_round_the_loop() -> None:
    stages = (
        DECIDE + '  may 1 "pass"\n    pass\n    go decide(after holder)\n  may 2 "act"\n    go '
        "decide(holder)\n"
    )
    assert (
        verdict(stages, "for every player p: p passes leads to p has priority", PLAYERS).outcome
        == Outcome.HOLDS
    )
    broken = verdict(stages, "for every player p: p passes leads to p acts", PLAYERS)
    assert broken.outcome == Outcome.VIOLATED
    item = (
        DECIDE
        + '  may 1 "put"\n    put spell on stack\n    go decide(holder)\n  may 2 "pass"\n    '
        "pass\n    go decide(after holder)\n"
    )
    assert (
        verdict(item, "for every item i: i on stack leads to i resolves", PLAYERS).outcome
        == Outcome.VIOLATED
    )


def test_a_tampered_lasso_is_no_lasso() -> None:
    """tla-rs 64, tlaplus 201: every move of a loop is one of the rules, and leads on to the
    next.
    """
    broken = verdict(DECIDE + ACT + PASS, "eventually game is over")
    assert broken.trace is not None
    interpreter = Interpreter(broken.program, broken.scope)
    replay(interpreter, broken.trace, broken.property)
    for trace, question in (
        (replace(broken.trace, loop=None), broken.property),
        (replace(broken.trace, loop=1), broken.property),
        (broken.trace, replace(broken.property, assuming=("players",))),
        (broken.trace, replace(broken.property, body=f.Once(f.Uses("3")))),
        (broken.trace, replace(broken.property, body=f.Not(f.Previously(f.Uses("1"))))),
        (
            broken.trace,
            replace(
                broken.property, body=f.Not(f.Previously(f.Previously(f.Previously(f.Uses("1")))))
            ),
        ),  # of the fourth round
    ):
        with pytest.raises(ReplayError):
            replay(interpreter, trace, question)


def test_a_play_that_the_scope_cuts_does_not_end_there() -> None:
    program, question = asked(
        HEAD + DECIDE + '  may 1 "put"\n    put spell on stack\n    go decide(holder)\n',
        "eventually size of stack > 1",
    )
    interpreter = Interpreter(program, make_scope(program))
    trace = Trace(
        interpreter.initial(),
        tuple(TraceStep(*move) for move in interpreter.moves(interpreter.initial()).moves),
    )
    with pytest.raises(ReplayError, match="ends at moment 1, and the play does not"):
        replay(interpreter, trace, question)


# ------------------------------------------------------------------ random games


@pytest.mark.slow
@given(st.data())
@tries(30)
def test_no_loop_that_can_be_found_by_hand_is_missed(data: st.DataObject) -> None:
    program = data.draw(programs())
    scope = make_scope(program, 2, {"stack": 2, "queue": 1, "pool": 1})
    interpreter = Interpreter(program, scope)
    spotlights = data.draw(st.sampled_from([SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]))
    trigger, goal = data.draw(formulas(spotlights)), data.draw(formulas(spotlights))
    assuming: tuple[f.Assumption, ...] = data.draw(
        st.sampled_from([(), ("players",), ("cards",), ("players", "cards")])
    )
    body = f.Since(f.Not(goal), f.And((trigger, f.Not(goal))))
    asked = f.Property("asked", "", "", "progress", spotlights, body, None, "", assuming=assuming)
    outcome = check(program, [asked], scope)[0].outcome  # its play is replayed
    by_hand = any(
        _breaks(interpreter, lasso, asked)
        for play in plays(interpreter)
        for lasso in _lassos(play, spotlights)
    )
    event("found by hand" if by_hand else f"not found by hand, {outcome}")
    assert not by_hand or outcome == Outcome.VIOLATED


def _lassos(play: Trace, spotlights: tuple[f.Spotlight, ...]) -> Iterator[Trace]:
    """Yield *play* with all that its spotlights can stand for, ending or going back to any earlier
    moment with the same position.
    """
    positions = play.positions
    loops = [
        None,
        *(moment for moment, position in enumerate(positions[:-1]) if position == positions[-1]),
    ]
    for one in watched(play, spotlights, 2):
        yield from (replace(one, loop=loop) for loop in loops)


def _breaks(interpreter: Interpreter, lasso: Trace, asked: f.Property) -> bool:
    try:
        replay(interpreter, lasso, asked)
    except ReplayError:
        return False
    return True


def test_a_loop_that_a_counter_leaves_is_none() -> None:
    stages = DECIDE + '  may 1 "count"\n    round += 1\n    go decide(holder)\n' + PASS
    program, question = asked(
        HEAD + "state\n  round : 0 to 3 = 0\n" + stages, "eventually someone passes"
    )
    assert check(program, [question], make_scope(program))[0].outcome == Outcome.HOLDS
