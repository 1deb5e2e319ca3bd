"""A reading that is switched on the page: the board, the answers and links are of that reading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models.load import load_game

from .browser import needs_chromium, opened
from .shown import act, agrees, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]

RULES = """
game "Two readings"
source "a test"
players 2
scope players 2, stack 2
start act(active)
option casting "who casts" cites 1
  anybody "whoever has priority"
  alone    "the active player alone"
option ending "how it ends"
  late "on a full pass"
  soon "at once"
items
  spell "a spell"
zones
  stack last in first out
state
  passed : players
stage act(holder: player) "a player has priority"
  priority holder
  may 1 "cast a spell"
    when casting is anybody or holder is active
    put spell on stack
    passed := none
    go act(after holder)
  may 2 "pass"
    pass
    passed += holder
    if passed is everyone or ending is soon
      game over
    else
      go act(after holder)
  may 3 "end it"
    when ending is soon
    go end
stage end "the end"
  must 4 "it ends"
    game over
claims
  possible two.casters "both cast"
    for some player p: possible p uses 1 and previously once after p uses 1
  fails only.active
    for every player p: never (p uses 1 and p is not active)
  holds never.ends "nobody ends it"
    never at end
claims when casting is anybody
  possible passed.twice
    possible passed is everyone
claims when casting is alone
  impossible passed.twice
    possible passed is everyone
claims when ending is soon
  possible the.end
    possible at end
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "two.rules").write_text(RULES, encoding="utf-8")
    run(["page", str(folder / "two.rules"), "-o", str(folder / "two.html")])
    return folder / "two.html"


def test_a_reading_is_played_and_held_by_the_link(browser: Browser, written: Path) -> None:
    program = load_game(str(written.with_suffix(".rules")), {"casting": "alone", "ending": "soon"})
    scope = make_scope(program)
    with opened(browser, written) as page:
        ready(page)
        act(page, "cast")
        assert "end it" not in (page.text_content(".why") or "")
        page.click("#play .reading summary")
        page.select_option("#play-reading-0", index=1)
        page.select_option("#play-reading-1", index=1)
        assert page.inner_text("#play .reading summary") == "Reading: casting alone and ending soon"
        assert page.locator(".choices button").count() == 3
        act(page, "cast")
        agrees(page, program, scope)
        assert "claims when casting is alone and ending is soon" in (
            page.text_content(".save pre") or ""
        )
        assert "B is not active" in (page.text_content(".why") or "")
        link = page.evaluate("location.hash")
        assert "-1-1." in link
    with opened(browser, written, link) as page:
        ready(page)
        agrees(page, program, scope)
        assert "ending soon" in page.inner_text("#play .reading summary")
    for wrong in ("-1", "-1-1-1", "-1-2", "-1-99"):
        with opened(browser, written, link.replace("-1-1", wrong)) as page:
            ready(page)
            assert "a reading, or a number of players, that this page" in page.inner_text(".note")


def test_a_reading_is_asked(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        page.wait_for_selector("html[data-asks]")
        page.click("#ask .reading summary")
        page.select_option("#ask-reading-0", index=1)
        page.select_option("#ask-reading-1", index=1)
        page.click("text=Ask with these settings")
        page.wait_for_selector(
            "#ask [role=status]:has-text('With stack 2, casting alone, ending soon there are')"
        )
        assert "What holds there and is broken here: never.ends." in page.inner_text(
            "#ask [role=status]"
        )
        assert "above: VIOLATED" in page.inner_text(".answers li:has-text('only.active')")
        assert "above: POSSIBLE" in page.inner_text(".answers li:has-text('passed.twice')")
        row = page.locator(".answers li:has-text('the.end')")
        assert "POSSIBLE" in row.inner_text()
        assert "not asked above" in row.inner_text()
        row.locator("button").click()
        assert "ending soon" in page.inner_text("#play .reading summary")
        assert page.inner_text(".count") == "move 1 of 1"
        page.select_option("#ask-reading-1", index=0)
        page.click("text=Ask with these settings")
        page.wait_for_selector("#ask [role=status]:has-text('casting alone there')")
        assert page.locator(".answers li:has-text('the.end')").count() == 0
