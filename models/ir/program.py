"""The Program: its declarations, statements, expressions and types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Annotated, TypeAlias, TypeVar
from typing import Literal as OneOfWords

from .. import syntax
from ..frozen import frozen
from ..source import Source, Span
from ..syntax import NOWHERE

LocalName: TypeAlias = Annotated[str, "local"]
VariableName: TypeAlias = Annotated[str, "variable"]
AttributeName: TypeAlias = Annotated[str, "attribute"]
ZoneName: TypeAlias = Annotated[str, "zone"]
SequenceName: TypeAlias = Annotated[str, "sequence"]
StageName: TypeAlias = Annotated[str, "stage"]
Word: TypeAlias = Annotated[str, "word"]
"""The name of a kind of item, of a step or of another value."""


@frozen
class FlagType:
    """Yes or no."""


@frozen
class NumberType:
    """A number from *low* to *high*, both included; the bounds are constant expressions."""

    low: Expr
    high: Expr


@frozen
class EnumType:
    """One of *values*."""

    values: tuple[str, ...]


@frozen
class PlayerType:
    """A player; when *optional*, or nobody."""

    optional: bool = False


@frozen
class PlayersType:
    """A set of players."""


@frozen
class ItemType:
    """An item on a zone; only choices, quantifiers and spotlights have it."""


Type: TypeAlias = FlagType | NumberType | EnumType | PlayerType | PlayersType | ItemType


class YesOrNo:
    """An expression of any kind that is yes or no."""


class Connective(YesOrNo):
    """One that is made of conditions."""


class Amount:
    """An expression of any kind that is a number."""


class SomePlayers:
    """An expression of any kind that is a set of players."""


class NamedValue:
    """What has a name and a value there: its type is declared."""


@frozen
class Literal:
    """A value: bool, int, the name of an enum value, or None for nobody."""

    value: bool | int | str | None


@frozen
class OptionValue:
    """The value of an option that is still open; `configure` replaces it by a `Literal`."""

    name: str


@frozen
class PlayerNumber(Amount):
    """How many players there are."""


@frozen
class Local(NamedValue):
    """A stage's parameter, a choice, a ``let``, a quantified variable, or a spotlight of a
    formula.
    """

    name: LocalName


@frozen
class Variable(NamedValue):
    """A variable of the position; of one with an entry for each player, use `Entry`."""

    name: VariableName


@frozen
class Entry(NamedValue):
    """A player's entry of a variable that has one for each player."""

    name: VariableName
    player: Expr


@frozen
class Neighbour:
    """The player *offset* seats after *player* (+1 after, -1 before), around the table."""

    player: Expr
    offset: OneOfWords[1, -1]


@frozen
class Everyone(SomePlayers):
    """All players."""


@frozen
class NoPlayers(SomePlayers):
    """The empty set of players."""


@frozen
class With(SomePlayers):
    """*players* and *player*."""

    players: Expr
    player: Expr


@frozen
class Without(SomePlayers):
    """*players* but *player*."""

    players: Expr
    player: Expr


@frozen
class Contains(YesOrNo):
    """Whether *player* is one of *players*; nobody never is."""

    players: Expr
    player: Expr


@frozen
class Count(Amount):
    """How many *players* there are in a set."""

    players: Expr


@frozen
class Not(Connective):
    """Negation."""

    operand: Expr


@frozen
class All(Connective):
    """Conjunction, evaluated from the left; a later part may rely on an earlier one."""

    parts: tuple[Expr, ...]


@frozen
class Any(Connective):
    """Disjunction, evaluated from the left."""

    parts: tuple[Expr, ...]


@frozen
class Equal(YesOrNo):
    """Equality of two values of one type (two numbers, two players or nobody, two sets, two flags,
    two enum values).
    """

    left: Expr
    right: Expr


@frozen
class OneOf(YesOrNo):
    """Whether an enum value (a step, a kind …) is among *values*."""

    operand: Expr
    values: tuple[str, ...]


@frozen
class Less(YesOrNo):
    """Strictly less, of numbers."""

    left: Expr
    right: Expr


@frozen
class Add(Amount):
    """The sum of two numbers."""

    left: Expr
    right: Expr


@frozen
class Subtract(Amount):
    """The difference of two numbers."""

    left: Expr
    right: Expr


@frozen
class IsEmpty(YesOrNo):
    """Whether *zone* has no item."""

    zone: ZoneName


@frozen
class Size(Amount):
    """How many items are on *zone*."""

    zone: ZoneName


@frozen
class EndOf:
    """The item next to leave an ordered zone: the last of a lifo zone, the first of a fifo zone.

    Stands only where the zone is known not to be empty (`definite` has checked it).
    """

    zone: ZoneName


KIND = "kind"
CONTROLLER = "controller"


@frozen
class AttributeOf:
    """An attribute of an item: `KIND`, `CONTROLLER`, or a declared one."""

    item: Local | EndOf
    name: AttributeName


@frozen
class PlayersIn:
    """The players of a set, in turn order from the active player."""

    players: Expr


@frozen
class ItemsOn:
    """The items of a zone, in its order from the first (the bottom of a lifo zone)."""

    zone: ZoneName


@frozen
class NumbersFrom:
    """The numbers from *low* to *high*, both included, ascending."""

    low: Expr
    high: Expr


Domain: TypeAlias = PlayersIn | ItemsOn | NumbersFrom


@frozen
class Exists(YesOrNo):
    """Whether some element of *domain*, called *variable* in *body*, satisfies *body*."""

    variable: LocalName
    domain: Domain
    body: Expr


Fixed: TypeAlias = Literal | OptionValue | PlayerNumber | Everyone | NoPlayers
"""The same in every position."""
Stored: TypeAlias = Local | Variable | Entry
OfPlayers: TypeAlias = Neighbour | With | Without | Contains | Count
Logic: TypeAlias = Not | All | Any | Equal | OneOf | Exists
OfNumbers: TypeAlias = Less | Add | Subtract
OfZone: TypeAlias = IsEmpty | Size | EndOf | AttributeOf
Expr: TypeAlias = Fixed | Stored | OfPlayers | Logic | OfNumbers | OfZone

YES = Literal(True)
NO = Literal(False)


class Simple:
    """A statement after which the move goes on in one way, with the same names; no other statement
    stands in it.
    """


class SimpleOfItem(Simple):
    """One that puts an item somewhere, or says something of one."""


class SimpleOfState(Simple):
    """One that speaks of no item by itself."""


class Plain(SimpleOfState):
    """One in which no expression stands and that never makes a move impossible."""


@frozen
class Require:
    """The move is possible only if *condition* holds here."""

    condition: Expr


@frozen
class Put(SimpleOfItem):
    """A new item joins *zone*: at the end of an ordered one (the top of a lifo zone).

    A move that would exceed the zone's size in the scope is cut. *attributes* has a value for every
    declared attribute, in their order.
    """

    kind: Word
    controller: Expr
    attributes: tuple[Expr, ...]
    zone: ZoneName


@frozen
class Move(SimpleOfItem):
    """*item* leaves its zone and joins *zone* as by `Put`; a cut likewise."""

    item: Local | EndOf
    zone: ZoneName


@frozen
class Leave(SimpleOfItem):
    """*item* leaves its zone and the game: it *resolves*, or is *removed*."""

    item: Local | EndOf
    how: OneOfWords["resolves", "is removed"]


@frozen
class BeginResolving(SimpleOfItem):
    """*item* begins to resolve and stays where it is; nothing but an event."""

    item: Local | EndOf


@frozen
class Alter(SimpleOfItem):
    """*attribute* of *item*, which stays on its zone, becomes *value*.

    A number outside the attribute's range makes the move impossible. On a zone in any order the
    item lies where its new look puts it, after those that look like it.
    """

    item: Local | EndOf
    attribute: AttributeName
    value: Expr


@frozen
class Pass(Plain):
    """The owner of the move passes; nothing but an event."""


@frozen
class Advance(SimpleOfState):
    """*sequence* goes to its next step.

    After the last step the turn starts again with its first step and the next player becomes
    active; another sequence ends.
    """

    sequence: SequenceName


@frozen
class StepTo(Plain):
    """*sequence* goes to *step* (`NO_STEP`: it ends); the active player stays."""

    sequence: SequenceName
    step: Word


@frozen
class Assign(SimpleOfState):
    """*variable* (or *player*'s entry of it) becomes *value*.

    A number outside the variable's range makes the move impossible.
    """

    variable: VariableName
    player: Expr | None
    value: Expr


@frozen
class Let:
    """*variable* names the value that *value* has here."""

    variable: LocalName
    value: Expr


@frozen
class If:
    """*then* where *condition* holds, else *otherwise*; what follows the `If` follows both."""

    condition: Expr
    then: Block
    otherwise: Block


@frozen
class Nearest:
    """Of the candidates only those remain whose *player* comes first in turn order from
    *origin*.
    """

    player: Expr
    origin: Expr


@frozen
class Choose:
    """One move for each element of *domain* that satisfies *condition* (and, of those, *nearest*).

    The rest of the block sees it as *variable*. *by* is who chooses, and may speak of *variable*;
    None stands for the owner of the move, and ``"cards"`` for what card texts say.
    """

    variable: LocalName
    domain: Domain
    condition: Expr
    nearest: Nearest | None
    by: Expr | OneOfWords["cards"] | None


@frozen
class Branch:
    """One move for each of *options*, a titled block each; what follows follows all of them.

    *by* is a player, None for the owner of the move, or ``"cards"`` for what card texts may cause.
    Of a ``maybe`` the first option is that nothing happens; its title, if it has one, begins with
    `NOT`.
    """

    options: tuple[tuple[str, Block], ...]
    by: Expr | OneOfWords["cards"] | None


@frozen
class ForEach:
    """*body* is done for each element of *domain* that satisfies *condition*, which it calls
    *variable*.

    It is one `Leave`, `Move` or `Alter` of the item, or one `Assign` to the player's entry (none
    where that is left out). Which elements these are, and the values that are assigned, is read
    before anything changes; then it is done for one after the other, in the order of *domain*.
    Items of a zone in any order do not move to one that has an order, and none moves to the zone it
    is on.
    """

    variable: LocalName
    domain: PlayersIn | ItemsOn
    condition: Expr
    body: tuple[OfEach, ...]


@frozen
class Go:
    """The move ends; *stage* is next, with a value for each of its parameters."""

    stage: StageName
    arguments: tuple[Expr, ...]


@frozen
class GameOver:
    """The move ends, and so does the game."""


NOT = "no: "
"""How the title of what may happen begins where it does not."""

OfEach: TypeAlias = Leave | Move | Alter | Assign
"""What can be done for each of several."""
OfItem: TypeAlias = Put | Move | Leave | BeginResolving | Alter
OfState: TypeAlias = Pass | Advance | StepTo | Assign
Several: TypeAlias = Require | If | Let | Choose | Branch | ForEach
"""After one of these the move goes on in none, one or several ways, or with one name more; or
another statement stands in it.
"""
End: TypeAlias = Go | GameOver
Statement: TypeAlias = OfItem | OfState | Several | End
Block: TypeAlias = tuple[Statement, ...]


TURN = "turn"
"""The name of the sequence of a turn's steps; its variable is called `STEP`."""
STEP = "step"
ACTIVE = "active"
SEATS = "number of players"
"""The variable that holds the number of players where that is left open, up to that of the scope;
no ruleset can call one so.
"""
NO_STEP = "none"
"""The value of a sequence beside the turn while it is not going on."""


@frozen
class Option:
    """A switch: named *values* with titles, or the *numbers* from low to high; *default* is its
    value unless a setting says another.
    """

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    numbers: tuple[int, int] | None
    default: str | int
    cites: tuple[str, ...]

    @property
    def type(self) -> Type:
        """What its value is of."""
        if self.numbers is None:
            return EnumType(tuple(name for name, _ in self.values))
        low, high = self.numbers
        return NumberType(Literal(low), Literal(high))


@frozen
class Kind:
    """A kind of item; *also* is what else people call it, and so with a step and a clause."""

    name: str
    title: str
    tags: tuple[str, ...]
    also: tuple[str, ...] = ()


@frozen
class Attribute:
    """A declared attribute of all items, with its value where a ``put`` does not say."""

    name: str
    type: Type
    default: Expr


ORDERS = {"lifo": "last in first out", "fifo": "first in first out", "unordered": "in any order"}
"""How the order of a zone is written."""


MOST_PLAYERS, MOST_ITEMS = 16, 64
"""How many players a game has, and how many items of a zone a search looks at, at most."""


@frozen
class Zone:
    """A list of items. The items of an *unordered* zone are kept sorted, so that their order
    carries nothing.
    """

    name: str
    order: OneOfWords["lifo", "fifo", "unordered"]
    title: str
    tags: tuple[str, ...]

    @property
    def end_word(self) -> OneOfWords["top", "front"] | None:
        """What the place is called whose item leaves next."""
        return None if self.order == "unordered" else "top" if self.order == "lifo" else "front"


@frozen
class Step:
    """A step of a sequence, which it has under a *condition* on the options."""

    name: str
    title: str
    tags: tuple[str, ...]
    also: tuple[str, ...] = ()
    condition: Expr = YES


@frozen
class Sequence:
    """The turn, or a sequence beside it; *variable* holds its present step."""

    name: str
    variable: str
    title: str
    steps: tuple[Step, ...]

    def title_of(self, step: str) -> str:
        """Return the title of *step*, or its name if it has none."""
        found = _called(self.steps, step)
        return found.title or found.name


@frozen
class VariableDeclaration:
    """A variable of the position; *initial* is a constant expression."""

    name: str
    type: Type
    each_player: bool
    initial: Expr
    title: str
    tags: tuple[str, ...]


@frozen
class Parameter:
    """A parameter of a stage."""

    name: str
    type: Type


@frozen
class Owner:
    """Whose move a clause is.

    With *variable*, any player that satisfies *condition* (one move each, in turn order from the
    active player), called so in the clause; otherwise *player*, or if that is None the rules (of a
    must clause) or the cards (of a chance clause).
    """

    player: Expr | None = None
    variable: str | None = None
    condition: Expr = YES


Mode: TypeAlias = OneOfWords["may", "must", "chance"]
"""Whether somebody may use a clause, the rules do it, or luck."""


@frozen
class Clause:
    """One rule. *guard* is its conditions joined; its parts are those of the text, for
    explanations.

    Of a clause in a block ``the first that applies`` the guard also says that no clause above it in
    the block applies; *above* are the ids of those, each with what says that it does. *unfinished*
    says that its body is still to be written: then it ends the play, and what comes after is not
    known.
    """

    id: str
    title: str
    mode: Mode
    cites: tuple[str, ...]
    owner: Owner
    guard: Expr
    body: Block
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    above: tuple[tuple[str, Expr], ...] = ()
    unfinished: bool = False
    also: tuple[str, ...] = ()


@frozen
class Stage:
    """A stage; *priority* is who has priority in it: a player, a set of players, or None for
    nobody.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    priority: Expr | None
    clauses: tuple[Clause, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@frozen
class Claim:
    """What the author says: *name* is a property of the catalogue, or the claim's own name if it
    has a *formula*.

    The formula is still surface syntax: properties are typed against the Program by
    `stacklaw.properties`, of which this package knows nothing. So is what the deciding play has to
    make true at some moment, *containing*. It is not decided with fewer players or smaller zones
    than it *needs*. For *every_size* a proof alone meets it. It stands below the *heading*, if
    there is one.
    """

    expect: syntax.Expectation
    name: str
    title: str
    cites: tuple[str, ...]
    formula: syntax.Formula | None
    condition: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    needs: syntax.NamedSizes = ()
    containing: syntax.Expr | None = None
    every_size: bool = False
    heading: str = ""


@frozen
class Program:
    """A whole game.

    *name* is how people call it (``mtg``, ``mtg@split_second=yes``); *settings* the options that
    `configure` has fixed, all of them in a Program that an engine gets. *variables* starts with
    `ACTIVE`, then one for each sequence, then the declared state. *inactive* are the ids of clauses
    that the settings rule out, *inactive_stages* the names of stages that no play comes to under
    them, *inactive_steps* the names and tags of steps that are not there. Options that are left
    open have no setting. *terms* are kept for formulas only; the rules have them inlined.
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
    scope: syntax.NamedSizes
    claims: tuple[Claim, ...]
    left_out: tuple[syntax.LeftOut, ...]
    inactive: tuple[str, ...]
    terms: tuple[syntax.Term, ...]
    source: Source = field(default=Source("<text>", ""), compare=False, repr=False)
    inactive_stages: tuple[str, ...] = ()
    inactive_steps: tuple[str, ...] = ()

    @property
    def open_options(self) -> tuple[Option, ...]:
        """The options that have no setting."""
        settled = {name for name, _ in self.settings}
        return tuple(option for option in self.options if option.name not in settled)

    def stage(self, name: str) -> Stage:
        """Return the stage called *name*; KeyError if there is none."""
        return _called(self.stages, name)

    def sequence(self, name: str) -> Sequence:
        """Return the sequence called *name*, likewise."""
        return _called(self.sequences, name)

    def variable(self, name: str) -> VariableDeclaration:
        """Return the variable called *name*, likewise."""
        return _called(self.variables, name)

    def attribute(self, name: str) -> Attribute:
        """Return the attribute called *name*, likewise."""
        return _called(self.attributes, name)

    @property
    def clauses(self) -> tuple[tuple[Stage, Clause], ...]:
        """Every clause with its stage, in the order of the text."""
        return tuple((stage, clause) for stage in self.stages for clause in stage.clauses)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The ids of the clauses that are still to be written."""
        return tuple(clause.id for _, clause in self.clauses if clause.unfinished)

    def zones_tagged(self, role: str) -> tuple[Zone, ...]:
        """Return the zones of a *role*: tagged so, or named so if none is tagged.

        The catalogue knows the roles ``stack`` (there items wait to resolve) and ``waiting`` (there
        they wait to be put on the stack). Binding tags those whose items resolve where nothing is
        called a stack.
        """
        tagged = tuple(zone for zone in self.zones if role in zone.tags)
        return tagged or tuple(zone for zone in self.zones if zone.name == role)


_Declared = TypeVar("_Declared", Attribute, Sequence, Stage, Step, VariableDeclaration)


def _called(declared: Iterable[_Declared], name: str) -> _Declared:
    for one in declared:
        if one.name == name:
            return one
    raise KeyError(name)
