"""What CI shows of a run: SARIF, annotations and Markdown, of texts that try to be something else,
too.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.cli.asking.ask import FAIL_ON, exit_of
from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import Diagnostic
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named
from stacklaw.reports.annotations import quieted, render_annotations
from stacklaw.reports.junit import render_junit
from stacklaw.reports.markdown.inline import code, escaped, folded, table
from stacklaw.reports.markdown.matrix import make_matrix, render_matrix_markdown
from stacklaw.reports.markdown.record import MOST_LETTERS, render_records_markdown
from stacklaw.reports.naming import shown_path
from stacklaw.reports.pictures.mermaid import render_sequence
from stacklaw.reports.rulings.filed import RulingRow
from stacklaw.reports.sarif import render_sarif
from stacklaw.reports.telling.losses import causes_of, line_of, loss_words, wanting
from stacklaw.reports.telling.record import Answer, Failed, Record, Row, make_record
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_ruling

from ..github import annotations_in
from ..rulesets import ONE_PASS
from . import plays
from .test_renderers import RENDERERS
from .test_schema import mistakes

HOSTILE = (
    "``` </summary></details><img src=x> [x](http://e.vil) ::error::x %0A {0} | ~~a~~ **b** @all "
    "#1 http://e.vil www.e.vil ##[error]z"
)
FAILED = [Failed(f"{HOSTILE}.rules", (Diagnostic("R001", HOSTILE, hint=HOSTILE),))]


@cache
def test_a_suite_says_how_long_it_took() -> None:
    record = replace(plays.goes_round(), milliseconds=1234)
    root = ET.fromstring(render_junit([record, replace(record, milliseconds=66)]))
    assert [suite.get("time") for suite in root] == ["1.234", "0.066"]
    assert root.get("time") == "1.300"
    assert ET.fromstring(render_junit([replace(record, milliseconds=None)])).get("time") is None


def hostile() -> Record:
    """A run over a ruleset whose every title tries to be something else than words."""
    rules = (
        re.sub(r'"[^"]*"', lambda _: f'"{HOSTILE}"', ONE_PASS)
        + f'claims\n  holds response_window "{HOSTILE}"\n'
    )
    game = load(Source("rules/a b,c:d%.rules", rules))
    (verdict,) = check(
        game, [property_named(game, "response_window")], make_scope(game), engine=Reference()
    )
    assert verdict.outcome is Outcome.VIOLATED
    return make_record(game, verdict.scope, [Answer(verdict, game.claims[0])])


# ------------------------------------------------------------------ SARIF


def of(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": [*required],
        "additionalProperties": False,
    }


def many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
MESSAGE = of({"text": TEXT})
PLACE = of(
    {"artifactLocation": of({"uri": TEXT}, uriBaseId=TEXT)},
    region=of({"startLine": NUMBER}, startColumn=NUMBER),
)
LOCATION = of({"physicalLocation": PLACE}, message=MESSAGE, id=NUMBER)
STEP = of(
    {"location": LOCATION},
    executionOrder=NUMBER,
    importance={"enum": ["important", "essential", "unimportant"]},
)
RESULT = of(
    {
        "message": MESSAGE,
        "ruleId": TEXT,
        "ruleIndex": NUMBER,
        "level": {"enum": ["none", "note", "warning", "error"]},
    },
    locations=many(LOCATION),
    relatedLocations=many(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    codeFlows=many(of({"threadFlows": many(of({"locations": many(STEP)}))}, message=MESSAGE)),
)
RULE = of({"id": TEXT}, shortDescription=MESSAGE, help=MESSAGE)
RUN = of(
    {"tool": of({"driver": of({"name": TEXT}, semanticVersion=TEXT, rules=many(RULE))})},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=many(of({"executionSuccessful": {"type": "boolean"}})),
    results=many(RESULT),
)
SARIF = of({"version": {"const": "2.1.0"}, "runs": many(RUN)}, **{"$schema": TEXT})
"""What the standard asks of the parts of SARIF 2.1.0 that we write, and no part besides these."""


def sarif(records: list[Record], failed: list[Failed] | None = None) -> dict[str, Any]:
    """Return the one run of a log, which is as the standard wants it."""
    log = json.loads(render_sarif(records, failed or []))
    assert mistakes(log, SARIF) == []
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        steps = [flow["threadFlows"][0]["locations"] for flow in result.get("codeFlows", [])]
        assert all(steps)
        places = [
            *result["locations"],
            *result.get("relatedLocations", []),
            *(step["location"] for flow in steps for step in flow),
        ]
        for place in places:
            physical = place["physicalLocation"]
            assert re.fullmatch(r"[\w./%~-]+", physical["artifactLocation"]["uri"], re.ASCII)
            assert all(number >= 1 for number in physical.get("region", {}).values())
    return dict(run)


@pytest.mark.parametrize("name", [name for name in RENDERERS if name.endswith(".sarif")])
def test_sarif_is_as_the_standard_wants_it(name: str) -> None:
    assert mistakes(json.loads(RENDERERS[name]()), SARIF) == []


def test_the_subset_of_the_standard_finds_what_is_wrong() -> None:
    log = json.loads(RENDERERS["record.sarif"]())
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert mistakes(log, SARIF)
    log["runs"][0]["results"][0].update(level="error", place=1)
    assert mistakes(log, SARIF)


def test_a_result_stands_where_it_breaks_and_tells_the_play() -> None:
    record = plays.record()
    row = record.rows[0]
    assert row.play is not None
    first, undecided = sarif([record])["results"]
    assert (first["ruleId"], first["level"]) == ("response_window", "error")
    assert first["locations"][0]["physicalLocation"]["region"] == {
        "startLine": row.play.moments[-1].line
    }
    assert first["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": row.line}
    steps = first["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [
        m.line for m in row.play.moments[1:]
    ]
    assert (
        steps[1]["location"]["message"]["text"]
        == "A: 1.1 cast an instant spell. A's instant spell is put on the stack."
    )
    assert (undecided["ruleId"], undecided["level"]) == ("never_ends", "warning")
    assert undecided["locations"][0]["physicalLocation"]["region"] == {"startLine": 62}
    assert "codeFlows" not in undecided


def test_a_rule_is_told_once_and_another_meaning_is_another_rule() -> None:
    record = plays.record()
    other = replace(
        record, name="other", rows=tuple(replace(row, why="something else") for row in record.rows)
    )
    run = sarif([record, record, other])
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["response_window", "never_ends", "response_window/other", "never_ends/other"]
    assert (
        "without one, a player can only watch" in run["tool"]["driver"]["rules"][0]["help"]["text"]
    )
    assert "something else" in run["tool"]["driver"]["rules"][2]["help"]["text"]


def test_claims_of_one_name_that_say_something_else_are_different_rules() -> None:
    record = plays.record()
    rows = tuple(replace(row, why="", formula="never one.spell") for row in record.rows[:1])
    other = replace(
        record,
        name="other",
        rows=tuple(replace(row, formula="never another.spell") for row in rows),
    )
    run = sarif([replace(record, rows=rows), other])
    helps = {rule["id"]: rule["help"]["text"] for rule in run["tool"]["driver"]["rules"]}
    assert helps == {
        "response_window": "never one.spell",
        "response_window/other": "never another.spell",
    }
    assert [result["ruleId"] for result in run["results"]] == [*helps]


def test_a_finding_keeps_its_fingerprint_when_lines_move() -> None:
    record = plays.record()
    moved = replace(record, rows=tuple(replace(row, line=row.line + 7) for row in record.rows))
    others = replace(record, settings=(("cards", 3),))
    prints = [
        [result["partialFingerprints"] for result in sarif([one])["results"]]
        for one in (record, moved, others)
    ]
    assert prints[0] == prints[1]
    assert prints[0] != prints[2]


def test_sarif_of_hostile_texts() -> None:
    run = sarif([hostile()], FAILED)
    assert run["invocations"] == [{"executionSuccessful": False}]
    result = run["results"][0]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == "rules/a b,c:d%.rules"
    said = json.dumps([result, run["tool"]])
    assert "](" not in said
    assert "{0}" in said.replace("{{0}}", "{0}")
    assert not re.search(r"(?<!\{)\{0\}", said)


# ------------------------------------------------------------------ annotations


def test_an_annotation_is_what_was_meant() -> None:
    shown = annotations_in(render_annotations([plays.record(), hostile()], FAILED))
    assert [one.level for one in shown] == ["error", "warning", "error", "error"]
    assert [(one.properties["file"], one.properties.get("line")) for one in shown] == [
        ("one_pass.rules", "24"),
        ("one_pass.rules", "62"),
        ("rules/a b,c:d%.rules", str(line_of(hostile().rows[0]))),
        (shown_path(f"{HOSTILE}.rules"), None),
    ]
    assert shown[0].properties["title"] == "one_pass: response_window lost"
    assert shown[0].message.splitlines()[:2] == [
        loss_words(plays.record().rows[0]),
        "Claimed in line 60.",
    ]
    assert shown[2].message.count("\n") == 4
    assert HOSTILE in shown[2].message
    assert shown[3].message == f"{HOSTILE} Hint: {HOSTILE}"


def test_what_a_ruleset_says_is_no_command() -> None:
    page = "  ::error::boom\n##[warning]boom\n::stop-commands::boom\n::boom::\n"
    begins, ends = quieted()
    assert len(annotations_in(page)) == 2
    assert annotations_in(f"{begins}\n{page}{ends}\n") == []
    assert len(annotations_in(f"{begins}\n{page}{ends}\n::error::ours\n")) == 1
    assert quieted() != (begins, ends)


def test_each_cause_is_told_once() -> None:
    record = plays.record()
    lost, _, undecided, *_ = record.rows
    also = replace(lost, name="own_window", line=63)
    shorter = replace(lost, name="another", play=plays.goes_round().rows[0].play)
    assert lost.play is not None
    ends_sooner = replace(
        lost, name="sooner", play=replace(lost.play, moments=lost.play.moments[:-1])
    )
    late = replace(undecided, name="late", line=64)
    other = replace(undecided, name="refused", reason="something else")
    several = replace(record, rows=(undecided, lost, shorter, also, late, other, ends_sooner))
    assert [[row.name for row in cause.rows] for cause in causes_of(several)] == [
        ["response_window", "own_window"],
        ["another"],
        ["sooner"],
        ["never_ends", "late"],
        ["refused"],
    ]
    shown = annotations_in(render_annotations([several]))
    assert [one.level for one in shown] == ["error", "error", "error", "warning", "warning"]
    assert shown[0].properties["title"] == "one_pass: response_window and own_window lost"
    assert "Claimed in lines 60, 63." in shown[0].message
    assert len(sarif([several])["results"]) == 7


def test_claims_without_a_play_are_told_apart() -> None:
    record = plays.record()
    rows = tuple(
        replace(record.rows[0], name=name, play=None, reason="", outcome=Outcome.VACUOUS, line=line)
        for line, name in ((7, "a"), (9, "b"))
    )
    assert [cause.line for cause in causes_of(replace(record, rows=rows))] == [7, 9]


# ------------------------------------------------------------------ what was lost, in a line


def outcome(row: Row, expectation: str, outcome: Outcome, reason: str = "") -> str:
    return loss_words(
        replace(row, expectation=expectation, outcome=outcome, reason=reason, play=None)
    )


def test_a_loss_in_a_line() -> None:
    lost, _, undecided, *_ = plays.record().rows
    assert (
        loss_words(lost)
        == "response_window lost: A's instant spell resolves, B had no window (5 moves, 2 "
        "decisions; 1.1, 1.3, 3.1)"
    )
    round_words = "it goes round: moves 3 to 4 again and again, and nothing in the rules ends it"
    assert loss_words(plays.goes_round().rows[0]).startswith(
        f"kernel_terminates lost: {round_words} (4 moves, 1 decision; 1.1, 2.1)"
    )
    assert loss_words(undecided).startswith(
        "never_ends undecided: the time of 10 s was up; every play of up to 12 moves"
    )
    assert outcome(lost, "fails", Outcome.HOLDS).startswith(
        "response_window holds, against the claim: 1,204 positions"
    )
    assert outcome(lost, "possible", Outcome.IMPOSSIBLE).startswith("response_window lost: ")
    assert outcome(lost, "holds", Outcome.VACUOUS, "`x` never arises").startswith(
        "response_window is empty: `x` never arises; "
    )
    assert "\n" not in loss_words(hostile().rows[0])


def test_junit_says_what_was_lost() -> None:
    lost = plays.record().rows[0]
    assert f'<failure message="{loss_words(lost)}" type="VIOLATED">' in render_junit(
        [plays.record()]
    )
    assert "expected: holds; found: VIOLATED" in render_junit([plays.record()])


# ------------------------------------------------------------------ Markdown

COLUMNS = 5
"""Of the summary: of what is too small there is nothing."""
HTML = re.compile(r"<details><summary>[^<>]*(?:<!-- -->[^<>]*)*</summary>\n|</details>|<!-- -->")


def read_markdown(text: str) -> tuple[list[str], list[str]]:
    """Return the kinds of what *text* says in Markdown, and its blocks of code; nothing in it is
    HTML but ours, or a link.
    """
    kinds, fenced = [], []
    for token in (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    ):
        for part in [token, *(token.children or [])]:
            kinds.append(part.type)
            if part.type.startswith("html"):
                assert HTML.fullmatch(
                    part.content.rstrip("\n") + "\n" * part.content.startswith("<details>")
                ), part.content
            if part.type == "fence":
                fenced.append(part.content)
    assert not {"link_open", "image", "s_open", "code_block"} & set(kinds)
    outside = re.sub(
        r"^(`{3,})(?:text|mermaid|toml)\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL
    )
    outside = re.sub(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert not re.search(
        r"(?<!\\)://|www\.|(?<![\w&])[@#]\w", re.sub(r"<summary>.*</summary>", "", outside)
    )
    return kinds, fenced


@pytest.mark.parametrize("failed", [[], FAILED])
def test_nothing_breaks_out_of_the_summary(failed: list[Failed]) -> None:
    text = render_records_markdown([plays.record(), hostile()], failed)
    kinds, fenced = read_markdown(text)
    assert kinds.count("tr_open") == 3 + len(failed)
    assert kinds.count("td_open") == COLUMNS * (2 + len(failed))
    rulings = [
        row.play for record in (plays.record(), hostile()) for row in wanting(record) if row.play
    ]
    told = [
        text
        for play in rulings
        for text in (plain(render_ruling(play), 100), render_sequence(play))
    ]
    assert [block.rstrip() for block in fenced] == [text.rstrip() for text in told]
    assert kinds.count("heading_open") == 1 + 2 + len(failed)


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "# a",
        "1. a",
        "1) a",
        "- a",
        "+ a",
        "> a",
        "=== a",
        "&lt;b&gt; &copy;",
        "a\n\n# b\r\n",
        "\\",
        "<!--",
        "a@b",
    ],
)
def test_words_are_words(text: str) -> None:
    for said in (escaped(text), f"- {escaped(text)}", f"| {escaped(text)} |\n|---|"):
        kinds, _ = read_markdown(f"{said}\n")
        assert kinds.count("bullet_list_open") == said.startswith("- ")
        assert not {
            "heading_open",
            "ordered_list_open",
            "blockquote_open",
            "em_open",
            "strong_open",
        } & set(kinds)
    inline = MarkdownIt("commonmark").parseInline(escaped(text))[0].children or []
    assert "".join(
        part.content for part in inline if part.type in ("text", "text_special")
    ).replace("<!-- -->", "") == " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("There is no `a|b` and no `*c*`.", ["a|b", "*c*"]),
        ("`a`", ["a"]),
        ("(`a`, `b`)", ["a", "b"]),
        ("an odd ` one", []),
        ("`` and ` `", []),
        (HOSTILE, []),
    ],
)
def test_what_stands_between_backquotes_is_code(text: str, codes: list[str]) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse("\n".join(table(["a"], [[text]])))
    (part,) = (token for token in tokens if token.type == "inline" and token.content != "a")
    found = part.children or []
    assert [one.content for one in found if one.type == "code_inline"] == codes
    said = "".join(one.content for one in found if one.type != "html_inline")
    assert said.replace("<!-- -->", "") == " ".join(
        (text.replace("`", "") if codes else text).split()
    )


def many_rulings(number: int) -> Record:
    """Return a record in which *number* rulings are not met."""
    rows = [
        RulingRow(
            f"question {n}", "yes", "4.1", "", None, "a.rulings", n, "not met", f"B cannot pass {n}"
        )
        for n in range(number)
    ]
    return replace(plays.record(), rulings=tuple(rows))


@pytest.mark.parametrize("number", [1, 3, 4, 60])
def test_many_rulings_are_told_together(number: int) -> None:
    """Ten annotations are shown of a step, and a comment is read from its top."""
    record = many_rulings(number)
    text = render_records_markdown([record])
    _, fenced = read_markdown(text)
    rows = re.findall(r"^\| \d+ \| question \d+ \|", text, re.MULTILINE)
    assert len(rows) == min(number, 3)
    said = [f"question {n}" for n in range(number) if f"line {n}: question {n}\n" in fenced[-1]]
    assert len(said) == min(number, 50)
    assert (f"and {number - 3} more" in text) == (number > 3)
    shown = [
        one
        for one in annotations_in(render_annotations([record]))
        if "ruling" in one.properties["title"]
    ]
    assert len(shown) == (number if number <= 3 else 1)
    assert all(f"question {n} " in "".join(one.message for one in shown) for n in range(number))


@pytest.mark.parametrize("text", ["a|b", "`", "a`` b", HOSTILE])
def test_code_is_code(text: str) -> None:
    tokens = (
        MarkdownIt("commonmark")
        .enable("table")
        .parse(f"| {code(text)} | {escaped(text)} |\n|---|---|\n")
    )
    first, *_ = (token.children or [] for token in tokens if token.type == "inline")
    assert [(part.type, part.content) for part in first] == [("code_inline", text)]
    assert [token.type for token in tokens].count("th_open") == 2


def test_a_comparison_is_a_table_whatever_is_compared() -> None:
    text = render_matrix_markdown(make_matrix([plays.record(), replace(hostile(), name=HOSTILE)]))
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    parts = [part for token in tokens for part in (token.children or [])]
    assert [token.type for token in tokens].count("th_open") == 3
    assert [token.type for token in tokens].count("td_open") == 3 * len(
        make_matrix([plays.record()]).lines
    )
    assert {part.type for part in parts} == {"text", "code_inline"}
    assert HOSTILE in [part.content for part in parts]


def test_a_folded_text_ends_where_it_ends() -> None:
    text = "```\n````\n</details>\n~~~\n    `````  \n"
    _, fenced = read_markdown("\n".join(folded(HOSTILE, text)) + "\n")
    assert fenced == [text.rstrip() + "\n"]


def test_a_summary_has_room_for_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub shows no summary of more than a mebibyte; what has no room is counted."""
    assert MOST_LETTERS < 2**20
    monkeypatch.setattr("stacklaw.reports.markdown.record.MOST_LETTERS", 5_000)
    record = plays.record()
    lost = record.rows[0]
    assert lost.play is not None
    rows = tuple(
        replace(lost, name=f"p{number}", play=replace(lost.play, players=number))
        for number in range(2, 9)
    )
    text = render_records_markdown([replace(record, rows=rows)])
    folds = text.count("<details><summary>the play that breaks")
    assert 0 < folds < len(rows)
    assert f"the plays of {len(rows) - folds} more" in text
    assert all(loss_words(row).replace("_", "\\_") in text for row in rows)


# ------------------------------------------------------------------ how a run ends


def test_what_ends_a_run_badly() -> None:
    record = plays.record()
    lost, met, undecided, *_ = record.rows
    empty = replace(lost, outcome=Outcome.VACUOUS, play=None)
    for rows, kind, end in (
        ((lost, met), "violated", Exit.NOT_MET),
        ((undecided,), "unknown", Exit.UNDECIDED),
        ((empty, met), "vacuous", Exit.NOT_MET),
    ):
        one = replace(record, rows=rows)
        assert exit_of(one) is end
        for asked in FAIL_ON:
            assert exit_of(one, [asked]) is (end if asked == kind else Exit.OK)
    everything = replace(record, rows=(lost, met, undecided, empty))
    assert exit_of(everything, ["unknown"]) is Exit.UNDECIDED
    assert exit_of(everything, ["unknown", "vacuous"]) is Exit.NOT_MET
    assert exit_of(replace(record, interrupted=True), ["violated"]) is Exit.INTERRUPTED


def test_paths_are_those_from_here(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_path(str(tmp_path / "rules" / "a.rules")) == "rules/a.rules"
    assert shown_path("./rules/a.rules") == "rules/a.rules"
    assert shown_path("/elsewhere/a.rules") == "/elsewhere/a.rules"
