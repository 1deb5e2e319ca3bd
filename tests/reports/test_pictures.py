"""Pictures can be read: no text lies on another, and nothing leaves the picture, with any texts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from stacklaw.checker.types.verdict import Verdict
from stacklaw.models.load import game_names, load_game
from stacklaw.reports.pictures.draw_play import Titled, draw_play
from stacklaw.reports.pictures.graph import stage_graph
from stacklaw.reports.pictures.mermaid import diagram_words as mermaid_words
from stacklaw.reports.pictures.mermaid import render_flowchart, render_sequence
from stacklaw.reports.pictures.picture import draw
from stacklaw.reports.pictures.scene import FORMATS, Label, Scene, text_width, wrap
from stacklaw.reports.pictures.stages import rulebook_scene
from stacklaw.reports.plays.explain import explain
from stacklaw.reports.plays.passages import passages_of
from stacklaw.reports.plays.play import Play

from . import plays

LONG = (
    "the active player, or whoever the rules name in this player's place, performs everything that "
    "is due at this point of the turn"
)


def long_titles(play: Play) -> Play:
    moments = tuple(
        replace(m, title=f"{LONG} {m.title}", clause=f"{m.clause}" and f"601.2{m.clause}/abcdef")
        for m in play.moments
    )
    return replace(play, moments=moments)


def told(verdict: Verdict) -> Play:
    play = explain(verdict)
    assert play is not None
    return play


PLAYS = {
    "violated": told(plays.violated()),
    "witness": told(plays.witness()),
    "of 25 moves": told(plays.long()),
    "of 25 moves with long titles": long_titles(told(plays.long())),
    "at a table of five": told(plays.long(players=5)),
}


def extent(label: Label) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a box that the text of *label* does not leave."""
    width = text_width(label.text, label.size, bold="bold" in label.css)
    left = {"start": label.x, "middle": label.x - width / 2, "end": label.x - width}[label.anchor]
    return left, label.y - label.size * 0.95, left + width, label.y + label.size * 0.28


def assert_readable(scene: Scene) -> None:
    for one, other in combinations(scene.labels, 2):
        (left, top, right, bottom), (x, y, to_x, to_y) = extent(one), extent(other)
        apart = right <= x or to_x <= left or bottom <= y or to_y <= top
        assert apart, f"{one.text!r} lies on {other.text!r}"
    for label in scene.labels:
        left, top, right, bottom = extent(label)
        assert left >= 0, label.text
        assert right <= scene.width, label.text
        assert top >= 0, label.text
        assert bottom <= scene.height, label.text


def test_a_break_that_is_expected_is_no_accident() -> None:
    """What decides stands in the last row, and is red only where it is not expected."""
    broken = PLAYS["violated"]
    for play, is_red in ((broken, True), (replace(broken, ending="expected"), False)):
        scene = draw_play(Titled(play, "a title", "", ""))
        shapes: list[Any] = [*scene.boxes, *scene.pills, *scene.labels, *scene.lines]
        classes = " ".join(one.css for one in shapes)
        assert ("breaks" in classes.split()) == is_red
        assert ("expected" in classes.split()) != is_red
        words = " ".join(label.text for label in scene.labels)
        assert all(finding.text.split()[0] in words for finding in play.findings)
        assert [label.text[:5] for label in scene.labels].count("yes: ") == sum(
            finding.holds for finding in play.findings
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYS)
def test_plays_are_readable(name: str) -> None:
    scene = draw_play(
        Titled(PLAYS[name], "a game: a property is VIOLATED", LONG, plays.RESPONSE_WINDOW.text)
    )
    assert_readable(scene)
    written = " ".join(label.text for label in scene.labels)
    passages = passages_of(PLAYS[name])
    assert [
        passage for passage in passages if f"{passage.numbers}. {passage.mover}" not in written
    ] == []
    stacked = [
        card.label for passage in passages for pile in passage.end.piles for card in pile.cards
    ]
    drawn = "".join(label.text for label in scene.labels).replace(" ", "")
    assert all(
        drawn.count(label.replace(" ", "")) >= stacked.count(label) for label in set(stacked)
    ), "the stack is in every row"
    assert [
        denial for denial in PLAYS[name].denials if denial.windows and "has no" not in written
    ] == []


def test_whose_pass_still_counts_has_a_token() -> None:
    play = told(plays.long(players=3))
    counting = [
        passage
        for passage in passages_of(play)
        if set(passage.end.passed) - set(passage.end.holders)
    ]
    tokens = [
        label for label in draw_play(Titled(play, "", "", "")).labels if label.text == "passed"
    ]
    assert (
        len(tokens)
        == sum(len(set(passage.end.passed) - set(passage.end.holders)) for passage in counting)
        > 0
    )


def test_what_goes_round_is_shaded_as_a_whole() -> None:
    play = plays.goes_round().rows[0].play
    assert play is not None
    scene = draw_play(Titled(play, "", "", ""))
    (again,) = [box for box in scene.boxes if box.css == "again"]
    rows = {label.text: label.y for label in scene.labels}
    assert (
        rows["1-2. A, by 1.1"]
        < again.y
        < rows["3. the rules, by 3.1"]
        < rows["4. the rules, by 2.1"]
        < again.y + again.height
    )


STRANGE = 'end; <b>%%{init}%% #35; "x" --> B: [y](z)\nendless | graph'


def test_mermaid_takes_no_orders_from_a_ruleset() -> None:
    coded = mermaid_words(STRANGE)
    assert not re.search(r'[<>"%{}|\[\]\n]|\bend\b|(?<!\d);', coded)
    decoded = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), coded)
    assert decoded == " ".join(STRANGE.split())
    play = told(plays.violated())
    strange = replace(
        play, moments=tuple(replace(m, title=STRANGE if m.number else "") for m in play.moments)
    )
    lines = render_sequence(strange).splitlines()
    said = r"participant \w+ as |Note (over|right of) [PR\d,]+: |[PR]\d?->>[PR]\d?: "
    assert lines[1] == "sequenceDiagram"
    assert [line for line in lines[2:] if not re.match(rf"  ({said})[^;]*(;[^;]*)*$", line)] == []


def test_mermaid_tells_the_whole_play() -> None:
    text = render_sequence(told(plays.violated()))
    assert "P0->>R: 4. 1.3 pass." in text
    assert "Note over P1: B has no window" in text
    round_ = plays.goes_round().rows[0].play
    assert round_ is not None
    lines = render_sequence(round_).splitlines()
    assert lines.index("  loop again and again") < lines.index("  end")
    stages = render_flowchart(stage_graph(plays.program()))
    assert stages.startswith("flowchart TB\n")
    arrows = re.findall(r'(S\d+) -->\|"(.*)"\| (S\d+)', stages)
    assert len({(source, target) for source, _, target in arrows}) == len(arrows)
    led = [
        (said, source, target)
        for source, clauses, target in arrows
        for said in clauses.split("<br/>")
    ]
    assert len(led) == stage_graph(plays.program()).number_of_edges()
    assert ("1.3 pass", "S1") in {(said, source) for said, source, _ in led}


@pytest.mark.parametrize("game", game_names())
def test_rulebooks_are_readable(game: str) -> None:
    program = load_game(game)
    scene = rulebook_scene(program, stage_graph(program))
    assert_readable(scene)
    written = " ".join(label.text for label in scene.labels)
    assert [clause.id for _, clause in program.clauses if clause.id not in written] == []


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_is_written(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"play{ending}"
    draw(Titled(PLAYS["violated"], "a title", "a subtitle", "a formula"), path)
    text = path.read_text(encoding="utf-8")
    assert "1.3" in text
    assert "http://" not in text.replace("http://www.w3.org", "").replace(
        "http://graphml.graphdrawing.org", ""
    )


def test_wrapping_keeps_every_character() -> None:
    words = "a_very_long_word_without_any_place_to_break_it " + LONG
    lines = wrap(words, 120, 12)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert all(text_width(line, 12) <= 120 for line in lines)


def test_a_word_of_ten_thousand_characters_is_cut_at_once() -> None:
    begun = process_time()
    lines = wrap("x" * 9_900, 176, 12.5)
    assert process_time() - begun < 1
    assert "".join(lines) == "x" * 9_900
    assert all(text_width(line, 12.5) <= 176 for line in lines)
    assert wrap("WW", 1, 12.5) == ["W", "W"]


def test_an_arrow_begins_at_the_one_of_several_who_acts() -> None:
    """Where A and B have priority, and B acts, it leads away from B."""

    def begins(acts: int) -> float:
        play = PLAYS["violated"]
        moments = list(play.moments)
        moments[1] = replace(moments[1], holders=(0, 1))
        moments[2] = replace(moments[2], seat=acts, mover="AB"[acts])
        scene = draw_play(Titled(replace(play, moments=tuple(moments)), "", "", ""))
        return next(line for line in scene.lines if line.css == f"arrow player{acts}").points[0][0]

    assert begins(1) > begins(0)
