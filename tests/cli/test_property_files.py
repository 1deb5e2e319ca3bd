"""Files of properties beside a ruleset, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stacklaw.cli.output.exits import Exit

from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
PROPERTIES = """\
property answered "nothing resolves before somebody passes"
  why "it would come as a surprise"
  never (something resolves and not once someone passes)

lemma settled "what resolves is nobody's to answer"
  always (at resolve implies nobody has priority)

property two "two spells at once"
  for some item i, item j: possible (i on stack and j on stack)
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "mine.props").write_text(PROPERTIES, encoding="utf-8")
    (tmp_path / "more.props").write_text(
        'property deep "three spells"\n  possible size of stack > 2\n', encoding="utf-8"
    )


def rows_of(out: str) -> dict[str, tuple[str, str]]:
    return {
        row["property"]: (row["verdict"], row["status"])
        for row in json.loads(out)["rulesets"][0]["rows"]
    }


@pytest.mark.slow
def test_what_a_file_asks_is_asked_as_if_by_name(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw("check", "mine.props", "met.rules", "--format", "json")
    assert (code, err) == (0, "")
    assert rows_of(out) == {
        "answered": ("PROVED", "met"),
        "settled": ("PROVED", "met"),
        "two": ("POSSIBLE", "met"),
    }
    code, out, _ = stacklaw("check", "met.rules", "more.props")
    assert code == Exit.UNDECIDED
    assert "undecided: deep is UNKNOWN" in out
    assert "with more room one does: `needs stack 3`" in " ".join(out.split())
    assert "met: 1 question: 1 undecided." in out
    assert stacklaw("check", "met.rules", "more.props", "--stack", "3")[0] == 0


def test_names_pick_from_files_claims_and_the_catalogue(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw(
        "check",
        "met.rules",
        "mine.props",
        "more.props",
        "-p",
        "lifo",
        "-p",
        "two",
        "-p",
        "hold_priority",
        "--format",
        "json",
    )
    assert list(rows_of(out)) == ["lifo", "two", "hold_priority"]
    code, _, err = stacklaw("check", "met.rules", "mine.props", "-p", "answerd")
    assert code == Exit.WRONG_INPUT
    assert "P401" in err
    assert "did you mean `answered`?" in err


def test_a_file_that_was_changed_is_read_again(stacklaw: Stacklaw, tmp_path: Path) -> None:
    assert stacklaw("check", "met.rules", "mine.props", "-p", "two")[0] == 0
    (tmp_path / "mine.props").write_text(
        'property two "no"\n  never something is put on stack\n', encoding="utf-8"
    )
    assert stacklaw("check", "met.rules", "mine.props", "-p", "two")[0] == Exit.NOT_MET


def test_every_ruleset_is_asked(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw("check", "met.rules", "failing.rules", "mine.props", "--format", "json")
    assert [len(ruleset["rows"]) for ruleset in json.loads(out)["rulesets"]] == [3, 3]
    code, out, err = stacklaw("check", "fow", "met.rules", "mine.props")
    assert code == Exit.WRONG_INPUT
    assert "mine.props:6:11: error P102" in err
    assert err.rstrip().endswith("Nothing is decided of fow.")
    assert "met: 3 questions: all met." in out


def test_files_can_be_asked_for_which(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw("check", "zx", "turns.props", "--for-which", "points")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "R020" in err
    Path("turns.props").write_text(
        'property over "it ends"\n  possible game is over\n', encoding="utf-8"
    )
    code, out, _ = stacklaw("check", "zx", "turns.props", "--for-which", "points")
    assert code == 0
    assert "over: for which points?" in out
    assert "stacklaw check zx turns.props -p over" in out or "impossible" in out


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        ("", "L109", "There is no property in `bad.props`."),
        ("# nothing\n", "L109", "There is no property in `bad.props`."),
        (
            'property lifo "x"\n  never game is over\n',
            "P403",
            "`lifo` is a property of the catalogue already.",
        ),
        (
            'property hers "x"\n  never game is over\n',
            "P403",
            "`hers` is a claim of the ruleset already (hers.rules:",
        ),
        (
            'property answered "x"\n  never game is over\n',
            "P402",
            "`answered` is in mine.props already.",
        ),
        ('property odd "x"\n  never stck is empty\n', "R101", "did you mean `stack`?"),
        ('lemma odd "x"\n  possible game is over\n', "P405", "A lemma is said of every moment."),
        ("\0", "R021", "it has a NUL byte"),
    ],
)
def test_a_file_that_cannot_be_used(written: str, code: str, said: str, stacklaw: Stacklaw) -> None:
    Path("bad.props").write_text(written, encoding="utf-8")
    rules = Path("met.rules").read_text(encoding="utf-8")
    Path("hers.rules").write_text(
        f'{rules}\n  holds hers "hers"\n    never game is over\n', encoding="utf-8"
    )
    ended, out, err = stacklaw("check", "hers.rules", "mine.props", "bad.props")
    assert (ended, out) == (Exit.WRONG_INPUT, "")
    assert code in err
    assert said in " ".join(err.split())


def test_a_file_of_mistakes_alone_is_not_empty(stacklaw: Stacklaw) -> None:
    Path("bad.props").write_text('property odd "x"\n  never never\n', encoding="utf-8")
    assert stacklaw("check", "met.rules", "bad.props", "-p", "lifo")[0] == 0
    assert (
        "no property called `nosuch`"
        in stacklaw("check", "met.rules", "bad.props", "-p", "nosuch")[2]
    )


def test_properties_need_a_ruleset(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw("check", "mine.props")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "L110" in err


@pytest.mark.slow
def test_lemmas_beside_a_ruleset_help_its_own_claims(stacklaw: Stacklaw, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    rules = page.partition("`copies.rules`:\n\n```rules\n")[2].partition("```")[0]
    (tmp_path / "copies.rules").write_text(rules.partition("  lemma ")[0], encoding="utf-8")
    (tmp_path / "paired.props").write_text(
        rules[rules.index("  lemma ") :].replace("\n  ", "\n").removeprefix("  "), encoding="utf-8"
    )
    code, out, _ = stacklaw(
        "check", "copies.rules", "paired.props", "-p", "undone", "--explain-proofs"
    )
    assert code == 0
    assert "undone is PROVED" in out
    assert "It builds on the lemma paired." in out


@pytest.mark.parametrize(
    "option",
    [["--smallest"], ["--junit", "x.xml"], ["--graph", "x.svg"], ["--set", "points=priority"]],
)
def test_a_condition_has_no_play_and_no_setting(option: list[str], stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw("check", "zx", "-p", "lifo", "--for-which", "points", *option)
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert option[0] in err
