"""Cases of options that are left open: as boxes, as a and in words."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.options.cases import Case, boxes, cases_of, in_words
from stacklaw.models.options.configure import configure
from stacklaw.models.source import Source

from ..luck import tries
from ..rulesets import ONE_PASS

OPTIONS = """\
option way "how"
  up "up"
  down "down"
  left "left"
option cards "how many" from 2 to 6 default 3
option late "when"
  no "now"
  yes "later"
items
"""
PROGRAM = load(
    Source("open.rules", ONE_PASS.replace("items\n", OPTIONS, 1)), {"late": "yes"}, ("way", "cards")
)
CASES = cases_of(PROGRAM.open_options)


def test_what_is_left_open_has_no_setting() -> None:
    assert [option.name for option in PROGRAM.open_options] == ["way", "cards"]
    assert PROGRAM.settings == (("late", "yes"),)
    assert PROGRAM.name == "open@late=yes"
    assert list(product(("up", "down", "left"), range(2, 7))) == CASES
    settled = configure(PROGRAM, {"way": "down", "cards": "6"})
    assert (settled.open_options, dict(settled.settings)) == (
        (),
        {"way": "down", "cards": 6, "late": "no"},
    )
    with pytest.raises(InputError):
        configure(PROGRAM, {"way": "sideways"})


@tries(60)
@given(st.sets(st.sampled_from(CASES)))
def test_sets_of_cases(chosen: set[Case]) -> None:
    """Boxes have every case once."""
    cases = [case for case in CASES if case in chosen]
    assert sorted(case for box in boxes(cases) for case in product(*box)) == sorted(cases)


WORDS: dict[str, list[Case]] = {
    "": CASES,
    "way is not left": [case for case in CASES if case[0] != "left"],
    "way is up": [case for case in CASES if case[0] == "up"],
    "cards is at most 4": [case for case in CASES if case[1] in (2, 3, 4)],
    "cards is 3 or 4": [case for case in CASES if case[1] in (3, 4)],
    "cards is 3 to 5": [case for case in CASES if case[1] in (3, 4, 5)],
    "cards is at most 3 or at least 5": [case for case in CASES if case[1] != 4],
    "way is up and cards is at least 3, or way is down and cards is 6": [
        ("up", 3),
        ("up", 4),
        ("up", 5),
        ("up", 6),
        ("down", 6),
    ],
}


@pytest.mark.parametrize("words", WORDS)
def test_in_words(words: str) -> None:
    assert in_words(PROGRAM.open_options, WORDS[words]) == words
