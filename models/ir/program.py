"""The Program, and its declarations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal as OneOfWords
from typing import TypeAlias, TypeVar

from .. import syntax
from ..node import node
from ..source import Source, Span
from ..syntax import NOWHERE
from .expressions import YES, EnumType, Expr, Literal, NumberType, Type
from .statements import Block, Go

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


@node
class Option:
    """A switch: named *values* with titles, or the *numbers* from low to high; *default* is its
    value if nobody says.
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


@node
class Kind:
    """A kind of item; *also* is what else people call it, and so with a step and a clause."""

    name: str
    title: str
    tags: tuple[str, ...]
    also: tuple[str, ...] = ()


@node
class Attribute:
    """A declared attribute of all items, with its value where a ``put`` does not say."""

    name: str
    type: Type
    default: Expr


ORDERS = {"lifo": "last in first out", "fifo": "first in first out", "unordered": "in any order"}
"""How the order of a zone is written."""


@node
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


@node
class Step:
    """A step of a sequence, which it has under a *condition* on the options."""

    name: str
    title: str
    tags: tuple[str, ...]
    also: tuple[str, ...] = ()
    condition: Expr = YES


@node
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


@node
class VariableDeclaration:
    """A variable of the position; *initial* is a constant expression."""

    name: str
    type: Type
    each_player: bool
    initial: Expr
    title: str
    tags: tuple[str, ...]


@node
class Parameter:
    """A parameter of a stage."""

    name: str
    type: Type


@node
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


@node
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


@node
class Stage:
    """A stage; *priority* is who has priority in it (a player, or a set of players), None if
    nobody.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    priority: Expr | None
    clauses: tuple[Clause, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@node
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


@node
class LeftOut:
    """Statements of the document that the model leaves out, and why."""

    ids: tuple[str, ...]
    reason: str


@node
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
    left_out: tuple[LeftOut, ...]
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
