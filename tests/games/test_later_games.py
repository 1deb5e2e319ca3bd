"""Netrunner, Riftbound, Flesh and Blood: exact sizes, every claim as stated under every reading,
every statement of their documents covered.
"""

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
    "riftbound": Counts(44652, 145240, 76, 39712),
    "riftbound@first=creator": Counts(44828, 145416, 76, 39712),
    "riftbound@adding=passes": Counts(41452, 113240, 76, 39712),
    "flesh": Counts(17426, 36558, 87, 4928),
    "flesh@negated=priority": Counts(17806, 37256, 87, 5036),
    "flesh@closed=written": Counts(17426, 36554, 87, 4928),
}


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@pytest.mark.parametrize("game", [*SIZES, "flesh@swift=yes", "flesh@swift=yes,queued=at_once"])
def test_every_claim_is_as_stated(game: str) -> None:
    program = load_game(game)
    assert_as_stated(program, claims_of(program))


@pytest.mark.parametrize("game", ["netrunner", "riftbound", "flesh"])
def test_every_statement_of_the_document_is_covered(game: str) -> None:
    assert_covered(game)
