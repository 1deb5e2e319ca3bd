"""The benchmark itself: what it compares, what it leaves out, and that its own series can be
asked.
"""

from __future__ import annotations

import shutil
import sys
from math import inf
from pathlib import Path

import pytest

from stacklaw.bench import enforced, growth, run
from stacklaw.bench.drawing import NoPlotsError
from stacklaw.bench.instances import TABLE, Instance
from stacklaw.bench.markdown import README, put
from stacklaw.bench.measure import Measured, measure
from stacklaw.bench.ratios import LARGE, LARGEST, Row, judged
from stacklaw.bench.sizes import DEPTH, PLAYERS, Proving, crossing
from stacklaw.bench.told_peers import by_bound, by_tool, draw_peers
from stacklaw.bench.told_proofs import by_game, by_property, draw_crossings, draw_proofs
from stacklaw.bench.tools import (
    BY_HAND,
    COLD,
    ESTIMATED,
    GROWING,
    OURS,
    SIZED,
    SPIN,
    THREADS,
    Tool,
    peers,
)
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load_game

SMALLEST = Instance(2, 2, 1, 1)


def rows() -> list[Row]:
    """Invented: ours takes 1 s sized and 2 s growing, SPIN 10 s and more, C++ half of ours."""
    return [
        Row(OURS, COLD, 0.0, 4.0, 3.0, 3.0, 300.0),
        Row(OURS, GROWING, 0.0, 2.5, 2.0, 2.0, 300.0),
        Row(OURS, ESTIMATED, 0.0, 1.75, 1.25, 1.25, 256.0),
        Row(OURS, SIZED, 0.0, 1.5, 1.0, 1.0, 256.0),
        Row(OURS, THREADS, 0.0, 2.0, 1.6, 0.75, 256.0),
        Row(BY_HAND, GROWING, 1.0, 1.0, 1.0, 1.0, 100.0),
        Row(BY_HAND, SIZED, 1.0, 0.5, 0.5, 0.5, 100.0),
        Row(SPIN, "depth first", 1.0, 10.0, 10.0, 10.0, 900.0),
        Row(SPIN, "breadth first", 0.5, 20.0, 20.0, 20.0, 900.0),
    ]


def test_ratios() -> None:
    found = list(judged(rows(), 2**23))
    assert [one.value for one in found] == pytest.approx(
        [0.125, 0.2, 0.175, 4 / 11, 1.75 / 11, 1.25, 2.0, 2.0, 37.5, 32.0, 0.75]
    )
    assert [one.bound.says for one in found if one.met == "NOT met"] == [
        "bytes a position, growing",
    ]


def test_only_some_ratios_are_asked_of_small_instances() -> None:
    assert [one.bound.says for one in judged(rows(), LARGE - 1)] == [
        "process, cached : SPIN's run and compilation"
    ]


def test_ratios_without_a_peer_are_left_out() -> None:
    ours = [row for row in rows() if row.program == OURS]
    assert [one.bound.says for one in judged(ours, LARGE)] == [
        "bytes a position, growing",
        "bytes a position, estimated",
        "search with 2 threads : with 1, by the clock",
    ]


def test_of_the_largest_memory_is_asked() -> None:
    found = [
        str(one) for one in judged([Row(OURS, ESTIMATED, 0.0, 30.0, 30.0, 30.0, 12_000.0)], LARGEST)
    ]
    assert [one.split()[0] for one in found] == ["bytes", "gigabytes"]
    assert found[1].endswith("12.583  at most 12.000: NOT met")


def test_tables_of_the_readme() -> None:
    measured = {SMALLEST: rows()}
    assert (
        by_tool(measured).splitlines()[5] == "| stacklaw, table estimated | 1.75 / 1.25 (52,022) |"
    )
    assert by_bound(measured).splitlines()[2:] == [
        "| process, cached : SPIN's run and compilation | 1 | 0.159 met |"
    ]


def test_a_peer_that_comes_to_no_end_is_named() -> None:
    tool = Tool(
        SPIN, "breadth first", [sys.executable, "-c", "print('out of memory'); raise SystemExit(1)"]
    )
    said = run.measured(tool, 1, 1)
    assert isinstance(said, str)
    assert said.startswith("SPIN, breadth first came to no end")
    assert said.endswith("out of memory")


def test_where_a_proof_is_cheaper() -> None:
    assert crossing({2: 0.1, 4: 0.4, 8: 1.6}, 0.5) == 5
    assert crossing({2: 0.1, 4: 0.4, 8: inf}, 0.5) == 8
    assert crossing({2: 0.1}, 0.05) == 2
    assert crossing({2: 0.1, 64: 0.2}, 0.5) is None
    assert crossing({}, 0.5) is None


def provings() -> list[Proving]:
    """Invented as well."""
    lines = {DEPTH: {2: 0.1, 4: 0.4, 8: 1.6}, PLAYERS: {2: 0.1, 3: 0.2}}
    return [
        Proving("mtg", "lifo", False, True, 0.5, searches=lines),
        Proving("mtg", "turn_ends", True, True, None, "nobody knows"),
        Proving("zx", "lifo", False, False, 0.25, searches={DEPTH: {1: 0.1, 2: inf}, PLAYERS: {}}),
    ]


def test_tables_of_proofs() -> None:
    assert by_game(provings(), {("mtg", DEPTH): {2: 0.3, 3: 0.6}}).splitlines()[2:] == [
        "| mtg | 1 of 1 | 0.5, at most 0.5 | 0 of 1 |  | 5 (5 to 5) | 3 (3 to 3) | nowhere | "
        "nowhere |",
        "| zx | 1 of 1 | 0.2, at most 0.2 | 0 of 0 |  | 2 (2 to 2) | nowhere |  |  |",
    ]
    assert by_property(provings()).splitlines()[2:] == [
        "| `lifo` | 0.50*, 5 / – | 0.25, 2 |",
        "| `turn_ends` | no proof |  |",
    ]


def test_peers_that_are_not_installed_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("TLA2TOOLS", raising=False)
    assert [str(one).split(" ", 1)[0] for one in peers(SMALLEST, tmp_path)] == [
        "g++",
        "SPIN",
        "TLC",
    ]


def test_another_number_of_positions_ends_the_run() -> None:
    tool = Tool(SPIN, "depth first", [])
    run.compare_counts(tool, Measured(1, 1, 1, " 5161 states, stored"), 5_160)
    run.compare_counts(
        tool,
        Measured(1, 1, 1, "9,999 states generated, 5,160 distinct states found, 0 left"),
        5_160,
    )
    for text in ("positions=5159", ""):
        with pytest.raises(SystemExit, match="not 5,160"):
            run.compare_counts(tool, Measured(1, 1, 1, text), 5_160)


@pytest.mark.slow
def test_peers_find_the_same_positions(tmp_path: Path) -> None:
    for tool in peers(SMALLEST, tmp_path):
        if isinstance(tool, Tool):
            assert isinstance(run.measured(tool, TABLE[SMALLEST][0], 1), Row)


def test_measuring() -> None:
    once = measure([sys.executable, "-c", "print(7); raise SystemExit(3)"], codes=(0, 3))
    assert (once.text, once.code) == ("7\n", 3)
    assert once.seconds > 0
    assert once.mebibytes > 1
    with pytest.raises(SystemExit, match="failed"):
        measure([sys.executable, "-c", "raise SystemExit(1)"])


def test_every_series_has_questions() -> None:
    for one in growth.series():
        program, scope = one.question(one.sizes[-1])
        assert len(scope.sizes) == len(program.zones)


def test_points_are_counted_up_to_a_bound_and_estimated_beyond(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds = next(one for one in growth.series() if one.name == "kinds, 2 players")
    points = list(
        growth.points(growth.Series(kinds.axis, kinds.name, range(1, 6), kinds.question), 10_000)
    )
    assert [point.positions for point in points] == [214, 2_214, 9_846, None, None]
    assert all(point.estimated is not None for point in points)
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = draw_peers({SMALLEST: rows()}, tmp_path)
    assert [path.suffix for path in drawn] == [".svg", ".png"]
    assert all(path.stat().st_size > 1_000 for path in drawn)


def test_plots_of_proofs(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = [
        *draw_proofs(provings(), tmp_path),
        *draw_crossings(provings(), {("mtg", DEPTH): {2: 0.3}}, "lifo", tmp_path),
    ]
    assert all(path.stat().st_size > 1_000 for path in drawn)


def test_the_readme_has_a_place_for_every_table(tmp_path: Path) -> None:
    copy = tmp_path / "README.md"
    copy.write_text(README.read_text(encoding="utf-8"), encoding="utf-8")
    for name in (
        "tools",
        "bounds",
        "family",
        "proofs by game",
        "proofs by property",
        "check",
        "large",
        "slices",
        "compiling",
    ):
        put(name, f"table of {name}", copy)
        put(name, f"new table of {name}", copy)
    written = copy.read_text(encoding="utf-8")
    assert written.count("\ntable of") == 0
    assert written.count("\nnew table of") == 9
    with pytest.raises(ValueError, match="no place for nothing"):
        put("nothing", "", copy)


def test_without_matplotlib_nothing_is_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(NoPlotsError, match="matplotlib is not installed"):
        draw_peers({SMALLEST: rows()}, tmp_path)


@pytest.mark.parametrize(("most", "met"), [(1e9, "met"), (0, "NOT met")])
def test_games_between_players_are_beside_a_search(
    monkeypatch: pytest.MonkeyPatch, most: float, met: str
) -> None:
    program = load_game("zx")
    monkeypatch.setattr(enforced, "MOST_TIMES", most)
    row = enforced.row(program, make_scope(program), enforced.SAFETY, 1)
    assert row[:5] == ["zx", "2", "never", "424", "1,962"]
    assert row[-1] == met
    assert float(row[-2]) > 0
