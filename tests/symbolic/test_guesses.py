"""What is assumed of a guess never rules out a position: for any position there are values for all
that is chosen or guessed.

Otherwise no proof would look at the positions that it rules out. What is possible is asked of all
clauses of a stage at once, including those that cannot be used; so a contradiction anywhere there
is one of the whole position.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.symbolic.encoding.encode import Encoding, Precision, encoding
from stacklaw.checker.symbolic.encoding.formulas import (
    EncodedMoment,
    EncodedMonitor,
    EncodedPosition,
)
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f

from ..explicit.test_following import games
from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import SPOTLIGHTS, formulas
from .rich import WATCHED, rich_programs
from .test_false_proofs import TWO
from .test_plays import PRECISIONS, question

EVERYTHING = f.Or((f.Gap(), f.Conflict(), f.Enabled(None, "act"), f.Enabled(None, "pass")))
_UNITS = 1_000_000
"""What a solver has not decided by then, it does not know: one in ten."""


def ruled_out(encoded: Encoding, stage: str) -> z3.CheckSatResult:
    """Return whether there is a position at *stage* for which no values of what is guessed are
    left.
    """
    frame = encoded.layout.frame(stage)
    EncodedMonitor(EVERYTHING).truth(
        EncodedMoment(EncodedPosition(frame, stage, tuple(frame.locals.values())))
    )
    cells = {str(cell) for cell in encoded.layout.constants(stage)}
    facts = t.all_of(frame.facts)
    guessed = [constant for constant in t.constants_of(facts) if str(constant) not in cells]
    solver = z3.Solver()
    solver.set("rlimit", _UNITS)
    solver.add(
        encoded.layout.always_true(stage), z3.Not(z3.Exists(guessed, facts) if guessed else facts)
    )
    return solver.check()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "counts"), [("mtg", True)])
def test_no_position_of_a_game_is_ruled_out(game: str, counts: bool) -> None:
    program = load_game(game)
    watched = f.And((f.Gap(), f.On("i", "stack"), f.On("j", "stack"), f.HasPriority(ir.Local("p"))))
    encoded = encoding(
        program,
        question(watched, SPOTLIGHTS),
        Precision(seats=True, attributes=True, counts=counts),
    )
    answers = [ruled_out(encoded, stage.name) for stage in encoded.program.stages]
    assert z3.sat not in answers
    assert answers.count(z3.unsat) > len(answers) // 2


def test_a_second_choice_where_there_is_no_first_one() -> None:
    program, watched = asked(TWO, "never (pool is empty and clause 1 is possible)")
    encoded = encoding(program, watched, PRECISIONS[-1])
    assert ruled_out(encoded, "decide") == z3.unsat


@pytest.mark.slow
@given(st.data())
@tries(4)
def test_no_position_of_random_programs_is_ruled_out(data: st.DataObject) -> None:
    program = data.draw(st.one_of(rich_programs(), rich_programs(), games()))
    program = replace(
        program, players=data.draw(st.sampled_from([(2, 2), (3, 3), (2, None), (2, None)]))
    )
    spotlights = data.draw(st.sampled_from([(), WATCHED[1:], WATCHED[:1], WATCHED, SPOTLIGHTS]))
    watched = question(f.And((f.Gap(), data.draw(formulas(spotlights)))), spotlights)
    try:
        encoded = encoding(program, watched, data.draw(st.sampled_from(PRECISIONS)))
        answers = {stage.name: ruled_out(encoded, stage.name) for stage in encoded.program.stages}
    except UnsupportedError:
        return
    assert z3.sat not in answers.values()
