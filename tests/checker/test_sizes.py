"""What makes a game large: the positions that are left without a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacklaw.checker.explicit.estimate import sizes
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.load import load
from stacklaw.models.source import Source

if TYPE_CHECKING:
    import pytest

FREE = """
game "Free"
players 2
scope players 2, heap 1
start decide

items
  token "token"

attributes
  side : flag

zones
  heap in any order

state
  hour : 0 to 4
  idle : flag

stage decide
  must 1 "anything may become of anything"
    choose n in 0 to 4
    hour := n
    if heap is empty
      maybe
        put token by active on heap
      maybe
        put token by active with side yes on heap
    go decide
"""


def test_each_part_is_left_out_of_the_positions_that_are_reached() -> None:
    program = load(Source("free.rules", FREE))
    graph = explore(Interpreter(program, make_scope(program)), Meter(Budget()))
    assert len(graph.positions) == 5 * 3  # hours; no token, or one of two
    found = sizes(program, graph.positions)
    assert found[:3] == [("variable", "hour", 3), ("zone", "heap", 5), ("attribute", "side", 5 * 2)]
    assert ("variable", "idle", len(graph.positions)) in found


def test_the_command_says_what_was_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "mtg", "--sizes", "--time", "0.2"]) == Exit.UNDECIDED
    assert "Not all were counted" in capsys.readouterr().out
