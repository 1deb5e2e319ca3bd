"""Conditions: what a table may ask when a player decides, and whether it is so.

They are about the position (zones, the item at their end and whose it is, steps, flags, what the
guards of clauses ask), and about the past as far as the objective remembers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...models import ir
from ...models.ir.parts import expressions
from ...properties import formula as f
from ...properties.wording import expression_words, formula_words
from ..strategies.objective import Objective
from ..strategies.views import sees

WHO = "p"
"""The variable that stands for who decides."""


@dataclass(frozen=True)
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
            condition
            for one in positive
            for condition in (one, Condition(one.expression, one.part, one.place, negated=True))
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
    """Whether *part* of a guard can be asked anywhere, of nobody by name and of no item that might
    not be there.
    """
    return not isinstance(part, ir.Literal | ir.Not) and not any(
        isinstance(node, ir.Local | ir.EndOf | ir.Exists) for node in expressions(part)
    )
