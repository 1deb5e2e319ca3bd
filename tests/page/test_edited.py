"""The editor in a browser: what is typed is followed, and nothing typed is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.cli.exploring.server import PageServer

from .browser import needs_chromium
from .served import editing
from .shown import SMALL, act

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]
RULINGS = """[[ruling]]
ask = "A casts a spell: who has priority?"
answer = "B"
"""
WAIT = 30_000
DONE = "#follows:has-text('and the verdicts are of this text')"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text(SMALL, encoding="utf-8")
    path.with_suffix(".rulings").write_text(RULINGS, encoding="utf-8")
    return path


@contextmanager
def windows(browser: Browser, heard: list[str], width: int = 1400) -> Iterator[BrowserContext]:
    """Give a browser of its own; nothing may be said to the console but that a server is gone or
    has refused something.
    """
    context = browser.new_context(viewport={"width": width, "height": 900})
    yield context
    context.close()
    assert not [one for one in heard if "net::ERR_" not in one and "409" not in one]


def opened(context: BrowserContext, server: PageServer, heard: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]", timeout=WAIT)
    return page


def board(page: Page) -> Frame:
    """Return the page beside the text."""
    shown = page.wait_for_selector("#frames iframe:not(.coming)", timeout=WAIT)
    assert shown is not None
    frame = shown.content_frame()
    assert frame is not None
    return frame


def put(page: Page, old: str, new: str) -> None:
    """Type *new* in the place of *old*, in the text that is shown."""
    area = page.locator(".pane:not([hidden]) textarea")
    area.focus()
    area.evaluate(
        "(it, old) => it.setSelectionRange(it.value.indexOf(old), it.value.indexOf(old) + "
        "old.length)",
        old,
    )
    page.keyboard.insert_text(new)


def text(page: Page) -> str:
    return page.locator(".pane:not([hidden]) textarea").input_value()


def note(page: Page, words: str) -> None:
    page.wait_for_selector(f"#notes p:has-text('{words}')", timeout=WAIT)


def test_what_is_typed_is_followed(browser: Browser, file: Path) -> None:
    heard = list[str]()
    with editing(file) as server, windows(browser, heard) as context:
        page = opened(context, server, heard)
        page.wait_for_selector(DONE, timeout=WAIT)
        frame = board(page)
        act(frame, "cast a spell")  # type: ignore[arg-type]  # a frame is clicked as a page is
        act(frame, "pass")  # type: ignore[arg-type]
        frame.fill("#ruling-box", "A casts a spell: who has priority?")
        frame.press("#ruling-box", "Enter")
        frame.wait_for_selector(".ruling .head:has-text('A.')", timeout=WAIT)

        begun = time.monotonic()
        put(page, "go resolve", "go resolv")
        page.wait_for_selector(".list li", timeout=WAIT)
        seen = time.monotonic() - begun
        assert seen < 2  # on a busy machine
        assert "did you mean `resolve`?" in page.inner_text(".list")
        row = SMALL.split("\n").index(next(one for one in SMALL.split("\n") if "go resolve" in one))
        marked = page.locator(f".behind div:nth-child({row + 1}) .mark").all_inner_texts()
        assert "".join(marked).split() == ["go", "resolv"]
        assert page.inner_text("#follows") == "The board is of the last text that could be read."

        put(page, "go resolv", "go resolve")
        page.wait_for_selector(DONE, timeout=WAIT)
        frame = board(page)
        assert frame.inner_text(".count") == "move 2 of 2"
        frame.wait_for_selector(".ruling .head:has-text('A.')", timeout=WAIT)

        claims = page.locator(".behind div:has-text('two.spells') .beside")
        assert claims.inner_text() == "POSSIBLE in 2 moves"
        page.locator(".gutter button[title='POSSIBLE in 2 moves']").click()
        assert frame.url.endswith("#V0")
        page.click("[role=tab]:has-text('mine.rulings')")
        beside = page.locator(".pane:not([hidden]) .beside")
        assert beside.inner_text() == "NOT MET: the rules say A"

        page.click("[role=tab]:has-text('mine.rules')")
        put(page, "    pass\n", "    when stack is empty\n    pass\n")
        page.wait_for_selector("#follows:has-text('do not allow move 2')", timeout=WAIT)
        assert board(page).inner_text(".count") == "move 1 of 1"
        page.wait_for_selector(DONE, timeout=WAIT)
        assert file.read_text(encoding="utf-8") == SMALL
        page.keyboard.press("Control+s")
        page.wait_for_selector(".saving:text-is('Saved.')", timeout=WAIT)
        assert file.read_text(encoding="utf-8") == text(page) != SMALL


def test_two_windows_on_one_file(browser: Browser, file: Path) -> None:
    heard = list[str]()
    with editing(file) as server, windows(browser, heard) as context:
        one, two = (opened(context, server, heard) for _ in range(2))
        put(one, "Two passes", "Three passes")
        one.keyboard.press("Control+s")
        note(two, "mine.rules was changed elsewhere, and is read again.")
        assert "Three passes" in text(two)

        put(one, "Three passes", "Four passes")
        put(two, "Three passes", "Five passes")
        one.click("button:text-is('Save')")
        note(two, "was changed elsewhere while you changed it here")
        two.click("button:text-is('Save')")
        assert "Four passes" in file.read_text(encoding="utf-8")
        two.click("button:text-is('Take what is there')")
        assert "Four passes" in text(two)
        two.click("button:text-is('Put mine back')")
        assert "Five passes" in text(two)


def test_a_file_that_is_changed_on_disk(browser: Browser, file: Path) -> None:
    heard = list[str]()
    with editing(file) as server, windows(browser, heard) as context:
        page = opened(context, server, heard)
        file.write_text(SMALL.replace("Two passes", "On disk"), encoding="utf-8")
        note(page, "is read again")
        assert "On disk" in text(page)
        put(page, "On disk", "Typed")
        file.write_text(SMALL.replace("Two passes", "There"), encoding="utf-8")
        page.keyboard.press("Control+s")
        note(page, "was changed elsewhere while you changed it here")
        assert "There" in file.read_text(encoding="utf-8")
        page.click("button:text-is('Write mine over it')")
        page.wait_for_selector(".saving:text-is('Saved.')", timeout=WAIT)
        assert "Typed" in file.read_text(encoding="utf-8")
        put(page, "Typed", "Again")
        file.unlink()
        note(page, "was removed while you changed it here")
        page.click("button:text-is('Write mine over it')")
        page.wait_for_selector(".saving:text-is('Saved.')", timeout=WAIT)
        assert "Again" in file.read_text(encoding="utf-8")


def test_five_megabytes_are_pasted(browser: Browser, file: Path) -> None:
    heard = list[str]()
    with editing(file) as server, windows(browser, heard) as context:
        page = opened(context, server, heard)
        page.wait_for_selector(DONE, timeout=WAIT)

        def paste(lines: int) -> None:
            page.evaluate(
                """lines => { const box = document.createElement("textarea");
                document.body.append(box);
                box.value = "  put spell on stack\\n".repeat(lines);
                box.select(); }""",
                lines,
            )
            page.keyboard.press("Control+c")
            page.evaluate("document.body.lastChild.remove()")
            page.locator("textarea").first.focus()
            page.keyboard.press("Control+v")

        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        paste(240_000)
        note(page, "What you paste into mine.rules has 5,040 kB")
        assert text(page) == SMALL
        page.click("button:text-is('Good')")
        for _ in range(2):
            paste(9_000)
        note(page, "mine.rules is larger than 250 kB")
        page.keyboard.press("Control+s")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        page.wait_for_selector("#notes p:has-text('larger than')", state="detached", timeout=WAIT)
        spent = {
            one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
        }
        assert 0 < spent["TaskDuration"] < 15  # seconds of processor time
        assert text(page) == SMALL == file.read_text(encoding="utf-8")


def test_the_server_is_killed_and_nothing_is_lost(browser: Browser, file: Path) -> None:
    heard = list[str]()
    with windows(browser, heard) as context:
        with editing(file) as server:
            port = server.server_port
            page = opened(context, server, heard)
        put(page, "Two passes", "Typed then")
        note(page, "begin `stacklaw explore mine.rules --edit`")
        put(page, "Typed then", "Typed after it was gone")
        page.close()
        assert file.read_text(encoding="utf-8") == SMALL
        with editing(file, port) as server:
            page = opened(context, server, heard)
            note(page, "mine.rules: what was typed here until")
            second = opened(context, server, heard)
            page.click("button:text-is('Put it back')")
            assert "Typed after it was gone" in text(page)
            second.reload()
            second.wait_for_selector("html[data-ready]", timeout=WAIT)
            assert second.locator("#notes p").count() == 0  # the first window has it
            page.keyboard.press("Control+s")
            page.wait_for_selector(".saving:text-is('Saved.')", timeout=WAIT)
            page.reload()
            page.wait_for_selector("html[data-ready]", timeout=WAIT)
            assert page.locator("#notes p").count() == 0
        assert "Typed after it was gone" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_narrow_screen(scheme: str, browser: Browser, file: Path) -> None:
    heard = list[str]()
    with editing(file) as server, windows(browser, heard, 390) as context:
        page = opened(context, server, heard)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        put(page, "go resolve", "go resolv")
        page.wait_for_selector(".list li", timeout=WAIT)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not page.locator("#board").is_visible()
        put(page, "go resolv", "go resolve")
        page.click("button:text-is('Board')")
        page.wait_for_selector(DONE, timeout=WAIT)
        assert not page.locator("#text").is_visible()
        assert board(page).evaluate("document.documentElement.scrollWidth") <= 390
