"""Search: for a table, a strategy that wins as rows of conditions, as small as it can be.

A row says what to do when some conditions are so. Where rows apply their side does what any one of
them says; elsewhere it does as it likes. So more rows bind more, and what is lost with all
decisions elsewhere still open is lost with more rows, too. The search goes from the smallest table
up, and adds only rows that stand against a play that the table so far loses. If there are too many
small tables, it goes on from those that lose the fewest decisions, and takes the first that wins.

The others' tables are of plays within the scope: what they could do beyond it is not there. And
they keep the assumptions: what is assumed to end does end in them. Their rows have to leave
them a way to do so.

For each table the search looks at the game without what no table changes, for rows only forbid: a
node that is lost under all decisions of the coalition is lost with each table, and one that is won
under all decisions is won with each.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import combinations
from operator import or_

from ...models.frozen import frozen
from ..strategies.arena import BEYOND, FIRST, LOST, WON, Arena
from ..strategies.forks import Fork
from ..strategies.objective import ASSUMED
from ..strategies.solve import Solution, solve
from ..types.budget import Meter
from ..types.graphs import Edges
from .conditions import Condition, TableAction, TableConditions, cut_actions_of, fork_actions

MOST_WORK, MOST_GUIDED = 1_200_000, 400_000
"""How many nodes are looked at in the search for the smallest table, and for any: those of each
table that is tried together.
"""
GUIDED = 200.0
"""How many conditions more a table may have that loses no decision than one that loses all, to be
looked at as soon.
"""
KEPT = ASSUMED + 1
"""What counts where somebody acts who is assumed to end, and does: no play on which that comes
again and again is looked at.
"""
MOST_CONDITIONS = 2
"""How many conditions a row has at most in that search."""


@frozen
class GuardRow:
    """An *action* for when all *conditions* are true, which is at the decisions in *mask*."""

    action: TableAction
    conditions: tuple[Condition, ...]
    mask: int

    @property
    def cost(self) -> int:
        """How much it adds to a table."""
        return 1 + len(self.conditions)


@frozen
class Found:
    """The *rows* of a table that wins; *is_smallest* says that no smaller one does."""

    rows: tuple[GuardRow, ...]
    is_smallest: bool


def find_table(
    arena: Arena,
    solution: Solution,
    priority: bytearray,
    meter: Meter,
    *,
    ours: bool = True,
    before: Found | None = None,
) -> Found | None:
    """Return a table that wins *arena*, as the coalition does by *solution* if it is *ours*, else
    the others; None if it takes long.

    If the one that was found *before*, for a part of it, still wins, it is that one.
    """
    search = _Search(arena, solution, priority, meter, ours=ours)
    if ours:
        search = search.without_what_is_decided()
    return before if before is not None and search.is_won_by(before.rows) else search.find()


class _Search:
    def __init__(
        self, arena: Arena, solution: Solution, priority: bytearray, meter: Meter, *, ours: bool
    ) -> None:
        self.arena, self.priority, self.meter, self.ours = arena, priority, meter, ours
        self.kept = priority if ours else priority.replace(bytes([ASSUMED]), bytes([KEPT]))
        self.won, self.lost = (WON, LOST) if ours else (LOST, WON)
        self.edges = Edges(arena.first, arena.target)
        forks = (
            (node, way)
            for node, way in enumerate(arena.ways)
            if isinstance(way, Fork) and way.by_coalition == ours
        )
        decided = {node: fork for node, fork in forks if solution.even[node] or not ours}
        self.forks, self.nodes = decided, list(decided)
        self.places = {node: place for place, node in enumerate(self.nodes)}
        self._actions: dict[int, list[TableAction | None]] = {}
        self.cut = {node: cut_actions_of(arena.objective, fork) for node, fork in decided.items()}
        self.beyond = [
            edge
            for node in self.nodes
            for edge in arena.edges(node)
            if arena.target[edge] == BEYOND
        ]
        self._work = 0

    def without_what_is_decided(self) -> _Search:
        """Return the same search in the game without what no table of the coalition changes."""
        at_most = solve(self.arena.ours, self.priority, self.edges, dict.fromkeys(self.beyond, WON))
        arena, priority = reduced(
            self.arena, self.priority, at_most, self._played(self._diverted(())[1])
        )
        if arena is self.arena:
            return self
        everywhere = Solution(bytearray(b"\1") * len(arena.ways), array("q"))
        return _Search(arena, everywhere, priority, self.meter, ours=True)

    def find(self) -> Found | None:
        """Return the smallest table that wins; where that takes too long one that wins, if it is
        met soon; else None.
        """
        return self._find(MOST_WORK, 0) or self._find(self._work + MOST_GUIDED, GUIDED)

    def _find(self, most: int, guided: float) -> Found | None:
        """Return a table found with so much work at *most*: the smallest, or if the search is
        *guided* by what a table loses the first.
        """
        heap: list[tuple[float, int, tuple[GuardRow, ...]]] = [(0, 0, ())]
        seen, number, is_smallest = {frozenset[GuardRow]()}, 0, not guided
        while heap and self._work < most:
            _, _, rows = heappop(heap)
            self.meter.check(1, len(seen), number)
            bound, diverted = self._diverted(rows)
            if not self._can_be_won(bound, diverted):
                continue
            played = self._played(diverted)
            if bool(played.even[FIRST]) == self.ours:
                if self.ours or self._can_be_kept(diverted):
                    return Found(rows, is_smallest)
                is_smallest = False  # more of what may be done could help, and is not looked at
                continue
            lost = guided and guided * sum(
                bool(played.even[node]) != self.ours for node in self.nodes
            ) / len(self.nodes)
            for row in self._against(bound, diverted, self._lost_play(diverted, played)):
                table = frozenset((*rows, row))
                if table not in seen:
                    seen.add(table)
                    number += 1
                    heappush(heap, (lost + sum(one.cost for one in table), number, (*rows, row)))
        return None

    def is_won_by(self, rows: tuple[GuardRow, ...]) -> bool:
        """Whether a table of *rows* wins, of which it is asked anew where they apply."""
        conditions, here = TableConditions(self.arena.objective), list[GuardRow]()
        for row in rows:
            mask = 0
            for place, node in enumerate(self.nodes):
                if row.action in self.actions(node) or row.action in self.cut[node]:
                    at = self.arena.position[node], self.arena.memory[node], row.action.seat
                    mask |= all(conditions.is_true(one, *at) for one in row.conditions) << place
            here.append(replace(row, mask=mask))
        _, diverted = self._diverted(tuple(here))
        return bool(self._played(diverted).even[FIRST]) == self.ours and (
            self.ours or self._can_be_kept(diverted)
        )

    # ------------------------------------------------------------------ rows

    def actions(self, node: int) -> list[TableAction | None]:
        """Return what the ways of a decision are, in the order of its edges; None where one leads
        beyond the scope.
        """
        if node not in self._actions:
            self._actions[node] = fork_actions(self.arena.objective, self.forks[node])
        return self._actions[node]

    @cached_property
    def _rows(self) -> dict[TableAction, list[GuardRow]]:
        """Return the rows of each action, of those that apply to the same decisions the one with
        the fewest conditions.
        """
        can: dict[TableAction, int] = {}
        for place, node in enumerate(self.nodes):
            for action in (*self.actions(node), *self.cut[node]):
                if action is not None:
                    can[action] = can.get(action, 0) | 1 << place
        masks = {seat: self._masks(seat) for seat in dict.fromkeys(action.seat for action in can)}
        found: dict[TableAction, list[GuardRow]] = {}
        for action, possible in can.items():
            rows: dict[int, GuardRow] = {possible: GuardRow(action, (), possible)}
            for size in range(1, MOST_CONDITIONS + 1):
                for chosen in combinations(masks[action.seat], size):
                    mask = possible
                    for condition in chosen:
                        mask &= masks[action.seat][condition]
                    if mask and mask not in rows:
                        rows[mask] = GuardRow(action, chosen, mask)
            found[action] = list(rows.values())
        return found

    def _masks(self, seat: int) -> dict[Condition, int]:
        """Return at which decisions each condition is true of the player on *seat*."""
        conditions = TableConditions(self.arena.objective)
        arena = self.arena
        masks = dict[Condition, int]()
        for condition in conditions.all:
            mask = 0
            for place, node in enumerate(self.nodes):
                mask |= (
                    conditions.is_true(condition, arena.position[node], arena.memory[node], seat)
                    << place
                )
            if mask and mask not in masks.values():
                masks[condition] = mask
        return masks

    def _against(
        self, bound: bytearray, diverted: dict[int, int], play: dict[int, int]
    ) -> Iterator[GuardRow]:
        """Yield the rows that forbid a decision on a *play* that is lost, where no row applies
        yet.
        """
        for node, edge in play.items():
            place = self.places.get(node)
            if place is None or bound[node]:
                continue
            taken = None if edge in diverted else self.actions(node)[edge - self.arena.first[node]]
            for action in dict.fromkeys(self.actions(node)):
                if action is not None and action != taken:
                    yield from (row for row in self._rows[action] if row.mask >> place & 1)

    # ------------------------------------------------------------------ games with a table

    def _diverted(self, rows: tuple[GuardRow, ...]) -> tuple[bytearray, dict[int, int]]:
        """Return where a row applies, a byte for each node, and the edges that lead elsewhere with
        *rows*.

        What the rows forbid counts as won, and so does what the others could do beyond the scope.
        What the coalition could do there counts as lost, both if a row says it and if no row
        applies.
        """
        bound = bytearray(len(self.arena.ways))
        diverted = dict.fromkeys(self.beyond, self.won)
        first = self.arena.first
        for place in _places(reduce(or_, (row.mask for row in rows), 0)):
            node = self.nodes[place]
            applying, bound[node] = {row.action for row in rows if row.mask >> place & 1}, 1
            if applying & self.cut[node]:
                diverted.update(dict.fromkeys(self.arena.edges(node), self.lost))
            else:
                allowed = zip(self.arena.edges(node), self.actions(node), strict=True)
                diverted.update(
                    {edge: self.won for edge, action in allowed if action not in applying}
                )
        diverted.update(
            {first[node]: self.lost for node in self.nodes if self.cut[node] and not bound[node]}
        )
        return bound, diverted

    def _played(self, diverted: dict[int, int]) -> Solution:
        """Return who wins where an adversary makes all decisions, with some edges *diverted*."""
        self._work += len(self.arena.ways)
        return solve(
            bytearray([not self.ours]) * len(self.arena.ways), self.kept, self.edges, diverted
        )

    def _can_be_kept(self, diverted: dict[int, int]) -> bool:
        """Whether the others win who do what is not *diverted*, and do not act for ever if it is
        assumed that they do not.
        """
        self._work += len(self.arena.ways)
        return not solve(
            self.arena.ours, self.priority, self.edges, dict.fromkeys(diverted, WON)
        ).even[FIRST]

    def _can_be_won(self, bound: bytearray, diverted: dict[int, int]) -> bool:
        """Whether its side wins if it makes the decisions that are not *bound*; more rows there win
        no more.
        """
        self._work += len(self.arena.ways)
        free = bytearray(
            is_ours == self.ours and not is_bound
            for is_ours, is_bound in zip(self.arena.ours, bound, strict=True)
        )
        kept = {edge: node for edge, node in diverted.items() if not free[self.edges.source[edge]]}
        owner = free if self.ours else bytearray(not is_free for is_free in free)
        return bool(solve(owner, self.kept, self.edges, kept).even[FIRST]) == self.ours

    def _lost_play(self, diverted: dict[int, int], played: Solution) -> dict[int, int]:
        """Return the nodes of a play that is lost, and the edges that are taken."""
        play, node = dict[int, int](), FIRST
        while node >= FIRST and node not in play:
            play[node] = edge = played.edge[node]
            node = diverted.get(edge, self.arena.target[edge])
        return play


def _places(mask: int) -> Iterator[int]:
    """Yield the places of the bits of *mask*."""
    digits = f"{mask:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


# ------------------------------------------------------------------ reduced games


def reduced(
    arena: Arena, priority: bytearray, at_most: Solution, at_least: Solution
) -> tuple[Arena, bytearray]:
    """Return *arena* without what no table changes, and the priorities of its nodes, of those in
    *priority*.

    *at_most* says where the coalition wins if it decides everything, *at_least* where it wins if
    the others do. If the start is lost with the one, or won with the other, nothing is left out.
    Decisions of the coalition that are left have all their edges, in their order.
    """
    if not at_most.even[FIRST] or at_least.even[FIRST]:
        return arena, priority
    leads = _leads(arena, priority, at_most, at_least)
    kept = [*range(FIRST), *_reached(arena, leads)]
    numbers = {node: number for number, node in enumerate(kept)}
    small = Arena(
        arena.objective,
        bytearray(arena.ours[node] for node in kept),
        bytearray(arena.priority[node] for node in kept),
    )
    for node in kept:
        small.position.append(arena.position[node])
        small.memory.append(arena.memory[node])
        small.ways.append(arena.ways[node])
        targets = [(edge, leads[arena.target[edge]]) for edge in arena.edges(node)]
        if not arena.ours[node]:
            first = {
                target: edge for edge, target in reversed(targets) if target != WON or node == WON
            }
            targets = [(edge, target) for target, edge in first.items()]
        for edge, target in targets:
            small.target.append(numbers[target])
            small.edge.append(arena.edge[edge])
        small.first.append(len(small.target))
    return small, bytearray(priority[node] for node in kept)


def _leads(arena: Arena, priority: bytearray, at_most: Solution, at_least: Solution) -> list[int]:
    """Return for each node the one that stands for it."""
    leads = list(range(len(arena.ways)))
    for node in range(FIRST, len(leads)):
        if not at_most.even[node]:
            leads[node] = LOST
        elif at_least.even[node]:
            leads[node] = WON
    alone = dict[int, int]()
    for node in range(FIRST + 1, len(leads)):
        if leads[node] == node and not arena.ours[node]:
            onward = {leads[arena.target[edge]] for edge in arena.edges(node)} - {WON}
            if len(onward) == 1 and priority[node] <= priority[next(iter(onward))]:
                alone[node] = onward.pop()
    for node in alone:
        end = node
        while end in alone:  # it ends: who goes round without a way out has won or lost
            end = alone[end]
        leads[node] = end
    return leads


def _reached(arena: Arena, leads: list[int]) -> list[int]:
    """Return the nodes that plays from the start come to, but for the ends, in the order in which
    the arena has them.
    """
    seen, waiting = {FIRST}, [FIRST]
    for node in waiting:
        for edge in arena.edges(node):
            target = leads[arena.target[edge]]
            if target >= FIRST and target not in seen:
                seen.add(target)
                waiting.append(target)
    return sorted(seen)
