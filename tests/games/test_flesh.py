"""Flesh and Blood: exact sizes, every claim as stated under every reading."""

from __future__ import annotations

import pytest

from stacklaw.checker.types.verdict import Counts
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, sizes_of

SIZES = {
    "flesh": Counts(17426, 36558, 87, 4928),
    "flesh@negated=priority": Counts(17806, 37256, 87, 5036),
    "flesh@closed=written": Counts(17426, 36554, 87, 4928),
}


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game)[0] == SIZES[game]


@pytest.mark.parametrize("game", [*SIZES, "flesh@swift=yes", "flesh@swift=yes,queued=at_once"])
def test_every_claim_is_as_stated(game: str) -> None:
    program = load_game(game)
    assert_as_stated(program, claims_of(program))


def test_every_statement_of_the_document_is_covered() -> None:
    assert_covered("flesh")
