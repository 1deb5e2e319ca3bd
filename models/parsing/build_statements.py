"""Statements: parse trees of the grammar to syntax nodes; the blocks they open are still empty."""

from __future__ import annotations

from typing import Literal, cast

from .. import syntax
from ..source import Span
from .build_expressions import Child, ParseTree, arguments, branch, children, domain, end_of, expression, optional, span, text
from .lines import Else, ElseIf, OrLine, StatementNode

_STEP_EFFECTS: dict[str, Literal["advance", "begin", "end", "skip to"]] = {
    "advance": "advance", "begin": "begin", "end": "end", "skip": "skip to",
}  # fmt: skip
_ITEM_EFFECTS: dict[str, Literal["move", "remove", "resolve", "begin resolving"]] = {
    "move": "move", "remove": "remove", "resolve": "resolve", "begin_resolving": "begin resolving",
}  # fmt: skip
_BLOCK_HEADS = (syntax.If, Else, ElseIf, syntax.Either, OrLine)


def unquoted(child: Child) -> str:
    """Return a text without its quotes; empty if it was left out."""
    return "" if child is None else text(child)[1:-1]


def statement(tree: ParseTree) -> StatementNode:
    """Build the statement of *tree*."""
    parts, at = children(tree), span(tree)
    kind = str(tree.data)
    if kind in _STEP_EFFECTS:
        named = text(parts[0]) if parts and parts[0] is not None else None
        return syntax.StepEffect(_STEP_EFFECTS[kind], named, span=at)
    if kind in _ITEM_EFFECTS:
        return syntax.ItemEffect(_ITEM_EFFECTS[kind], _item(parts[0]), text(parts[1]) if kind == "move" else None, span=at)
    return _effect(tree, parts, at) or _control(tree, parts, at)


def _effect(tree: ParseTree, parts: list[Child], at: Span) -> syntax.Statement | None:
    match tree.data:
        case "when":
            return syntax.When(expression(parts[0]), span=at)
        case "by_player":
            return syntax.By(expression(parts[0]), span=at)
        case "by_any":
            return syntax.By(None, text(parts[0]), optional(parts[1]), span=at)
        case "require":
            return syntax.Require(expression(parts[0]), span=at)
        case "put":
            kind, by, settings, zone = parts
            return syntax.Put(text(kind), text(zone), optional(by), _settings(settings), span=at)
        case "pass":
            return syntax.Pass(span=at)
        case "assign":
            return _assign(parts, at)
        case "let":
            return syntax.Let(text(parts[0]), expression(parts[1]), span=at)
        case "choose":
            variable, source, condition, by = parts
            return syntax.Choose(text(variable), domain(source), optional(condition), optional(by), span=at)
    return None


def _control(tree: ParseTree, parts: list[Child], at: Span) -> StatementNode:
    match tree.data:
        case "if_head":
            return syntax.If(expression(parts[0]), (), span=at)
        case "else_if_head":
            return ElseIf(expression(parts[0]), span=at)
        case "else_head":
            return Else(span=at)
        case "maybe_head":
            return syntax.Maybe((), unquoted(parts[0]), span=at)
        case "maybe_line":
            return syntax.Maybe((cast("syntax.Statement", statement(branch(parts[0]))),), span=at)
        case "either_head":
            return syntax.Either(((unquoted(parts[0]), ()),), optional(parts[1]), span=at)
        case "or_head":
            return OrLine(unquoted(parts[0]), span=at)
        case "do":
            return syntax.Do(text(parts[0]), arguments(parts[1]), span=at)
        case "go":
            return go(parts[0], at)
        case "game_over":
            return syntax.GameOver(span=at)
        case other:
            raise AssertionError(f"the grammar has a statement that is not built: {other}")


def go(child: Child, at: Span) -> syntax.Go:
    """Build the stage that is next from a ``go_target``."""
    stage, given = children(branch(child))
    return syntax.Go(text(stage), arguments(given), span=at)


def misplaced_head(node: StatementNode) -> bool:
    """Tell whether ``maybe`` is followed by a statement that has a block of its own."""
    inside = node.body[0] if isinstance(node, syntax.Maybe) and node.body else None
    if isinstance(inside, syntax.Maybe):
        return not inside.body or misplaced_head(inside)
    return isinstance(inside, _BLOCK_HEADS)


def _item(child: Child) -> syntax.Name | syntax.EndOf:
    tree = branch(child)
    if tree.data == "end_item":
        return end_of(tree)
    return syntax.Name(text(tree.children[0]), span=span(tree))


def _settings(child: Child) -> tuple[tuple[str, syntax.Expr], ...]:
    if child is None:
        return ()
    pairs = (children(branch(setting)) for setting in children(branch(child)))
    return tuple((text(name), expression(value)) for name, value in pairs)


def _assign(parts: list[Child], at: Span) -> syntax.Assign:
    place, sign, value = parts
    name, player = children(branch(place))
    operator = cast("Literal[':=', '+=', '-=']", text(branch(sign).children[0]))
    return syntax.Assign(operator, text(name), optional(player), expression(value), span=at)
