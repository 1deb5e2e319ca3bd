"""Declarations as written: rulesets, claims and properties."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ..node import node
from ..source import Span
from .expressions import NOWHERE, Expr, Node, Parameter, Spotlight, Type
from .statements import Block, Go

NamedSizes: TypeAlias = tuple[tuple[str, int], ...]
"""Sizes by the names of what has them: ``players``, and zones."""


@node
class PlayersHeader(Node):
    """How many players the game is for; *most* is None for "or more"."""

    least: int
    most: int | None


@node
class OptionValue(Node):
    """One value of an option, with the text that supports it."""

    name: str
    title: str
    cites: tuple[str, ...] = ()


@node
class Option(Node):
    """A switch of the ruleset: named *values* (the first is the default), or *numbers* (low, high,
    default).
    """

    name: str
    title: str
    values: tuple[OptionValue, ...] = ()
    numbers: tuple[int, int, int] | None = None
    cites: tuple[str, ...] = ()


@node
class ItemKind(Node):
    """A kind of item; *also* is what else people call it."""

    name: str
    title: str
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@node
class Attribute(Node):
    """Something every item carries beside kind and controller."""

    name: str
    type: Type
    default: Expr | None = None


@node
class Zone(Node):
    """An ordered (or unordered) list of items."""

    name: str
    order: Literal["lifo", "fifo", "unordered"]
    title: str = ""
    tags: tuple[str, ...] = ()


@node
class Step(Node):
    """One step of a sequence; *also* is what else people call it, *condition* says under which
    options it is there.
    """

    name: str
    title: str = ""
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    condition: Expr | None = None


@node
class Sequence(Node):
    """The turn (*name* ``turn``), or a sequence beside it such as a battle."""

    name: str
    steps: tuple[Step, ...]
    title: str = ""


@node
class StateVariable(Node):
    """A part of the position; with *each_player* one entry a player."""

    name: str
    type: Type
    each_player: bool = False
    initial: Expr | None = None
    title: str = ""
    tags: tuple[str, ...] = ()


@node
class Term(Node):
    """A named expression."""

    name: str
    parameters: tuple[Parameter, ...]
    meaning: Expr


@node
class Routine(Node):
    """Named statements, used by ``do``."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    title: str = ""


@node
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


@node
class Stage(Node):
    """Where the game is in its own procedure; *priority* says who has priority in it."""

    name: str
    parameters: tuple[Parameter, ...]
    clauses: tuple[Clause, ...]
    priority: Expr | None = None
    title: str = ""


@node
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


@node
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


@node
class LeftOut(Node):
    """Statements of the document that are no part of the model, and why."""

    ids: tuple[str, ...]
    reason: str


@node
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


@node
class PropertyText(Node):
    """One property of a catalogue file as written; a lemma is one that the proofs of the others may
    use.
    """

    name: str
    title: str
    why: str
    formula: Formula
    is_lemma: bool = False
