"""The typist of `bench.keys` notices what is wrong, and finds nothing in a few edits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.bench import keys


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only there a process tells what it spends")
def test_a_few_edits(tmp_path: Path) -> None:
    typed = keys.typed_in(60, 3, tmp_path)
    assert typed.wrong == []
    assert typed.pauses == 4
    again = keys.typed_in(
        60, 3, tmp_path
    )  # the same keys: what else the machine did comes seldom twice
    seconds = sorted(map(min, typed.seconds, again.seconds))
    assert seconds[int(0.95 * len(seconds))] < 0.1


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only there a process tells what it spends")
def test_it_notices_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "by_command", lambda _: [(".rules", "R999", "another", 1)])
    typed = keys.typed_in(4, 3, tmp_path)
    assert len(typed.wrong) == typed.pauses == 4
