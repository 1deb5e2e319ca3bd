"""A page that is written in parts: the board first, then verdicts, then proofs, then all of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.explicit import portable as portables
from stacklaw.checker.prover import prover
from stacklaw.cli.asking.ask import asked_by
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.exploring.making import make_page

from .browser import needs_chromium, opened
from .shown import OPTIONS, SMALL, act, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLAIMS = """
  holds single_holder
  holds may.pass
    for every player p: always (p has priority implies p may pass)
  holds no.both
    never (someone passes and something resolves)
"""
MISSING = re.compile(r"This page is not complete: (.*?)\. <")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the pages that are written one after the other, the last complete."""
    file = tmp_path_factory.mktemp("page") / "small.rules"
    file.write_text(SMALL + CLAIMS, encoding="utf-8")
    program, questions, _ = read_target(str(file), {}, (), (), with_claims=True)
    given = list[str]()
    with pytest.MonkeyPatch.context() as soon:
        soon.setattr(portables, "LONG", 0)
        soon.setattr(prover, "_PATIENCE", -1)  # proofs are found too soon to be waited for
        make_page(
            str(file), program, questions, asked_by(OPTIONS), given.append, give_part=given.append
        )
    return given


def missing(page: str) -> str:
    found = MISSING.search(page)
    return found[1] if found else ""


@pytest.mark.slow
def test_the_board_comes_first_then_verdicts_then_proofs(parts: list[str]) -> None:
    said = [missing(page) for page in parts]
    assert said[0] == "its verdicts are searched for now"
    assert said[-2:] == ["what it searches again with is compiled now", ""]
    counts = [re.fullmatch(r"proving (\d+) of (\d+)", one) for one in said[1:-2]]
    assert counts
    known = [int(one[1]) for one in counts if one]
    assert len(known) == len(counts)
    assert known == sorted(set(known))
    assert 'class="outcome' not in parts[0]
    for page in parts[1:]:
        assert all(f'<span class="name">{name}</span>' in page for name in ("one.spell", "no.both"))
    assert ">PROVED<" in parts[-1]


@needs_chromium
@pytest.mark.long
def test_each_part_can_be_played_and_loaded_again(
    browser: Browser, parts: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "small.html"
    path.write_text(parts[0], encoding="utf-8")
    with opened(browser, path) as page:
        ready(page)
        act(page, "cast")
        assert "This page is not complete yet." in page.inner_text("#ask")
        page.fill("#ruling-box", "A casts a spell: who has priority?")
        page.click("#ruling button:text-is('Ask')")
        page.wait_for_selector(".ruling")
        path.write_text(parts[-1], encoding="utf-8")
        page.click("text=Load it again")
        page.wait_for_selector("html[data-asks]")
        assert page.locator(".missing").count() == 0
        assert page.inner_text(".count") == "move 1 of 1"  # the play is in the address
