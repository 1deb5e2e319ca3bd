"""Texts of numbers: added, shifted and masked, and nothing written where that changes nothing."""

from __future__ import annotations


def by(shift: int) -> str:
    """Return what moves a part of a word *shift* bits down, or up."""
    return f" >> {shift}" if shift > 0 else f" << {-shift}" if shift else ""


def is_number(text: str) -> bool:
    """Whether *text* is a number."""
    return text.removeprefix("-").isdigit()


def plus(text: str, more: int) -> str:
    """Return *text* and *more* added to it."""
    if more == 0:
        return text
    if is_number(text):
        return str(int(text) + more)
    return f"({text} + {more})" if more > 0 else f"({text} - {-more})"


def shifted(word: str, shift: str, mask: int) -> str:
    """Return the part of *word* behind *shift* that *mask* has."""
    return f"({word} >> {shift} & {mask})" if shift and shift != "0" else f"({word} & {mask})"
