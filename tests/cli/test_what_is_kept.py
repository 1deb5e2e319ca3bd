"""Ctrl-C at each stage of a command: what was known by then is told, and it ends with 130."""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from stacklaw.cli.output.exits import Exit

from ..rulings.test_filed import CAST, READINGS, RESOLVED, ruling
from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
CLAIMED = f"""{READINGS}
claims
  holds turns "somebody casts, or nobody ever does again"
    assuming again and again clause 2
    again and again clause 2
  possible cast
    possible clause 1
"""
EDITED = CLAIMED.replace("      go decide(after holder)", "      go decide(holder)")
ALL = "2 claims, 2 rulings: all met."
"""Every verdict was there by then."""


@pytest.fixture
def mine(tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text(CLAIMED, encoding="utf-8")
    (tmp_path / "edited.rules").write_text(EDITED, encoding="utf-8")
    text = ruling(CAST, "B") + ruling(RESOLVED, "B")
    (tmp_path / "mine.rulings").write_text(text, encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "base"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("command", "place", "said"),
    [
        ("check mine.rules", "cli.asking.ask.ask_filed", "2 undecided"),
        ("check mine.rules", "checker.run.check._look_for_cut", "2 undecided"),
        ("check mine.rules --assumptions", "checker.run.assumptions._choices", ALL),
        ("check mine.rules --smallest", "checker.smallest.refute", ALL),
        ("check mine.rules --against HEAD", "cli.asking.against.readings_since", ALL),
        ("diff mine.rules edited.rules", "checker.rulings.differing.question_of", "not the same"),
        ("mutate mine.rules", "checker.mutate.apart.question_of", "are noticed"),
    ],
)
def test_what_is_known_is_told(
    command: str,
    place: str,
    said: str,
    stacklaw: Stacklaw,
    mine: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module, _, name = f"stacklaw.{place}".rpartition(".")
    usual, calls = getattr(import_module(module), name), []

    def interrupted(*asked: Any, **more: Any) -> Any:
        calls.append(asked)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return usual(*asked, **more)

    monkeypatch.setattr(f"{module}.{name}", interrupted)
    code, out, _ = stacklaw(*command.split())
    assert calls
    assert 'answer = ""' not in out
    assert (code, said in " ".join(out.lower().split())) == (Exit.INTERRUPTED, True), out
