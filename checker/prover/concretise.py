"""Concretising: a play that a solver says the encoding has -> the same play, made on the reference
interpreter, or None if there is none.

The solver says which clause each move is of and what the position after it is like, as far as the
encoding remembers it. The moves of the interpreter that fit are made. An encoding that forgets
something may have plays that the rules do not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import z3

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import statements
from ...properties import formula as f
from ..reference.formulas.evaluate import Evaluator
from ..reference.semantics.interpreter import Interpreter
from ..symbolic.bmc.bounded import ConcretePlay, number_of
from ..symbolic.bmc.unrolled import Unrolled
from ..symbolic.encoding.encode import Encoding
from ..symbolic.position.frame import UNSEEN, Entries, PlayerSet
from ..symbolic.position.frame import SymbolicValue as Shown
from ..symbolic.solver import terms as t
from ..types.position import Item, Position, SpotlitItem, Trace, TraceStep, Value
from ..types.scope import MOST_ITEMS, Scope

ROOM_OF_MOVES = 2
"""A zone has room for what it has in the solver's play, and for what this many moves more put on it
and may take away: the last move of the play, and one after it, as the question may be whether there
is one.
"""
MOST_WAYS = 100
"""How many ways to make the moves are followed where the encoding does not tell them apart."""


def decoded(
    program: ir.Program,
    question: f.Property,
    encoded: Encoding,
    unrolled: Unrolled,
    model: z3.ModelRef,
    moves: int,
) -> ConcretePlay | None:
    """Return the play of *moves* moves that *model* has among those of *unrolled*, if the rules
    of *program* have it, too.

    *program*, which *encoded* is about, is for a known number of players.
    """
    return _Concretiser(encoded, unrolled, program, question, model).play(moves)


def _most_joining(program: ir.Program, zone: str) -> int:
    """Return how many items one move can put on *zone* at most, at least 1."""
    return max(
        [
            1,
            *(
                sum(effect_of(one).joins == zone for one in statements(clause.body))
                for _, clause in program.clauses
            ),
        ]
    )


class _Concretiser:
    """Reads plays of *unrolled*, the plays of *encoded* for a known number of *players*, in the
    model of a solver.
    """

    def __init__(
        self,
        encoded: Encoding,
        unrolled: Unrolled,
        program: ir.Program,
        question: f.Property,
        model: z3.ModelRef,
    ) -> None:
        self.encoded, self.unrolled, self.model = encoded, unrolled, model
        self.program, self.question, self.players = program, question, program.players[0]
        self.cells = {
            stage: {cell.decl().name(): cell for cell in cells}
            for stage, cells in unrolled.system.cells.items()
        }
        self.most_joining = {zone.name: _most_joining(program, zone.name) for zone in program.zones}
        self.first = number_of(self._cell(program.start.stage, ir.ACTIVE, 0))

    def play(self, moves: int) -> ConcretePlay | None:
        """Return the play of *moves* moves, which decides the question, if the rules have it."""
        stages = [self._stage(layer) for layer in range(moves)]
        sizes = {zone.name: self._room(zone.name, stages) for zone in self.program.zones}
        scope = Scope(self.players, tuple(sizes.items()))
        interpreter = Interpreter(self.program, scope)
        start = interpreter.initial()
        ways: list[tuple[tuple[int, ...], Trace]] = [((), Trace(start, ()))]
        for layer in range(1, moves + 1):
            made = self.unrolled.made(layer, self.model) if layer < moves else None
            ways = [
                ((*numbers, number), Trace(start, (*trace.steps, TraceStep(move, position))))
                for numbers, trace in ways
                for number, (move, position) in enumerate(
                    interpreter.moves(trace.positions[-1]).moves
                )
                if made is None
                or (
                    position.stage == stages[layer]
                    and move.clause in made
                    and self._is_like(position, layer)
                )
            ][:MOST_WAYS]
        found = ((numbers, self._deciding(interpreter, trace, stages)) for numbers, trace in ways)
        return next(
            (ConcretePlay(scope, numbers, trace) for numbers, trace in found if trace is not None),
            None,
        )

    # ------------------------------------------------------------------ what the model says

    def _stage(self, layer: int) -> str:
        if layer == 0:
            return self.program.start.stage
        return next(stage for stage in self.cells if self.unrolled.is_at(stage, layer, self.model))

    def _cell(self, stage: str, name: str, layer: int) -> t.Term:
        return self.model.eval(
            self.unrolled.cell(self.cells[stage][name], layer), model_completion=True
        )

    def _room(self, zone: str, stages: list[str]) -> int:
        sizes = (
            number_of(self._cell(stage, f"size of {zone}", layer))
            for layer, stage in enumerate(stages)
        )
        return min(max(sizes, default=0) + ROOM_OF_MOVES * self.most_joining[zone], MOST_ITEMS)

    def _turned(self, seat: int) -> int:
        """Return the seat of the encoding that stands for *seat*: there any player may be the first
        active one.
        """
        return (seat + self.first) % self.players

    # -------------------------------------------------------------- whether a position is like that

    def _is_like(self, position: Position, layer: int) -> bool:
        return all(
            self._says(position.stage, cell, layer) == value
            for cell, value in self._shown(position)
        )

    def _says(self, stage: str, cell: t.Term, layer: int) -> bool | int:
        value = self._cell(stage, cell.decl().name(), layer)
        return bool(z3.is_true(value)) if z3.is_bool(value) else number_of(value)

    def _shown(self, position: Position) -> Iterator[tuple[t.Term, bool | int]]:
        """Yield the cells that say what *position* is like, each with what they say then."""
        layout = self.encoded.layout
        frame, program = layout.frame(position.stage), self.encoded.program
        for variable, value in zip(program.variables, position.values, strict=True):
            if variable.name in frame.values and variable.name not in layout.constant:
                yield from self._valued(frame.values[variable.name], variable.type, value)
        for parameter, value in zip(
            program.stage(position.stage).parameters, position.arguments, strict=True
        ):
            yield from self._valued(frame.locals[parameter.name], parameter.type, value)
        for zone, items in zip(program.zones, position.zones, strict=True):
            yield frame.sizes[zone.name], len(items)
            ordered = {"lifo": items[::-1], "fifo": items, "unordered": ()}[zone.order]
            for (where, name), cells in frame.listed.items():
                if where == zone.name:
                    for cell, item in zip(cells, ordered, strict=False):
                        yield cell, self._attribute(item, name)

    def _valued(
        self, shown: Shown, type_: ir.Type, value: Value
    ) -> Iterator[tuple[t.Term, bool | int]]:
        match shown:
            case Entries(cells):
                assert isinstance(value, tuple)
                for seat, one in enumerate(value):
                    yield cells[self._turned(seat)], self._plain(type_, one)
            case PlayerSet(members):
                assert isinstance(value, int)
                for seat in range(self.players):
                    yield members[self._turned(seat)], bool(value >> seat & 1)
            case z3.ExprRef():
                yield shown, self._plain(type_, value)

    def _plain(self, type_: ir.Type, value: Value) -> bool | int:
        match value:
            case None:
                return -1
            case str():
                return int(self.encoded.layout.context.code(value).as_long())
            case int() if isinstance(type_, ir.PlayerType):
                return self._turned(value)
            case int():
                return value
            case _:
                raise AssertionError(value)

    def _attribute(self, item: Item, name: str) -> bool | int:
        if name == ir.KIND:
            return self._plain(ir.FlagType(), item.kind)
        if name == ir.CONTROLLER:
            return self._turned(item.controller)
        number = next(
            number
            for number, attribute in enumerate(self.program.attributes)
            if attribute.name == name
        )
        return self._plain(self.program.attributes[number].type, item.attributes[number])

    # ------------------------------------------------------------------ who is spotlit

    def _deciding(self, interpreter: Interpreter, trace: Trace, stages: list[str]) -> Trace | None:
        """Return *trace* with spotlights such that its last moment decides the question."""
        for spotlights in self._spotlights(trace, stages):
            spotlit = Trace(trace.initial, trace.steps, spotlights)
            if Evaluator(interpreter, spotlit).holds(self.question.body, len(trace.steps)) == (
                self.question.mode == "possible"
            ):
                return spotlit
        return None

    def _spotlights(
        self, trace: Trace, stages: list[str]
    ) -> Iterator[tuple[tuple[str, int | SpotlitItem], ...]]:
        """Yield whom the spotlights can stand for: players as the model has them, items that were
        put when it says.
        """
        seats = self.encoded.layout.context.players.spotlights
        chosen: list[list[tuple[str, int | SpotlitItem] | None]] = []
        for spotlight in self.question.spotlights:
            if spotlight.kind == "player":
                seat = seats[spotlight.name]
                number = (
                    seat.as_long()
                    if z3.is_int_value(seat)
                    else self._says(self.program.start.stage, seat, 0)
                )
                chosen.append([(spotlight.name, (number - self.first) % self.players)])
            else:
                chosen.append(
                    [
                        None if item is None else (spotlight.name, item)
                        for item in self._items(spotlight.name, trace, stages)
                    ]
                )
        for them in product(*chosen):
            watched = tuple(one for one in them if one is not None)
            items = [(who.since, who.event) for _, who in watched if isinstance(who, SpotlitItem)]
            if len(set(items)) == len(items):
                yield watched

    def _items(self, name: str, trace: Trace, stages: list[str]) -> list[SpotlitItem | None]:
        seen = [
            layer
            for layer, stage in enumerate(stages)
            if number_of(self._cell(stage, f"where {name} is", layer)) != UNSEEN
        ]
        since = seen[0] if seen else len(trace.steps)
        puts = [
            SpotlitItem(event.item, since, number)
            for number, event in enumerate(
                trace.steps[since - 1].move.events if trace.steps else ()
            )
            if event.kind == "put" and event.item is not None
        ]
        return [*puts] if seen else [*puts, None]
