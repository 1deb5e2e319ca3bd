"""Parsing one logical line to its node, or to one mistake that says why it cannot be read."""

from __future__ import annotations

from lark import Token, Tree

from ..diagnostics import Report
from ..source import Span
from .build_lines import build_line
from .errors import explain
from .lines import LineNode
from .outline import LogicalLine
from .reserved import check_names
from .scan import scan

MAX_NESTING = 60


def parse_line(line: LogicalLine, report: Report) -> LineNode | None:
    """Return what *line* says, or None after saying in *report* why it says nothing."""
    read = scan(line)
    if read.tree is None:
        # A line that is indented wrongly may stand in a place it was not meant for; that is one mistake.
        if all(error.code != "R003" or error.span != line.span for error in report.errors):
            explain(read, report)
        return None
    span = _too_deep(read.tree)
    if span is not None:
        report.add("R314", span, f"This expression has more than {MAX_NESTING} levels.", "name a part of it with `term NAME means …`")
        return None
    node = build_line(read.tree, line, report)
    if node is not None:
        check_names(node, report)
    return node


def _too_deep(tree: Tree[Token]) -> Span | None:
    """Return where *tree* goes deeper than the limit, if it does; looks at one level after the other."""
    level = [tree]
    for _ in range(MAX_NESTING):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return None
    meta = level[0].meta
    return Span(meta.line, meta.column, meta.column + 1) if not meta.empty else Span(1, 1, 2)
