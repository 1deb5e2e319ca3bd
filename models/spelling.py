"""Spelling: which word was meant by one that is not known.

What is asked comes from a stranger's text, so it costs little whatever that says: long words are no
slips, and of very many words that could be meant only some are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

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
