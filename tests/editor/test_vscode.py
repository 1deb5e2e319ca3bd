"""A real VS Code, in a browser, with the packaged extension: what somebody sees who opens rules."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from ..page.browser import chromium, needs_chromium
from .test_features import CLAIMS, RULES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
CODE, NPX = shutil.which("code-server"), shutil.which("npx")
WAIT = 60_000
SETTINGS = {
    "chat.disableAIFeatures": True,
    "files.autoSave": "off",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}
pytestmark = [
    needs_chromium,
    pytest.mark.long,
    pytest.mark.skipif(not CODE or not NPX, reason="no VS Code (tests/README.md)"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, packaged from what a clean checkout has."""
    folder = tmp_path_factory.mktemp("extension") / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    vsce = ["npx", "--yes", "@vscode/vsce", "package", "--allow-missing-repository"]
    for command in (["npm", "install", "--no-audit", "--no-fund"], [*vsce, "--skip-license"]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (found,) = folder.glob("*.vsix")
    return found


@contextmanager
def opened(folder: Path, packaged: Path, browser: Browser, *command: str) -> Iterator[Page]:
    """Give a VS Code with `mine.rules` open, whose extension starts the server by *command*."""
    user, rules = folder / "user", folder / "rules"
    (user / "User").mkdir(parents=True)
    rules.mkdir()
    settings = {**SETTINGS, "stacklaw.command": command}
    (user / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    (rules / "mine.rules").write_text(f"{RULES}\n{CLAIMS}", encoding="utf-8")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    whose = ["--user-data-dir", str(user), "--extensions-dir", str(folder / "extensions")]
    whose += ["--config", str(folder / "config.yaml")]
    code = [str(CODE), *whose]
    install = [*code, "--install-extension", str(packaged)]
    subprocess.run(install, check=True, capture_output=True)
    served = [*code, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry"]
    with subprocess.Popen(served, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            yield from _window(browser, f"http://127.0.0.1:{port}/?folder={rules}", port)
        finally:
            server.terminate()


def _window(browser: Browser, address: str, port: int) -> Iterator[Page]:
    until = time.monotonic() + 60
    while not _is_served(port):
        assert time.monotonic() < until
        time.sleep(0.2)
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address)
    page.locator(".explorer-folders-view .monaco-list-row", has_text="mine.rules").dblclick()
    page.wait_for_selector(".view-line")
    yield page
    context.close()


def _is_served(port: int) -> bool:
    with closing(socket.socket()) as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def test_rules_in_a_real_editor(browser: Browser, packaged: Path, tmp_path: Path) -> None:
    server = sys.executable, "-m", "stacklaw", "lsp"
    with opened(tmp_path, packaged, browser, *server) as page:
        page.click(".view-line >> nth=2")
        page.keyboard.press("Control+End")
        lenses = page.locator(".codelens-decoration")
        lenses.locator("text=PROVED for every").first.wait_for()
        lenses.locator("a:has-text('show the play')").first.click()
        board = page.frame_locator("iframe.webview").frame_locator("iframe").frame_locator("iframe")
        board.locator("text=This is the play of the verdict").wait_for()

        page.click(".view-lines >> text=resolve")
        page.keyboard.press("Control+f")
        page.keyboard.insert_text("go resolve")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.keyboard.insert_text("go resolv")
        page.wait_for_selector(".squiggly-error", state="attached")
        page.keyboard.press("Control+k")
        page.keyboard.press("Control+i")
        page.wait_for_selector(".monaco-hover >> text=did you mean `resolve`?")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+.")
        page.wait_for_selector(".action-widget >> text=did you mean `resolve`?")
        page.keyboard.press("Enter")
        page.wait_for_selector(".squiggly-error", state="detached")


def test_a_server_that_is_not_there(browser: Browser, packaged: Path, tmp_path: Path) -> None:
    with opened(tmp_path, packaged, browser, "no-such-stacklaw", "lsp") as page:
        page.wait_for_selector("text=there is no `no-such-stacklaw` on the path")
        page.locator("a:has-text('Open the setting')").first.click()
        page.wait_for_selector("text=What starts the server.")
