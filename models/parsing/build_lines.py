"""Whole lines: parse trees of the grammar to the nodes of `lines` and `syntax`."""

from __future__ import annotations

from typing import Literal, cast

from .. import syntax
from ..diagnostics import Report
from ..source import Span
from .build_expressions import (
    Child,
    ParseTree,
    branch,
    children,
    expression,
    formula,
    optional,
    parameters,
    span,
    text,
    token_names,
    type_of,
)
from .build_statements import go, misplaced_head, statement, unquoted
from .lines import (
    AboutLine,
    AssumingLine,
    ClaimsHead,
    InnerNode,
    LanguageHeader,
    LineNode,
    PriorityLine,
    PropertyHead,
    ScopeHeader,
    SectionHead,
    SectionName,
    StartHeader,
    TextHeader,
    TopNode,
    WhyLine,
)
from .outline import LogicalLine, Place

_SECTIONS: dict[str, SectionName] = {
    "items_head": "items", "attributes_head": "attributes", "zones_head": "zones", "state_head": "state", "left_out_head": "left out",
}  # fmt: skip


def build_line(tree: ParseTree, line: LogicalLine, report: Report) -> LineNode | None:
    """Build the node of a line from its parse *tree*."""
    if line.place is Place.STATEMENTS:
        node = statement(tree)
        if misplaced_head(node):
            report.add("R008", node.span, "`maybe` on one line takes a statement that has no lines of its own.",
                       "put the lines below `maybe`, one level deeper")  # fmt: skip
            return None
        return node
    if line.place is Place.TOP:
        inside = branch(tree.children[0]) if tree.data == "top_line" else tree
        return _header(inside, children(inside), span(inside)) or _head(inside, children(inside), span(inside))
    return _inner(tree, children(tree), span(tree)) or _logic(tree, children(tree), span(tree))


def _header(tree: ParseTree, parts: list[Child], at: Span) -> TopNode | None:
    match tree.data:
        case "language_header":
            return LanguageHeader(int(text(parts[0])), span=at)
        case "game_header":
            return TextHeader("game", unquoted(parts[0]), span=at)
        case "source_header":
            return TextHeader("source", unquoted(parts[0]), span=at)
        case "exactly":
            return syntax.PlayersHeader(int(text(parts[0])), int(text(parts[0])), span=at)
        case "at_least":
            return syntax.PlayersHeader(int(text(parts[0])), None, span=at)
        case "between":
            return syntax.PlayersHeader(int(text(parts[0])), int(text(parts[1])), span=at)
        case "scope_header":
            entries = (children(branch(part)) for part in parts)
            return ScopeHeader(tuple((text(name), int(text(size))) for name, size in entries), span=at)
        case "start_header":
            return StartHeader(go(parts[0], at), span=at)
    return None


def _head(tree: ParseTree, parts: list[Child], at: Span) -> TopNode:
    if tree.data in _SECTIONS:
        return SectionHead(_SECTIONS[str(tree.data)], span=at)
    match tree.data:
        case "option_head":
            name, title, numbers, cited = parts
            return syntax.Option(text(name), unquoted(title), (), _numbers(numbers), _cites(cited), span=at)
        case "turn_head":
            return syntax.Sequence("turn", (), span=at)
        case "sequence_head":
            return syntax.Sequence(text(parts[0]), (), unquoted(parts[1]), span=at)
        case "term":
            return syntax.Term(text(parts[0]), parameters(parts[1]), expression(parts[2]), span=at)
        case "routine_head":
            return syntax.Routine(text(parts[0]), parameters(parts[1]), (), unquoted(parts[2]), span=at)
        case "stage_head":
            return syntax.Stage(text(parts[0]), parameters(parts[1]), (), None, unquoted(parts[2]), span=at)
        case "claims_head":
            return ClaimsHead(optional(parts[0]), span=at)
        case "property_head" | "lemma_head":
            return PropertyHead(text(parts[0]), unquoted(parts[1]), tree.data == "lemma_head", span=at)
        case other:
            raise AssertionError(f"the grammar has a line that is not built: {other}")


def _inner(tree: ParseTree, parts: list[Child], at: Span) -> InnerNode | None:
    match tree.data:
        case "option_line":
            return syntax.OptionValue(text(parts[0]), unquoted(parts[1]), _cites(parts[2]), span=at)
        case "item_line":
            return syntax.ItemKind(text(parts[0]), unquoted(parts[1]), _cites(parts[2]), span=at)
        case "attribute_line":
            return syntax.Attribute(text(parts[0]), type_of(parts[1]), optional(parts[2]), span=at)
        case "zone_line":
            order = cast("Literal['lifo', 'fifo', 'unordered']", str(branch(parts[1]).data))
            return syntax.Zone(text(parts[0]), order, unquoted(parts[2]), _cites(parts[3]), span=at)
        case "step_line":
            return syntax.Step(text(parts[0]), unquoted(parts[1]), _cites(parts[2]), span=at)
        case "state_line":
            name, type_, each, initial, title, tags = parts
            entry = (text(name), type_of(type_), each is not None, optional(initial), unquoted(title), _cites(tags))
            return syntax.StateVariable(*entry, span=at)
        case "left_out_line":
            *ids, reason = parts
            return syntax.LeftOut(tuple(text(part) for part in ids), unquoted(reason), span=at)
    return None


def _logic(tree: ParseTree, parts: list[Child], at: Span) -> InnerNode:
    match tree.data:
        case "priority_line":
            return PriorityLine(expression(parts[0]), span=at)
        case "clause_head":
            mode, id_, title, cited = parts
            word = cast("Literal['may', 'must', 'chance']", text(branch(mode).children[0]))
            return syntax.Clause(word, text(id_), unquoted(title), (), _cites(cited), span=at)
        case "claim":
            expect, name, title, cited, condition = parts
            said = cast("syntax.Expectation", text(branch(expect).children[0]))
            return syntax.Claim(said, text(name), unquoted(title), _cites(cited), None, optional(condition), span=at)
        case "why_line":
            return WhyLine(unquoted(parts[0]), span=at)
        case "about_line":
            return AboutLine(expression(parts[0]), span=at)
        case "assuming_line":
            return AssumingLine(cast("Literal['players', 'cards']", text(branch(parts[0]).children[0])), span=at)
        case "formula_line":
            return formula(parts[0])
        case other:
            raise AssertionError(f"the grammar has a line that is not built: {other}")


def _numbers(child: Child) -> tuple[int, int, int] | None:
    if child is None:
        return None
    low, high, default = (int(text(part)) for part in children(branch(child)))
    return low, high, default


def _cites(child: Child) -> tuple[str, ...]:
    return () if child is None else token_names(branch(child))
