"""One logical line to its node: the grammar run on the tokens of that line.

LALR(1), by lark; the tokens are fed one by one, so that at a mistake the state knows what could
have stood there. Everything that could nest without end is counted on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from .build_lines import build_line
from .diagnostics import Report
from .lines import LineNode
from .outline import Line, Place
from .parse_errors import Trouble, explain
from .source import Span
from .tokens import Lexicon, Reader, token_span

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser

MAX_NESTING = 60
MAX_TOKENS = 2_000


@cache
def grammar() -> Lark:
    """Build the grammar, once."""
    text = Path(__file__).with_name("rules.lark").read_text(encoding="utf-8")
    starts = [place.value for place in Place if place.value]
    return Lark(text, parser="lalr", lexer="basic", start=starts, propagate_positions=True)


@cache
def lexicon() -> Lexicon:
    """Collect the words of the grammar, once."""
    return Lexicon.of(grammar())


def parse_line(line: Line, report: Report) -> LineNode | None:
    """Return what *line* says, or None after saying in *report* why it says nothing."""
    tree = _tree(line, report)
    if tree is None:
        return None
    span = _too_deep(tree)
    if span is not None:
        report.add("R314", span, f"This expression has more than {MAX_NESTING} levels.", "name a part of it with `term`")
        return None
    return build_line(tree, line, report)


def _tree(line: Line, report: Report) -> Tree[Token] | None:
    parser = grammar().parse_interactive("", start=line.place.value)
    reader = Reader(lexicon(), line)
    tokens: list[Token] = []
    while (token := reader.next(choices(parser))) is not None:
        tokens.append(token)
        if len(tokens) > MAX_TOKENS:
            report.add("R312", token_span(token), f"This line has more than {MAX_TOKENS} words.")
            return None
        if not token.type or not _feed(parser, token):
            explain(Trouble(line, tokens, parser, lexicon()), report)
            return None
    end = Token.new_borrow_pos("$END", "", tokens[-1])
    try:
        tree = parser.feed_token(end)
    except UnexpectedToken:
        explain(Trouble(line, [*tokens, end], parser, lexicon()), report)
        return None
    assert isinstance(tree, Tree)
    return tree


def choices(parser: InteractiveParser) -> Collection[str]:
    """Return the terminals that the grammar may go on with (and a few it will then refuse, as LALR does)."""
    get: Callable[[], Collection[str]] = parser.choices
    return get()


def _feed(parser: InteractiveParser, token: Token) -> bool:
    try:
        parser.feed_token(token)
    except UnexpectedToken:
        return False
    return True


def _too_deep(tree: Tree[Token]) -> Span | None:
    """Return where *tree* goes deeper than the limit, if it does; looks at one level after the other."""
    level = [tree]
    for _ in range(MAX_NESTING):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return None
    meta = level[0].meta
    return Span(meta.line, meta.column, meta.column + 1) if not meta.empty else None
