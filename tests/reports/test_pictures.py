"""Pictures can be read: no text lies on another, nothing leaves the picture, whatever the texts are."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from stacklaw.checker.types.verdict import Verdict
from stacklaw.models.load import game_names, load_game
from stacklaw.reports.pictures.draw_play import PictureHeading, draw_play
from stacklaw.reports.pictures.graph import stage_graph
from stacklaw.reports.pictures.picture import Titled, draw
from stacklaw.reports.pictures.scene import FORMATS, Label, Scene, text_width, wrap
from stacklaw.reports.plays.explain import explain
from stacklaw.reports.plays.play import Play
from stacklaw.reports.text.rulebook import rulebook_scene

from . import plays

LONG = "the active player, or whoever the rules name in this player's place, performs everything that is due at this point of the turn"


def long_titles(play: Play) -> Play:
    moments = tuple(replace(m, title=f"{LONG} {m.title}", clause=f"{m.clause}" and f"601.2{m.clause}/abcdef") for m in play.moments)
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


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYS)
def test_plays_are_readable(name: str) -> None:
    scene = draw_play(PLAYS[name], PictureHeading("a game: a property is VIOLATED", LONG, plays.RESPONSE_WINDOW.text))
    assert_readable(scene)
    written = " ".join(label.text for label in scene.labels)
    for moment in PLAYS[name].moments[1:]:
        assert f"{moment.number}. {moment.mover}" in written


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
    assert "http://" not in text.replace("http://www.w3.org", "").replace("http://graphml.graphdrawing.org", "")


def test_wrapping_keeps_every_character() -> None:
    words = "a_very_long_word_without_any_place_to_break_it " + LONG
    lines = wrap(words, 120, 12)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert all(text_width(line, 12) <= 120 for line in lines)
