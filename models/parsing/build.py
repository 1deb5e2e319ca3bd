"""Building the node of a line from its parse tree: for each rule of the grammar, what is built of
its parts.

A rule that `_RULES` does not have is called as its node, and its parts are the fields of that. The
parts come in the order of the rule: names and words as texts, texts without their quotes,
numbers, lists as tuples, nodes. What is left out is None, and then the field keeps its default.
Blocks are still empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from lark import Token, Tree

from .. import syntax
from ..diagnostics import Report
from ..source import Span
from . import blocks as written
from .outline import LogicalLine, Place
from .scan import token_span

_Rule: TypeAlias = Callable[[list[Any], Span], Any]
_BLOCK_HEADS = (syntax.If, written.Else, written.ElseIf, syntax.Either, written.OrLine)


def build_line(tree: Tree[Token], line: LogicalLine, report: Report) -> written.LineNode | None:
    """Build the node of *line* from its parse *tree*; None after saying in *report* what is wrong
    with it.
    """
    node: written.LineNode = _built(tree)
    if line.place is Place.STATEMENTS and _is_misplaced(node):
        said = "`maybe` on one line takes a statement that has no lines of its own."
        report.add("R008", node.span, said, "put the lines below `maybe`, one level deeper")
        return None
    return node


def _is_misplaced(node: object) -> bool:
    """Tell whether *node* is a ``maybe`` followed by a statement that has a block of its own."""
    inside = node.body[0] if isinstance(node, syntax.Maybe) and node.body else None
    if isinstance(inside, syntax.Maybe):
        return not inside.body or _is_misplaced(inside)
    return isinstance(inside, _BLOCK_HEADS)


def _built(part: Tree[Token] | Token | None) -> Any:
    """Return what *part* stands for; a node with operands says whether it stands in parentheses."""
    if isinstance(part, Tree) and part.data == "enclosed":
        while isinstance(part, Tree) and part.data == "enclosed":
            part = part.children[0]
        inside = _built(part)
        return (
            replace(inside, enclosed=True)
            if isinstance(inside, syntax.Quantified | syntax.Binary | syntax.Unary)
            else inside
        )
    if isinstance(part, Tree):
        return builder_of(part.data)([_built(child) for child in part.children], _span(part))
    if part is None:
        return None
    return (
        part[1:-1] if part.type == "STRING" else int(part) if part.type == "NUMBER" else str(part)
    )


def _span(tree: Tree[Token]) -> Span:
    """Return the place of *tree*: as much of it as stands on its first line."""
    meta = tree.meta
    if meta.empty:
        return syntax.NOWHERE
    if meta.end_line == meta.line:
        return Span(meta.line, meta.column, meta.end_column)
    tokens = tree.scan_values(lambda value: isinstance(value, Token) and value.line == meta.line)
    end = max((token_span(token).end for token in tokens), default=meta.column + 1)
    return Span(meta.line, meta.column, end)


# ------------------------------------------------------------------ kinds of rules


@cache
def builder_of(name: str) -> _Rule:
    """Return what is built by the rule *name*, which `_RULES` has or a node is called as."""
    if name in _RULES:
        return _RULES[name]
    kind = {**vars(written), **vars(syntax)}.get(name.title().replace("_", ""))
    assert isinstance(kind, type), f"no node is called as the rule `{name}`"
    return _node(kind)


def _node(of: type[syntax.Node], fields: str = "", /, **others: Any) -> _Rule:
    """Build a node *of* a kind whose *fields*, or else its first ones, are the parts; *others* are
    what the rule says by itself, or means where one is left out.
    """
    names = fields.split() or of.__match_args__

    def build(parts: list[Any], at: Span) -> syntax.Node:
        said = {names[place]: part for place, part in enumerate(parts) if part is not None}
        return of(**{**others, **said}, span=at)

    return build


def _each(of: type[syntax.Node], word: str, fields: str, rules: str) -> dict[str, _Rule]:
    """Build nodes *of* a kind by *rules* that are called as what is said in the field *word*."""
    return {rule: _node(of, fields, **{word: rule.replace("_", " ")}) for rule in rules.split()}


def _list(parts: list[Any], _at: Span) -> tuple[Any, ...]:
    return tuple(parts)


def _always(value: object) -> _Rule:
    return lambda _parts, _at: value


# ------------------------------------------------------------------ the rules

_LISTS = (
    "arguments parameters spotlights names values ids settings setting sizes scope_entry "
    "number_option cites also tags"
)
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_LISTS.split(), _list),
    **_each(
        syntax.Binary, "operator", "left right",
        "implies leads_to or and since until is is_not in not_in comes_first_from but",
    ),
    "add": _node(syntax.Binary, "left right", operator="+"),
    "subtract": _node(syntax.Binary, "left right", operator="-"),
    "compare": _node(syntax.Binary, "left operator right"),
    **_each(
        syntax.Phrase, "kind", "subject name",
        "has_priority passes acts may_act may_pass chooses acts_only_finitely_often resolves "
        "begins_resolving is_removed begins ends is_put_on leaves on uses",
    ),
    **_each(
        syntax.Phrase, "kind", "name",
        "clause clause_is_possible at game_is_over no_clause_applies clauses_conflict",
    ),
    **_each(
        syntax.Idiom, "kind", "subject other",
        "is_first_to_have_priority_after has_had_a_window_for is_answered_by is_countered_by",
    ),
    **_each(syntax.Unary, "operator", "operand", "not again_and_again finitely_often"),
    "not_one_of": lambda parts, at: syntax.Unary("not", syntax.OneOf(*parts, span=at), span=at),
    **{
        word + suffix: _node(
            syntax.Quantified, "variable domain body",
            quantifier=word, body=syntax.ANYTHING, wide=bool(suffix),
        )
        for word in ("some", "no", "every")
        for suffix in ("", "_wide")
    },
    "enforce": _node(syntax.Enforce, quantifier="every", spotlights=()),
    "formula": _node(syntax.Formula, quantifier="every", spotlights=()),
    "after": _node(syntax.Neighbour, "player", side="after"),
    "before": _node(syntax.Neighbour, "player", side="before"),
    "optional_player_type": _node(syntax.PlayerType, optional=True),
    "by_player": _node(syntax.By),
    "by_any": _node(syntax.By, "variable condition"),
    "put": _node(syntax.Put, "kind by settings zone"),
    **_each(syntax.ItemEffect, "effect", "item zone", "move remove resolve begin_resolving"),
    "move_every": _node(syntax.EveryItem, "variable zone to condition", effect="move"),
    "remove_every": _node(syntax.EveryItem, "variable zone condition", effect="remove"),
    "resolve_every": _node(syntax.EveryItem, "variable zone condition", effect="resolve"),
    **_each(syntax.StepEffect, "effect", "name", "advance begin end skip_to"),
    "assign": _node(syntax.Assign, "name player operator value", player=None),
    "assign_every": _node(syntax.AssignEvery, "name variable players operator value condition"),
    "if_head": _node(syntax.If, then=()),
    "maybe_head": _node(syntax.Maybe, "title", body=()),
    "maybe_line": lambda parts, at: syntax.Maybe(tuple(parts), span=at),
    "either_head": lambda parts, at: syntax.Either(((parts[0] or "", ()),), parts[1], span=at),
    "game_header": _node(written.TextHeader, "text", kind="game"),
    "source_header": _node(written.TextHeader, "text", kind="source"),
    "exactly": lambda parts, at: syntax.PlayersHeader(parts[0], parts[0], span=at),
    "at_least": _node(syntax.PlayersHeader, most=None),
    "start_header": lambda parts, at: written.StartHeader(builder_of("go")(parts, at), span=at),
    "option_head": _node(syntax.Option, "name title numbers cites"),
    **_each(written.SectionHead, "section", "", "items attributes zones state left_out"),
    "turn_head": _node(syntax.Sequence, name="turn", steps=()),
    "sequence_head": _node(syntax.Sequence, "name title", steps=()),
    "term": _node(syntax.Term, parameters=()),
    "routine_head": _node(syntax.Routine, "name parameters title", parameters=(), body=()),
    "stage_head": _node(syntax.Stage, "name parameters title", parameters=(), clauses=()),
    "lemma_head": _node(written.PropertyHead, is_lemma=True),
    "item_line": _node(syntax.ItemKind, "name title also tags"),
    **{order: _always(order) for order in ("lifo", "fifo", "unordered")},
    "step_line": _node(syntax.Step, "name title also tags condition"),
    "each_player": _always(True),
    "every_size": _always(True),
    "left_out_line": _node(syntax.LeftOut),
    "clause_head": _node(syntax.Clause, "mode id title also cites", title="", body=()),
    "claim": _node(syntax.Claim, "expect name title every_size cites condition"),
}  # fmt: skip
