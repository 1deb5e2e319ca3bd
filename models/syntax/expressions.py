"""Expressions, formulas and types as written."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ..node import node
from ..source import Span

NOWHERE = Span(0, 0, 0)


@node
class Node:
    """Anything written in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@node
class Name(Node):
    """A bare name, whose meaning depends on the place: a variable, a step, a kind, a tag."""

    name: str


@node
class Number(Node):
    """A number as written."""

    value: int


WordText = Literal[
    "yes", "no", "everyone", "players", "nobody", "none", "empty", "someone", "something"
]


@node
class Word(Node):
    """A word of the language that stands for a value or a subject."""

    word: WordText


@node
class Call(Node):
    """A term applied to arguments: ``sorcery_time(holder)``."""

    name: str
    arguments: tuple[Expr, ...]


@node
class PlayerNumber(Node):
    """``number of players``."""


@node
class Count(Node):
    """``number of players in S``, a set of players."""

    players: Expr


@node
class Size(Node):
    """``size of ZONE``."""

    zone: str


@node
class EndOf(Node):
    """``top of ZONE`` or ``front of ZONE``: the item that is next to leave an ordered zone."""

    end: Literal["top", "front"]
    zone: str


@node
class Of(Node):
    """``NAME of X``: an attribute of an item, or a player's entry of a state variable."""

    name: str
    operand: Expr


@node
class Neighbour(Node):
    """``after P`` or ``before P``: the neighbour of a player in turn order."""

    side: Literal["after", "before"]
    player: Expr


BinaryOperator = Literal[
    "and", "or", "implies", "since", "until", "leads to",
    "is", "is not", "<", "<=", ">", ">=", "in", "not in", "comes first from",
    "+", "-", "but",
]  # fmt: skip


@node
class Binary(Node):
    """Two operands and an operator between them; *enclosed* says that the whole stands in
    parentheses.
    """

    operator: BinaryOperator
    left: Expr
    right: Expr
    enclosed: bool = field(default=False, compare=False, repr=False, kw_only=True)


UnaryOperator = Literal[
    "not", "always", "never", "possible", "eventually", "again and again", "finitely often", "once", "historically", "previously",
]  # fmt: skip


@node
class Unary(Node):
    """An operator before its operand; *enclosed* says that the whole stands in parentheses."""

    operator: UnaryOperator
    operand: Expr
    enclosed: bool = field(default=False, compare=False, repr=False, kw_only=True)


@node
class OneOf(Node):
    """``X is one of (a, b)``."""

    operand: Expr
    names: tuple[str, ...]


@node
class Range(Node):
    """``A to B``, both included."""

    low: Expr
    high: Expr


ANYTHING = Word("yes")
"""What stands after the `where` of a quantifier that has none."""


@node
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
    "has priority", "passes", "acts", "chooses", "may act", "may pass", "resolves", "begins resolving", "is put on", "leaves",
    "is removed", "on", "begins", "ends", "uses", "clause", "clause is possible", "at", "game is over", "acts only finitely often",
    "no clause applies", "clauses conflict",
]  # fmt: skip


@node
class Phrase(Node):
    """What only a formula may say: who has priority, what happens in a move, what is enabled.

    *subject* is the player or item before the words (or `Word` someone, something, nobody), and
    *name* the zone, stage or clause id after them; either is None where the phrase has none.
    """

    kind: PhraseKind
    subject: Expr | None = None
    name: str | None = None


IdiomKind = Literal[
    "is first to have priority after", "has had a window for", "is answered by", "is countered by"
]


@node
class Idiom(Node):
    """What a formula can say in many words, in few: ``p is first to have priority after F``, ``i is
    answered by j``.
    """

    kind: IdiomKind
    subject: Expr
    other: Expr


@node
class Spotlight(Node):
    """A quantified variable of a formula."""

    kind: Literal["item", "player", "clause"]
    name: str


@node
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


@node
class FlagType(Node):
    """``flag``: yes or no."""


@node
class PlayerType(Node):
    """``player``, or ``player or nobody`` when *optional*."""

    optional: bool = False


@node
class PlayersType(Node):
    """``players``: a set of players."""


@node
class EnumType(Node):
    """``a or b or c``."""

    values: tuple[str, ...]


@node
class NumberType(Node):
    """``LOW to HIGH``, both included; the bounds are constant."""

    low: Expr
    high: Expr


Type: TypeAlias = FlagType | PlayerType | PlayersType | EnumType | NumberType


@node
class Parameter(Node):
    """``NAME: TYPE`` of a stage, a term or a routine."""

    name: str
    type: Type
