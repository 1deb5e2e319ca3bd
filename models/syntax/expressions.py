"""Expressions, formulas and types as written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ..source import Span

NOWHERE = Span(0, 0, 0)


@dataclass(frozen=True, kw_only=True)
class Node:
    """Anything written in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


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
