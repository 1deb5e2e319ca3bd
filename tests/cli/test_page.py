"""The page that ``stacklaw check`` prints: what is not met first, the cause before what follows
from it, at any width.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console, Group
from rich.text import Text

from stacklaw.checker.prover.prover import UNTRIED
from stacklaw.checker.types.budget import Budget, Tuning
from stacklaw.checker.types.verdict import Outcome
from stacklaw.cli.asking.ask import Asked, ask
from stacklaw.cli.main import run
from stacklaw.models.shipped import example_names, game_names
from stacklaw.reports.checked.checked import render_record
from stacklaw.reports.checked.rows import Basis, VerdictTable, render_groups
from stacklaw.reports.telling.record import Record
from stacklaw.reports.text.page import plain, print_page, to_paste

from ..rulesets import CAST, ONE_PASS, SPELLS, TABLE

HEAD = f"""{TABLE}{SPELLS}
turn
  main

"""
DECIDE = """
  may 1.2 "pass"
    pass
{forgets}    passed += holder
    if passed is everyone
      go all_passed
    else
      go decide(after holder)

stage all_passed "everyone has passed"

  must 2.1 "the top item resolves"
    when stack is not empty{never}
    resolve top of stack
    passed := none
    go decide(active)

  must 2.2 "the step ends"
    when stack is empty{either}
    advance
    passed := none
    go decide(active)

"""
CLAIMS = """\
claims
  holds response_window
  holds lifo
  holds full_round "nobody agrees to what they do not know"
  fails one_chance "whoever passes may look again"
  possible resolving
    possible something resolves
"""


SMALL = CAST.replace("    put spell", "    when size of stack < 2\n    put spell")
"""There is never more on the stack than the scope has room for, so that what no search finds is not
there.
"""


def game(
    title: str, claims: str = CLAIMS, *, forgets: str = "", never: str = "", either: str = ""
) -> str:
    heard = "  heard : flag\n" if never else ""
    state = f"state\n  passed : players\n{heard}\n"
    return (
        f'game "{title}"\n{HEAD}{state}{SMALL}'
        f"{DECIDE.format(forgets=forgets, never=never, either=either)}{claims}"
    )


LOOP = game("Loop", forgets="    passed := none\n")
GAP = game("Gap", never=" and heard", either=" and heard")
DEAD = game("Dead", never=" and heard", either=" or not heard")
FINE = game("Fine", "claims\n  holds response_window\n  holds lifo\n")
BARE = ONE_PASS.replace("claims", "# claims")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def record_of(text: str) -> Record:
    Path("it.rules").write_text(text, encoding="utf-8")
    return ask("it.rules", Asked(Budget(), Tuning(), engine="explicit"))


def page_of(text: str, width: int = 120) -> str:
    return plain(render_record(record_of(text)), width)


@pytest.mark.parametrize("text", [LOOP, GAP, DEAD, FINE, BARE])
def test_plays_that_no_page_tells_are_not_explained_and_the_page_is_the_same(text: str) -> None:
    whole = record_of(text)
    read = ask("it.rules", Asked(Budget(), Tuning(), engine="explicit", unread=True))
    assert plain(render_record(replace(read, milliseconds=None))) == plain(
        render_record(replace(whole, milliseconds=None))
    )
    skipped = [
        row
        for row, known in zip(read.rows, whole.rows, strict=True)
        if known.play is not None and row.play is None
    ]
    assert bool(skipped) == (text != BARE)
    assert not any(row.has_to_be_told for row in skipped)


# -------------------------------------------------------------- the cause, and what follows from it


@pytest.mark.parametrize(("text", "cause"), [(LOOP, "round_ends"), (GAP, "complete")])
def test_what_no_play_gets_past_comes_before_what_says_nothing_because_of_it(
    text: str, cause: str
) -> None:
    record = record_of(text)
    (root,) = record.roots
    assert record.rows[root.row].name == cause
    assert {record.rows[number].name for number in root.follow} == {
        "response_window",
        "lifo",
        "full_round",
        "resolving",
    }
    assert [clause.id for clause in root.clauses] == ["2.1", "2.2"]
    page = plain(render_record(record))
    told = page.index(f"{cause} is VIOLATED (the cause")
    assert (
        told
        < page.index(">>>")
        < page.index(
            "4 claims say nothing because of it: response_window, lifo, full_round and resolving."
        )
    )
    assert "NOT MET: lifo" not in page
    assert page.count(">>>") == 1
    assert page.splitlines()[-1].endswith(f" because of {cause}.")


def test_a_clause_that_is_never_used_is_a_cause() -> None:
    record = record_of(DEAD)
    (root,) = record.roots
    assert (root.what, root.row, [clause.id for clause in root.clauses]) == ("clause", -1, ["2.1"])
    assert {record.rows[number].name for number in root.follow} == {
        "response_window",
        "lifo",
        "full_round",
        "resolving",
    }
    page = plain(render_record(record))
    line = next(number for number, line in enumerate(DEAD.splitlines(), 1) if " 2.1 " in line)
    told = (
        f"2.1 the top item resolves (it.rules:{line}), which applies only if stack is not empty "
        "and heard"
    )
    assert f"\nClause 2.1 is never used within the scope\n  {told}\n" in page
    assert (
        "4 claims say nothing because of it: response_window, lifo, full_round and resolving."
        in page
    )
    assert "full_round_ends_step" in {row.name for row in record.rows if row.outcome != "VACUOUS"}


def test_a_gap_that_plays_get_past_is_not_the_cause() -> None:
    """Where nothing is on the stack the stage of the gap is left by 2.2: that 2.1 is never used is
    for itself.
    """
    record = record_of(game("Now and then", never=" and heard"))
    assert "VIOLATED" in {row.outcome for row in record.rows if row.name == "complete"}
    (root,) = record.roots
    assert (root.what, root.row, [clause.id for clause in root.clauses]) == ("clause", -1, ["2.1"])
    assert "No play gets past it" not in plain(render_record(record))


def test_what_is_empty_for_another_reason_follows_from_nothing() -> None:
    claim = "  holds no.trap\n    never (active is before active and someone passes)\n"
    record = record_of(LOOP + claim)
    (root,) = record.roots
    (row,) = [row for row in record.rows if row.name == "no.trap"]
    assert row.outcome == "VACUOUS"
    assert record.rows.index(row) not in root.follow
    assert record_of(FINE).roots == ()


def test_a_play_is_told_once_with_all_that_it_breaks() -> None:
    claims = "claims\n  holds response_window\n  holds answered\n    for every item i, player p:\n"
    claims += (
        "      always (i resolves and p is not controller of i implies once (p has priority and i "
        "on stack))\n"
    )
    text = ONE_PASS[: ONE_PASS.index("claims")] if "claims" in ONE_PASS else ONE_PASS
    page = page_of(text + claims)
    assert page.count(">>>") == 1
    assert "NOT MET: The same play breaks answered. Claimed to hold (" in page
    assert page.splitlines()[-1] == "it: 2 claims: 2 NOT MET: response_window and answered."


def test_the_gap_heads_what_the_play_into_it_breaks() -> None:
    """The order of the claims makes no difference: the gap keeps the turn from ending."""
    page = page_of(
        game(
            "Gap",
            "claims\n  holds round_ends\n  holds complete\n",
            never=" and heard",
            either=" and heard",
        )
    )
    assert "NOT MET: complete is VIOLATED" in page
    assert "NOT MET: The same play breaks round_ends: " in page
    assert "The same play breaks complete" not in page


# ------------------------------------------------------------------ what nobody claimed


def test_what_nobody_claimed_is_neither_red_nor_green() -> None:
    record = record_of(BARE)
    console = Console(width=120)
    lines = VerdictTable(record.rows, Basis.from_rows(record.rows)).__rich_console__(
        console, console.options
    )
    styles = {str(span.style) for line in lines if isinstance(line, Text) for span in line.spans}
    assert styles <= {"dim", ""}
    assert {row.outcome for row in record.rows} >= {"VIOLATED", "HOLDS"}


def test_of_what_is_violated_and_not_claimed_the_command_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = page_of(FINE)
    command = re.search(r"`stacklaw (check it\.rules -p [a-z_]+)` tells the play", page)
    assert command
    capsys.readouterr()
    assert run([*command[1].split(), "--engine", "explicit"]) == 1
    assert ">>>" in capsys.readouterr().out


def test_a_ruleset_without_claims_gets_a_play_and_claims_to_paste(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = page_of(BARE)
    assert "response_window is VIOLATED" in page
    assert page.count(">>>") == 1
    block = re.search(r"^claims\n(  \w+ +\w+\n)+", page, re.MULTILINE)
    assert block
    Path("it.rules").write_text(f"{BARE}\n{block[0]}", encoding="utf-8")
    assert run(["check", "it.rules", "--engine", "explicit", "--short"]) == 0
    claims = block[0].count("\n") - 1
    assert capsys.readouterr().out == f"it: {claims} claims: all met.\n"
    assert claims > 10


def test_the_most_telling_play_is_that_of_a_gap() -> None:
    record = record_of(game("Gap", "", never=" and heard", either=" and heard"))
    assert record.rows[record.telling].name == "complete"
    assert record_of(GAP).telling == -1


# ------------------------------------------------------------------ widths


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("text", [LOOP, FINE, BARE], ids=["loop", "fine", "bare"])
def test_a_row_takes_two_lines_at_most(text: str, width: int) -> None:
    record = record_of(text)
    lines = plain(VerdictTable(record.rows, Basis.from_rows(record.rows)), width).splitlines()
    assert all(len(line) <= width for line in lines)
    begins = [
        number
        for number, line in enumerate(lines)
        if any(f" {row.name} " in f" {line[:60]} " for row in record.rows)
    ]
    assert len(begins) == len(record.rows)
    assert all(
        after - before <= 2 for before, after in zip(begins, [*begins[1:], len(lines)], strict=True)
    )
    for row in record.rows:
        assert sum(row.outcome in line and f" {row.name} " in f" {line}" for line in lines) == 1


APART = """\
game "A gap in one stage, and a dead clause in another"
players 2
scope players 2, stack 2
start talk(active)
items
  spell "spell"
zones
  stack last in first out
state
  ready : flag
stage talk(p: player)
  priority p
  may 1 "cast"
    when ready
    put spell on stack
    go talk(p)
  may 2 "pass"
    pass
    if stack is not empty
      go done
    else
      go nowhere
stage nowhere
  must 4 "it goes on"
    when ready
    go talk(active)
stage done
  must 3 "it resolves"
    when stack is not empty
    resolve top of stack
    ready := yes
    go talk(active)
claims
  holds response_window
  holds lifo
"""


def test_a_gap_is_told_before_a_clause_that_is_never_used_elsewhere() -> None:
    page = " ".join(page_of(APART).split())
    assert "2 claims say nothing; the likely cause, told below: complete" in page
    assert "complete is VIOLATED (the likely cause, though nobody claimed it)" in page
    assert "clause 3 is never used within the scope, and this gap may be why" in page
    assert "No play gets past it" not in page
    assert "Not claimed:" in page
    assert "Nobody claimed anything:" not in page


def test_what_is_counted_is_said_whole_on_a_narrow_terminal() -> None:
    """Terminals cut what is wider, and a text may not depend on one."""
    why = "still being tried for every number of players that these rules allow"
    rows = [
        replace(row, outcome=Outcome.HOLDS, proof=None, unproved=f"{UNTRIED}{why}")
        for row in record_of(FINE).rows
    ]
    for width in (40, 80):
        page = plain(Group(*render_groups(rows)), width)
        assert f"HOLDS within the scope; {why}" in " ".join(page.split())


def test_what_is_pasted_is_never_cut() -> None:
    """It would be no TOML, or another claim."""
    line = f'ask = "{"may you respond " * 20}"'
    for width in (40, 120):
        assert plain(Group(to_paste(line)), width) == f"{line}\n"
    words = [text.split() for text in page_of(BARE, 20).splitlines()]
    assert ["fails", "window_between_resolutions"] in words


def test_the_longest_name_hides_no_verdict() -> None:
    record = record_of(FINE + f"  possible {'long' * 60}\n    possible step ends\n")
    lines = plain(VerdictTable(record.rows, Basis.from_rows(record.rows)), 80).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert sum("PROVED" in line or "HOLDS" in line for line in lines) == sum(
        row.outcome in ("PROVED", "HOLDS") for row in record.rows
    )
    assert sum("POSSIBLE" in line.split() for line in lines) == sum(
        row.outcome == "POSSIBLE" for row in record.rows
    )


def test_what_the_author_says_stands_beside_what_the_property_says() -> None:
    for width in (80, 120, 200):
        page = page_of(FINE.replace("holds lifo", 'holds lifo "as every stack does"'), width)
        assert "(the author: as every stack does)" in " ".join(page.split())
        assert "what was put on" in page


# ------------------------------------------------------------------ options of the command


def test_short_is_one_line_a_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    Path("fine.rules").write_text(FINE, encoding="utf-8")
    Path("loop.rules").write_text(LOOP, encoding="utf-8")
    assert run(["check", "fine.rules", "loop.rules", "--short", "--engine", "explicit"]) == 1
    fine, loop = capsys.readouterr().out.splitlines()
    assert fine == "fine: 2 claims: all met."
    assert loop.startswith("loop: 5 claims: 1 met, 4 NOT MET because of ")
    assert run(["check", "fine.rules", "--short", "--format", "json"]) == 2


def test_warnings_count_only_if_somebody_is_strict(capsys: pytest.CaptureFixture[str]) -> None:
    Path("fine.rules").write_text(f"{FINE}\nstate\n  unused : flag\n", encoding="utf-8")
    check = ["check", "fine.rules", "--engine", "explicit"]
    assert run(check) == 0
    out = capsys.readouterr().out
    assert "warning W104: No rule and no claim asks for `unused`." in out
    assert out.splitlines()[-1] == "fine: 2 claims: all met. 1 warning."
    assert run([*check, "--strict"]) == 1
    assert run([*check, "--strict", "-p", "lifo"]) == 0


def test_without_a_name_the_rulesets_of_the_folder_are_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["check"]) == 2
    refused = " ".join(capsys.readouterr().err.split())
    assert "error L101: No ruleset is named, and this folder has no .rules file." in refused
    assert all(name in refused for name in (*game_names(), *example_names()))
    Path("fine.rules").write_text(FINE, encoding="utf-8")
    Path("below").mkdir()
    Path("below/other.rules").write_text(LOOP, encoding="utf-8")
    assert run(["check", "--short", "--engine", "explicit"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["fine"]


def test_no_color_leaves_no_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    for is_set in (False, True):
        monkeypatch.setenv("NO_COLOR", "1" if is_set else "")
        terminal = Terminal()
        print_page(Text("bold", "bold red"), terminal)
        assert ("\x1b" in terminal.getvalue()) != is_set


# ------------------------------------------------------------------ beside others


def test_compare_tells_what_differs_and_asks_what_both_claim(
    capsys: pytest.CaptureFixture[str],
) -> None:
    mine = "  possible ended\n    possible step ends\n"
    Path("fine.rules").write_text(FINE + mine, encoding="utf-8")
    Path("loop.rules").write_text(
        LOOP + mine + "  possible alone\n    possible game is over\n", encoding="utf-8"
    )
    assert run(["compare", "fine.rules", "loop.rules", "--engine", "explicit"]) == 0
    table, same = capsys.readouterr().out.split("\n\n")
    rows = {line.split()[0] for line in table.splitlines()}
    assert {"ended", "response_window"} <= rows
    assert len(rows) > 5
    assert "alone" not in table + same
    assert "single_holder" in same.partition("The same in all, yes: ")[2].partition(".")[0]
    assert "single_holder" not in rows
    assert run(["compare", "fine.rules", "fine.rules", "--engine", "explicit"]) == 0
    assert "No verdict or number differs." in capsys.readouterr().out
