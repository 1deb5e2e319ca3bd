"""What takes longer than its mark says is named by `tiers.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .tiers import FILE, MOST, PARTS, Tiers, has_turn

ROOT = Path(__file__).parents[1]


def test_every_test_named_is_there() -> None:
    tiers = Tiers()
    for id_ in set[str]().union(*tiers.named.values()):
        file, _, name = id_.partition("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), id_


def test_none_is_of_two_tiers() -> None:
    named = Tiers().named
    assert named["slow"] & named["long"] == set()


@pytest.mark.parametrize(
    ("seconds", "tier"), [(0.1, ""), (MOST["slow"], "slow"), (MOST["long"], "long")]
)
def test_what_takes_longer_is_of_another_tier(
    request: pytest.FixtureRequest, seconds: float, tier: str
) -> None:
    assert Tiers().measured_tier(request.node, seconds) == tier


@pytest.mark.slow
def test_what_is_marked_is_not_named_again(request: pytest.FixtureRequest) -> None:
    assert [Tiers().measured_tier(request.node, seconds) for seconds in (*MOST.values(), 0.0)] == [
        "",
        "long",
        "",
    ]


def test_what_is_always_run_is_not_named(request: pytest.FixtureRequest) -> None:
    tiers = Tiers()
    tiers.always = ["tests/test_tiers.py::test_what_is_always*"]
    assert tiers.measured_tier(request.node, 100.0) == ""


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file, odd = tmp_path / FILE.name, 'tests/test_tiers.py::test_odd[it\'s "so"\n\\ \u202e]'
    file.write_bytes(FILE.read_bytes())
    tiers = Tiers(file)
    slow = next(iter(tiers.named["slow"]))
    tiers.measured |= {odd: "long", slow: ""}
    tiers.write()
    again = Tiers(file)
    assert again.always == tiers.always
    assert again.named == {
        "slow": tiers.named["slow"] - {slow},
        "long": Tiers().named["long"] | {odd},
    }


@pytest.mark.parametrize("tiers", [[], ["slow"], ["long"], ["long", "rare"]])
def test_each_test_has_its_turn(request: pytest.FixtureRequest, tiers: list[str]) -> None:
    for tier in tiers:
        request.node.add_marker(tier)
    parts = PARTS.get(tiers[-1], 1) if tiers else 1
    turns = [turn for turn in range(3 * parts) if has_turn(request.node, turn)]
    assert turns == [turns[0], turns[0] + parts, turns[0] + 2 * parts]
