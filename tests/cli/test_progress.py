"""Progress on a terminal: what it says, on one line, and nothing of it stays in what is printed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, Meter, OnProgress, Progress, Tuning
from stacklaw.checker.types.scope import make_scope, scope_of
from stacklaw.cli.asking.ask import Asked, unanswered
from stacklaw.cli.exploring import making
from stacklaw.cli.output.progress import _fitting, _progress_words
from stacklaw.models.load import load, load_rules
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import ONE_PASS

CLI = Path(__file__).parents[2] / "cli"


def now(load: float | None = None, parts: tuple[int, int] | None = None) -> Progress:
    return Progress("deciding", 3, 1200, 5000, 100.0, 64, load, parts=parts)


def test_an_empty_table_is_not_told_and_parts_are() -> None:
    assert not any("full" in said for said in _progress_words(now(0.0)))
    assert not any("full" in said for said in _progress_words(now(0.004)))
    assert "table 12% full" in _progress_words(now(0.12))
    assert list(_progress_words(now(parts=(27, 115)))) == ["27 of 115 questions"]


def test_what_begins_again_has_a_rate_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures search several times under one meter: each counts its moves from 0 on."""
    monkeypatch.setattr(budget, "PROGRESS_SECONDS", 0)
    rates: list[float] = []
    meter = Meter(Budget(), lambda now: rates.append(now.rate))
    for moves in (9_000, 12_000, 0, 10):
        meter.check(1, 0, moves)
    assert [rate > 0 for rate in rates] == [False, True, False, True]
    assert min(rates) == 0


@pytest.mark.parametrize("width", [10, 40, 78, 118])
def test_a_line_is_never_longer_than_the_terminal(width: int) -> None:
    for head in (
        "zx 0:12, deciding: ",
        "a_very_long_name_of_a_ruleset@with=options,and=more 0:12, looking for edits that break "
        "claims: ",
    ):
        line = _fitting(head, _progress_words(now(0.5)), width)
        assert len(line) <= width
        assert len(head) + len("1,200 positions") > width or line.startswith(
            f"{head}1,200 positions"
        )
    assert _fitting("x" * 90 + ": ", ["27 of 115 questions"], 78).endswith("…: 27 of 115 questions")


def test_nothing_is_printed_while_progress_is_shown() -> None:
    """What a terminal shows of progress is taken away when it ends; what is printed before stands
    behind it on the same line.
    """
    for path in CLI.rglob("*.py"):
        for block in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(block, ast.With) and any(
                "progress(" in ast.unparse(item) for item in block.items
            ):
                called = {
                    ast.unparse(node.func) for node in ast.walk(block) if isinstance(node, ast.Call)
                }
                assert "print_found" not in called, path


@pytest.mark.parametrize("engine", ["explicit", "reference"])
def test_progress_says_which_question_of_how_many(
    engine: Literal["explicit", "reference"], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(Meter, "begin", lambda _self, what, *_args, **_more: begun.append(what))
    program = load(Source("one.rules", ONE_PASS))
    asked = [property_named(program, "lifo")] * 2
    list(engine_named(engine).decide(program, asked, scope_of(program, None, None, {}), Meter()))
    assert [what for what in begun if what.startswith("deciding")] == [
        "deciding 1 of 2 (lifo)",
        "deciding 2 of 2 (lifo)",
    ]


def test_who_waits_for_a_page_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the time goes into counting how often clauses are used."""
    told: list[str] = []

    @contextmanager
    def heard(_: str) -> Iterator[OnProgress]:
        yield lambda now: told.append(now.what)

    monkeypatch.setattr(making, "progress", heard)
    monkeypatch.setattr(budget, "PROGRESS_SECONDS", 0)
    program = load_rules("stack")
    made = making.PageMaking("stack", program, make_scope(program), None, None)
    made.whole(unanswered("stack", Asked(Budget(), Tuning()), ""), Meter(Budget(seconds=20)))
    assert "exploring" in told
