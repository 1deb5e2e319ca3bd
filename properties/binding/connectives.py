"""Connectives and phrases: surface syntax -> formulas over moments.

What only speaks of the position is bound as in rules (`ExpressionBinder`); this pass takes the
logic apart down to such expressions, so that each says one thing about one moment. A mistake is
reported once; a formula that has one comes back as None, and its caller stays silent.

Idioms: what designers often ask about priority and responses, each with the long form that it
stands for.

They are only words: `_in_long_form` says them with the operators that there are, and
`docs/language.md` shows the same long forms.

A player before the words is asked for in the position that the move has led to, like everything
else at a moment. Of an item that is not yet there, everything said is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Literal, assert_never

from ...models import ir, syntax
from ...models.binding.definite import check_clause
from ...models.binding.expressions import ExpressionBinder
from ...models.binding.names import ITEM, all_of
from ...models.diagnostics import Report
from ...models.source import Span
from ...models.words import next_to
from .. import formula as f

FUTURE = ("until", "leads to")


@dataclass
class FormulaTyper:
    """Types the formulas of one property; mistakes go to the report of *binder*.

    That knows the spotlit players and items as its locals; *clauses* are the spotlights that stand
    for a clause.
    """

    program: ir.Program
    binder: ExpressionBinder
    clauses: tuple[str, ...] = ()
    above: Literal["every", "some"] = "every"
    """Which word names the players and items of a formula of this kind."""

    def formula(self, expr: syntax.Expr) -> f.Formula | None:
        """Type *expr*, which may speak of moves and of the past."""
        match expr:
            case syntax.Binary("and" | "or"):
                parts = [self.formula(part) for part in parts_of(expr)]
                typed = tuple(part for part in parts if part is not None)
                if len(typed) < len(parts):
                    return None
                return f.And(typed) if expr.operator == "and" else f.Or(typed)
            case syntax.Binary("implies" | "since" | "until" | "leads to"):
                return self._binary(expr)
            case syntax.Binary("is" | "is not", syntax.Name(item), syntax.EndOf() as end) if (
                self.is_item(item)
            ):
                return self._is_next(expr, item, end)
            case syntax.Binary("is" | "is not", syntax.EndOf() as end, syntax.Name(item)) if (
                self.is_item(item)
            ):
                return self._is_next(expr, item, end)
            case syntax.Unary():
                return self._unary(expr)
            case syntax.Phrase():
                return self._phrase(expr)
            case syntax.Idiom():
                return self.formula(_in_long_form(expr, self.program))
            case syntax.Enforce():
                hint = "it is said of a whole formula: `for some player p: p can enforce GOAL`"
                self.report.add(
                    "P202", expr.span, "`can enforce` cannot stand inside a formula.", hint
                )
                return None
            case syntax.Word("someone" | "something"):
                hint = "`someone has priority`, `someone passes`, `something resolves`"
                self.report.add(
                    "P105",
                    expr.span,
                    f"`{expr.word}` stands only before words that say what it does.",
                    hint,
                )
                return None
            case _:
                return self._state(expr)

    # -------------------------------------------------------------- the cases

    def _unary(self, expr: syntax.Unary) -> f.Formula | None:
        operand = self.formula(expr.operand)
        match expr.operator:
            case "always" | "never" | "possible":
                hint = (
                    f"`{expr.operator}` begins a formula of its own, claimed with `holds`; `once` "
                    "and `previously` look back within one"
                )
                self.report.add(
                    "P202", expr.span, f"`{expr.operator}` cannot stand inside a formula.", hint
                )
                return None
            case "eventually" | "again and again" | "finitely often":
                self._future(expr)
                return None
            case _ if operand is None:
                return None
            case "not":
                return negated(operand)
            case "once":
                return f.Once(operand)
            case "previously":
                return f.Previously(operand)
            case "historically":
                return f.Not(f.Once(negated(operand)))

    def _binary(self, expr: syntax.Binary) -> f.Formula | None:
        left, right = self.formula(expr.left), self.formula(expr.right)
        if expr.operator in FUTURE:
            self._future(expr)
            return None
        if left is None or right is None:
            return None
        return f.Since(left, right) if expr.operator == "since" else f.Or((negated(left), right))

    def _future(self, expr: syntax.Unary | syntax.Binary) -> None:
        """Report a word about the future where only a moment and those before it count."""
        hint = (
            "say it in a formula that begins with no `possible`, or look back: `once`, `since` and "
            "`previously`"
        )
        self.report.add(
            "P202",
            expr.span,
            f"`{expr.operator}` speaks of the future, and cannot stand here.",
            hint,
        )

    def _is_next(self, expr: syntax.Binary, item: str, end: syntax.EndOf) -> f.Formula | None:
        if expr.operator == "is not":
            hint = (
                f"write `not {item} is {end.end} of {end.zone}`, which is true of an item that is "
                "not yet there"
            )
            self.report.add(
                "P106",
                expr.span,
                "Of an item that is not yet there, should this be true or false?",
                hint,
            )
            return None
        return None if self.binder.bind_item(end) is None else f.IsNext(item, end.zone)

    def _state(self, expr: syntax.Expr) -> f.Formula | None:
        """Type an expression about the position. What is said of the end of an empty zone is
        false.
        """
        if not self.state_only(expr):
            return None
        bound = self.binder.flag(expr)
        if bound is None:
            return None
        if isinstance(expr, syntax.Binary | syntax.OneOf):
            bound = all_of([*ends_are_there(bound), bound])
        self._check_definite(bound, expr.span)
        return f.Holds(bound, self.spotlit_items(bound))

    def _check_definite(self, bound: ir.Expr, span: Span) -> None:
        asking = ir.Clause("", "", "must", (), ir.Owner(), bound, (ir.GameOver(),), span)
        check_clause(asking, self.binder.places, self.report)

    # -------------------------------------------------------------- phrases

    def _phrase(self, phrase: syntax.Phrase) -> f.Formula | None:
        match phrase.kind:
            case "has priority":
                return self._of_player(phrase, f.HasPriority)
            case "passes" | "acts" | "chooses" as does:
                return self._of_player(phrase, lambda player: f.PlayerEvent(does, player))
            case "may act":
                return self._of_player(phrase, lambda player: f.Enabled(player, "act"))
            case "may pass":
                return self._of_player(phrase, lambda player: f.Enabled(player, "pass"))
            case "on":
                return self._of_item(phrase, _on)
            case "resolves" | "begins resolving" | "is put on" | "leaves" | "is removed" as event:
                return self._of_item(phrase, lambda item, zone: f.ItemEvent(event, item, zone))
            case "begins" | "ends" as happens:
                return self._of_sequence(phrase, happens)
            case "uses" | "clause" | "clause is possible":
                return self._of_clause(phrase)
            case "acts only finitely often":
                hint = (
                    "`p can enforce (GOAL and p acts only finitely often)`; of others it is "
                    "assumed, in a line before the formula"
                )
                self.report.add(
                    "P202",
                    phrase.span,
                    "`acts only finitely often` is said of a whole play, as a goal.",
                    hint,
                )
                return None
            case "at":
                return self._at(phrase)
            case "game is over":
                return f.GameIsOver()
            case "no clause applies":
                return f.Gap()
            case "clauses conflict":
                return f.Conflict()
            case _:
                assert_never(phrase.kind)

    def _of_player(
        self, phrase: syntax.Phrase, does: Callable[[ir.Expr | None], f.Formula]
    ) -> f.Formula | None:
        match phrase.subject:
            case syntax.Word("someone"):
                return does(None)
            case syntax.Word("nobody"):
                return f.Not(does(None))
            case syntax.Word() | None:
                hint = (
                    f"`someone {phrase.kind}`, `nobody {phrase.kind}`, or `for every player p:` "
                    f"and `p {phrase.kind}`"
                )
                self.report.add("P105", phrase.span, f"Only a player {phrase.kind}.", hint)
                return None
            case subject:
                player = self._player(subject)
                return None if player is None else does(player)

    def _player(self, subject: syntax.Expr) -> ir.Expr | None:
        if isinstance(subject, syntax.Name) and not self._is_known(subject.name):
            hint = self.report.near(
                subject.name, [*self.binder.locals, *self.binder.names.variables]
            )
            otherwise = f"write `for {self.above} player {subject.name}:` before the formula"
            self.report.add(
                "R101",
                subject.span,
                f"Nothing here is called `{subject.name}`; a player is needed.",
                hint or otherwise,
            )
            return None
        player = self.binder.player(subject) if self.state_only(subject) else None
        if player is not None and any(isinstance(node, ir.EndOf) for node in ir.walk(player)):
            hint = (
                "name the player first: `for every player p:`, and then ask whose the item is: `p "
                "is controller of top of stack`"
            )
            self.report.add(
                "P107", subject.span, "The zone may be empty, and then this is no player.", hint
            )
            return None
        return player

    def _is_known(self, name: str) -> bool:
        names = self.binder.names
        known = self.binder.locals, names.variables, names.options, names.terms, names.zones
        return any(name in those for those in known)

    def _of_item(
        self, phrase: syntax.Phrase, said: Callable[[str | None, str | None], f.Formula]
    ) -> f.Formula | None:
        if phrase.name is not None and self.binder.zone(phrase, phrase.name) is None:
            return None
        match phrase.subject:
            case syntax.Word("something"):
                return said(None, phrase.name)
            case syntax.Name(name) if self.is_item(name):
                return said(name, phrase.name)
            case _:
                words = phrase.kind if phrase.name is None else f"{phrase.kind} {phrase.name}"
                hint = (
                    f"name an item first: `for every item i:` and then `i {words}`; or `something "
                    f"{words}`"
                )
                self.report.add(
                    "P104",
                    phrase.span,
                    f"`{words}` is said of an item that the formula watches, or of `something`.",
                    hint,
                )
                return None

    def _of_sequence(
        self, phrase: syntax.Phrase, event: Literal["begins", "ends"]
    ) -> f.Formula | None:
        names = self.binder.names
        name = phrase.subject.name if isinstance(phrase.subject, syntax.Name) else ""
        if name == ir.STEP:
            return f.SequenceEvent(event, None)
        if name in names.sequences:
            return f.SequenceEvent(event, name)
        if name in names.steps:
            variable = names.sequences[names.steps[name]].variable
            said = (
                f"`step {event} and {variable} is {name}`"
                if event == "begins"
                else f"`step ends and previously ({variable} is {name})`"
            )
            self.report.add(
                "P103", phrase.span, f"`{name}` is one step of several.", f"write {said}"
            )
            return None
        known = [ir.STEP, *names.sequences]
        hint = self.report.near(name, known) or f"`{known[0]} {event}`, `{known[-1]} {event}`"
        self.report.add(
            "P103", phrase.span, f"Only a step, the turn or another sequence {event}.", hint
        )
        return None

    def _of_clause(self, phrase: syntax.Phrase) -> f.Formula | None:
        player = None
        if phrase.subject is not None and phrase.subject != syntax.Word("someone"):
            player = self._player(phrase.subject)
            if player is None:
                return None
        name, inactive = phrase.name or "", self.program.inactive
        ids = [clause.id for _, clause in self.program.clauses]
        if name in inactive:
            return f.Holds(ir.NO)
        if name not in ids and name not in self.clauses:
            known = [*ids, *inactive, *self.clauses]
            hint = self.report.near(name, known) or next_to(name, known)
            self.report.add("P101", phrase.span, f"There is no clause `{name}`.", hint)
            return None
        if phrase.kind == "clause is possible":
            return f.ClausePossible(name)
        return f.Uses(name, player)

    def _at(self, phrase: syntax.Phrase) -> f.Formula | None:
        stages, name = self.binder.names.stages, phrase.name or ""
        if name in stages:
            return f.AtStage(name)
        if name in self.program.inactive_stages:
            return f.Holds(ir.NO)
        hint = self.report.near(name, [*stages, *self.program.inactive_stages])
        self.report.add("P102", phrase.span, f"There is no stage called `{name}`.", hint)
        return None

    # -------------------------------------------------------------- what it speaks of

    @property
    def report(self) -> Report:
        """Where mistakes go."""
        return self.binder.report

    def is_item(self, name: str) -> bool:
        """Whether *name* is a spotlit item."""
        local = self.binder.locals.get(name)
        return local is not None and local.type == ITEM

    def spotlit_items(self, *expressions: ir.Expr) -> tuple[str, ...]:
        """Return the spotlit items that *expressions* speak of."""
        used = {
            node.name
            for expr in expressions
            for node in ir.walk(expr)
            if isinstance(node, ir.Local)
        }
        return tuple(name for name in self.binder.locals if name in used and self.is_item(name))

    def state_only(self, expr: syntax.Expr) -> bool:
        """Whether *expr* speaks of nothing but the position; report what does not."""
        terms = self.binder.names.terms
        for node in ir.walk(expr):  # before what it is given, which another word might be
            if isinstance(node, syntax.Call) and node.name not in terms:
                self.binder.unknown(node, node.name, "a term", terms)
                return False
        plain = True
        for node, what, chosen in _of_a_play(expr):
            message = (
                f"{what} cannot stand inside a comparison, a quantifier or what a term is given."
            )
            hint = "take the formula apart: join what it says by `and`, `or`, `not` and `implies`"
            if chosen is not None:
                is_item = (
                    isinstance(chosen.domain, syntax.Name)
                    and chosen.domain.name in self.binder.names.zones
                )
                above = f"for {self.above} {'item' if is_item else 'player'} {chosen.variable}:"
                hint = (
                    f"what `{chosen.quantifier} {chosen.variable}` picks is named before the "
                    f"formula, with `{above}`"
                )
            self.report.add("P203", node.span, message, hint)
            plain = False
        return plain


def _of_a_play(
    expr: syntax.Node, chosen: syntax.Quantified | None = None
) -> Iterator[tuple[syntax.Node, str, syntax.Quantified | None]]:
    """Yield the outermost nodes of *expr* that speak of a play, how they are called, and the
    quantifier around them, if there is one.
    """
    match expr:
        case syntax.Phrase() | syntax.Idiom():
            yield expr, f"`{expr.kind}`", chosen
        case syntax.Unary() if expr.operator != "not":
            yield expr, f"`{expr.operator}`", chosen
        case syntax.Binary("since" | "until" | "leads to"):
            yield expr, f"`{expr.operator}`", chosen
        case syntax.Word("someone" | "something"):
            yield expr, f"`{expr.word}`", chosen
        case _:
            chosen = expr if isinstance(expr, syntax.Quantified) else chosen
            for part in ir.children(expr):
                for node in part if isinstance(part, tuple) else (part,):
                    if isinstance(node, syntax.Node):
                        yield from _of_a_play(node, chosen)


def _on(item: str | None, zone: str | None) -> f.Formula:
    assert zone is not None
    return f.Holds(ir.Not(ir.IsEmpty(zone))) if item is None else f.On(item, zone)


def negated(formula: f.Formula) -> f.Formula:
    """Return the negation of *formula*, without a double one."""
    return formula.operand if isinstance(formula, f.Not) else f.Not(formula)


def unanswered(trigger: f.Formula | None, aim: f.Formula | None) -> f.Formula | None:
    """Return what must not go on for ever if *trigger* leads to *aim*; None if either has a
    mistake.
    """
    return (
        None
        if trigger is None or aim is None
        else f.Since(negated(aim), f.And((trigger, negated(aim))))
    )


def ends_are_there(bound: ir.Expr) -> list[ir.Expr]:
    """Return the conditions under which the ends of zones that *bound* asks for are there."""
    zones = dict.fromkeys(node.zone for node in ir.walk(bound) if isinstance(node, ir.EndOf))
    return [ir.Not(ir.IsEmpty(zone)) for zone in zones]


def parts_of(expr: syntax.Expr) -> list[syntax.Expr]:
    """Return the parts that a chain of one operator joins, from the left; not by recursion, for
    chains are long.
    """
    if not isinstance(expr, syntax.Binary):
        return [expr]
    parts: list[syntax.Expr] = []
    left: syntax.Expr = expr
    while isinstance(left, syntax.Binary) and left.operator == expr.operator:
        parts.append(left.right)
        left = left.left
    return [left, *reversed(parts)]


def _in_long_form(idiom: syntax.Idiom, program: ir.Program) -> syntax.Expr:
    """Return what *idiom* stands for in *program*, whose zones tagged ``stack`` (or called so) are
    the stack that it speaks of.
    """
    subject, other, span = idiom.subject, idiom.other, idiom.span

    def phrase(who: syntax.Expr, kind: syntax.PhraseKind, name: str | None = None) -> syntax.Expr:
        return syntax.Phrase(kind, who, name, span=span)

    def joined(operator: syntax.BinaryOperator, *parts: syntax.Expr) -> syntax.Expr:
        return reduce(lambda left, right: syntax.Binary(operator, left, right, span=span), parts)

    def past(operator: syntax.UnaryOperator, operand: syntax.Expr) -> syntax.Expr:
        return syntax.Unary(operator, operand, span=span)

    def on_stack(item: syntax.Expr, kind: syntax.PhraseKind) -> syntax.Expr:
        said = [phrase(item, kind, zone.name) for zone in program.zones_tagged("stack")]
        return joined("or", *said) if said else syntax.Word("no", span=span)

    match idiom.kind:
        case "is first to have priority after":
            nobody = phrase(syntax.Word("nobody", span=span), "has priority")
            waiting = past("previously", joined("since", nobody, joined("and", other, nobody)))
            return joined("and", phrase(subject, "has priority"), joined("or", other, waiting))
        case "has had a window for":
            return past(
                "once", joined("and", phrase(subject, "has priority"), on_stack(other, "on"))
            )
        case "is answered by":
            return past(
                "once",
                joined(
                    "and", on_stack(other, "is put on"), past("previously", on_stack(subject, "on"))
                ),
            )
        case "is countered by":
            begun = joined(
                "since", past("not", phrase(other, "resolves")), phrase(other, "begins resolving")
            )
            return joined(
                "and", phrase(subject, "is removed"), joined("or", phrase(other, "resolves"), begun)
            )
        case _:
            assert_never(idiom.kind)
