"""Building the node of a line from its parse tree: for each rule of the grammar, what is built of
its parts.

The parts come in the order of the rule: names and words as texts, texts without their quotes,
numbers, lists as tuples, nodes. What is left out is None, and then the field keeps its default.
Blocks are still empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
        return _RULES[part.data]([_built(child) for child in part.children], _span(part))
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


def _node(of: type[syntax.Node], fields: str = "", /, **others: Any) -> _Rule:
    """Build a node *of* a kind whose *fields* are the parts; *others* are what the rule says by
    itself, or means where one is left out.
    """
    names = fields.split()

    def build(parts: list[Any], at: Span) -> syntax.Node:
        said = {name: part for name, part in zip(names, parts, strict=False) if part is not None}
        return of(**{**others, **said}, span=at)

    return build


def _all(of: Callable[..., syntax.Node]) -> _Rule:
    """Build a node *of* a kind with one field, which is all parts together."""
    return lambda parts, at: of(tuple(parts), span=at)


def _list(parts: list[Any], _at: Span) -> tuple[Any, ...]:
    return tuple(parts)


def _only(parts: list[Any], _at: Span) -> Any:
    return parts[0]


def _always(value: object) -> _Rule:
    return lambda _parts, _at: value


def _formula(parts: list[Any], at: Span) -> syntax.Formula:
    spotlights, body = parts
    return (
        syntax.Formula("every", (), body, span=at)
        if spotlights is None
        else syntax.Formula(spotlights[0], spotlights[1], body, span=at)
    )


def _one_of(parts: list[Any], at: Span) -> syntax.OneOf:
    operand, *names = parts
    return syntax.OneOf(operand, tuple(names), span=at)


def _enforce(parts: list[Any], at: Span) -> syntax.Enforce:
    coalition, spotlights, goal = parts
    if spotlights is None:
        return syntax.Enforce(coalition, "every", (), goal, span=at)
    return syntax.Enforce(coalition, spotlights[0], spotlights[1], goal, span=at)


# ------------------------------------------------------------------ the rules

_EXPRESSIONS: dict[str, _Rule] = {
    **{
        rule: _node(syntax.Binary, "left right", operator=operator)
        for rule, operator in (
            ("implies", "implies"), ("leads_to", "leads to"), ("or_", "or"), ("and_", "and"), ("since", "since"), ("until", "until"),
            ("is_", "is"), ("is_not", "is not"), ("in_", "in"), ("not_in", "not in"), ("comes_first", "comes first from"),
            ("add", "+"), ("subtract", "-"), ("but", "but"),
        )
    },
    **{
        rule: _node(syntax.Phrase, "subject name", kind=kind)
        for rule, kind in (
            ("has_priority", "has priority"), ("passes", "passes"), ("acts", "acts"), ("may_act", "may act"), ("may_pass", "may pass"),
            ("chooses", "chooses"),
            ("acts_finitely", "acts only finitely often"),
            ("resolves", "resolves"), ("begins_resolving", "begins resolving"), ("is_removed", "is removed"), ("begins", "begins"),
            ("ends", "ends"), ("is_put_on", "is put on"), ("leaves", "leaves"), ("on_zone", "on"), ("uses", "uses"),
        )
    },
    **{
        rule: _node(syntax.Phrase, "name", kind=kind)
        for rule, kind in (
            ("clause_fires", "clause"), ("clause_possible", "clause is possible"), ("at_stage", "at"), ("game_is_over", "game is over"),
            ("gap", "no clause applies"), ("conflict", "clauses conflict"),
        )
    },
    **{
        rule: _node(syntax.Idiom, "subject other", kind=kind)
        for rule, kind in (
            ("first_to_have", "is first to have priority after"), ("has_had_window", "has had a window for"),
            ("is_answered", "is answered by"), ("is_countered", "is countered by"),
        )
    },
    "compare": _node(syntax.Binary, "left operator right"),
    "not_": _node(syntax.Unary, "operand", operator="not"),
    "global_": _node(syntax.Unary, "operator operand"),
    "enforce": _enforce,
    "again": _node(syntax.Unary, "operand", operator="again and again"),
    "finitely": _node(syntax.Unary, "operand", operator="finitely often"),
    "past": _node(syntax.Unary, "operator operand"),
    "some": _node(syntax.Quantified, "variable domain body", quantifier="some", body=syntax.ANYTHING),
    "no_such": _node(syntax.Quantified, "variable domain body", quantifier="no", body=syntax.ANYTHING),
    "every": _node(syntax.Quantified, "variable domain body", quantifier="every"),
    "some_wide": _node(syntax.Quantified, "variable domain body", quantifier="some", wide=True),
    "no_such_wide": _node(syntax.Quantified, "variable domain body", quantifier="no", wide=True),
    "every_wide": _node(syntax.Quantified, "variable domain body", quantifier="every", wide=True),
    "one_of": _one_of,
    "not_one_of": lambda parts, at: syntax.Unary("not", _one_of(parts, at), span=at),
    "number": _node(syntax.Number, "value"),
    "word": _node(syntax.Word, "word"),
    "name": _node(syntax.Name, "name"),
    "call": _node(syntax.Call, "name arguments"),
    "player_number": _node(syntax.PlayerNumber),
    "count": _node(syntax.Count, "players"),
    "size": _node(syntax.Size, "zone"),
    "end_of_zone": _node(syntax.EndOf, "end zone"),
    "of": _node(syntax.Of, "name operand"),
    "after": _node(syntax.Neighbour, "player", side="after"),
    "before": _node(syntax.Neighbour, "player", side="before"),
    "arguments": _list,
    "single_domain": _only,
    "range_domain": _node(syntax.Range, "low high"),
    "flag_type": _node(syntax.FlagType),
    "players_type": _node(syntax.PlayersType),
    "player_type": _node(syntax.PlayerType),
    "optional_player_type": _node(syntax.PlayerType, optional=True),
    "enum_type": _all(syntax.EnumType),
    "number_type": _node(syntax.NumberType, "low high"),
    "parameter": _node(syntax.Parameter, "name type"),
    "parameters": _list,
    "spotlight": _node(syntax.Spotlight, "kind name"),
    "spotlights": lambda parts, _at: (parts[0], tuple(parts[1:])),
    "formula_start": _formula,
}  # fmt: skip
_STATEMENTS: dict[str, _Rule] = {
    "when": _node(syntax.When, "condition"),
    "by_player": _node(syntax.By, "player"),
    "by_any": _node(syntax.By, "variable condition"),
    "require": _node(syntax.Require, "condition"),
    "put": _node(syntax.Put, "kind by settings zone"),
    "settings": _list,
    "setting": _list,
    "move": _node(syntax.ItemEffect, "item zone", effect="move"),
    "remove": _node(syntax.ItemEffect, "item", effect="remove"),
    "resolve": _node(syntax.ItemEffect, "item", effect="resolve"),
    "move_every": _node(syntax.EveryItem, "variable zone to condition", effect="move"),
    "remove_every": _node(syntax.EveryItem, "variable zone condition", effect="remove"),
    "resolve_every": _node(syntax.EveryItem, "variable zone condition", effect="resolve"),
    "begin_resolving": _node(syntax.ItemEffect, "item", effect="begin resolving"),
    "named_item": _node(syntax.Name, "name"),
    "end_item": _node(syntax.EndOf, "end zone"),
    "pass": _node(syntax.Pass),
    "advance": _node(syntax.StepEffect, "name", effect="advance"),
    "begin": _node(syntax.StepEffect, "name", effect="begin"),
    "end": _node(syntax.StepEffect, "name", effect="end"),
    "skip": _node(syntax.StepEffect, "name", effect="skip to"),
    "place": _list,
    "assign": lambda parts, at: syntax.Assign(
        parts[1], parts[0][0], parts[0][1], parts[2], span=at
    ),
    "every_place": _list,
    "assign_every": lambda parts, at: syntax.AssignEvery(parts[1], *parts[0], *parts[2:], span=at),
    "let": _node(syntax.Let, "name value"),
    "choose": _node(syntax.Choose, "variable domain condition by"),
    "if_head": _node(syntax.If, "condition", then=()),
    "else_if_head": _node(written.ElseIf, "condition"),
    "else_head": _node(written.Else),
    "maybe_head": _node(syntax.Maybe, "title", body=()),
    "maybe_line": _all(syntax.Maybe),
    "either_head": lambda parts, at: syntax.Either(((parts[0] or "", ()),), parts[1], span=at),
    "or_head": _node(written.OrLine, "title", title=""),
    "do": _node(syntax.Do, "name arguments"),
    "go_target": lambda parts, _at: (parts[0], parts[1] or ()),
    "go": lambda parts, at: syntax.Go(*parts[0], span=at),
    "game_over": _node(syntax.GameOver),
    "todo": _node(syntax.Todo),
}
_LINES: dict[str, _Rule] = {
    "top_line": _only,
    "language_header": _node(written.LanguageHeader, "version"),
    "game_header": _node(written.TextHeader, "text", kind="game"),
    "source_header": _node(written.TextHeader, "text", kind="source"),
    "exactly": lambda parts, at: syntax.PlayersHeader(parts[0], parts[0], span=at),
    "at_least": _node(syntax.PlayersHeader, "least", most=None),
    "between": _node(syntax.PlayersHeader, "least most"),
    "scope_header": _all(written.ScopeHeader),
    "scope_entry": _list,
    "start_header": lambda parts, at: written.StartHeader(syntax.Go(*parts[0], span=at), span=at),
    "option_head": _node(syntax.Option, "name title numbers cites"),
    "number_option": _list,
    "cites": _list,
    "also": _list,
    "tags": _list,
    "items_head": _node(written.SectionHead, section="items"),
    "attributes_head": _node(written.SectionHead, section="attributes"),
    "zones_head": _node(written.SectionHead, section="zones"),
    "state_head": _node(written.SectionHead, section="state"),
    "left_out_head": _node(written.SectionHead, section="left out"),
    "turn_head": _node(syntax.Sequence, name="turn", steps=()),
    "sequence_head": _node(syntax.Sequence, "name title", steps=()),
    "term": _node(syntax.Term, "name parameters meaning", parameters=()),
    "routine_head": _node(syntax.Routine, "name parameters title", parameters=(), body=()),
    "stage_head": _node(syntax.Stage, "name parameters title", parameters=(), clauses=()),
    "claims_head": _node(written.ClaimsHead, "title condition", condition=None),
    "property_head": _node(written.PropertyHead, "name title"),
    "lemma_head": _node(written.PropertyHead, "name title", is_lemma=True),
    "option_line": _node(syntax.OptionValue, "name title cites"),
    "item_line": _node(syntax.ItemKind, "name title also tags"),
    "attribute_line": _node(syntax.Attribute, "name type default"),
    "zone_line": _node(syntax.Zone, "name order title tags"),
    "lifo": _always("lifo"),
    "fifo": _always("fifo"),
    "unordered": _always("unordered"),
    "step_line": _node(syntax.Step, "name title also tags condition"),
    "state_line": _node(syntax.StateVariable, "name type each_player initial title tags"),
    "each_player": _always(True),
    "every_size": _always(True),
    "left_out_line": lambda parts, at: syntax.LeftOut(tuple(parts[:-1]), parts[-1], span=at),
    "priority_line": _node(written.PriorityLine, "holder"),
    "first_head": _node(written.FirstHead),
    "clause_head": _node(syntax.Clause, "mode id title also cites", title="", body=()),
    "claim": _node(syntax.Claim, "expect name title every_size cites condition"),
    "why_line": _node(written.WhyLine, "text"),
    "about_line": _node(written.AboutLine, "subject"),
    "assuming_line": _node(written.AssumingLine, "who"),
    "given_line": _node(written.GivenLine, "given"),
    "needs_line": _all(written.NeedsLine),
    "with_line": _node(written.WithLine, "containing"),
    "formula_line": _only,
}
_WORDS = "global_word past_word end_word mode expect assign_sign compare_sign spot_kind quantifier assumed"
_RULES = {**_EXPRESSIONS, **_STATEMENTS, **_LINES, **dict.fromkeys(_WORDS.split(), _only)}
