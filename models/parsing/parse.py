"""Parsing, a text to its surface tree: outline, lines, reserved words.

`parse_ruleset` and `parse_properties` put every mistake into the report and return what could be
read; the next pass asks the report first.

Which words these are is asked of the grammar: those that can begin an expression, and for state
variables and attributes also those that can begin a statement. What is only ever said after ``is``
(kinds, steps, named values) is freer: only the words that can follow ``is`` are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias, get_args

from lark import Token, Tree

from .. import syntax
from ..diagnostics import MAX_ERRORS, Report
from ..source import Source, Span
from ..syntax import PropertyText, Ruleset
from .blocks import LineNode, ParsedLine
from .build import build_line
from .mistakes.explain import explain
from .outline import LogicalLine, Piece, Place, outline
from .scan import OF_IDIOMS, choices, lexicon, scan, start_of
from .sections import properties_of, ruleset_of

Named: TypeAlias = (
    syntax.Option
    | syntax.ItemKind
    | syntax.Attribute
    | syntax.Zone
    | syntax.Step
    | syntax.Sequence
    | syntax.StateVariable
    | syntax.Term
    | syntax.Let
)
_VALUES = frozenset(get_args(syntax.WordText))


def check_names(node: LineNode, report: Report) -> None:
    """Report the names that *node* declares and that are words of the language."""
    if isinstance(node, (syntax.ItemKind, syntax.Step)):
        reserved = _words_after_is()
    else:
        is_assigned = isinstance(node, (syntax.StateVariable, syntax.Attribute))
        reserved = _expression_words() | (_statement_words() if is_assigned else frozenset())
    for name, span in _declared(node):
        if name in reserved:
            _refuse(name, span, report)
    for name, span in _named_values(node):
        if name in _words_after_is() - _VALUES:
            _refuse(name, span, report)


def _refuse(name: str, span: Span, report: Report) -> None:
    said = f"`{name}` is a word of the language and cannot be a name here."
    report.add("R012", span, said, f"choose another name, such as `the_{name}`")


def _declared(node: LineNode) -> Iterator[tuple[str, Span]]:
    if isinstance(node, syntax.Sequence) and node.name == "turn":
        return
    if isinstance(node, Named):
        yield node.name, node.span
    elif isinstance(variable := getattr(node, "variable", None), str):
        yield variable, node.span
    elif isinstance(node, syntax.Formula):
        yield from ((spotlight.name, spotlight.span) for spotlight in node.spotlights)
    if isinstance(node, (syntax.Term, syntax.Routine, syntax.Stage)):
        yield from ((parameter.name, parameter.span) for parameter in node.parameters)


def _named_values(node: LineNode) -> Iterator[tuple[str, Span]]:
    """Yield named values, which may also be words that stand for a value, such as ``yes``."""
    if isinstance(node, syntax.OptionValue):
        yield node.name, node.span
    types = [node.type] if isinstance(node, (syntax.StateVariable, syntax.Attribute)) else []
    if isinstance(node, (syntax.Term, syntax.Routine, syntax.Stage)):
        types = [parameter.type for parameter in node.parameters]
    for type_ in types:
        if isinstance(type_, syntax.EnumType):
            yield from ((value, type_.span) for value in type_.values)


@cache
def _expression_words() -> frozenset[str]:
    parser = start_of(Place.STATEMENTS)
    parser.feed_token(Token("WHEN", "when"))
    return _reserved_words(set(choices(parser)))


@cache
def _words_after_is() -> frozenset[str]:
    parser = start_of(Place.STATEMENTS)
    for kind in ("WHEN", "NAME", "IS"):
        parser.feed_token(Token(kind, kind.lower()))
    return _reserved_words(set(choices(parser))) - OF_IDIOMS.keys()


@cache
def _statement_words() -> frozenset[str]:
    return _reserved_words(set(choices(start_of(Place.STATEMENTS))))


def _reserved_words(kinds: set[str]) -> frozenset[str]:
    return frozenset(
        word for word, kind in lexicon().words.items() if kind in kinds and word.isalpha()
    )


MAX_NESTING = 60


def parse_ruleset(source: Source, report: Report) -> Ruleset:
    """Parse the text of a ruleset."""
    ruleset = ruleset_of(parse_lines(outline(source, report).lines, report), report)
    report.limit()
    return ruleset


def parse_properties(source: Source, report: Report) -> tuple[PropertyText, ...]:
    """Parse the text of a properties file."""
    properties = properties_of(parse_lines(outline(source, report).lines, report), report)
    report.limit()
    return properties


def parse_lines(lines: Sequence[LogicalLine], report: Report) -> tuple[ParsedLine, ...]:
    """Parse each of *lines* and the lines below it; after `MAX_ERRORS` mistakes the rest stays
    unread.
    """
    parsed = []
    for line in lines:
        readable = line.place is not Place.LOST and len(report.errors) <= MAX_ERRORS
        node = _parse_line(line, report) if readable else None
        parsed.append(ParsedLine(line, node, parse_lines(line.children, report)))
    return tuple(parsed)


def _parse_line(line: LogicalLine, report: Report) -> LineNode | None:
    """Return what *line* says, or None after saying in *report* why it says nothing."""
    known = _known_line(line.place, line.language, tuple(line.pieces))
    return known if known is not None else _line_with_mistakes(line, report)


@lru_cache(maxsize=4_000)
def _known_line(place: Place, language: int, pieces: tuple[Piece, ...]) -> LineNode | None:
    """Return what a line without a mistake says, kept for the next text that has it in the same
    place; None if there is one in it.
    """
    line = LogicalLine(place, None, 0, list(pieces), language=language)
    read, report = scan(line), Report(Source("", ""))
    node = None if read.tree is None else _node_of(read.tree, line, report)
    return None if report.errors else node


def _line_with_mistakes(line: LogicalLine, report: Report) -> LineNode | None:
    """Say in *report* what is wrong with *line*, and return what it says all the same, if
    anything.
    """
    read = scan(line)
    if read.tree is None:
        # A line that is indented wrongly, or with a tab, may stand in a place it was not meant for;
        # that is one mistake.
        if not line.pieces[0].tab and all(
            error.code != "R003" or error.span != line.span for error in report.errors
        ):
            explain(read, report)
        return None
    return _node_of(read.tree, line, report)


def _node_of(tree: Tree[Token], line: LogicalLine, report: Report) -> LineNode | None:
    """Return what *line* says, whose *tree* this is; None if it says nothing that is allowed."""
    span = _too_deep(tree)
    if span is not None:
        report.add(
            "R314",
            span,
            f"This expression has more than {MAX_NESTING} levels.",
            "name a part of it with `term NAME means EXPRESSION`",
        )
        return None
    node = build_line(tree, line, report)
    if node is not None:
        check_names(node, report)
    return node


def _trees_below(node: Tree[Token]) -> Iterator[Tree[Token]]:
    """Yield the trees right below *node*; parentheses are no level."""
    for child in node.children:
        while isinstance(child, Tree) and child.data == "enclosed":
            child = child.children[0]
        if isinstance(child, Tree):
            yield child


def _too_deep(tree: Tree[Token]) -> Span | None:
    """Return where *tree* goes deeper than the limit, if it does; looks at one level after the
    other.
    """
    level = [tree]
    for _ in range(MAX_NESTING):
        level = [child for node in level for child in _trees_below(node)]
        if not level:
            return None
    meta = level[0].meta
    return Span(meta.line, meta.column, meta.column + 1) if not meta.empty else Span(1, 1, 2)
