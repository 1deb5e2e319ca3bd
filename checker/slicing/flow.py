"""Flow: what never changes, and which values the parts of items can have on each zone, whatever is
played.

Only values that the text says outright are told apart; anything computed may be anything of its
type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import assert_never

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import blocks_of, statements
from .slice import ANYWHERE, PartRange
from .sorts import Sort, first_code, sort_of


class Flow:
    """What is known of one Program at a table of *players*: *fixed* are the codes of the variables
    that never change.
    """

    def __init__(self, program: ir.Program, players: int) -> None:
        self.program, self.players = program, players
        self.sorts = {
            attribute.name: sort_of(attribute.type, players) for attribute in program.attributes
        }
        self._assigned: set[tuple[str, ir.Expr]] = set()
        self._stepping: set[str] = set()
        self._puts: list[ir.Put] = []
        self._changes: list[tuple[str, ir.Expr]] = []
        for statement in statements(*(clause.body for _, clause in program.clauses)):
            self._note_changes(statement)
        self.fixed = {
            variable.name: code
            for variable in program.variables
            if (code := self._fixed(variable)) is not None
        }
        self.kinds: dict[str, set[str]] = defaultdict(set)
        self.codes: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._spread()

    def _note_changes(self, statement: ir.Statement) -> None:
        """Note what *statement* itself changes."""
        match statement:
            case ir.Assign(variable, _, value):
                self._assigned.add((variable, value))
            case ir.Advance(sequence) | ir.StepTo(sequence):
                self._stepping.add(sequence)
            case ir.Put():
                self._puts.append(statement)
            case ir.Alter(_, name, value):
                self._changes.append((name, value))
            case ir.Move() | ir.Leave() | ir.BeginResolving():
                pass  # an item keeps its parts; where it goes `_zone_moves` says
            case (
                ir.Require()
                | ir.Pass()
                | ir.Let()
                | ir.If()
                | ir.Choose()
                | ir.Branch()
                | ir.ForEach()
                | ir.Go()
                | ir.GameOver()
            ):
                pass  # these change nothing
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ variables

    def _fixed(self, variable: ir.VariableDeclaration) -> int | None:
        """Return the code of *variable* if it never changes; a seat is no such code, as seats may
        be turned.
        """
        sort = sort_of(variable.type, self.players)
        code = first_code(variable.initial, sort, self.players)
        is_seat = sort.kind == "player" and not (sort.is_optional and code == sort.high)
        is_some_seats = sort.kind == "players" and code not in (0, sort.high)
        if is_seat or is_some_seats or not sort.low <= code <= sort.high:
            return None
        if any(
            name == variable.name and not self._is_code(value, code, sort)
            for name, value in self._assigned
        ):
            return None
        return (
            None
            if variable.name
            in {s.variable for s in self.program.sequences if s.name in self._stepping}
            else code
        )

    def _is_code(self, value: ir.Expr, code: int, sort: Sort) -> bool:
        return (
            isinstance(value, ir.Literal | ir.NoPlayers | ir.Everyone)
            and first_code(value, sort, self.players) == code
        )

    # ------------------------------------------------------------------ items

    def _spread(self) -> None:
        """Let the parts of items flow from where items are put to wherever they are moved, until
        nothing is added.
        """
        moves = {
            move for _, clause in self.program.clauses for move in _zone_moves(clause.body, {})
        }
        for put in self._puts:
            self._put(put)
        for name, value in self._changes:  # of an item anywhere
            for zone in (ANYWHERE, *(zone.name for zone in self.program.zones)):
                self.codes[zone, name] |= self._codes(value, self.sorts[name])
        before = -1
        while before != (
            before := sum(map(len, self.kinds.values())) + sum(map(len, self.codes.values()))
        ):
            for from_, to in moves:
                self.kinds[to] |= self.kinds[from_]
                for name in self.sorts:
                    self.codes[to, name] |= self.codes[from_, name]

    def _put(self, put: ir.Put) -> None:
        for zone in (put.zone, ANYWHERE):
            self.kinds[zone].add(put.kind)
            for (name, sort), value in zip(self.sorts.items(), put.attributes, strict=True):
                self.codes[zone, name] |= self._codes(value, sort)

    def _codes(self, value: ir.Expr, sort: Sort) -> set[int]:
        if isinstance(value, ir.Literal) and sort.kind in ("flag", "enum", "number"):
            code = first_code(value, sort, self.players)
            return {code} if sort.low <= code <= sort.high else set()
        return {sort.low, sort.high}

    # ------------------------------------------------------------------ what is told

    def classes(self, tests: Iterable[frozenset[str]]) -> dict[str, str]:
        """Return for each kind the first one that no test tells from it, of those that there are
        items of.
        """
        asked = sorted(map(sorted, tests))
        first: dict[tuple[bool, ...], str] = {}
        there = [kind.name for kind in self.program.kinds if kind.name in self.kinds[ANYWHERE]]
        stands: dict[str, str] = {}
        for kind in there:
            stands[kind] = first.setdefault(tuple(kind in test for test in asked), kind)
        any_ = there[0] if there else self.program.kinds[0].name if self.program.kinds else ""
        return {kind.name: stands.get(kind.name, any_) for kind in self.program.kinds}

    def ranges(self, kinds: dict[str, str]) -> tuple[PartRange, ...]:
        """Return the ranges of parts that are narrower than their types, where *kinds* says which
        kind stands for which.
        """
        return tuple(self._ranges(kinds))

    def _ranges(self, kinds: dict[str, str]) -> Iterator[PartRange]:
        order = list(dict.fromkeys(kinds.values()))
        for zone in (ANYWHERE, *(zone.name for zone in self.program.zones)):
            there = {order.index(kinds[kind]) for kind in self.kinds[zone]}
            if there and (max(there) - min(there) + 1 < len(order)):
                yield zone, ir.KIND, min(there), max(there)
            for name, sort in self.sorts.items():
                codes = self.codes[zone, name]
                if (
                    codes
                    and sort.kind in ("flag", "enum", "number")
                    and (min(codes), max(codes)) != (sort.low, sort.high)
                ):
                    yield zone, name, min(codes), max(codes)


def _zone_moves(block: ir.Block, zones: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield from which zone to which *block* may move items; an item that has a name comes from
    where it got it.
    """
    for statement in block:
        done = effect_of(statement)
        if done.names is not None and done.among is not None:
            zones = {**zones, done.names: done.among}
        if done.item is not None and done.joins is not None:
            yield (
                (done.item.zone if isinstance(done.item, ir.EndOf) else zones[done.item.name]),
                done.joins,
            )
        for inner in blocks_of(statement):
            yield from _zone_moves(inner, zones)
