"""The assembly of a text does what CPython does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.native.assembly import assemble
from stacklaw.checker.explicit.native.machine import Machine
from stacklaw.checker.explicit.native.memory import Memory

from ..luck import tries

pytest.importorskip("llvmlite")

TEXT = """
def helper(a, b):
    if a < 0 or b > 60:
        return False
    return 3 >> a & 1 != 0

def every(a, b, c, out):
    x = a if b <= c < 9 else -b
    for k in range(a):
        if k == c:
            continue
        out[k] += k * b
        for j in range(k, 12, 3):
            x ^= j << 2 | 1
    while x > 100 and not x == 7:
        x -= a + 1
    flag = helper(a, b) and a != c or c == 3
    y = (c + a) % 5 // 2 + (1 if flag else 0)
    y |= min(a, b) & ~(1 << c)
    # a shift by a negative number is not asked for
    z = b >> a - 2 if a > 2 else 0
    pass
    return x * 3 + y + z
"""
NUMBERS = st.integers(0, 15)


@given(NUMBERS, NUMBERS, NUMBERS)
@tries(150)
def test_both_give_the_same(a: int, b: int, c: int) -> None:
    names: dict[str, Any] = {}
    exec(TEXT, names)
    memory, out = Memory(16), [0] * 16
    assert machine().functions["every"](a, b, c, memory.address) == names["every"](a, b, c, out)
    assert list(memory.numbers) == out


_MADE: list[Machine] = []


def machine() -> Machine:
    """Return the compiled text, made once."""
    if not _MADE:
        _MADE.append(Machine(TEXT, ["every"], Path("/nowhere/to/be/kept")))
    return _MADE[0]


SHARING = """
def share(a, b, shared):
    shared[1] = fetched(shared, 0)
    shared[2] = swapped(shared, 0, a, b)
    shared[3] = published(shared, 4, a * b)
    return fetched(shared, 0)
"""


def fetched(shared: list[int], index: int) -> int:
    return shared[index]


def published(shared: list[int], index: int, value: int) -> int:
    shared[index] = value
    return value


def swapped(shared: list[int], index: int, old: int, new: int) -> int:
    there = shared[index]
    if there == old:
        shared[index] = new
    return there


def test_what_threads_share_means_the_plain_thing() -> None:
    names: dict[str, Any] = {"fetched": fetched, "published": published, "swapped": swapped}
    exec(SHARING, names)
    compiled = Machine(SHARING, ["share"], Path("/nowhere/to/be/kept"))
    for a, b, at_first in ((3, 4, 3), (3, 4, 5), (0, 7, 0)):
        memory, shared = Memory(5), [at_first, 0, 0, 0, 0]
        memory.numbers[0] = at_first
        assert compiled.functions["share"](a, b, memory.address) == names["share"](a, b, shared)
        assert list(memory.numbers) == shared


@pytest.mark.parametrize(
    "line",
    ["a = b = 1", "del a", "a.b = 1", "return [a]", "return a / b", "return a if a is b else 0"],
)
def test_what_is_not_of_the_subset_is_refused(line: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        assemble(f"def f(a, b):\n    {line}\n", ["f"])


def test_a_prefetch_is_a_load_for_machines_that_take_no_hints() -> None:
    text = "def f(a, table):\n    prefetch(table, a)\n    return 0\n"
    assert "call void @llvm.prefetch" in assemble(text, ["f"])
    assert "load volatile i64" in assemble(text, ["f"], hints=False)
    assert "call void" not in assemble(text, ["f"], hints=False)
