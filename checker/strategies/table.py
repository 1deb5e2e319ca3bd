"""Tables: a strategy that wins as rows of conditions, as small as a search can make it.

A row says what to do when some conditions are so. Where rows apply their players do what one of them says, whichever; elsewhere as they
like. So more rows bind more, and what is lost although nobody has decided elsewhere is lost with more rows, too: the search goes from the
smallest table up, and adds only rows that stand against a play that the table so far loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import combinations
from operator import or_

from ...models import ir
from ...models.ir.parts import statements
from ..types.budget import Meter
from ..types.position import Choice, Item
from ..types.strategy import StrategyTable, TableRow
from .arena import FIRST, LOST, WON, Arena
from .conditions import Condition, TableConditions
from .forks import Alternative, Fork, Way
from .objective import Objective
from .solve import Edges, Solution, solve
from .views import told_item

MOST_WORK = 2_000_000
"""How many nodes are looked at in the search for a small table, those of each table that is tried together."""
MOST_CONDITIONS = 2
"""How many conditions a row has at most in that search."""


@dataclass(frozen=True)
class TableAction:
    """What a row says: the player on *seat* uses *clause*, or if *choice* says so makes this choice in it."""

    seat: int
    clause: str
    choice: str


@dataclass(frozen=True)
class GuardRow:
    """An *action* for when all *conditions* are true, which is at the decisions in *mask*."""

    action: TableAction
    conditions: tuple[Condition, ...]
    mask: int

    @property
    def cost(self) -> int:
        """How much it adds to a table."""
        return 1 + len(self.conditions)


@dataclass(frozen=True)
class Found:
    """The *rows* of a table that wins; *is_smallest* says that no smaller one does."""

    rows: tuple[GuardRow, ...]
    is_smallest: bool


def find_table(arena: Arena, solution: Solution, priority: bytearray, meter: Meter) -> Found | None:
    """Return a table that wins *arena*, in which the coalition wins by *solution*; None if the search was too long."""
    return _Search(arena, solution, priority, meter).find()


class _Search:
    def __init__(self, arena: Arena, solution: Solution, priority: bytearray, meter: Meter) -> None:
        self.arena, self.priority, self.meter = arena, priority, meter
        self.edges = Edges(arena.first, arena.target)
        self.nodes = [node for node in range(FIRST, len(arena.ways)) if arena.ours[node] and solution.even[node]]
        self.places = {node: place for place, node in enumerate(self.nodes)}
        self.actions = {node: actions_of(arena, node) for node in self.nodes}
        self.cut = {node: cut_actions_of(arena.objective, _fork(arena, node), self.actions[node][0].seat) for node in self.nodes}
        self._work = 0
        self._rows = self._candidates()

    def find(self) -> Found | None:
        heap: list[tuple[int, int, tuple[GuardRow, ...]]] = [(0, 0, ())]
        seen, number = {frozenset[GuardRow]()}, 0
        while heap and self._work < MOST_WORK:
            cost, _, rows = heappop(heap)
            self.meter.check(1, len(seen), number)
            bound, diverted = self._diverted(rows)
            if not self._can_be_won(bound, diverted):
                continue
            played = self._played(diverted)
            if played.even[FIRST]:
                return Found(rows, is_smallest=True)
            for row in self._against(bound, diverted, self._lost_play(diverted, played)):
                table = frozenset((*rows, row))
                if table not in seen:
                    seen.add(table)
                    number += 1
                    heappush(heap, (cost + row.cost, number, (*rows, row)))
        return None

    # ------------------------------------------------------------------ rows

    def _candidates(self) -> dict[TableAction, list[GuardRow]]:
        """Return the rows of each action, of those that apply to the same decisions the one with the fewest conditions."""
        conditions, arena = TableConditions(self.arena.objective), self.arena
        masks: dict[Condition, int] = {}
        for condition in conditions.all:
            mask = 0
            for place, node in enumerate(self.nodes):
                seat = self.actions[node][0].seat
                mask |= conditions.is_true(condition, arena.position[node], arena.memory[node], seat) << place
            if mask and mask not in masks.values():
                masks[condition] = mask
        can: dict[TableAction, int] = {}
        for place, node in enumerate(self.nodes):
            for action in (*self.actions[node], *self.cut[node]):
                can[action] = can.get(action, 0) | 1 << place
        found: dict[TableAction, list[GuardRow]] = {}
        for action, possible in can.items():
            rows: dict[int, GuardRow] = {possible: GuardRow(action, (), possible)}
            for size in range(1, MOST_CONDITIONS + 1):
                for chosen in combinations(masks, size):
                    mask = possible
                    for condition in chosen:
                        mask &= masks[condition]
                    if mask and mask not in rows:
                        rows[mask] = GuardRow(action, chosen, mask)
            found[action] = list(rows.values())
        return found

    def _against(self, bound: bytearray, diverted: dict[int, int], play: dict[int, int]) -> Iterator[GuardRow]:
        """Yield the rows that forbid a decision on a *play* that is lost, where no row applies yet."""
        for node, edge in play.items():
            place = self.places.get(node)
            if place is None or bound[node]:
                continue
            taken = None if edge in diverted else self.actions[node][edge - self.arena.first[node]]
            for action in dict.fromkeys(self.actions[node]):
                if action != taken:
                    yield from (row for row in self._rows[action] if row.mask >> place & 1)

    # ------------------------------------------------------------------ games with a table

    def _diverted(self, rows: tuple[GuardRow, ...]) -> tuple[bytearray, dict[int, int]]:
        """Return where a row applies, a byte for each node, and the edges that lead elsewhere with *rows*.

        Nobody loses by what they forbid. What leads beyond the scope loses, be it done because a row says so or because no row applies.
        """
        bound, diverted, first = bytearray(len(self.arena.ways)), dict[int, int](), self.arena.first
        for place in _places(reduce(or_, (row.mask for row in rows), 0)):
            node = self.nodes[place]
            applying, bound[node] = {row.action for row in rows if row.mask >> place & 1}, 1
            if applying & self.cut[node]:
                diverted.update(dict.fromkeys(self.arena.edges(node), LOST))
            else:
                allowed = zip(self.arena.edges(node), self.actions[node], strict=True)
                diverted.update({edge: WON for edge, action in allowed if action not in applying})
        diverted.update({first[node]: LOST for node in self.nodes if self.cut[node] and not bound[node]})
        return bound, diverted

    def _played(self, diverted: dict[int, int]) -> Solution:
        """Return who wins where an adversary makes all decisions, with some edges *diverted*."""
        self._work += len(self.arena.ways)
        return solve(bytearray(len(self.arena.ways)), self.priority, self.edges, diverted)

    def _can_be_won(self, bound: bytearray, diverted: dict[int, int]) -> bool:
        """Whether the coalition wins if it makes the decisions that are not *bound*; whatever more it does there, it wins no more."""
        self._work += len(self.arena.ways)
        owner = bytearray(is_ours and not is_bound for is_ours, is_bound in zip(self.arena.ours, bound, strict=True))
        free = {edge: node for edge, node in diverted.items() if not owner[self.edges.source[edge]]}
        return bool(solve(owner, self.priority, self.edges, free).even[FIRST])

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


def actions_of(arena: Arena, node: int) -> list[TableAction]:
    """Return what the ways of a decision of the coalition are, in the order of its edges."""
    return [action_of(arena.objective, option, way) for option, way in _fork(arena, node).ways]


def _fork(arena: Arena, node: int) -> Fork:
    fork = arena.ways[node]
    assert isinstance(fork, Fork)
    return fork


def cut_actions_of(objective: Objective, fork: Fork, seat: int) -> frozenset[TableAction]:
    """Return what the player on *seat*, who decides at *fork*, could do there if the scope had room for it."""
    return frozenset(
        TableAction(seat, one.clause, "" if one.choice is None else _choice_words(objective, one.clause, one.choice)) for one in fork.cut
    )


def action_of(objective: Objective, option: Alternative, way: Way) -> TableAction:
    """Return what the coalition does if it takes *option*, which leads to *way*."""
    graph = objective.signals.graph
    while isinstance(way, Fork):
        way = way.ways[0][1]
    move = graph.moves[graph.label[way]] if way >= 0 else None
    if option.choice is not None:
        assert isinstance(option.choice.by, int)
        return TableAction(option.choice.by, option.clause, _choice_words(objective, option.clause, option.choice))
    assert move is not None
    assert isinstance(move.owner, int)
    return TableAction(move.owner, option.clause, "")


def _choice_words(objective: Objective, clause: str, choice: Choice) -> str:
    """Return what is chosen: of items their kind and whose they are, of players who they are to the one who chooses."""
    interpreter = objective.signals.graph.interpreter
    if not choice.what:
        return f'"{choice.value}"'
    body = interpreter.clauses[clause].body
    domain = next((node.domain for node in statements(body) if isinstance(node, ir.Choose) and node.variable == choice.what), None)
    if isinstance(choice.value, Item):
        assert isinstance(domain, ir.ItemsOn)
        assert isinstance(choice.by, int)
        return f"{choice.what} is {told_item(interpreter, domain.zone, choice.value, choice.by)}"
    if isinstance(domain, ir.PlayersIn) and isinstance(choice.value, int) and isinstance(choice.by, int):
        away = (choice.value - choice.by) % interpreter.scope.players
        return f"{choice.what} is {'after ' * away}p" if away else f"{choice.what} is p"
    return f"{choice.what} is {choice.value}"


def told_table(objective: Objective, found: Found, positions: int) -> StrategyTable:
    """Return the table as people read it; the game with it has so many *positions*."""
    program = objective.signals.graph.interpreter.program
    names = {seat: name for name, seat in reversed(objective.seats.items())}
    titles = {clause.id: clause.title for _, clause in program.clauses}
    rows = []
    for row in found.rows:
        player, action = names[row.action.seat], row.action
        when = tuple(condition.words(program, player) for condition in row.conditions)
        rows.append(TableRow(player, when, action.clause, titles[action.clause], action.choice))
    return StrategyTable(tuple(rows), found.is_smallest, positions)
