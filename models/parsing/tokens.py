"""Tokens: the words of one logical line, cut as the grammar's place asks for them.

A word of the language is taken as such only where the grammar can go on with it, and is a name
elsewhere; a clause id is cut only where an id is asked for, since ids contain signs that mean
something in expressions. (Van Wyk and Schwerdfeger, "Context-aware scanning for parsing extensible
languages", GPCE 2007.)
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from lark import Lark, Token
from lark.lexer import PatternStr

from ..source import Span
from .outline import LogicalLine, Piece

_BLANK = re.compile(r"[ \t]*")
_STRAY = re.compile(r'"[^"]*"?|[A-Za-z0-9_]+|[:+-]=|[<>=!]=|&&|\|\||.', re.DOTALL)


OF_IDIOMS = {
    "first": re.compile(r"\s+to\s+have\b"),
    "answered": re.compile(r"\s+by\b"),
    "countered": re.compile(r"\s+by\b"),
}
"""Words that stand after ``is`` in idioms of formulas, with what follows them there; elsewhere they
are free as names.
"""


def token_span(token: Token) -> Span:
    """Return where *token* stands."""
    assert token.line is not None
    assert token.column is not None
    return Span(token.line, token.column, token.column + len(token))


@dataclass
class Lexicon:
    """The words and patterns of a grammar."""

    patterns: dict[str, re.Pattern[str]]
    words: dict[str, str]
    sign: re.Pattern[str]

    @staticmethod
    def from_grammar(grammar: Lark) -> Lexicon:
        """Collect the terminals of *grammar*."""
        patterns = {
            t.name: re.compile(t.pattern.value)
            for t in grammar.terminals
            if not isinstance(t.pattern, PatternStr)
        }
        words = {
            t.pattern.value: t.name for t in grammar.terminals if isinstance(t.pattern, PatternStr)
        }
        signs = sorted((word for word in words if not word.isalpha()), key=len, reverse=True)
        return Lexicon(patterns, words, re.compile("|".join(map(re.escape, signs))))

    def kind_of(self, text: str, accepted: Container[str]) -> str:
        """Return the terminal that *text*, a whole word, is where *accepted* can stand; empty if
        none.
        """
        word = self.words.get(text)
        if word is not None and word in accepted:
            return word
        return "NAME" if "NAME" in accepted and self.patterns["NAME"].fullmatch(text) else ""

    def match(self, text: str, at: int, accepted: Container[str]) -> tuple[str, str]:
        """Return terminal and text of the token at *at*; the terminal is empty if nothing that is
        *accepted* stands there.
        """
        for kind in ("ID", "STRING"):
            found = self.patterns[kind].match(text, at) if kind in accepted else None
            if found:
                return kind, found.group()
        sign = self.sign.match(text, at)
        if sign and self.words[sign.group()] in accepted:
            return self.words[sign.group()], sign.group()
        stray = _STRAY.match(text, at)
        assert stray is not None
        if "NUMBER" in accepted and self.patterns["NUMBER"].fullmatch(stray.group()):
            return "NUMBER", stray.group()
        return self.kind_of(stray.group(), accepted), stray.group()


@dataclass
class Reader:
    """Reads the tokens of one logical line, from left to right; none goes over the end of a
    piece.
    """

    lexicon: Lexicon
    line: LogicalLine
    piece: int = 0
    at: int = 0

    def next(self, accepted: Container[str]) -> Token | None:
        """Return the next token, of the empty kind if it is not *accepted*; None at the end of the
        line.
        """
        while self.piece < len(self.line.pieces):
            piece = self.line.pieces[self.piece]
            blank = _BLANK.match(piece.text, self.at)
            start = blank.end() if blank else self.at
            if start < len(piece.text):
                kind, text = self.lexicon.match(piece.text, start, accepted)
                self.at = start + len(text)
                if (
                    text in OF_IDIOMS
                    and "NAME" in accepted
                    and not OF_IDIOMS[text].match(self._rest())
                ):
                    kind = "NAME"
                return _token(kind, text, piece, start)
            self.piece, self.at = self.piece + 1, 0
        return None

    def _rest(self) -> str:
        """Return what comes after the last token, a blank in the place of each end of a piece."""
        here, *further = self.line.pieces[self.piece :]
        return " ".join([here.text[self.at :], *(piece.text for piece in further)])


def _token(kind: str, text: str, piece: Piece, start: int) -> Token:
    column = piece.column + start
    return Token(
        kind,
        text,
        start_pos=start,
        line=piece.number,
        column=column,
        end_line=piece.number,
        end_column=column + len(text),
    )
