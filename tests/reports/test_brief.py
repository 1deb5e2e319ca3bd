"""A ruleset with many claims: those as claimed are counted by kind, all others are told as ever."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from stacklaw.checker.types.budget import Budget, Tuning
from stacklaw.cli.asking.ask import Asked, ask
from stacklaw.reports.checked.checked import render_record
from stacklaw.reports.checked.rows import MANY, counted_rows
from stacklaw.reports.telling.record import Record, Row, Status
from stacklaw.reports.text.page import plain

WIDTH = 80
GROUP = re.compile(
    r"^  (holds|lemma|fails|possible|impossible|vacuous|) +(\d+)  (\w+)", re.MULTILINE
)


@cache
def record() -> Record:
    """Return what a search alone says of Z/X, without what only a proof could decide."""
    found = ask("zx", Asked(Budget(), Tuning(), engine="explicit"))
    return replace(found, rows=tuple(row for row in found.rows if row.status in ("met", "none")))


def with_row(name: str, status: Status) -> Record:
    return replace(
        record(),
        rows=tuple(
            replace(row, status=status) if row.name == name else row for row in record().rows
        ),
    )


def test_every_claim_that_is_met_is_counted_once() -> None:
    page = plain(render_record(record()), WIDTH)
    found: Counter[str] = Counter()
    word = ""
    for said, number, _ in GROUP.findall(page):
        word = said or word
        found[word] += int(number)
    assert found == Counter(row.expectation for row in record().claims)
    assert max(map(len, page.splitlines())) <= WIDTH
    assert len(page.splitlines()) <= 40


def test_what_fails_as_its_author_says_is_named() -> None:
    page = plain(render_record(record()), WIDTH)
    fails = [row.name for row in record().claims if row.expectation == "fails"]
    assert fails
    for name in fails:
        assert f"  {name}  " in page
    assert "VIOLATED" not in page


def test_what_is_not_met_is_told_before_and_in_full() -> None:
    broken = next(row.name for row in record().claims if row.expectation == "fails")
    page = plain(render_record(with_row(broken, "not met")), WIDTH)
    assert page.index(f"NOT MET: {broken}") < page.index("Met:\n")
    assert page.index("Met:\n") < page.index("zx: ")
    assert "All met" not in page


@pytest.mark.parametrize("status", ["undecided", "not met"])
def test_one_claim_that_is_not_met_keeps_all_from_being_met(status: Status) -> None:
    name = record().claims[0].name
    assert "All met" in plain(render_record(record()))
    assert "All met" not in plain(render_record(with_row(name, status)))


def test_all_rows_are_told_by_heading() -> None:
    first, second, *rest = record().claims
    rows: list[Row] = [replace(first, heading="Who acts?"), replace(second, heading="Who waits?")]
    page = plain(render_record(replace(record(), rows=(*rows, *rest)), all_rows=True), WIDTH)
    assert (
        page.index("Who acts?")
        < page.index(first.name)
        < page.index("Who waits?")
        < page.index(second.name)
    )
    assert all(row.name in page for row in rest)


def test_few_claims_are_listed() -> None:
    few = replace(record(), rows=record().rows[:MANY])
    assert not counted_rows(few)
    assert all(row.name in plain(render_record(few)) for row in few.rows)
