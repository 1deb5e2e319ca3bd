"""The surface syntax: a text as written, names not yet bound and types not yet known.

`parse` makes it, `format` prints it, `bind` reads it. Every node carries the span it came from,
which takes no part in comparisons: two texts that read alike have equal trees.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .source import Span

NOWHERE = Span(0, 0, 0)


@dataclass(frozen=True, kw_only=True)
class Node:
    """Anything written in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


# ------------------------------------------------------------------ expressions and formulas


@dataclass(frozen=True)
class Name(Node):
    """A bare name, whose meaning depends on the place: a variable, a step, a kind, a tag."""

    name: str


@dataclass(frozen=True)
class Number(Node):
    """A number as written."""

    value: int


WordText = Literal["yes", "no", "everyone", "players", "nobody", "none", "empty", "someone", "something"]


@dataclass(frozen=True)
class Word(Node):
    """A word of the language that stands for a value or a subject."""

    word: WordText


@dataclass(frozen=True)
class Call(Node):
    """A term applied to arguments: ``sorcery_time(holder)``."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True)
class PlayerNumber(Node):
    """``number of players``."""


@dataclass(frozen=True)
class Size(Node):
    """``size of ZONE``."""

    zone: str


@dataclass(frozen=True)
class EndOf(Node):
    """``top of ZONE`` or ``front of ZONE``: the item that is next to leave an ordered zone."""

    end: Literal["top", "front"]
    zone: str


@dataclass(frozen=True)
class Of(Node):
    """``NAME of X``: an attribute of an item, or a player's entry of a state variable."""

    name: str
    operand: Expr


@dataclass(frozen=True)
class Neighbour(Node):
    """``after P`` or ``before P``: the neighbour of a player in turn order."""

    side: Literal["after", "before"]
    player: Expr


BinaryOperator = Literal[
    "and", "or", "implies", "since", "until", "leads to",
    "is", "is not", "<", "<=", ">", ">=", "in", "not in", "comes first from",
    "+", "-", "but",
]  # fmt: skip


@dataclass(frozen=True)
class Binary(Node):
    """Two operands and an operator between them."""

    operator: BinaryOperator
    left: Expr
    right: Expr


UnaryOperator = Literal["not", "always", "never", "possible", "eventually", "once", "historically", "previously"]


@dataclass(frozen=True)
class Unary(Node):
    """An operator before its operand."""

    operator: UnaryOperator
    operand: Expr


@dataclass(frozen=True)
class OneOf(Node):
    """``X is one of (a, b)``."""

    operand: Expr
    names: tuple[str, ...]


@dataclass(frozen=True)
class Range(Node):
    """``A to B``, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Quantified(Node):
    """``some X in D where F``, ``no X in D where F``, ``every X in D satisfies F``."""

    quantifier: Literal["some", "no", "every"]
    variable: str
    domain: Domain
    body: Expr


PhraseKind = Literal[
    "has priority", "passes", "acts", "may act", "may pass", "resolves", "begins resolving", "is put on", "leaves",
    "is removed", "on", "begins", "ends", "uses", "clause", "clause is possible", "at", "game is over",
    "no clause applies", "clauses conflict",
]  # fmt: skip


@dataclass(frozen=True)
class Phrase(Node):
    """What only a formula may say: who has priority, what happens in a move, what is enabled.

    *subject* is the player or item before the words (or `Word` someone, something, nobody), and
    *name* the zone, stage or clause id after them; either is None where the phrase has none.
    """

    kind: PhraseKind
    subject: Expr | None = None
    name: str | None = None


Expr: TypeAlias = Name | Number | Word | Call | PlayerNumber | Size | EndOf | Of | Neighbour | Binary | Unary | OneOf | Quantified | Phrase
Domain: TypeAlias = Expr | Range


# ------------------------------------------------------------------ types


@dataclass(frozen=True)
class FlagType(Node):
    """``flag``: yes or no."""


@dataclass(frozen=True)
class PlayerType(Node):
    """``player``, or ``player or nobody`` when *optional*."""

    optional: bool = False


@dataclass(frozen=True)
class PlayersType(Node):
    """``players``: a set of players."""


@dataclass(frozen=True)
class EnumType(Node):
    """``a or b or c``."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class NumberType(Node):
    """``LOW to HIGH``, both included; the bounds are constant."""

    low: Expr
    high: Expr


Type: TypeAlias = FlagType | PlayerType | PlayersType | EnumType | NumberType


@dataclass(frozen=True)
class Parameter(Node):
    """``NAME: TYPE`` of a stage, a term or a routine."""

    name: str
    type: Type


# ------------------------------------------------------------------ statements


@dataclass(frozen=True)
class When(Node):
    """A guard of the clause; stands before anything that changes the position."""

    condition: Expr


@dataclass(frozen=True)
class By(Node):
    """Whose move it is: a player, or with *variable* any player that satisfies *condition*."""

    player: Expr | None = None
    variable: str | None = None
    condition: Expr | None = None


@dataclass(frozen=True)
class Require(Node):
    """What must hold here, or the whole move is not possible."""

    condition: Expr


@dataclass(frozen=True)
class Put(Node):
    """A new item of *kind* on *zone*; controlled by *by*, or else by the owner of the move."""

    kind: str
    zone: str
    by: Expr | None = None
    settings: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True)
class ItemEffect(Node):
    """``move X to ZONE``, ``remove X``, ``resolve X``, ``begin resolving X``; *zone* only with move."""

    effect: Literal["move", "remove", "resolve", "begin resolving"]
    item: Name | EndOf
    zone: str | None = None


@dataclass(frozen=True)
class Pass(Node):
    """The owner of the move passes."""


@dataclass(frozen=True)
class StepEffect(Node):
    """``advance [SEQ]``, ``begin SEQ``, ``end SEQ``, ``skip to STEP``; *name* is None for the turn."""

    effect: Literal["advance", "begin", "end", "skip to"]
    name: str | None = None


@dataclass(frozen=True)
class Assign(Node):
    """``NAME := X``, ``NAME += X``, ``NAME -= X``; *player* picks the entry of ``NAME of PLAYER``."""

    operator: Literal[":=", "+=", "-="]
    name: str
    player: Expr | None
    value: Expr


@dataclass(frozen=True)
class Let(Node):
    """A name for a value of this moment."""

    name: str
    value: Expr


@dataclass(frozen=True)
class If(Node):
    """Branches on conditions; an ``else if`` is an `If` alone in *otherwise*."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True)
class Choose(Node):
    """One of *domain*, chosen by *by* or else by the owner of the move."""

    variable: str
    domain: Domain
    condition: Expr | None = None
    by: Expr | None = None


@dataclass(frozen=True)
class Maybe(Node):
    """What the cards may cause here, or not."""

    body: Block
    title: str = ""


@dataclass(frozen=True)
class Either(Node):
    """One of several bodies, each with a title; chosen by *by* or else by the owner of the move."""

    options: tuple[tuple[str, Block], ...]
    by: Expr | None = None


@dataclass(frozen=True)
class Do(Node):
    """The statements of a routine, with arguments."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Go(Node):
    """The stage that is next."""

    stage: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class GameOver(Node):
    """The game ends here, as it should."""


Statement: TypeAlias = (
    When | By | Require | Put | ItemEffect | Pass | StepEffect | Assign | Let | If | Choose | Maybe | Either | Do | Go | GameOver
)
Block: TypeAlias = tuple[Statement, ...]


# ------------------------------------------------------------------ declarations


@dataclass(frozen=True)
class PlayersHeader(Node):
    """How many players the game is for; *most* is None for "or more"."""

    least: int
    most: int | None


@dataclass(frozen=True)
class OptionValue(Node):
    """One value of an option, with the text that supports it."""

    name: str
    title: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option(Node):
    """A switch of the ruleset: named *values* (the first is the default), or *numbers* (low, high, default)."""

    name: str
    title: str
    values: tuple[OptionValue, ...] = ()
    numbers: tuple[int, int, int] | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class ItemKind(Node):
    """A kind of item."""

    name: str
    title: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attribute(Node):
    """Something every item carries beside kind and controller."""

    name: str
    type: Type
    default: Expr | None = None


@dataclass(frozen=True)
class Zone(Node):
    """An ordered (or unordered) list of items."""

    name: str
    order: Literal["lifo", "fifo", "unordered"]
    title: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step(Node):
    """One step of a sequence."""

    name: str
    title: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sequence(Node):
    """The turn (*name* ``turn``), or a sequence beside it such as a battle."""

    name: str
    steps: tuple[Step, ...]
    title: str = ""


@dataclass(frozen=True)
class StateVariable(Node):
    """A part of the position; with *each_player* one entry a player."""

    name: str
    type: Type
    each_player: bool = False
    initial: Expr | None = None
    title: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term(Node):
    """A named expression."""

    name: str
    parameters: tuple[Parameter, ...]
    meaning: Expr


@dataclass(frozen=True)
class Routine(Node):
    """Named statements, used by ``do``."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    title: str = ""


@dataclass(frozen=True)
class Clause(Node):
    """One rule: who may or must do what, when, and which stage is next."""

    mode: Literal["may", "must", "chance"]
    id: str
    title: str
    body: Block
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage(Node):
    """Where the game is in its own procedure; *priority* says who has priority in it."""

    name: str
    parameters: tuple[Parameter, ...]
    clauses: tuple[Clause, ...]
    priority: Expr | None = None
    title: str = ""


@dataclass(frozen=True)
class Spotlight(Node):
    """A quantified variable of a formula."""

    kind: Literal["item", "player", "clause"]
    name: str


@dataclass(frozen=True)
class Formula(Node):
    """A property as written; *about* is what must happen for it to mean anything, if it is said.

    *quantifier* is the word before the spotlights, and ``every`` if there are none.
    """

    quantifier: Literal["every", "some"]
    spotlights: tuple[Spotlight, ...]
    body: Expr
    about: Expr | None = None


Expectation = Literal["holds", "fails", "possible", "impossible", "vacuous"]


@dataclass(frozen=True)
class Claim(Node):
    """What the author says of a property: one of the catalogue by *name*, or *formula* under that name.

    *condition* says under which options the claim is made.
    """

    expect: Expectation
    name: str
    title: str = ""
    cites: tuple[str, ...] = ()
    formula: Formula | None = None
    condition: Expr | None = None


@dataclass(frozen=True)
class LeftOut(Node):
    """Statements of the document that are no part of the model, and why."""

    ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Ruleset(Node):
    """A whole ruleset as written, section by section in the order of the text."""

    title: str = ""
    source: str = ""
    language: int = 1
    players: PlayersHeader = PlayersHeader(2, 2)
    scope: tuple[tuple[str, int], ...] = ()
    start: Go | None = None
    options: tuple[Option, ...] = ()
    items: tuple[ItemKind, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    zones: tuple[Zone, ...] = ()
    sequences: tuple[Sequence, ...] = ()
    state: tuple[StateVariable, ...] = ()
    terms: tuple[Term, ...] = ()
    routines: tuple[Routine, ...] = ()
    stages: tuple[Stage, ...] = ()
    claims: tuple[Claim, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class PropertyText(Node):
    """One property of a catalogue file as written."""

    name: str
    title: str
    why: str
    formula: Formula
