"""Exhaustive exploration: breadth-first search over the interpreter.

In comes an interpreter, out goes the `Graph` of every position that can be reached, or of the first
ones if the budget ends before. No position is visited twice, and every move of every expanded
position is kept, so that any number of properties can be decided on one exploration.
"""

from __future__ import annotations

from ...process.collector import collector_paused
from ...types.budget import INTERRUPTED, BudgetSpentError, Meter
from ...types.position import Move, Position
from .graph import Graph
from .interpreter import Interpreter

CHECK_EVERY = 64
"""How many positions are expanded between two looks at the meter."""


def explore(interpreter: Interpreter, meter: Meter) -> Graph:
    """Return the graph of *interpreter*'s Program within its scope, as far as *meter* lets it
    grow.
    """
    graph = Graph(interpreter, [interpreter.initial()])
    with collector_paused(), meter.watching():
        try:
            _explore(graph, meter)
        except BudgetSpentError as spent:
            graph.stopped = str(spent)
        except KeyboardInterrupt:
            graph.stopped = INTERRUPTED
            meter.hurry()
    _drop_unfinished(graph)
    return graph


def _explore(graph: Graph, meter: Meter) -> None:
    positions, found_by, layers = graph.positions, graph.found_by, graph.layers
    label, target, moves_of = graph.label, graph.target, graph.interpreter.moves
    numbers: dict[Position, int] = {positions[0]: 0}
    labels: dict[Move, int] = {}
    number, end = 0, 1
    while number < len(positions):
        meter.grow(len(positions))
        if number % CHECK_EVERY == 0:
            meter.check(len(layers), len(positions), len(target))
        found = moves_of(positions[number])
        for move, position in found.moves:
            known = numbers.get(position)
            if known is None:
                known = numbers[position] = len(positions)
                positions.append(position)
                found_by.append(len(target))
            which = labels.setdefault(move, len(labels))
            if which == len(graph.moves):
                graph.moves.append(move)
            label.append(which)
            target.append(known)
        if found.cut:
            graph.cut[number] = found.cut
        number += 1
        graph.first_edge.append(len(target))
        if number == end and end < len(positions):
            layers.append(end)
            end = len(positions)


def _drop_unfinished(graph: Graph) -> None:
    """Forget the edges of a position in whose middle the search was interrupted, and whatever only
    they led to.
    """
    edges = graph.first_edge[-1]
    del graph.label[edges:], graph.target[edges:]
    kept = sum(edge < edges for edge in graph.found_by)
    del graph.positions[kept:], graph.found_by[kept:]
    for number in [number for number in graph.cut if number >= graph.expanded]:
        del graph.cut[number]
