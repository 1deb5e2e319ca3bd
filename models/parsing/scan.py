"""Scanning: the grammar, and how far it can read a line: LALR(1), by lark, fed token by token.

Feeding it by hand gives two things: each word can be cut as the state of the parser asks for it
(`tokens`), and at a mistake the state knows what could have stood there (`mistakes`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from .outline import LogicalLine, Place
from .tokens import Lexicon, Reader

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ..storage.keeping import keep, kept, name_of, packed, unpacked
from ..storage.places import cache_folder

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
        tree = _finish(result.parser, end)
        assert tree is None or isinstance(tree, Tree)
        result.tree = tree
    return result


def could_follow(line: LogicalLine) -> tuple[list[str], set[str]]:
    """Return the words of *line*, and the terminals that can stand behind them: none if it cannot
    be read that far.
    """
    result, is_whole = _begun(line)
    accepted = result.accepts() if is_whole else set()
    wide = _WIDE_IN_2 if _WIDE in accepted else ()
    return [str(token) for token in result.tokens], accepted.union(wide)


def _begun(line: LogicalLine) -> tuple[Scan, bool]:
    """Return how far *line* can be read before its end, and whether that is all of it."""
    result = Scan(line, start_of(line.place))
    reader = Reader(lexicon(), line)
    while (token := reader.next(choices(result.parser))) is not None:
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


def _finish(parser: InteractiveParser, end: Token) -> object:
    try:
        return parser.feed_token(end)
    except UnexpectedToken:
        return None


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
