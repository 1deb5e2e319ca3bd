"""Claims in a file beside the rules: the same ruleset, and each line told with the file it is
in.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from stacklaw import check
from stacklaw.cli.main import run as run_command
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load_game, load_rules
from stacklaw.models.revisions import source_and_settings
from stacklaw.models.shipped import game_source

RULES = """game "Nod"
players 2
start talk

state
  done : 0 to 3

stage talk
  priority active

  may 1 "nod"
    when done < 3
    done += 1
    go talk

  may 2 "end"
    game over

"""
CLAIMS = """claims
  holds never_four "nobody nods four times"
    never done is 4

  fails quiet "nobody nods"
    never clause 1
"""


@dataclass(frozen=True)
class Done:
    """What a command printed and how it ended."""

    exit_code: int
    stdout: str


Command = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str) -> Done:
        code = int(run_command(list(arguments)))
        printed = capsys.readouterr()
        return Done(code, printed.out + printed.err)

    return command


@pytest.fixture
def nod(tmp_path: Path) -> Path:
    (tmp_path / "nod.claims").write_text(CLAIMS, encoding="utf-8")
    (tmp_path / "nod.rules").write_text(RULES, encoding="utf-8")
    return tmp_path / "nod.rules"


def test_claims_beside_the_rules_are_those_of_the_ruleset(nod: Path) -> None:
    assert [claim.name for claim in load_game(str(nod)).claims] == ["never_four", "quiet"]
    assert load_rules(str(nod)).claims == ()
    assert [part.text for part in game_source(str(nod)).parts()] == [RULES, CLAIMS]


def test_claims_beside_no_rules_are_claims_of_no_game(nod: Path, run: Command) -> None:
    nod.write_text("", encoding="utf-8")
    done = run("check", str(nod))
    assert done.exit_code == 2
    assert done.stdout.count("error R010") == 3


def test_a_ruleset_has_the_same_answers_in_one_file_and_in_two(
    nod: Path, tmp_path: Path, run: Command
) -> None:
    one = tmp_path / "one.rules"
    one.write_text(RULES + CLAIMS, encoding="utf-8")
    both = [run("check", str(file), "--format", "json") for file in (one, nod)]
    assert [result.exit_code for result in both] == [0, 0]
    rows = [
        [row for row in json.loads(result.stdout)["rulesets"][0]["rows"] if row["claim"]]
        for result in both
    ]
    places = [
        [(row["claim"].pop("file"), row["claim"].pop("line")) for row in each] for each in rows
    ]
    assert rows[0] == rows[1]
    assert places[0] == [(str(one), 20), (str(one), 23)]
    assert places[1] == [(str(nod.with_suffix(".claims")), 2), (str(nod.with_suffix(".claims")), 5)]


def test_a_broken_claim_is_told_at_its_line(nod: Path, run: Command) -> None:
    claims = nod.with_suffix(".claims")
    claims.write_text(CLAIMS.replace("fails", "holds"), encoding="utf-8")
    written = {kind: nod.with_suffix(f".{kind}") for kind in ("junit", "sarif", "markdown")}
    options = [word for kind, path in written.items() for word in (f"--{kind}", str(path))]
    told = run("check", str(nod), "--annotations", *options)
    assert told.exit_code == 1
    told_in = {kind: path.read_text(encoding="utf-8") for kind, path in written.items()}
    assert "Claimed in line 5 of nod.claims" in told.stdout
    assert f"{claims}:5" in "".join(told.stdout.split())
    assert f'file="{claims}" line="5"' in told_in["junit"]
    related = json.loads(told_in["sarif"])["runs"][0]["results"][0]["relatedLocations"][0][
        "physicalLocation"
    ]
    assert related["artifactLocation"]["uri"].endswith("nod.claims")
    assert related["region"]["startLine"] == 5
    assert "line 5 of nod.claims" in told_in["markdown"]


def test_a_slip_in_a_claim_is_told_with_its_file(nod: Path) -> None:
    nod.with_suffix(".claims").write_text(
        CLAIMS.replace("never done", "nver done"), encoding="utf-8"
    )
    with pytest.raises(InputError) as caught:
        load_game(str(nod))
    (mistake,) = caught.value.diagnostics
    assert mistake.place == f"{nod.with_suffix('.claims')}:3:5"
    assert load_rules(str(nod)).title == "Nod"


@pytest.mark.parametrize(
    "foreign", ['left out\n  X "nothing"\n', "stage more\n  must 3\n    go talk\n", 'game "Two"\n']
)
def test_a_file_of_claims_has_nothing_else(nod: Path, foreign: str) -> None:
    nod.with_suffix(".claims").write_text(CLAIMS + foreign, encoding="utf-8")
    with pytest.raises(InputError, match="R009") as caught:
        load_game(str(nod))
    assert caught.value.diagnostics[0].file == str(nod.with_suffix(".claims"))


def test_a_name_claimed_in_both_files_is_told(nod: Path) -> None:
    nod.write_text(RULES + "claims\n  holds quiet\n    never done is 3\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        check(str(nod))
    assert caught.value.diagnostics[0].place.startswith(f"{nod.with_suffix('.claims')}:5")


def test_claims_of_a_revision_are_those_it_had(
    nod: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    monkeypatch.chdir(nod.parent)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (
        ["init", "-q"],
        ["add", "nod.rules"],
        ["commit", "-qm", "rules"],
        ["add", "."],
        ["commit", "-qm", "claims"],
    ):
        subprocess.run([*git, *command], check=True, capture_output=True)
    texts = [
        source_and_settings(f"{revision}:nod.rules")[0].text for revision in ("HEAD~1", "HEAD")
    ]
    assert texts == [RULES, RULES + CLAIMS]


def test_all_readings_and_edits_know_the_claims(nod: Path, run: Command) -> None:
    nod.write_text(
        RULES.replace(
            "state\n", 'option most "how often"\n  three "three times"\n  two "twice"\n\nstate\n'
        ),
        encoding="utf-8",
    )
    readings = run("check", str(nod), "--all-readings", "--short")
    assert "4 claims: all met" in " ".join(readings.stdout.split())
    edits = json.loads(run("mutate", str(nod), "--format", "json").stdout)
    assert {name for edit in edits["edits"] for name in edit["noticed_by"]} <= {
        "never_four",
        "quiet",
        "no_dead_clause",
    }
    assert any(edit["fate"] == "noticed" for edit in edits["edits"])


def test_format_knows_a_file_of_claims(nod: Path, run: Command) -> None:
    claims = nod.with_suffix(".claims")
    claims.write_text(CLAIMS.replace("    never", "      never"), encoding="utf-8")
    assert run("format", "--check", str(nod.parent)).exit_code == 1
    assert run("format", str(claims)).exit_code == 0
    assert claims.read_text(encoding="utf-8") == CLAIMS
