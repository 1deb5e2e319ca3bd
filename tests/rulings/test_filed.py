"""Rulings beside the rules: asked by `check`, told where the rules answer otherwise, and files that
are none.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import process_time
from xml.etree import ElementTree as ET

import pytest

from stacklaw.checker.rulings.file import read_rulings, rulings_beside
from stacklaw.checker.types.budget import Budget
from stacklaw.cli.asking.ask import rulings_of
from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import InputError
from stacklaw.models.shipped import example_names, game_names

from ..cli.test_commands import Stacklaw, stacklaw
from ..github import annotations_in
from ..reports.test_schema import SCHEMA, mistakes

__all__ = ["stacklaw"]
READINGS = """\
game "Readings"
source "a test"
players 2 to 3
scope players 2, stack 2
start decide(active)

option turn "whose turn it is after a spell"
  theirs  "the next player's"
  mine    "the same player's"

items
  spell  "spell"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    when stack is empty
    put spell on stack
    go decide(after holder)

  may 2 "pass"
    pass
    if stack is not empty
      go resolve
    else
      go decide(after holder)

stage resolve "the spell resolves"

  must 3 "it resolves"
    when stack is not empty and turn is theirs
    resolve top of stack
    go decide(after active)

  must 3/mine "it resolves, and the turn stays"
    when stack is not empty and turn is mine
    resolve top of stack
    go decide(active)
"""


def ruling(ask: str, answer: str, source: str = "page 3", **more: str | int) -> str:
    keys = {"ask": ask, "answer": answer, "source": source, **more}
    return (
        "[[ruling]]\n"
        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items() if value != "")
        + "\n"
    )


CAST = "A casts a spell: who has priority?"
RESOLVED = "A casts a spell; B passes: who has priority?"
RIGHT = ruling(CAST, "B") + ruling(RESOLVED, "B") + ruling(RESOLVED, "A", reading="turn=mine")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "mine.rules").write_text(READINGS, encoding="utf-8")
    return tmp_path / "mine.rules"


def beside(rules: Path, text: str | bytes) -> None:
    rules.with_suffix(".rulings").write_bytes(text if isinstance(text, bytes) else text.encode())


def statuses(rules: Path, text: str) -> list[str]:
    beside(rules, text)
    return [row.status for row in rulings_of(str(rules), Budget())]


# ------------------------------------------------------------------ what they come to


def test_a_ruling_is_asked_in_its_reading_with_its_players(rules: Path) -> None:
    three = ruling("A casts a spell: may C cast a spell?", "no", players=3)
    assert statuses(rules, RIGHT + three) == ["met"] * 4
    assert (
        statuses(rules, ruling(RESOLVED, "A") + ruling(RESOLVED, "B", reading="turn=mine"))
        == ["not met"] * 2
    )


def test_what_the_rules_refuse_is_not_met(rules: Path) -> None:
    refused = [
        ruling("stack: A's spell below B's spell: who has priority?", "B"),
        ruling("A draws a card: who has priority?", "B"),
        ruling(CAST, "B", reading="turn=nobodys"),
        ruling(CAST, "B", reading="colour=red"),
        ruling(CAST, "B", players=4),
        ruling(CAST, "B", players=10**9),
        ruling("x" * 100_000, "yes"),
    ]
    assert statuses(rules, "".join(refused)) == ["not met"] * len(refused)
    assert all(row.told is None and row.found for row in rulings_of(str(rules), Budget()))


DEEP = READINGS.replace(
    "    when stack is empty\n    put spell on stack\n    go decide(after holder)",
    """    put spell on stack
    go decide(holder)

  may 4 "end the game"
    when size of stack > 3
    game over""",
)
"""Three spells are more than the scope has room for; with four, a player may end the game."""


def test_what_more_room_may_show_is_undecided(stacklaw: Stacklaw, rules: Path) -> None:
    rules.write_text(DEEP, encoding="utf-8")
    window = "A casts a spell: may B end the game before A's spell resolves?"
    text = (
        ruling(window, "no")
        + ruling(window, "only if A passes")
        + ruling(window, "yes, now")
        + ruling("stack: A's spell, A's spell, A's spell: who has priority?", "A")
        + ruling("A ends the game: whose turn is it?", "A")
        + ruling("A's turn begins: who has priority?", "A")
    )
    assert statuses(rules, text) == [
        "met",
        "undecided",
        "not met",
        "undecided",
        "undecided",
        "not met",
    ]
    for answer, code, end in (
        ("no", Exit.OK, "Within 2 players, stack 2."),
        ("only if", Exit.UNDECIDED, "Undecided, for more room may show it: only if"),
        ("yes, now", Exit.NOT_MET, "NOT AS EXPECTED: yes, now"),
    ):
        ended, out, _ = stacklaw("ask", str(rules), window, "--expect", answer)
        assert (ended, out.strip().rsplit("\n", 1)[-1].partition("  ")[0]) == (code, end)


def test_what_there_is_no_time_for_is_undecided(rules: Path) -> None:
    beside(rules, RIGHT)
    assert [row.status for row in rulings_of(str(rules), Budget(seconds=1e-9))] == ["undecided"] * 3
    assert [row.status for row in rulings_of(str(rules), Budget())] == ["met"] * 3, (
        "an answer that nobody gave is not kept"
    )


def test_what_is_kept_is_of_these_rules(rules: Path) -> None:
    assert statuses(rules, RIGHT) == statuses(rules, RIGHT) == ["met"] * 3
    rules.write_text(
        READINGS.replace("go decide(after active)", "go decide(active)"), encoding="utf-8"
    )
    assert statuses(rules, RIGHT) == ["met", "not met", "met"]


@pytest.mark.parametrize("game", [*game_names(), *example_names()])
def test_shipped_rulings_are_met(game: str) -> None:
    rows = rulings_of(game, Budget())
    assert len(rows) >= 10
    assert {row.status for row in rows} <= {"met"}, [
        (row.place, row.found) for row in rows if row.status != "met"
    ]
    assert all(row.source for row in rows)


@pytest.mark.parametrize("game", game_names())
def test_a_game_has_no_more_rulings_than_somebody_reads(game: str) -> None:
    source = rulings_beside(game)
    assert source is not None
    filed = read_rulings(source)
    assert len(filed) <= 80
    assert len({(one.question, one.reading, one.players) for one in filed}) == len(filed)


# ------------------------------------------------------------------ what is told


def test_check_tells_what_is_answered_otherwise(stacklaw: Stacklaw, rules: Path) -> None:
    beside(rules, RIGHT)
    code, out, _ = stacklaw("check", "mine.rules", "--short")
    assert (code, out) == (
        0,
        "mine: 3 rulings: all met. 1 other reading not looked at (--all-readings).\n",
    )
    beside(rules, ruling(CAST, "A") + ruling("A draws: who has priority?", "A", source="") + RIGHT)
    code, out, _ = stacklaw("check", "mine.rules")
    assert code == Exit.NOT_MET
    for said in (
        f"NOT MET: {CAST}  (mine.rulings:1)",
        "The file says: A (page 3).  The rules say:",
        "1 cast a spell",
        "1 A: cast a spell",
        "The rules refuse it: Nothing in this game is called `draws`",
        "1 ruling has no source (line 6)",
        "mine: 5 rulings: 3 met, 2 NOT MET (mine.rulings:1, 6).",
    ):
        assert said in out


def test_rulings_do_not_depend_on_the_reading_of_the_run(stacklaw: Stacklaw, rules: Path) -> None:
    beside(rules, RIGHT + ruling(CAST, "A"))
    for target in ("mine.rules", "mine.rules@turn=mine"):
        code, out, _ = stacklaw("check", target, "--short")
        assert (code, "4 rulings: 3 met, 1 NOT MET (mine.rulings:17)" in out) == (
            Exit.NOT_MET,
            True,
        )
    code, out, _ = stacklaw("check", "mine.rules", "--all-readings")
    assert (code, out.count("NOT MET: ")) == (Exit.NOT_MET, 1)
    assert "mine: 2 readings; nothing was claimed; 4 rulings: 3 met, 1 NOT MET" in " ".join(
        out.split()
    )


def test_a_named_property_asks_no_rulings(stacklaw: Stacklaw, rules: Path) -> None:
    beside(rules, ruling(CAST, "A"))
    assert "ruling" not in stacklaw("check", "mine.rules", "-p", "lifo")[1]


def test_only_some_losses_may_end_a_run(stacklaw: Stacklaw, rules: Path) -> None:
    beside(rules, ruling(CAST, "A"))
    assert stacklaw("check", "mine.rules", "--short", "--fail-on", "unknown")[0] == 0
    assert stacklaw("check", "mine.rules", "--short", "--fail-on", "violated")[0] == Exit.NOT_MET


def test_every_report_has_the_rulings(stacklaw: Stacklaw, rules: Path, tmp_path: Path) -> None:
    beside(rules, RIGHT + ruling(CAST, "A | <b>@all ::error::"))
    files = {name: tmp_path / f"out.{name}" for name in ("junit", "sarif", "markdown")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    code, out, err = stacklaw("check", "mine.rules", "--format", "json", "--annotations", *options)
    assert code == Exit.NOT_MET
    document = json.loads(out)
    assert mistakes(document, SCHEMA) == []
    rows = document["rulesets"][0]["rulings"]
    assert [(row["line"], row["status"], row["found"]) for row in rows] == [
        (1, "met", "B"), (6, "met", "B"), (11, "met", "A"), (17, "not met", "B"),
    ]  # fmt: skip
    assert [lane["clause"] for lane in rows[3]["told"]["answers"][0]["lanes"]] == ["", "1"]
    suite = ET.fromstring(files["junit"].read_text(encoding="utf-8"))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    failed = next(case for case in suite.iter("testcase") if case.find("failure") is not None)
    assert (failed.get("file"), failed.get("line"), failed.get("name")) == (
        "mine.rulings",
        "17",
        CAST,
    )
    (result,) = json.loads(files["sarif"].read_text(encoding="utf-8"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == (
        "mine.rulings",
        {"startLine": 17},
    )
    related = result["relatedLocations"][0]["physicalLocation"]
    assert (related["artifactLocation"]["uri"], related["region"]) == (
        "mine.rules",
        {"startLine": 20},
    )
    (annotation,) = annotations_in(err)
    assert (annotation.level, annotation.properties["file"], annotation.properties["line"]) == (
        "error",
        "mine.rulings",
        "17",
    )
    markdown = files["markdown"].read_text(encoding="utf-8")
    assert "**1 ruling NOT MET** in mine.rulings" in markdown
    assert "\n| 17 | " in markdown
    assert "<b>" not in re.sub(r"```text\n.*?\n```", "", markdown, flags=re.DOTALL)


# ------------------------------------------------------------------ files that are none

MALFORMED: dict[str, tuple[str, str | bytes]] = {
    "no TOML": ("C205", "[[ruling]\nask = 1"),
    "no ruling": ("C205", 'question = "A casts a spell: who has priority?"'),
    "a number for a text": ("C205", ruling("", "B") + "ask = 1\n"),
    "no question": ("C205", '[[ruling]]\nanswer = "B"'),
    "no answer": ("C205", f'[[ruling]]\nask = "{CAST}"'),
    "an unknown key": ("C205", ruling(CAST, "B", reson="none")),
    "players in words": ("C205", ruling(CAST, "B", players="three")),
    "players that are a truth": ("C205", ruling(CAST, "B") + "players = true\n"),
    "a reading of no option": ("C205", ruling(CAST, "B", reading="mine")),
    "a table": ("C205", "[ruling]\nask = 1\n"),
    "one line": ("C205", "ruling = [{ask = 'x', answer = 'y'}]"),
    "a number": ("C205", "ruling = 3"),
    "a deep list": ("C205", f"ruling = {'[' * 50_000}{']' * 50_000}"),
    "a deep key": ("C205", f"[[ruling]]\n{'.'.join(['a'] * 20_000)} = 1"),
    "many deep keys": ("C205", f"[[ruling]]\n{'.'.join(['b'] * 51)} = 1\n" * 2_000),
    "a deep key of ends of lines": ("C205", "[[ruling]]\n" + '"\u2028".' * 20_000 + "a = 1"),
    "a long number in hexadecimal": ("C205", f"[[ruling]]\nplayers = 0x{'f' * 20_000}"),
    "a date": ("C205", "[[ruling]]\nask = 1979-05-27"),
    "a long number": ("C205", f"[[ruling]]\nplayers = {'9' * 20_000}"),
    "2,000 rulings": ("C205", ruling(CAST, "B") * 2_000),
    "10,000 rulings": ("R310", ruling(CAST, "B") * 10_000),
    "zero bytes": ("R021", b'[[ruling]]\nask = "\0"\n'),
    "no UTF-8": ("R022", b'[[ruling]]\nask = "\xff"\n'),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_file_that_is_none_is_refused_at_once(name: str, rules: Path) -> None:
    code, text = MALFORMED[name]
    beside(rules, text)
    begun = process_time()
    with pytest.raises(InputError) as error:
        rulings_of(str(rules), Budget())
    assert process_time() - begun < 2
    assert error.value.diagnostics[0].code == code
    source = error.value.diagnostics[0].source
    assert source is None or source.name.endswith(".rulings")


def test_a_file_that_is_none_ends_check_with_2(stacklaw: Stacklaw, rules: Path) -> None:
    beside(rules, "[[ruling]]\nask = 1\n")
    code, out, err = stacklaw("check", "mine.rules")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "C205" in err
    assert "mine.rulings:1" in err
    rules.with_suffix(".rulings").unlink()
    rules.with_suffix(".rulings").mkdir()
    assert stacklaw("check", "mine.rules")[0] == Exit.WRONG_INPUT


def test_many_rulings_are_asked_quickly(rules: Path) -> None:
    beside(rules, RIGHT * 300)
    begun = process_time()
    rows = rulings_of(str(rules), Budget())
    assert (len(rows), {row.status for row in rows}) == (900, {"met"})
    assert process_time() - begun < 20
