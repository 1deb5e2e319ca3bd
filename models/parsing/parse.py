"""Parsing, a text to its surface tree: outline, lines, and the lines put together.

`parse_ruleset` and `parse_properties` put every mistake into the report and return what could be
read; the next pass asks the report first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from lark import Token, Tree

from ..diagnostics import MAX_ERRORS, Report
from ..read import read_source
from ..source import Source, Span
from ..syntax import PropertyText, Ruleset
from .blocks import ParsedLine
from .build import build_line
from .lines import LineNode
from .mistakes.explain import explain
from .outline import LogicalLine, Piece, Place, outline
from .reserved import check_names
from .scan import scan
from .sections import properties_of, ruleset_of

__all__ = ["MAX_ERRORS", "parse_lines", "parse_properties", "parse_ruleset", "read_source"]

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
    if read.tree is None or _too_deep(read.tree) is not None:
        return None
    node = build_line(read.tree, line, report)
    if node is not None:
        check_names(node, report)
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
    span = _too_deep(read.tree)
    if span is not None:
        report.add(
            "R314",
            span,
            f"This expression has more than {MAX_NESTING} levels.",
            "name a part of it with `term NAME means EXPRESSION`",
        )
        return None
    node = build_line(read.tree, line, report)
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
