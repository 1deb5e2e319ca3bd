"""Netrunner: exact sizes, every claim as stated under every reading, the plays of the findings."""

from __future__ import annotations

import pytest

from stacklaw.checker.types.verdict import Counts
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, sizes_of

SIZES = {
    "netrunner": Counts(27272, 41053, 215, 2328),
    "netrunner@leaving=at_once": Counts(26152, 39023, 183, 2232),
    "netrunner@closing=structures": Counts(26790, 40405, 215, 2256),
}


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@pytest.mark.parametrize("game", SIZES)
def test_every_claim_is_as_stated(game: str) -> None:
    program = load_game(game)
    assert_as_stated(program, claims_of(program))


def test_every_statement_of_the_document_is_covered() -> None:
    assert_covered("netrunner")
