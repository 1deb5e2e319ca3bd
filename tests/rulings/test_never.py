"""What is asked of a time before something that no play brings about is refused: nothing is before
it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import stacklaw
from stacklaw.models.diagnostics import InputError

STUCK = """language 2
game "Stuck"
players 2
start talk(active)

items
  word "a word"
  oath "an oath"

zones
  stack last in first out

stage talk(p: player)
  priority p

  may 1 "say a word"
    when stack is empty
    put word on stack
    go talk(after p)

  may 2 "swear an oath"
    when size of stack is 2
    put oath on stack
    go talk(after p)

  may 3 "fall silent"
    when stack is not empty
    resolve top of stack
    go talk(after p)
"""


@pytest.mark.parametrize("event", ["A swears an oath", "B swears an oath", "A falls silent"])
def test_before_what_never_happens_there_is_nothing(event: str, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, encoding="utf-8")
    with pytest.raises(InputError, match="C204"):
        stacklaw.ask(
            str(tmp_path / "stuck.rules"),
            f"may B fall silent before {event}?"
            if "B" in event
            else f"may B say a word before {event}?",
        )


def test_before_what_happens_is_answered(tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, encoding="utf-8")
    (answer,) = stacklaw.ask(
        str(tmp_path / "stuck.rules"), "may A say a word before B falls silent?"
    ).answers
    assert answer.head == "yes, now"
