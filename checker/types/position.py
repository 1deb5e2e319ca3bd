"""Positions and moves: what a play is made of, as every engine tells it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

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
