"""Words for people: lists and numbers as English; nothing here knows rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
