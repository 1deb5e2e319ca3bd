"""A second way to tell two rulesets apart: every word that can be observed, one by one, and what
can follow it.

Written from docs/diff.md, not from the product: no clouds, no memory, no sharing. Only for a few
observations, of small rulesets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import NamedTuple

import networkx as nx

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import OVER, Move, Position

Word = tuple[Hashable, ...]


class After(NamedTuple):
    """What can follow a word: what can be observed next, of that what is cut, where it may stop,
    whether it may go on unseen for ever.
    """

    seen: frozenset[Hashable]
    cut: frozenset[Hashable]
    stops: frozenset[tuple[frozenset[Hashable], Hashable]]
    for_ever: bool


class Words:
    """What can be observed of the plays of *interpreter*."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.modes = {clause.id: clause.mode for _, clause in interpreter.program.clauses}
        self.zones = [zone.name for zone in interpreter.program.zones]

    def look(self, move: Move) -> Hashable | None:
        """Return how a move looks to those at the table."""
        if self.modes[move.clause] != "may" and not move.events:
            return None
        happened = tuple(
            (
                e.kind,
                e.item,
                self.zones[e.zone] if e.item else "",
                self.zones[e.to_zone] if e.kind == "move" else "",
                e.player,
                e.sequence,
                e.step,
            )
            for e in move.events
        )
        return (
            "moves",
            move.owner,
            self.modes[move.clause],
            frozenset(c.by for c in move.choices) - {move.owner},
            happened,
        )

    def holders(self, position: Position) -> frozenset[int]:
        return self.interpreter.priority(position)

    def reached(self, word: Word) -> set[Position]:
        """Return the positions in which a play can be that looked like *word*, before anything
        unseen happens after it.
        """
        here, last = {self.interpreter.initial()}, frozenset[int]()
        for sign in word:
            there: set[Position] = set()
            for position in self.unseen(here, last):
                if self.holders(position) not in (frozenset(), last):
                    there |= {position} if sign == ("priority", self.holders(position)) else set()
                    continue
                there |= {
                    target
                    for move, target in self.interpreter.moves(position).moves
                    if self.look(move) == sign
                }
            if isinstance(sign, tuple) and sign[0] == "priority":
                last = sign[1]
            here = there
        return here

    def unseen(self, here: set[Position], last: frozenset[int]) -> set[Position]:
        found, todo = set[Position](), list(here)
        while todo:
            position = todo.pop()
            if position in found:
                continue
            found.add(position)
            if self.holders(position) in (frozenset(), last):
                todo += [
                    target
                    for move, target in self.interpreter.moves(position).moves
                    if self.look(move) is None
                ]
        return found

    def after(self, word: Word) -> After:
        """Return what can follow *word*."""
        last: frozenset[int] = next(
            (
                sign[1]
                for sign in reversed(word)
                if isinstance(sign, tuple) and sign[0] == "priority"
            ),
            frozenset[int](),
        )
        seen, cut, stops = (
            set[Hashable](),
            set[Hashable](),
            set[tuple[frozenset[Hashable], Hashable]](),
        )
        unseen: nx.DiGraph[Position] = nx.DiGraph()
        for position in self.unseen(self.reached(word), last):
            holders = self.holders(position)
            if holders not in (frozenset(), last):
                seen.add(("priority", holders))
                stops.add((frozenset({("priority", holders)}), "priority first"))
                continue
            moves, allowed = (
                self.interpreter.moves(position).moves,
                self.interpreter.allowed(position),
            )
            signs = {self.look(move) for move, _ in moves}
            beyond = {self.look(move) for move, _ in Counter(allowed) - Counter(moves)}
            unseen.add_edges_from(
                (position, target) for move, target in moves if self.look(move) is None
            )
            if None not in signs:
                stops.add((frozenset(signs | beyond), (holders, position.stage == OVER)))
            seen |= {sign for sign in signs if sign is not None}
            cut |= {sign for sign in beyond if sign is not None}
        for_ever = not nx.is_directed_acyclic_graph(unseen)
        return After(frozenset(seen | cut), frozenset(cut), frozenset(stops), for_ever)


def shortest(old: Interpreter, new: Interpreter, longest: int) -> tuple[int | None, int | None]:
    """Return after how many observations, of at most *longest*, *old* does what *new* does not, and
    the other way round.
    """
    sides = Words(old), Words(new)
    found: dict[int, int] = {}
    words: list[Word] = [()]
    for length in range(longest + 1):
        longer: list[Word] = []
        for word in words:
            after = sides[0].after(word), sides[1].after(word)
            for side in (0, 1):
                if side not in found and _does_more(after[side], after[1 - side]):
                    found[side] = length
            longer += [(*word, sign) for sign in _common(*after)]
        words = longer
    return found.get(0), found.get(1)


def _common(one: After, other: After) -> Iterator[Hashable]:
    yield from one.seen & other.seen - one.cut - other.cut


def _does_more(one: After, other: After) -> bool:
    if not one.seen <= other.seen or (one.for_ever and not other.for_ever):
        return True
    return any(
        not any(less <= offers and same == how for less, same in other.stops)
        for offers, how in one.stops
    )
