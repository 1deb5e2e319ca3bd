"""Repairs: what is said of a mistake, where, and whether a line could be read if one word were
another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...source import Span
from ..outline import LogicalLine, Piece
from ..scan import END, Scan, scan
from ..tokens import token_span

if TYPE_CHECKING:
    from lark import Token


@dataclass(frozen=True)
class SyntaxMistake:
    """A mistake: what is said of it, and a hint; at the bad token unless *span* says otherwise."""

    said: str
    hint: str
    span: Span | None = None
    code: str = "R001"


def place_of(token: Token) -> Span:
    """Return where *token* stands; the end of a line is right after it."""
    span = token_span(token)
    return (
        Span(span.line, token.end_column or span.column, (token.end_column or span.column) + 1)
        if token.type == END
        else span
    )


def piece_of(read: Scan) -> Piece:
    """Return the part of the line that the bad token stands in, which may go on over several."""
    return next(piece for piece in read.line.pieces if piece.number == read.bad.line)


def word_before(read: Scan) -> str:
    """Return what stands before the bad token, as `shown`; empty at the start of a line."""
    return shown(read.tokens[-2]) if len(read.tokens) > 1 else ""


def shown(word: str) -> str:
    """Return *word* as a message shows it, cut where it is very long."""
    return str(word) if len(word) <= 40 else f"{word[:40]}…"


def is_better(read: Scan, repaired: LogicalLine) -> bool:
    """Return whether the *repaired* line can be read, or read further than that of *read*."""
    if not any(piece.text.strip() for piece in repaired.pieces):
        return False
    again = scan(repaired)
    return again.tree is not None or len(again.tokens) > max(len(read.tokens), 2)


def edited(line: LogicalLine, token: Token, text: str, keep: bool = False) -> LogicalLine:
    """Return *line* with *text* in place of *token*, or with *keep* before it."""
    at = token.start_pos or 0
    rest = at if keep else at + len(token)
    pieces = [
        p
        if p.number != token.line
        else replace(p, text=p.text[:at] + text + " " * keep + p.text[rest:])
        for p in line.pieces
    ]
    return replace(line, pieces=pieces)
