"""What is wrong with a line that the grammar refuses: one sentence and a hint, in a rules designer's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .diagnostics import Report
from .outline import Line
from .tokens import Lexicon, token_span

if TYPE_CHECKING:
    from lark import Token
    from lark.parsers.lalr_interactive_parser import InteractiveParser


@dataclass
class Trouble:
    """A line, its *tokens* up to the first that cannot stand there, and the *parser* before that one."""

    line: Line
    tokens: list[Token]
    parser: InteractiveParser
    lexicon: Lexicon


def explain(trouble: Trouble, report: Report) -> None:
    """Say in *report* what is wrong."""
    token = trouble.tokens[-1]
    report.add("R001", token_span(token), f"`{token}` cannot stand here.", str(sorted(trouble.parser.accepts())))
