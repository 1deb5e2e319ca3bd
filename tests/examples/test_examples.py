"""The examples: small rulesets, one for each thing that a timing system may do differently.

Every claim is as stated, the sizes are exact, and every clause is used. What each example is about
stands in its first lines.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.run.check import explore
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from ..games.asking import assert_as_stated

HERE = Path(__file__).parent
SIZES = {
    "after_acting.rules": Counts(105, 312, 8, 128),
    "after_resolution.rules": Counts(177, 231, 18, 81),
    "after_resolution.rules@receiver=resolved": Counts(243, 351, 20, 81),
    "after_resolution.rules@receiver=upcoming": Counts(153, 189, 16, 81),
    "after_resolution.rules@receiver=next_player": Counts(243, 351, 20, 81),
    "after_resolution.rules@receiver=same_player": Counts(243, 351, 20, 81),
    "cleanup.rules": Counts(54, 64, 26, 20),
    "final_pass.rules": Counts(106, 122, 23, 22),
    "instant_triggers.rules": Counts(93, 106, 10, 48),
    "item_becomes_step.rules": Counts(130, 178, 14, 48),
    "locked_stack.rules": Counts(93, 132, 9, 32),
    "marked_player.rules": Counts(80, 95, 22, 18),
    "must_act.rules": Counts(46, 62, 17, 16),
    "nested_windows.rules": Counts(277, 364, 14, 144),
    "one_action.rules": Counts(29, 36, 7, 0),
    "owner_of_top.rules": Counts(52, 63, 18, 27),
    "queue.rules": Counts(51, 70, 10, 16),
    "rewinding.rules": Counts(103, 117, 16, 24),
    "rules_processes.rules": Counts(128, 202, 23, 29),
    "rules_processes.rules@processes=once_only": Counts(282, 442, 24, 80),
    "rules_processes.rules@placing=one_by_one": Counts(131, 205, 25, 29),
    "silent_resolution.rules": Counts(122, 150, 16, 32),
    "single_pass.rules": Counts(8, 10, 5, 1),
    "skipped_step.rules": Counts(72, 88, 24, 0),
    "speeds.rules": Counts(220, 316, 9, 112),
    "teams.rules": Counts(68, 141, 8, 64),
    "three_players.rules": Counts(171, 225, 17, 81),
    "trigger_order.rules": Counts(18, 22, 8, 0),
    "trigger_order.rules@order=one_side": Counts(18, 22, 8, 0),
    "trigger_order.rules@order=newest_first": Counts(21, 23, 8, 0),
    "trigger_order.rules@order=free": Counts(21, 27, 8, 0),
    "whole_chain.rules": Counts(46, 59, 9, 16),
    "without_priority.rules": Counts(59, 71, 10, 0),
}


def program_of(example: str) -> ir.Program:
    return load_game(str(HERE / example))


def test_every_example_and_every_reading_is_here() -> None:
    listed: set[str] = set()
    for path in HERE.glob("*.rules"):
        listed.add(path.name)
        for option in program_of(path.name).options:
            listed |= {f"{path.name}@{option.name}={value}" for value, _ in option.values[1:]}
    assert listed == set(SIZES)


@pytest.mark.parametrize("example", SIZES)
def test_sizes(example: str) -> None:
    program = program_of(example)
    found = explore(program, make_scope(program))
    assert found.counts == SIZES[example]
    assert not found.stopped
    assert all(found.fired.values())


@pytest.mark.parametrize("example", SIZES)
def test_every_claim_is_as_stated(example: str) -> None:
    program = program_of(example)
    assert_as_stated(program, claims_of(program))
