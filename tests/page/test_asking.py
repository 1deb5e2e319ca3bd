"""Questions that are asked on a page: other sizes, and a search that is stopped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Verdict
from stacklaw.cli.asking.reading import read_target
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.reports.telling.record import Answer, make_record

from .browser import needs_chromium, opened
from .shown import SMALL, agrees, ready, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


def test_other_sizes_are_asked_in_the_page(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        page.wait_for_selector("html[data-asks]")
        page.fill("#size-0", "1")
        page.click("text=Ask with these settings")
        page.wait_for_selector("#ask [role=status]:has-text('It took')")
        assert "With stack 1 there are" in page.inner_text("#ask [role=status]")
        first = page.inner_text(".answers li >> nth=0")
        assert "IMPOSSIBLE" in first
        assert "two.spells two spells wait (above: POSSIBLE)" in " ".join(first.split())
        proved = page.inner_text(".answers li:has-text('single_holder')")
        assert proved.startswith("PROVED")  # what is proved above is not searched for again
        assert "(proved for every number of players (2 or more) and every zone size)" in proved
        command = page.inner_text(".answers pre")
        assert command.startswith("stacklaw check ")
        assert "small.rules --scope stack=1 -p three.players -p " in command
        assert "it is about 3 players" in page.inner_text(".answers li:has-text('three.players')")
        row = page.locator(".answers li:has-text('one.spell')")
        assert "VIOLATED" in row.inner_text()
        row.locator("button").click()
        assert page.inner_text(".count") == "move 4 of 4"
        assert "~1." in page.evaluate("location.hash")
        agrees(page, program, make_scope(program, sizes={"stack": 1}))
        link = page.evaluate("location.hash")
        page.fill("#size-0", "4")
        page.click("text=Play with these settings")
        for _ in range(4):
            page.click(".choices button >> nth=-1")
        agrees(page, program, make_scope(program, sizes={"stack": 4}))
        page.fill("#size-0", "5")
        page.click("text=Ask with these settings")
        assert page.locator("#size-0:invalid").count() == 1
    with opened(browser, small, link) as page:
        ready(page)
        assert page.inner_text(".count") == "move 4 of 4"
    with opened(browser, small, link.replace("~1", "~9")) as page:
        ready(page)
        assert "no room for" in page.inner_text(".note")


def test_a_search_that_is_stopped_or_has_no_memory_says_how_far_it_came(
    browser: Browser, tmp_path: Path
) -> None:
    program, questions, _ = read_target("mtg", {}, (), (), with_claims=True)
    properties = [question for question, claim, _ in questions if claim is not None]
    scope = make_scope(program)
    record = make_record(
        program,
        scope,
        [
            Answer(Verdict(program, one, Outcome.HOLDS, scope, Counts(0, 0, 0, 0)))
            for one in properties
        ],
    )
    path = written(tmp_path / "mtg.html", program, record, properties=properties)
    with opened(browser, path) as page:
        page.wait_for_selector("html[data-asks]", timeout=60_000)
        page.fill("#size-0", "5")
        page.click("text=Ask with these settings")
        page.wait_for_selector("#ask [role=status]:has-text('positions in this search')")
        page.click("button:text-is('Stop')")
        page.wait_for_selector("#ask [role=status]:has-text('It took')", timeout=20_000)
        outcomes = set(
            page.eval_on_selector_all(
                ".answers .outcome", "all => all.map((one) => one.textContent)"
            )
        )
        assert "HOLDS" not in outcomes
        assert outcomes & {"BOUNDED", "UNKNOWN"}
        assert re.search(
            r"from those above, and \d+ (is|are) open", page.inner_text("#ask [role=status]")
        )
        assert (
            page.locator(
                ".answers li.changed:has-text('BOUNDED'), .answers li.changed:has-text('UNKNOWN')"
            ).count()
            == 0
        )
        page.fill("#ask-memory", "15")
        page.click("text=Ask with these settings")
        assert page.locator("#ask-memory:invalid").count() == 1
        page.fill("#ask-memory", "16")
        page.click("text=Ask with these settings")
        page.wait_for_selector(".answers li", timeout=60_000)  # answers stand there as they come
        assert "are answered" in page.inner_text("#ask [role=status]")
        page.wait_for_selector("#ask [role=status]:has-text('It took')", timeout=60_000)
        assert "and more (no more memory may be taken)" in page.inner_text("#ask [role=status]")
        outcomes = set(
            page.eval_on_selector_all(
                ".answers .outcome", "all => all.map((one) => one.textContent)"
            )
        )
        assert "BOUNDED" in outcomes
        assert "HOLDS" not in outcomes
