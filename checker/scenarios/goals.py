"""Goals: what a play can bring about that an engine may get wrong.

A *window* begins with what a player who has priority does, and goes on to where somebody has it
next. Its goals are the clauses it uses, each way through a clause, and hand-overs: who receives
priority, the active player or another one, after what the active player or another one did, and
after each clause of the rules in between, with whoever decides something in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..reference.semantics.explore import Graph
from ..situations.line import Referee
from ..types.position import OVER, Move

ScenarioGoalKind = Literal["clause", "way", "hand-over"]
Role = Literal["active", "another", "nobody"]
_FAR = 1 << 30
_CAUSED = 5
"""What the cards cause on the way to a goal counts as this many moves."""


class WindowDeed(NamedTuple):
    """What somebody of a *role* does by a *clause*, or is asked in it."""

    clause: str
    role: Role


class ScenarioGoal(NamedTuple):
    """Something to bring about: a *clause*, a way through it by titles and the next stage (*how*),
    or deeds in a window at whose end somebody *receives* priority.
    """

    kind: ScenarioGoalKind
    clause: str
    how: tuple[str, ...] = ()
    deeds: tuple[WindowDeed, ...] = ()
    receives: str = ""


class WindowGraph:
    """The moves of *graph* window by window: each *node* is a position and the deed that began the
    window it is in, if it is in one.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.referee = graph, Referee(graph.interpreter)
        self.position, self.begun = array("l"), list[WindowDeed | None]()
        self.first = array("l", [0])
        self.source, self.target, self.edge = array("l"), array("l"), array("l")
        self._receivers: dict[int, str] = {}
        self._costs: dict[int, int] = {}
        self._explore()
        self.receiver = [self._receiver(position) for position in self.position]
        """Who has priority at each node: a role, empty within a window."""
        self.on = {role: self._on(role) for role in sorted({*self.receiver} - {""})}
        """For each role, how far each node is from a player of that role receiving priority, and
        the way to go.
        """

    # ------------------------------------------------------------------ nodes

    def _explore(self) -> None:
        """Find the nodes, breadth first, and the ways between them."""
        graph = self.graph
        numbers: dict[tuple[int, WindowDeed | None], int] = {(0, None): 0}
        nodes: list[tuple[int, WindowDeed | None]] = [(0, None)]
        for number, (position, begun) in enumerate(nodes):
            for edge in graph.edges(position) if position < graph.expanded else ():
                deed = begun if begun else self._deed(edge, position)
                to = graph.target[edge]
                after = to, (None if self._receiver(to) else deed)
                if after not in numbers:
                    numbers[after] = len(nodes)
                    nodes.append(after)
                self.source.append(number)
                self.target.append(numbers[after])
                self.edge.append(edge)
            self.first.append(len(self.edge))
        self.position = array("l", [position for position, _ in nodes])
        self.begun = [begun for _, begun in nodes]

    def _deed(self, edge: int, position: int) -> WindowDeed:
        return self._deeds(edge, position)[0]

    def _deeds(self, edge: int, position: int) -> list[WindowDeed]:
        move = self.graph.moves[self.graph.label[edge]]
        return [WindowDeed(move.clause, role) for role in _deciders(move, self._active(position))]

    def _active(self, position: int) -> object:
        return self.graph.positions[position].values[0]

    def _receiver(self, position: int) -> str:
        if position not in self._receivers:
            at = self.graph.positions[position]
            holders = self.graph.interpreter.priority(at)
            active = self._active(position)
            self._receivers[position] = (
                "nobody" if at.stage == OVER
                else "" if not holders
                else "active" if holders == {active}
                else "another" if active not in holders
                else "both"
            )  # fmt: skip
        return self._receivers[position]

    def ways(self, node: int) -> range:
        """Return the ways on from *node*."""
        return range(self.first[node], self.first[node + 1])

    def move(self, way: int) -> Move:
        """Return the move that is made on *way*."""
        return self.graph.moves[self.graph.label[self.edge[way]]]

    def cost(self, way: int) -> int:
        """Return how far *way* is: farther if the cards cause something."""
        label = self.graph.label[self.edge[way]]
        if label not in self._costs:
            caused = self.referee.caused(self.graph.moves[label])
            self._costs[label] = 1 + _CAUSED * len(caused)
        return self._costs[label]

    # ------------------------------------------------------------------ the ends of windows

    def _on(self, role: str) -> tuple[array[int], array[int]]:
        far, by = array("l", [_FAR]) * len(self.position), array("l", [-1]) * len(self.position)
        back: list[list[int]] = [[] for _ in self.position]
        for way, target in enumerate(self.target):
            back[target].append(way)
        waiting = [node for node, one in enumerate(self.receiver) if one == role]
        for node in waiting:
            far[node] = 0
        for node in waiting:
            for way in back[node]:
                before = self.source[way]
                if far[before] == _FAR and not self.receiver[before]:
                    far[before], by[before] = far[node] + 1, way
                    waiting.append(before)
        return far, by

    def to_end(self, node: int, role: str) -> list[int]:
        """Return the ways from *node*, within a window, to where somebody of *role* receives
        priority.
        """
        found = list[int]()
        while not self.receiver[node]:
            found.append(self.on[role][1][node])
            node = self.target[found[-1]]
        return found

    def receivers(self, way: int) -> Iterator[str]:
        """Yield the roles of those who may receive priority at the end of the window of *way*."""
        target = self.target[way]
        if self.receiver[target]:
            yield self.receiver[target]
        else:
            yield from (role for role, (far, _) in self.on.items() if far[target] < _FAR)

    # ------------------------------------------------------------------ goals

    def goals(self, way: int, receives: str) -> tuple[ScenarioGoal, ...]:
        """Return the goals of *way* in a window at whose end somebody of that role *receives*
        priority.
        """
        move, edge = self.move(way), self.edge[way]
        begun = self.begun[self.source[way]]
        either = [
            str(choice.value)
            for choice in move.choices
            if isinstance(choice.by, int) and not choice.what
        ]
        caused = [title for title, _ in self.referee.caused(move)]
        stage = self.graph.positions[self.graph.target[edge]].stage
        deeds = self._deeds(edge, self.position[self.source[way]])
        return (
            ScenarioGoal("clause", move.clause),
            ScenarioGoal("way", move.clause, (*either, *caused, stage)),
            *(
                ScenarioGoal(
                    "hand-over", move.clause, (), (begun, one) if begun else (one,), receives
                )
                for one in deeds
            ),
        )


def _deciders(move: Move, active: object) -> list[Role]:
    """Return who decides something in *move*: its owner, and who is asked."""
    seats = [move.owner, *(choice.by for choice in move.choices)]
    found: list[Role] = [
        "active" if seat == active else "another" for seat in seats if isinstance(seat, int)
    ]
    return list(dict.fromkeys(found)) or ["nobody"]
