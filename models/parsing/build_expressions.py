"""Expressions, types and formulas: parse trees of the grammar to syntax nodes."""

from __future__ import annotations

from typing import Literal, cast

from lark import Token, Tree

from .. import syntax
from ..source import Span
from .tokens import token_span

QUANTIFIERS: dict[str, Literal["some", "no", "every"]] = {"some": "some", "no_such": "no", "every": "every"}
ParseTree = Tree[Token]
Child = ParseTree | Token | None

BINARY: dict[str, syntax.BinaryOperator] = {
    "implies": "implies", "leads_to": "leads to", "or_": "or", "and_": "and", "since": "since", "until": "until",
    "is_": "is", "is_not": "is not", "in_": "in", "not_in": "not in", "comes_first": "comes first from",
    "add": "+", "subtract": "-", "but": "but",
}  # fmt: skip
SAID_OF_SUBJECT: dict[str, syntax.PhraseKind] = {
    "has_priority": "has priority", "passes": "passes", "acts": "acts", "may_act": "may act", "may_pass": "may pass",
    "resolves": "resolves", "begins_resolving": "begins resolving", "is_removed": "is removed", "begins": "begins", "ends": "ends",
    "is_put_on": "is put on", "leaves": "leaves", "on_zone": "on", "uses": "uses",
}  # fmt: skip
SAID_ALONE: dict[str, syntax.PhraseKind] = {
    "clause_fires": "clause", "clause_possible": "clause is possible", "at_stage": "at", "game_is_over": "game is over",
    "gap": "no clause applies", "conflict": "clauses conflict",
}  # fmt: skip


def children(tree: ParseTree) -> list[Child]:
    """Return the children of *tree*; an optional part that is not there is None."""
    return cast("list[Child]", tree.children)


def text(child: Child) -> str:
    """Return the text of a token that must be there."""
    assert isinstance(child, Token)
    return str(child)


def branch(child: Child) -> ParseTree:
    """Return a child that must be a tree."""
    assert isinstance(child, Tree)
    return child


def span(tree: ParseTree) -> Span:
    """Return the place of *tree*: as much of it as stands on its first line."""
    meta = tree.meta
    if meta.empty:
        return syntax.NOWHERE
    if meta.end_line == meta.line:
        return Span(meta.line, meta.column, meta.end_column)
    tokens = tree.scan_values(lambda value: isinstance(value, Token) and value.line == meta.line)
    end = max((token_span(token).end for token in tokens), default=meta.column + 1)
    return Span(meta.line, meta.column, end)


def token_names(tree: ParseTree) -> tuple[str, ...]:
    """Return the texts of the tokens of a list such as ``[a, b]`` or ``cites A, B``."""
    return tuple(text(child) for child in children(tree))


def expression(child: Child) -> syntax.Expr:
    """Build the expression of *child*."""
    tree = branch(child)
    parts, at = children(tree), span(tree)
    match tree.data:
        case "global_" | "past":
            word = text(branch(parts[0]).children[0])
            return syntax.Unary(cast("syntax.UnaryOperator", word), expression(parts[1]), span=at)
        case "not_":
            return syntax.Unary("not", expression(parts[0]), span=at)
        case "compare":
            sign = cast("syntax.BinaryOperator", text(branch(parts[1]).children[0]))
            return syntax.Binary(sign, expression(parts[0]), expression(parts[2]), span=at)
        case name if name in BINARY:
            return syntax.Binary(BINARY[name], expression(parts[0]), expression(parts[1]), span=at)
        case name if name in SAID_OF_SUBJECT:
            named = text(parts[1]) if len(parts) > 1 else None
            return syntax.Phrase(SAID_OF_SUBJECT[name], expression(parts[0]), named, span=at)
        case name if name in SAID_ALONE:
            return syntax.Phrase(SAID_ALONE[name], None, text(parts[0]) if parts else None, span=at)
        case "some" | "no_such" | "every":
            return syntax.Quantified(QUANTIFIERS[tree.data], text(parts[0]), domain(parts[1]), expression(parts[2]), span=at)
        case "one_of":
            return syntax.OneOf(expression(parts[0]), tuple(text(name) for name in parts[1:]), span=at)
    return _primary(tree, parts, at)


def _primary(tree: ParseTree, parts: list[Child], at: Span) -> syntax.Expr:
    match tree.data:
        case "number":
            return syntax.Number(int(text(parts[0])), span=at)
        case "word":
            return syntax.Word(cast("syntax.WordText", text(parts[0])), span=at)
        case "name":
            return syntax.Name(text(parts[0]), span=at)
        case "call":
            return syntax.Call(text(parts[0]), arguments(parts[1]), span=at)
        case "player_number":
            return syntax.PlayerNumber(span=at)
        case "size":
            return syntax.Size(text(parts[0]), span=at)
        case "end_of_zone":
            return end_of(tree)
        case "of":
            return syntax.Of(text(parts[0]), expression(parts[1]), span=at)
        case "after":
            return syntax.Neighbour("after", expression(parts[0]), span=at)
        case "before":
            return syntax.Neighbour("before", expression(parts[0]), span=at)
        case other:
            raise AssertionError(f"the grammar has an expression that is not built: {other}")


def end_of(tree: ParseTree) -> syntax.EndOf:
    """Build ``top of ZONE``."""
    parts = children(tree)
    end = text(branch(parts[0]).children[0])
    return syntax.EndOf("top" if end == "top" else "front", text(parts[1]), span=span(tree))


def optional(child: Child) -> syntax.Expr | None:
    """Build an expression that may be left out."""
    return None if child is None else expression(child)


def arguments(child: Child) -> tuple[syntax.Expr, ...]:
    """Build the arguments in parentheses, if there are any."""
    return () if child is None else tuple(expression(part) for part in children(branch(child)))


def domain(child: Child) -> syntax.Domain:
    """Build what is chosen from."""
    tree = branch(child)
    parts = children(tree)
    if tree.data == "range_domain":
        return syntax.Range(expression(parts[0]), expression(parts[1]), span=span(tree))
    return expression(parts[0])


def type_of(child: Child) -> syntax.Type:
    """Build a type."""
    tree = branch(child)
    parts, at = children(tree), span(tree)
    match tree.data:
        case "flag_type":
            return syntax.FlagType(span=at)
        case "players_type":
            return syntax.PlayersType(span=at)
        case "player_type":
            return syntax.PlayerType(span=at)
        case "optional_player_type":
            return syntax.PlayerType(optional=True, span=at)
        case "enum_type":
            return syntax.EnumType(token_names(tree), span=at)
        case "number_type":
            return syntax.NumberType(expression(parts[0]), expression(parts[1]), span=at)
        case other:
            raise AssertionError(f"the grammar has a type that is not built: {other}")


def parameters(child: Child) -> tuple[syntax.Parameter, ...]:
    """Build the parameters in parentheses, if there are any."""
    if child is None:
        return ()
    pairs = [(branch(part), children(branch(part))) for part in children(branch(child))]
    return tuple(syntax.Parameter(text(parts[0]), type_of(parts[1]), span=span(tree)) for tree, parts in pairs)


def formula(child: Child) -> syntax.Formula:
    """Build a formula with its spotlights."""
    tree = branch(child)
    spotlights, body = children(tree)
    if spotlights is None:
        return syntax.Formula("every", (), expression(body), span=span(tree))
    quantifier, *named = children(branch(spotlights))
    watched = tuple(_spotlight(branch(spotlight)) for spotlight in named)
    word = text(branch(quantifier).children[0])
    return syntax.Formula("some" if word == "some" else "every", watched, expression(body), span=span(tree))


def _spotlight(tree: ParseTree) -> syntax.Spotlight:
    kind, name = children(tree)
    word = text(branch(kind).children[0])
    return syntax.Spotlight("item" if word == "item" else "player" if word == "player" else "clause", text(name), span=span(tree))
