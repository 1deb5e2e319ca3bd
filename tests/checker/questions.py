"""Questions about the small game of two passes, and what is said of them: used by the tests of this
folder.
"""

from __future__ import annotations

from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Verdict
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..tiny import two_passes

GAME = two_passes()
SCOPE = make_scope(GAME, 2, {"stack": 2})
ITEM, PLAYER, CLAUSE = (
    f.Spotlight("item", "i"),
    f.Spotlight("player", "p"),
    f.Spotlight("clause", "c"),
)
OTHER = f.Holds(
    ir.Not(ir.Equal(ir.Local("p"), ir.AttributeOf(ir.Local("i"), ir.CONTROLLER))), ("i",)
)
RESOLVES = f.ItemEvent("resolves", "i")
WINDOW = f.Once(f.And((f.HasPriority(ir.Local("p")), f.On("i", "stack"))))


def always(body: f.Formula, *spotlights: f.Spotlight, about: f.Formula | None = None) -> f.Property:
    return f.Property(
        "asked", "", "", "always", spotlights, body, about, "the formula", about_text="the subject"
    )


def possible(body: f.Formula, *spotlights: f.Spotlight) -> f.Property:
    return f.Property("asked", "", "", "possible", spotlights, body, None, "the formula")


def implies(first: f.Formula, second: f.Formula) -> f.Formula:
    return f.Or((f.Not(first), second))


RESPONSE_WINDOW = always(
    implies(f.And((RESOLVES, OTHER)), WINDOW), ITEM, PLAYER, about=f.And((RESOLVES, OTHER))
)


def verdict(
    question: f.Property,
    budget: Budget | None = None,
    program: ir.Program = GAME,
    prover: Prover | None = None,
) -> Verdict:
    scope = make_scope(program, 2, {zone.name: 2 for zone in program.zones})
    (only,) = check(program, [question], scope, budget, engine=Reference(), prover=prover)
    return only


def clauses(trace: Trace | None) -> list[str]:
    assert trace is not None
    return [step.move.clause for step in trace.steps]
