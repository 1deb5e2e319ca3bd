"""Reduced games: what of a game the search for a table of the coalition has to look at, for each
table that it tries.

A node that is lost whatever the coalition decides is lost with each table, and one that is won
whatever is decided is won with each, for rows only forbid. So both become the ends of the game. A
node of the others with one way on that matters is left out where the next one counts as much.
"""

from __future__ import annotations

from ..strategies.arena import FIRST, LOST, WON, Arena
from ..strategies.forks import Fork
from ..strategies.solve import Solution


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
        if not _decides(arena, node):
            first = {
                target: edge for edge, target in reversed(targets) if target != WON or node == WON
            }
            targets = [(edge, target) for target, edge in first.items()]
        for edge, target in targets:
            small.target.append(numbers[target])
            small.edge.append(arena.edge[edge])
        small.first.append(len(small.target))
    return small, bytearray(priority[node] for node in kept)


def _decides(arena: Arena, node: int) -> bool:
    way = arena.ways[node]
    return isinstance(way, Fork) and way.by_coalition


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
        if leads[node] == node and not _decides(arena, node):
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
