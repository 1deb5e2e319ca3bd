"""Arenas: the game between a coalition and the others, over positions that it can tell apart.

In comes a graph and an `Objective`, out goes an `Arena`: nodes that belong to one side each, in
compact arrays. A node is a position with a memory and the priority of the move that led there, or a
decision on the way to the next one.

Views: what of positions a game for some goals has to tell apart, and how that is said.

A goal speaks only of what its slice keeps and of the events of moves, so an objective remembers the
same of positions that look alike, and the winner from one of them wins from the other, by doing
the same (`sliced.interpreter`). Goals with items are not sliced, as they follow those anywhere, nor
those about conflicts, as a slice does not tell where two moves lead, nor about who chooses, as one
may drop choices.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from ...models import ir
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import formulas
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter
from ..slicing.needs import Slicer
from ..slicing.slice import Slice
from ..types.budget import Meter
from ..types.position import OVER, Item
from ..types.scope import Scope
from .forks import CUT, Fork, Forks, Way
from .objective import Objective


def interpreter_for(
    program: ir.Program, scope: Scope, question: f.Property, *, sliced: bool
) -> Interpreter:
    """Return an interpreter that sees all that *question*, of mode ``enforce``, depends on; no less
    than everything unless *sliced*.
    """
    if not sliced or (slicer := slicer_for(program, scope, question)) is None:
        return Interpreter(program, scope)
    return SlicedInterpreter(program, scope, slicer, kept_for(slicer, question))


def slicer_for(program: ir.Program, scope: Scope, question: f.Property) -> Slicer | None:
    """Return who slices positions for *question*; None if they are asked for as a whole."""
    assert question.enforced is not None
    asked = [part for goal in question.enforced.goals for part in formulas(goal.formula)]
    asks_more = any(
        isinstance(part, f.Conflict)
        or (isinstance(part, f.PlayerEvent) and part.event == "chooses")
        for part in asked
    )
    if asks_more or any(goal.spotlights for goal in question.enforced.goals):
        return None
    return Slicer(program, scope, choosers=True)


def kept_for(slicer: Slicer, question: f.Property) -> Slice:
    """Return what *question* depends on."""
    assert question.enforced is not None
    return slicer.slice_for([goal.formula for goal in question.enforced.goals], question.spotlights)


def sees(interpreter: Interpreter, expression: ir.Expr, names: tuple[str, ...]) -> bool:
    """Whether *interpreter* knows all that *expression* asks for; *names* are locals in it that
    stand for values.
    """
    return not isinstance(interpreter, SlicedInterpreter) or interpreter.slicer.sees(
        interpreter.kept, expression, names
    )


def told_item(interpreter: Interpreter, zone: str, item: Item, by: int, own: str) -> str:
    """Return what *interpreter* knows of *item*, on *zone*, as the player on seat *by* says it,
    whose items are *own*: "own spell".
    """
    whose, kinds = own if item.controller == by else "another player's", [item.kind]
    if isinstance(interpreter, SlicedInterpreter):
        projection = interpreter.projection
        whose = whose if projection.keeps(zone, ir.CONTROLLER) else ""
        kinds = (
            [kind for kind, stands in interpreter.kept.kinds if stands == item.kind]
            if projection.keeps(zone, ir.KIND)
            else ["item"]
        )
    return " ".join(word for word in (whose, join_words(kinds, "or")) if word)


WON, LOST, BEYOND, OPEN, FIRST = 0, 1, 2, 3, 4
"""The nodes that end the game: won and lost for the coalition, what the others choose beyond the
scope, and where the exploration has ended. The start is `FIRST`.
"""
CHECK_EVERY = 4096


@dataclass
class Arena:
    """The nodes of a game. Edges of node *n* are ``first[n]`` to ``first[n + 1]``, *target* and
    *edge* are those of each.

    *ours* says whose each node is, *priority* what it counts, *position* and *memory* where it
    stands. *edge* is the number of an edge of the graph, -1 of a decision on the way to one. *way*
    is the tree of a node of a position, so that who reads it knows what is decided.
    """

    objective: Objective
    ours: bytearray = field(default_factory=bytearray)
    priority: bytearray = field(default_factory=bytearray)
    position: array[int] = field(default_factory=lambda: array("l"))
    memory: array[int] = field(default_factory=lambda: array("l"))
    first: array[int] = field(default_factory=lambda: array("q", [0]))
    target: array[int] = field(default_factory=lambda: array("l"))
    edge: array[int] = field(default_factory=lambda: array("q"))
    ways: list[Way | None] = field(default_factory=list)

    @property
    def is_beyond(self) -> bool:
        """Whether every play goes beyond the scope: then it says nothing."""
        return self.ways[FIRST] == CUT

    def edges(self, node: int) -> range:
        """Return the numbers of the edges of *node*."""
        return range(self.first[node], self.first[node + 1])

    def source(self, edge: int) -> int:
        """Return the node that *edge* leaves."""
        return bisect_right(self.first, edge) - 1

    def with_ends(self, *, beyond: bool, open_: bool) -> bytearray:
        """Return the priorities where it is won, or lost, to go beyond the scope, and to come to
        the end of the exploration.
        """
        priority = bytearray(self.priority)
        priority[BEYOND], priority[OPEN] = 2 if beyond else 1, 2 if open_ else 1
        return priority


def arena_of(
    objective: Objective, meter: Meter, *, each: bool = False, hope: bool = False
) -> Arena:
    """Return the game for *objective* from the initial position; *each* decision of the others is
    by itself, or those in a row are one.

    With *hope* each way that the scope cuts leads beyond it, even if the coalition decides on it:
    see NOTE(cut-branch) in `forks`.
    """
    builder = _Builder(objective, each=each, hope=hope)
    builder.build(meter)
    return builder.arena


class _Builder:
    def __init__(self, objective: Objective, *, each: bool, hope: bool) -> None:
        self.objective, self.graph = objective, objective.graph
        self.arena = Arena(objective)
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._trees = Forks(self.graph, objective.coalition, each=each, hope=hope)

    def build(self, meter: Meter) -> None:
        arena = self.arena
        for node in range(FIRST):
            self._new(0, 0, 2 if node == WON else 1, None)
        for node in range(FIRST):
            self._add_edge(node, -1)
            arena.first.append(len(arena.target))
        seen, node = self.objective.start(), FIRST
        if seen.won or seen.lost:
            self._new(0, seen.memory, seen.priority, None)
            self._add_edge(WON if seen.won else LOST, -1)
            arena.first.append(len(arena.target))
            return
        self._node_of(0, seen.memory, seen.priority)
        while node < len(arena.ways):
            if node % CHECK_EVERY == 0:
                meter.check(1, len(arena.ways), len(arena.target))
            self._expand(node, arena.ways[node])
            arena.first.append(len(arena.target))
            node += 1

    def _expand(self, node: int, way: Way | None) -> None:
        if isinstance(way, Fork):
            for _, option in way.ways:
                self._add_edge(*self._end_of(node, option))
        elif way is None:
            self._add_edge(self._at_the_end(node), -1)
        elif way == CUT:
            self._add_edge(BEYOND if self._trees.hope else OPEN, -1)
        else:
            self._add_edge(*self._end_of(node, way))

    def _end_of(self, node: int, way: Way) -> tuple[int, int]:
        """Return the node to which *way* leads from *node*, and the graph's edge that is taken, if
        one is.
        """
        arena, graph = self.arena, self.graph
        if isinstance(way, Fork):
            return self._new(arena.position[node], arena.memory[node], 0, way), -1
        if way == CUT:
            return BEYOND, -1
        target = graph.target[way]
        if target >= graph.expanded:
            return OPEN, way
        seen = self.objective.step(arena.memory[node], graph.label[way], target)
        if seen.won or seen.lost:
            return WON if seen.won else LOST, way
        return self._node_of(target, seen.memory, seen.priority), way

    def _at_the_end(self, node: int) -> int:
        """Return who has won where no move is possible: a gap in the rules is no win for anybody
        who has to reach something.
        """
        is_over = self.graph.positions[self.arena.position[node]].stage == OVER
        return WON if is_over and self.objective.is_reached(self.arena.memory[node]) else LOST

    def _node_of(self, position: int, memory: int, priority: int) -> int:
        key = (position, memory, priority)
        node = self._numbers.get(key)
        if node is None:
            tree = self._trees.decided_in(position)
            node = self._numbers[key] = self._new(position, memory, priority, tree)
        return node

    def _new(self, position: int, memory: int, priority: int, way: Way | None) -> int:
        arena = self.arena
        arena.position.append(position)
        arena.memory.append(memory)
        arena.priority.append(priority)
        arena.ours.append(isinstance(way, Fork) and way.by_coalition)
        arena.ways.append(way)
        return len(arena.ways) - 1

    def _add_edge(self, target: int, edge: int) -> None:
        self.arena.target.append(target)
        self.arena.edge.append(edge)
