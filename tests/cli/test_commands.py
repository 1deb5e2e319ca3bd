"""The commands as a shell sees them: what they print, where, and how they end."""

from __future__ import annotations

import json
import re
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest

from stacklaw.checker.run import cuts
from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Verdict
from stacklaw.cli.main import COMMANDS, cli, run
from stacklaw.cli.output.exits import Exit, worst
from stacklaw.models.diagnostics import codes
from stacklaw.models.load import load
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source

from ..rulesets import ONE_PASS

ROOT = Path(__file__).parents[2]
RULES = f"""\
{ONE_PASS.replace('"cast a spell"', '"cast a spell" cites D-1')}
claims
  possible  hold_priority  cites D-2
"""
FAILING = RULES + "  holds response_window\n"
Result = tuple[int, str, str]
Stacklaw = Callable[..., Result]


@pytest.fixture
def stacklaw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Stacklaw:
    """Run a command in a folder with two rulesets, one whose claims are met and one with a claim
    that is not.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "met.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "failing.rules").write_text(FAILING, encoding="utf-8")

    def command(*arguments: str) -> Result:
        code = run(list(arguments))
        printed = capsys.readouterr()
        return int(code), printed.out, printed.err

    return command


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("L101", "check empty"),
        ("L102", "coverage met.rules"),
        ("L103", "explain nosuchword"),
        ("L104", "check met.rules --checkpoint met.rules"),
        ("L105", "check met.rules --certificates met.rules"),
    ],
)
def test_what_is_wrong_with_a_command_line_has_a_code(
    code: str, arguments: str, stacklaw: Stacklaw, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    end, printed, wrong = stacklaw(*arguments.split())
    assert (end, printed) == (Exit.WRONG_INPUT, "")
    assert code in wrong


def test_a_line_of_an_inventory_has_a_tab(stacklaw: Stacklaw, tmp_path: Path) -> None:
    (tmp_path / "met.clauses").write_text("# of the table\n1.1\tA spell.\n1.2 A pass.\n")
    end, printed, wrong = stacklaw("coverage", "met.rules")
    assert (end, printed) == (Exit.WRONG_INPUT, "")
    assert wrong.startswith("met.clauses:3:1: error L102: This line has no tab")


def test_every_code_has_a_test() -> None:
    """Of those of rules, formulas and warnings tests of their own see to that."""
    tests = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")
    )
    assert not [code for code in codes() if code[0] in "LC" and code not in tests]


EXITS = [
    (0, "check met.rules"),
    (0, "check met.rules --property hold_priority"),
    (0, "check met.rules --property lifo"),
    (1, "check failing.rules"),
    (1, "check met.rules failing.rules"),
    (1, "check ."),
    (1, "check met.rules --property response_window"),
    (0, "check met.rules --stack 3 --players 3"),
    (3, "check met.rules --stack 1"),
    (3, "check met.rules --stack 1 --property lifo"),
    (2, "check nosuchgame"),
    (2, "check met.rules --property nosuchproperty"),
    (2, "check met.rules --scope nosuchzone=2"),
    (2, "check met.rules --scope stack=many"),
    (2, "check met.rules --players 1"),
    (2, "check met.rules --set speed=fast"),
    (2, "check met.rules --set speed"),
    (2, "check met.rules --graph play.png"),
    (0, "check met.rules --no-slice --no-symmetry"),
    (0, "check met.rules --engine explicit --threads 2 --checkpoint searches --resume"),
    (2, "check met.rules --stack 0"),
    (2, "check met.rules --players 17"),
    (2, "check met.rules --time 0"),
    (2, "check met.rules --time nan"),
    (2, "check met.rules --memory 0"),
    (2, "check met.rules --threads 0"),
    (2, "check met.rules --threads many"),
    (2, "check met.rules --resume"),
    (2, "check met.rules --checkpoint met.rules"),
    (2, "check met.rules --key met.rules"),
    (2, "check met.rules --checkpoint searches --key searches/key"),
    (2, "check met.rules --engine reference --threads 2"),
    (2, "compare met.rules --checkpoint met.rules/searches"),
    (2, "check --nosuchoption"),
    (2, "nosuchcommand"),
    (3, "check met.rules --stack 5 --time 0.000001"),
    (0, "games"),
    (0, "properties"),
    (0, "show met.rules"),
    (2, "show nosuchgame"),
    (0, "explain response_window"),
    (0, "explain VACUOUS"),
    (0, "explain L103"),
    (0, "explain Livelock"),
    (2, "explain nosuchword"),
    (0, "simulate met.rules --seed 4"),
    (0, "compare met.rules failing.rules"),
    (3, "compare met.rules --stack 5 --time 0.000001"),
    (2, "coverage met.rules"),
    (0, "loops met.rules"),
    (0, "check met.rules --assumptions"),
    (0, "loops met.rules --play 1"),
    (2, "loops met.rules --play 99"),
    (3, "loops met.rules --time 0.000001"),
    (0, "measure met.rules"),
    (0, "measure met.rules --format json --prove"),
    (2, "measure met.rules --play 99"),
    (3, "measure met.rules --time 0.000001"),
    (0, "page met.rules"),
    (0, "page failing.rules -o here.html --players 3"),
    (2, "page met.rules -o nowhere/page.html"),
    (2, "page nosuchgame"),
    (2, "explore nosuchgame"),
    (2, "explore met.rules --port 70000"),
    (2, "explore met.rules --stack 0"),
    (0, "format met.rules --check"),
    (2, "format nosuchfile.rules"),
    (0, "--help"),
    (0, "--version"),
]


@pytest.mark.parametrize(("code", "line"), EXITS, ids=[line for _, line in EXITS])
def test_exit_codes(code: int, line: str, stacklaw: Stacklaw) -> None:
    ended, out, err = stacklaw(*line.split())
    assert ended == code, out + err
    assert "Traceback" not in out + err
    assert "\x1b" not in out + err
    assert bool(out) == (code != 2 and not line.startswith(("format", "page"))), err


def test_a_claim_that_is_not_met_is_told_with_its_play(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw("check", "failing.rules")
    assert "NOT MET: response_window is VIOLATED" in out
    assert "Here it breaks." in out
    assert "Why B had no window for A's spell:" in out
    assert out.splitlines()[-1] == "failing: 2 claims: 1 met, 1 NOT MET: response_window."


def test_where_nothing_resolves_a_claim_about_what_does_says_so(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    moved = FAILING.replace("zones\n", "zones\n  grave in any order\n").replace(
        "resolve top of stack", "move top of stack to grave"
    )
    assert moved.count("grave") == 2
    (tmp_path / "moved.rules").write_text(
        moved.replace("stack last in first out", "stack last in first out [stack]"),
        encoding="utf-8",
    )
    said = "no clause has a `resolve`, and what is moved or removed does not resolve"
    assert said in " ".join(stacklaw("check", "moved.rules", "-p", "response_window")[1].split())
    assert said not in " ".join(
        stacklaw("check", "moved.rules", "-p", "no_lost_triggers")[1].split()
    )


def test_properties_without_a_claim_have_no_say(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "met.rules")
    assert code == 0
    assert re.search(r"^response_window +VIOLATED", out, re.MULTILINE)
    assert "Here it breaks." not in out


@pytest.mark.parametrize("name", ["0" * 40 + ".done.json", "0" * 40 + ".json"])
def test_what_was_forged_in_a_shared_folder_decides_nothing(
    name: str, stacklaw: Stacklaw, tmp_path: Path
) -> None:
    text = json.dumps(
        {
            "format": "1",
            "key": "0" * 64,
            "counts": [1, 0, 1, 0],
            "complete": 1,
            "tier": "compiled",
            "hits": {},
        }
    )
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / name).write_text(f"{sha256(text.encode()).hexdigest()}\n{text}\n")
    code, out, err = stacklaw("check", "failing.rules", "--checkpoint", "shared", "--resume")
    assert (code, out) == (2, "")
    assert "C112" in err
    assert "--key FILE" in err
    code, out, err = stacklaw("check", "failing.rules", "--checkpoint", "shared")
    assert code == 1, err


def test_json_is_all_there_is_on_stdout(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw(
        "check", "met.rules", "nosuchgame", "failing.rules", "--format", "json"
    )
    document = json.loads(out)
    assert (code, document["exit_code"]) == (2, 2)
    assert [ruleset["name"] for ruleset in document["rulesets"]] == ["met", "failing"]
    assert [error["target"] for error in document["errors"]] == ["nosuchgame"]
    assert "nosuchgame" in err


def test_junit_and_pictures_are_written_beside_the_text(stacklaw: Stacklaw, tmp_path: Path) -> None:
    code, out, err = stacklaw(
        "check", "failing.rules", "--junit", "claims.xml", "--graph", "play.svg"
    )
    assert code == 1
    assert "NOT MET" in out
    cases = list(ET.parse(tmp_path / "claims.xml").iter("testcase"))
    assert [case.get("name") for case in cases] == [
        "possible hold_priority",
        "holds response_window",
    ]
    assert err == "wrote play.svg\n"
    ET.parse(tmp_path / "play.svg")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("Livelock", "Play goes round"),
        ("state", "Everything there is"),
        ("exit code", "The number"),
    ],
)
def test_words_of_the_glossary_are_explained(word: str, said: str, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("explain", word)
    assert code == 0
    assert out.startswith(f"{word.lower()}: {said}")
    assert "glossary.md" in out


def test_several_plays_get_a_file_each(stacklaw: Stacklaw, tmp_path: Path) -> None:
    stacklaw(
        "check", "met.rules", "-p", "hold_priority", "-p", "response_window", "--graph", "play.dot"
    )
    assert sorted(path.name for path in tmp_path.glob("*.dot")) == [
        "play.met.hold_priority.dot",
        "play.met.response_window.dot",
    ]


def test_the_same_seed_gives_the_same_play(stacklaw: Stacklaw) -> None:
    first, second, other = (
        stacklaw("simulate", "mtg", "--seed", seed)[1] for seed in ("3", "3", "4")
    )
    assert first == second != other


def test_coverage_ends_by_what_is_missing(stacklaw: Stacklaw, tmp_path: Path) -> None:
    inventory = tmp_path / "met.clauses"
    inventory.write_text(
        "# all of it\nD-1\tspells may be cast\nD-2\ttwo in a row\n1.3\tthe top resolves\n",
        encoding="utf-8",
    )
    code, out, _ = stacklaw("coverage", "met.rules")
    assert code == 0
    assert "3 statements, 3 covered." in out
    inventory.write_text("D-1\tspells may be cast\nD-3\tno such thing\n", encoding="utf-8")
    code, out, _ = stacklaw("coverage", "met.rules")
    assert code == 1
    assert "not covered: D-3" in out


CUT = """\
game "Three at once"
players 2
scope waiting 2
start begin
items
  trigger "trigger"
zones
  waiting in any order
stage begin
  must 1 "three triggers"
    put trigger by active on waiting
    put trigger by active on waiting
    put trigger by active on waiting
    go after_that
stage after_that
  must 2 "the end"
    when waiting is not empty
    game over
  must 3 "no end"
    when waiting is empty
    go after_that
"""


def test_where_all_moves_of_the_start_are_cut_that_comes_first(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    (tmp_path / "cut.rules").write_text(CUT, encoding="utf-8")
    code, out, _ = stacklaw("check", "cut.rules")
    assert code == 0
    assert out.startswith(
        "warning C120: The scope cuts all moves of the start, so only one position was looked "
        "at.\n    hint: ask with --scope"
    )
    assert "hint: ask with --scope waiting=3, or say so" in out
    assert "not possible for 3 at any size; possible for 1 and 2 only with more room" in " ".join(
        out.split()
    )
    (tmp_path / "alive.rules").write_text(CUT.partition("  must 3")[0], encoding="utf-8")
    assert "fails" not in stacklaw("check", "alive.rules")[1].partition("\nclaims\n")[2]
    assert stacklaw("check", "cut.rules", "--strict")[0] == 1
    assert "C120" not in stacklaw("check", "cut.rules", "--scope", "waiting=3")[1]
    (tmp_path / "default.rules").write_text(CUT.replace("scope waiting 2\n", ""), encoding="utf-8")
    assert "C120" not in stacklaw("check", "default.rules")[1]


def test_a_start_of_very_many_moves_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the scope cuts all of them is not looked at for ever."""
    monkeypatch.setattr(cuts, "_SECONDS", 0.1)
    chosen = "".join(
        f"    choose x{number} in players where x{number} is not p\n" for number in range(12)
    )
    program = load(Source("many.rules", _MANY.format(chosen)))
    assert cuts.cut_start(program, make_scope(program, 16)) == ()


_MANY = """language 1
game "Many"
players 2 to 16
start decide(active)

stage decide(p: player)
  priority p

  may 1.1 "choose"
{}    go decide(p)
"""


def test_coverage_of_what_the_scope_has_no_room_for_is_open(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    (tmp_path / "cut.rules").write_text(CUT, encoding="utf-8")
    inventory = tmp_path / "cut.clauses"
    inventory.write_text("1\tthree\n2\tthe end\n", encoding="utf-8")
    code, out, _ = stacklaw("coverage", "cut.rules")
    assert (code, "2 players, waiting 2" in out, "never fired" in out) == (3, True, False)
    assert "2 statements, 0 covered; open within the scope: 1, 2." in out
    assert stacklaw("coverage", "cut.rules", "--scope", "waiting=3")[0] == 0
    inventory.write_text("1\tthree\n3\tno end\n", encoding="utf-8")
    code, out, _ = stacklaw("coverage", "cut.rules")
    assert code == 1
    assert "not covered: 3; open within the scope: 1." in out


def test_coverage_says_with_which_other_setting_a_rule_fires(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    option, last = (
        'option three "three"\n  no "two"\n  yes "three"\n',
        "    put trigger by active on waiting\n    go",
    )
    rules = CUT.replace("items", f"{option}items").replace(last, f"    if three is yes\n  {last}")
    (tmp_path / "cut.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "cut.clauses").write_text("1\tthree\n", encoding="utf-8")
    assert "rule  1  fired 1 times\n" in stacklaw("coverage", "cut.rules")[1]
    _, out, _ = stacklaw("coverage", "cut.rules", "--set", "three=yes")
    assert "rule  1  fired 1 times with three=no\n" in out


def test_format_changes_a_file_once(stacklaw: Stacklaw, tmp_path: Path) -> None:
    (tmp_path / "met.rules").write_text(
        RULES.replace("players 2 or more", "players   2   or more"), encoding="utf-8"
    )
    assert stacklaw("format", "met.rules", "--check")[0] == 1
    assert stacklaw("format", "met.rules")[0] == 0
    assert stacklaw("format", "met.rules", "--check")[0] == 0


def test_notes_are_told_once_and_apart_from_the_verdicts(
    stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noted(*arguments: Any) -> list[Verdict]:
        return [
            replace(verdict, notes=("nothing could be compiled",)) for verdict in check(*arguments)
        ]

    plain = stacklaw("check", "met.rules", "failing.rules")
    assert plain[2] == ""
    monkeypatch.setattr("stacklaw.cli.asking.ask.check", noted)
    assert stacklaw("check", "met.rules", "failing.rules") == (
        1,
        plain[1],
        "note: Nothing could be compiled.\n",
    )
    assert (
        stacklaw("compare", "met.rules", "failing.rules")[2] == "note: Nothing could be compiled.\n"
    )
    _, out, err = stacklaw("check", "met.rules", "--format", "json")
    assert {note for row in json.loads(out)["rulesets"][0]["rows"] for note in row["notes"]} == {
        "nothing could be compiled"
    }
    assert err == ""


def test_a_mistake_of_ours_is_told_as_such(
    stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the cat is on the table")

    monkeypatch.setattr("stacklaw.cli.asking.ask.check", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code, out, err = stacklaw("check", "met.rules")
    assert (code, out) == (Exit.INTERNAL, "")
    assert "internal error: RuntimeError: the cat is on the table" in err
    assert "Traceback" not in err
    (report,) = tmp_path.glob("stacklaw-*.txt")
    assert "the cat is on the table" in report.read_text(encoding="utf-8")


def test_the_worst_ruleset_counts() -> None:
    assert worst([]) is Exit.OK
    assert worst([Exit.OK, Exit.UNDECIDED]) is Exit.UNDECIDED
    assert worst([Exit.UNDECIDED, Exit.NOT_MET]) is Exit.NOT_MET
    assert worst([Exit.WRONG_INPUT, Exit.NOT_MET]) is Exit.WRONG_INPUT


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    for option in command.params:
        is_told = isinstance(option, click.Option) and not option.hidden
        assert not is_told or option.help, f"{name} {option.name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_on_the_manual_page(name: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert f"## `stacklaw {name}" in page
    options = [
        option
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for option in parameter.opts
    ]
    assert [option for option in options if f"`{option}" not in page] == []


def test_no_text_of_a_ruleset_reaches_the_terminal_as_a_command(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    hostile = RULES.replace(
        "a player has priority", "\x1b[31m\x1b]0;title\x07 has priority [bold]now[/bold]"
    )
    (tmp_path / "hostile.rules").write_text(hostile, encoding="utf-8")
    for line in (
        "show hostile.rules",
        "check hostile.rules -p response_window",
        "simulate hostile.rules",
    ):
        _, out, err = stacklaw(*line.split())
        assert not {"\x1b", "\x07"} & {*out, *err}
    _, out, _ = stacklaw("show", "hostile.rules")
    assert "[bold]now[/bold]" in out or "hostile" not in out


@pytest.mark.slow
def test_both_engines_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """What they say of how much they looked at is their own. Neither looks for proofs, so what
    needs one is undecided.
    """
    said = []
    for engine in ("reference", "explicit"):
        assert run(["check", "zx", "--engine", engine, "--format", "json"]) == 3
        rows = json.loads(capsys.readouterr().out)["rulesets"][0]["rows"]
        said.append(
            [
                {name: row[name] for name in ("property", "verdict", "status", "bound")}
                | {"moves": length(row)}
                for row in rows
            ]
        )
    assert said[0] == said[1]


def length(row: dict[str, Any]) -> int | None:
    """Return how many moves the play of a row has."""
    return len(row["play"]["moments"]) - 1 if row["play"] else None


@pytest.mark.slow
def test_nothing_left_out_is_the_exploration_itself(capsys: pytest.CaptureFixture[str]) -> None:
    searched = []
    for options in (
        ["--engine", "reference"],
        ["--engine", "explicit", "--no-slice", "--no-symmetry"],
    ):
        run(["check", "zx", "--all", *options])
        searched.append(re.findall(r"^searched +(.*)$", capsys.readouterr().out, re.MULTILINE))
    assert searched[0] == searched[1] != []


def test_what_the_catalogue_asks_to_be_possible_is_answered_whatever_the_answer(
    stacklaw: Stacklaw,
) -> None:
    """It is no claim, so no answer is one that is not met; what is claimed is still held to its
    word.
    """
    code, out, _ = stacklaw("check", "stack", "-p", "stall", "-p", "lifo", "--format", "json")
    rows = {
        row["property"]: (row["verdict"], row["status"])
        for row in json.loads(out)["rulesets"][0]["rows"]
    }
    assert {status for _, status in rows.values()} == {"answered", "met"}
    assert rows["stall"] == ("IMPOSSIBLE", "answered")
    assert code == 0
    code, out, _ = stacklaw("check", "met.rules", "-p", "stall")
    assert (code, out.splitlines()[-1]) == (0, "met: 1 question: 1 answered.")
    assert "Paste them" not in out
    assert stacklaw("check", "met.rules", "-p", "stall", "-p", "response_window")[0] == 1
    text = Path("met.rules").read_text(encoding="utf-8")
    Path("claimed.rules").write_text(f"{text}  possible end_of_turn_response\n", encoding="utf-8")
    assert stacklaw("check", "claimed.rules", "-p", "end_of_turn_response")[0] == 1


def test_help_shows_what_most_people_want_and_help_all_the_rest(stacklaw: Stacklaw) -> None:
    short, whole = (stacklaw("check", option)[1] for option in ("--help", "--help-all"))
    named = [re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", page) for page in (short, whole)]
    assert 10 <= len({*named[0]}) <= 15
    assert set(named[0]) < set(named[1])
    command = cli.get_command(click.Context(cli), "check")
    assert command is not None
    options = {name for param in command.params for name in param.opts if name.startswith("--")}
    assert options <= {*named[1], "--help"}


def test_games_has_a_line_a_game_and_tells_the_options_of_one(stacklaw: Stacklaw) -> None:
    code, listed, _ = stacklaw("games")
    assert code == 0
    assert len(listed.splitlines()) == len((*game_names(), *example_names())) + 3
    assert "points" not in listed
    assert "points" in stacklaw("games", "zx")[1]
