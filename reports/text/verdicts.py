"""What each verdict means, in a sentence: the words of docs/verdicts.md."""

from __future__ import annotations

from ...checker.types.verdict import Outcome

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
