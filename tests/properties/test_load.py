"""The catalogue, property files and claims."""

from __future__ import annotations

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.binding import binder
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import (
    CatalogueEntry,
    catalogue,
    catalogue_for,
    claims_of,
    property_named,
    typed_files,
)

from ..rulesets import ONE_PASS, properties_in
from .games import program

CATALOGUE = catalogue()


def codes(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [diagnostic.code for diagnostic in error.value.diagnostics]


def test_two_ask_what_a_player_can_enforce() -> None:
    assert {entry.name for entry in CATALOGUE if entry.is_strategy} == {"deny_window", "stall"}


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_every_property_says_what_it_is_and_why(entry: CatalogueEntry) -> None:
    assert entry.title
    assert entry.why
    assert not entry.title.endswith(".")
    assert not entry.why.endswith(".")
    assert entry.text


@pytest.mark.parametrize("game", game_names())
def test_the_catalogue_fits_every_game(game: str) -> None:
    loaded = load_game(game)
    for entry in CATALOGUE:
        assert property_named(loaded, entry.name).name == entry.name


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_claims_and_catalogue_fit_every_game_under_every_option(game: str) -> None:
    for option in load_game(game).options:
        values = [value for value, _ in option.values] or [
            str(number) for number in option.numbers or ()
        ]
        for value in values:
            loaded = load_game(game, {option.name: value})
            assert len(claims_of(loaded)) == len(loaded.claims)
            for entry in CATALOGUE:
                property_named(loaded, entry.name)


def test_an_unknown_property_gets_a_hint() -> None:
    with pytest.raises(InputError) as error:
        property_named(program(), "respons_window")
    assert codes(error) == ["P401"]
    assert error.value.diagnostics[0].hint == "did you mean `response_window`?"


def test_a_claim_with_a_formula_can_be_asked_by_its_name() -> None:
    game = program("holds own.claim\n  never (game is over and someone has priority)")
    assert property_named(game, "own.claim").text == "never (game is over and someone has priority)"


def test_claims_have_their_properties() -> None:
    game = program(
        'holds lifo\npossible ends "it ends" cites 1.2\n  possible game is over\nfails own_window '
        "when reading is relaxed"
    )
    claims = claims_of(game)
    assert [(typed.claim.expect, typed.property.name, typed.property.mode) for typed in claims] == [
        ("holds", "lifo", "always"),
        ("possible", "ends", "possible"),
    ]
    assert claims[1].property.title == "it ends"
    assert claims[1].property.source.name == "two.rules"


def test_claims_under_other_options_are_left_out() -> None:
    text = "fails own_window when reading is relaxed"
    assert claims_of(program(text)) == ()
    assert [typed.property.name for typed in claims_of(program(text, reading="relaxed"))] == [
        "own_window"
    ]


def test_all_mistakes_of_all_claims_are_told() -> None:
    game = program(
        "holds lfo\nholds a\n  never (clause 9 and sba)\npossible lifo\nholds "
        "hold_priority\nholds single_holder\n  always sba"
    )
    with pytest.raises(InputError) as error:
        claims_of(game)
    assert codes(error) == ["P401", "P101", "P404", "P404", "P403"]


ELSEWHERE = (
    "holds lifo\nholds far when reading is relaxed\n  never (sbaa and stack is empty)\npossible "
    "lifo when reading is relaxed\n"
    "holds gone when reading is relaxed\n  never clause 9\nlemma lfo when reading is relaxed"
)


@pytest.mark.parametrize("reading", ["strict", "relaxed"])
def test_mistakes_in_claims_under_any_options_are_told_in_every_run(reading: str) -> None:
    with pytest.raises(InputError) as error:
        claims_of(program(ELSEWHERE, reading=reading))
    assert codes(error) == ["R101", "P404", "P101", "P401"]
    first, source = error.value.diagnostics[0], program(ELSEWHERE).source
    assert first.span is not None
    assert source.text.splitlines()[first.span.line - 1][first.span.column - 1 :].startswith("sbaa")
    assert first.place == f"two.rules:{first.span.line}:{first.span.column}"


def test_what_only_other_readings_have_may_be_named_in_claims_about_them() -> None:
    text = (
        "possible a when reading is relaxed\n  possible clause 2.2 is possible\n"
        "impossible b when reading is strict\n  possible clause 2.2\n"
        "possible c when reading is relaxed\n  for some player p: possible p has priority and not "
        "at resolve\n"
    )
    assert [typed.property.name for typed in claims_of(program(text))] == ["b"]
    assert [typed.property.name for typed in claims_of(program(text, reading="relaxed"))] == [
        "a",
        "c",
    ]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("possible", "no_dead_clause"),
        ("impossible", "no_dead_clause"),
        ("vacuous", "hold_priority"),
    ],
)
def test_a_word_that_cannot_be_the_verdict_is_refused(word: str, name: str) -> None:
    with pytest.raises(InputError) as error:
        claims_of(program(f"{word} {name}"))
    assert codes(error) == ["P404"]


def test_a_file_of_properties_is_typed_whole() -> None:
    source = Source(
        "own.props",
        'property a "one"\n  why "because"\n  always sba\n\nproperty b "two"\n  possible game is '
        "over\n",
    )
    first, second = properties_in(source, program())
    assert (first.name, first.why, first.mode) == ("a", "because", "always")
    assert (second.name, second.source.name, second.span.line) == ("b", "own.props", 6)


def test_a_file_of_three_mistakes_gets_three_errors() -> None:
    source = Source(
        "own.props",
        'property a "one"\n  always sbaa\nproperty a "two"\n  sba\nproperty b "three"\n  never '
        "clause 7\n",
    )
    with pytest.raises(InputError) as error:
        properties_in(source, program())
    assert sorted(codes(error)) == ["P101", "P201", "P402", "R101"]


def test_what_is_too_large_in_two_properties_is_told_of_the_one_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the line of the file that says it, not in that of a term of the rules."""
    monkeypatch.setattr(binder, "MOST_INLINED", 500)
    doubled = "\n".join(f"term t{at} means t{at - 1} or not t{at - 1}" for at in range(1, 5))
    loaded = load(Source("big.rules", f"{ONE_PASS}\nterm t0 means stack is empty\n{doubled}\n"))
    large = " and ".join(["t4"] * 20)
    text = "".join(f'property {name} "it"\n  never ({large})\n' for name in ("one", "two"))
    for name, line in ("one", 2), ("two", 4):
        with pytest.raises(InputError) as error:
            typed_files(loaded, [Source("big.props", text)], [name])
        (mistake,) = error.value.diagnostics
        assert mistake.span is not None
        assert (mistake.code, mistake.span.line) == ("R305", line)


def test_of_a_game_without_a_turn_nothing_is_asked_about_turns() -> None:
    text = 'game "No turn"\nplayers 2\nstart only\nstage only\n  must 1 "on"\n    go only\n'
    asked = {entry.name for entry in catalogue_for(load(Source("a.rules", text)))}
    assert {entry.name for entry in CATALOGUE if not entry.is_strategy} - asked == {"turn_ends"}


# ------------------------------------------------------------------ lemmas


def test_a_lemma_may_use_those_above_it_and_any_other_property_all() -> None:
    text = (
        "holds lifo\nlemma one\n  never (game is over and sba)\nlemma other when reading is "
        "relaxed\n  never (game is over and sba)\n"
        "lemma single_holder\npossible hold_priority\nholds stack_drains"
    )
    game = program(text, reading="relaxed")
    known = {
        typed.property.name: [lemma.name for lemma in typed.property.lemmas]
        for typed in claims_of(game)
    }
    everything = ["one", "other", "single_holder"]
    assert known == {
        "lifo": everything, "one": [], "other": ["one"], "single_holder": ["one", "other"],
        "hold_priority": everything, "stack_drains": everything,
    }  # fmt: skip
    assert all(
        property_named(game, name).lemmas == typed.property.lemmas
        for typed in claims_of(game)
        for name in [typed.property.name]
    )
    assert [lemma.name for lemma in property_named(program(text), "complete").lemmas] == [
        "one",
        "single_holder",
    ]


def test_a_file_of_properties_has_lemmas() -> None:
    text = (
        'property a "a"\n  never sba\nlemma b "b"\n  why "it helps"\n  never sba\nlemma c "c"\n  '
        "never sba\n"
    )
    found = properties_in(Source("a.props", text), program())
    assert [[lemma.name for lemma in one.lemmas] for one in found] == [["b", "c"], [], ["b"]]
    assert found[1].why == "it helps"


@pytest.mark.parametrize(
    "formula",
    [
        "possible sba",
        "eventually sba",
        "sba leads to game is over",
        "for every clause c:\n    never (sba and clause c)",
    ],
)
def test_a_lemma_is_about_every_moment(formula: str) -> None:
    with pytest.raises(InputError) as error:
        properties_in(Source("a.props", f'lemma a "a"\n  {formula}\n'), program())
    assert codes(error) == ["P405"]
    with pytest.raises(InputError) as error:
        claims_of(
            program(
                f"lemma lfo\nlemma no_dead_clause\nlemma hold_priority\nlemma a\n  {formula}"
                "\nlemma b\n  never clause 9.9"
            )
        )
    assert codes(error) == ["P401", "P405", "P405", "P405", "P101"]
    with pytest.raises(InputError) as error:
        program("lemma a\n  never sba\nholds a\n  never sba")
    assert codes(error) == ["R110"]


UNTURNED = (
    'game "no turn, no items"\nplayers 2\nstart a\n\nstage a\n  may 1 "end it"\n    by active\n   '
    " game over\n\nclaims\n"
)


def test_what_the_rules_know_nothing_of_can_be_claimed_to_be_vacuous() -> None:
    """A game without items says nothing of who may answer them, and one without turns nothing of
    their ends.
    """
    named = {
        "hold_priority": "items",
        "deny_window": "items",
        "end_of_turn_response": "`step is ending`",
    }
    text = UNTURNED + "".join(f"  vacuous {name}\n" for name in named)
    bare = load(Source("bare.rules", text))
    asked = [typed.property for typed in claims_of(bare)]
    assert {one.name: one.absent for one in asked} == named
    for engine in (engine_named("reference"), engine_named("explicit")):
        found = check(bare, asked, make_scope(bare), engine=engine)
        assert {one.reason for one in found} == {
            f"because the rules know no {one.absent}" for one in asked
        }
        assert {one.outcome for one in found} == {Outcome.VACUOUS}
    assert property_named(bare, "stall").absent == ""  # that no turn ends is so
    assert property_named(program(), "hold_priority").absent == ""
