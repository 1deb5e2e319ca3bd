"""Views: what of positions has to be told apart to measure a game.

What is measured asks who has priority, who controls an item, whose each move is and which choices players have in it. On positions that
look alike in a slice that keeps this, it is the same (`sliced.interpreter`). The whole of positions is looked at where a slice would leave
out a choice in a move that is no player's, as whether there is more than one thing to choose counts, and where items are followed on an
unordered zone.
"""

from __future__ import annotations

from ...models import ir
from ...models.ir.parts import statements
from ...properties import formula as f
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter
from ..slicing.needs import Slicer
from ..slicing.slice import Slice
from ..slicing.specialise import Specialiser
from ..types.scope import Scope

_ITEM = f.Spotlight("item", "i")
_ASKED: tuple[f.Formula, ...] = (
    f.HasPriority(None),
    f.Holds(ir.Equal(ir.AttributeOf(ir.Local(_ITEM.name), ir.CONTROLLER), ir.Variable(ir.ACTIVE)), (_ITEM.name,)),
)


def interpreter_for(program: ir.Program, scope: Scope) -> Interpreter:
    """Return an interpreter that sees all that is measured."""
    slicer = Slicer(program, scope, choosers=True)
    kept = slicer.slice_for(_ASKED, (_ITEM,))
    ordered = all(zone.order != "unordered" for zone in program.zones_tagged("stack"))
    if not ordered or not _keeps_choices(program, scope, kept):
        return Interpreter(program, scope)
    return SlicedInterpreter(program, scope, slicer, kept)


def _keeps_choices(program: ir.Program, scope: Scope, kept: Slice) -> bool:
    """Whether all choices in the moves that are no player's are left in what *kept* leaves of their clauses."""
    specialiser = Specialiser(program, scope, kept, choosers=True)
    clauses = [clause for _, clause in program.clauses if clause.mode != "may" and specialiser.clause(clause).guard != ir.NO]
    return all(_choices(clause.body) == _choices(specialiser.clause(clause).body) for clause in clauses)


def _choices(body: ir.Block) -> int:
    """Return how many choices there are in *body* that may be a player's."""
    return sum(isinstance(one, ir.Choose | ir.Branch) and one.by != "cards" and _is_several(one) for one in statements(body))


def _is_several(choice: ir.Choose | ir.Branch) -> bool:
    return isinstance(choice, ir.Choose) or len(choice.options) > 1
