"""Rulings to keep: few of them notice what the questions of all edits notice, each as often as it
says.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.rulings.file import ask_filed, read_rulings
from stacklaw.cli.main import run
from stacklaw.models.load import load
from stacklaw.models.source import Source

from .test_command import RULES

pytestmark = pytest.mark.slow


def mutated(capfd: pytest.CaptureFixture[str], file: Path) -> dict[str, Any]:
    assert run(["mutate", str(file), "--format", "json"]) == 0
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    return document


def test_what_is_kept_notices_as_much_as_all_questions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "small.rules"
    file.write_text(RULES, encoding="utf-8")
    before = mutated(capfd, file)
    told = [row for row in before["edits"] if row["question"]]
    assert len({row["question"]["question"] for row in told}) > len(before["rulings"]) > 0
    assert sum(int(one["edits"]) for one in before["rulings"]) == len(told)
    text = "".join(
        f'[[ruling]]\nask = "{one["question"]}"\nanswer = "{one["answer"]}"\nsource = "looked up"\n'
        for one in before["rulings"]
    )
    for filed in read_rulings(Source("small.rulings", text)):
        assert ask_filed(filed, lambda _: load(Source("small.rules", RULES))).status == "met"
    (tmp_path / "small.rulings").write_text(text, encoding="utf-8")
    after = {(row["clause"], row["words"]): row["fate"] for row in mutated(capfd, file)["edits"]}
    assert {after[row["clause"], row["words"]] for row in told} == {"noticed"}
