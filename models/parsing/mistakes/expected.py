"""Expected: what could stand in the place of a bad token, in words."""

from __future__ import annotations

from ...words import join_words
from ..scan import END, Scan, lexicon
from .forms import NAME_AFTER

_KINDS = {"NAME": "a name", "STRING": "a text in quotes", "ID": "an id", "NUMBER": "a number", END: "the end of the line"}
_EXPRESSION = {"NAME", "NUMBER", "LPAR"}
_COMPARISON = {"IS", "IN", "PLUS"}
_MOST = 6


def expected(read: Scan) -> str:
    """Return what could have stood at the end of *read*, as a part of a sentence."""
    wanted = read.accepts()
    parts: list[str] = []
    if wanted >= _EXPRESSION:
        parts.append("an expression")
        wanted = {END} & wanted
    elif wanted >= _COMPARISON:
        parts.append("a comparison such as `is`")
        wanted &= {END, "WHERE", "BY", "ON", "SATISFIES", "RPAR", "COMMA", "TO"}
    if "NAME" in wanted:
        parts.append(_name_after([str(token) for token in read.tokens[:-1]]))
    parts += [text for kind, text in _KINDS.items() if kind in wanted and kind != "NAME"]
    words = sorted(f"`{word}`" for word, kind in lexicon().words.items() if kind in wanted and not ("NAME" in wanted and word.isalpha()))
    parts += words[:_MOST]
    if len(words) > _MOST:
        parts.append("one of a few other words")
    return join_words(parts, "or") or "nothing more"


def _name_after(before: list[str]) -> str:
    for count in (2, 1):
        found = NAME_AFTER.get(" ".join(before[-count:]))
        if found:
            return found
    return _KINDS["NAME"]
