"""Forks: who decides what on the way from a position to the next one, and what is forced.

The others pick whose move it is, that player picks the clause, and its choices follow in the order
of the text, each made by its chooser. The others make a choice whose candidates have different
choosers (the clause does not say who is asked). A way that a `require` ends is no way at all, and a
decision with only one way is none.

NOTE(cut-branch): the coalition may choose nothing after which somebody else, in the same move,
might come to what the scope cuts. What the others may choose so is a way of its own, `CUT`. A
position from which all ways are cut is beyond the scope, and so is every way to it. With *hope*
each way that is cut is a way like any other. If the coalition loses even though it wins all that
these may lead to, it wins no game with more room.

Forced acts: what somebody does because nothing else can be done there.

An assumption that somebody acts only finitely often is about what they do of their own accord: a
player who is attacked turn after turn has to block or not, and breaks no assumption. In comes the
graph of an exploration, out goes one in which such moves have labels of their own. An act is forced
in a position if every move that is possible there within the scope is one.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ...models.frozen import frozen
from ...properties import formula as f
from ..reference.lasso import acts
from ..reference.semantics.explore import Graph
from ..types.position import Choice, Move

_WHO: tuple[f.Assumption, ...] = ("players", "cards")


@dataclass
class GameGraph(Graph):
    """A graph in which *forced* says of each label who acts in its moves, ``players`` or ``cards``,
    because nothing else can be done.
    """

    forced: list[tuple[f.Assumption, ...]] = field(default_factory=list)


def with_forced(graph: Graph) -> GameGraph:
    """Return *graph* with labels of their own for moves in which somebody has to act."""
    acting = [
        sum(acts(who, move, graph.interpreter) << bit for bit, who in enumerate(_WHO))
        for move in graph.moves
    ]
    numbers: dict[tuple[int, int], int] = {(label, 0): label for label in range(len(graph.moves))}
    labels = array(graph.label.typecode, graph.label)
    for position in range(graph.expanded):
        edges = graph.edges(position)
        forced = (1 << len(_WHO)) - 1
        for edge in edges:
            forced &= acting[graph.label[edge]]
        if forced:
            for edge in edges:
                labels[edge] = numbers.setdefault((graph.label[edge], forced), len(numbers))
    said = [
        tuple(who for bit, who in enumerate(_WHO) if forced >> bit & 1) for _, forced in numbers
    ]
    moves = [graph.moves[label] for label, _ in numbers]
    return GameGraph(
        graph.interpreter, graph.positions, graph.first_edge, labels, graph.target, graph.found_by,
        moves, graph.layers, graph.cut, graph.stopped, forced=said,
    )  # fmt: skip


CUT: Literal[-1] = -1
"""A way beyond the scope."""


class Alternative(NamedTuple):
    """What is decided in one step: whose move it is (*clause* and *choice* are empty), the
    *clause*, or a *choice* in it.
    """

    clause: str = ""
    choice: Choice | None = None


@frozen
class Fork:
    """A choice of the coalition, or of the others; each of *ways* is a decision, the number of an
    edge of the graph, or `CUT`.

    What the coalition may not choose because of the scope is in *cut*, and no way.
    """

    by_coalition: bool
    ways: tuple[tuple[Alternative, Way], ...]
    cut: tuple[Alternative, ...] = ()


Way: TypeAlias = "Fork | int"


class _Branch(NamedTuple):
    """A move that is possible in a position, and the number of its edge, or `CUT`."""

    move: Move
    edge: int


class Forks:
    """What is decided in the positions of *graph*, in a game of *coalition* against the others.

    What the others decide in a row is one decision, unless *each* is to be by itself; with *hope*
    see NOTE(cut-branch).
    """

    def __init__(
        self, graph: GameGraph, coalition: frozenset[int], *, each: bool = False, hope: bool = False
    ) -> None:
        self.graph, self._coalition, self._each, self.hope = graph, coalition, each, hope
        self._known: dict[int, Way | None] = {}
        self._beyond: set[int] = set()
        if not hope:
            self._find_what_is_beyond()

    def decided_in(self, position: int) -> Way | None:
        """Return what is decided in *position*, which is expanded: None if there is no move, `CUT`
        if each is one that the scope cuts, or leads beyond the scope.
        """
        if position not in self._known:
            self._known[position] = self._decide(position)
        return self._known[position]

    def _find_what_is_beyond(self) -> None:
        waiting = [position for position in self.graph.cut if self.decided_in(position) == CUT]
        sources = sources_in(self.graph) if waiting else {}
        while waiting:
            position = waiting.pop()
            self._beyond.add(position)
            for source in sources.get(position, ()):
                if source not in self._beyond:
                    self._known.pop(source, None)
                    if self.decided_in(source) == CUT:
                        waiting.append(source)

    def _decide(self, position: int) -> Way | None:
        graph = self.graph
        edges = graph.edges(position)
        branches = [
            _Branch(
                graph.moves[graph.label[edge]], CUT if graph.target[edge] in self._beyond else edge
            )
            for edge in edges
        ]
        if position in graph.cut:
            inside = {(move.clause, move.owner, move.choices) for move, _ in branches}
            branches += [
                _Branch(move, CUT)
                for move, _ in graph.allowed(position)
                if (move.clause, move.owner, move.choices) not in inside
            ]
        if not branches:
            return None
        if (
            self.hope
            and any(branch.edge == CUT for branch in branches)
            and any(graph.forced[graph.label[edge]] for edge in edges)
        ):
            return CUT  # who is forced to act there might do something else with more room
        owners = [
            (Alternative(), self._clauses(group))
            for group in _grouped(branches, lambda branch: branch.move.owner)
        ]
        return self._decision(by_coalition=False, ways=owners, in_move=False)

    def _clauses(self, branches: list[_Branch]) -> Way:
        """Return what the owner of *branches* decides: the clause."""
        is_ours = branches[0].move.owner in self._coalition
        ways = [
            (Alternative(group[0].move.clause), self._choices(group, 0, in_move=is_ours))
            for group in _grouped(branches, lambda branch: branch.move.clause)
        ]
        return self._decision(by_coalition=is_ours, ways=ways, in_move=is_ours)

    def _choices(self, branches: list[_Branch], depth: int, *, in_move: bool) -> Way:
        """Return what is decided in *branches* of one clause, which share their first *depth*
        choices; *in_move* of the coalition.
        """
        if len(branches) == 1 and len(branches[0].move.choices) == depth:
            return branches[0].edge
        choosers = {branch.move.choices[depth].by for branch in branches}
        ways = [
            (
                Alternative(group[0].move.clause, group[0].move.choices[depth]),
                self._choices(group, depth + 1, in_move=in_move),
            )
            for group in _grouped(branches, lambda branch: branch.move.choices[depth])
        ]
        is_ours = len(choosers) == 1 and choosers <= self._coalition
        return self._decision(by_coalition=is_ours, ways=ways, in_move=in_move)

    def _decision(
        self, *, by_coalition: bool, ways: list[tuple[Alternative, Way]], in_move: bool
    ) -> Way:
        """Return the decision between *ways*, see NOTE(cut-branch); what is left where there is
        only one.
        """
        open_ = [(option, way) for option, way in ways if way != CUT or self.hope]
        if not open_ or (in_move and not by_coalition and len(open_) < len(ways)):
            return CUT
        cut = (
            tuple(option for option, way in ways if way == CUT)
            if by_coalition and not self.hope
            else ()
        )
        if by_coalition:
            ways = open_
        elif not self._each:
            ways = [inner for way in ways for inner in _flat(way)]
        if len(ways) == 1 and not cut:
            return ways[0][1]
        return Fork(by_coalition, tuple(ways), cut)


def sources_in(graph: Graph) -> dict[int, list[int]]:
    """Return the positions from which moves lead to each position."""
    sources = defaultdict[int, list[int]](list)
    for position in range(graph.expanded):
        for edge in graph.edges(position):
            sources[graph.target[edge]].append(position)
    return sources


def _flat(way: tuple[Alternative, Way]) -> Iterable[tuple[Alternative, Way]]:
    """Return *way* of the others, or what they decide next, if they do."""
    return way[1].ways if isinstance(way[1], Fork) and not way[1].by_coalition else (way,)


def _grouped(branches: Iterable[_Branch], by: Callable[[_Branch], Hashable]) -> list[list[_Branch]]:
    """Return *branches* in groups that are the same *by* something, in the order of the first of
    each.
    """
    groups: dict[Hashable, list[_Branch]] = {}
    for branch in branches:
        groups.setdefault(by(branch), []).append(branch)
    return list(groups.values())
