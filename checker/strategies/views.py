"""Views: what of positions a game for some goals has to tell apart, and how that is said.

A goal speaks only of what its slice keeps and of the events of moves, so an objective remembers the
same of positions that look alike, and the winner from one of them wins from the other, by doing
the same (`sliced.interpreter`). Goals with items are not sliced, as they follow those anywhere, nor
those about conflicts, as a slice does not tell where two moves lead, nor about who chooses, as one
may drop choices.
"""

from __future__ import annotations

from ...models import ir
from ...models.words import join_words
from ...properties import formula as f
from ...properties.parts import formulas
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter
from ..slicing.needs import Slicer
from ..slicing.slice import Slice
from ..types.position import Item
from ..types.scope import Scope


def interpreter_for(
    program: ir.Program, scope: Scope, question: f.Property, *, sliced: bool
) -> Interpreter:
    """Return an interpreter that sees all that *question*, of mode ``enforce``, depends on; no less
    than everything unless *sliced*.
    """
    if not sliced or (slicer := slicer_for(program, scope, question)) is None:
        return Interpreter(program, scope)
    return SlicedInterpreter(program, scope, slicer, kept_for(slicer, question))


def slicer_for(program: ir.Program, scope: Scope, question: f.Property) -> Slicer | None:
    """Return who slices positions for *question*; None if they are asked for as a whole."""
    assert question.enforced is not None
    asked = [part for goal in question.enforced.goals for part in formulas(goal.formula)]
    asks_more = any(
        isinstance(part, f.Conflict)
        or (isinstance(part, f.PlayerEvent) and part.event == "chooses")
        for part in asked
    )
    if asks_more or any(goal.spotlights for goal in question.enforced.goals):
        return None
    return Slicer(program, scope, choosers=True)


def kept_for(slicer: Slicer, question: f.Property) -> Slice:
    """Return what *question* depends on."""
    assert question.enforced is not None
    return slicer.slice_for([goal.formula for goal in question.enforced.goals], question.spotlights)


def sees(interpreter: Interpreter, expression: ir.Expr, names: tuple[str, ...]) -> bool:
    """Whether *interpreter* knows all that *expression* asks for; *names* are locals in it that
    stand for values.
    """
    return not isinstance(interpreter, SlicedInterpreter) or interpreter.slicer.sees(
        interpreter.kept, expression, names
    )


def told_item(interpreter: Interpreter, zone: str, item: Item, by: int, own: str) -> str:
    """Return what *interpreter* knows of *item*, on *zone*, as the player on seat *by* says it,
    whose items are *own*: "own spell".
    """
    whose, kinds = own if item.controller == by else "another player's", [item.kind]
    if isinstance(interpreter, SlicedInterpreter):
        projection = interpreter.projection
        whose = whose if projection.keeps(zone, ir.CONTROLLER) else ""
        kinds = (
            [kind for kind, stands in interpreter.kept.kinds if stands == item.kind]
            if projection.keeps(zone, ir.KIND)
            else ["item"]
        )
    return " ".join(word for word in (whose, join_words(kinds, "or")) if word)
