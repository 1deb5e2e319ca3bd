"""Riftbound: exact sizes, every claim as stated under every reading."""

from __future__ import annotations

import pytest

from stacklaw.checker.types.verdict import Counts
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, sizes_of

SIZES = {
    "riftbound": Counts(44652, 145240, 76, 39712),
    "riftbound@first=creator": Counts(44828, 145416, 76, 39712),
    "riftbound@adding=passes": Counts(41452, 113240, 76, 39712),
}


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@pytest.mark.parametrize("game", SIZES)
def test_every_claim_is_as_stated(game: str) -> None:
    program = load_game(game)
    assert_as_stated(program, claims_of(program))


def test_every_statement_of_the_document_is_covered() -> None:
    assert_covered("riftbound")
