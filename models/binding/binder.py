"""The binder: the names that it knows, what may be asked of it, and the mistakes that it reports.

What an expression means is for `expressions` to say; `comparisons` asks it through this class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias, TypeGuard, TypeVar

from .. import ir, syntax
from ..diagnostics import Report
from ..printing.show_lines import show_expression
from ..words import counted, join_words
from .names import (
    FLAG,
    ITEM,
    MOST_DEEP,
    MOST_INLINED,
    MOST_INSIDE,
    NUMBER,
    PLAYER,
    PLAYERS,
    SOMEBODY_OR_NOBODY,
    Names,
    Typed,
    describe,
    fits,
)

T = TypeVar("T")
_PLAYERS = {
    **dict.fromkeys(
        ("opponent", "other", "other_player"),
        "`after P` is the next player in turn order; with two players that is the other one",
    ),
    **dict.fromkeys(
        ("turn_player", "active_player", "current_player"),
        "the player whose turn it is is called `active`",
    ),
    **dict.fromkeys(
        ("all", "all_players", "each_player", "everybody"), "the set of all players is `everyone`"
    ),
}
"""What designers may call a player, and what the player is called here."""
_LATER = frozenset({"eventually", "always", "never"})
"""What a part of a formula about the future begins with."""
Places: TypeAlias = dict[int, tuple[object, syntax.Node]]
"""Bound nodes by identity, each with the node of the text that it was (it is kept itself, so that
its id stays its own).
"""


@dataclass
class Binder(ABC):
    """Binds against *names* and *locals*; mistakes go to *report*."""

    names: Names
    report: Report
    locals: dict[str, Typed | None] = field(default_factory=dict)
    """What local names stand for; None after a mistake that is reported already."""
    inside: tuple[str, ...] = ()
    """The terms being inlined, outermost first."""
    used: syntax.Node | None = None
    """What uses the outermost of them, or of the routines: it stands in the text of *report*."""
    taken: set[str] = field(default_factory=set)
    """Every local name used so far in the clause; a new one avoids them."""
    written: dict[str, str] = field(default_factory=dict)
    """How the text calls each local name."""
    ended: set[str] = field(default_factory=set)
    """What quantifiers of ``language 1`` have named, each of which reaches no further than the next
    ``and`` or ``or``.
    """
    places: Places = field(default_factory=dict)
    """Where the bound nodes that later passes may complain about stand in the text."""

    @abstractmethod
    def typed(self, expr: syntax.Expr, wanted: ir.Type | None = None) -> Typed | None:
        """Bind *expr* and return it with its type; *wanted* only tells what a bare name may
        mean.
        """

    # -------------------------------------------------------------- what is asked for

    def flag(self, expr: syntax.Expr) -> ir.Expr | None:
        """Bind *expr* as a yes or no."""
        return self.value(expr, FLAG)

    def player(self, expr: syntax.Expr) -> ir.Expr | None:
        """Bind *expr* as a player, never nobody."""
        return self.value(expr, PLAYER)

    def value(self, expr: syntax.Expr, wanted: ir.Type) -> ir.Expr | None:
        """Bind *expr* where a value of type *wanted* is asked for."""
        typed = self.typed(expr, wanted)
        if typed is None:
            return None
        if not fits(typed.type, wanted):
            hint = ""
            if fits(typed.type, SOMEBODY_OR_NOBODY) and wanted == PLAYER:
                hint = "what may be nobody can be compared, but it cannot act as a player"
                if isinstance(expr, syntax.Name):
                    hint = (
                        "what may be nobody can be compared; in a clause `choose q in players "
                        f"where q is {expr.name}` gives the player"
                    )
            elif (
                isinstance(typed.type, ir.NumberType)
                and wanted == FLAG
                and not isinstance(expr, syntax.Number)
            ):
                hint = f"write `{show_expression(expr)} > 0`"
            elif (
                isinstance(wanted, ir.EnumType)
                and isinstance(expr, syntax.Name)
                and expr.name in wanted.values
            ):
                hint = (
                    f"`{expr.name}` is the name of something else as well, which is what it means "
                    "here: give one of the two another name"
                )
            self.wrong_type(expr, describe(wanted), describe(typed.type), hint)
            return None
        return typed.expression

    def bind_item(self, expr: syntax.Expr) -> ir.Local | ir.EndOf | None:
        """Bind *expr* as an item."""
        bound = self.value(expr, ITEM)
        return bound if isinstance(bound, ir.Local | ir.EndOf) else None

    def local(self, name: str, type_: ir.Type, span: syntax.Expr | syntax.Node) -> ir.Local:
        """Make *name* a local of *type_* from here on; a name that means something already is
        reported.
        """
        if (
            name in self.locals
            or name in self.names.variables
            or name in self.names.options
            or name in self.names.zones
        ):
            self.report.add(
                "R109", span.span, f"`{name}` already means something here.", "choose another name"
            )
        fresh, number = name, 2
        while fresh in self.taken:
            fresh, number = f"{name}_{number}", number + 1
        self.taken.add(fresh)
        self.written[fresh] = name
        self.locals[name] = Typed(ir.Local(fresh), type_)
        return ir.Local(fresh)

    def is_unknown(self, name: str) -> bool:
        """Whether *name* stands for nothing here: it may name a player who is chosen."""
        names = self.names
        known = (self.locals, names.variables, names.options, names.zones, names.terms)
        return all(name not in one for one in (*known, names.mistaken))

    def mistaken(self, name: str) -> None:
        """Let *name* stand for something that a mistake keeps unknown: who uses it stays silent."""
        self.locals.setdefault(name, None)

    def within(self) -> Self:
        """Return a binder that knows the same locals; what it adds stays with it."""
        return replace(self, locals=dict(self.locals))

    def inlining(self, node: syntax.Node, values: dict[str, Typed | None], *terms: str) -> Self:
        """Return a binder for what stands in *terms* too, or in a routine, which *node* uses, that
        knows *values* in the place of the locals.
        """
        inside, used = (*self.inside, *terms), self.used or node
        return replace(self, locals=values, inside=inside, used=used, ended=set())

    def domain(self, domain: syntax.Domain) -> tuple[ir.Domain, ir.Type] | None:
        """Bind what a choice or a quantifier ranges over, with the type of its elements."""
        if isinstance(domain, syntax.Range):
            low, high = self.value(domain.low, NUMBER), self.value(domain.high, NUMBER)
            return (
                (ir.NumbersFrom(low, high), ir.NumberType(low, high))
                if low is not None and high is not None
                else None
            )
        if self.is_zone(domain):
            return ir.ItemsOn(domain.name), ITEM
        typed = self.typed(domain, PLAYERS)
        if typed is None:
            return None
        if not isinstance(typed.type, ir.PlayersType):
            self.wrong_type(
                domain,
                "a zone, a set of players or numbers `LOW to HIGH`",
                describe(typed.type),
                "",
            )
            return None
        return ir.PlayersIn(typed.expression), PLAYER

    def is_zone(self, expr: syntax.Domain) -> TypeGuard[syntax.Name]:
        """Whether *expr* is the bare name of a zone."""
        return (
            isinstance(expr, syntax.Name)
            and expr.name in self.names.zones
            and expr.name not in self.locals
        )

    def zone(self, node: syntax.Node, name: str) -> ir.Zone | None:
        """Return the zone called *name*, or report that there is none."""
        zone = self.names.zones.get(name)
        if zone is None:
            self.missing("R105", node, "zone", name, self.names.zones)
        return zone

    def remember(self, node: syntax.Node, bound: T) -> T:
        """Remember that *bound* stands where *node* does, and return it."""
        self.places[id(bound)] = (bound, node)
        return bound

    def may_inline(self, node: syntax.Node) -> bool:
        """Count one more inlined node, and tell whether that is still few enough; too many are
        reported once.
        """
        self.names.inlined += 1
        if self.names.inlined == MOST_INLINED + 1:
            self.too_large(
                node,
                "The terms and routines here use one another so often that the rules become too "
                "large.",
            )
        return self.names.inlined <= MOST_INLINED

    def may_go_in(self, node: syntax.Node, inside: tuple[str, ...]) -> bool:
        """Tell whether one more term or routine may be put in for *node*, within those *inside*
        one another; too many are reported.
        """
        if len(inside) < MOST_INSIDE:
            return True
        self.too_large(
            node, f"Terms and routines are put into one another here more than {MOST_INSIDE} deep."
        )
        return False

    def is_bearable(self, node: syntax.Node, bound: object) -> bool:
        """Tell whether what is *bound* for *node* is neither too large nor too deep when it is
        written out; report it if it is.
        """
        size, depth = self.names.measurer.measure(bound)
        if size > MOST_INLINED:
            message = "With all terms put in, this becomes too large."
        elif depth > MOST_DEEP:
            message = f"With all terms and routines put in, this has more than {MOST_DEEP} levels."
        else:
            return True
        self.too_large(node, message)
        return False

    def too_large(self, node: syntax.Node, message: str) -> None:
        """Report, once, that terms and routines make the rules too large: what is too large in one
        is so in all that use it.
        """
        if all(one.code != "R305" for one in self.report.errors):
            span = (self.used or node).span
            self.report.add("R305", span, message, "say with state what they say again and again")

    # -------------------------------------------------------------- mistakes

    def wrong_type(self, node: syntax.Node, wanted: str, found: str, hint: str) -> None:
        """Report that *node* is of the wrong type."""
        self.report.add("R102", node.span, f"This must be {wanted}, but it is {found}.", hint)

    def is_given(
        self,
        node: syntax.Node,
        name: str,
        parameters: Sequence[syntax.Parameter | ir.Parameter],
        arguments: Sequence[syntax.Expr],
    ) -> bool:
        """Whether *name* gets an argument for each of its *parameters*; else that is reported."""
        wanted, given = [parameter.name for parameter in parameters], len(arguments)
        if given == len(wanted):
            return True
        takes = (
            f"takes {counted(len(wanted), 'value')} ({join_words([f'`{one}`' for one in wanted])})"
            if wanted
            else "takes no value"
        )
        gets = "gets none" if not given else f"gets {given}"
        hint = (
            f"it is written like this: `{name}({', '.join(wanted).upper()})`"
            if wanted
            else f"`{name}` stands alone"
        )
        self.report.add("R108", node.span, f"`{name}` {takes} and {gets} here.", hint)
        return False

    def missing(
        self,
        code: str,
        node: syntax.Node,
        what: str,
        name: str,
        known: Iterable[str],
        otherwise: str = "",
    ) -> None:
        """Report that there is no *what* of this *name*; *otherwise* is the hint where the name is
        like none that is *known*.
        """
        hint = self.report.near(name, known) or otherwise
        self.report.add(code, node.span, f"There is no {what} called `{name}`.", hint)

    def unknown(
        self, node: syntax.Node, name: str, what: str, known: Iterable[str], otherwise: str = ""
    ) -> None:
        """Report that *name* is no *what*; *otherwise* is the hint where the name is like none that
        is *known*.
        """
        hint = ""
        if name in self.ended:
            hint = (
                f"put all that is said of `{name}` in parentheses, `where (A and B)`, or begin the "
                "text with `language 2`"
            )
        elif name in _LATER:
            hint = f"what is said of the future stands in parentheses: `({name} FORMULA)`"
        hint = hint or self.report.near(name, known)
        if not hint and name == ir.STEP:
            hint = "the ruleset has no `turn` section"
        hint = hint or _PLAYERS.get(name.lower(), "") or otherwise
        needed = f"; {what} is needed" if what else ""
        self.report.add("R101", node.span, f"Nothing here is called `{name}`{needed}.", hint)
