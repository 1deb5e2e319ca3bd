"""The SMT-LIB 2 of certificates: the keys of their heading, and their commands as nested lists of
words.

Nothing here needs a solver or knows rules. What is no SMT-LIB, or nested too deeply, raises
`UnreadableError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TypeAlias

from ....models.storage.key import digest

HEADER = "; stacklaw certificate 2"
PATIENCE = 300
"""After how many seconds a solver is taken to hang."""
OBLIGATION = "; obligation: "
DIGEST = "; sha256: "
MOST_DEPTH = 2_000
"""How many parentheses may be open at once; what Z3 writes has some tens."""
COMMANDS = {
    "set-logic": 2,
    "declare-const": 3,
    "define-fun": 5,
    "push": 2,
    "assert": 2,
    "check-sat": 1,
    "pop": 2,
}
"""What a certificate may ask a solver to do, and how many words and terms each such command has;
``echo "unsat"`` is not among it.
"""
_WORD = re.compile(r"[A-Za-z0-9~!@$%^&*_+=<>.?/-]+|\|[^|\\\0]*\|")
"""A word of a certificate, which all solvers read alike: no text, no keyword, nothing but a name or
a number.
"""
_TOKEN = re.compile(r"\s+|;[^\n]*|(?P<word>[()]|\|[^|\\]*\||\"[^\"]*\"|[^\s()|\";]+)")
Expression: TypeAlias = "str | list[Expression]"
"""A word, or a list of expressions."""


class UnreadableError(Exception):
    """A text is not what it has to be; the message says why, in one sentence without its full
    stop.
    """


class HeadingField(StrEnum):
    """What the lines of a heading are called that machines read."""

    GAME = "game"
    PROPERTY = "property"
    RULES = "rules"
    SETTINGS = "settings"
    ASKED = "asked"
    ENCODING = "encoding"
    LEMMAS = "lemmas"
    ENGINE = "engine"
    OBLIGATIONS = "obligations"

    def line(self, value: object) -> str:
        """Return the line of this key, with a space for each letter of *value* that cannot be
        printed.
        """
        told = "".join(letter if letter.isprintable() else " " for letter in str(value))
        return f"; {self}: {told}"


def values_in(text: str) -> dict[HeadingField, str]:
    """Return the values in the heading of the certificate *text*, each of the first line with its
    key.
    """
    found: dict[HeadingField, str] = {}
    for line in text.splitlines():
        if not line.startswith(";"):
            if line:
                break
            continue
        name, colon, value = line.removeprefix("; ").partition(":")
        if colon and name in HeadingField.__members__.values():
            found.setdefault(HeadingField(name), value.strip())
    return found


def listed(value: str) -> list[str]:
    """Return the parts of the *value* of a key that has several."""
    return [part for part in value.split(", ") if part]


def closed(text: str) -> str:
    """Return *text* with its digest in the last line."""
    return f"{text}{DIGEST}{digest(text)}\n"


def is_unchanged(text: str) -> bool:
    """Whether *text* is as `closed` has left it."""
    return closed(text.rpartition(DIGEST)[0]) == text


def commands(text: str) -> Iterator[list[Expression]]:
    """Yield the commands of *text*; raises `UnreadableError`."""
    opened: list[list[Expression]] = []
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise UnreadableError(f"it is no SMT-LIB: {text[place : place + 20]!r}")
        place = token.end()
        word = token["word"]
        if word is None:
            continue
        if word == "(":
            if len(opened) == MOST_DEPTH:
                raise UnreadableError(f"it has more than {MOST_DEPTH:,} parentheses in one another")
            opened.append([])
        elif not opened:
            raise UnreadableError(f"it is no SMT-LIB: {word[:20]!r} stands between its commands")
        elif word != ")":
            opened[-1].append(word)
        elif len(opened) > 1:
            done = opened.pop()
            opened[-1].append(done)
        else:
            yield opened.pop()
    if opened:
        raise UnreadableError("it is cut short: a parenthesis is not closed")


def refuse_others(found: Sequence[list[Expression]]) -> None:
    """Raise `UnreadableError` if among the commands *found* there is one that a certificate may not
    have.
    """
    for command in found:
        kind = command[0] if command and isinstance(command[0], str) else ""
        if COMMANDS.get(kind) != len(command) or (kind in ("push", "pop") and command[1] != "1"):
            raise UnreadableError(f"it asks for more than its obligations: {(kind or '(')[:40]!r}")
        todo: list[Expression] = [command]
        while todo:
            one = todo.pop()
            if not isinstance(one, str):
                todo += one
            elif not _WORD.fullmatch(one):
                raise UnreadableError(f"it has {_short(one)} where a name or a number has to stand")


def symbol(word: Expression) -> str:
    """Return the name that *word* stands for, quoted or not; raises `UnreadableError` if it is no
    symbol.
    """
    if isinstance(word, str):
        if word.startswith("|"):
            return word[1:-1]
        if not word.startswith((":", '"', "#")) and not word[0].isdigit():
            return word
    raise UnreadableError(f"it has {_short(word)} where a name has to stand")


def expression_text(expression: Expression) -> str:
    """Return *expression* as a text, with one space between words; two are the same if their texts
    are.
    """
    parts: list[str] = []
    todo: list[Expression] = [expression]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            parts.append(one)
        else:
            parts.append("(")
            todo += [")", *reversed(one)]
    return " ".join(parts)


def _short(expression: Expression) -> str:
    text = (
        expression_text(expression)
        if isinstance(expression, str) or len(expression) < 10
        else "( … )"
    )
    return text if len(text) <= 40 else f"{text[:40]}…"
