"""What changed since a revision: told as questions, accepted by name, and the line of the edit that
lets a play through.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from stacklaw.checker.diff.side import Cloud, Offer, Side
from stacklaw.models.diagnostics import InputError
from stacklaw.models.revisions import read_before

from ..cli.test_commands import Stacklaw, stacklaw
from ..github import annotations_in
from ..reports.test_schema import SCHEMA, mistakes
from ..rulesets import ONE_PASS
from .test_filed import READINGS, ruling

__all__ = ["stacklaw"]
Git = Callable[..., str]
CHARMS = """\
game "Charms"
source "a test"
players 2
scope players 2, stack 2
start decide(active)

option charms "whether there are charms"
  no   "there are none"
  yes  "there are"

items
  spell  "spell"
  charm  "charm"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    when no i in stack where i is charm
    put spell on stack
    go decide(holder)

  may 2 "cast a charm"
    when charms is yes
    put charm on stack
    go decide(holder)

  may 3 "pass"
    pass
    if stack is not empty
      resolve top of stack
    go decide(after holder)
"""
BY_CHARMS = CHARMS.replace("    when no i in stack where i is charm\n", "")
"""Nothing locks spells; no charm does where there is none."""
STAYS = "      resolve top of stack\n"
"""After a spell who has passed has priority."""
AGAIN = READINGS.replace(
    'may 2 "pass"\n    pass\n    if stack is not empty\n      go resolve',
    'may 2 "pass"\n    pass\n    if stack is not empty\n      go decide(holder)',
)
"""Who passes on a spell has priority again."""
MINE = READINGS.replace(
    "and turn is mine\n    resolve top of stack\n    go decide(active)",
    "and turn is mine\n    resolve top of stack\n    go decide(after active)",
)
"""Only the reading turn=mine is another one."""
SILENT = READINGS.replace(
    "    put spell on stack\n", "    put spell on stack\n    if stack is empty\n      pass\n"
)
"""Players notice nothing, and no solver is asked about it."""
CHANGED = "A casts a spell: may B cast a spell?"


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def command(*words: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    return command


@pytest.fixture
def mine(tmp_path: Path, git: Git) -> Path:
    """A ruleset that is committed."""
    path = tmp_path / "rules" / "mine.rules"
    path.parent.mkdir()
    path.write_text(READINGS, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "base")
    return path


def against(stacklaw: Stacklaw, *words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = stacklaw(
        "check", "rules/mine.rules", "--against", "HEAD", "--format", "json", *words
    )
    found = json.loads(out)
    assert not mistakes(found, SCHEMA), err
    (ruleset,) = found["rulesets"]
    return code, ruleset["changes"]


def accepted(rows: list[dict[str, str]], **other: str) -> str:
    """Accept *rows*, each with what is *other*."""
    said = [
        {
            "ask": row["ask"],
            "answer": row["after"],
            "who": "the designer",
            "why": "a trial",
            **other,
        }
        for row in rows
    ]
    return "".join(
        "[[accepted]]\n" + "".join(f"{key} = {json.dumps(text)}\n" for key, text in one.items())
        for one in said
    )


def test_what_changed_has_to_be_accepted(stacklaw: Stacklaw, mine: Path) -> None:
    assert against(stacklaw) == (
        0,
        {
            "revision": "HEAD",
            "was": "HEAD:rules/mine.rules",
            "note": "",
            "silent": [],
            "answers": [],
        },
    )
    mine.write_text(AGAIN, encoding="utf-8")
    code, changes = against(stacklaw)
    rows = changes["answers"]
    assert (code, {row["status"] for row in rows}) == (1, {"not met"})
    assert all(row["before"] != row["after"] for row in rows)
    assert {clause for row in rows for clause in row["clauses"]} == {"2"}
    assert [AGAIN.splitlines()[row["line"] - 1].strip() for row in rows] == [
        "go decide(holder)"
    ] * len(rows)
    beside = mine.with_suffix(".rulings")
    beside.write_text(accepted(rows), encoding="utf-8")
    code, changes = against(stacklaw)
    assert code == 0
    assert {(row["status"], row["who"], row["why"]) for row in changes["answers"]} == {
        ("met", "the designer", "a trial")
    }
    for wrong in (
        {"answer": "somebody else"},
        {"ask": "who has priority?"},
        {"reading": "turn=mine"},
    ):
        beside.write_text(accepted(rows, **wrong), encoding="utf-8")
        code, changes = against(stacklaw)
        assert (code, {row["status"] for row in changes["answers"]}) == (1, {"not met"}), wrong


def test_only_the_readings_that_an_edit_touches(stacklaw: Stacklaw, mine: Path) -> None:
    mine.write_text(MINE, encoding="utf-8")
    code, changes = against(stacklaw)
    assert code == 1
    assert {tuple(row["readings"]) for row in changes["answers"]} == {("turn=mine",)}
    mine.with_suffix(".rulings").write_text(
        accepted(changes["answers"], reading="turn=mine"), encoding="utf-8"
    )
    assert against(stacklaw)[0] == 0
    code, changes = against(stacklaw, "--set", "turn=theirs")
    assert (code, changes["answers"]) == (0, [])


def test_an_edit_that_shows_in_another_reading_only(
    stacklaw: Stacklaw, mine: Path, git: Git
) -> None:
    mine.write_text(CHARMS, encoding="utf-8")
    git("commit", "-qam", "charms")
    mine.write_text(BY_CHARMS, encoding="utf-8")
    code, changes = against(stacklaw)
    (told, here) = changes["answers"]
    assert (code, told["status"], here["status"]) == (1, "not met", "undecided")
    assert (told["readings"], told["clauses"]) == (["charms=yes"], ["1"])
    assert told["ask"] == "A casts a charm: may A cast a spell?"


def test_an_edit_that_two_options_together_let_show(
    stacklaw: Stacklaw, mine: Path, git: Git
) -> None:
    loud = (
        'option loud "who answers a charm"\n  no  "who casts it"\n  yes "the next player"\n\nitems'
    )
    after = "    if loud is yes\n      go decide({})\n    else\n      go decide(holder)"
    game = CHARMS.replace("items", loud, 1)
    game = game.replace("put charm on stack\n    go decide(holder)", f"put charm on stack\n{after}")
    mine.write_text(game.format("after holder"), encoding="utf-8")
    git("commit", "-qam", "loud charms")
    mine.write_text(game.format("holder"), encoding="utf-8")
    code, changes = against(stacklaw)
    told = [(row["readings"], row["clauses"]) for row in changes["answers"]]
    assert (code, told) == (1, [(["charms=yes, loud=yes"], ["2"])])
    beside = mine.with_suffix(".rulings")
    beside.write_text(accepted(changes["answers"], reading=told[0][0][0]), encoding="utf-8")
    assert against(stacklaw)[0] == 0


def test_of_two_edits_each_is_told_where_it_shows(stacklaw: Stacklaw, mine: Path, git: Git) -> None:
    mine.write_text(CHARMS, encoding="utf-8")
    git("commit", "-qam", "charms")
    mine.write_text(BY_CHARMS.replace(STAYS, f"{STAYS}      go decide(holder)\n"), encoding="utf-8")
    code, changes = against(stacklaw)
    told = [(row["readings"], row["clauses"]) for row in changes["answers"]]
    assert (code, told) == (1, [([], ["3"]), (["charms=yes"], ["1"])])


THREE = """\
game "Three options"
source "a test"
players 2
scope players 2, stack 3
start decide(active)

option one "one"
  a  "a"
  b  "b"

option two "two"
  c  "c"
  d  "d"

option three "three"
  e  "e"
  f  "f"

items
  spell  "spell"
  charm  "charm"

zones
  stack  last in first out

state
  passed : flag

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    put spell on stack
    passed := no
    if one is b and two is d and three is f
      go decide(holder)
    else if one is b
      go decide(after holder)
    else if two is d
      go decide(after holder)
    else
      go decide(after holder)

  may 2 "pass"
    pass
    if passed and stack is not empty
      go resolve
    else if passed
      game over
    else
      passed := yes
      go decide(after holder)

stage resolve "both have passed"

  must 3 "the top spell resolves"
    when stack is not empty
    resolve top of stack
    passed := no
    go decide(active)
"""
CAST, PASS = "A casts a spell: who has priority?", "A passes: who has priority?"
LAST = "    else\n      go decide(after holder)\n\n", "    else\n      go decide(holder)\n\n"
HIDING: dict[str, tuple[list[tuple[str, str]], set[tuple[str, str]]]] = {
    "it shows with three options otherwise only": (
        [("f\n      go decide(holder)", "f\n      go decide(after holder)")],
        {(CAST, "B")},
    ),
    "two edits of a clause, each in a reading of its own": (
        [
            ("else if one is b\n      go decide(after ", "else if one is b\n      go decide("),
            (
                "else if two is d\n      go decide(after holder)",
                "else if two is d\n      game over",
            ),
        ],
        {(CAST, "A"), (CAST, "nobody")},
    ),
    "an edit of a clause, and a first value": (
        [LAST, ("passed : flag", "passed : flag = yes")],
        {(CAST, "A"), (PASS, "nobody")},
    ),
    "two edits of a clause in one reading": (
        [
            ("      game over", "      passed := no\n      go decide(after holder)"),
            ("passed := yes\n      go decide(after ", "passed := yes\n      go decide("),
        ],
        {("what happens next?", "nothing"), (PASS, "A")},
    ),
    "the whole edit has the last word on what two parts change": (
        [
            ("    put spell on stack\n", "    put charm on stack\n    put spell on stack\n"),
            ("    if one is b and", "    put charm on stack\n    if one is b and"),
        ],
        {
            (
                "A casts a spell: what is on the stack?",
                "A's second charm above A's spell above A's first charm",
            ),
            ("A casts a spell: what happens next?", "A's second charm resolves"),
        },
    ),
    "what one part changes another mends": (
        [
            ("    put spell on stack\n    passed := no\n", "    put spell on stack\n"),
            ("    if one is b and", "    passed := no\n    if one is b and"),
            LAST,
        ],
        {(CAST, "A")},
    ),
}


@pytest.mark.parametrize("edits", HIDING)
def test_no_edit_hides_another(stacklaw: Stacklaw, mine: Path, git: Git, edits: str) -> None:
    replaced, told = HIDING[edits]
    text = THREE
    for old, new in replaced:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    mine.write_text(THREE, encoding="utf-8")
    git("commit", "-qam", "three options")
    mine.write_text(text, encoding="utf-8")
    _, changes = against(stacklaw)
    assert {(row["ask"], row["after"]) for row in changes["answers"]} == told


def test_what_a_stage_says_of_priority_is_told_beside_a_clause(
    stacklaw: Stacklaw, mine: Path, git: Git
) -> None:
    mine.write_text(THREE, encoding="utf-8")
    git("commit", "-qam", "three options")
    text = THREE.replace(*LAST).replace(
        'both have passed"\n', 'both have passed"\n  priority active\n'
    )
    mine.write_text(text, encoding="utf-8")
    _, changes = against(stacklaw)
    first, *others = [(row["ask"], row["after"]) for row in changes["answers"]]
    assert first == (CAST, "A")
    assert any("A has priority and only this is possible" in ask for ask, _ in others)


def test_many_clauses_are_each_told(stacklaw: Stacklaw, mine: Path, git: Git) -> None:
    clauses = [
        f'  may {at} "play card {at}"\n    put spell on stack\n    go decide(after holder)\n\n'
        for at in range(10, 30)
    ]
    head, pass_, rest = THREE.partition('  may 2 "pass"')
    game = head + "".join(clauses) + pass_ + rest
    mine.write_text(game, encoding="utf-8")
    git("commit", "-qam", "many cards")
    changed = [one.replace("after holder", "holder") for one in clauses]
    mine.write_text(head + "".join(changed) + pass_ + rest, encoding="utf-8")
    _, changes = against(stacklaw)
    told = {clause for row in changes["answers"] for clause in row["clauses"]}
    assert told == {str(at) for at in range(10, 30)}


def test_ctrl_c_in_a_first_look_leaves_it_undecided(
    stacklaw: Stacklaw, mine: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.write_text(CHARMS, encoding="utf-8")
    git("commit", "-qam", "charms")
    mine.write_text(BY_CHARMS, encoding="utf-8")
    offer, looks = Side.offer, list[Cloud]()

    def interrupted(side: Side, cloud: Cloud) -> Offer:
        looks.append(cloud)
        if len(looks) == 1:
            raise KeyboardInterrupt
        return offer(side, cloud)

    monkeypatch.setattr(Side, "offer", interrupted)
    _, changes = against(stacklaw)
    assert [row["status"] for row in changes["answers"]] == ["undecided"]


def test_what_is_not_known_to_be_the_same_is_undecided(stacklaw: Stacklaw, mine: Path) -> None:
    mine.write_text(SILENT, encoding="utf-8")
    code, changes = against(stacklaw)
    (row,) = changes["answers"]
    assert (code, row["status"]) == (3, "undecided")
    assert row["reason"].startswith("nothing differs within the scope")
    mine.with_suffix(".rulings").write_text(accepted([row]), encoding="utf-8")
    assert against(stacklaw)[0] == 0
    mine.write_text(AGAIN, encoding="utf-8")
    code, changes = against(stacklaw, "--time", "0.001")
    assert (code, [row["status"] for row in changes["answers"]]) == (3, ["undecided"])


def test_a_ruleset_that_was_renamed_or_is_new(stacklaw: Stacklaw, mine: Path, git: Git) -> None:
    moved = mine.parents[1] / "games" / "it's $mine.rules"
    moved.parent.mkdir()
    git("mv", str(mine), str(moved))
    moved.write_text(AGAIN, encoding="utf-8")
    code, out, _ = stacklaw("check", str(moved), "--against", "HEAD", "--short")
    assert (code, "not accepted" in out.lower()) == (1, True)
    mine.parent.mkdir(exist_ok=True)
    mine.write_text(AGAIN.replace("spell", "trick").replace("pass", "rest"), encoding="utf-8")
    (mine.parent / "new.rules").write_text(AGAIN, encoding="utf-8")
    code, out, _ = stacklaw("check", "rules/new.rules", "--against", "HEAD", "--short")
    assert (code, "the ruleset is new" in " ".join(out.split())) == (0, True)


def test_what_no_revision_has(stacklaw: Stacklaw, mine: Path, git: Git) -> None:
    for revision in ("nosuch", "--output=pwned", "HEAD:rules", "HEAD~9"):
        code, _, err = stacklaw("check", "rules/mine.rules", f"--against={revision}")
        assert (code, "R127" in err) == (2, True), revision
    assert stacklaw("check", "zx", "--against", "HEAD")[0] == 2
    mine.unlink()
    mine.symlink_to("../elsewhere")
    git("commit", "-qam", "a link")
    mine.unlink()
    mine.write_text(READINGS, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_before("HEAD", str(mine))
    assert "it was no file" in refused.value.diagnostics[0].message


@pytest.mark.parametrize("option", ["--all-readings", "--for-which=turn"])
def test_what_is_of_several_readings_is_refused(
    option: str, stacklaw: Stacklaw, mine: Path
) -> None:
    assert stacklaw("check", "rules/mine.rules", "--against", "HEAD", option)[0] == 2


def test_a_file_of_rulings_says_who_accepts_and_why(stacklaw: Stacklaw, mine: Path) -> None:
    row = {"ask": CHANGED, "after": "no"}
    for other in ({"who": " "}, {"why": ""}, {"answer": ""}, {"colour": "red"}):
        mine.with_suffix(".rulings").write_text(accepted([row], **other), encoding="utf-8")
        code, _, err = stacklaw("check", "rules/mine.rules")
        assert (code, "C205" in err) == (2, True), other
    mine.with_suffix(".rulings").write_text(
        ruling("A casts a spell: who has priority?", "B") + accepted([row]), encoding="utf-8"
    )
    code, out, _ = stacklaw("check", "rules/mine.rules", "--against", "HEAD", "--short")
    assert (code, "no answer changed" in " ".join(out.split())) == (0, True)


def test_every_report_tells_it_at_the_changed_line(stacklaw: Stacklaw, mine: Path) -> None:
    mine.write_text(f"{AGAIN}\nclaims\n  holds stack_drains\n", encoding="utf-8")
    files = ["--sarif", "s.json", "--junit", "j.xml", "--markdown", "m.md", "--annotations"]
    code, out, _ = stacklaw("check", "rules/mine.rules", "--against", "HEAD", *files)
    changed = AGAIN.splitlines().index("      go decide(holder)") + 1
    assert code == 1
    assert "What changed for players since HEAD" in out
    assert "[[accepted]]" in out
    shown = [one for one in annotations_in(out) if one.level == "error"]
    assert {one.properties["line"] for one in shown} == {str(changed)}
    assert any("lost" in one.properties["title"] for one in shown)
    assert any("an answer changed" in one.properties["title"] for one in shown)
    results = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert {one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results} == {
        changed
    }
    assert {one["ruleId"] for one in results} == {"changed", "stack_drains"}
    suite = ET.parse("j.xml").getroot()
    cases = [case for case in suite.iter("testcase") if "since HEAD" in case.get("name", "")]
    assert [case.find("failure") is not None for case in cases] == [True]
    summary = Path("m.md").read_text(encoding="utf-8")
    assert summary.index("NOT ACCEPTED") < summary.index("### Claims and rulings")
    Path("rules/new.rules").write_text(ONE_PASS, encoding="utf-8")
    mine.write_text(READINGS, encoding="utf-8")
    assert stacklaw("check", "rules/", "--against", "HEAD", *files)[0] == 0
    summary = Path("m.md").read_text(encoding="utf-8")
    assert "**new**: the ruleset is new." in summary
    assert "No answer changed in mine." in summary


def test_a_play_that_the_edit_does_not_let_through_stands_where_it_breaks(
    stacklaw: Stacklaw, mine: Path, git: Git
) -> None:
    lost = READINGS + "\nclaims\n  holds full_round\n"
    mine.write_text(lost, encoding="utf-8")
    git("commit", "-qam", "a claim that is not met")
    before = annotations_in(stacklaw("check", "rules/mine.rules", "--annotations")[1])
    mine.write_text(
        lost.replace('"it resolves, and the turn stays"', '"it resolves; the turn stays"'),
        encoding="utf-8",
    )
    after = annotations_in(
        stacklaw("check", "rules/mine.rules", "--annotations", "--against", "HEAD")[1]
    )
    assert (
        [one.properties["line"] for one in after]
        == [one.properties["line"] for one in before]
        != []
    )
