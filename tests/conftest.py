"""Options of the test run: ``--record`` writes the expected output of the cases anew, to be reviewed by ``git diff``."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the .expect files of tests/cases anew")


@pytest.fixture
def record(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--record"))
