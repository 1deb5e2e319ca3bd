"""Edits told as the questions whose answers change: each edit has one, and two edits have both."""

from __future__ import annotations

import pytest

from stacklaw.checker.diff.diff import difference, scopes_of_both
from stacklaw.checker.diff.renaming import renaming_of
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.rulings.changed import ChangedRulings, changed_rulings
from stacklaw.checker.types.budget import Meter
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source

NEXT = "    go check(after passer)", "    go check(passer)"
AFTER = (
    "    do let_things_happen\n    go check(active)\n\nstage told",
    "    do let_things_happen\n    go check(after active)\n\nstage told",
)
EDITS = [
    ("mtg", [NEXT], "A passes: who has priority?", "B", "A"),
    ("mtg", [AFTER], "A casts an instant spell; A passes; B passes: who has priority?", "A", "B"),
    ("zx", [("    go preprocess(grant, after p)", "    go preprocess(grant, p)")],
     "A begins a battle; A performs an action that the rules allow: who has priority?", "B", "A"),
    ("zx", [('  maybe "an automatic ability of the other player triggers"\n    put automatic_ability by after active on triggered\n', "")],
     "what may the cards cause?",
     "a Rule Effect becomes due; an automatic ability of the other player triggers; an automatic ability of the turn player triggers",
     "a Rule Effect becomes due; an automatic ability of the turn player triggers"),
]  # fmt: skip


def changed(game: str, edits: list[tuple[str, str]]) -> ChangedRulings:
    source = game_source(game)
    text = source.text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    programs = load(source), load(Source(source.name, text))
    renaming = renaming_of(*programs, {})
    meter = Meter()
    return changed_rulings(
        difference(*programs, scopes_of_both(*programs, renaming, None, None, {}), renaming, meter),
        meter,
    )


@pytest.mark.parametrize(("game", "edits", "question", "before", "after"), EDITS)
def test_an_edit_is_told_as_a_question(
    game: str, edits: list[tuple[str, str]], question: str, before: str, after: str
) -> None:
    found = changed(game, edits)
    told = {one.question: one for one, _ in found.questions}
    assert question in told
    assert told[question].before.answers[0].agrees(before)
    assert told[question].after.answers[0].agrees(after)


def test_the_question_has_these_answers_when_it_is_asked() -> None:
    """What is told is what `ask` answers of either side."""
    (one, _), *_ = changed("mtg", [AFTER]).questions
    for ruling in (one.before, one.after):
        assert (
            ask(ruling.program, one.question, ruling.scope).answers[0].value
            == ruling.answers[0].value
        )


def test_one_edit_does_not_hide_another() -> None:
    questions = {one.question: by for one, by in changed("mtg", [NEXT, AFTER]).questions}
    assert ("117.3d/c",) in questions.values()
    assert ("608.2",) in questions.values()


def test_of_a_clause_that_goes_where_only_the_new_rules_have_a_stage() -> None:
    """Alone in the old rules it would go nowhere, so it is told with the others or not at all."""
    old, new = load_game("mtg"), load_game("mtg@payment=announced")
    renaming, meter = renaming_of(old, new, {}), Meter()
    found = changed_rulings(
        difference(old, new, scopes_of_both(old, new, renaming, None, None, {}), renaming, meter),
        meter,
    )
    assert not any("117.1a/a" in by for one, by in found.questions if len(by) == 1)


def test_what_is_the_same_game_has_no_question() -> None:
    assert (
        changed("mtg", [('"pass" cites 117.3d/a', '"pass priority" cites 117.3d/a')])
        == ChangedRulings()
    )
