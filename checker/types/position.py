"""Positions, moves, traces and strategies: plays as every engine tells them."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ...models.frozen import frozen
from ...models.ir import Program
from ...properties.formula import Property

MOST_ON_GRAPH = 25_000
"""Of how many packed positions a game may be of which the reference looks at everything; the
others' answer is looked for there only.
"""
WITHOUT_TABLE, WITHOUT_PLAY = "told without a table", "told without a play"
"""What notes on a verdict say if these were not looked for, or not to the end."""
NO_ANSWER = (
    f"what nobody can enforce is {WITHOUT_TABLE} where the game has more than {MOST_ON_GRAPH:,} "
    "packed positions"
)
"""The note on a verdict about a game of more."""


@frozen
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


@frozen
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


@frozen
class GuardedGame:
    """A game in which a table binds who follows it: the *program* with its rows as guards, and the
    *properties* that then have to hold.
    """

    program: Program
    properties: tuple[Property, ...]


@frozen
class TraceStep:
    """A move and the position it leads to."""

    move: Move
    position: Position


@frozen
class SpotlitItem:
    """The item an item spotlight watches: put on a zone at moment *since* by event number *event*
    of that move.
    """

    item: Item
    since: int
    event: int


@frozen
class Trace:
    """A play whose last moment decides a question; with a *loop* or a *growth*, one that goes on
    for ever.

    Such a play goes back from its last moment to moment number *loop*, and round and round; or the
    moves after moment number *growth* can be made again and again, and each time some zones have
    more items (`growth`). It has one of the two at most. *spotlights* says which player (a seat) or
    which item each spotlight of the property stands for; an item spotlight that stands for no item
    in this play is left out.
    """

    initial: Position
    steps: tuple[TraceStep, ...]
    spotlights: tuple[tuple[str, int | SpotlitItem], ...] = ()
    loop: int | None = None
    growth: int | None = None

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions at moments 0, 1 and so on."""
        return (self.initial, *(step.position for step in self.steps))


Value: TypeAlias = "bool | int | str | tuple[bool | int | str | None, ...] | None"
"""See `stacklaw.models.ir` for the values; a variable with an entry for each player is a tuple by
seat.
"""

OVER = ""
"""The stage of a position in which the game is over."""


class Item(NamedTuple):
    """An item on a zone; *attributes* in the order of their declarations."""

    kind: str
    controller: int
    attributes: tuple[bool | int | str | None, ...] = ()


class Position(NamedTuple):
    """All of the state between two moves.

    *values* are in the order of `Program.variables` and *zones* in that of `Program.zones`, each a
    tuple of items from its first (the bottom of a lifo zone) to its last.
    """

    stage: str
    arguments: tuple[Value, ...]
    values: tuple[Value, ...]
    zones: tuple[tuple[Item, ...], ...]


EventKind = Literal[
    "put",
    "move",
    "changes",
    "resolves",
    "is removed",
    "begins resolving",
    "passes",
    "step ends",
    "sequence ends",
    "sequence begins",
    "step begins",
]


class Event(NamedTuple):
    """Something that happens within a move, in the order of the clause's text.

    *zone* and *at* are the place of *item* (after a ``put``, before anything else); *to_zone* and
    *to_at* its new place after a ``move``, or, on the same zone, after it ``changes``: then *item*
    is what it has become. *player* passes. *sequence* and *step* name the step that ends or begins
    (of a sequence beside the turn, `ir.NO_STEP` never does); a sequence that ends or begins as a
    whole does so between the two, and has no *step*.
    """

    kind: EventKind
    item: Item | None = None
    zone: int = -1
    at: int = -1
    to_zone: int = -1
    to_at: int = -1
    player: int | None = None
    sequence: str = ""
    step: str = ""


class Choice(NamedTuple):
    """A choice made in a move: *by* a player, the ``rules`` or the ``cards``, of *value* for
    *what*.

    *what* is the variable of a ``choose`` and *value* its value (an item for an item, with *at*
    its place in its zone); for a branch *what* is empty and *value* the title of the option taken,
    *at* its number.
    """

    by: int | Literal["rules", "cards"]
    what: str
    value: Value | Item
    at: int = -1


class Move(NamedTuple):
    """One firing of one clause with its choices made; *owner* is a player, the ``rules`` or the
    ``cards``.
    """

    clause: str
    owner: int | Literal["rules", "cards"]
    choices: tuple[Choice, ...]
    events: tuple[Event, ...]
