"""A text to its surface tree: outline, lines, and the lines put together.

`parse_ruleset` and `parse_properties` put every mistake into the report and return what could be
read; whoever goes on with the tree asks the report first.
"""

from __future__ import annotations

from .diagnostics import Report
from .outline import Line, Place, outline
from .parse_blocks import ParsedLine
from .parse_line import parse_line
from .parse_sections import properties_of, ruleset_of
from .read import read_source
from .source import Source
from .syntax import PropertyText, Ruleset

__all__ = ["MAX_ERRORS", "parse_lines", "parse_properties", "parse_ruleset", "read_source"]

MAX_ERRORS = 100


def parse_ruleset(source: Source, report: Report) -> Ruleset:
    """Parse the text of a ruleset."""
    return ruleset_of(parse_lines(outline(source, report).lines, report), report)


def parse_properties(source: Source, report: Report) -> tuple[PropertyText, ...]:
    """Parse the text of a properties file."""
    return properties_of(parse_lines(outline(source, report).lines, report), report)


def parse_lines(lines: tuple[Line, ...] | list[Line], report: Report) -> tuple[ParsedLine, ...]:
    """Parse each of *lines* and the lines below it; after `MAX_ERRORS` mistakes the rest stays unread."""
    parsed = []
    for line in lines:
        if len(report.errors) >= MAX_ERRORS:
            _give_up(line, report)
            break
        node = parse_line(line, report) if line.place is not Place.LOST else None
        parsed.append(ParsedLine(line, node, parse_lines(line.children, report)))
    return tuple(parsed)


def _give_up(line: Line, report: Report) -> None:
    if all(error.code != "R315" for error in report.errors):
        report.add("R315", line.span, f"There are more than {MAX_ERRORS} mistakes; the text from here on was not read.")
