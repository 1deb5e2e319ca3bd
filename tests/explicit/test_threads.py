"""Several threads find what one finds: the same counts, the same hits, the same plays."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from stacklaw.checker.explicit.emit.emit import Emitted, emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.native import kernel, layers
from stacklaw.checker.explicit.native.layers import ThreadTeam
from stacklaw.checker.explicit.native.machine import QUICK, machine_for
from stacklaw.checker.explicit.native.memory import Memory
from stacklaw.checker.explicit.search import compiled
from stacklaw.checker.explicit.search.result import Result, SearchGoal
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, BudgetSpentError, Meter, Progress, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load_game

pytest.importorskip("llvmlite")

EVERY_BIT = SearchGoal(0, 0, 0b111)


def game(extra: int = 0, scope: dict[str, int] | None = None) -> Emitted:
    program = load_game("mtg")
    return emit(
        Layout(program, make_scope(program, 2, scope), [("beside", extra)] if extra else [])
    )


def watching(emitted: Emitted) -> Emitted:
    """Return the text, saying in the header of the buffer that some moves make one of three
    formulas true.
    """
    text = emitted.text.replace("def successors(", "def plainly(")
    words = ", ".join(f"s{number}" for number in range(emitted.layout.words))
    bits = (
        "(1 if s0 % 11 == 3 else 0) | (2 if s0 % 131 == 5 else 0) | (4 if (s0 ^ s0 >> 17) % 1009 "
        "== 7 else 0)"
    )
    more = (
        f"\n\ndef successors({words}, out, n):\n    out[1] |= {bits}\n    return plainly({words}, "
        "out, n)\n"
    )
    return replace(emitted, text=text + more)


def found(emitted: Emitted, threads: int, small: int = 10, watch: SearchGoal = EVERY_BIT) -> Result:
    return search(emitted, Meter(), small, watch=watch, tuning=Tuning(threads=threads))


def let_be_small(patch: pytest.MonkeyPatch, slots: int, chunk: int = compiled.CHUNK) -> None:
    """Let blocks, a table of two to the power *slots*, and parts of layers be full as often as in a
    much larger search, and look often.
    """
    patch.setattr(compiled, "BLOCK", 64)
    patch.setattr(compiled, "CHUNK", chunk)
    patch.setattr(kernel, "SLOTS_LOG", slots)
    patch.setattr(budget, "PROGRESS_SECONDS", 0)


@pytest.fixture(autouse=True)
def parts_are_small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let threads take turns and everything grow as often as in a search a thousand times
    larger.
    """
    monkeypatch.setattr(compiled, "_LEAST_PART", 16)
    monkeypatch.setattr(compiled, "BLOCK", 64)
    monkeypatch.setattr(kernel, "SLOTS_LOG", 15)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("extra", [0, 60])
def test_the_number_of_threads_changes_nothing(extra: int) -> None:
    one = watching(game(extra))
    assert one.layout.words == (2 if extra else 1)
    expected = found(one, 1)
    assert expected.counts.positions > 20_000
    assert set(expected.hits) == set(expected.plays) == {0, 1, 2}
    for threads in (2, 3, 5):
        assert found(one, threads) == expected


def test_python_finds_the_same_plays() -> None:
    one = watching(game(scope={"stack": 1}))
    in_python, expected = found(one, 1, 1 << 60), found(one, 2)
    assert replace(in_python, tier="compiled") in (expected, replace(expected, tier="compiled"))
    for bit, play in expected.plays.items():
        assert len(play) == expected.hits[bit]


def test_a_search_ends_after_the_layer_that_has_all() -> None:
    one = watching(game())
    results = [found(one, threads, watch=SearchGoal(0, 0b11, 0b10)) for threads in (1, 2, 3)]
    assert results[1:] == results[:-1]
    assert results[0].counts.layers == 1 + max(results[0].hits[0], results[0].hits[1])
    assert list(results[0].plays) == [1]


@pytest.mark.parametrize("extra", [0, 60])
def test_threads_enter_each_position_once(extra: int) -> None:
    """All threads put the same numbers into one table at the same time."""
    machine = machine_for(game(extra), QUICK, together=True)
    size, number, log = (2 if extra else 1), 40_000, 17
    table, positions = Memory(size << log), Memory(size * number)
    for at in range(number * size):
        positions.numbers[at] = 1 + at * at
    runs = [
        threading.Thread(
            target=lambda: machine.functions["insert"](
                table.address, log, positions.address, number
            )
        )
        for _ in range(4)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    there = [
        tuple(table.numbers[at : at + size])
        for at in range(0, table.size, size)
        if table.numbers[at]
    ]
    assert len(there) == len(set(there)) == number
    assert set(there) == {
        tuple(positions.numbers[at : at + size]) for at in range(0, positions.size, size)
    }


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_budgets_and_interruptions_end_all_threads(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "PROGRESS_SECONDS", 0)
    one = game(scope={"stack": 3})
    by_positions = search(one, Meter(Budget(positions=15_000)), 10, tuning=Tuning(threads=threads))
    assert "15,000 positions" in by_positions.stopped
    assert by_positions.complete_layers == by_positions.counts.layers - 1

    def interrupt(progress: Progress) -> None:
        if progress.positions > 10_000:
            raise KeyboardInterrupt

    meter = Meter(on_progress=interrupt)
    interrupted = search(one, meter, 10, tuning=Tuning(threads=threads))
    assert interrupted.stopped == budget.INTERRUPTED
    assert meter.interrupted
    assert 10_000 < interrupted.counts.positions < 28_000
    before = threading.active_count()
    search(one, Meter(Budget(positions=10_000)), 10, tuning=Tuning(threads=threads))
    assert threading.active_count() == before


def test_a_team_ends_together() -> None:
    team, halted, ended = ThreadTeam(3), threading.Event(), list[int]()

    def work(number: int) -> None:
        if number:
            halted.wait(10)
        ended.append(number)

    def look() -> None:
        raise BudgetSpentError("enough")

    with pytest.raises(BudgetSpentError):
        team.run(work, look, halted.set)
    assert sorted(ended) == [0, 1, 2]

    def fail(number: int) -> None:
        ended.append(1 // (number - 1))

    with pytest.raises(ZeroDivisionError):
        team.run(fail, lambda: None, lambda: None)
    team.dismiss()


def test_blocks_are_used_again() -> None:
    taken = set[int]()

    class Noting(layers.Blocks):
        def take(self) -> Memory:
            block = super().take()
            taken.add(block.address)
            return block

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "Blocks", Noting)
        result = found(game(), 2, watch=SearchGoal())
    assert len(taken) * 64 < result.counts.positions / 3
