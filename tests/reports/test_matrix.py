"""Games side by side as text: what differs, row by row, in as many tables as the page has room
for.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from stacklaw.checker.measures.measures import ExtremeName, MeasureName
from stacklaw.reports.markdown.matrix import (
    Game,
    Matrix,
    MatrixCell,
    MatrixMeasure,
    MatrixNumber,
    MatrixRow,
)
from stacklaw.reports.text.matrix import MatrixTable
from stacklaw.reports.text.page import plain

SIZES = (("stack", 3),)


def cell(
    verdict: str, moves: int | None = None, *, cut: int = 0, proved: bool = False
) -> MatrixCell:
    return MatrixCell("g", verdict, 2, SIZES, cut, moves, proved)


def row(name: str, *cells: MatrixCell | None) -> MatrixRow:
    return MatrixRow(name, name, cells)


def matrix(*rows: MatrixRow, games: int = 2) -> Matrix:
    return Matrix(tuple(Game(f"game{at}", "", "2 players, stack 3") for at in range(games)), rows)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (cell("PROVED", proved=True), cell("VIOLATED", 12), ["yes", "no, 12"]),
        (cell("HOLDS"), cell("IMPOSSIBLE", cut=3), ["yes*", "no*"]),
        (cell("POSSIBLE", 7), cell("IMPOSSIBLE", proved=True), ["yes, 7", "no"]),
        (cell("VACUOUS", cut=1), cell("UNKNOWN"), ["–*", "?"]),
        (cell("HOLDS", cut=9), cell("BOUNDED", cut=9), ["yes*", "?"]),
    ],
)
def test_a_cell_says_yes_or_no(one: MatrixCell, other: MatrixCell, said: list[str]) -> None:
    line = plain(MatrixTable(matrix(row("lifo", one, other)))).splitlines()[1]
    assert [part.strip() for part in line.removeprefix("lifo").split("  ") if part.strip()] == said


def test_what_is_the_same_is_said_once() -> None:
    same = [
        row(name, cell("PROVED", proved=True), cell("HOLDS", cut=1))
        for name in ("lifo", "own_window")
    ]
    page = plain(
        MatrixTable(
            matrix(*same, row("stall", cell("POSSIBLE", 3), cell("IMPOSSIBLE", proved=True)))
        )
    )
    assert "The same in all, yes: lifo and own_window." in page
    assert page.count("lifo") == 1
    assert "No verdict differs." in plain(MatrixTable(matrix(*same)))


def test_a_number_that_is_the_same_is_no_row() -> None:
    cells = [(MatrixNumber(2, open=True), MatrixNumber(value, open=False)) for value in (2, 3)]
    numbers = [MatrixMeasure("passes", "fewest", "passes: fewest", each) for each in cells]
    pages = [plain(MatrixTable(replace(matrix(), measures=(one,)))) for one in numbers]
    assert ["passes: fewest  2*" in page for page in pages] == [False, True]
    assert "The same numbers in all: passes: fewest 2*." in pages[0]


def test_what_a_game_does_not_have_is_not_the_same() -> None:
    """One without turns is not asked whether they end; a number may be of one game alone."""
    number = MatrixMeasure("passes", "most", "passes: most", (MatrixNumber(2, open=False), None))
    asked = matrix(row("turn_ends", cell("HOLDS"), None), row("lifo", cell("HOLDS"), cell("HOLDS")))
    page = plain(MatrixTable(replace(asked, measures=(number,))))
    assert "turn_ends     yes*\n" in page
    assert "passes: most  2\n" in page
    assert "The same in all, yes: lifo.\n" in page
    assert "The same numbers" not in page


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_word_is_broken_however_many_games_there_are(width: int) -> None:
    many = matrix(
        row("window_between", *[cell("VIOLATED" if at else "HOLDS", at) for at in range(30)]),
        games=30,
    )
    page = plain(MatrixTable(many), width)
    assert max(map(len, page.splitlines())) <= width
    for at in range(30):
        assert f"game{at}" in page.split()
    cells = page.replace("no, ", "no,").replace("yes, ", "yes,").split()
    assert [word for word in cells if word.startswith(("no,", "yes,0"))] == [
        "yes,0",
        *(f"no,{at}" for at in range(1, 30)),
    ]


def test_five_games_stand_side_by_side_at_80_columns() -> None:
    """With the longest names that there are, and the longest cells that the games have."""
    both = MatrixNumber(14, open=True), MatrixNumber(2, open=True)
    names = get_args(MeasureName)
    measures = [
        MatrixMeasure(name, which, "", (*both, *both, both[0]))
        for name, which in product(names, get_args(ExtremeName))
    ]
    cells = [cell("POSSIBLE", 24), cell("IMPOSSIBLE"), *[cell("POSSIBLE", 43)] * 2]
    asked = matrix(row("turn_player_after_resolution", *cells, cell("VIOLATED", 11)), games=5)
    page = plain(MatrixTable(replace(asked, measures=tuple(measures))), 80)
    assert page.splitlines()[0].split() == [f"game{at}" for at in range(5)]


def test_a_reading_has_two_lines_in_the_head() -> None:
    games = (Game("fow", "", "2 players"), Game("fow@resolution=whole,order=free", "", "2 players"))
    head = plain(
        MatrixTable(Matrix(games, (row("lifo", cell("HOLDS"), cell("VIOLATED", 4)),)))
    ).splitlines()[:3]
    assert head[0].split() == ["fow", "fow"]
    assert head[1].split() == ["@resolution=whole,"]
    assert head[2].split() == ["order=free"]
