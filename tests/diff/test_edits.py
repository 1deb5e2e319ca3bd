"""Edits of a small game: what says the same is proved so, what changes the game is told apart, in
the direction in which it does.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from stacklaw.checker.diff.behaviour import GoesOn, Rests
from stacklaw.checker.diff.diff import Difference, difference, scopes_of_both
from stacklaw.checker.diff.guarantees import guarantees, questions_of_both
from stacklaw.checker.diff.same import renaming_of
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import scope_of
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load, load_game
from stacklaw.models.printing.format import format_text
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source

from .rules import BASE, CHANGED, SAME, UNSEEN, WITH_STEPS, edited


def program(text: str) -> ir.Program:
    return load(Source("a.rules", text))


def told(old: ir.Program, new: ir.Program, **said: str) -> Difference:
    renaming = renaming_of(old, new, said)
    return difference(
        old, new, scopes_of_both(old, new, renaming, None, None, {}), renaming, Meter(Budget())
    )


@pytest.mark.parametrize("edit", SAME)
def test_what_says_the_same_is_the_same_at_every_size(edit: str) -> None:
    assert told(program(BASE), program(SAME[edit])).is_same
    assert told(program(SAME[edit]), program(BASE)).is_same


def test_a_step_has_another_name_in_what_it_is_a_value_of_too() -> None:
    assert told(program(WITH_STEPS), program(WITH_STEPS.replace("late", "last"))).is_same
    assert not told(
        program(WITH_STEPS),
        program(WITH_STEPS.replace("early\n  late", "late\n  early")),
        early="late",
        late="early",
    ).is_same
    mixed = WITH_STEPS.replace("spent  : flag", "mood : late or never").replace(
        "and not spent", "and mood is late"
    )
    assert told(
        program(mixed),
        program(mixed.replace("  late\n", "  last\n").replace("skip to late", "skip to last")),
    ).is_same


@pytest.mark.parametrize("edit", CHANGED)
def test_what_changes_the_game_is_told_apart(edit: str) -> None:
    found = told(program(BASE), program(CHANGED[edit]))
    assert not found.is_same
    assert found.shown
    assert {one.separation.side for one in told(program(CHANGED[edit]), program(BASE)).shown} == {
        "new" if one.separation.side == "old" else "old" for one in found.shown
    }


@pytest.mark.parametrize("edit", UNSEEN)
def test_what_nobody_can_see_is_the_same_within_the_scope(edit: str) -> None:
    found = told(program(BASE), program(UNSEEN[edit]))
    assert (found.is_same, found.shown, found.compared.stopped) == (False, (), "")
    assert found.compared.pairs > 10


def test_a_livelock_and_a_stop_are_told_as_such() -> None:
    livelock = told(program(BASE), program(CHANGED["a livelock"]))
    assert [
        type(one.separation.difference) for one in livelock.shown if one.separation.side == "new"
    ] == [GoesOn]
    (shown,) = (one for one in livelock.shown if one.separation.side == "new")
    trace = shown.plays["new"]
    assert trace.loop is not None
    assert trace.positions[trace.loop] == trace.positions[-1]
    stuck = told(program(BASE), program(CHANGED["a player who is stuck"]))
    assert any(isinstance(one.separation.difference, Rests) for one in stuck.shown)


@pytest.mark.parametrize("game", ["mtg", "fftcg", "zx", "fow", "stack"])
def test_a_game_in_another_layout_and_with_other_numbers_is_the_same(game: str) -> None:
    source = game_source(game)
    once = load(Source(source.name, format_text(source)))
    stages = tuple(
        replace(stage, clauses=tuple(_numbered(clause) for clause in stage.clauses[::-1]))
        for stage in once.stages[::-1]
    )
    assert told(load_game(game), replace(once, stages=stages)).is_same


def _numbered(clause: ir.Clause) -> ir.Clause:
    return replace(clause, id=f"number-{clause.id}", title="something else", cites=())


@pytest.mark.parametrize(
    "reading", ["mtg@payment=announced", "stack@step4=next", "zx@points=priority"]
)
def test_readings_with_other_stages(reading: str) -> None:
    """Their positions are shared, and some are of stages that only one side has."""
    for old, new in ((reading.partition("@")[0], reading), (reading, reading.partition("@")[0])):
        assert set(told(load_game(old), load_game(new)).compared.separations) == {"old", "new"}


def test_names_that_stand_for_each_other() -> None:
    other = SAME["a kind renamed"].replace('token   "mark"', 'token   "another title"')
    assert not told(program(BASE), program(other)).is_same
    assert told(program(BASE), program(other), mark="token").is_same
    with pytest.raises(InputError) as wrong:
        told(program(BASE), program(other), nothing="token")
    assert [one.code for one in wrong.value.diagnostics] == ["C113"]


def test_a_name_cannot_stand_for_two() -> None:
    """If both a mark and a spell of the new rules were called spell, nothing would tell them
    apart.
    """
    with pytest.raises(InputError):
        told(program(BASE), program(BASE), spell="mark")


def test_the_scope_is_one_for_both() -> None:
    larger = program(BASE.replace("stack 1", "stack 3"))
    renaming = renaming_of(program(BASE), larger, {})
    old, new = scopes_of_both(program(BASE), larger, renaming, None, None, {"pool": 2})
    assert dict(old.sizes) == dict(new.sizes) == {"stack": 3, "pool": 2}
    with pytest.raises(InputError):
        scopes_of_both(program(BASE), larger, renaming, None, None, {"nowhere": 2})


def test_what_the_scope_cuts_is_no_difference_and_what_only_one_side_allows_beyond_it_is() -> None:
    """A second spell has no room; that the new rules forbid it is told, and the play ends before
    it.
    """
    base = BASE.replace("when stack is empty and not spent", "when size of stack < 2")
    found = told(program(base), program(BASE))
    (shown,) = (one for one in found.shown if one.separation.side == "old")
    assert shown.is_cut
    assert len(shown.plays["old"].steps) == 1
    assert told(program(base), program(base.replace("tally := 1", "tally := 0"))).shown == ()


CALM = (
    edited("stage decide(", "term calm means stack is empty\n\nstage decide(")
    + """
claims
  holds quiet "nobody casts while there is something"
    always (something is put on stack implies previously calm)
"""
)
DRAWN = ("when stack is empty and not spent", "when not spent and size of stack < 2")


@pytest.mark.parametrize(
    ("meaning", "by_other_terms", "fate"),
    [
        ("yes or stack is empty", False, "lost"),
        ("size of stack is 0", False, "lost"),
        ("yes", True, "kept"),
    ],
)
def test_a_claim_means_what_it_meant_whatever_its_terms_mean_now(
    meaning: str, by_other_terms: bool, fate: str
) -> None:
    """A term that was weakened does not hide what is lost; one that means nothing to the new rules
    is asked as it is there, and told.
    """
    old, new = (
        CALM,
        CALM.replace(*DRAWN).replace(
            "term calm means stack is empty", f"term calm means {meaning}"
        ),
    )
    if by_other_terms:
        old, new = (
            old.replace(
                "calm means stack is empty", "calm means stack is empty or spent and not spent"
            ),
            new.replace("spent", "used"),
        )
    sides = program(old), program(new)
    (asked,) = (
        one for one in questions_of_both(*sides, renaming_of(*sides, {})) if one.name == "quiet"
    )
    assert (asked.by_other_terms, asked.why_not) == (by_other_terms, "")
    scope = scope_of(sides[0], None, 2, {})
    (found,) = guarantees(*sides, [asked], lambda side, questions: check(side, questions, scope))
    assert found.fate == fate
