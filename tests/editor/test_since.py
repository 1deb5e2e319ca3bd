"""What an edit changes for players since the last commit, told at the changed line on save."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.bench.editor import Client
from stacklaw.cli.judging import SinceCommit

from .test_features import RULES

INFORMATION = 3
EDITED = RULES.replace("    go decide(holder)\n", "    go decide(after holder)\n")
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "mine.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


def committed(folder: Path) -> None:
    for words in (("init", "-q"), ("add", "mine.rules"), ("commit", "-qm", "base")):
        subprocess.run(["git", *WHO, *words], cwd=folder, check=True, capture_output=True)


def saved(client: Client, text: str) -> None:
    (client.folder / "mine.rules").write_text(text, encoding="utf-8")
    client.tell("textDocument/didSave", textDocument={"uri": client.uri("mine.rules")})


def changes(client: Client, seconds: float) -> list[dict[str, Any]]:
    """Return what is told of changes within this many *seconds*."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        client.settle(0.5)
        told = client.diagnostics.get(client.uri("mine.rules"), [])
        if found := [one for one in told if one["severity"] == INFORMATION]:
            return found
    return []


@pytest.mark.slow
def test_what_changed_stands_at_its_line(folder: Path) -> None:
    committed(folder)
    with Client(folder) as client:
        client.open("mine.rules")
        client.change("mine.rules", {"text": EDITED})
        assert changes(client, 1) == []
        saved(client, EDITED)
        found = changes(client, 60)
        assert found
        line = next(n for n, text in enumerate(EDITED.splitlines()) if "go decide(after" in text)
        for one in found:
            assert "Before: " in one["message"]
            assert "Now: " in one["message"]
            assert one["range"]["start"] == {"line": line, "character": 4}
        client.change("mine.rules", {"text": f"{EDITED}\n"})
        client.settle(1)
        assert changes(client, 1) == []  # this text has not been looked at
        saved(client, RULES)
        client.change("mine.rules", {"text": RULES})
        saved(client, RULES)
        assert changes(client, 3) == []
    assert client.errors == ""


@pytest.mark.slow
@pytest.mark.parametrize("is_repository", [False, True])
def test_nothing_is_told_where_there_is_no_commit(is_repository: bool, folder: Path) -> None:
    if is_repository:
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    with Client(folder) as client:
        client.open("mine.rules", EDITED)
        saved(client, EDITED)
        assert changes(client, 4) == []
    assert client.errors == ""


def test_the_next_key_ends_it(folder: Path) -> None:
    since = SinceCommit()
    since.examine(str(folder / "mine.rules"))
    (worker,) = since._workers._all
    since.stop()
    assert worker.process.poll() is not None
    assert since.hear() is None
