"""What each verdict means, in a sentence: the words of docs/verdicts.md; the words and the colours of verdicts and of claims."""

from __future__ import annotations

from ...checker.types.verdict import Outcome
from ..telling.record import Status

MEANINGS: dict[str, str] = {
    Outcome.PROVED: "It holds for every number of players and every zone size. A certificate comes with it.",
    Outcome.HOLDS: "It holds on every play within the scope it names; every position there was looked at.",
    Outcome.BOUNDED: "Nothing speaks against it on any play of up to so many moves; the search was not finished. It is not a proof.",
    Outcome.VIOLATED: "There is a play that breaks it. The shortest one comes with it, replayed move by move.",
    Outcome.POSSIBLE: "There is a play that shows it. The shortest one comes with it, replayed move by move.",
    Outcome.IMPOSSIBLE: "No play within the scope shows it; every position there was looked at. If it says so, no play of any size does.",
    Outcome.VACUOUS: (
        "It holds only because its condition, or a part of it, never arises, or because no play fits what it assumes. That is not a pass."
    ),
    Outcome.UNKNOWN: "None of these; the reason comes with it.",
}

IN_SHORT: dict[str, str] = {
    Outcome.VACUOUS: "its condition never arises, or no play fits what it assumes. It says nothing, and that is no pass.",
    Outcome.BOUNDED: "nothing breaks it so far; the search was not finished.",
    Outcome.UNKNOWN: "not decided; the reason stands below.",
}
"""What those verdicts mean whose word does not say it."""
STATUS: dict[Status, tuple[str, str]] = {
    "met": ("met", "green"),
    "not met": ("NOT MET", "bold red"),
    "undecided": ("undecided", "yellow"),
    "too small": ("too small", "dim"),
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
