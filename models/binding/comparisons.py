"""Comparisons: ``is`` with values, kinds, steps, tags and emptiness; numbers; membership. Part of
`expressions`.
"""

from __future__ import annotations

from .. import ir, syntax
from ..words import did_you_mean
from .binder import Binder
from .names import FLAG, NUMBER, PLAYERS, SOMEBODY_OR_NOBODY, Typed, any_of, describe, negated

_LEAVES = (
    "an item that leaves without resolving `is removed`; a formula asks `i is removed`, or `i is "
    "countered by j`"
)
_EVENTS = {
    **dict.fromkeys(("countered", "destroyed", "cancelled", "canceled", "discarded"), _LEAVES),
    "resolved": "a formula asks `i resolves`",
    **dict.fromkeys(("cast", "played", "activated"), "a formula asks `i is put on stack`"),
}
"""What a designer may call what happens to an item, and how it is asked."""
_WORDS: tuple[syntax.WordText, ...] = ("yes", "no", "none", "nobody")
"""The words that may stand among what something is one of."""


def bind_comparison(binder: Binder, expr: syntax.Binary | syntax.OneOf) -> Typed | None:
    """Bind ``is``, ``is not``, ``is one of``, the orderings of numbers and membership in sets of
    players.
    """
    if isinstance(expr, syntax.OneOf):
        return _one_of(binder, expr)
    match expr.operator:
        case "is":
            return _is(binder, expr)
        case "is not":
            bound = _is(binder, expr)
            return None if bound is None else Typed(negated(bound.expression), FLAG)
        case "in" | "not in":
            return _in(binder, expr)
        case _:
            return _compare(binder, expr)


def _compare(binder: Binder, expr: syntax.Binary) -> Typed | None:
    left, right = binder.value(expr.left, NUMBER), binder.value(expr.right, NUMBER)
    if left is None or right is None:
        return None
    less = {
        "<": ir.Less(left, right),
        ">": ir.Less(right, left),
        "<=": ir.Less(right, left),
        ">=": ir.Less(left, right),
    }
    compared = less[expr.operator]
    return Typed(ir.Not(compared) if expr.operator in ("<=", ">=") else compared, FLAG)


def _in(binder: Binder, expr: syntax.Binary) -> Typed | None:
    right = expr.right
    if binder.is_zone(right):
        hint = f"a formula asks `i on {right.name}`, a rule `some i in {right.name}`"
        binder.report.add(
            "R102", right.span, f"`{right.name}` is a zone, and only players are `in` a set.", hint
        )
        return None
    player, players = binder.value(expr.left, SOMEBODY_OR_NOBODY), binder.value(expr.right, PLAYERS)
    if player is None or players is None:
        return None
    contains = ir.Contains(players, player)
    return Typed(ir.Not(contains) if expr.operator == "not in" else contains, FLAG)


def _is(binder: Binder, expr: syntax.Binary) -> Typed | None:
    right = expr.right
    if isinstance(right, syntax.Word) and right.word == "empty":
        return _is_empty(binder, expr)
    if (
        isinstance(right, syntax.Name)
        and binder.is_zone(expr.left)
        and expr.left.name not in binder.names.variables
    ):
        zone = expr.left.name
        hint = (
            did_you_mean(right.name, ["empty"])
            or f"`{zone} is empty`, `size of {zone}` or `some t in {zone}`"
        )
        binder.report.add("R102", right.span, "A zone is `empty` or not, and nothing else.", hint)
        return None
    left = binder.typed(expr.left)
    if left is None:
        return None
    if isinstance(right, syntax.Name) and right.name not in binder.locals:
        meant = _tag(binder, left, right.name)
        if meant is not None:
            return Typed(meant, FLAG)
        if isinstance(left.type, ir.ItemType):
            kinds = [
                *binder.names.kinds,
                *(tag for kind in binder.names.kinds.values() for tag in kind.tags),
            ]
            hint = (
                _of_item(binder, expr, right.name)
                or binder.report.near(right.name, kinds)
                or _EVENTS.get(right.name, "")
            )
            span = expr.span if hint.startswith("write ") else right.span
            binder.report.add(
                "R104", span, f"There is no kind of item called `{right.name}`.", hint
            )
            return None
    if isinstance(left.type, ir.ItemType):
        _no_kind(binder, expr)
        return None
    wanted = SOMEBODY_OR_NOBODY if isinstance(left.type, ir.PlayerType) else left.type
    value = binder.value(right, wanted)
    return None if value is None else Typed(ir.Equal(left.expression, value), FLAG)


def _of_item(binder: Binder, expr: syntax.Binary, name: str) -> str:
    """Return how to ask of the item of *expr* what *name* is: an attribute, a value of one, or a
    player; empty if it is none of these.
    """
    item, equal = expr.left, expr.operator
    of = (
        f"of {item.end} of {item.zone}"
        if isinstance(item, syntax.EndOf)
        else f"of {item.name}"
        if isinstance(item, syntax.Name)
        else ""
    )
    if not of:
        return ""
    attributes, variable = binder.names.attributes, binder.names.variables.get(name)
    if name in attributes:
        if not isinstance(attributes[name].type, ir.FlagType):
            return f"`{name}` is an attribute, and is asked like this: `{name} {of} is VALUE`"
        return f"write `{'not ' if equal == 'is not' else ''}{name} {of}`, for it is an attribute"
    for attribute in attributes.values():
        if isinstance(attribute.type, ir.EnumType) and name in attribute.type.values:
            return (
                f"write `{attribute.name} {of} {equal} {name}`, for it is a value of an attribute"
            )
    if (
        variable is not None
        and isinstance(variable.type, ir.PlayerType)
        and not variable.each_player
    ):
        return f"write `controller {of} {equal} {name}`, for it is a player"
    return ""


def _no_kind(binder: Binder, expr: syntax.Binary) -> None:
    """Report that an item is compared with what is no kind of items."""
    right = binder.typed(expr.right)
    if right is None:
        return
    hint = "two items cannot be compared" if isinstance(right.type, ir.ItemType) else ""
    if isinstance(right.type, ir.PlayerType):
        hint = "a player is its controller: `controller of i is p`"
    binder.wrong_type(expr.right, "a kind of item, or a tag of kinds", describe(right.type), hint)


def _is_empty(binder: Binder, expr: syntax.Binary) -> Typed | None:
    if binder.is_zone(expr.left):
        return Typed(ir.IsEmpty(expr.left.name), FLAG)
    left = binder.typed(expr.left)
    if left is None:
        return None
    if not isinstance(left.type, ir.PlayersType):
        binder.wrong_type(
            expr.left, "a zone or a set of players", describe(left.type), "only these can be empty"
        )
        return None
    return Typed(ir.Equal(left.expression, ir.NoPlayers()), FLAG)


def _tag(binder: Binder, left: Typed, name: str) -> ir.Expr | None:
    """Return what ``left is name`` means where *name* is a kind, a step or a tag of them, else
    None.
    """
    names, asked = binder.names, left.expression
    if isinstance(left.type, ir.ItemType) and isinstance(asked, ir.Local | ir.EndOf):
        asked = ir.AttributeOf(asked, ir.KIND)
    sequence = names.sequence_of(asked.name) if isinstance(asked, ir.Variable) else None
    if isinstance(asked, ir.AttributeOf) and asked.name == ir.KIND:
        meant = names.tagged_kinds(name)
    elif sequence is not None:
        meant = names.tagged_steps(sequence, name)
    else:
        return None
    return ir.OneOf(asked, meant) if meant or name in names.roles else None


def _one_of(binder: Binder, expr: syntax.OneOf) -> Typed | None:
    parts = []
    for name in expr.names:
        word = next((word for word in _WORDS if word == name), None)
        value = (
            syntax.Name(name, span=expr.span) if word is None else syntax.Word(word, span=expr.span)
        )
        part = _is(binder, syntax.Binary("is", expr.operand, value, span=expr.span))
        if part is None:
            return None
        parts.append(part.expression)
    return Typed(any_of(parts), FLAG)
