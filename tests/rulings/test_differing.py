"""Edits told as the questions whose answers change: each edit has one, and two edits have both."""

from __future__ import annotations

import pytest

from stacklaw.checker.diff.diff import difference, scopes_of_both
from stacklaw.checker.diff.larger import difference_told
from stacklaw.checker.diff.same import renaming_of
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.rulings.differing import ChangedRulings, changed_rulings
from stacklaw.checker.situations.words import does
from stacklaw.checker.types.budget import Meter
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source

NEXT = "    go check(after passer)", "    go check(passer)"
AFTER = (
    "    do let_things_happen\n    go check(active)\n\nstage told",
    "    do let_things_happen\n    go check(after active)\n\nstage told",
)
LAND = '"play a land"\n    when own_main_phase(holder)\n'
BEGINS = "\n  by_pass := no\n  acted"
CLOSED = [
    ("  offered : flag ", "  closed : flag\n  offered : flag "),
    (BEGINS, BEGINS.replace("\n", "\n  closed := no\n", 1)),
    ("      due := no\n      do", "      due := no\n      closed := yes\n      do"),
    ("when holder is active and", "when not closed and holder is active and"),
]
EDITS = [
    ("mtg", [NEXT], "A passes: who has priority?", "B", "A"),
    ("mtg", [AFTER], "A casts an instant spell; A passes; B passes: who has priority?", "A", "B"),
    (
        "zx",
        [("    go preprocess(grant, after p)", "    go preprocess(grant, p)")],
        "A begins a battle; A performs an action that the rules allow: who has priority?",
        "B",
        "A",
    ),
    (
        "zx",
        [
            (
                '  maybe "an automatic ability of the other player triggers"\n    put '
                "automatic_ability "
                "by after active on triggered\n",
                "",
            )
        ],
        "what may the cards cause?",
        "a Rule Effect becomes due; an automatic ability of the other player triggers; an "
        "automatic ability of the turn player triggers",
        "a Rule Effect becomes due; an automatic ability of the turn player triggers",
    ),
    # It looks like an activated ability, but players say what they do.
    (
        "mtg",
        [(LAND, f"{LAND}    put ability on stack\n")],
        "A takes a special action of the main phase: what happens next?",
        "end step begins",
        "A's ability resolves",
    ),
    (
        "stack",
        [
            (
                "    when own_turn(holder)\n    go resolved(active)",
                "    when own_turn(holder)\n    go decide(active)",
            )
        ],
        "A buys a card: what may the cards cause?",
        "nothing; then, as the stack is empty: the turn owner has priority: an ability triggers; a "
        "hybrid ability",
        "nothing",
    ),
    # What differs comes by itself, in another step.
    pytest.param(
        "fftcg",
        CLOSED,
        "in the Main Phase 1; a rules process becomes due: may A play a Character from hand?",
        "yes, now",
        "no",
        marks=pytest.mark.slow,
    ),
]
SETTLE = "do happenings\n    do count_one\n    go settle(after active)"
PAIRS = [
    (
        "mtg",
        ("117.1c/b", "passed := none", "put ability on stack\n    passed := none"),
        ("117.2c/a", "if step is untap", "if step is untap and waiting is empty"),
    ),
    (
        "fftcg",
        ("FF-21", "go end_action(holder)", "go hand_over(holder)"),
        ("FF-57", "when not only_passing", "when not only_passing and stack is empty"),
    ),
    (
        "fow",
        ("FOW-8.3c", "go next_sequence", SETTLE),
        ("FOW-21", "go done_by(holder)", "go done_by(after holder)"),
    ),
    (
        "stack",
        (
            "STK-9",
            "go decide(after controller of top of stack)",
            "go decide(controller of top of stack)",
        ),
        ("D-13", "go resolved(active)", "go decide(after active)"),
    ),
    (
        "zx",
        ("ZX-6/over", "end battle\n", "end battle\n    advance\n"),
        ("ZX-5/perform", "go performed(p)", "go performed(after p)"),
    ),
]
"""Of each game an edit that was meant, and one that hides behind it; each with its clause."""


def changed(game: str, edits: list[tuple[str, str]]) -> ChangedRulings:
    text = game_source(game).text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return changed_to(game, text)


def changed_to(game: str, text: str) -> ChangedRulings:
    source = game_source(game)
    programs = load(source), load(Source(source.name, text))
    renaming = renaming_of(*programs, {})
    meter = Meter()
    scopes = scopes_of_both(*programs, renaming, None, None, {})
    return changed_rulings(difference_told(*programs, scopes, renaming, meter), meter)


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


@pytest.mark.slow
@pytest.mark.parametrize(("game", "meant", "hidden"), PAIRS, ids=[game for game, *_ in PAIRS])
def test_an_edit_that_was_meant_does_not_hide_another(
    game: str, meant: tuple[str, str, str], hidden: tuple[str, str, str]
) -> None:
    text = game_source(game).text
    for clause, old, new in (meant, hidden):
        before, there, rest = text.partition(f' {clause} "')
        assert old in rest
        text = before + there + rest.replace(old, new, 1)
    found = changed_to(game, text)
    by = [clauses for _, clauses in found.questions]
    assert (meant[0],) in by
    assert (hidden[0],) in by
    assert not found.untold


def test_a_title_with_a_comma_behind_its_verb_makes_a_statement() -> None:
    """Where attackers and blockers were chosen so, nothing after that was ever asked."""
    assert does(0, "attack, with a legal J/resonator") == "A attacks with a legal J/resonator"


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
