"""The Program: a ruleset after binding, typing and lowering. What every engine reads.

Names are resolved, terms and routines are inlined, sugar is gone, and every node means one thing.
The invariants a Program keeps are named checks in `wellformed`. Its meaning is the reference
interpreter (`stacklaw.checker.reference`).

Values: a flag is a bool, a number an int, an enum value its name, a player its seat (from 0, in turn
order; seat 0 starts), nobody is None, and a set of players an int whose bit *p* stands for seat *p*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOfWords
from typing import TypeAlias

from . import syntax
from .source import Source, Span

NOWHERE = syntax.NOWHERE
TURN = "turn"
"""The name of the sequence of a turn's steps; its variable is called `STEP`."""
STEP = "step"
ACTIVE = "active"
NO_STEP = "none"
"""The value of a sequence beside the turn while it is not going on."""

# ------------------------------------------------------------------ types


@dataclass(frozen=True, slots=True)
class FlagType:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class NumberType:
    """A number from *low* to *high*, both included; the bounds are constant expressions."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class EnumType:
    """One of *values*."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerType:
    """A player; when *optional*, or nobody."""

    optional: bool = False


@dataclass(frozen=True, slots=True)
class PlayersType:
    """A set of players."""


@dataclass(frozen=True, slots=True)
class ItemType:
    """An item on a zone; only choices, quantifiers and spotlights have it."""


Type: TypeAlias = FlagType | NumberType | EnumType | PlayerType | PlayersType | ItemType


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Literal:
    """A value: bool, int, the name of an enum value, or None for nobody."""

    value: bool | int | str | None


@dataclass(frozen=True, slots=True)
class OptionValue:
    """The value of an option that is still open; `configure` replaces it by a `Literal`."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayerNumber:
    """How many players there are."""


@dataclass(frozen=True, slots=True)
class Local:
    """A stage's parameter, a choice, a ``let``, a quantified variable, or a spotlight of a formula."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the position; of one with an entry for each player, use `Entry`."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's entry of a variable that has one for each player."""

    name: str
    player: Expr


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The player *offset* seats after *player* (+1 after, -1 before), around the table."""

    player: Expr
    offset: OneOfWords[1, -1]


@dataclass(frozen=True, slots=True)
class Everyone:
    """All players."""


@dataclass(frozen=True, slots=True)
class NoPlayers:
    """The empty set of players."""


@dataclass(frozen=True, slots=True)
class With:
    """*players* and *player*."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Without:
    """*players* but *player*."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether *player* is one of *players*; nobody never is."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class All:
    """Conjunction, evaluated from the left; a later part may rely on an earlier one."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Disjunction, evaluated from the left."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Equality of two values of one type (two numbers, two players or nobody, two sets, two flags, two enum values)."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whether an enum value (a step, a kind …) is among *values*."""

    operand: Expr
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Less:
    """Strictly less, of numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of two numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Subtract:
    """The difference of two numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty:
    """Whether *zone* has no item."""

    zone: str


@dataclass(frozen=True, slots=True)
class Size:
    """How many items are on *zone*."""

    zone: str


@dataclass(frozen=True, slots=True)
class EndOf:
    """The item next to leave an ordered zone: the last of a lifo zone, the first of a fifo zone.

    Stands only where the zone is known not to be empty (`definite` has checked it).
    """

    zone: str


KIND = "kind"
CONTROLLER = "controller"


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """An attribute of an item: `KIND`, `CONTROLLER`, or a declared one."""

    item: Local | EndOf
    name: str


@dataclass(frozen=True, slots=True)
class PlayersIn:
    """The players of a set, in turn order from the active player."""

    players: Expr


@dataclass(frozen=True, slots=True)
class ItemsOn:
    """The items of a zone, in its order from the first (the bottom of a lifo zone)."""

    zone: str


@dataclass(frozen=True, slots=True)
class NumbersFrom:
    """The numbers from *low* to *high*, both included, ascending."""

    low: Expr
    high: Expr


Domain: TypeAlias = PlayersIn | ItemsOn | NumbersFrom


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether some element of *domain*, called *variable* in *body*, satisfies *body*."""

    variable: str
    domain: Domain
    body: Expr


Expr: TypeAlias = (
    Literal | OptionValue | PlayerNumber | Local | Variable | Entry | Neighbour | Everyone | NoPlayers | With | Without
    | Contains | Not | All | Any | Equal | OneOf | Less | Add | Subtract | IsEmpty | Size | EndOf | AttributeOf | Exists
)  # fmt: skip

YES = Literal(True)
NO = Literal(False)

# ------------------------------------------------------------------ statements


@dataclass(frozen=True, slots=True)
class Require:
    """The move is possible only if *condition* holds here."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Put:
    """A new item joins *zone*: at the end of an ordered one (the top of a lifo zone).

    A move that would exceed the zone's size in the scope is cut. *attributes* has a value for every
    declared attribute, in their order.
    """

    kind: str
    controller: Expr
    attributes: tuple[Expr, ...]
    zone: str


@dataclass(frozen=True, slots=True)
class Move:
    """*item* leaves its zone and joins *zone* as by `Put`; a cut likewise."""

    item: Local | EndOf
    zone: str


@dataclass(frozen=True, slots=True)
class Leave:
    """*item* leaves its zone and the game: it *resolves*, or is *removed*."""

    item: Local | EndOf
    how: OneOfWords["resolves", "is removed"]


@dataclass(frozen=True, slots=True)
class BeginResolving:
    """*item* begins to resolve and stays where it is; nothing but an event."""

    item: Local | EndOf


@dataclass(frozen=True, slots=True)
class Pass:
    """The owner of the move passes; nothing but an event."""


@dataclass(frozen=True, slots=True)
class Advance:
    """*sequence* goes to its next step.

    After the last step the turn starts again with its first step and the next player becomes active;
    another sequence ends.
    """

    sequence: str


@dataclass(frozen=True, slots=True)
class StepTo:
    """*sequence* goes to *step* (`NO_STEP`: it ends); the active player stays."""

    sequence: str
    step: str


@dataclass(frozen=True, slots=True)
class Assign:
    """*variable* (or *player*'s entry of it) becomes *value*.

    A number outside the variable's range makes the move impossible.
    """

    variable: str
    player: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Let:
    """*variable* names the value that *value* has here."""

    variable: str
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    """*then* where *condition* holds, else *otherwise*; what follows the `If` follows both."""

    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Nearest:
    """Of the candidates only those remain whose *player* comes first in turn order from *origin*."""

    player: Expr
    origin: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """One move for each element of *domain* that satisfies *condition* (and, of those, *nearest*).

    The rest of the block sees it as *variable*. *by* is who chooses, and may speak of *variable*;
    None stands for the owner of the move.
    """

    variable: str
    domain: Domain
    condition: Expr
    nearest: Nearest | None
    by: Expr | None


@dataclass(frozen=True, slots=True)
class Branch:
    """One move for each of *options*, a titled block each; what follows follows all of them.

    *by* is ``"cards"`` for what card texts may cause (the first option is then that nothing
    happens), None for the owner of the move, or a player.
    """

    options: tuple[tuple[str, Block], ...]
    by: Expr | OneOfWords["cards"] | None


@dataclass(frozen=True, slots=True)
class Go:
    """The move ends; *stage* is next, with a value for each of its parameters."""

    stage: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The move ends, and so does the game."""


Statement: TypeAlias = (
    Require | Put | Move | Leave | BeginResolving | Pass | Advance | StepTo | Assign | Let | If | Choose | Branch | Go | GameOver
)
Block: TypeAlias = tuple[Statement, ...]

# ------------------------------------------------------------------ declarations


@dataclass(frozen=True, slots=True)
class Option:
    """A switch: named *values* with titles, or the *numbers* from low to high; *default* is its value if nobody says."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    numbers: tuple[int, int] | None
    default: str | int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item."""

    name: str
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared attribute of all items, with its value where a ``put`` does not say."""

    name: str
    type: Type
    default: Expr


@dataclass(frozen=True, slots=True)
class Zone:
    """A list of items. The items of an *unordered* zone are kept sorted, so that their order carries nothing."""

    name: str
    order: OneOfWords["lifo", "fifo", "unordered"]
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a sequence."""

    name: str
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """The turn, or a sequence beside it; *variable* holds its present step."""

    name: str
    variable: str
    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """A variable of the position; *initial* is a constant expression."""

    name: str
    type: Type
    each_player: bool
    initial: Expr
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a stage."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose move a clause is.

    With *variable*, any player that satisfies *condition* (one move each, in turn order from the
    active player), called so in the clause; otherwise *player*, or if that is None the rules (of a
    must clause) or the cards (of a chance clause).
    """

    player: Expr | None = None
    variable: str | None = None
    condition: Expr = YES


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule. *guard* is its conditions joined; its parts are those of the text, for explanations."""

    id: str
    title: str
    mode: OneOfWords["may", "must", "chance"]
    cites: tuple[str, ...]
    owner: Owner
    guard: Expr
    body: Block
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage; *priority* is who has priority in it (a player, or a set of players), None if nobody."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    priority: Expr | None
    clauses: tuple[Clause, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """What the author says: *name* is a property of the catalogue, or the claim's own name if it has a *formula*.

    The formula is still surface syntax: properties are typed against the Program by
    `stacklaw.properties`, of which this package knows nothing.
    """

    expect: syntax.Expectation
    name: str
    title: str
    cites: tuple[str, ...]
    formula: syntax.Formula | None
    condition: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Statements of the document that the model leaves out, and why."""

    ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game.

    *name* is how people call it (``mtg``, ``mtg@split_second=yes``); *settings* the options that
    `configure` has fixed, all of them in a Program that an engine gets. *variables* starts with
    `ACTIVE`, then one for each sequence, then the declared state. *inactive* are the ids of clauses
    that the settings rule out. *terms* are kept for formulas only; the rules have them inlined.
    """

    name: str
    title: str
    document: str
    players: tuple[int, int | None]
    options: tuple[Option, ...]
    settings: tuple[tuple[str, str | int], ...]
    kinds: tuple[Kind, ...]
    attributes: tuple[Attribute, ...]
    zones: tuple[Zone, ...]
    sequences: tuple[Sequence, ...]
    variables: tuple[VariableDeclaration, ...]
    stages: tuple[Stage, ...]
    start: Go
    scope: tuple[tuple[str, int], ...]
    claims: tuple[Claim, ...]
    left_out: tuple[LeftOut, ...]
    inactive: tuple[str, ...]
    terms: tuple[syntax.Term, ...]
    source: Source = field(default=Source("<text>", ""), compare=False, repr=False)

    def stage(self, name: str) -> Stage:
        """Return the stage called *name*; KeyError if there is none."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise KeyError(name)

    def zone(self, name: str) -> Zone:
        """Return the zone called *name*; KeyError if there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)

    @property
    def clauses(self) -> tuple[tuple[Stage, Clause], ...]:
        """Every clause with its stage, in the order of the text."""
        return tuple((stage, clause) for stage in self.stages for clause in stage.clauses)

    def zones_tagged(self, role: str) -> tuple[Zone, ...]:
        """Return the zones of a *role*: tagged so, or named so if none is tagged.

        The catalogue knows the roles ``stack`` (there items wait to resolve) and ``waiting`` (there
        they wait to be put on the stack).
        """
        tagged = tuple(zone for zone in self.zones if role in zone.tags)
        return tagged or tuple(zone for zone in self.zones if zone.name == role)
