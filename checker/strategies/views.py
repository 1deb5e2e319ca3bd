"""Views: what of positions a game for some goals has to tell apart, and how that is said.

A goal speaks only of what its slice keeps and of the events of moves, so an objective remembers the same of positions that look alike, and
whoever wins from one of them wins from the other, by doing the same (`sliced.interpreter`). Goals with items are not sliced, as they follow
those anywhere, nor those about conflicts, as a slice does not tell where two moves lead, nor about who chooses, as one may drop choices.
"""

from __future__ import annotations

from ...models import ir
from ...models.words import join_words
from ...properties import formula as f
from ...properties.parts import formulas
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter
from ..slicing.needs import Slicer
from ..types.position import Item
from ..types.scope import Scope


def interpreter_for(program: ir.Program, scope: Scope, question: f.Property, *, sliced: bool) -> Interpreter:
    """Return an interpreter that sees all that *question*, of mode ``enforce``, depends on; no less than everything unless *sliced*."""
    assert question.enforced is not None
    goals = question.enforced.goals
    asked = [part for goal in goals for part in formulas(goal.formula)]
    asks_more = any(isinstance(part, f.Conflict) or (isinstance(part, f.PlayerEvent) and part.event == "chooses") for part in asked)
    if not sliced or asks_more or any(goal.spotlights for goal in goals):
        return Interpreter(program, scope)
    slicer = Slicer(program, scope, choosers=True)
    return SlicedInterpreter(program, scope, slicer, slicer.slice_for([goal.formula for goal in goals], question.spotlights))


def sees(interpreter: Interpreter, expression: ir.Expr, names: tuple[str, ...]) -> bool:
    """Whether *interpreter* knows all that *expression* asks for; *names* are locals in it that stand for values."""
    return not isinstance(interpreter, SlicedInterpreter) or interpreter.slicer.sees(interpreter.kept, expression, names)


def told_item(interpreter: Interpreter, zone: str, item: Item, by: int) -> str:
    """Return what *interpreter* knows of *item*, on *zone*, as the player on seat *by* says it: "own spell"."""
    whose, kinds = "own" if item.controller == by else "another player's", [item.kind]
    if isinstance(interpreter, SlicedInterpreter):
        projection = interpreter.projection
        whose = whose if projection.keeps(zone, ir.CONTROLLER) else ""
        kinds = [kind for kind, stands in interpreter.kept.kinds if stands == item.kind] if projection.keeps(zone, ir.KIND) else ["item"]
    return " ".join(word for word in (whose, join_words(kinds, "or")) if word)
