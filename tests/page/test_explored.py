"""The page that is served, in a browser: it asks the tool what it has no room for itself, and steps
through what it can.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.ask import asked_by
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.exploring.making import make_page, served_by
from stacklaw.cli.exploring.server import NOBODY, VS_CODE
from stacklaw.models.load import load_game
from stacklaw.reports.page.page import Served

from .browser import needs_chromium
from .served import RULES, serving
from .shown import OPTIONS, SMALL, act, agrees, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


def test_the_tool_is_asked_and_its_play_is_shown(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    file.write_text(RULES, encoding="utf-8")
    program, questions, _ = read_target(str(file), {}, (), (), with_claims=True)
    with serving(file) as server:
        assert not make_page(
            str(file), program, questions, asked_by(OPTIONS), server.give, Served(2, 16, 64)
        )
        assert "worker-src blob:; connect-src 'self'; base-uri 'none'" in server.pages[
            ""
        ].content.decode().replace("&#39;", "'")
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        page, heard = context.new_page(), list[str]()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        ours = server.address.partition("?")[0], "blob:"
        page.on(
            "request",
            lambda request: None if request.url.startswith(ours) else heard.append(request.url),
        )
        page.goto(server.address)
        ready(page)

        def ask(begins: str) -> None:
            page.click("button:text-is('Ask with these settings')")
            page.wait_for_selector(f"#tool-view [role=status]:has-text('{begins}')", timeout=60_000)

        page.fill("#tool-0", "4")
        ask("With 2 players, stack 4")
        page.locator("#tool-view li:has-text('one.spell')").get_by_role("button").click()
        agrees(page, program, make_scope(program, sizes={"stack": 4}))
        assert server.query in page.url  # what is shown can be loaded again
        assert page.locator("form").count() == 2  # of rulings, and of what is asked
        page.fill("#tool-0", "3")
        page.click("text=Play with these settings")
        assert page.inner_text(".count") == "move 0 of 0"
        agrees(page, program, make_scope(program, sizes={"stack": 3}))
        page.fill("#tool-0", "7")
        page.click("text=Play with these settings")
        assert "has no room for that" in page.inner_text("#tool-view [role=status]")
        ask("With 2 players, stack 7")
        row = page.locator("#tool-view li:has-text('six.spells')").first
        assert row.inner_text().startswith("VIOLATED")
        assert "above: UNKNOWN" in row.inner_text()  # the scope of the page cuts moves
        row.get_by_role("button").click()
        assert "no room for move" in page.inner_text(".note")
        row.locator("summary").click()
        assert row.locator(".cards li").count() > 6
        assert "Here it breaks." in row.inner_text()
        page.fill("#tool-players", "3")
        page.fill("#tool-0", "2")
        ask("With 3 players, stack 2")
        page.locator("#tool-view li:has-text('one.spell')").get_by_role("button").click()
        agrees(page, program, make_scope(program, players=3))
        page.fill("#tool-players", "5")
        ask("With 5 players, stack 2")
        assert page.locator("#tool-view .answers button").count() == 0
        assert page.locator("#tool-view .answers details").count() > 0
        page.fill("#tool-players", "2")
        page.click("summary:text-is('Options')")
        page.select_option("#tool-option-0", "no")
        ask("With 2 players, stack 2, magic no")
        row = page.locator("#tool-view li:has-text('two.spells')").first
        assert row.inner_text().startswith("IMPOSSIBLE")
        assert "above: POSSIBLE" in row.inner_text()
        page.locator("#tool-view .answers button").first.click()
        assert page.inner_text("#play .reading summary") == "Reading: magic no"
        page.keyboard.press("ArrowRight")
        agrees(page, load_game(str(file), {"magic": "no"}), make_scope(program))
        page.set_viewport_size({"width": 390, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        context.close()
        assert not heard


@pytest.mark.parametrize("framed", [NOBODY, VS_CODE])
def test_an_editor_shows_the_page_in_a_frame(
    framed: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page works in a frame of another origin, if that may have it."""
    file = tmp_path / "small.rules"
    file.write_text(SMALL, encoding="utf-8")
    program, questions, _ = read_target(str(file), {}, (), (), with_claims=True)
    with serving(file) as editor:
        origin = f"http://localhost:{editor.server_port}"
        monkeypatch.setattr("stacklaw.cli.exploring.server.VS_CODE", origin)
        with serving(file, framed=origin if framed == VS_CODE else framed) as server:
            its = asked_by(OPTIONS), server.give, served_by(program)
            make_page(str(file), program, questions, *its)
            editor.give(f'<iframe src="{server.address}" width="900" height="700"></iframe>')
            context = browser.new_context()
            page = context.new_page()
            page.goto(editor.address.replace("127.0.0.1", "localhost"))
            shown = page.frames[-1]
            if framed == NOBODY:
                assert shown.locator("#ruling-box").count() == 0
            else:
                shown.wait_for_selector("html[data-ready]", timeout=20_000)
                act(shown, "cast a spell")  # type: ignore[arg-type]  # as of a page
                shown.fill("#ruling-box", "A casts a spell: who has priority?")
                shown.press("#ruling-box", "Enter")
                shown.wait_for_selector(".ruling .head:has-text('A.')", timeout=20_000)
            context.close()
