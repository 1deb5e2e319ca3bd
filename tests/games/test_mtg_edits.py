"""Three edits of the Magic rules that a designer might make, each of which loses a guarantee.

An edit is made in the shipped text itself: a line as it stands there, and what it becomes.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from stacklaw.checker.mutate.judge import JudgedReading
from stacklaw.checker.mutate.repair import repairs
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import game_source, load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

TO_DRAW = ["117.2c/a", "117.2c/b", "117.2c/a"]
"""From the start to where the active player would receive priority in the draw step."""


@dataclass(frozen=True)
class Edit:
    """Texts of mtg.rules and what they become, and the claims that are then not met any more."""

    changes: tuple[tuple[str, str], ...]
    lost: frozenset[str]


TO_THE_CONTROLLER = Edit(
    changes=(
        (
            "    when stack is not empty\n    if instructed is casts and some",
            "    when stack is not empty\n    let owner be controller of top of stack\n    if "
            "instructed is casts and some",
        ),
        (
            "    do let_things_happen\n    go check(active)\n\nstage told",
            "    do let_things_happen\n    go check(owner)\n\nstage told",
        ),
    ),
    lost=frozenset({"turn_player_after_resolution"}),
)
"""117.3b: after a resolution the item's controller receives priority, not the active player."""

BACK_TO_THE_ACTIVE_PLAYER = Edit(
    changes=(
        (
            "    when not all_have_passed or last_pass is both\n",
            "    when after passer is not active\n",
        ),
        (
            "    when all_have_passed and stack is not empty\n",
            "    when after passer is active and stack is not empty\n",
        ),
        (
            "    when all_have_passed and stack is empty\n",
            "    when after passer is active and stack is empty\n",
        ),
    ),
    lost=frozenset(
        {"response_window", "own_window", "full_round", "full_round_ends_step", "117.4"}
    ),
)
"""117.4: the round is over once priority would come back to the active player, even if others acted
meanwhile.
"""

PASSES_SURVIVE = Edit(
    changes=(
        (
            '  may 117.1c/a "take a special action" also "turn a face-down creature face up" '
            "cites D-13\n    passed := none\n",
            '  may 117.1c/a "take a special action" also "turn a face-down creature face up" '
            "cites D-13\n",
        ),
    ),
    lost=frozenset(
        {"response_window", "own_window", "full_round", "full_round_ends_step", "117.4"}
    ),
)
"""117.4: a special action uses no stack, so the passes before it still count."""

ONE_PASS_EARLY = Edit(
    changes=(
        ("    when all_have_passed and stack is not empty\n", "    when stack is not empty\n"),
    ),
    lost=frozenset({"response_window", "own_window", "full_round", "117.4", "unambiguous"}),
)
"""117.4: the top item resolves as soon as somebody has passed, or the next player has priority:
both clauses apply.
"""


def edited(edit: Edit) -> str:
    """Return the text of mtg.rules after *edit*."""
    text = game_source("mtg").text
    for before, after in edit.changes:
        assert text.count(before) == 1
        text = text.replace(before, after)
    return text


def verdicts_of(edit: Edit, *names: str) -> dict[str, tuple[str, Verdict]]:
    """Return what the edited ruleset claims and what is found, by claim: all of them, or those of
    *names*.
    """
    program = load(Source("mtg.rules", edited(edit)))
    claims = [typed for typed in claims_of(program) if not names or typed.claim.name in names]
    sizes = (
        {"stack": 2} if names else {}
    )  # a play of two items is found sooner where there are no more
    verdicts = check(
        program, [typed.property for typed in claims], make_scope(program, None, sizes)
    )
    return {
        typed.claim.name: (typed.claim.expect, verdict)
        for typed, verdict in zip(claims, verdicts, strict=True)
    }


def play_of(edit: Edit, name: str) -> list[str]:
    """Return the shortest play that breaks a claim under *edit*: the clauses, with the seat where a
    player moves.
    """
    expected, verdict = verdicts_of(edit, name)[name]
    assert (expected, verdict.outcome) == ("holds", Outcome.VIOLATED)
    assert verdict.trace is not None
    moves = [step.move for step in verdict.trace.steps]
    return [
        f"{'AB'[move.owner]} {move.clause}" if isinstance(move.owner, int) else move.clause
        for move in moves
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "edit", [TO_THE_CONTROLLER, BACK_TO_THE_ACTIVE_PLAYER, PASSES_SURVIVE, ONE_PASS_EARLY]
)
def test_what_is_lost(edit: Edit) -> None:
    words = {
        "holds": Outcome.HOLDS,
        "fails": Outcome.VIOLATED,
        "possible": Outcome.POSSIBLE,
        "impossible": Outcome.IMPOSSIBLE,
    }
    found = {
        name
        for name, (expected, verdict) in verdicts_of(edit).items()
        if verdict.outcome is not words[expected]
    }
    assert found == edit.lost


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "lost", "clause", "words"),
    [
        pytest.param(
            TO_THE_CONTROLLER,
            "turn_player_after_resolution",
            "608.2",
            "go check(active), not (owner)",
            marks=pytest.mark.long,
        ),
        pytest.param(
            PASSES_SURVIVE,
            "full_round",
            "117.1c/a",
            "with `passed := none`",
            marks=pytest.mark.long,
        ),
        (
            ONE_PASS_EARLY,
            "full_round",
            "117.4/a",
            "with `when every p in players satisfies (p in passed or p in gone)`",
        ),
    ],
)
def test_what_was_broken_comes_back(edit: Edit, lost: str, clause: str, words: str) -> None:
    """The rule as it was is among the first three repairs."""
    found = repairs(JudgedReading(Source("mtg.rules", edited(edit))), lost, Meter())
    assert (clause, words) in [
        (one.edits[0].clause, one.edits[0].words) for one in found.mending[:3]
    ]
    assert not found.stopped


def test_priority_to_the_controller_of_what_resolved() -> None:
    """B's triggered ability resolves in A's draw step, and B is the first to have priority."""
    both_pass = ["A 117.3d", "117.3d/c", "117.5/player", "B 117.3d", "117.4/a"]
    assert play_of(TO_THE_CONTROLLER, "turn_player_after_resolution") == [
        *TO_DRAW,
        "117.5/triggers",
        "117.5/player",
        *both_pass,
        "608.2",
        "117.5/player",
    ]


def test_a_round_that_ends_with_the_active_player() -> None:
    """A passes, B casts a spell and passes, and it resolves: A never had priority while it was on
    the stack.
    """
    play = play_of(BACK_TO_THE_ACTIVE_PLAYER, "response_window")
    answer = ["B 117.1a/a", "117.5/player", "B 117.3d", "117.4/a", "608.2"]
    assert play == [*TO_DRAW, "117.5/player", "A 117.3d", "117.3d/c", "117.5/player", *answer]


def test_passes_that_survive_a_special_action() -> None:
    """A passes, B takes a special action, an ability triggers by it, B passes: it resolves though A
    never saw it.
    """
    play = play_of(PASSES_SURVIVE, "response_window")
    act = ["B 117.1c/a", "117.5/triggers", "117.5/player", "B 117.3d", "117.4/a", "608.2"]
    assert play == [*TO_DRAW, "117.5/player", "A 117.3d", "117.3d/c", "117.5/player", *act]


def test_a_step_ends_though_something_was_done_after_a_pass() -> None:
    """The same edit without any trigger: B acts after A's pass, and A has no answer before the step
    is over.
    """
    play = play_of(PASSES_SURVIVE, "full_round_ends_step")
    act = ["B 117.1c/a", "117.5/player", "B 117.3d", "117.4/b", "117.2c/b"]
    assert play == [*TO_DRAW, "117.5/player", "A 117.3d", "117.3d/c", "117.5/player", *act]
