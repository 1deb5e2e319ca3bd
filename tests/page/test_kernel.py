"""The game for another machine: its WebAssembly finds the positions of the native engine, and gives
the answers of the checker.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from stacklaw.bench.instances import TABLE, Instance
from stacklaw.checker.explicit import portable as portables
from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.native import webassembly
from stacklaw.checker.explicit.native.machine import BEST, FAIR, NoMachineError
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import retraced
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.cli.asking.reading import read_target
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names, game_source
from stacklaw.models.source import Source

from .compiled import Portable, portable
from .node import carried, needs_node, run

pytestmark = [needs_node, pytest.mark.slow]

SEARCH = """
const kernel = new Kernel(new WebAssembly.Module(Buffer.from(given.searches[given.searches.length - 1][0], "base64")), given.most);
const search = new Search(kernel, given.texts[given.texts.length - 1], 0, given.limits, given.sizes);
if (search.begin()) for (const _ of search.run());
console.log(JSON.stringify([search.counts, search.stopped]));
"""
ASK = """
const modules = given.searches.map((pair) => pair.map((one) => (one ? new WebAssembly.Module(Buffer.from(one, "base64")) : null)));
const asking = new Asking(given, modules, given.wanted, given.most);
const answers = [];
for (const _ of asking.run((answer) => answers.push(answer))) if (asking.known > given.stopping) asking.stopped = "enough";
console.log(JSON.stringify(answers));
"""


def counted(program: ir.Program, scope: Scope, most: int = 1 << 28) -> list[Any]:
    found: list[Any] = run(
        ("kernel", "search"), SEARCH, {**carried(portable(program, scope)), "most": most}
    )
    return found


def agrees(program: ir.Program, scope: Scope) -> None:
    found = search(emit(Layout(program, scope)), Meter(Budget())).counts
    counts = {
        "positions": found.positions,
        "moves": found.moves,
        "layers": found.layers,
        "cut": found.cut,
    }
    assert counted(program, scope) == [counts, ""]


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_it_finds_as_many_positions_as_the_native_engine(name: str) -> None:
    program = load_game(name)
    agrees(program, make_scope(program))


@pytest.mark.parametrize("row", ["2_2_1_1", "2_3_2_1", "3_3_1_1"])
def test_it_finds_as_many_positions_as_the_table_of_the_benchmark_family(row: str) -> None:
    instance = Instance.named(row)
    counts, stopped = counted(*instance.question())
    assert ((counts["positions"], counts["moves"], counts["layers"]), counts["cut"], stopped) == (
        TABLE[instance],
        0,
        "",
    )


def test_it_finds_as_many_in_positions_of_several_words() -> None:
    wide = "wide : 0 to 999 for each player = 999\n  far : 0 to 999 for each player = 7"
    source = game_source("zx").text.replace("\nstate\n", f"\nstate\n  {wide}\n", 1)
    program = load(Source("wide.rules", source))
    scope = make_scope(program)
    assert Layout(program, scope).words > 1
    agrees(program, scope)


def test_a_zone_is_as_large_as_it_is_said_to_be_whatever_other_zones_are() -> None:
    """The sizes of seven zones take 56 bits, more than a number of a script has."""
    zones = [f"zone_{letter}" for letter in "abcdefg"]
    source = f"""
game "Seven zones"
source "a test"
players 1
start act
items
  spell "a spell"
zones
{"".join(f"  {zone} in any order{chr(10)}" for zone in zones)}
stage act
  may A "first"
    by active
    put spell by active on zone_a
    go act
  may G "last"
    by active
    put spell by active on zone_g
    go act
"""
    program = load(Source("seven.rules", source))
    agrees(program, make_scope(program, sizes={"zone_a": 3, "zone_g": 40}))


def test_a_table_that_grows_loses_nothing() -> None:
    program = load_game("mtg")
    agrees(program, make_scope(program, sizes={"stack": 4}))


def test_memory_that_ends_is_told_and_nothing_is_lost_before() -> None:
    program = load_game("mtg")
    scope = make_scope(program, sizes={"stack": 4})
    counts, note = counted(program, scope, most=3 << 20)
    assert note == "no more memory may be taken"
    assert (
        1000
        < counts["positions"]
        < search(emit(Layout(program, scope)), Meter(Budget())).counts.positions
    )


def test_without_a_back_end_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webassembly, "TRIPLE", "wasm-of-some-other-time")
    program = load_game("zx")
    with pytest.raises(NoMachineError, match="LLVM makes no WebAssembly"):
        portable(program, make_scope(program))


def test_long_texts_are_compiled_less_well_and_too_long_ones_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, levels = load_game("zx"), list[int]()
    scope = make_scope(program)

    def noted(_source: str, _exported: Collection[str], level: int = BEST) -> bytes:
        levels.append(level)
        return b""

    monkeypatch.setattr(portables, "web_module", noted)
    portable(program, scope)
    assert levels == [FAIR, BEST]
    monkeypatch.setattr(portables, "LONG", 1000)
    portable(program, scope)
    assert levels[2:] == [FAIR, FAIR]
    monkeypatch.setattr(portables, "MOST", 1000)
    with pytest.raises(
        NoMachineError, match="characters for the compiler, which takes up to 1,000"
    ):
        portable(program, scope)
    assert len(levels) == 4


# ------------------------------------------------------------------ verdicts


def answers(
    game: Portable, sizes: dict[str, int], most: int = 1 << 30, stopping: int = 1 << 60
) -> list[dict[str, Any]]:
    """Return what is answered, but for how many positions there are."""
    given = {**carried(game), "wanted": list(sizes.values()), "most": most, "stopping": stopping}
    found: list[dict[str, Any]] = run(("kernel", "positions", "search", "verdicts"), ASK, given)
    return found[1:]


def are_those_of_the_checker(name: str, **sizes: int) -> None:
    """Hold every answer, and how long its play is, to those of the native engine within the same
    sizes.
    """
    program, questions, _ = read_target(name, {}, (), (), with_claims=True)
    properties = [question for question, claim, _ in questions if claim is not None]
    game = portable(program, make_scope(program), properties)
    scope = make_scope(program, sizes=sizes)
    verdicts, found = check(program, properties, scope), answers(game, dict(scope.sizes))
    assert len(found) > len(properties) // 2
    for answer in found:
        verdict = verdicts[answer["row"]]
        if (
            scope.with_room(verdict.property.needs) != scope
        ):  # the command gives it the room that it needs
            assert answer["outcome"] == "UNKNOWN", verdict.property.name
            continue
        assert answer["outcome"] == verdict.outcome, verdict.property.name
        if verdict.trace is not None:
            assert len(retraced(Interpreter(program, scope), answer["play"]).steps) == len(
                verdict.trace.steps
            ), verdict.property.name


@pytest.fixture
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Optimize less, which is quicker where answers are asked once:
    `test_its_answers_about_other_sizes…` has them as a page has them.
    """
    monkeypatch.setattr(portables, "LONG", 0)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
@pytest.mark.usefixtures("compiled_soon")
def test_its_answers_about_every_game_are_those_of_the_checker(name: str) -> None:
    are_those_of_the_checker(name)


@pytest.mark.long
def test_its_answers_about_other_sizes_are_those_of_the_checker() -> None:
    are_those_of_the_checker("zx", triggered=1)
    are_those_of_the_checker("zx", triggered=4, effects=2)


@pytest.mark.long
@pytest.mark.usefixtures("compiled_soon")
def test_what_was_not_finished_holds_nowhere() -> None:
    program, questions, _ = read_target("stack", {}, (), (), with_claims=True)
    game = portable(program, make_scope(program), [question for question, _, _ in questions])
    sizes = dict(make_scope(program).sizes)
    assert {answer["outcome"] for answer in answers(game, sizes, stopping=500)} == {"UNKNOWN"}
    few, all_ = (
        {answer["row"]: answer["outcome"] for answer in answers(game, sizes, most=most)}
        for most in (3 << 20, 1 << 30)
    )
    assert "BOUNDED" in few.values()
    assert "BOUNDED" not in all_.values()
    assert all(outcome in ("BOUNDED", "UNKNOWN", all_[row]) for row, outcome in few.items())
