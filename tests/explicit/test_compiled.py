"""The compiled tier counts like the reference, carried over at any point, and under any limit of
memory.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.emit.emit import Emitted, emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.native import machine
from stacklaw.checker.explicit.native.machine import named_by_content
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts
from stacklaw.models import ir
from stacklaw.models.load import load_game

from ..luck import tries
from ..strategies_ir import programs
from .test_following import games

pytest.importorskip("llvmlite")


def emitted(program: ir.Program, scope: Scope) -> Emitted:
    return emit(Layout(program, scope))


def reference(program: ir.Program, scope: Scope) -> Counts:
    return explore(Interpreter(program, scope), Meter()).counts


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", "stack", "fow"])
def test_the_games_in_their_own_scope(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`games/` has the sizes of all of them, counted in compiled code and by the reference."""
    program = load_game(game)
    scope = make_scope(program)
    expected = reference(program, scope)
    result = search(emitted(program, scope), Meter(), 1)
    assert (result.counts, result.stopped, result.note, result.tier) == (
        expected,
        "",
        "",
        "compiled",
    )
    from_the_start = search(emitted(program, scope), Meter())
    assert (from_the_start.counts, from_the_start.tier) == (expected, "compiled")
    monkeypatch.setattr(machine, "kept", lambda _: None)
    paying = 15_000 / len(emitted(program, scope).text)  # carried over once more, to better code
    monkeypatch.setattr("stacklaw.checker.explicit.search.search.PAYING", paying)
    carried_over = search(emitted(program, scope), Meter(), 5000)
    assert carried_over.counts == expected
    assert carried_over.tier == ("compiled" if expected.positions > 5000 else "interpreted")


def test_several_words() -> None:
    program = load_game("fow")
    scope = make_scope(program, 2, {"chase": 1, "queue": 17})
    one = emitted(program, scope)
    assert one.layout.words > 1
    stopped = search(one, Meter(Budget(positions=30_000)), 1)
    assert stopped.tier == "compiled"
    whole = make_scope(program, 2, {"chase": 1, "queue": 2})
    wide = emit(Layout(program, whole, [("beside", 60)]))
    assert wide.layout.words > 1
    assert (
        search(wide, Meter(), 10).counts
        == search(wide, Meter()).counts
        == reference(program, whole)
    )


@given(st.one_of(programs(), games()))
@tries(15)
def test_random_programs(program: ir.Program) -> None:
    scope = make_scope(program, 2, {"stack": 2, "queue": 1, "pool": 2})
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=3000)))
    assume(not graph.stopped)
    assert search(emitted(program, scope), Meter(), 5).counts == graph.counts


def test_budgets_end_a_search_with_what_was_found() -> None:
    program = load_game("mtg")
    one = emitted(program, make_scope(program, 3))
    by_positions = search(one, Meter(Budget(positions=150_000)), 1000)
    assert "150,000 positions" in by_positions.stopped
    assert 150_000 < by_positions.counts.positions < 2_000_000
    assert by_positions.complete_layers == by_positions.counts.layers - 1
    by_memory = search(one, Meter(Budget(mebibytes=1)), 1000)
    assert "memory" in by_memory.stopped


# ------------------------------------------------------------------ compiled code that is kept

SOURCE = "def twice(a):\n    return a + a\n"


def twice(folder: Path) -> machine.Machine:
    made = machine.Machine(SOURCE, ["twice"], folder)
    assert made.functions["twice"](21) == 42
    return made


def test_code_is_compiled_once(tmp_path: Path) -> None:
    assert [twice(tmp_path / "cache").was_kept for _ in range(3)] == [False, True, True]


def test_a_function_is_compiled_once_for_all_sources_that_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    def emitted(text: str, *rest: Any) -> bytes:
        compiled.extend(re.findall(r"define .* @([a-z]+)_?", text))
        return before(text, *rest)

    before = machine._compiled
    monkeypatch.setattr(machine, "_compiled", emitted)
    monkeypatch.setattr(machine, "_SHARED", [])
    calls = "def outer(a):\n    return inner(a) + 1\n"
    sources = [f"def inner(a):\n    return a {times} 2\n\n\n{calls}" for times in "*+*"]
    with machine.sharing():
        with pytest.raises(machine.NoMachineError):
            machine.Machine(sources[0], ["outer"], tmp_path, level=machine.QUICK, only_kept=True)
        made = [
            machine.Machine(source, ["outer"], tmp_path, level=machine.QUICK) for source in sources
        ]
        assert [one.functions["outer"](21) for one in made] == [43, 24, 43]
        assert compiled == ["inner", "outer"] * 2  # what calls another function is another
        machine.Machine(sources[1], ["outer"], tmp_path, level=machine.QUICK, only_kept=True)
    assert not list(tmp_path.iterdir())
    assert not machine.Machine(sources[0], ["outer"], tmp_path, level=machine.QUICK).was_kept


def test_shared_functions_that_call_each_other_stay_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is called before it stands there is known by its whole source, for what it does may
    be another in each.
    """
    monkeypatch.setattr(machine, "_SHARED", [])
    begin = "def begin(a):\n    return even(a)\n"
    sources = [
        f"def even(a):\n    return odd(a - 1) if a > 0 else {last}\n\n\ndef odd(a):\n    return "
        f"even(a - 1) if a > 0 else 7\n\n\n{begin}"
        for last in (1, 2)
    ]
    with machine.sharing():
        made = [
            machine.Machine(source, ["begin"], tmp_path, level=machine.QUICK).functions["begin"]
            for source in sources
        ]
    assert [(one(4), one(3)) for one in made] == [(1, 7), (2, 7)]


def test_what_is_called_from_outside_is_another_function() -> None:
    """It is called otherwise than by its own kind, whether it is called before it stands there or
    after.
    """
    source = (
        "def even(a):\n    return odd(a - 1) if a > 0 else 1\n\n\ndef odd(a):\n    return even(a "
        "- 1) if a > 0 else 7\n"
    )
    inside, outside = (
        named_by_content(source, exported) for exported in (["even"], ["even", "odd"])
    )
    assert all(inside[name][0] != outside[name][0] for name in ("even", "odd"))
    assert inside == named_by_content(source, ["even"])


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000, None])
def test_damaged_code_is_made_again(tmp_path: Path, damage: bytes | None) -> None:
    twice(tmp_path)
    (file,) = tmp_path.iterdir()
    content = bytearray(file.read_bytes())
    content[-100] ^= 1
    file.write_bytes(content if damage is None else damage)
    assert not twice(tmp_path).was_kept
    assert twice(tmp_path).was_kept


def test_code_of_another_source_is_not_used(tmp_path: Path) -> None:
    twice(tmp_path)
    machine.Machine(SOURCE.replace("a + a", "a * a"), ["twice"], tmp_path)
    mine, other = sorted(tmp_path.iterdir())
    mine.write_bytes(other.read_bytes())
    twice(tmp_path)


def test_code_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    twice(tmp_path)
    tmp_path.chmod(0o777)
    assert not twice(tmp_path).was_kept


def test_code_that_cannot_be_kept_is_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    made = twice(tmp_path / "file")
    assert "cannot be kept" in made.note


def test_without_a_compiler_the_search_goes_on_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(f"no {name}")

    program = load_game("zx")
    scope = make_scope(program)
    monkeypatch.setattr(machine, "import_module", missing)
    result = search(emitted(program, scope), Meter(), 10)
    assert result.tier == "interpreted"
    assert "llvmlite is not there" in result.note
    assert result.counts == reference(program, scope)


def test_a_kernel_that_llvm_refuses_is_run_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load_game("zx")
    scope = make_scope(program)
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path))
    monkeypatch.setattr(machine, "assemble", lambda *_: "this is no assembly")
    result = search(emitted(program, scope), Meter(), 10)
    assert result.tier == "interpreted"
    assert "LLVM does not compile the kernel" in result.note
    assert result.counts == reference(program, scope)


def test_a_cache_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "file"))
    program = load_game("zx")
    scope = make_scope(program)
    result = search(emitted(program, scope), Meter(), 10)
    assert result.tier == "compiled"
    assert "cannot be kept" in result.note
    assert result.counts == reference(program, scope)


def test_processes_at_once_do_each_other_no_harm(tmp_path: Path) -> None:
    line = f"Machine({SOURCE!r}, ['twice'], Path({str(tmp_path)!r})).functions['twice'](21)"
    script = (
        "from pathlib import Path\nfrom stacklaw.checker.explicit.native.machine import "
        f"Machine\nassert {line} == 42"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert len(list(tmp_path.iterdir())) == 1
    assert twice(tmp_path).was_kept
