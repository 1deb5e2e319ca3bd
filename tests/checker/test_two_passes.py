"""A second implementation of one game, made for nothing else, against the interpreter: the same
graph, move for move.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from stacklaw.checker.reference.semantics.explore import Graph, explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.position import OVER, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts

from ..tiny import two_passes


class Table(NamedTuple):
    """Who has priority (None while resolving, -1 when it is over), how many passed in succession,
    who controls the stack.
    """

    holder: int | None
    passes: int
    stack: tuple[int, ...]


def after(table: Table, players: int, bound: int) -> list[Table]:
    """Return the tables after each possible move. In this game passes are always those just before
    the holder's seat.
    """
    holder, passes, stack = table
    if holder == -1:
        return []
    if holder is None:
        return [Table(0, 0, stack[:-1])]
    cast = [Table(holder, 0, (*stack, holder))] if len(stack) < bound else []
    if passes + 1 < players:
        return [*cast, Table((holder + 1) % players, passes + 1, stack)]
    return [*cast, Table(None if stack else -1, players, stack)]


def count(players: int, bound: int) -> tuple[Counts, set[tuple[Table, Table]]]:
    """Return the counts of the whole graph, and its edges."""
    start = Table(0, 0, ())
    seen, layer, layers, edges, cut = {start}, [start], 0, [], 0
    while layer:
        layers += 1
        following = []
        for table in layer:
            cut += table.holder not in (None, -1) and len(table.stack) == bound
            for target in after(table, players, bound):
                edges.append((table, target))
                if target not in seen:
                    seen.add(target)
                    following.append(target)
        layer = following
    return Counts(len(seen), len(edges), layers, cut), set(edges)


def as_table(position: Position) -> Table:
    _, passed = position.values
    assert isinstance(passed, int)
    stack = tuple(item.controller for item in position.zones[0])
    if position.stage == OVER:
        return Table(-1, passed.bit_count(), stack)
    (holder,) = position.arguments or (None,)
    assert holder is None or isinstance(holder, int)
    return Table(holder, passed.bit_count(), stack)


def explored(players: int, bound: int) -> Graph:
    game = two_passes()
    return explore(Interpreter(game, make_scope(game, players, {"stack": bound})), Meter())


@pytest.mark.parametrize(
    ("players", "bound"), [(2, 1), (2, 2), (2, 5), (3, 1), (3, 3), (4, 2), (5, 2)]
)
def test_the_same_graph(players: int, bound: int) -> None:
    graph = explored(players, bound)
    counts, edges = count(players, bound)
    assert graph.counts == counts
    found = {
        (as_table(graph.positions[n]), as_table(graph.positions[t]))
        for n in range(graph.expanded)
        for _, t in graph.successors(n)
    }
    assert found == edges


def test_exact_counts() -> None:
    assert explored(2, 2).counts == Counts(positions=23, moves=30, layers=8, cut=8)
    assert explored(3, 3).counts == Counts(positions=184, moves=246, layers=14, cut=81)


def test_layers_are_the_lengths_of_shortest_plays() -> None:
    graph = explored(3, 2)
    depth = [len(graph.way_to(position)) for position in range(len(graph.positions))]
    assert depth == sorted(depth)
    assert [depth.index(layer) for layer in range(max(depth) + 1)] == graph.layers
