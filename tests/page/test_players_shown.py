"""Another number of players that is chosen on the page: the board, the answers, links and claims
are of such a table.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models.source import Source

from .browser import needs_chromium, opened
from .shown import agrees, numbers_in, ready
from .test_claim import is_found
from .test_players import LEAVING, leaving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "leaving.rules").write_text(LEAVING, encoding="utf-8")
    run(["page", str(folder / "leaving.rules"), "-o", str(folder / "leaving.html")])
    run(["page", str(folder / "leaving.rules"), "--players", "2", "-o", str(folder / "two.html")])
    return folder / "leaving.html"


def test_a_larger_table_is_played_held_by_the_link_and_claimed(
    browser: Browser, written: Path
) -> None:
    scope = make_scope(leaving(), players=5)
    with opened(browser, written) as page:
        ready(page)
        assert page.locator(".lane").count() == 3
        page.click(".choices button >> nth=-1")
        page.select_option("#play-reading-0", "5")
        assert page.inner_text(".count") == "move 0 of 0"
        for _ in range(4):
            agrees(page, leaving(), scope)
            page.click(".choices button >> nth=0")
        agrees(page, leaving(), scope)
        link = page.evaluate("location.hash")
        text = page.text_content(".save pre") or ""
        assert "needs players 5" in text
        is_found(
            Source("leaving.rules", LEAVING), {"text": text, "numbers": numbers_in(page)}, scope
        )
    with opened(browser, written, link) as page:
        ready(page)
        agrees(page, leaving(), scope)
        assert page.input_value("#play-reading-0") == "5"
    for wrong in ("-5", "-99", "-4-4"):
        with opened(browser, written, link.replace("-4", wrong)) as page:
            ready(page)
            assert "a reading, or a number of players, that this page" in page.inner_text(".note")
    with opened(browser, written.with_name("two.html"), link) as page:
        ready(page)
        assert "of a page of another reading, of other players" in page.inner_text(".note")


def test_a_larger_table_is_asked(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        page.wait_for_selector("html[data-asks]")
        page.select_option("#ask-reading-0", "4")
        page.click("text=Ask with these settings")
        # Answers stand there as they come; this is told when all do.
        page.wait_for_selector("#ask [role=status]:has-text('With 4 players, stack 2 there are')")
        row = page.locator(".answers li:has-text('full.table')")
        assert "above: UNKNOWN" in row.inner_text()
        row.locator("button").click()
        assert page.locator(".lane").count() == 4
        agrees(page, leaving(), make_scope(leaving(), players=4))
        page.select_option("#ask-reading-0", "1")
        page.click("text=Ask with these settings")
        page.wait_for_selector("#ask [role=status]:has-text('With 1 player,')")
        page.wait_for_selector(
            "#ask [role=status]:has-text('1 more needs more players than you chose')"
        )
        assert page.locator(".answers li:has-text('fourth.table')").count() == 0


def test_a_play_that_needs_more_players_than_the_page_begins_with_is_stepped_through(
    browser: Browser, written: Path
) -> None:
    with opened(browser, written) as page:
        ready(page)
        assert page.locator(".lane").count() == 3
        page.click(".verdict:has-text('fourth.table') summary >> nth=0")
        page.click(".verdict:has-text('fourth.table') button")
        assert page.locator(".lane").count() == 4
        agrees(page, leaving(), make_scope(leaving(), players=4))


def test_players_are_chosen_by_keyboard_on_a_phone(browser: Browser, written: Path) -> None:
    with opened(browser, written, width=390) as page:
        ready(page)
        page.wait_for_selector("html[data-asks]")
        for name in ("play", "ask"):
            page.focus(f"#{name}-reading-0")
            page.keyboard.press("ArrowDown")
            assert page.input_value(f"#{name}-reading-0") == "4"
        assert page.locator(".lane").count() == 4
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.get_by_label("players", exact=True).count() == 2
