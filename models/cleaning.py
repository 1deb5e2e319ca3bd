"""Cleaning: what a stranger's text or the name of a file may not do where it is shown.

Control characters command a terminal. Marks of direction and of no width show another text than the
one that is there. What is no character at all, as a byte of a file's name that is not UTF-8, makes
a file that nobody can read. U+FFFD stands in the place of all three.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import category

REPLACEMENT = "\ufffd"
_SEPARATORS = ("Zl", "Zp")


def clean(text: str, keep: str = "\n") -> str:
    """Return *text* without characters that are none to look at, but those in *keep*: what is shown
    on several lines.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c
        if c in keep or (category(c)[0] != "C" and category(c) not in _SEPARATORS)
        else REPLACEMENT
        for c in text
    )


def cleaned(data: Any) -> Any:
    """Return plain *data*, as JSON has it, with all its texts cleaned, the names of fields too."""
    match data:
        case str():
            return clean(data)
        case Mapping():
            return {clean(str(name)): cleaned(part) for name, part in data.items()}
        case list() | tuple():
            return [cleaned(part) for part in data]
        case _:
            return data


def clean_line(text: str) -> str:
    """Return *text* cleaned so that it stays on its line: a name, a place, a sentence."""
    return clean(text, "")
