"""The accidents that other model checkers had with what must eventually happen: ends, loops, and
several assumptions at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.liveness.ranking import NOTHING, in_lines
from stacklaw.checker.symbolic.liveness.termination import Termination, prove_progress
from stacklaw.checker.symbolic.prove import Proof
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome

from .judge import REFUTED
from .test_accidents import DECIDE, PASS, STUCK, asked

ACT = '  may 3 "act"\n    go decide(holder)\n'
LUCK = '  chance 4 "luck"\n    go decide(holder)\n'
PLAYERS, CARDS = (
    "assuming players act only finitely often",
    "assuming cards act only finitely often",
)
END = '  may 8 "end"\n    pass\n    game over\n'


@pytest.mark.parametrize(
    ("stages", "assuming", "is_broken"),
    [
        (ACT + LUCK + END, (), True),
        (ACT + LUCK + END, (PLAYERS,), True),
        (ACT + LUCK + END, (CARDS,), True),
        (ACT + LUCK + END, (PLAYERS, CARDS), False),
        (PASS + END, (PLAYERS, CARDS), True),
        (PASS + ACT + END, (PLAYERS, CARDS), True),
        (
            ACT + '  may 1 "put"\n    put spell on stack\n    go stuck\n' + STUCK,
            (PLAYERS, CARDS),
            True,
        ),
    ],
)
def test_several_assumptions_together(
    stages: str, assuming: Sequence[str], is_broken: bool
) -> None:
    """hw-cbmc 2007: each assumption leaves out its own loops and no others, and an end is no
    loop.
    """
    program, question = asked(DECIDE + stages, *assuming, "eventually game is over")
    broken = check(program, [question], make_scope(program))[0].outcome in REFUTED
    assert broken == is_broken
    assert not (broken and isinstance(prove_progress(program, question), Proof))


def test_a_game_ends_where_nobody_is_left_to_go_on() -> None:
    program, question = asked(DECIDE + ACT + LUCK + END, PLAYERS, CARDS, "eventually game is over")
    assert check(program, [question], make_scope(program))[0].outcome == Outcome.HOLDS
    answer = prove_progress(program, question)
    assert isinstance(answer, Termination)
    assert in_lines(answer.measures) == (NOTHING,)


LITTLE = 2_000_000
"""Several times what a proof takes where there is one."""
LEAVE = '  may 1 "leave"\n{guard}    gone += holder\n    go next(after holder)\n'
NEXT = (
    'stage next(next: player)\n  must 3 "who has left is skipped"\n    when next in gone\n    go '
    "next(after next)\n"
    '  must 4 "who is there is not"\n    when next not in gone\n    go decide(next)\n'
)
OTHERS = "    when some p in players where (p not in gone and p is not holder)\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guard", "goes_on", "is_broken"),
    [
        (OTHERS, "go next(after holder)", True),
        ("", "game over", True),
        (OTHERS, "game over", False),
    ],
)
def test_players_who_have_left(guard: str, goes_on: str, is_broken: bool) -> None:
    """Spin 38, 82: those who are left may pass for ever, and all may have left; what is assumed of
    some leaves out no loop of others.
    """
    stages = (
        DECIDE + LEAVE.format(guard=guard) + f'  may 2 "pass"\n    pass\n    {goes_on}\n' + NEXT
    )
    program, question = asked(
        "state\n  gone : players\n" + stages, PLAYERS, CARDS, "eventually game is over"
    )
    for players in (2, 3):
        assert (
            check(program, [question], make_scope(program, players))[0].outcome in REFUTED
        ) == is_broken
    assert not (is_broken and isinstance(prove_progress(program, question, LITTLE), Proof))
