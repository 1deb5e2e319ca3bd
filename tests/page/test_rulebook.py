"""The rulebook of the page: every clause, what it has to do with the verdicts, how often it is
used, and that it never is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.run.check import explore
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.cli.main import run
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.reports.page.page import render_page
from stacklaw.reports.page.rows import Usage, page_rows, rulebook_of
from stacklaw.reports.telling.record import make_record

from .browser import needs_chromium, opened
from .shown import OPTIONS, SMALL, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NEVER = (
    SMALL.replace(
        "\nclaims\n",
        '\n  must 1.4 "nobody comes here"\n    when stack is empty\n    go decide(active)\nclaims\n',
    )
    .replace(
        'possible two.spells "two spells wait"', 'possible two.spells "two spells wait" cites 1.1'
    )
    .replace('may 1.2 "pass"', 'may 1.2 "pass" cites two.pass')
)


def text_of(page: str) -> str:
    """Return the words of the rulebook of *page*."""
    _, _, rest = page.partition('<section id="rulebook">')
    return " ".join(re.sub(r"<[^>]*>", " ", rest.partition("</section>")[0]).split())


def test_each_clause_leads_to_the_claims_about_it_and_to_the_plays_that_use_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "never.rules").write_text(NEVER, encoding="utf-8")
    record, program = (
        ask(str(tmp_path / "never.rules"), asked_by(OPTIONS)),
        load(Source("never.rules", NEVER)),
    )
    rows = list(page_rows(record))
    names = [row.name for row in record.rows]
    entries = {
        entry.clause.id: entry for stage in rulebook_of(program, rows) for entry in stage.clauses
    }
    assert [*entries] == [clause.id for _, clause in program.clauses]
    for id_, entry in entries.items():
        used = [
            row.name
            for row in record.rows
            if row.play is not None and id_ in [moment.clause for moment in row.play.moments]
        ]
        assert [names[number] for number in entry.plays] == used
    assert [names[number] for number in entries["1.1"].claims] == ["two.spells"]
    assert {"two.spells", "one.spell"} <= {names[number] for number in entries["1.1"].plays}
    assert entries["1.2"].leads == (
        "a player has priority",
        "the top of the stack resolves",
        "game over",
    )


def test_what_is_never_used_is_named_if_all_was_looked_at(tmp_path: Path) -> None:
    (tmp_path / "never.rules").write_text(NEVER, encoding="utf-8")
    record, program = (
        ask(str(tmp_path / "never.rules"), asked_by(OPTIONS)),
        load(Source("never.rules", NEVER)),
    )
    found = explore(program, make_scope(program), prover=Prover())
    assert not found.stopped
    page = render_page(record, program, None, "no", "0", Usage(found.fired, found.open, all=True))
    assert "1.4 nobody comes here must, leads to a player has priority never used" in text_of(page)
    assert text_of(page).count("never used") == 1
    assert (
        f"1.1 cast a spell may, leads to a player has priority; {found.fired['1.1']} moves"
        in text_of(page)
    )
    few = render_page(record, program, None, "no", "0", Usage(found.fired, found.open, all=False))
    assert "never used" not in text_of(few)
    assert "of the positions that are found first" in text_of(few)
    assert "moves" not in text_of(render_page(record, program, None, "no", "0"))


def test_what_the_zones_have_no_room_for_is_not_called_unused() -> None:
    two = (
        'may 1.5 "cast two at once"\n    by active\n    put spell on stack\n    put spell on '
        "stack\n    go decide(active)\n"
    )
    program = load(
        Source(
            "room.rules",
            NEVER.replace("\nclaims\n", f"\n  {two}claims\n").replace("stack 2", "stack 1"),
        )
    )
    found = explore(program, make_scope(program), prover=Prover())
    usage = Usage(found.fired, found.open, all=True)
    assert (found.fired["1.5"], found.fired["1.4"]) == (0, 0)
    assert usage.never == ["1.4"]
    page = render_page(
        make_record(program, make_scope(program), ()), program, None, "no", "0", usage
    )
    assert (
        "1.5 cast two at once may, leads to a player has priority not seen, and the scope cuts "
        "moves" in text_of(page)
    )
    never = re.findall(r'<text class="never"[^>]*>(\d\S*)', page)
    assert never == ["1.4", "1.4"]  # on the wide map, and on that for narrow screens
    roomy = explore(program, make_scope(program, sizes={"stack": 3}))
    assert roomy.fired["1.5"]
    assert "1.5" not in roomy.open


def test_the_command_counts_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "never.rules").write_text(NEVER, encoding="utf-8")
    assert run(["page", str(tmp_path / "never.rules"), "-o", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    assert "never used" in text_of((tmp_path / "page.html").read_text(encoding="utf-8"))


@needs_chromium
@pytest.mark.long
def test_a_link_opens_the_verdict(browser: Browser, small: Path) -> None:
    with opened(browser, small, width=390) as page:
        ready(page)
        page.click("#rulebook .file:has(details) > summary >> nth=0")
        page.click(".book details summary:visible >> nth=0")
        page.click(".book details[open] a >> nth=0")
        name = page.inner_text(".book details[open] a >> nth=0")
        verdict = page.locator("details.verdict[open]")
        assert verdict.locator(".name").inner_text() == name
        assert verdict.locator("pre").first.is_visible()
