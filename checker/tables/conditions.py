"""Conditions and actions: what a row of a table asks when a player decides, and what it says.

They are about the position (zones, the item at their end and whose it is, steps, flags, what the
guards of clauses ask), and about the past as far as the objective remembers it.

Actions: what a row of a table says, of the coalition or of the others.

In comes a decision of one of the two sides, out goes an action for each of its ways. Of the others
each decision is by itself: whose move it is, its clause, and each choice in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, TypeAlias

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import expressions, statements
from ...properties import formula as f
from ...properties.wording import expression_words, formula_words
from ..strategies.arena import sees, told_item
from ..strategies.forks import CUT, Alternative, Fork, Way
from ..strategies.objective import Objective
from ..types.position import Choice, Item, Move

Doer: TypeAlias = 'int | Literal["rules", "cards"]'
"""Who does something: the player on a seat, the rules or the cards."""


@frozen
class TableAction:
    """What a row says: *doer* uses *clause*, or if *choice* says so makes this choice in it;
    without a clause the move is left to *doer*.

    The conditions of the row are about the player on *seat*: who does it, or of what rules and
    cards do the first of the coalition.
    """

    doer: Doer
    clause: str
    choice: str
    seat: int


def fork_actions(objective: Objective, fork: Fork) -> list[TableAction | None]:
    """Return what the ways of *fork* are, in their order; None where one leads beyond the scope."""
    return [None if way == CUT else _action(objective, option, way) for option, way in fork.ways]


def cut_actions_of(objective: Objective, fork: Fork) -> frozenset[TableAction]:
    """Return what the coalition, which decides at *fork*, could do there if the scope had room for
    it.
    """
    return frozenset(_action(objective, option, fork) for option in fork.cut)


def seat_words(objective: Objective, seat: int) -> str:
    """Return the player on *seat*, as the question names them or by the way from one whom it
    names.
    """
    names = {at: name for name, at in reversed(objective.seats.items())}
    name, first = next(iter(objective.seats.items()))
    away = (seat - first) % objective.signals.graph.interpreter.scope.players
    return names.get(seat, f"{'after ' * away}{name}")


def _action(objective: Objective, option: Alternative, way: Way) -> TableAction:
    """Return what is done by taking *option*, on *way*: whose move it is, its clause, or a choice
    in it.
    """
    doer = next(_moves_of(objective, way)).owner if option.choice is None else option.choice.by
    choice = "" if option.choice is None else _choice_words(objective, option.clause, option.choice)
    return TableAction(
        doer,
        option.clause,
        choice,
        doer if isinstance(doer, int) else next(iter(objective.seats.values())),
    )


def _moves_of(objective: Objective, way: Way) -> Iterator[Move]:
    """Yield the moves within the scope to which *way* leads."""
    graph = objective.signals.graph
    if isinstance(way, Fork):
        for _, inner in way.ways:
            yield from _moves_of(objective, inner)
    elif way != CUT:
        yield graph.moves[graph.label[way]]


def _choice_words(objective: Objective, clause: str, choice: Choice) -> str:
    """Return what is chosen: of items their kind and whose they are, of players who they are."""
    interpreter = objective.signals.graph.interpreter
    if not choice.what:
        return f'"{choice.value}"'
    body = interpreter.clauses[clause].body
    domain = next(
        (
            node.domain
            for node in statements(body)
            if isinstance(node, ir.Choose) and node.variable == choice.what
        ),
        None,
    )
    if isinstance(choice.value, Item):
        assert isinstance(domain, ir.ItemsOn)
        whose = (
            "own"
            if isinstance(choice.by, int)
            else f"{(first := next(iter(objective.seats.items())))[0]}'s"
        )
        by = choice.by if isinstance(choice.by, int) else first[1]
        return f"{choice.what} is {told_item(interpreter, domain.zone, choice.value, by, whose)}"
    if isinstance(domain, ir.PlayersIn) and isinstance(choice.value, int):
        return f"{choice.what} is {seat_words(objective, choice.value)}"
    return f"{choice.what} is {choice.value}"


WHO = "p"
"""The variable that stands for who decides."""


@frozen
class Condition:
    """What is asked of the position (*expression*), or of the past: *part* of a goal, at *place*;
    or that it is not so (*negated*).
    """

    expression: ir.Expr | None = None
    part: f.Past | None = None
    place: tuple[int, int] = (-1, -1)
    negated: bool = False

    def in_words(self, program: ir.Program, player: str) -> str:
        """Return the condition, *player* being who decides."""
        if self.expression is not None:
            said = expression_words(program, self.expression, {WHO: player})
        else:
            assert self.part is not None
            said = formula_words(
                program, self.part.operand if isinstance(self.part, f.Previously) else self.part
            )
        return f"not ({said})" if self.negated else said


class TableConditions:
    """Every condition that a table for *objective* may have: none about what does not matter to
    it.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective, self.interpreter = objective, objective.signals.graph.interpreter
        self._values: dict[tuple[ir.Expr, int, int], bool] = {}
        asked = dict.fromkeys(_asked(self.interpreter.program))
        positive = [Condition(one) for one in asked if sees(self.interpreter, one, (WHO,))]
        positive += [Condition(part=part, place=place) for place, part in objective.past()]
        self.all = [
            condition for one in positive for condition in (one, replace(one, negated=True))
        ]

    def is_true(self, condition: Condition, position: int, memory: int, seat: int) -> bool:
        """Whether *condition* is true in *position* with *memory* when the player on *seat*
        decides.
        """
        if condition.expression is None:
            return self.objective.remembers(memory, *condition.place) != condition.negated
        key = (condition.expression, position, seat)
        if key not in self._values:
            where = self.objective.signals.graph.positions[position]
            self._values[key] = bool(
                self.interpreter.evaluate(condition.expression, (WHO,))(where, (seat,))
            )
        return self._values[key] != condition.negated


def _asked(program: ir.Program) -> Iterator[ir.Expr]:
    """Yield what may be asked of a position."""
    yield ir.Equal(ir.Variable(ir.ACTIVE), ir.Local(WHO))
    for zone in program.zones:
        yield ir.IsEmpty(zone.name)
        yield ir.Equal(ir.Size(zone.name), ir.Literal(1))
        if zone.end_word is not None:
            there, end = ir.Not(ir.IsEmpty(zone.name)), ir.EndOf(zone.name)
            yield ir.All((there, ir.Equal(ir.AttributeOf(end, ir.CONTROLLER), ir.Local(WHO))))
            yield from (
                ir.All((there, ir.Equal(ir.AttributeOf(end, ir.KIND), ir.Literal(kind.name))))
                for kind in program.kinds
            )
    for sequence in program.sequences:
        yield from (
            ir.Equal(ir.Variable(sequence.variable), ir.Literal(step.name))
            for step in sequence.steps
        )
    for variable in program.variables:
        if isinstance(variable.type, ir.FlagType) and not variable.each_player:
            yield ir.Variable(variable.name)
    for _, clause in program.clauses:
        parts = clause.guard.parts if isinstance(clause.guard, ir.All) else (clause.guard,)
        yield from (part for part in parts if _is_plain(part))


def _is_plain(part: ir.Expr) -> bool:
    """Whether *part* of a guard can be asked anywhere: it names no local, and no item that might be
    missing.
    """
    return not isinstance(part, ir.Literal | ir.Not) and not any(
        isinstance(node, ir.Local | ir.EndOf | ir.Exists) for node in expressions(part)
    )
