"""A frame: the state in the middle of a move, as terms over the state before it and what is chosen
in it.

What a term may be besides a Z3 term: a set of players, an entry for each tracked player, an item.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import z3

from ....models import ir
from ....models.frozen import frozen
from ..solver import terms as t
from .players import Players
from .weakenings import Weakening

UNSEEN, GONE, FIRST_ZONE = 0, 1, 2
"""Where a spotlit item is: not put on any zone yet, gone from the game, or on the zone of that
number.
"""


@frozen
class Run:
    """How many players a set has, and whether these are the *last* one and those who sit before,
    *together* around the table.
    """

    size: t.Integer
    together: t.Bool
    last: t.Integer


@frozen
class PlayerSet:
    """A set of players: whether each tracked one is in it, and whether all the *others* are (None:
    who knows).

    *run* is how many there are, and what is known of where they sit, if the encoding remembers
    that.
    """

    members: tuple[t.Bool, ...]
    others: t.Bool | None
    run: Run | None = None


@frozen
class Entries:
    """A value for each tracked player."""

    values: tuple[t.Term, ...]


@frozen
class ItemTerm:
    """An item on *zone*: its *place* there (None on a zone in any order), its attributes, and which
    spotlit one it is.
    """

    zone: str
    place: t.Integer | None
    attributes: Mapping[str, t.Term]
    same: Mapping[str, t.Bool]


@frozen
class Spot:
    """What is known of a spotlit item: *where* it is, its *place* there, and its attributes."""

    where: t.Integer
    place: t.Integer
    attributes: Mapping[str, t.Term]


SymbolicValue: TypeAlias = t.Term | PlayerSet | Entries | ItemTerm

SymbolicEventKind: TypeAlias = Literal[
    "put",
    "move",
    "resolves",
    "is removed",
    "begins resolving",
    "passes",
    "step ends",
    "sequence ends",
    "sequence begins",
    "step begins",
]


@frozen
class SymbolicEvent:
    """An event of a move, which takes place where *when* is true; *same* says which spotlit item it
    concerns.
    """

    kind: SymbolicEventKind
    when: t.Bool = t.TRUE
    same: Mapping[str, t.Bool] = field(default_factory=dict)
    zone: str = ""
    to_zone: str = ""
    player: t.Integer | None = None
    sequence: str = ""


@dataclass
class EncodingContext:
    """What the frames of one encoding share: the Program, its players, and what was left out on the
    way.

    *asked* are the attributes of items that anything asks for, *attributes* those that are
    remembered of the spotlit *items*, and *tops* those of the items next to leave a zone.
    *counting* says whether items are counted, or only told apart as none and some, *sets* whether
    the players in a set are. *listed* is how many items of each zone are remembered one by one.
    """

    program: ir.Program
    players: Players
    items: tuple[str, ...]
    asked: frozenset[str]
    attributes: frozenset[str]
    tops: frozenset[tuple[str, str]]
    variables: frozenset[str]
    counting: bool
    sets: bool
    listed: int
    weakenings: set[Weakening] = field(default_factory=set)
    codes: dict[str, int] = field(default_factory=dict)
    types: dict[str, ir.Type] = field(default_factory=dict)
    counter: int = 0

    @cached_property
    def zones(self) -> dict[str, int]:
        """The number of each zone."""
        return {zone.name: number for number, zone in enumerate(self.program.zones, FIRST_ZONE)}

    @cached_property
    def orders(self) -> dict[str, str]:
        """The order of each zone: one in any order is listed like a stack."""
        return {
            zone.name: "lifo" if self.listed and zone.order == "unordered" else zone.order
            for zone in self.program.zones
        }

    def code(self, value: str) -> t.Integer:
        """Return the number that stands for a named value."""
        return t.number(self.codes.setdefault(value, len(self.codes)))

    def fresh_number(self, what: str) -> t.Integer:
        """Return a number about which nothing is known."""
        self.counter += 1
        return z3.Int(f"{what}!{self.counter}")

    def fresh_truth(self, what: str) -> t.Bool:
        """Return a truth about which nothing is known."""
        self.counter += 1
        return z3.Bool(f"{what}!{self.counter}")


@dataclass
class SymbolicFrame:
    """The state in the middle of a move.

    *conditions* is what has to be true for the move to come this far. *facts* is what is known of
    the constants that stand for what was chosen or guessed; for all values of everything else,
    there are values for these. *owner* is None for the rules and the cards. *first* says of two
    spotlit items whether the first one leaves first, if they are on one ordered zone and places are
    not counted. *chosen* is the number of the first constant that depends on a choice. *memo* has
    what was guessed of expressions since the state was last changed, where one guess has to serve
    several clauses; *shared* are the locals that all of these have. *listed* are attributes of the
    first items of zones. A *guarded* frame assumes each fact only where the move comes so far. It
    is one of many that are looked at together, so its facts must not bind positions in which its
    move is not made.
    """

    context: EncodingContext
    values: dict[str, SymbolicValue]
    sizes: dict[str, t.Integer]
    tops: dict[tuple[str, str], t.Term]
    spots: dict[str, Spot]
    first: dict[tuple[str, str], t.Bool]
    locals: dict[str, SymbolicValue]
    conditions: list[t.Bool] = field(default_factory=list)
    facts: list[t.Bool] = field(default_factory=list)
    events: list[SymbolicEvent] = field(default_factory=list)
    owner: t.Integer | None = None
    chosen: int | None = None
    memo: dict[ir.Expr, t.Bool] | None = None
    shared: frozenset[str] = frozenset()
    listed: dict[tuple[str, str], tuple[t.Term, ...]] = field(default_factory=dict)
    guarded: bool = False

    def copy(self) -> SymbolicFrame:
        """Return a frame of its own in the same state."""
        return SymbolicFrame(
            self.context, dict(self.values), dict(self.sizes), dict(self.tops), dict(self.spots),
            dict(self.first), dict(self.locals), list(self.conditions), list(self.facts),
            list(self.events), self.owner, self.chosen, self.memo, self.shared, dict(self.listed),
            self.guarded,
        )  # fmt: skip

    def require(self, condition: t.Bool) -> None:
        """Let the frame stand only for moves of which *condition* is true."""
        if not t.is_true(condition):
            self.conditions.append(condition)

    def assume(self, fact: t.Bool) -> None:
        """Let the frame stand only for values of the chosen and guessed constants of which *fact*
        is true.
        """
        if self.guarded:
            fact = t.implies(t.all_of(self.conditions), fact)
        if not t.is_true(fact):
            self.facts.append(fact)

    def choose(self) -> None:
        """Say that what follows depends on a choice."""
        if self.chosen is None:
            self.chosen = self.context.counter + 1

    @property
    def is_impossible(self) -> bool:
        """Whether no move comes this far."""
        return any(t.is_false(condition) for condition in self.conditions)

    def seat(self, what: str) -> t.Integer:
        """Return some player."""
        seat = self.context.fresh_number(what)
        self.assume(self.context.players.is_seat(seat))
        return seat

    def on(self, item: str, zone: str) -> t.Bool:
        """Whether a spotlit item is on *zone*."""
        return t.equal(self.spots[item].where, t.number(self.context.zones[zone]))

    def at(self, item: str, zone: str, place: t.Integer) -> t.Bool:
        """Whether a spotlit item is at *place* of *zone*."""
        return t.both(self.on(item, zone), t.equal(self.spots[item].place, place))

    def seen(self, item: str) -> t.Bool:
        """Whether a spotlit item has been put on a zone."""
        return t.negation(t.equal(self.spots[item].where, t.number(UNSEEN)))
