"""Verdicts in a few words where the word does not say it, and the words and the colours of verdicts
and of claims.
"""

from __future__ import annotations

from ...checker.types.verdict import Outcome
from ..telling.record import Status

IN_SHORT: dict[str, str] = {
    Outcome.VACUOUS: (
        "its condition never arises, the rules know nothing of it, or no play fits what it assumes. It says nothing, and that is no pass."
    ),
    Outcome.BOUNDED: "nothing breaks it so far; the search was not finished.",
    Outcome.UNKNOWN: "not decided; the reason stands below.",
}
"""What those verdicts mean whose word does not say it."""
STATUS: dict[Status, tuple[str, str]] = {
    "met": ("met", "green"),
    "not met": ("NOT MET", "bold red"),
    "undecided": ("undecided", "yellow"),
    "too small": ("too small", "dim"),
    "answered": ("answered", ""),
    "none": ("", ""),
}
"""The word and the style of each status."""
OUTCOME_STYLE = {
    "PROVED": "green",
    "HOLDS": "green",
    "POSSIBLE": "green",
    "VIOLATED": "red",
    "IMPOSSIBLE": "red",
    "VACUOUS": "yellow",
    "BOUNDED": "yellow",
    "UNKNOWN": "yellow",
}
"""The colour of a verdict where somebody wants the property to hold."""
