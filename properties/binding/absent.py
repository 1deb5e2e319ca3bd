"""What is absent: a question whether something is possible of which a game has no notion asks
nothing.

A game without turns has no last step of a turn, one without items nothing that could be answered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ...models import ir, syntax
from ...models.printing.show_expressions import show_expression
from .connectives import parts_of

_NO = syntax.Word("no")


class InWordsOf(Protocol):
    """How a formula is said in the words of a Program."""

    def __call__(
        self, program: ir.Program, formula: syntax.Formula, *, to_read: bool = False
    ) -> syntax.Formula:
        """Return *formula* in the words of *program*; what that does not have stays as it is if it
        is *to_read*.
        """
        ...


def what_is_absent(program: ir.Program, formula: syntax.Formula, translate: InWordsOf) -> str:
    """Return what *formula* speaks of and *program* does not have, if that alone makes it
    impossible.

    It is empty if there is no such thing.
    """
    if not program.kinds and any(spotlight.kind == "item" for spotlight in formula.spotlights):
        return "items"
    return _absent(formula.body, program, formula, translate)


def _absent(
    expr: syntax.Expr, program: ir.Program, formula: syntax.Formula, translate: InWordsOf
) -> str:
    def within(part: syntax.Expr) -> str:
        return _absent(part, program, formula, translate)

    match expr:
        case syntax.Phrase(subject=syntax.Word("something")) if not program.kinds:
            return "items"
        case syntax.Enforce(goal=goal):
            return within(goal)
        case syntax.Unary("possible" | "eventually" | "once" | "previously" | "historically"):
            return within(expr.operand)
        case syntax.Binary("and"):
            return next(filter(None, map(within, parts_of(expr))), "")
        case syntax.Binary("or"):
            absent = [within(part) for part in parts_of(expr)]
            return absent[0] if all(absent) else ""
        case syntax.Binary("since"):
            return within(expr.right)
        case syntax.Unary() | syntax.Binary("implies" | "until" | "leads to") | syntax.Word():
            return ""
        case _:
            said = translate(program, replace(formula, body=expr, about=None, given=())).body
            return f"`{show_expression(expr)}`" if said == _NO else ""
