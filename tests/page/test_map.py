"""The map of the page: every stage, every clause and what it leads to is on it, nothing overlaps,
and the present stage is marked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source
from stacklaw.reports.pictures.graph import OVER, targets_of
from stacklaw.reports.pictures.rulebook import MOST_STAGES, map_scene
from stacklaw.reports.pictures.scene import Box, Scene

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


def test_long_names() -> None:
    text = SMALL.replace("1.3", f"1.{'3' * 90}").replace(
        '"a player has priority"', f'"{"long " * 30}{"x" * 200}"'
    )
    is_drawn_well(load(Source("long.rules", text)))


def test_too_many_stages_have_none() -> None:
    def chain(length: int) -> ir.Program:
        stages = "".join(
            f'\nstage s{n}\n  must 3.{n} "on"\n    {f"go s{n + 1}" if n < length - 1 else "game over"}\n'
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
        assert page.locator("#map-stages .here").count() == 1
        assert "stage-1" in (page.get_attribute("#map-stages .here", "class") or "").split()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = "document.querySelector('#map-stages .here').getBoundingClientRect()"
        left, right = page.evaluate(f"(({{ left, right }}) => [left, right])({box})")
        assert 0 <= left < right <= 390


@needs_chromium
@pytest.mark.long
def test_the_map_is_fitted_to_its_width(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path / "fow.html", load_game("fow")), width=800) as page:
        ready(page)
        width, room = page.evaluate(
            "[document.querySelector('#map-stages svg').clientWidth, document.getElementById('map-stages').clientWidth]"
        )
        assert 0 < width <= room
