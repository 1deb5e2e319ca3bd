"""The map of the page: every stage, every clause and what it leads to is on it, nothing overlaps,
and the present stage is marked.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source
from stacklaw.reports.pictures.graph import OVER, targets_of
from stacklaw.reports.pictures.map import MOST_STAGES, map_scene, narrow_map_scene
from stacklaw.reports.pictures.scene import Box, Scene, text_width

from .browser import needs_chromium, opened
from .drawn import is_laid_out_well
from .shown import SMALL, act, ready, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def box_of(scene: Scene, program: ir.Program, stage: str) -> Box:
    wanted = (
        "stage-over"
        if stage == OVER
        else f"stage-{[one.name for one in program.stages].index(stage)}"
    )
    (box,) = (box for box in scene.boxes if wanted in box.css.split())
    return box


def drawn(program: ir.Program) -> Scene:
    scene = map_scene(program)
    assert scene is not None
    return scene


def is_drawn_well(program: ir.Program) -> None:
    scene = drawn(program)
    is_laid_out_well(scene)
    for stage in program.stages:
        for group in {targets_of(clause) for clause in stage.clauses}:
            for target in group:
                end = box_of(scene, program, target)
                assert any(
                    line.points[-1][1] == end.y and end.x < line.points[-1][0] < end.x + end.width
                    for line in scene.lines
                    if not line.plain
                )
    words = "".join(label.text for label in scene.labels)
    assert all(clause.id in words for _, clause in program.clauses)


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_all_of_every_game_is_on_its_map(name: str) -> None:
    is_drawn_well(load_game(name))


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_narrow_screens_have_all_of_it_too(name: str) -> None:
    program = load_game(name)
    scene = narrow_map_scene(program)
    assert scene.width <= 370
    right = max(box.x + box.width for box in scene.boxes)
    for one, other in pairwise(sorted(scene.boxes, key=lambda box: box.y)):
        assert one.y + one.height < other.y
    for label in scene.labels:
        bold = "bold" in label.css
        assert label.x + text_width(label.text, label.size, bold=bold) < right
        assert any(box.y < label.y < box.y + box.height for box in scene.boxes)
    words = "".join(label.text for label in scene.labels).replace(" ", "")
    for clause in (clause for _, clause in program.clauses):
        assert f"{clause.id}{clause.title}".replace(" ", "") in words


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_the_rails_of_a_narrow_map_lead_where_the_clauses_do(name: str) -> None:
    """Follow each line from its box to its rail, and the rail to its stage: rails that touch would
    be one.
    """
    program = load_game(name)
    scene = narrow_map_scene(program)
    led = Counter(target for _, clause in program.clauses for target in targets_of(clause))
    rails = [
        line.points for line in scene.lines if line.plain and line.points[0][0] == line.points[1][0]
    ]
    for (x, top), (_, bottom) in rails:
        others = [
            (low, high)
            for (at, low), (_, high) in rails
            if at == x and (low, high) != (top, bottom)
        ]
        assert all(high < top or bottom < low for low, high in others)
    for target, count in led.items():
        entry = box_of(scene, program, target)
        (head,) = (
            line
            for line in scene.lines
            if not line.plain and entry.y < line.points[0][1] < entry.y + entry.height
        )
        x = head.points[0][0]
        ((_, top), (_, bottom)) = next(
            rail
            for rail in rails
            if rail[0][0] == x and rail[0][1] <= head.points[0][1] <= rail[1][1]
        )
        into = [
            line
            for line in scene.lines
            if line.plain
            and line.points[1][0] == x != line.points[0][0]
            and top <= line.points[1][1] <= bottom
        ]
        assert len(into) == count


def test_long_names() -> None:
    text = SMALL.replace("1.3", f"1.{'3' * 90}").replace(
        '"a player has priority"', f'"{"long " * 30}{"x" * 200}"'
    )
    is_drawn_well(load(Source("long.rules", text)))


def test_too_many_stages_have_none() -> None:
    def chain(length: int) -> ir.Program:
        stages = "".join(
            f'\nstage s{n}\n  must 3.{n} "on"\n    '
            f"{f'go s{n + 1}' if n < length - 1 else 'game over'}\n"
            for n in range(length)
        )
        return load(
            Source(
                "many.rules",
                SMALL.replace("      game over\n", "      go s0\n").replace(
                    "\nclaims\n", f"{stages}\nclaims\n"
                ),
            )
        )

    is_drawn_well(chain(MOST_STAGES - 2))
    assert map_scene(chain(MOST_STAGES - 1)) is None


def test_what_is_never_used_is_marked() -> None:
    scene = map_scene(load(Source("small.rules", SMALL)), ["1.2"])
    assert scene is not None
    assert [label.text for label in scene.labels if label.css == "never"] == ["1.2 pass"]


@needs_chromium
@pytest.mark.long
def test_the_present_stage_is_marked(browser: Browser, small: Path) -> None:
    with opened(browser, small, width=390) as page:
        ready(page)
        assert page.inner_text("#map-here") == "The board is at: a player has priority."
        for words in ("cast", "pass"):
            act(page, words)
        act(page, "pass")
        assert page.inner_text("#map-here") == "The board is at: a player has priority."
        page.click(".made button:has-text('B 1.2')")
        assert page.inner_text("#map-here") == "The board is at: the top of the stack resolves."
        assert page.locator("#map-stages .here:visible").count() == 1
        assert "stage-1" in (page.get_attribute("#map-stages .here", "class") or "").split()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        left, right = page.locator("#map-stages .here:visible").evaluate(
            "box => (({ left, right }) => [left, right])(box.getBoundingClientRect())"
        )
        assert 0 <= left < right <= 390


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize(("width", "least"), [(390, 11), (800, 11), (1400, 9)])
def test_the_map_is_fitted_to_its_width_and_can_be_read(
    browser: Browser, tmp_path: Path, width: int, least: float
) -> None:
    path = written(tmp_path / "fow.html", load_game("fow"))
    with opened(browser, path, width=width) as page:
        ready(page)
        shown = page.locator("#map-stages svg:visible")
        assert shown.count() == 1
        scale = shown.evaluate("svg => svg.clientWidth / svg.viewBox.baseVal.width")
        smallest = shown.evaluate(
            "svg => Math.min(...[...svg.querySelectorAll('text')].map((one) => "
            "one.getAttribute('font-size')))"
        )
        assert scale * smallest >= least
        assert shown.evaluate("svg => svg.clientWidth <= svg.closest('.map').clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.locator(".here").count() == 1
