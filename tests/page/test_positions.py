"""All positions of a small game: each is drawn once, with its moves, and its link leads to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import explore
from stacklaw.checker.types.position import OVER
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.reports.pictures.map import LONGEST, positions_scene
from stacklaw.reports.pictures.scene import render_svg
from stacklaw.reports.telling.state_space import reached_positions

from .browser import needs_chromium, opened
from .drawn import is_laid_out_well
from .shown import SMALL, agrees, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser


EXAMPLES = Path(__file__).parents[1] / "examples"


def small() -> tuple[ir.Program, Scope]:
    program = load(Source("small.rules", SMALL))
    return program, make_scope(program, sizes={"stack": 1})


def test_they_are_those_of_the_interpreter() -> None:
    program, scope = small()
    interpreter, reached = Interpreter(program, scope), reached_positions(program, scope, 100)
    assert len(reached) > 5
    seen = set()
    for one in reached:
        here = interpreter.initial()
        for number in one.way:
            here = interpreter.moves(here).moves[number][1]
        seen.add(here)
        found = interpreter.moves(here)
        assert [move.clause for move in one.moves] == [move.clause for move, _ in found.moves]
        assert (one.stage, one.cut) == (here.stage, found.cut)
        assert all(len(one.way) + 1 >= len(reached[move.target].way) for move in one.moves)
    assert len(seen) == len(reached)
    assert any(here.stage == OVER for here in seen)


def test_where_there_are_more_none_is_told() -> None:
    program, scope = small()
    count = len(reached_positions(program, scope, 100))
    assert len(reached_positions(program, scope, count)) == count
    assert reached_positions(program, scope, count - 1) == ()


@pytest.mark.parametrize("stack", [1, 2])
def test_all_of_it_is_in_the_picture(stack: int) -> None:
    program = load(Source("small.rules", SMALL))
    reached = reached_positions(program, make_scope(program, sizes={"stack": stack}), 100)
    scene = positions_scene("A game", reached, [f"#{number}" for number, _ in enumerate(reached)])
    is_laid_out_well(scene)
    assert [box.link for box in scene.boxes if box.link] == [
        f"#{number}" for number, _ in enumerate(reached)
    ]
    words = [label.text for label in scene.labels]
    for one in reached:
        for move in one.moves:
            assert f"to {move.target}" in words
    labels = [box.label for box in scene.boxes if box.link]
    assert labels[0].startswith("Position 0: a player has priority. A has priority. By A 1.1 to ")
    assert any("1 move left out: no room" in label for label in labels)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.rules")), ids=lambda path: path.stem)
def test_the_pictures_of_small_games_can_be_read(path: Path) -> None:
    program = load_game(str(path))
    if reached := reached_positions(program, make_scope(program), 110):
        is_laid_out_well(positions_scene(program.title, reached, ["#"] * len(reached)))
    else:
        assert explore(program, make_scope(program)).counts.positions > 110


def test_what_a_stranger_writes_is_text_and_not_too_long() -> None:
    rules = SMALL.replace(
        '"a player has priority"', f'"<a href=javascript:alert(1)>{"x" * 5_000}"'
    ).replace("spell", f"s{'p' * 4_000}")
    program = load(Source("small.rules", rules))
    reached = reached_positions(program, make_scope(program), 100)
    text = render_svg(positions_scene("<b>", reached, ['"><script>' for _ in reached]), style=False)
    assert "<b>" not in text
    assert "<script>" not in text
    assert "<a href=javascript" not in text
    assert len(text) < 20 * LONGEST * len(reached)


@needs_chromium
@pytest.mark.long
def test_a_position_is_put_on_the_board(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL.replace("stack 2", "stack 1"), encoding="utf-8")
    run(["page", str(file), "-o", str(tmp_path / "small.html")])
    program = load_game(str(file))
    with opened(browser, tmp_path / "small.html", width=390) as page:
        ready(page)
        links = page.locator("#map-positions a")
        assert links.count() == len(reached_positions(program, make_scope(program), 100))
        for number in range(1, links.count()):
            links.nth(number).focus()
            page.keyboard.press("Enter")
            agrees(page, program, make_scope(program))
            assert (
                f"position-{number} " in f"{page.get_attribute('#map-positions .here', 'class')} "
            )
            assert page.inner_text(".note") == "This is the play of the link."
            assert page.evaluate("document.activeElement.closest('#play') !== null")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click("text=start over")
        assert "position-0 " in f"{page.get_attribute('#map-positions .here', 'class')} "
    assert not re.search(
        r"<[a-z]+ [^>]*style=",
        (tmp_path / "small.html").read_text(encoding="utf-8").partition("<script>")[0],
    )


@pytest.mark.long
def test_a_game_of_many_has_no_picture(tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(SMALL.replace("stack 2", "stack 6"), encoding="utf-8")
    run(["page", str(tmp_path / "small.rules"), "-o", str(tmp_path / "small.html")])
    assert 'id="map-positions"' not in (tmp_path / "small.html").read_text(encoding="utf-8")
