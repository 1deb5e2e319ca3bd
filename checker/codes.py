"""The codes of what can be wrong with a question: a closed table, code to meaning."""

from __future__ import annotations

CODES: dict[str, str] = {
    "C101": "the scope names a zone that the ruleset does not have",
    "C102": "the game is not played by so many players",
    "C103": "a size in the scope is less than 1",
    "C104": "the scope is larger than any search can look at",
    "C105": "a variable's first value is outside its range for so many players",
    "C106": "the budget is not positive",
}
