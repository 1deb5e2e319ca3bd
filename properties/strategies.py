"""Strategies: properties of the catalogue that ask for one. They cannot be written as formulas yet, and no engine decides them.

They keep their names here, so that asking for one gets a clear answer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Strategy:
    """A property that asks what a player can enforce; *text* says it in words."""

    name: str
    title: str
    why: str
    text: str


STRATEGIES = (
    Strategy(
        "deny_window",
        "a player can enforce that an item resolves before another player has priority",
        "a window that someone else can take away is no guarantee; the way to do it is a loophole",
        "for some item i, player p, player q: p can enforce (i resolves and not once (q has priority and i on stack))",
    ),
    Strategy(
        "stall",
        "a player can enforce that a turn never ends",
        "a player who is losing then never has to lose",
        "for some player p: p can enforce never turn ends",
    ),
)
