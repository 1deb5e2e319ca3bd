"""Scanning: the words of a line, and how far the grammar can read it: LALR(1), by lark.

Feeding it by hand gives two things: each word can be cut as the state of the parser asks for it
(`tokens`), and at a mistake the state knows what could have stood there (`mistakes`).

Tokens: the words of one logical line, cut as the grammar's place asks for them.

A word of the language is taken as such only where the grammar can go on with it, and is a name
elsewhere; a clause id is cut only where an id is asked for, since ids contain signs that mean
something in expressions. (Van Wyk and Schwerdfeger, "Context-aware scanning for parsing extensible
languages", GPCE 2007.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

from ..source import Span
from ..storage.keeping import keep, kept, name_of, packed, unpacked
from ..storage.opening import cache_folder
from .outline import LogicalLine, Piece, Place

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser


_BLANKS = " \t"
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


def _token_at(pieces: Sequence[Piece], start: int, accepted: Container[str]) -> Token:
    """Return the token at *start* of the first of *pieces*, the rest of a line; it is of the empty
    kind if it is not *accepted*.
    """
    piece, *further = pieces
    kind, text = lexicon().match(piece.text, start, accepted)
    if text in OF_IDIOMS and "NAME" in accepted:
        rest = [piece.text[start + len(text) :], *(one.text for one in further)]
        kind = kind if OF_IDIOMS[text].match(" ".join(rest)) else "NAME"
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


MAX_TOKENS = 2_000
MAX_DIGITS = 6
END = "$END"
_TEXT = Path(__file__).with_name("rules.lark")
_STARTS = [place.value for place in Place if place.value]
TABLES = Path(__file__).with_name("rules.tables")
"""The tables of this grammar, under the name of all that they depend on; `python
editors/write_grammar.py` writes them. With those of another version of lark nothing is done.
"""
_WIDE = "_WIDE"
_WIDE_IN_2 = ("WHERE", "SATISFIES")


@cache
def grammar() -> Lark:
    """Return the grammar with its tables: those that come with it, those kept, or else made now
    and kept for the next time.
    """
    return read_grammar(_TEXT.read_text(encoding="utf-8"), _STARTS, TABLES)


@cache
def lexicon() -> Lexicon:
    """Collect the words of the grammar, once."""
    return Lexicon.from_grammar(grammar())


@dataclass
class Scan:
    """How far a line can be read: its *tree*, or else the *tokens* up to the one that cannot stand
    there.

    A line that ends too early ends with a token of type `END`; a token that nothing begins with has
    an empty type. *limit* says that it was a limit that ended the reading.
    """

    line: LogicalLine
    parser: InteractiveParser
    tokens: list[Token] = field(default_factory=list)
    tree: Tree[Token] | None = None
    limit: str = ""

    @property
    def bad(self) -> Token:
        """The token that cannot stand where it stands."""
        return self.tokens[-1]

    @property
    def texts(self) -> list[str]:
        """The texts of the tokens."""
        return [str(token) for token in self.tokens]

    def accepts(self) -> set[str]:
        """Return the terminals that can stand in the place of the bad token."""
        get: Callable[[], set[str]] = self.parser.accepts
        return get()


def scan(line: LogicalLine) -> Scan:
    """Read *line* as far as the grammar of its place goes."""
    result, is_whole = _begun(line)
    if is_whole:
        end = Token.new_borrow_pos(END, "", result.bad)
        result.tokens.append(end)
        with suppress(UnexpectedToken):
            result.tree = result.parser.feed_token(end)
    return result


def could_follow(line: LogicalLine) -> tuple[list[str], set[str]]:
    """Return the words of *line*, and the terminals that can stand behind them: none if it cannot
    be read that far.
    """
    result, is_whole = _begun(line)
    accepted = result.accepts() if is_whole else set()
    wide = _WIDE_IN_2 if _WIDE in accepted else ()
    return result.texts, accepted.union(wide)


def _begun(line: LogicalLine) -> tuple[Scan, bool]:
    """Return how far *line* can be read before its end, and whether that is all of it."""
    result = Scan(line, start_of(line.place))
    for number, piece in enumerate(line.pieces):
        rest = piece.text.lstrip(_BLANKS)
        while rest:
            start = len(piece.text) - len(rest)
            token = _token_at(line.pieces[number:], start, choices(result.parser))
            rest = rest[len(token) :].lstrip(_BLANKS)
            if line.language > 1 and token.type in _WIDE_IN_2 and _WIDE in result.accepts():
                token.type = _WIDE
            result.tokens.append(token)
            result.limit = _limit(result.tokens)
            if result.limit or not token.type or not _feed(result.parser, token):
                return result, False
    return result, True


def start_of(place: Place) -> InteractiveParser:
    """Return the parser at the beginning of a line in *place*."""
    return grammar().parse_interactive("", start=place.value)


def choices(parser: InteractiveParser) -> Collection[str]:
    """Return the terminals that the grammar may go on with (and a few it will then refuse, as LALR
    does).
    """
    get: Callable[[], Collection[str]] = parser.choices
    return get()


def _feed(parser: InteractiveParser, token: Token) -> bool:
    try:
        parser.feed_token(token)
    except UnexpectedToken:
        return False
    return True


def _limit(tokens: list[Token]) -> str:
    if len(tokens) > MAX_TOKENS:
        return "R312"
    return (
        "R311" if tokens[-1].type == "NUMBER" and len(tokens[-1].lstrip("0")) > MAX_DIGITS else ""
    )


# ------------------------------------------------------------------ the tables of the parser
# lark makes them, which takes longer than reading a ruleset: so they come with the grammar, and
# others are kept.

FORMAT = "1"
"""Part of the name: to be changed when the same grammar should give other tables."""


def read_grammar(text: str, starts: Sequence[str], shipped: Path | None = None) -> lark.Lark:
    """Return the parser of the grammar in *text*; a line can be read from each of *starts*.

    Its tables are taken from the file that is *shipped*, if they are of this grammar.
    """
    name = _name(text, starts)
    file = cache_folder() / f"{name}.json"
    content = (shipped and _shipped_tables(shipped, name)) or kept(file)
    if content is not None:
        with suppress(Exception):  # it is no table; what lark says then is of many kinds
            return lark.Lark.load(json.loads(content, object_pairs_hook=_with_numbers))
    made = _made(text, starts)
    # A cache that cannot be written costs time at the next start, and nothing else.
    keep(file, _as_tables(made), "tables")
    return made


def tables() -> bytes:
    """Return what the file `TABLES` has to have in it."""
    text = _TEXT.read_text(encoding="utf-8")
    head = _head(_name(text, _STARTS))
    return head + packed(_as_tables(_made(text, _STARTS)))


def _shipped_tables(file: Path, name: str) -> bytes | None:
    """Return the tables in *file* if they have this *name*."""
    head = _head(name)
    with suppress(OSError, ValueError):
        content = file.read_bytes()
        if content.startswith(head):
            return unpacked(content[len(head) :])
    return None


def _head(name: str) -> bytes:
    """Return how the file of the tables called *name* begins."""
    return f"lark {lark.__version__} {name}\n".encode()


def _name(text: str, starts: Sequence[str]) -> str:
    """Return what the tables of the grammar in *text* are called, by all that they depend on."""
    return name_of("tables", FORMAT, lark.__version__, *starts, text)


def _made(text: str, starts: Sequence[str]) -> lark.Lark:
    return lark.Lark(
        text, parser="lalr", lexer="basic", start=list(starts), propagate_positions=True
    )


def _as_tables(made: lark.Lark) -> bytes:
    data, memo = made.memo_serialize([TerminalDef, Rule])
    return json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode()


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Return the dictionary of *pairs* with the numbers that JSON could only write as texts:
    states, and what they refer to.
    """
    return {int(key) if key.isdigit() else key: value for key, value in pairs}
