"""Windows: how often it becomes a player's turn to decide while an item is on the stack, as weights of the moves that are made then."""

from __future__ import annotations

from array import array

from .followed import FollowedItems
from .ways import END


class WindowCounter:
    """Weighs the moves of *items* by the windows that they open."""

    def __init__(self, items: FollowedItems) -> None:
        self.items, self.graph = items, items.graph
        interpreter, graph = self.graph.interpreter, self.graph
        self._players = interpreter.scope.players
        self._holders = [sum(1 << seat for seat in interpreter.priority(position)) for position in graph.positions]
        owners = (move.owner for move in graph.moves)
        self._owner = [owner if isinstance(owner, int) else -1 for owner in owners]

    def weights(self, away: int) -> tuple[array[int], list[int]]:
        """Return what each edge and start weighs: 1 if it opens a window of the player so many seats *away* from the item's controller."""
        items, graph = self.items, self.graph
        weights = array("l", [0]) * len(items.edge)
        players = [self._controller(state, away) for state in range(len(items.place))]
        for state in range(1, len(items.place)):
            source, player = items.position[state], players[state]
            for edge in items.states.edges(state):
                target = items.states.target[edge]
                if target != END:
                    has, had = (self._holders[position] >> player & 1 for position in (items.position[target], source))
                    weights[edge] = has and (not had or self._owner[graph.label[items.edge[edge]]] == player)
        begun = [0 if s.state == END else self._holders[items.position[s.state]] >> players[s.state] & 1 for s in items.states.starts]
        return weights, begun

    def _controller(self, state: int, away: int) -> int:
        if state == END:
            return 0
        zone, at = self.items.place[state]
        return (self.graph.positions[self.items.position[state]].zones[zone][at].controller + away) % self._players
