"""Playing on a page, by mouse, by keys and by touch: what it shows is what the interpreter says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_names
from stacklaw.models.source import Source

from .browser import needs_chromium, opened
from .shown import SMALL, agrees, numbers_in, ready, shown, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


@pytest.mark.parametrize("name", game_names())
def test_what_is_chosen_is_what_the_interpreter_does(name: str, browser: Browser, tmp_path: Path) -> None:
    program = load_game(name)
    path, chance = written(tmp_path / "game.html", program), random.Random(name)
    assert path.stat().st_size < 1_000_000
    with opened(browser, path) as page:
        ready(page)
        for _ in range(60):
            buttons = page.query_selector_all(".choices button")
            if not buttons:
                page.click("text=undo")
                continue
            chance.choice(buttons).click()
        agrees(page, program, make_scope(program))
        assert len(numbers_in(page)) > 5


def test_a_play_forth_and_back_and_undone(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        ready(page)
        for number in (0, 0, 1, 1):
            page.click(f".choices button >> nth={number if number < 1 else page.locator('.choices button').count() - 1}")
            agrees(page, program, make_scope(program))
        assert page.inner_text(".count") == "move 4 of 4"
        page.click("text=◀ back")
        page.click("text=◀ back")
        assert page.inner_text(".count") == "move 2 of 4"
        page.click(".choices button >> nth=-1")
        assert page.inner_text(".count") == "move 3 of 3"
        page.click("text=undo")
        assert page.inner_text(".count") == "move 2 of 4"
        page.click("text=end")
        assert page.inner_text(".count") == "move 4 of 4"
        page.click(".made button >> nth=0")
        assert page.inner_text(".count") == "move 1 of 4"
        page.click("text=start over")
        assert page.inner_text(".count") == "move 0 of 0"
        assert page.is_disabled("text=◀ back")


def test_keys_are_enough(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.choices') !== null"):
                break
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert page.inner_text(".count") == "move 2 of 2"
        page.keyboard.press("ArrowLeft")
        assert page.inner_text(".count") == "move 1 of 2"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.inner_text(".count") == "move 3 of 3"  # one move only was left: a pass


def test_swiping_steps(browser: Browser, small: Path) -> None:
    swipe = """([from, to]) => {
      const board = document.getElementById("play-view");
      const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 300 });
      board.dispatchEvent(new TouchEvent("touchstart", { changedTouches: [touch(from)] }));
      board.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
    }"""
    with opened(browser, small, width=390, has_touch=True) as page:
        ready(page)
        page.tap(".choices button >> nth=0")
        page.evaluate(swipe, [100, 300])
        assert page.inner_text(".count") == "move 0 of 1"
        page.evaluate(swipe, [300, 100])
        assert page.inner_text(".count") == "move 1 of 1"
        page.evaluate(swipe, [300, 280])
        assert page.inner_text(".count") == "move 1 of 1"


def test_a_link_holds_the_play_and_other_rules_refuse_it(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        page.click(".choices button >> nth=0")
        page.click(".choices button >> nth=0")
        link = page.get_attribute(".link", "href") or ""
        before = shown(page)
    assert re.fullmatch(r"#play=[0-9a-f]{12}\.0\.0", link)
    with opened(browser, small, link) as page:
        ready(page)
        assert shown(page) == before
    for wrong, why in (
        (f"#play=0{'1' * 11}.0.0", "other rules"),
        (f"{link}.z", "Move 3 of the link is not possible"),
        ("#play=<b>", "holds no play"),
        (f"{link}{'.1' * 2001}", "more than 2000 moves"),
    ):
        with opened(browser, small, wrong) as page:
            ready(page)
            assert why in page.inner_text(".note")
            assert page.inner_text(".count") == "move 0 of 0"


def test_the_plays_of_verdicts_are_stepped_through(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        ready(page)
        names = page.eval_on_selector_all(
            ".verdict", "all => all.filter(o => o.querySelector('[data-row]')).map(o => o.querySelector('.name').textContent)"
        )
        assert {"two.spells", "one.spell"} <= set(names)
        assert "three.players" not in names
        for number in range(len(names)):
            row = page.locator(".verdict:has([data-row])").nth(number)
            row.locator("summary").click()
            moves = row.locator(".cards li").count() - 1
            row.locator("[data-row]").click()
            assert "the play of the verdict" in page.inner_text(".note")
            last = int(page.inner_text(".count").split()[-1])
            assert last >= moves >= 0
            page.keyboard.press("ArrowRight")
            agrees(page, program, make_scope(program))
