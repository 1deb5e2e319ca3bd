"""Parsing, a text to its surface tree: outline, lines, and the lines put together.

`parse_ruleset` and `parse_properties` put every mistake into the report and return what could be
read; whoever goes on with the tree asks the report first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import MAX_ERRORS, Report
from ..source import Source
from ..syntax import PropertyText, Ruleset
from .blocks import ParsedLine
from .outline import LogicalLine, Place, outline
from .parse_line import parse_line
from .read import read_source
from .sections import properties_of, ruleset_of

__all__ = ["MAX_ERRORS", "parse_lines", "parse_properties", "parse_ruleset", "read_source"]


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
    """Parse each of *lines* and the lines below it; after `MAX_ERRORS` mistakes the rest stays unread."""
    parsed = []
    for line in lines:
        readable = line.place is not Place.LOST and len(report.errors) <= MAX_ERRORS
        node = parse_line(line, report) if readable else None
        parsed.append(ParsedLine(line, node, parse_lines(line.children, report)))
    return tuple(parsed)
