"""Every renderer prints what the file in expected/ says; ``pytest --record`` writes these files
anew, ``git diff`` is the review.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from rich.console import Group

from stacklaw.checker.loops.loops import find_loops
from stacklaw.checker.measures.measures import find_measures
from stacklaw.checker.prover.prover import OPEN
from stacklaw.checker.run.covering import Search
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.diagnostics import Diagnostic
from stacklaw.models.source import Source, Span
from stacklaw.reports.annotations import render_annotations
from stacklaw.reports.checked.checked import render_record
from stacklaw.reports.checked.ending import render_since
from stacklaw.reports.json import (
    render_json,
    render_loops_json,
    render_matrix_json,
    render_measures_json,
    render_play_json,
)
from stacklaw.reports.junit import render_junit
from stacklaw.reports.markdown.matrix import make_matrix, render_matrix_markdown
from stacklaw.reports.markdown.record import render_records_markdown
from stacklaw.reports.pictures.draw_play import Titled, draw_play
from stacklaw.reports.pictures.graph import play_graph, stage_graph
from stacklaw.reports.pictures.picture import render_dot, render_graphml, render_html
from stacklaw.reports.pictures.scene import render_svg
from stacklaw.reports.pictures.stages import render_rulebook, rulebook_scene
from stacklaw.reports.plays.explain import explain, retell
from stacklaw.reports.plays.play import Play
from stacklaw.reports.sarif import render_sarif
from stacklaw.reports.telling.coverage import make_coverage, read_inventory
from stacklaw.reports.telling.measures import (
    BoundRow,
    LoopsRecord,
    MeasuresRecord,
    make_loops_record,
    make_measures_record,
)
from stacklaw.reports.telling.record import Failed
from stacklaw.reports.text.diagnostics import Diagnostics
from stacklaw.reports.text.for_which import render_for_which
from stacklaw.reports.text.listing import render_coverage
from stacklaw.reports.text.matrix import MatrixTable
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_ruling
from stacklaw.reports.text.sizes import render_loops, render_measures

from . import plays

EXPECTED = Path(__file__).parent / "expected"
TEXT = Source(
    "small.rules",
    'game "Small"\n' + " " * 200 + "when wating is empty" + " " * 3 + "# a long line" * 9 + "\n",
)
MISTAKES = (
    Diagnostic(
        "R101",
        "There is nothing called `wating`.",
        TEXT,
        Span(2, 206, 212),
        "did you mean `waiting`?",
    ),
    Diagnostic("R001", "This line cannot be read.", TEXT, Span(1, 1, 5)),
    Diagnostic("C102", "mtg is played by 2 or more, not by 1"),
)
INVENTORY = (
    "# what the document says\nDOC-1.1\tspells may be cast\nDOC-1\tall may answer\n"
    "DOC-9\thow it is written\nDOC-7\tnothing covers this\n"
)


def violation() -> Play:
    play = explain(plays.violated())
    assert play is not None
    return play


def scene() -> str:
    return render_svg(
        draw_play(
            Titled(
                violation(),
                "one_pass: response_window",
                "a <title> & more",
                plays.RESPONSE_WINDOW.text,
            )
        )
    )


def looping() -> Play:
    play = plays.goes_round().rows[0].play
    assert play is not None
    return play


def loop() -> str:
    return render_svg(
        draw_play(Titled(looping(), "round: kernel_terminates", "it comes to an end", ""))
    )


def page() -> str:
    titled = Titled(
        violation(),
        "one_pass: response_window",
        "every other player has a window",
        plays.RESPONSE_WINDOW.text,
    )
    return render_html(draw_play(titled), violation())


def simulated() -> str:
    _, trace = plays.play("2.2", "1.1", "2.2", "1.3", "3.1+", "2.1")
    return plain(render_ruling(retell(plays.program(), plays.SCOPE, trace)))


def coverage() -> str:
    program = plays.program()
    fired = {clause.id: 7 for _, clause in program.clauses}
    search = Search(
        program,
        {**fired, "1.2": 0},
        ((program.claims[0], Outcome.VIOLATED), (program.claims[1], Outcome.POSSIBLE)),
    )
    return plain(
        render_coverage(make_coverage(read_inventory(Source("g.clauses", INVENTORY)), [search]))
    )


def measures() -> MeasuresRecord:
    """Return a record with a bound that is proved, and with one that is not."""
    record = make_measures_record(find_measures(plays.program(), plays.SCOPE), "plays")
    first, second, *rest = record.rows
    bounds = (
        BoundRow("n", "at least", (2, 3), True, ""),
        BoundRow("2n - 2", "at most", (2,), False, "nobody knows"),
    )
    rows = (replace(first, bound=bounds[0]), replace(second, bound=bounds[1]), *rest)
    return replace(
        record, rows=rows, every="every number of players (2 or more) and every zone size"
    )


def unbounded() -> MeasuresRecord:
    """Return a record in which one measure is missing, one is unbounded, and not all was
    counted.
    """
    whole = measures()
    return replace(
        whole,
        rows=(replace(whole.rows[1], value=None), *whole.rows[2:]),
        stopped="the time of 1 s was up",
    )


def loops() -> LoopsRecord:
    return make_loops_record(find_loops(plays.program(), plays.SCOPE))


def since() -> str:
    """Return a page that was printed while proofs were looked for, and what came since."""
    record = plays.proved()
    waiting = tuple(
        replace(row, outcome=Outcome.HOLDS, engine="explicit", proof=None, unproved=OPEN)
        for row in record.rows[:2]
    )
    hidden = replace(
        waiting[0], outcome=Outcome.UNKNOWN, status="undecided", reason="a cut could hide it"
    )
    shown = replace(record, rows=(hidden, *waiting[1:], *record.rows[2:]))
    return plain(Group(render_record(shown), render_since(shown, record)))


FAILED = [Failed("broken.rules", MISTAKES[:2])]
RENDERERS: dict[str, Callable[[], str]] = {
    "record.txt": lambda: plain(render_record(plays.record())),
    "record.json": lambda: render_json([plays.record()], FAILED, 2),
    "record.xml": lambda: render_junit([plays.record()], FAILED),
    "record.sarif": lambda: render_sarif([plays.record()], FAILED),
    "record.md": lambda: render_records_markdown([plays.record()], FAILED),
    "record.annotations": lambda: render_annotations([plays.record()], FAILED),
    "sliced.txt": lambda: plain(render_record(plays.sliced())),
    "sliced.json": lambda: render_json([plays.sliced()], [], 1),
    "sliced.xml": lambda: render_junit([plays.sliced()]),
    "proved.txt": lambda: plain(render_record(plays.proved())),
    "proofs.txt": lambda: plain(render_record(plays.proved(), explain_proofs=True)),
    "since.txt": since,
    "proved.json": lambda: render_json([plays.proved()], [], 0),
    "proved.xml": lambda: render_junit([plays.proved()]),
    "for_which.txt": lambda: plain(render_for_which(plays.for_which(), explain_proofs=True)),
    "for_which.json": lambda: render_json([], [], 3, [plays.for_which()]),
    "proved.md": lambda: render_matrix_markdown(make_matrix([plays.proved()])),
    "loop.txt": lambda: plain(render_record(plays.goes_round())),
    "loop.json": lambda: render_json([plays.goes_round()], [], 1),
    "loop.xml": lambda: render_junit([plays.goes_round()]),
    "loop.sarif": lambda: render_sarif([plays.goes_round()]),
    "loop.annotations": lambda: render_annotations([plays.goes_round()]),
    "loop.svg": loop,
    "loop.dot": lambda: render_dot(play_graph(looping())),
    "play.json": lambda: render_play_json(violation(), "one_pass", 7),
    "play.svg": scene,
    "play.html": page,
    "play.dot": lambda: render_dot(play_graph(violation())),
    "play.graphml": lambda: render_graphml(play_graph(violation())),
    "simulated.txt": simulated,
    "matrix.txt": lambda: plain(MatrixTable(make_matrix([plays.record(), plays.record()]))),
    "matrix.md": lambda: render_matrix_markdown(make_matrix([plays.record()])),
    "matrix_measured.txt": lambda: plain(
        MatrixTable(make_matrix([plays.record()] * 2, [measures(), unbounded()]))
    ),
    "matrix_measured.md": lambda: render_matrix_markdown(
        make_matrix([plays.record()], [measures()])
    ),
    "matrix_measured.json": lambda: render_matrix_json(
        make_matrix([plays.record()], [unbounded()])
    ),
    "matrix.json": lambda: render_matrix_json(make_matrix([plays.record()])),
    "loops.txt": lambda: plain(render_loops(loops(), [1])),
    "loops.json": lambda: render_loops_json(loops()),
    "measures.txt": lambda: plain(render_measures([measures()], [1, 3])),
    "measures.json": lambda: render_measures_json([measures()]),
    "mistakes.txt": lambda: plain(Diagnostics(MISTAKES), 80),
    "coverage.txt": coverage,
    "rulebook.txt": lambda: plain(render_rulebook(plays.program())),
    "rulebook.svg": lambda: render_svg(
        rulebook_scene(plays.program(), stage_graph(plays.program()))
    ),
    "rulebook.dot": lambda: render_dot(stage_graph(plays.program())),
}


@pytest.mark.parametrize("name", RENDERERS)
def test_renderer(name: str, record: bool) -> None:
    printed = RENDERERS[name]()
    if record:
        (EXPECTED / name).write_text(printed, encoding="utf-8")
    assert printed == (EXPECTED / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in RENDERERS if name.endswith(".txt")])
def test_plain_text_has_no_escape_codes_and_no_trailing_blanks(name: str) -> None:
    printed = RENDERERS[name]()
    assert "\x1b" not in printed
    assert all(line == line.rstrip() for line in printed.splitlines())


def test_json_and_xml_can_be_read() -> None:
    assert json.loads(RENDERERS["record.json"]())["schema"] == "stacklaw/1"
    suites = ET.fromstring(RENDERERS["record.xml"]())
    assert [suite.get("name") for suite in suites] == ["one_pass", "broken.rules"]
    for name in ("play.svg", "rulebook.svg", "play.graphml"):
        ET.fromstring(RENDERERS[name]())
    graph = nx.parse_graphml(RENDERERS["play.graphml"]())
    assert (len(graph), graph.nodes["5"]["decides"]) == (6, "breaks")


def test_junit_counts_its_cases() -> None:
    suites = ET.fromstring(RENDERERS["record.xml"]())
    for suite in [suites, *suites]:
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == len(list(suite.iter("failure")))
        assert int(suite.get("errors", "")) == len(list(suite.iter("error")))


def test_junit_has_only_characters_that_xml_allows() -> None:
    failed = [Failed("x", (Diagnostic("R001", "a \x00 \x1b and \ufffe"),))]
    ET.fromstring(render_junit([], failed))


def test_a_vacuous_claim_is_never_met() -> None:
    rows = {row.name: row for row in plays.record().rows}
    assert "VACUOUS" in plain(render_record(plays.record()))
    assert rows["says_nothing"].status == "none"
