"""``stacklaw diff``: its exit codes, its formats, revisions in git, and what is wrong with what it
is given.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.prover.workers import COMMAND
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import INTERRUPTED
from stacklaw.checker.types.scope import Scope
from stacklaw.checker.types.verdict import Verdict
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.properties.formula import Property

from ..checker.test_proof_file import FINDS_NONE
from ..reports.test_schema import SCHEMA, mistakes
from ..rulesets import ONE_PASS
from .rules import BASE, CHANGED, SAME

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[1] / "examples"
CLAIMS = """
claims
  holds lifo
  fails own_window
  possible marked "somebody is marked"
    possible (size of pool is 1)
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {
        "base": BASE,
        "same": SAME["renumbered"],
        "changed": CHANGED["somebody else has priority"],
        "stuck": CHANGED["a player who is stuck"],
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.rules").write_text(text + CLAIMS, encoding="utf-8")
    (tmp_path / "unmarked.rules").write_text(
        BASE.replace("put mark by p on pool", "let q be p") + CLAIMS, encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["diff", *arguments])
    done = capfd.readouterr()
    return code, done.out, done.err


@pytest.mark.usefixtures("files")
def test_how_it_ends(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, "base.rules", "same.rules")[0] == 0
    code, out, _ = told(capfd, "base.rules", "unmarked.rules")
    assert code == 1
    assert "2 lost (marked and" in out
    code, out, _ = told(capfd, "unmarked.rules", "base.rules")
    assert "gained (marked and" in out
    assert code == 0
    assert told(capfd, "unmarked.rules", "base.rules", "--fail-on", "changed")[0] == 1
    assert told(capfd, "base.rules", "same.rules", "--fail-on", "changed")[0] == 0


GROWN = """\
game "Grown"
players 2
scope players 2, stack 2
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    put spell on stack
    go decide(after holder)

  may 2 "resolve the top"
    when stack is not empty
    resolve top of stack
    go decide(active)
"""
"""A stage whose clauses do not say how large the stack is."""


def test_what_a_tag_alone_changes_is_asked(files: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """No play shows whether a step is meant to be silent; whether it may be is promised."""
    text = GROWN.replace("zones", "turn\n  day\n  night [silent]\n\nzones")
    text = text.replace("stack\n    go decide(active)", "stack\n    skip to night\n    go dusk")
    text += '\nstage dusk\n  must 3 "it is day"\n    advance\n    go decide(active)\n'
    for name, one in (("tagged", text), ("untagged", text.replace(" [silent]", ""))):
        (files / f"{name}.rules").write_text(one, encoding="utf-8")
    code, out, _ = told(capfd, "tagged.rules", "untagged.rules")
    assert code == 1
    assert "the rules say the same" in out
    assert "2 lost (window_in_every_step and end_of_turn_response)" in out


def test_no_line_of_guarantees_is_told_without_any(
    files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is asked of a tag may be so on neither side."""
    text = GROWN.replace("zones", "turn\n  day\n  night [silent]\n\nzones")
    text = text.replace("after holder", "active")
    for name, one in (("tagged", text), ("untagged", text.replace(" [silent]", ""))):
        (files / f"{name}.rules").write_text(one, encoding="utf-8")
    code, out, _ = told(capfd, "tagged.rules", "untagged.rules", "--format", "markdown")
    assert code == 0
    assert "the rules say the same" in out
    assert "Guarantees" not in out


def test_what_shows_only_with_more_room_is_shown_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.rules").write_text(GROWN, encoding="utf-8")
    for name, size in (("three", 3), ("seven", 7)):
        changed = (
            f"    if size of stack is {size}\n      go decide(holder)\n    resolve top of stack\n"
        )
        Path(f"{name}.rules").write_text(
            GROWN.replace("    resolve top of stack\n", changed), encoding="utf-8"
        )
    code, out, _ = told(capfd, "old.rules", "three.rules")
    assert (code, "players notice" in out, "one size larger" in out) == (0, True, True)
    assert re.search(r"new +Grown \(three.rules\), 2 players, stack 3", out)
    code, out, _ = told(capfd, "old.rules", "seven.rules")
    assert (code, "The same game within the scope" in out, "one size larger" in out) == (
        3,
        True,
        False,
    )
    assert told(capfd, "old.rules", "three.rules", "--stack", "2")[0] == 3, (
        "who says how large the stack is has it so"
    )


@pytest.mark.parametrize(("players", "shows"), [(3, True), (4, False)])
def test_what_shows_only_with_more_players_is_shown_with_one_more(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    players: int,
    shows: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    old = GROWN.replace("players 2\nscope", "players 2 or more\nscope")
    changed = (
        f"    if number of players is {players}\n      go decide(holder)\n    resolve top of "
        "stack\n"
    )
    Path("old.rules").write_text(old, encoding="utf-8")
    Path("new.rules").write_text(
        old.replace("    resolve top of stack\n", changed), encoding="utf-8"
    )
    code, out, _ = told(capfd, "old.rules", "new.rules")
    assert (code, "players notice" in out) == ((0, True) if shows else (3, False))
    assert ("one size larger" in out) == shows
    if shows:
        assert "changed by 2" in out


def test_the_other_direction_is_looked_for_not_much_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lucky = '    put spell on stack\n    maybe "there is luck"\n      lucky := {}\n'
    rules = GROWN.replace("\nstage decide", "\nstate\n  lucky : flag\n\nstage decide") + (
        '\n  may 3 "draw"\n    when lucky\n    lucky := no\n    go decide(holder)\n'
    )
    for name, value in (("old", "no"), ("new", "yes")):
        text = rules.replace("    put spell on stack\n", lucky.format(value))
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    note = "What the old rules alone allow was looked for in plays of up to"
    code, out, _ = told(capfd, "old.rules", "new.rules", "--stack", "5")
    assert ("players notice" in out, note in out) == (True, False)
    monkeypatch.setattr("stacklaw.checker.diff.behaviour._LEAST_MORE", 1)
    code, out, _ = told(capfd, "old.rules", "new.rules", "--stack", "5")
    assert (code, "players notice" in out, note in " ".join(out.split())) == (0, True, True)


def test_what_players_say_that_they_do_tells_two_rulesets_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A player who plays a land looks as if they did nothing, or as if they cast a spell."""
    monkeypatch.chdir(tmp_path)
    idle = '\n  may 3 "take a special action"\n    go decide(holder)\n'
    land = '\n  may 4 "play a land"\n{put}    go decide({holder})\n'
    for name, put, holder in (
        ("old", "", "holder"),
        ("new", "    put spell on stack\n", "after holder"),
    ):
        text = GROWN + idle + land.format(put=put, holder=holder)
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    code, out, _ = told(capfd, "old.rules", "new.rules", "--plays")
    assert code == 0
    assert "Not the same game: players notice." in out
    assert "  A plays a land: who has priority?\n    before  A" in out
    assert "changed by 4" in out
    assert "The new rules do not: there A may" in out or "A may play a land" in out
    assert "only what players say that they do shows it" in out


@pytest.mark.usefixtures("files")
def test_both_directions_are_told_with_the_clauses(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capfd, "base.rules", "changed.rules", "--plays")
    assert "Here the old rules give B priority (by 1)." in out
    assert "The new rules do not: there A has priority (by 1)" in out
    assert "What the new rules allow and the old ones do not:" in out
    assert "+     go decide(holder)" in out.replace("    +   go", "+     go")
    assert "Not the same game: players notice." in out


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("format_", ["markdown", "html", "json"])
def test_every_format_has_the_plays_and_the_loss(
    format_: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = told(capfd, "base.rules", "unmarked.rules", "--format", format_)
    assert code == 1
    if format_ == "json":
        document = json.loads(out)
        assert mistakes(document, SCHEMA) == []
        assert document["sameness"] == "different"
        assert {one["side"] for one in document["partings"]} <= {"old", "new"}
        assert [row["name"] for row in document["guarantees"] if row["fate"] == "lost"] == [
            "marked",
            "no_dead_clause",
        ]
        return
    # In Markdown a question that tells it takes the place of the play.
    play = "What the old rules allow", "the top resolves"
    told_by = play if format_ == "html" else ("what is on pool?",)
    for part in ("marked", *told_by, "put mark by p on pool"):
        assert part in out.replace("\\", ""), part


@pytest.mark.usefixtures("files")
def test_a_hostile_title_is_harmless_in_every_format(capfd: pytest.CaptureFixture[str]) -> None:
    hostile = "<script>alert(1)</script> ``` | x"
    text = (CHANGED["somebody else has priority"] + CLAIMS).replace(
        'may 1 "cast"', f'may 1 "{hostile}"'
    )
    Path("hostile.rules").write_text(text, encoding="utf-8")
    assert "<script>" not in told(capfd, "base.rules", "hostile.rules", "--format", "html")[1]
    markdown = told(capfd, "base.rules", "hostile.rules", "--format", "markdown")[1]
    outside = "".join(part for number, part in enumerate(markdown.split("````")) if number % 2 == 0)
    assert "<script>" not in outside.replace("\\<", "")


def test_a_revision_in_git(files: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
            cwd=files,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    git("add", "base.rules")
    git("commit", "-qm", "one")
    (files / "base.rules").write_text(
        (files / "unmarked.rules").read_text(encoding="utf-8"), encoding="utf-8"
    )
    code, out, _ = told(capfd, "HEAD:base.rules", "base.rules")
    assert code == 1
    assert "lost (marked and" in out
    for wrong in (
        "HEAD~9:base.rules",
        "HEAD:nothing.rules",
        "nowhere:base.rules",
        "--output=x:base.rules",
    ):
        code, _, err = (
            told(capfd, "base.rules", wrong)
            if not wrong.startswith("-")
            else told(capfd, "--", "base.rules", wrong)
        )
        assert code == 2, wrong
        assert "R127" in err


@pytest.mark.usefixtures("files")
def test_what_is_wrong_is_said_of_the_side_that_has_it(capfd: pytest.CaptureFixture[str]) -> None:
    Path("broken.rules").write_text(
        BASE.replace("resolve top of stack", "resolve top of stakc"), encoding="utf-8"
    )
    for arguments in (("broken.rules", "base.rules"), ("base.rules", "broken.rules")):
        code, _, err = told(capfd, *arguments)
        assert code == 2
        assert "broken.rules:41" in err or "broken.rules:" in err
    assert told(capfd, "base.rules", "nothing.rules")[0] == 2
    assert told(capfd, "base.rules", "same.rules", "--map", "x=y")[0] == 2
    assert told(capfd, "base.rules", "same.rules", "--map", "x")[0] == 2
    assert told(capfd, "base.rules", "same.rules", "--scope", "nowhere=3")[0] == 2


@pytest.mark.usefixtures("files")
def test_two_games_with_nothing_in_common(capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capfd, str(EXAMPLES / "queue.rules"), "base.rules")
    assert code == 2
    assert "C119" in err


@pytest.mark.usefixtures("files")
def test_a_budget_leaves_it_undecided(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capfd, "stack", "stack@missed=void", "--time", "0.02")
    assert code in (1, 3)
    assert "Undecided" in out or "Not the same" in out


@pytest.mark.usefixtures("files")
def test_what_proves_the_old_rules_is_tried_on_the_new_ones(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """If no proof of the new rules is found, that of the old ones is one."""
    provers: list[Prover] = []

    def asked(
        program: ir.Program, questions: Sequence[Property], scope: Scope, *given: Any
    ) -> list[Verdict]:
        provers.append(replace(given[-1], command=FINDS_NONE if provers else COMMAND))
        return check(program, questions, scope, prover=provers[-1])

    monkeypatch.setattr("stacklaw.cli.commands.diff.check", asked)
    code, out, _ = told(capfd, "base.rules", "changed.rules", "--format", "json")
    rows = {row["name"]: (row["old"], row["new"]) for row in json.loads(out)["guarantees"]}
    assert rows["single_holder"] == ("PROVED", "PROVED"), code
    assert [prover.only is None for prover in provers] == [True, False]


@pytest.mark.usefixtures("files")
def test_one_interrupt_ends_what_is_asked_of_both(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`check` answers what it was asked when somebody interrupts it; the other side is not asked
    then.
    """
    asked: list[str] = []

    def interrupted(
        program: ir.Program, questions: Sequence[Property], scope: Scope, *_: object
    ) -> list[Verdict]:
        asked.append(program.name)
        return [
            replace(verdict, reason=INTERRUPTED) for verdict in check(program, questions, scope)
        ]

    monkeypatch.setattr("stacklaw.cli.commands.diff.check", interrupted)
    code, out, err = told(capfd, "base.rules", "changed.rules")
    assert (code, asked) == (130, ["base"]), err
    assert "Not the same game" in out
    assert "interrupted" in err


@pytest.mark.usefixtures("files")
def test_a_name_has_one_other_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        told(capfd, "base.rules", "same.rules", "--map", "spell=spell", "--map", "spell=mark")[0]
        == 2
    )
    assert (
        told(capfd, "base.rules", "same.rules", "--map", "spell=spell", "--map", "spell=spell")[0]
        == 0
    )


def test_two_games_with_nothing_in_common_are_wrong_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.rules").write_text(ONE.format("bolt", "pile", "last in first out"), encoding="utf-8")
    Path("new.rules").write_text(ONE.format("card", "deck", "in any order"), encoding="utf-8")
    code, out, err = told(capfd, "old.rules", "new.rules")
    assert (code, out) == (2, "")
    assert "C119" in err
    assert "old and new have no kind of item, no zone, no attribute and no step in common." in err


ONE = """
game "One"
players 2 or more
scope players 3
start s
items
  {0} "a {0}"
zones
  {1} {2}
stage s
  priority active
  may 1 "put it"
    put {0} on {1}
    go s
  may 2 "pass"
    pass
    game over
"""


def test_as_many_play_as_both_rulesets_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = ONE.format("bolt", "pile", "last in first out")
    Path("old.rules").write_text(rules, encoding="utf-8")
    Path("new.rules").write_text(
        rules.replace("players 2 or more\nscope players 3", "players 2"), encoding="utf-8"
    )
    code, out, _ = told(capfd, "old.rules", "new.rules")
    assert (code, "The same game within the scope" in out) == (3, True), (
        "the scope cuts the plays, so nothing says it of every size"
    )
    assert out.count(", 2 players, ") == 2
    Path("new.rules").write_text(
        rules.replace("players 2 or more\nscope players 3", "players 1"), encoding="utf-8"
    )
    code, _, err = told(capfd, "old.rules", "new.rules")
    assert (code, "C102" in err) == (2, True)
    assert told(capfd, "old.rules", "new.rules", "--players", "2")[0] == 2


@pytest.mark.usefixtures("files")
def test_both_sides_are_folded_alike(capfd: pytest.CaptureFixture[str]) -> None:
    """Where one play ends or begins a line, so does the other, though rules alone go on there:
    lines stand beside each other.
    """
    for name, text in (("old", BASE), ("new", CHANGED["another owner"])):
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    out = told(capfd, "old.rules", "new.rules", "--format", "html")[1]
    sides = re.findall(r'<p class="lead">(?:Old|New)</p><pre>(.*?)</pre>', out, re.DOTALL)
    heads = [
        {int(number) for number in re.findall(r"^ *(\d+)(?:-\d+)? ", side, re.MULTILINE)}
        for side in sides
    ]
    assert len(heads) == 4
    for one, other in zip(heads[::2], heads[1::2], strict=True):
        shared = range(min(max(one), max(other)) + 1)
        assert one & {*shared} == other & {*shared}


def test_what_is_only_added_is_told_once_and_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.rules").write_text(BEFORE, encoding="utf-8")
    claims = "\nclaims\n  fails lifo\n  holds none\n    never something is put on stack\n"
    Path("new.rules").write_text(
        BEFORE.replace('  spell "spell"', '  spell "spell"\n  trap "trap"') + SET_A_TRAP + claims,
        encoding="utf-8",
    )
    code, out, _ = told(capfd, "old.rules", "new.rules", "--plays")
    assert code == 1
    assert "what can A do?" in out
    assert re.search("now .*cast a spell; pass; set a trap", out)
    assert "Here A may now also act: A's trap is put on stack (by 3)." in out
    assert out.count(">>>") == 1
    assert "come to a stop" not in out
    assert "Claimed by the new rules, and not met:" in out
    assert "Lost:" not in out
    assert "2 claimed now and not met (lifo and none)" in out
    _, text, _ = told(capfd, "old.rules", "new.rules", "--format", "json")
    rows = {row["name"]: row["fate"] for row in json.loads(text)["guarantees"]}
    assert (rows["none"], rows["lifo"]) == ("unmet", "unmet")
    assert mistakes(json.loads(text), SCHEMA) == []
    _, out, _ = told(capfd, "new.rules", "old.rules", "--plays")
    assert "may now also" not in out
    assert out.count(">>>") == 1


BEFORE = """\
game "Traps"
players 2
scope players 2, stack 1
start decide(active)

items
  spell "spell"

zones
  stack last in first out

stage decide(p: player)
  priority p

  may 1 "cast a spell"
    when stack is empty
    put spell on stack
    go decide(after p)

  may 2 "pass"
    pass
    go decide(after p)
"""
SET_A_TRAP = """
  may 3 "set a trap"
    when stack is empty
    put trap on stack
    go decide(after p)
"""


TRIGGERS = """\
game "Triggers"
players 2
scope waiting 2, stack 2
start begin

items
  trigger "trigger"

zones
  waiting in any order [waiting]
  stack last in first out

stage begin
  must 1 "triggers"
    {}
    go main

stage main
  must 2 "put one on the stack"
    when waiting is not empty
    choose t in waiting
    move t to stack
    go main

  must 3 "the end"
    when waiting is empty
    game over

claims
  possible both "two wait together on the stack"
    possible (size of stack is 2)
  fails few "not so many"
    never (size of stack is 2)
"""


@pytest.mark.parametrize(
    ("triggers", "room", "fate", "ends"),
    [(3, (), "undecided", 3), (3, ("waiting=3", "stack=3"), "kept", 0), (1, (), "lost", 1)],
)
def test_what_a_scope_that_cuts_moves_does_not_show_is_not_lost(
    triggers: int,
    room: Sequence[str],
    fate: str,
    ends: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Of three triggers a zone with room for two has none, and then nothing is seen of what comes
    after; one trigger is too few.
    """
    monkeypatch.chdir(tmp_path)
    for name, number in (("old", 2), ("new", triggers)):
        put = "\n    ".join(["put trigger by active on waiting"] * number)
        Path(f"{name}.rules").write_text(TRIGGERS.format(put), encoding="utf-8")
    sizes = [word for size in room for word in ("--scope", size)]
    code, out, _ = told(capfd, "old.rules", "new.rules", *sizes, "--format", "json")
    rows = {row["name"]: row["fate"] for row in json.loads(out)["guarantees"]}
    assert (rows["both"], rows["few"], rows["no_dead_clause"]) == (
        fate,
        fate,
        "kept" if fate == "lost" else fate,
    )
    assert code == ends


def test_what_no_play_of_any_size_shows_any_more_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Though the scope cuts moves: a proof says so."""
    monkeypatch.chdir(tmp_path)
    claims = '\nclaims\n  possible hold_priority\n  fails once "a player acts but once"\n'
    claims += "    never (active acts and previously (active acts))\n"
    answered = ONE_PASS.replace(
        "stack\n    go decide(holder)", "stack\n    go decide(after holder)"
    )
    Path("old.rules").write_text(ONE_PASS + claims, encoding="utf-8")
    Path("new.rules").write_text(answered + claims, encoding="utf-8")
    code, out, _ = told(capfd, "old.rules", "new.rules", "--format", "json")
    rows = {row["name"]: row["fate"] for row in json.loads(out)["guarantees"]}
    assert (rows["hold_priority"], rows["once"], code) == ("lost", "lost", 1)
