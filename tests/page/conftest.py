"""A browser, and the page of a small game, for every file of tests here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.cli.asking.reading import read_target

from .browser import chromium
from .shown import OPTIONS, SMALL, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened_browser:
        yield opened_browser


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "small.rules").write_text(SMALL, encoding="utf-8")
    file = str(folder / "small.rules")
    program, questions, _ = read_target(file, {}, (), (), with_claims=True)
    return written(
        folder / "small.html",
        program,
        ask(file, asked_by(OPTIONS)),
        properties=[one for one, _, _ in questions],
    )
