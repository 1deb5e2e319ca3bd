"""Why a clause cannot be used, as the page shows it: by keys, and back to the move that changed
what it rests on.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.models.load import load
from stacklaw.models.source import Source

from .browser import needs_chromium, opened
from .shown import SMALL, ready, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.long]


def reasons(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".reasons > li").all_inner_texts()]


def test_why_not_is_opened_by_keys_and_leads_to_the_move(browser: Browser, small: Path) -> None:
    with opened(browser, small, width=390, color_scheme="dark") as page:
        ready(page)
        page.click(".choices button >> nth=-1")
        page.click(".choices button >> nth=0")
        page.focus(".why > summary")
        page.keyboard.press("Enter")
        assert reasons(page) == ["A has no priority, changed last by move 2 (1.2)"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("Tab")
        assert (
            page.evaluate("document.activeElement.getAttribute('aria-label')")
            == "move 2: A 1.2 pass"
        )
        page.keyboard.press("ArrowLeft")
        assert page.inner_text(".count") == "move 1 of 2"
        assert reasons(page) == ["B has no priority, so from the start"]


def test_what_has_no_room_is_not_said_to_be_against_the_rules(
    browser: Browser, small: Path
) -> None:
    with opened(browser, small) as page:
        ready(page)
        page.click(".choices button >> nth=-1")
        page.click(".choices button >> nth=-1")
        assert page.inner_text(".why > summary") == "Why not? 1 clause cannot be used now"
        page.click(".why > summary")
        first, second = reasons(page)
        assert first == "B has no priority, so from the start"
        assert second == "A 1.1 cast a spell the rules allow it, but a zone has no room for it here"


def test_a_gap_is_one_in_the_rules_whatever_the_page_cuts(browser: Browser, tmp_path: Path) -> None:
    counting = SMALL.replace(
        "  passed : players\n", "  passed : players\n  casts : 0 to 2\n"
    ).replace("    put spell on stack", "    put spell on stack\n    casts := casts + 1")
    rules = counting.replace('may 1.2 "pass"', 'may 1.2 "pass"\n    when casts < 2')
    path = written(tmp_path / "gap.html", load(Source("gap.rules", rules)))
    with opened(browser, path) as page:
        ready(page)
        page.click(".choices button >> nth=-1")
        page.click(".choices button >> nth=-1")
        assert "This is a gap in the rules." in page.inner_text(".moves")
        page.click(".why > summary")
        assert reasons(page)[1:] == [
            "A 1.1 cast a spell casts would leave its range, 0 to 2, changed last by move 2 (1.1)",
            "A 1.2 pass casts >= 2, changed last by move 2 (1.1)",
        ]
