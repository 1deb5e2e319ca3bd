"""Words for people: lists and numbers as English, which word was meant, what may be shown.

Spelling: which word was meant by an unknown one.

The words come from a stranger's text, so looking for one always costs little: long words are no
slips, and of very many words that could be meant only some are looked at.

Cleaning: what a stranger's text or the name of a file may not do where it is shown.

Control characters command a terminal. Marks of direction and of no width show another text than the
one that is there. A byte that is no character, as in the name of a file that is not UTF-8, makes a
file unreadable. U+FFFD stands in the place of all three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
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


LONGEST = 40
"""Longer words are not compared."""
MOST_COMPARED = 200
"""With how many words one is compared at most, those that begin alike before others."""
_LIKENESS = 0.7
_NUMBER = re.compile(r"(\d+)")
_HINT_LIKENESS = 0.6


def near(word: str, words: Iterable[str]) -> list[str]:
    """Return the *words* that *word* may be a slip for, the likeliest first.

    Those that differ in capitals alone come first, then those with letters swapped, then those that
    are alike (Ratcliff and Obershelp's measure, as ``difflib`` has it).
    """
    known = list(words)
    if len(word) > LONGEST:
        return []
    lower = word.lower()
    same = [other for other in known if other == lower]
    swapped = [
        other for other in known if len(other) == len(lower) and sorted(other) == sorted(lower)
    ]
    return list(dict.fromkeys([*same, *swapped, *_alike(word, tuple(known), 3, _LIKENESS)]))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the *known* word nearest to *word*, or an empty string if none is
    near.
    """
    alike = _alike(word, tuple(known), 1, _HINT_LIKENESS) if len(word) <= LONGEST else ()
    return f"did you mean `{alike[0]}`?" if alike else ""


def next_to(name: str, known: Iterable[str]) -> str:
    """Return a hint that names those of the *known* between which *name* would stand, numbers by
    their size; empty if there are none.
    """
    ordered = sorted({*known, name}, key=_with_numbers)
    at = ordered.index(name)
    nearest = [f"`{other}`" for other in (*ordered[max(at - 1, 0) : at], *ordered[at + 1 : at + 2])]
    return (
        f"the nearest {'is' if len(nearest) == 1 else 'are'} {' and '.join(nearest)}"
        if nearest
        else ""
    )


def _with_numbers(name: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdecimal() and part.isascii() else (-1, part)
        for part in _NUMBER.split(name[:LONGEST])
    ]


@lru_cache(maxsize=256)
def _alike(word: str, known: tuple[str, ...], most: int, likeness: float) -> tuple[str, ...]:
    """Return the words of *known* that are so much like *word*, *most* of them, the likeliest
    first; kept for later callers.
    """
    # Two words are never more alike than the shorter, twice, in both together.
    candidates = [
        other
        for other in known
        if 2 * min(len(other), len(word)) >= likeness * (len(other) + len(word))
    ]
    if len(candidates) > MOST_COMPARED:
        candidates = sorted(candidates, key=lambda other: other[:1] != word[:1])[:MOST_COMPARED]
    return tuple(get_close_matches(word, candidates, most, likeness))


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def player_name(seat: int) -> str:
    """Return what the player at *seat* is called: A, B, C and so on; P27 after Z."""
    return _LETTERS[seat] if 0 <= seat < len(_LETTERS) else f"P{seat + 1}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return *words* as a list in a sentence: ``A, B and C``."""
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def settings_words(settings: Iterable[tuple[str, str | int]]) -> str:
    """Return the values of options as one says them on the command line: ``chain=fifo,
    mulligan=yes``.
    """
    return ", ".join(f"{name}={value}" for name, value in settings)


def shortened(text: str, most: int) -> str:
    """Return *text*, or if it has more than *most* characters its beginning: ``a long na…``."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(number: int, noun: str) -> str:
    """Return *number* with *noun*, in the plural unless it is one: ``1,204 positions``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
