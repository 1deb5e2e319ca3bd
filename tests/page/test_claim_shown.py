"""A play saved as a test: what the page shows can be copied, and `check` takes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.cli.main import run

from .browser import needs_chromium, opened
from .shown import SMALL, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [needs_chromium, pytest.mark.long]


def test_what_is_copied_is_a_claim_that_is_met(
    browser: Browser, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(
        browser, small, width=390, permissions=["clipboard-read", "clipboard-write"]
    ) as page:
        ready(page)
        for number in (-1, 0):
            page.click(f".choices button >> nth={number}")
        page.focus(".save > summary")
        page.keyboard.press("Enter")
        shown = page.inner_text(".save pre")
        page.click("text='copy'")
        page.wait_for_selector(".save [role=status]:has-text('copied')")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("ArrowLeft")
        assert page.inner_text(".save pre") != shown
    assert copied.strip() == shown.strip()
    rules = tmp_path / "small.rules"
    rules.write_text(f"{SMALL}\n{copied}", encoding="utf-8")
    assert run(["check", str(rules)]) == 0
    assert "played.0-1" in capsys.readouterr().out
