"""Stepping through the play of a verdict: its name, its words and its reasons stay beside the
board.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.models.load import load
from stacklaw.models.source import Source

from .browser import needs_chromium, opened
from .shown import OPTIONS, SMALL, ready, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]

CLAIMS = """
claims "What can wait?"
  fails not.twice "two are never put"
    for every item i, item j: never (i is put on stack and previously once j is put on stack)
claims "What resolves?"
  fails one.resolves
    never something resolves
  holds one.breaks
    never size of stack is 2
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    file = folder / "told.rules"
    file.write_text(SMALL + CLAIMS, encoding="utf-8")
    program = load(Source("told.rules", SMALL + CLAIMS))
    return written(folder / "told.html", program, ask(str(file), asked_by(OPTIONS)))


def step(page: Page, name: str, what: str = "text=Step through this play") -> None:
    """Put the play of the verdict with that *name* on the board."""
    row = f".verdict:has(.name:text-is('{name}'))"
    if not page.locator(row).get_attribute("open"):
        page.locator(row).evaluate("one => { one.open = true; }")
    page.click(f"{row} >> {what}")


def test_the_reasons_stay_beside_the_board_and_the_break_is_marked(
    browser: Browser, told: Path
) -> None:
    with opened(browser, told) as page:
        ready(page)
        assert page.is_hidden(".because")
        step(page, "one.breaks")
        assert page.inner_text(".because h4") == "Why it breaks, at move 2:"
        reasons = page.locator(".because li").all_inner_texts()
        assert [" ".join(one.split()) for one in reasons] == ["yes size of stack is 2"]
        marked = page.locator(".made button:has-text('Here it breaks.')")
        assert marked.count() == 1
        assert marked.get_attribute("aria-current") == "step"
        assert page.locator(".kept .wrong").count() == 1  # that break is not expected
        page.keyboard.press("ArrowLeft")
        assert page.is_visible(".because")  # on every move of its play
        assert page.locator(".made button:has-text('Here it breaks.')").count() == 1
        page.click("text=start over")
        assert page.is_hidden(".because")


def test_a_link_leads_to_the_play_of_a_verdict(browser: Browser, told: Path) -> None:
    with opened(browser, told) as page:
        verdict = page.locator(".verdict:has(.name:text-is('one.breaks'))")
        place = verdict.locator("[id^=V]").get_attribute("id")
    for link, count in ((f"#show-{place}", "move 2 of 2"), ("#show-nothing", "move 0 of 0")):
        with opened(browser, told, link) as page:
            ready(page)
            assert page.inner_text(".count") == count


def test_items_are_called_as_the_verdict_calls_them(browser: Browser, told: Path) -> None:
    with opened(browser, told) as page:
        ready(page)
        step(page, "not.twice")
        assert page.locator(".pile li").all_inner_texts() == [
            "A's 2nd spell, i",
            "A's 1st spell, j",
        ]
        assert "A's 2nd spell is put on the stack." in page.inner_text(".last")
        page.keyboard.press("ArrowLeft")
        assert page.locator(".pile li").all_inner_texts() == ["A's 1st spell, j"]
        page.click(".choices button:has-text('pass')")  # another play: nothing is said of it
        assert page.locator(".pile li").all_inner_texts() == ["A's spell"]


def test_rows_of_a_play_lead_to_the_board_and_to_the_rules(browser: Browser, told: Path) -> None:
    with opened(browser, told) as page:
        ready(page)
        step(page, "one.resolves")
        assert page.inner_text(".kept .end").strip() == "Here it breaks."
        assert page.locator(".kept .wrong").count() == 0
        step(page, "one.resolves", "[data-at='1']")
        assert page.inner_text(".count").startswith("move 1 of ")
        assert page.inner_text(".kept") == "one.resolves fails, as the author says."
        assert "after move 1 of " in page.inner_text(".note")
        page.click(".verdict[open] .play-lanes a.id >> nth=0")
        line = page.evaluate("document.querySelector(location.hash).textContent")
        assert 'may 1.1 "cast a spell"' in line


def test_all_of_it_is_in_sight_on_a_phone(browser: Browser, told: Path) -> None:
    """What decides comes before the board, and the parts of the page fit beside each other."""
    with opened(browser, told, width=390) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        ready(page)
        nav = page.locator("nav")
        assert nav.evaluate("one => one.scrollWidth <= one.clientWidth")
        step(page, "one.breaks")
        top = {
            name: page.locator(name).bounding_box() for name in (".because", ".last", ".choices")
        }
        because, last, choices = (box["y"] if box else -1 for box in top.values())
        assert because < last < choices


def test_verdicts_stand_under_their_headings(browser: Browser, told: Path) -> None:
    with opened(browser, told, width=390) as page:
        ready(page)
        heads = page.locator(".verdicts > h3")
        assert heads.all_inner_texts()[-3:] == ["What can wait?", "What resolves?", "Not claimed"]
        first = page.locator(".verdicts").first
        assert first.locator("h3").count() == 0  # what is not met comes first
        assert first.locator(".name").first.inner_text() == "one.breaks"
        page.fill("#verdict-filter", "not.twice")
        assert page.locator(".verdicts > h3:visible").all_inner_texts() == ["What can wait?"]
