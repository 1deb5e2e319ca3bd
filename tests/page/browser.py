"""Chromium, driven by Playwright. Pages are opened from files; what a page says to its console, or
asks of a network, is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (tests/README.md)"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give a browser."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed (tests/README.md)"
    )
    with driver.sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, path: Path, link: str = "", width: int = 1400, **options: Any
) -> Iterator[Page]:
    """Give the page at *path* as a window of that *width* shows it; afterwards, what it said and
    asked for has to be nothing.
    """
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    page, heard = context.new_page(), list[str]()
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(("file:", "blob:")) else heard.append(request.url)
        ),
    )
    page.goto(f"{path.as_uri()}{link}")
    yield page
    context.close()
    assert not heard
