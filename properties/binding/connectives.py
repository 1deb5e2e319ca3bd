"""Connectives: surface syntax -> formulas over moments. Logic and the past here, phrases in
`phrases`.

What only speaks of the position is bound as in rules (`ExpressionBinder`); this pass takes the
logic apart down to such expressions, so that each says one thing about one moment. A mistake is
reported once; a formula that has one comes back as None, and its caller stays silent.

Idioms: what designers often ask about priority and responses, each with the long form that it
stands for.

They are only words: `_in_long_form` says them with the operators that there are, and
`docs/language.md` shows the same long forms.
"""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from ...models import ir, syntax
from ...models.binding.definite import check_clause
from ...models.binding.typed import all_of
from ...models.source import Span
from .. import formula as f
from .context import FormulaContext
from .phrases import type_phrase

FUTURE = ("until", "leads to")


class FormulaTyper(FormulaContext):
    """Types the formulas of one property."""

    def formula(self, expr: syntax.Expr) -> f.Formula | None:
        """Type *expr*, which may speak of moves and of the past."""
        match expr:
            case syntax.Binary("and" | "or"):
                parts = [self.formula(part) for part in parts_of(expr)]
                typed = tuple(part for part in parts if part is not None)
                if len(typed) < len(parts):
                    return None
                return f.And(typed) if expr.operator == "and" else f.Or(typed)
            case syntax.Binary("implies" | "since" | "until" | "leads to"):
                return self._binary(expr)
            case syntax.Binary("is" | "is not", syntax.Name(item), syntax.EndOf() as end) if (
                self.is_item(item)
            ):
                return self._is_next(expr, item, end)
            case syntax.Binary("is" | "is not", syntax.EndOf() as end, syntax.Name(item)) if (
                self.is_item(item)
            ):
                return self._is_next(expr, item, end)
            case syntax.Unary():
                return self._unary(expr)
            case syntax.Phrase():
                return type_phrase(self, expr)
            case syntax.Idiom():
                return self.formula(_in_long_form(expr, self.program))
            case syntax.Enforce():
                hint = "it is said of a whole formula: `for some player p: p can enforce GOAL`"
                self.report.add(
                    "P202", expr.span, "`can enforce` cannot stand inside a formula.", hint
                )
                return None
            case syntax.Word("someone" | "something"):
                hint = "`someone has priority`, `someone passes`, `something resolves`"
                self.report.add(
                    "P105",
                    expr.span,
                    f"`{expr.word}` stands only before words that say what it does.",
                    hint,
                )
                return None
            case _:
                return self._state(expr)

    # -------------------------------------------------------------- the cases

    def _unary(self, expr: syntax.Unary) -> f.Formula | None:
        operand = self.formula(expr.operand)
        match expr.operator:
            case "always" | "never" | "possible":
                hint = f"`{expr.operator}` begins a formula of its own, claimed with `holds`; `once` and `previously` look back within one"
                self.report.add(
                    "P202", expr.span, f"`{expr.operator}` cannot stand inside a formula.", hint
                )
                return None
            case "eventually" | "again and again" | "finitely often":
                self._future(expr)
                return None
            case _ if operand is None:
                return None
            case "not":
                return negated(operand)
            case "once":
                return f.Once(operand)
            case "previously":
                return f.Previously(operand)
            case "historically":
                return f.Not(f.Once(negated(operand)))

    def _binary(self, expr: syntax.Binary) -> f.Formula | None:
        left, right = self.formula(expr.left), self.formula(expr.right)
        if expr.operator in FUTURE:
            self._future(expr)
            return None
        if left is None or right is None:
            return None
        return f.Since(left, right) if expr.operator == "since" else f.Or((negated(left), right))

    def _future(self, expr: syntax.Unary | syntax.Binary) -> None:
        """Report a word about the future where only a moment and those before it count."""
        hint = "say it in a formula that begins with no `possible`, or look back: `once`, `since` and `previously`"
        self.report.add(
            "P202",
            expr.span,
            f"`{expr.operator}` speaks of the future, and cannot stand here.",
            hint,
        )

    def _is_next(self, expr: syntax.Binary, item: str, end: syntax.EndOf) -> f.Formula | None:
        if expr.operator == "is not":
            hint = f"write `not {item} is {end.end} of {end.zone}`, which is true of an item that is not yet there"
            self.report.add(
                "P106",
                expr.span,
                "Of an item that is not yet there, should this be true or false?",
                hint,
            )
            return None
        return None if self.binder.bind_item(end) is None else f.IsNext(item, end.zone)

    def _state(self, expr: syntax.Expr) -> f.Formula | None:
        """Type an expression about the position. What is said of the end of an empty zone is
        false.
        """
        if not self.state_only(expr):
            return None
        bound = self.binder.flag(expr)
        if bound is None:
            return None
        if isinstance(expr, syntax.Binary | syntax.OneOf):
            bound = all_of([*ends_are_there(bound), bound])
        self._check_definite(bound, expr.span)
        return f.Holds(bound, self.spotlit_items(bound))

    def _check_definite(self, bound: ir.Expr, span: Span) -> None:
        asking = ir.Clause("", "", "must", (), ir.Owner(), bound, (ir.GameOver(),), span)
        check_clause(asking, self.binder.places, self.report)


def negated(formula: f.Formula) -> f.Formula:
    """Return the negation of *formula*, without a double one."""
    return formula.operand if isinstance(formula, f.Not) else f.Not(formula)


def unanswered(trigger: f.Formula | None, aim: f.Formula | None) -> f.Formula | None:
    """Return what must not go on for ever if *trigger* leads to *aim*; None if either has a
    mistake.
    """
    return (
        None
        if trigger is None or aim is None
        else f.Since(negated(aim), f.And((trigger, negated(aim))))
    )


def ends_are_there(bound: ir.Expr) -> list[ir.Expr]:
    """Return the conditions under which the ends of zones that *bound* asks for are there."""
    zones = dict.fromkeys(node.zone for node in ir.walk(bound) if isinstance(node, ir.EndOf))
    return [ir.Not(ir.IsEmpty(zone)) for zone in zones]


def parts_of(expr: syntax.Expr) -> list[syntax.Expr]:
    """Return the parts that a chain of one operator joins, from the left; not by recursion, for
    chains are long.
    """
    if not isinstance(expr, syntax.Binary):
        return [expr]
    parts: list[syntax.Expr] = []
    left: syntax.Expr = expr
    while isinstance(left, syntax.Binary) and left.operator == expr.operator:
        parts.append(left.right)
        left = left.left
    return [left, *reversed(parts)]


def conjuncts_of(expr: syntax.Expr) -> list[syntax.Expr]:
    """Return the parts that ``and`` joins in *expr*, however they are grouped, in the order of the
    text.
    """
    if not isinstance(expr, syntax.Binary) or expr.operator != "and":
        return [expr]
    return [conjunct for part in parts_of(expr) for conjunct in conjuncts_of(part)]


def _in_long_form(idiom: syntax.Idiom, program: ir.Program) -> syntax.Expr:
    """Return what *idiom* stands for in *program*, whose zones tagged ``stack`` (or called so) are
    the stack that it speaks of.
    """
    subject, other, span = idiom.subject, idiom.other, idiom.span

    def phrase(who: syntax.Expr, kind: syntax.PhraseKind, name: str | None = None) -> syntax.Expr:
        return syntax.Phrase(kind, who, name, span=span)

    def joined(operator: syntax.BinaryOperator, *parts: syntax.Expr) -> syntax.Expr:
        return reduce(lambda left, right: syntax.Binary(operator, left, right, span=span), parts)

    def past(operator: syntax.UnaryOperator, operand: syntax.Expr) -> syntax.Expr:
        return syntax.Unary(operator, operand, span=span)

    def on_stack(item: syntax.Expr, kind: syntax.PhraseKind) -> syntax.Expr:
        said = [phrase(item, kind, zone.name) for zone in program.zones_tagged("stack")]
        return joined("or", *said) if said else syntax.Word("no", span=span)

    match idiom.kind:
        case "is first to have priority after":
            nobody = phrase(syntax.Word("nobody", span=span), "has priority")
            waiting = past("previously", joined("since", nobody, joined("and", other, nobody)))
            return joined("and", phrase(subject, "has priority"), joined("or", other, waiting))
        case "has had a window for":
            return past(
                "once", joined("and", phrase(subject, "has priority"), on_stack(other, "on"))
            )
        case "is answered by":
            return past(
                "once",
                joined(
                    "and", on_stack(other, "is put on"), past("previously", on_stack(subject, "on"))
                ),
            )
        case "is countered by":
            begun = joined(
                "since", past("not", phrase(other, "resolves")), phrase(other, "begins resolving")
            )
            return joined(
                "and", phrase(subject, "is removed"), joined("or", phrase(other, "resolves"), begun)
            )
        case _:
            assert_never(idiom.kind)
