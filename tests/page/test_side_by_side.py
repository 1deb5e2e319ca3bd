"""The comparison as pages: an answer that has a play leads to the board where that play is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.cli.commands.compare import compare_command

from .browser import needs_chromium, opened
from .shown import ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages") / "side" / "by side"
    asked = ["-p", "response_window", "-p", "one_chance", "-p", "single_holder"]
    assert not compare_command.main(
        ["stack", "zx", *asked, "--html", str(found)], standalone_mode=False
    )
    return found


def test_an_answer_leads_to_its_play(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "index.html") as page:
        assert page.locator(".matrix").first.locator("tbody tr").count() == 2
        assert page.inner_text("summary") == "The same in all: 1 more"
        assert page.locator("td a").all_inner_texts() == ["no, 3", "no, 11"]
        page.click("text=no, 11")
        ready(page)
        assert page.title().startswith("stack:")
        assert page.inner_text(".because b").startswith("one_chance")
        assert "move 11 of 11" in page.inner_text("#play-view")


def test_a_name_that_no_verdict_has_is_nothing(browser: Browser, folder: Path) -> None:
    for link in ("#show=nothing", "#show=%E0%A4%A", "#show="):
        with opened(browser, folder / "2-zx.html", link) as page:
            ready(page)
            assert page.is_hidden(".because")


def test_narrow_windows_scroll_the_table_alone(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "index.html", width=390) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
