"""Strategies as data: a table of what to do when, in the words of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass

from ...models.ir import Program
from ...properties.formula import Property

MOST_ON_GRAPH = 25_000
"""Of how many packed positions a game may be of which the reference looks at everything; the
others' answer is looked for there only.
"""
WITHOUT_TABLE, WITHOUT_PLAY = "told without a table", "told without a play"
"""What notes on a verdict say where nobody looked for these, or not to the end."""
NO_ANSWER = f"what nobody can enforce is {WITHOUT_TABLE} where the game has more than {MOST_ON_GRAPH:,} packed positions"
"""The note on a verdict about a game of more."""


@dataclass(frozen=True)
class TableRow:
    """What *player*, by the name in the property, does when all of *when* is so: the clause, or the
    *choice* in it where it is one.

    *when* are conditions in the words of the ruleset, some of them about the past; *title* is that
    of the clause. Where others answer, *player* may be the rules or the cards, and a row without a
    clause leaves the move to *player*, who is of the coalition.
    """

    player: str
    when: tuple[str, ...]
    clause: str
    title: str
    choice: str


@dataclass(frozen=True)
class StrategyTable:
    """Rows of which any that applies may be followed; where none does, the players do as they like.

    *is_smallest* says that no table with fewer rows and conditions together wins. That is so among
    tables whose rows have two conditions at most, each about the end of a zone, a step, a flag, a
    guard or what the objective remembers.

    It was played: *positions* is how many positions, each with what is remembered, it leads to. It
    *is_proved* if it wins at every size, too. If it *is_answer* it is what the others do, within
    the scope, so that the coalition does not get what it wants.
    """

    rows: tuple[TableRow, ...]
    is_smallest: bool
    positions: int
    is_proved: bool = False
    is_answer: bool = False


@dataclass(frozen=True)
class GuardedGame:
    """A game in which a table binds who follows it: the *program* with its rows as guards, and the
    *properties* that then have to hold.
    """

    program: Program
    properties: tuple[Property, ...]
