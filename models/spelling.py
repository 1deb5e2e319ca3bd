"""Which word was meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LIKENESS = 0.7


def near(word: str, words: Iterable[str]) -> list[str]:
    """Return the *words* that *word* may be a slip for, the likeliest first.

    Those that differ in capitals alone come first, then those with letters swapped, then those that
    are alike (Ratcliff and Obershelp's measure, as `difflib` has it).
    """
    known = list(words)
    lower = word.lower()
    same = [other for other in known if other == lower]
    swapped = [other for other in known if sorted(other) == sorted(lower)]
    return list(dict.fromkeys([*same, *swapped, *get_close_matches(word, known, 3, _LIKENESS)]))
