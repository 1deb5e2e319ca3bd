"""What the editor tells of a text is what the command tells of it: on every text of tests/cases."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.cli.editor.texts import OpenTexts, as_told, mistakes_in
from stacklaw.cli.main import run
from stacklaw.models.diagnostics import Diagnostic
from stacklaw.models.shipped import example_names, game_source

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*/*/*.rules"))
BESIDE = """\
# comes first
claims
  holds    response_window
  holds    no_such_property
  fails half.a.line "half"
    never (someone
"""
RULINGS = """\
[[ruling]]
ask = "A casts an instant: may B respond?"

[[rulling]]
"""


def told_by_command(
    path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Any, ...]]:
    """Return what `check` says of the file at *path*: its mistakes, or else its warnings."""
    monkeypatch.chdir(path.parent)
    run(["check", path.name, "--format", "json", "--time", "0.01"])
    said = json.loads(capfd.readouterr().out)
    found = said["errors"] or said["rulesets"][0]["warnings"]
    return [
        tuple(one[key] for key in ("code", "message", "hint", "file", "line", "column"))
        for one in found
    ]


def told_in_editor(path: Path, text: str) -> list[tuple[Any, ...]]:
    texts = OpenTexts()
    texts.hold(str(path), text)
    with texts.in_sight():
        return [_row(one) for one in mistakes_in(texts, str(path), at_once=False)]


def _row(one: Diagnostic) -> tuple[Any, ...]:
    column = one.span.column if one.span else 0
    return one.code, one.message, one.hint, Path(one.file).name, one.line, column


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_editor_says_what_the_command_says(
    case: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The file on disk is empty: what counts is the text in the editor."""
    (tmp_path / case.name).write_text("", encoding="utf-8")
    with case.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    expected = told_by_command(case, capfd, monkeypatch)
    assert told_in_editor(tmp_path / case.name, text) == expected
    of_command = "--set" in text.partition("\n")[0]  # then that is its mistake
    assert bool(expected) or case.parent.name == "good" or of_command


@pytest.mark.parametrize("name", ["mine.rules", "mine.claims"])
def test_rules_and_claims_have_their_own_mistakes(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = game_source(example_names()[0])
    (tmp_path / "mine.rules").write_text(source.parts()[0].text, encoding="utf-8")
    (tmp_path / "mine.claims").write_text(BESIDE, encoding="utf-8")
    expected = told_by_command(tmp_path / "mine.rules", capfd, monkeypatch)
    assert {row[3] for row in expected} == {"mine.claims"}
    path = tmp_path / name
    assert told_in_editor(path, path.read_text(encoding="utf-8")) == expected


def test_rulings_are_read_as_the_command_reads_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = game_source(example_names()[0])
    (tmp_path / "mine.rules").write_text(source.parts()[0].text, encoding="utf-8")
    path = tmp_path / "mine.rulings"
    path.write_text(RULINGS, encoding="utf-8")
    expected = told_by_command(tmp_path / "mine.rules", capfd, monkeypatch)
    assert expected
    assert told_in_editor(path, RULINGS) == expected


@pytest.mark.parametrize("suffix", [".rules", ".claims", ".rulings", ".clauses"])
def test_what_is_too_large_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{suffix}"
    assert [row[0] for row in told_in_editor(path, "# more\n" * 50_000)] == ["R310"]


def test_claims_without_rules_are_told_that(tmp_path: Path) -> None:
    assert [row[0] for row in told_in_editor(tmp_path / "mine.claims", BESIDE)] == ["R020"]


def test_half_a_line_is_a_mistake_and_no_more(tmp_path: Path) -> None:
    """Every beginning of a text is told its mistakes, at once and later."""
    text = game_source("zx").parts()[0].text[:2500]
    texts, path = OpenTexts(), str(tmp_path / "mine.rules")
    for end in range(0, len(text), 13):
        texts.hold(path, text[:end])
        with texts.in_sight():
            early = mistakes_in(texts, path, at_once=True)
            assert early == mistakes_in(texts, path, at_once=False)
            assert early


def test_columns_are_those_of_the_editor(tmp_path: Path) -> None:
    """An editor counts a character beyond the first plane twice."""
    texts, path = OpenTexts(), str(tmp_path / "mine.rules")
    texts.hold(path, 'game "🂡🂱" more\n')
    with texts.in_sight():
        told = as_told(texts, mistakes_in(texts, path, at_once=True)[0])
    assert (told.range.start.line, told.range.start.character) == (0, 12)


def test_the_games_are_shipped_without_a_mistake(tmp_path: Path) -> None:
    for suffix in (".rules", ".claims"):
        shipped = Path(__file__).parents[2] / "models" / "games" / f"zx{suffix}"
        shutil.copy(shipped, tmp_path / shipped.name)
    text = (tmp_path / "zx.claims").read_text(encoding="utf-8")
    assert told_in_editor(tmp_path / "zx.claims", text) == []
