"""Formulas: properties after typing against a Program, and their parts, kind by kind.

A play is seen as its *moments*: moment 0 is the initial position, moment k the k-th move together
with the position it leads to. At each moment a formula is true or false; it may look back, at
earlier moments, never ahead.

*Spotlights* are the quantified variables. A player spotlight is one player, the same all through a
play. An item spotlight is one item of the play, from the moment it is put on any zone; until then
every statement about it is false. Two item spotlights are two different items.

The parts of formulas, kind by kind: what stands right below each, all that stands in a whole, and
what each speaks of.

As in `models.ir.parts` for the Program, an unknown kind is refused, and named by the type checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Literal, TypeAlias, assert_never

from ..models import ir
from ..models.frozen import frozen
from ..models.ir.parts import ClausePart, expressions
from ..models.source import Source, Span
from ..models.syntax import NOWHERE, NamedSizes

About: TypeAlias = Literal["position", "enabled", "move", "past", "logic"]
"""What a formula speaks of: the position reached, what is enabled there, the move, an earlier
moment, or what its parts speak of.
"""


def about(formula: Formula) -> About:
    """Return what *formula* itself speaks of, its parts aside."""
    match formula:
        case LeafOfPosition():
            return "position"
        case LeafOfEnabled():
            return "enabled"
        case LeafOfMove():
            return "move"
        case Previously() | Once() | Since():
            return "past"
        case Not() | And() | Or():
            return "logic"
        case _:
            assert_never(formula)


def operands(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas right below *formula*."""
    match formula:
        case Not(operand) | Previously(operand) | Once(operand):
            return (operand,)
        case And(parts) | Or(parts):
            return parts
        case Since(left, right):
            return left, right
        case LeafOfPosition():
            return ()
        case LeafOfEnabled():
            return ()
        case LeafOfMove():
            return ()
        case _:
            assert_never(formula)


def asked_by(formula: Formula) -> tuple[ir.Expr, ...]:
    """Return the expressions right below *formula*."""
    match formula:
        case Holds(expression):
            return (expression,)
        case HasPriority(player) | Enabled(player) | PlayerEvent(_, player) | Uses(_, player):
            return () if player is None else (player,)
        case LeafOfPosition() | LeafOfEnabled():
            return ()
        case ItemEvent() | SequenceEvent():
            return ()
        case Compound():
            return ()
        case _:
            assert_never(formula)


def formulas(*whole: Formula) -> Iterator[Formula]:
    """Yield every formula in *whole*, parents first, in the order of their fields."""
    waiting = [*reversed(whole)]
    while waiting:
        formula = waiting.pop()
        yield formula
        waiting.extend(reversed(operands(formula)))


def expressions_in(*whole: Formula) -> Iterator[ir.Expr]:
    """Yield every expression in *whole*."""
    for formula in formulas(*whole):
        yield from expressions(*asked_by(formula))


def speaks_of(formula: Formula, *what: About) -> bool:
    """Whether *formula*, or a part of it, speaks of one of *what*."""
    return any(about(part) in what for part in formulas(formula))


def of_formulas(
    change: Callable[[Formula], Formula],
    of_expressions: Callable[[ClausePart], object] = lambda part: part,
) -> Callable[[Formula | ClausePart], object]:
    """Return what `rewrite` applies to a part of a formula so that formulas become what *change*
    makes of them.

    *of_expressions* is applied to the parts of what they ask (`models.ir.parts.of_expressions`).
    """

    def changed(part: Formula | ClausePart) -> object:
        if isinstance(part, Formula):
            return change(part)
        if isinstance(part, ClausePart):
            return of_expressions(part)
        assert_never(part)

    return changed


class LeafOfPosition:
    """A formula about the position reached."""


class LeafOfEnabled:
    """A formula about the moves that the position reached has."""


class LeafOfMove:
    """A formula about the move."""


# ------------------------------------------------------------------ about the position reached


@frozen
class Holds(LeafOfPosition):
    """A flag expression of the rules language about the position; spotlit players and items are its
    locals.

    An item's kind, controller and attributes may be asked for even after it has left every zone.
    Before it was first put on a zone every such expression is false.
    """

    expression: ir.Expr
    items: tuple[str, ...] = ()


@frozen
class HasPriority(LeafOfPosition):
    """*player* has priority; with None, someone has."""

    player: ir.Expr | None


@frozen
class On(LeafOfPosition):
    """The spotlit *item* is on *zone*."""

    item: str
    zone: str


@frozen
class IsNext(LeafOfPosition):
    """The spotlit *item* is next to leave the ordered *zone*: its last item if lifo, its first if
    fifo.
    """

    item: str
    zone: str


@frozen
class Enabled(LeafOfEnabled):
    """A move is enabled in the position: one of *player*'s (with None, anybody's) that passes, or
    that does not.

    With *what* ``"pass"`` a may clause that passes, with ``"act"`` a may clause that does not. A
    move that only the scope cuts counts as enabled, here and in `ClausePossible`.
    """

    player: ir.Expr | None
    what: Literal["pass", "act"]


@frozen
class ClausePossible(LeafOfEnabled):
    """Some move of the clause is enabled; *clause* is an id, or a spotlight of kind clause."""

    clause: str


@frozen
class AtStage(LeafOfPosition):
    """The position is at *stage*."""

    stage: str


@frozen
class GameIsOver(LeafOfPosition):
    """The game has ended as declared."""


@frozen
class Gap(LeafOfEnabled):
    """No move is enabled, the game is not over, and it is not the scope that cut them: the rulebook
    is silent.
    """


@frozen
class Conflict(LeafOfEnabled):
    """Two must clauses with different outcomes are enabled, or a must clause beside a may
    clause.
    """


# ------------------------------------------------------------------ about the move just made


@frozen
class ItemEvent(LeafOfMove):
    """What happens to the spotlit *item*, or with None to some item, in the move.

    ``is put on`` is said of new and of moved items alike; ``leaves`` of moved, removed and resolved
    ones. Both name a *zone*; the other events do not.
    """

    event: Literal["is put on", "leaves", "resolves", "begins resolving", "is removed"]
    item: str | None
    zone: str | None = None


@frozen
class PlayerEvent(LeafOfMove):
    """*player* (with None, someone) passes, acts (makes a may move that is no pass), or chooses: a
    choice in the move is theirs.

    A choice is one of a ``choose`` or an ``either``, with several candidates or with one. What the
    cards or the rules choose is no player's.
    """

    event: Literal["passes", "acts", "chooses"]
    player: ir.Expr | None


@frozen
class Uses(LeafOfMove):
    """The move is one of the clause (an id or a clause spotlight), and with *player* it is that
    player's move.
    """

    clause: str
    player: ir.Expr | None = None


@frozen
class SequenceEvent(LeafOfMove):
    """A *sequence* begins or ends as a whole, or with None any step of any sequence does.

    The turn ends when its last step does and the next player becomes active; the next one begins
    with the same move.
    """

    event: Literal["begins", "ends"]
    sequence: str | None


# ------------------------------------------------------------------ logic, and the past


class Compound:
    """A formula made of others (`operands`), which says nothing but what follows from their
    truth, now and before.
    """


@frozen
class Not(Compound):
    """Negation."""

    operand: Formula


@frozen
class And(Compound):
    """Conjunction."""

    parts: tuple[Formula, ...]


@frozen
class Or(Compound):
    """Disjunction."""

    parts: tuple[Formula, ...]


@frozen
class Previously(Compound):
    """At the moment before; false at moment 0."""

    operand: Formula


@frozen
class Once(Compound):
    """At this moment or an earlier one."""

    operand: Formula


@frozen
class Since(Compound):
    """*right* held at this moment or an earlier one, and *left* at every moment after that, up to
    this one.
    """

    left: Formula
    right: Formula


OfEnabled: TypeAlias = Enabled | ClausePossible | Gap | Conflict
OfMove: TypeAlias = ItemEvent | PlayerEvent | Uses | SequenceEvent
Leaf: TypeAlias = Holds | HasPriority | On | IsNext | AtStage | GameIsOver | OfEnabled | OfMove
Past: TypeAlias = Previously | Once | Since
Formula: TypeAlias = Leaf | Not | And | Or | Past

# ------------------------------------------------------------------ the future


@frozen
class PartHolds:
    """Part *number* of the property's body, which is a conjunction, is true at this moment."""

    number: int


@frozen
class Otherwise:
    """Negation of what speaks of the future."""

    operand: Temporal


@frozen
class Together:
    """Conjunction of what speaks of the future."""

    parts: tuple[Temporal, ...]


@frozen
class Until:
    """*right* is true at this moment or a later one, and *left* at every moment before that, from
    this one on.
    """

    left: Temporal
    right: Temporal


Temporal: TypeAlias = PartHolds | Otherwise | Together | Until
"""What is said of a play from a moment on. Of a play that ends, only the moments that there are
count.
"""


@frozen
class Given:
    """What is assumed of the plays that a property speaks of, and its *text* as people read it."""

    formula: Temporal
    text: str = field(default="", compare=False)


# ------------------------------------------------------------------ properties

Assumption: TypeAlias = Literal["players", "cards", "others"]
"""Who acts finitely often: players, by ``may`` clauses that do not pass; cards, by ``chance``
clauses and in what ``maybe`` happens. ``others`` are the players who are not of the coalition that
is to enforce something.
"""


@frozen
class Spotlight:
    """A quantified variable."""

    kind: Literal["item", "player", "clause"]
    name: str


@frozen
class Part:
    """What has to be true at some moment, for some choice of *spotlights*, for a property to mean
    anything.

    *text* is the formula as people read it. Of one that is part of a larger property, *claim* is
    what holds if it never is.
    """

    formula: Formula
    spotlights: tuple[Spotlight, ...]
    text: str = field(default="", compare=False)
    claim: str = field(default="", compare=False)


GoalKind: TypeAlias = Literal["always", "eventually", "leads to", "finitely"]


@frozen
class Goal:
    """Part of what is to be enforced, said of *formula*, for every choice of item *spotlights* (of
    ``eventually``: for some).

    ``always``: it is true at no moment, for it is what must not be. ``eventually``: it is true at
    some moment. ``leads to``: it is not true from some moment on for ever, nor at the end, as in
    `Property`. ``finitely``: it is true only finitely often.
    """

    kind: GoalKind
    formula: Formula
    spotlights: tuple[Spotlight, ...] = ()


@frozen
class Enforced:
    """What the *coalition*, player spotlights by name, is to enforce together: all of the
    *goals*. Of those that have a role, *roles* say who has it, as a constant.
    """

    coalition: tuple[str, ...]
    goals: tuple[Goal, ...]
    roles: tuple[tuple[str, ir.Expr], ...] = ()


@frozen
class Property:
    """One question.

    ``always``: *body* is true at every moment of every play, for every choice of *spotlights*.
    ``possible``: at some moment of some play, for some choice of them; but a clause spotlight means
    every clause in both. (``never F`` is ``always not F``.) ``progress``: in no play is *body* true
    from some moment on for ever, nor at the end of a play that ends. So it is what must not go on:
    ``A leads to B`` has the body ``not B since (A and not B)``, ``eventually B`` the body ``not
    once B``. It speaks only of the plays in which those whom *assuming* names act finitely often.
    ``enforce``: for some choice of *spotlights*, all players, a coalition of them can act so that,
    against everything the others, the cards and the rules can do, *enforced* is so or somebody whom
    *assuming* names acts again and again. Then *body* is all that its goals speak of.

    ``future``: *future* is true at moment 0 of every play of which all that is *given* is true at
    moment 0; what they say of single moments are the parts of *body*. (What ``progress`` says is as
    much as some of these; it is for those that every engine knows.)

    *about* is what has to be true at some moment for an ``always`` to mean anything: if it never is
    the verdict is VACUOUS; None if there is no such thing. If that is *apart*, a line of its own
    says it, and the property may be broken without it. *parts*, in the order of the text, are those
    of a ``never`` of several that says no more: each of them has to be true at some moment, which
    may be another for each.

    *lemmas* are what the author has declared before it, to be proved first and then used in its
    proof; a search does without them. They have no lemmas of their own: each may use those that
    stand before it here.

    With *every_size* its author wants a proof; the question is the same.

    *needs* are the least sizes, of ``players`` and zones, with which its author wants it decided;
    the question is the same.

    *absent* names what a question of possibility speaks of and this Program lacks: then it asks
    nothing.

    *text* is the formula as people read it; *source* and *span* its place.
    """

    name: str
    title: str
    why: str
    mode: Literal["always", "possible", "progress", "future", "enforce"]
    spotlights: tuple[Spotlight, ...]
    body: Formula
    about: Formula | None
    text: str = field(compare=False)
    about_text: str = field(default="", compare=False)
    apart: bool = field(default=False, compare=False)
    assuming: tuple[Assumption, ...] = ()
    lemmas: tuple[Property, ...] = ()
    parts: tuple[Part, ...] = ()
    needs: NamedSizes = ()
    enforced: Enforced | None = None
    future: Temporal | None = None
    given: tuple[Given, ...] = ()
    absent: str = ""
    every_size: bool = False
    source: Source = field(default=Source("<text>", ""), compare=False, repr=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def is_of_clauses(self) -> bool:
        """Whether it asks the same of every clause, each by itself."""
        return any(spotlight.kind == "clause" for spotlight in self.spotlights)

    @property
    def is_of_possibility(self) -> bool:
        """Whether it asks if something is possible, or can be enforced: no answer is better than
        another.
        """
        return self.mode in ("possible", "enforce") and not self.is_of_clauses

    @property
    def conditions(self) -> tuple[Part, ...]:
        """All that has to arise, each at some moment, for the property to mean anything."""
        return (
            self.parts
            if self.about is None
            else (Part(self.about, self.spotlights, self.about_text),)
        )


Question: TypeAlias = tuple[Property, ir.Claim | None, bool]
"""A property to decide, the claim that is made of it, if any, and whether somebody has named it."""
