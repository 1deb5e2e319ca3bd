"""`stacklaw conform` and `simulate --log`: exit codes, what is told, lines that are no events."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stacklaw.checker.conform.events import FIELDS, MOST_BYTES
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import codes

from ..reports.test_schema import SCHEMA, mistakes

DOCS = Path(__file__).parents[2] / "docs"
WRONG = [
    '{"event": "priority", "of": "A"}',
    '{"event": "act", "by": "A", "kind": "instant"}',
    '{"event": "priority", "of": "B"}',
    '{"event": "look", "active": "A", "step": "draw", "stack": [["A", "instant"]], "holder": "B"}',
    '{"event": "pass", "by": "B"}',
    '{"event": "priority", "of": "A"}',
]
WAIVER = '[[waive]]\nclause = "117.1a/a"\nwho = "K"\nwhy = "meant"\n'


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    log = tmp_path / "wrong.log"
    log.write_text("\n".join(['{"event": "step", "name": "draw"}', *WRONG]), encoding="utf-8")
    return str(log)


def test_a_deviation_is_a_ruling(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "mtg", wrong]) == Exit.NOT_MET
    said = capsys.readouterr().out
    assert "event 4, turn 1, draw step: the log gives priority to B, after an act of A" in said
    assert "By 117.1a/a it is A's." in said
    assert "117.3c a player who acts with priority receives it afterward" in said
    assert "1 deviation, 0 unknown" in said


@pytest.mark.parametrize("format_", ["json", "markdown"])
def test_formats(wrong: str, format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "mtg", wrong, "--all-readings", "--format", format_]) == Exit.NOT_MET
    said = capsys.readouterr().out
    if format_ == "json":
        document = json.loads(said)
        assert mistakes(document, SCHEMA) == []
        assert document["logs"][0]["classes"] == [
            {
                "clause": "117.1a/a",
                "name": "priority",
                "wanted": "priority",
                "count": 1,
                "only_after": "",
                "as_if": "It behaves as if the rules had one of these edits: "
                "117.1a/a: go check(after holder), not (holder); or "
                "117.1a/a: go passing, not check.",
            }
        ]
        assert document["readings"][0]["first"]["event"] == 4
    else:
        assert "- event 4, turn 1" in said
        assert "- as asked: ruled out by event 4" in said


def test_what_is_waived_is_counted_apart(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waivers = tmp_path / "meant.toml"
    waivers.write_text(WAIVER + WAIVER.replace("117.1a/a", "117.4/a"), encoding="utf-8")
    assert run(["conform", "mtg", wrong, "--waivers", str(waivers)]) == Exit.OK
    said = capsys.readouterr().out
    assert "waived 1 time: 117.1a/a (K: meant)" in said
    assert "nothing needs this waiver: 117.4/a" in said


@pytest.mark.parametrize(
    "text",
    [
        "[[waive]",
        '[[waive]]\nwho = "K"',
        "[[wave]]",
        "[[waive]]\nclause = 1",
        "waive = 1",
        "a." * 100_000 + "b = 1",
        "waive = 1979-05-27",
    ],
)
def test_a_file_of_waivers_that_is_none(
    text: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waivers = tmp_path / "meant.toml"
    waivers.write_text(text, encoding="utf-8")
    assert run(["conform", "mtg", wrong, "--waivers", str(waivers)]) == Exit.WRONG_INPUT
    assert "L115" in capsys.readouterr().err


NO_EVENTS = [
    b"pass",
    b"[]",
    b"{}",
    b'{"event": "passes"}',
    b'{"event": ["pass"]}',
    b'{"event": "pass", "buy": "A"}',
    b'{"event": "pass", "by": "Z"}',
    b'{"event": "pass", "by": "C"}',
    b'{"event": "pass", "by": true}',
    b'{"event": "pass", "by": "A", "by": "B"}',
    b'{"event": "act", "by": "A", "kind": "planeswalker"}',
    b'{"event": "act", "by": "A", "clause": "117"}',
    b'{"event": "step", "name": "combat"}',
    b'{"event": "look", "stack": [["A"]]}',
    b'{"event": "look", "stack": {"A": "instant"}}',
    b'{"event": "look", "stack": [' + b'["A", "instant"],' * 1_000 + b'["A", "instant"]]}',
    b'{"event": "may", "kinds": [' + b'"instant",' * 1_000 + b'"instant"]}',
    b'{"event": "gap", "n": -1}',
    b'{"event": "gap", "n": 0}',
    b'{"event": "cancel", "by": "A"}',
    b'{"event": "rollback", "to": 2}',
    b'{"event": "rollback", "to": 500}',
    b'{"event": "gap", "n": 1e400}',
    b'{"event": "gap", "n": ' + b"9" * 5000 + b"}",
    b'{"event": "players", "n": 3}',
    b"[" * 100_000,
    b'{"event": "pass", "by": "A"',
    b'\xff\xfe{"event": "pass"}',
    b'{"event": "pass", "note": "' + b"x" * MOST_BYTES + b'"}',
]


@pytest.mark.parametrize("line", NO_EVENTS, ids=[str(line[:40]) for line in NO_EVENTS])
def test_a_line_that_is_no_event_is_told_with_its_place(
    line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "broken.log"
    log.write_bytes(b'{"event": "step", "name": "draw"}\n\n' + line + b"\n")
    assert run(["conform", "mtg", str(log)]) == Exit.WRONG_INPUT
    said = capsys.readouterr().err
    assert "broken.log:3:1" in said
    assert "L113" in said
    assert "internal error" not in said
    assert len(said) < 2_000


@pytest.mark.parametrize("number", [0, 1, 10**9])
def test_a_table_that_cannot_be_is_told_with_its_place(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "table.log"
    log.write_text(json.dumps({"event": "players", "n": number}), encoding="utf-8")
    assert run(["conform", "mtg", str(log)]) == Exit.WRONG_INPUT
    assert "table.log:1:1: error L113" in capsys.readouterr().err


def test_the_hint_of_the_example_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, code = tmp_path / "a.log", codes()["L113"]
    log.write_text(code.bad, encoding="utf-8")
    assert run(["conform", "mtg", str(log)]) == Exit.WRONG_INPUT
    wanted = re.search(r"did you mean `(\w+)`\?", capsys.readouterr().err)
    assert wanted
    assert code.bad.replace("passes", wanted[1]) == code.mended
    log.write_text(code.mended, encoding="utf-8")
    assert run(["conform", "mtg", str(log)]) != Exit.WRONG_INPUT


def test_a_log_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "mtg", str(tmp_path / "none.log")]) == Exit.WRONG_INPUT
    assert "cannot be read" in capsys.readouterr().err
    assert run(["conform", "mtg", str(tmp_path)]) == Exit.WRONG_INPUT


def test_only_unknown_ends_with_3(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    assert run(["simulate", "mtg", "--players", "3", "--log", log, "--steps", "60"]) == Exit.OK
    assert run(["conform", "mtg", log, "--most", "12"]) == Exit.UNDECIDED


def test_a_simulated_log_conforms_and_an_edited_one_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, edit = str(tmp_path / "a.log"), "117.5/triggers: go check(active), not (next)"
    simulated = ["simulate", "mtg", "--log", log, "--seed", "3", "--steps", "200"]
    shown = ["--quiet", "0.9", "--hide", "sba,choice"]
    assert run([*simulated, *shown, "--gaps", "0.02"]) == Exit.OK
    assert run(["conform", "mtg", log, "--hide", "sba,choice"]) == Exit.OK
    assert run([*simulated, *shown, "--as-if", edit]) == Exit.OK
    assert run(["conform", "mtg", log, "--hide", "sba,choice"]) == Exit.NOT_MET
    assert run([*simulated, "--as-if", "117.3d/c: backwards"]) == Exit.WRONG_INPUT
    assert run(["simulate", "mtg", "--as-if", edit]) == Exit.WRONG_INPUT
    assert run(["conform", "mtg", log, "--hide", "look"]) == Exit.WRONG_INPUT
    said = capsys.readouterr().err
    assert "L114" in said
    assert "internal error" not in said


def test_every_event_is_on_the_page() -> None:
    page = (DOCS / "conform.md").read_text(encoding="utf-8")
    for name, fields in FIELDS.items():
        assert f"`{name}`" in page
        assert all(f"`{field}`" in page for field in fields), name


def test_reports_for_ci(wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit, sarif = tmp_path / "j.xml", tmp_path / "s.json"
    reports = ["--junit", str(junit), "--sarif", str(sarif)]
    assert run(["conform", "mtg", wrong, *reports, "--time", "0"]) == Exit.NOT_MET
    (suite,) = ET.fromstring(junit.read_text(encoding="utf-8"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    (found,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert found["ruleId"] == "117.1a/a"
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    junit.unlink()
    junit.symlink_to(tmp_path / "elsewhere")
    assert run(["conform", "mtg", wrong, *reports]) == Exit.WRONG_INPUT


MINE = """
def play(lines, rules_monitor):
    monitor = rules_monitor("mtg", players=2)
    for line in lines:
        monitor.step(line)

def test_right(rules_monitor):
    play({right}, rules_monitor)

def test_wrong(rules_monitor):
    play({wrong}, rules_monitor)
"""


@pytest.mark.slow
def test_the_fixture_fails_a_test_that_deviates(tmp_path: Path) -> None:
    lines = [{"event": "step", "name": "draw"}, *map(json.loads, WRONG)]
    (tmp_path / "test_mine.py").write_text(
        MINE.format(right=lines[:3], wrong=lines), encoding="utf-8"
    )
    asked = [sys.executable, "-m", "pytest", "-q"]
    ended = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed, 1 error" in ended.stdout, ended.stdout + ended.stderr
    assert "the log gives priority to B, after an act of A" in ended.stdout
