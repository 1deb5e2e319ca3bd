"""Rulesets with their expected output beside them: tests/cases/TOPIC/{good,bad}/NAME.rules and
NAME.expect.

The first line of a ruleset is a comment with the command. What it prints, with its exit code in
front, is NAME.expect. `pytest tests/test_cases.py --record` writes these files anew; the review is
`git diff`. Everything in bad/ is refused with at least one code, and every code has a case.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from stacklaw.cli.main import run

from .rulesets import codes_of

ROOT = Path(__file__).parent / "cases"
CASES = sorted(ROOT.glob("*/*/*.rules"))
WIDTH = "100"
ELSEWHERE = {
    "R020": "tests/models/test_read.py",
    "R127": "tests/diff/test_command.py",
    "R310": "tests/models/test_read.py",
    "R312": "tests/models/test_parse.py",
    "R315": "tests/models/test_parse.py",
}
"""Codes whose cases are no files: there is no file, it would be a very large one, or it is in
git.
"""


def name_of(case: Path) -> str:
    return str(case.relative_to(ROOT).with_suffix(""))


def command_of(case: Path) -> list[str]:
    first = case.read_bytes().split(b"\n", 1)[0].decode("utf-8-sig").strip()
    assert first.startswith("# stacklaw "), f"the first line of {case} is no command"
    return shlex.split(first.removeprefix("# stacklaw "))


def output_of(case: Path, capsys: pytest.CaptureFixture[str]) -> str:
    code = run(command_of(case))
    printed = capsys.readouterr()
    lines = [f"exit {int(code)}", *printed.out.splitlines(), *printed.err.splitlines()]
    return "".join(line.rstrip() + "\n" for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case(
    case: Path, record: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case.parent)
    monkeypatch.setenv("COLUMNS", WIDTH)
    printed = output_of(case, capsys)
    expect = case.with_suffix(".expect")
    if record:
        expect.write_text(printed, encoding="utf-8")
    assert printed == expect.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_good_and_bad_are_told_apart(case: Path) -> None:
    expect = case.with_suffix(".expect").read_text(encoding="utf-8")
    refused = (
        expect.startswith("exit 2\n") and re.search(r"\berror [PR]\d{3}\b", expect) is not None
    )
    assert refused == (case.parent.name == "bad")


def test_every_code_has_a_case() -> None:
    shown = {
        code
        for case in ROOT.glob("*/bad/*.expect")
        for code in re.findall(r"\berror (R\d{3})\b", case.read_text(encoding="utf-8"))
    }
    assert shown | set(ELSEWHERE) == set(codes_of("R"))


def test_every_expectation_has_a_case() -> None:
    assert {path.with_suffix(".rules") for path in ROOT.glob("*/*/*.expect")} <= set(CASES)
