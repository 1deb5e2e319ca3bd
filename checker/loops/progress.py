"""Progress: a stretch of play after which all is as before, but that some zones have more items.

It is no loop, for it comes back to no position; a search of one scope never sees it to its end.
What is found was made again, `TIMES` times, on the reference interpreter, in zones with room for
that: each time as much is added. More than that is not said: a number has a range, and whether a
stretch goes on for ever is asked by `run.endings`, of what it may not look at.

Stretches: the moves of a graph that end no turn, each as the set of what it uses.

A set is a number with a bit for each member: `CARDS` if the cards do something in the move, and
`Stretches.bit_of` its clause. So what a stretch of play uses is the union of its moves, and which
of two stretches uses less is asked of two numbers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ...models import ir
from ...models.frozen import frozen
from ...models.syntax import NamedSizes
from ...properties import formula as f
from ..reference.formulas.monitor import said_of_move
from ..reference.lasso import acts
from ..reference.semantics.explore import Graph
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import with_more
from ..types.budget import BudgetSpentError, Meter
from ..types.position import Item, Move, Position, Trace, Value
from ..types.scope import Scope

CARDS = 1
"""The member that says that the cards do something."""
_TURN_ENDS = f.SequenceEvent("ends", "turn")


@dataclass
class Stretches:
    """What the moves of *graph* use.

    *uses* has the set of each label, *ends_turn* whether its move ends a turn; *bit_of* says which
    bit each clause has.
    """

    graph: Graph
    bit_of: dict[str, int] = field(default_factory=dict)
    uses: list[int] = field(default_factory=list)
    ends_turn: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look at every label once."""
        interpreter = self.graph.interpreter
        for number, (_, clause) in enumerate(interpreter.program.clauses, 1):
            self.bit_of[clause.id] = CARDS << number
        for move in self.graph.moves:
            self.uses.append(
                self.bit_of[move.clause] | (CARDS if acts("cards", move, interpreter) else 0)
            )
            self.ends_turn.append(said_of_move(_TURN_ENDS, move, interpreter))

    def moves_within(
        self, position: int, within: int | None = None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield edge, use and target of each move of *position*, if it is expanded, that ends no
        turn and uses only what is *within*.
        """
        if position < self.graph.expanded:
            for edge in self.graph.edges(position):
                label = self.graph.label[edge]
                if not self.ends_turn[label] and (
                    within is None or self.uses[label] | within == within
                ):
                    yield edge, self.uses[label], self.graph.target[edge]

    def components(
        self, within: int | None = None, among: Iterable[int] | None = None
    ) -> list[set[int]]:
        """Return the positions of each strongly connected component that has a loop, the one that
        is found first of all first.

        The moves are those of `moves_within`, *among* the positions that have to be looked at.
        """
        import networkx as nx  # noqa: PLC0415 - not quick to import

        found: nx.DiGraph[int] = nx.DiGraph()
        for position in range(self.graph.expanded) if among is None else among:
            found.add_edges_from(
                (position, target) for _, _, target in self.moves_within(position, within)
            )
        components = (
            c
            for c in nx.strongly_connected_components(found)
            if len(c) > 1 or any(found.has_edge(n, n) for n in c)
        )
        return sorted(components, key=min)


TIMES = 2
"""How many times a stretch is made again."""
MOST_STEPS = 400_000
MOST_STEPS_EACH = 4_000
"""How many moves are looked at, in all and after each position: not seconds, so that the answer
does not depend on the machine.
"""
STEPS_SPENT = (
    f"the search for stretches that only grow made {MOST_STEPS:,} moves, {MOST_STEPS_EACH:,} from "
    "each position"
)


@frozen
class Growing:
    """A stretch: what it *uses*, a play that ends with it (`Trace.growth`), and how much *more*
    there is of what after it.
    """

    uses: int
    trace: Trace
    more: NamedSizes


def find_growing(stretches: Stretches, meter: Meter) -> tuple[list[Growing], str]:
    """Return the stretches that use the least, and why there may be others; empty if there are
    not.
    """
    search = _Search(stretches, meter)
    try:
        search.find_progress()
    except BudgetSpentError as spent:
        return search.found, str(spent)
    return search.found, STEPS_SPENT if search.is_cut_short else ""


class _Search:
    """The search from every position, and what it has *found*."""

    def __init__(self, stretches: Stretches, meter: Meter) -> None:
        self.found: list[Growing] = []
        self.is_cut_short = False
        self._stretches = stretches
        self._graph = stretches.graph
        self._meter = meter
        self._steps = 0
        self._growth = _Growth(stretches.graph.interpreter.program)
        self._keys = [self._growth.key(position) for position in stretches.graph.positions]

    def find_progress(self) -> None:
        """Look from one position of each sort first, then from the others."""
        sorts: dict[object, list[int]] = {}
        for number, key in enumerate(self._keys):
            sorts.setdefault(key, []).append(number)
        several = [numbers for numbers in sorts.values() if len(numbers) > 1]
        starts = [
            *(numbers[0] for numbers in several),
            *sorted(number for numbers in several for number in numbers[1:]),
        ]
        for start in starts:
            if self._steps >= MOST_STEPS:
                self.is_cut_short = True
                return
            self._meter.check(0, len(self._graph.positions), self._steps)
            self._from(start)

    def _from(self, start: int) -> None:
        """Look for stretches from *start*, breadth first; of ways to one position only those that
        use the least are followed.
        """
        least: dict[int, list[int]] = {start: [0]}
        open_ = deque([(start, 0, tuple[int, ...]())])
        steps = 0
        while open_:
            position, used, way = open_.popleft()
            for edge, use, target in self._stretches.moves_within(position):
                steps += 1
                if steps > MOST_STEPS_EACH:
                    self.is_cut_short = True
                    self._steps += steps
                    return
                uses = used | use
                if any(known.uses & uses == known.uses for known in self.found):
                    continue
                if self._keys[target] == self._keys[start] and self._is_found(
                    start, (*way, edge), uses
                ):
                    continue
                ways = least.setdefault(target, [])
                if not any(known & uses == known for known in ways):
                    ways.append(uses)
                    open_.append((target, uses, (*way, edge)))
        self._steps += steps

    def _is_found(self, start: int, edges: tuple[int, ...], uses: int) -> bool:
        """Whether the stretch along *edges* grows, and can be made again; then it is one of those
        found.
        """
        graph = self._graph
        first, last = graph.positions[start], graph.positions[graph.target[edges[-1]]]
        more = self._growth.between(first, last)
        if not more:
            return False
        moves = [graph.moves[graph.label[edge]] for edge in edges]
        if not _can_be_made_again(graph.interpreter, self._growth, first, last, moves):
            return False
        way = graph.way_to(start)
        trace = replace(graph.trace([*way, *edges]), growth=len(way))
        self.found = [
            *(one for one in self.found if one.uses & uses != uses),
            Growing(uses, trace, more),
        ]
        return True


class _Growth:
    """What may grow in the positions of a Program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._is_number = [
            isinstance(variable.type, ir.NumberType) for variable in program.variables
        ]

    def key(self, position: Position) -> object:
        """Return what may not: the same of any two positions between which something grows."""
        return (
            position.stage,
            position.arguments,
            tuple(
                v for v, number in zip(position.values, self._is_number, strict=True) if not number
            ),
        )

    def between(self, first: Position, last: Position) -> NamedSizes:
        """Return what there is more of in *last*, and how much; nothing if anything is less, or
        another.
        """
        more = []
        for variable, is_number, one, other in zip(
            self._program.variables, self._is_number, first.values, last.values, strict=True
        ):
            if is_number and one != other:
                added = [
                    after - before
                    for before, after in zip(_numbers(one), _numbers(other), strict=True)
                ]
                if min(added) < 0:
                    return ()
                more.append((variable.title or variable.name, sum(added)))
        for zone, base, items in zip(self._program.zones, first.zones, last.zones, strict=True):
            if base != items:
                if not _has(zone, items, base):
                    return ()
                more.append((zone.name, len(items) - len(base)))
        return tuple(more)

    def again(self, first: Position, last: Position, times: int) -> Position:
        """Return *last* with *times* times more of what it has more than *first*."""
        values: list[Value] = []
        for is_number, one, other in zip(self._is_number, first.values, last.values, strict=True):
            if is_number:
                sums = tuple(
                    after + times * (after - before)
                    for before, after in zip(_numbers(one), _numbers(other), strict=True)
                )
                values.append(sums if isinstance(other, tuple) else sums[0])
            else:
                values.append(other)
        return with_more(self._program, first, last, last, times)._replace(values=tuple(values))


def _numbers(value: Value) -> tuple[int, ...]:
    """Return the numbers that a variable has: one, or one for each player."""
    return tuple(
        number
        for number in (value if isinstance(value, tuple) else (value,))
        if isinstance(number, int)
    )


def _has(zone: ir.Zone, items: tuple[Item, ...], base: tuple[Item, ...]) -> bool:
    """Whether *items* are *base* and others, which came after it if the zone has an order."""
    return (
        not Counter(base) - Counter(items)
        if zone.order == "unordered"
        else items[: len(base)] == base
    )


def _can_be_made_again(
    interpreter: Interpreter, growth: _Growth, first: Position, last: Position, moves: list[Move]
) -> bool:
    """Whether *moves*, made from *first* to *last*, can be made `TIMES` times more, each time with
    as much added.
    """
    sizes = zip(interpreter.scope.sizes, last.zones, strict=True)
    roomy = Interpreter(
        interpreter.program,
        Scope(
            interpreter.scope.players,
            tuple((name, size + TIMES * len(items)) for (name, size), items in sizes),
        ),
    )
    for time in range(1, TIMES + 1):
        reached = {growth.again(first, last, time - 1)}
        for move in moves:
            reached = set(_led_to(roomy, reached, move))
        if growth.again(first, last, time) not in reached:
            return False
    return True


def _led_to(interpreter: Interpreter, positions: set[Position], wanted: Move) -> Iterator[Position]:
    """Yield where a move like the one *wanted* leads from *positions*: the same but for the places
    of the items that are chosen.
    """
    for position in positions:
        for move, target in interpreter.moves(position).moves:
            if (move.clause, move.owner, _chosen(move)) == (
                wanted.clause,
                wanted.owner,
                _chosen(wanted),
            ):
                yield target


def _chosen(move: Move) -> list[object]:
    return [
        (choice.by, choice.what, choice.value, choice.at if not choice.what else 0)
        for choice in move.choices
    ]
