"""The surface syntax: a text as written, names not yet bound and types not yet known.

`parse` makes it, `format` prints it, `bind` reads it. Every node carries the span it came from,
which takes no part in comparisons: two texts that read alike have equal trees.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from .frozen import frozen
from .source import Span

NOWHERE = Span(0, 0, 0)

UsedName: TypeAlias = str
"""The name of an option, a kind of item, an attribute, a zone or a variable, or another such as may
stand in its place; a field in which one is used says so by its type.
"""


@frozen
class Node:
    """Anything written in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@frozen
class Name(Node):
    """A bare name, whose meaning depends on the place: a variable, a step, a kind, a tag."""

    name: UsedName


@frozen
class Number(Node):
    """A number as written."""

    value: int


WordText = Literal[
    "yes", "no", "everyone", "players", "nobody", "none", "empty", "someone", "something"
]


@frozen
class Word(Node):
    """A word of the language that stands for a value or a subject."""

    word: WordText


@frozen
class Call(Node):
    """A term applied to arguments: ``sorcery_time(holder)``."""

    name: str
    arguments: tuple[Expr, ...]


@frozen
class PlayerNumber(Node):
    """``number of players``."""


@frozen
class Count(Node):
    """``number of players in S``, a set of players."""

    players: Expr


@frozen
class Size(Node):
    """``size of ZONE``."""

    zone: UsedName


@frozen
class EndOf(Node):
    """``top of ZONE`` or ``front of ZONE``: the item that is next to leave an ordered zone."""

    end: Literal["top", "front"]
    zone: UsedName


@frozen
class Of(Node):
    """``NAME of X``: an attribute of an item, or a player's entry of a state variable."""

    name: UsedName
    operand: Expr


@frozen
class Neighbour(Node):
    """``after P`` or ``before P``: the neighbour of a player in turn order."""

    side: Literal["after", "before"]
    player: Expr


BinaryOperator = Literal[
    "and", "or", "implies", "since", "until", "leads to",
    "is", "is not", "<", "<=", ">", ">=", "in", "not in", "comes first from",
    "+", "-", "but",
]  # fmt: skip


@frozen
class Binary(Node):
    """Two operands and an operator between them; *enclosed* says that the whole stands in
    parentheses.
    """

    operator: BinaryOperator
    left: Expr
    right: Expr
    enclosed: bool = field(default=False, compare=False, repr=False, kw_only=True)


UnaryOperator = Literal[
    "not", "always", "never", "possible", "eventually", "again and again", "finitely often", "once",
    "historically", "previously",
]  # fmt: skip


@frozen
class Unary(Node):
    """An operator before its operand; *enclosed* says that the whole stands in parentheses."""

    operator: UnaryOperator
    operand: Expr
    enclosed: bool = field(default=False, compare=False, repr=False, kw_only=True)


@frozen
class OneOf(Node):
    """``X is one of (a, b)``."""

    operand: Expr
    names: tuple[UsedName, ...]


@frozen
class Range(Node):
    """``A to B``, both included."""

    low: Expr
    high: Expr


ANYTHING = Word("yes")
"""What stands after the `where` of a quantifier that has none."""


@frozen
class Quantified(Node):
    """``some X in D where F``, ``no X in D where F``, ``every X in D satisfies F``; where F is
    `ANYTHING`, ``some X in D``.

    *wide* says that F was read as far as it goes, as in language 2, and so needs no parentheses;
    *enclosed* that the whole stands in some.
    """

    quantifier: Literal["some", "no", "every"]
    variable: str
    domain: Domain
    body: Expr
    wide: bool = field(default=False, compare=False, repr=False, kw_only=True)
    enclosed: bool = field(default=False, compare=False, repr=False, kw_only=True)


PhraseKind = Literal[
    "has priority", "passes", "acts", "chooses", "may act", "may pass", "resolves",
    "begins resolving", "is put on", "leaves", "is removed", "on", "begins", "ends", "uses",
    "clause", "clause is possible", "at", "game is over", "acts only finitely often",
    "no clause applies", "clauses conflict",
]  # fmt: skip


@frozen
class Phrase(Node):
    """What only a formula may say: who has priority, what happens in a move, what is enabled.

    *subject* is the player or item before the words (or `Word` someone, something, nobody), and
    *name* the zone, stage or clause id after them; either is None where the phrase has none.
    """

    kind: PhraseKind
    subject: Expr | None = None
    name: UsedName | None = None


IdiomKind = Literal[
    "is first to have priority after", "has had a window for", "is answered by", "is countered by"
]


@frozen
class Idiom(Node):
    """What a formula can say in many words, in few: ``p is first to have priority after F``, ``i is
    answered by j``.
    """

    kind: IdiomKind
    subject: Expr
    other: Expr


@frozen
class Spotlight(Node):
    """A quantified variable of a formula."""

    kind: Literal["item", "player", "clause"]
    name: str


@frozen
class Enforce(Node):
    """``COALITION can enforce GOAL``; of the goal's *spotlights*, which are items, it is said for
    ``every`` or ``some`` (*quantifier*).
    """

    coalition: Expr
    quantifier: Literal["every", "some"]
    spotlights: tuple[Spotlight, ...]
    goal: Expr


Primary: TypeAlias = (
    Name | Number | Word | Call | PlayerNumber | Count | Size | EndOf | Of | Neighbour
)
"""What never needs parentheses."""
Expr: TypeAlias = Primary | Binary | Unary | OneOf | Quantified | Phrase | Idiom | Enforce
Domain: TypeAlias = Expr | Range


@frozen
class FlagType(Node):
    """``flag``: yes or no."""


@frozen
class PlayerType(Node):
    """``player``, or ``player or nobody`` when *optional*."""

    optional: bool = False


@frozen
class PlayersType(Node):
    """``players``: a set of players."""


@frozen
class EnumType(Node):
    """``a or b or c``."""

    values: tuple[UsedName, ...]


@frozen
class NumberType(Node):
    """``LOW to HIGH``, both included; the bounds are constant."""

    low: Expr
    high: Expr


Type: TypeAlias = FlagType | PlayerType | PlayersType | EnumType | NumberType


@frozen
class Parameter(Node):
    """``NAME: TYPE`` of a stage, a term or a routine."""

    name: str
    type: Type


@frozen
class When(Node):
    """A guard of the clause; stands before anything that changes the position."""

    condition: Expr


@frozen
class By(Node):
    """Whose move it is: a player, or with *variable* any player that satisfies *condition*."""

    player: Expr | None = None
    variable: str | None = None
    condition: Expr | None = None


@frozen
class Require(Node):
    """What must hold here, or the whole move is not possible."""

    condition: Expr


@frozen
class Put(Node):
    """A new item of *kind* on *zone*; controlled by *by*, or else by the owner of the move."""

    kind: UsedName
    zone: UsedName
    by: Expr | None = None
    settings: tuple[tuple[UsedName, Expr], ...] = ()


@frozen
class ItemEffect(Node):
    """``move X to ZONE``, ``remove X``, ``resolve X``, ``begin resolving X``; *zone* only with
    move.
    """

    effect: Literal["move", "remove", "resolve", "begin resolving"]
    item: Name | EndOf
    zone: UsedName | None = None


@frozen
class EveryItem(Node):
    """``move every X in ZONE to ZONE where F``, ``remove every …``, ``resolve every …``; *to* only
    with move.
    """

    effect: Literal["move", "remove", "resolve"]
    variable: str
    zone: UsedName
    to: UsedName | None = None
    condition: Expr | None = None


@frozen
class Pass(Node):
    """The owner of the move passes."""


@frozen
class StepEffect(Node):
    """``advance [SEQ]``, ``begin SEQ``, ``end SEQ``, ``skip to STEP``; *name* is None for the
    turn.
    """

    effect: Literal["advance", "begin", "end", "skip to"]
    name: str | None = None


@frozen
class Assign(Node):
    """``NAME := X``, ``NAME += X``, ``NAME -= X``; *player* picks the entry of ``NAME of
    PLAYER``.
    """

    operator: Literal[":=", "+=", "-="]
    name: UsedName
    player: Expr | None
    value: Expr


@frozen
class AssignEvery(Node):
    """``NAME of every P in PLAYERS := X where F``: the entry of each of these players."""

    operator: Literal[":=", "+=", "-="]
    name: UsedName
    variable: str
    players: Expr
    value: Expr
    condition: Expr | None = None


@frozen
class Let(Node):
    """A name for a value of this moment."""

    name: str
    value: Expr


@frozen
class If(Node):
    """Branches on conditions; an ``else if`` is an `If` alone in *otherwise*."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@frozen
class Choose(Node):
    """One of *domain*, chosen by *by* or else by the owner of the move."""

    variable: str
    domain: Domain
    condition: Expr | None = None
    by: Expr | None = None


@frozen
class Maybe(Node):
    """What the cards may cause here, or not."""

    body: Block
    title: str = ""


@frozen
class Either(Node):
    """One of several bodies, each with a title; chosen by *by* or else by the owner of the move."""

    options: tuple[tuple[str, Block], ...]
    by: Expr | None = None


@frozen
class Do(Node):
    """The statements of a routine, with arguments."""

    name: str
    arguments: tuple[Expr, ...] = ()


@frozen
class Go(Node):
    """The stage that is next."""

    stage: str
    arguments: tuple[Expr, ...] = ()


@frozen
class GameOver(Node):
    """The game ends here, as it should."""


@frozen
class Todo(Node):
    """What happens here is still to be written."""


Statement: TypeAlias = (
    When
    | By
    | Require
    | Put
    | ItemEffect
    | EveryItem
    | Pass
    | StepEffect
    | Assign
    | AssignEvery
    | Let
    | If
    | Choose
    | Maybe
    | Either
    | Do
    | Go
    | GameOver
    | Todo
)
Block: TypeAlias = tuple[Statement, ...]


NamedSizes: TypeAlias = tuple[tuple[str, int], ...]
"""Sizes by the names of what has them: ``players``, and zones."""


@frozen
class PlayersHeader(Node):
    """How many players the game is for; *most* is None for "or more"."""

    least: int
    most: int | None


@frozen
class OptionValue(Node):
    """One value of an option, with the text that supports it."""

    name: str
    title: str
    cites: tuple[str, ...] = ()


@frozen
class Option(Node):
    """A switch of the ruleset: named *values* (the first is the default), or *numbers* (low, high,
    default).
    """

    name: str
    title: str
    values: tuple[OptionValue, ...] = ()
    numbers: tuple[int, int, int] | None = None
    cites: tuple[str, ...] = ()


@frozen
class ItemKind(Node):
    """A kind of item; *also* is what else people call it."""

    name: str
    title: str
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@frozen
class Attribute(Node):
    """Something every item carries beside kind and controller."""

    name: str
    type: Type
    default: Expr | None = None


@frozen
class Zone(Node):
    """An ordered (or unordered) list of items."""

    name: str
    order: Literal["lifo", "fifo", "unordered"]
    title: str = ""
    tags: tuple[str, ...] = ()


@frozen
class Step(Node):
    """One step of a sequence; *also* is what else people call it, *condition* says under which
    options it is there.
    """

    name: str
    title: str = ""
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    condition: Expr | None = None


@frozen
class Sequence(Node):
    """The turn (*name* ``turn``), or a sequence beside it such as a battle."""

    name: str
    steps: tuple[Step, ...]
    title: str = ""


@frozen
class StateVariable(Node):
    """A part of the position; with *each_player* one entry a player."""

    name: str
    type: Type
    each_player: bool = False
    initial: Expr | None = None
    title: str = ""
    tags: tuple[str, ...] = ()


@frozen
class Term(Node):
    """A named expression."""

    name: str
    parameters: tuple[Parameter, ...]
    meaning: Expr


@frozen
class Routine(Node):
    """Named statements, used by ``do``."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    title: str = ""


@frozen
class Clause(Node):
    """One rule: who may or must do what, when, and which stage is next.

    *block* is the number, from 1 on, of the block ``the first that applies`` of its stage in which
    it stands; 0 if it stands in none. *also* is what else people call what is done.
    """

    mode: Literal["may", "must", "chance"]
    id: str
    title: str
    body: Block
    cites: tuple[str, ...] = ()
    block: int = 0
    also: tuple[str, ...] = ()


@frozen
class Stage(Node):
    """Where the game is in its own procedure; *priority* says who has priority in it."""

    name: str
    parameters: tuple[Parameter, ...]
    clauses: tuple[Clause, ...]
    priority: Expr | None = None
    title: str = ""


@frozen
class Formula(Node):
    """A property as written; *about* is what must happen for it to mean anything, if it is said.

    *quantifier* is the word before the spotlights, and ``every`` if there are none. *assuming*
    names those who act only finitely often in the plays that it speaks of, *given* is what else is
    assumed of them.
    """

    quantifier: Literal["every", "some"]
    spotlights: tuple[Spotlight, ...]
    body: Expr
    about: Expr | None = None
    assuming: tuple[Literal["players", "cards", "others"], ...] = ()
    given: tuple[Expr, ...] = ()


Expectation = Literal["holds", "fails", "possible", "impossible", "vacuous", "lemma"]


@frozen
class Claim(Node):
    """What the author says of a property: one of the catalogue by *name*, or *formula* under that
    name.

    A lemma holds, and the proofs of the others may use it. *condition* says under which options the
    claim is made. *needs* are sizes, of ``players`` and zones, below which it is not decided;
    *containing* is what the play that decides it must make true at some moment. For *every_size* it
    is met by a proof alone. It stands below the *heading*, if there is one.
    """

    expect: Expectation
    name: str
    title: str = ""
    cites: tuple[str, ...] = ()
    formula: Formula | None = None
    condition: Expr | None = None
    needs: NamedSizes = ()
    containing: Expr | None = None
    every_size: bool = False
    heading: str = ""


@frozen
class LeftOut(Node):
    """Statements of the document that are no part of the model, and why."""

    ids: tuple[str, ...]
    reason: str


@frozen
class Ruleset(Node):
    """A whole ruleset as written, section by section in the order of the text."""

    title: str = ""
    source: str = ""
    language: int = 1
    players: PlayersHeader = PlayersHeader(2, 2)
    scope: NamedSizes = ()
    scope_span: Span = field(default=NOWHERE, compare=False, repr=False)
    """Where the scope stands, the first part of it if there are several."""
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


@frozen
class PropertyText(Node):
    """One property of a catalogue file as written; a lemma is one that the proofs of the others may
    use.
    """

    name: str
    title: str
    why: str
    formula: Formula
    is_lemma: bool = False
