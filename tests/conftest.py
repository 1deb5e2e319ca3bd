"""Options of the test run: ``--record`` writes the expected output of the cases anew, to be reviewed by ``git diff``."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the .expect files of tests/cases anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that no worker is left with a long one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture
def record(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--record"))
