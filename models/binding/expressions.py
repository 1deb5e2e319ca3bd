"""Expressions: surface syntax -> typed IR, names bound, terms inlined.

Serves rules and formulas alike. A mistake is reported once, at its place; an expression that has
one comes back as None, and its caller stays silent.
"""

from __future__ import annotations

from typing import assert_never

from .. import ir, syntax
from .binder import Binder
from .comparisons import bind_comparison
from .names import (
    FLAG,
    ITEM,
    MOST_LEVELS,
    NUMBER,
    PLAYER,
    PLAYERS,
    SOMEBODY_OR_NOBODY,
    Typed,
    all_of,
    any_of,
    describe,
    negated,
)

_ANY_TYPE = (
    "a type is `flag`, `player`, `players`, a range `LOW to HIGH`, values `VALUE or VALUE`, or "
    "what has such values"
)
_TYPES = {
    **dict.fromkeys(("bool", "boolean", "yes", "no"), "write `flag`"),
    **dict.fromkeys(
        ("int", "integer", "number", "count", "counter"), "write `0 to 9`, or another range"
    ),
}
"""Types of other languages, and what to write."""


class ExpressionBinder(Binder):
    """Binds expressions."""

    def typed(self, expr: syntax.Expr, wanted: ir.Type | None = None) -> Typed | None:
        """Bind *expr* and return it with its type; *wanted* only tells what a bare name may
        mean.
        """
        if self.inside and not self.may_inline(expr):
            return None
        if self.names.level >= MOST_LEVELS:
            self.too_large(
                expr, f"With all terms put in, this expression has more than {MOST_LEVELS} levels."
            )
            return None
        self.names.level += 1
        try:
            return self._typed(expr, wanted)
        finally:
            self.names.level -= 1

    def _typed(self, expr: syntax.Expr, wanted: ir.Type | None) -> Typed | None:
        match expr:
            case syntax.Name():
                return self._name(expr, wanted)
            case syntax.Number(value):
                return Typed(ir.Literal(value), ir.NumberType(ir.Literal(value), ir.Literal(value)))
            case syntax.Word():
                return self._word(expr, wanted)
            case syntax.Call():
                return self._call(expr)
            case syntax.PlayerNumber():
                return Typed(ir.PlayerNumber(), NUMBER)
            case syntax.Count(of):
                players = self.value(of, PLAYERS)
                return None if players is None else Typed(ir.Count(players), NUMBER)
            case syntax.Size():
                return self._size(expr)
            case syntax.EndOf():
                return self._end(expr)
            case syntax.Of():
                return self._of(expr)
            case syntax.Neighbour(side, player):
                bound = self.player(player)
                return (
                    None
                    if bound is None
                    else Typed(ir.Neighbour(bound, 1 if side == "after" else -1), PLAYER)
                )
            case syntax.Unary():
                return self._unary(expr)
            case syntax.Binary():
                return self._binary(expr)
            case syntax.OneOf():
                return bind_comparison(self, expr)
            case syntax.Quantified():
                return self._quantified(expr)
            case syntax.Phrase() | syntax.Idiom():
                self._only_in_formulas(expr, f"`{expr.kind}`")
                return None
            case syntax.Enforce():
                self._only_in_formulas(expr, "`can enforce`")
                return None
            case _:
                assert_never(expr)

    def _only_in_formulas(self, node: syntax.Node, what: str) -> None:
        self.report.add(
            "R111",
            node.span,
            f"{what} speaks of a play, and only a claim or a property can.",
            "in a rule, ask the state that the clauses keep",
        )

    def _name(self, expr: syntax.Name, wanted: ir.Type | None) -> Typed | None:
        name = expr.name
        if name in self.locals:
            known = self.locals[name]
            if (
                known is not None
                and isinstance(known.type, ir.ItemType)
                and isinstance(known.expression, ir.Local)
            ):
                # A mention of an item has a place of its own: `definite` may find that it has left
                # there.
                return Typed(self.remember(expr, ir.Local(known.expression.name)), ITEM)
            return known
        if name in self.names.mistaken:
            return None
        if name in self.names.variables:
            variable = self.names.variables[name]
            if variable.each_player:
                self.report.add(
                    "R102",
                    expr.span,
                    f"Each player has a `{name}`.",
                    f"write `{name} of active`, or whose it is",
                )
                return None
            return Typed(ir.Variable(name), variable.type)
        if name in self.names.options:
            return Typed(ir.OptionValue(name), self.names.options[name].type)
        if name in self.names.terms:
            return self._call(syntax.Call(name, (), span=expr.span))
        flags = self.names.tagged_flags(name)
        if flags or name in self.names.roles:
            return Typed(any_of([ir.Variable(flag) for flag in flags]), FLAG)
        if isinstance(wanted, ir.EnumType) and name in wanted.values:
            return Typed(ir.Literal(name), wanted)
        nearby = [*self.locals, *self.names.variables, *self.names.options, *self.names.terms]
        if isinstance(wanted, ir.EnumType):
            self.unknown(expr, name, describe(wanted), [*wanted.values, *nearby])
        elif name in self.names.zones:
            self.report.add(
                "R102",
                expr.span,
                f"`{name}` is a zone, not a value.",
                f"`{name} is empty`, `size of {name}` or `top of {name}`",
            )
        else:
            self.unknown(
                expr, name, describe(wanted) if wanted else "", [*nearby, *self.names.zones]
            )
        return None

    def _word(self, expr: syntax.Word, wanted: ir.Type | None) -> Typed | None:
        match expr.word:
            case "yes" | "no":
                if isinstance(wanted, ir.EnumType) and expr.word in wanted.values:
                    return Typed(ir.Literal(expr.word), wanted)
                return Typed(ir.YES if expr.word == "yes" else ir.NO, FLAG)
            case "everyone" | "players":
                return Typed(ir.Everyone(), PLAYERS)
            case "nobody":
                if isinstance(wanted, ir.PlayersType):
                    return Typed(ir.NoPlayers(), PLAYERS)
                return Typed(ir.Literal(None), SOMEBODY_OR_NOBODY)
            case "none":
                if isinstance(wanted, ir.EnumType) and ir.NO_STEP in wanted.values:
                    return Typed(ir.Literal(ir.NO_STEP), wanted)
                return Typed(ir.NoPlayers(), PLAYERS)
            case "empty":
                self.report.add(
                    "R102",
                    expr.span,
                    "`empty` stands only after `is` or `is not`.",
                    "`stack is empty`",
                )
                return None
            case "someone" | "something":
                self._only_in_formulas(expr, f"`{expr.word}`")
                return None
            case _:
                assert_never(expr.word)

    def _size(self, expr: syntax.Size) -> Typed | None:
        variable = self.names.variables.get(expr.zone)
        if variable is not None and isinstance(variable.type, ir.PlayersType):
            hint = f"write `number of players in {expr.zone}`"
            self.report.add(
                "R102",
                expr.span,
                f"`{expr.zone}` is a set of players, and only a zone has a size.",
                hint,
            )
            return None
        return Typed(ir.Size(expr.zone), NUMBER) if self.zone(expr, expr.zone) else None

    def _end(self, expr: syntax.EndOf) -> Typed | None:
        zone = self.zone(expr, expr.zone)
        if zone is None:
            return None
        if zone.end_word is None:
            hint = f"`choose i in {zone.name}` picks one"
            self.report.add(
                "R117",
                expr.span,
                f"The items of `{zone.name}` have no order, so there is no {expr.end} of it.",
                hint,
            )
            return None
        if zone.end_word != expr.end:
            order = ir.ORDERS[zone.order]
            self.report.add(
                "R117",
                expr.span,
                f"`{zone.name}` is {order}: its next item is its {zone.end_word}.",
                f"write `{zone.end_word} of {zone.name}`",
            )
            return None
        return Typed(self.remember(expr, ir.EndOf(zone.name)), ITEM)

    def _of(self, expr: syntax.Of) -> Typed | None:
        variable = self.names.variables.get(expr.name)
        if variable is not None and variable.each_player:
            player = self.player(expr.operand)
            return None if player is None else Typed(ir.Entry(expr.name, player), variable.type)
        types: dict[str, ir.Type] = {ir.KIND: self.names.kind_type(), ir.CONTROLLER: PLAYER}
        types.update((name, attribute.type) for name, attribute in self.names.attributes.items())
        if expr.name not in types and expr.name in self.names.mistaken:
            return None
        if expr.name not in types:
            known = [*types, *(v.name for v in self.names.variables.values() if v.each_player)]
            self.unknown(
                expr, expr.name, "an attribute of items or something each player has", known
            )
            return None
        item = self.bind_item(expr.operand)
        return None if item is None else Typed(ir.AttributeOf(item, expr.name), types[expr.name])

    def _call(self, expr: syntax.Call) -> Typed | None:
        term = self.names.terms.get(expr.name)
        if term is None:
            self.unknown(expr, expr.name, "a term", self.names.terms)
            return None
        if expr.name in self.names.of_plays:
            self._only_in_formulas(expr, f"The term `{expr.name}`")
            return None
        if expr.name in self.inside:
            self.report.add(
                "R112",
                expr.span,
                f"The term `{expr.name}` is explained by itself.",
                "say it without using the term",
            )
            return None
        if not self.may_go_in(expr, self.inside):
            return None
        if not self.is_given(expr, expr.name, term.parameters, expr.arguments):
            return None
        arguments: dict[str, Typed | None] = {}
        for parameter, argument in zip(term.parameters, expr.arguments, strict=True):
            type_ = self.type(parameter.type)
            bound = None if type_ is None else self.value(argument, type_)
            if type_ is None or bound is None:
                return None
            arguments[parameter.name] = Typed(bound, type_)
        inner = self.inlining(expr, arguments, expr.name)
        meant = inner.typed(term.meaning)
        return meant if meant is not None and self.is_bearable(expr, meant.expression) else None

    def _unary(self, expr: syntax.Unary) -> Typed | None:
        if expr.operator != "not":
            self._only_in_formulas(expr, f"`{expr.operator}`")
            return None
        operand = self.flag(expr.operand)
        return None if operand is None else Typed(negated(operand), FLAG)

    def _binary(self, expr: syntax.Binary) -> Typed | None:
        match expr.operator:
            case "and" | "or" | "implies":
                left, right = self.flag(expr.left), self.flag(expr.right)
                if left is None or right is None:
                    return None
                if expr.operator == "and":
                    return Typed(all_of([left, right]), FLAG)
                return Typed(
                    any_of([left if expr.operator == "or" else negated(left), right]), FLAG
                )
            case "is" | "is not" | "<" | "<=" | ">" | ">=" | "in" | "not in":
                return bind_comparison(self, expr)
            case "+" | "-":
                left, right = self.value(expr.left, NUMBER), self.value(expr.right, NUMBER)
                if left is None or right is None:
                    return None
                return Typed(
                    ir.Add(left, right) if expr.operator == "+" else ir.Subtract(left, right),
                    NUMBER,
                )
            case "but":
                players, player = self.value(expr.left, PLAYERS), self.player(expr.right)
                return (
                    None
                    if players is None or player is None
                    else Typed(ir.Without(players, player), PLAYERS)
                )
            case "comes first from":
                self.report.add(
                    "R113",
                    expr.span,
                    "`comes first from` compares the candidates of a choice.",
                    "put it after the `where` of a `choose`, joined with `and`",
                )
                return None
            case "since" | "until" | "leads to":
                self._only_in_formulas(expr, f"`{expr.operator}`")
                return None
            case _:
                assert_never(expr.operator)

    def _quantified(self, expr: syntax.Quantified) -> Typed | None:
        domain = self.domain(expr.domain)
        inner = self.within()
        if domain is None:
            inner.mistaken(expr.variable)
            inner.flag(expr.body)
            return None
        variable = inner.local(expr.variable, domain[1], expr)
        body = inner.flag(expr.body)
        if not (expr.wide or expr.enclosed):
            self.ended.add(expr.variable)
        if body is None:
            return None
        satisfied = negated(body) if expr.quantifier == "every" else body
        exists = ir.Exists(variable.name, domain[0], satisfied)
        return Typed(exists if expr.quantifier == "some" else ir.Not(exists), FLAG)

    # -------------------------------------------------------------- types

    def type(self, type_: syntax.Type) -> ir.Type | None:
        """Bind a type as written."""
        match type_:
            case syntax.FlagType():
                return FLAG
            case syntax.PlayerType(optional):
                return ir.PlayerType(optional)
            case syntax.PlayersType():
                return PLAYERS
            case syntax.NumberType(low, high):
                bounds = self.value(low, NUMBER), self.value(high, NUMBER)
                if bounds[0] is None or bounds[1] is None:
                    return None
                return ir.NumberType(bounds[0], bounds[1])
            case syntax.EnumType(values):
                return self._enum(type_, values)
            case _:
                assert_never(type_)

    def _enum(self, type_: syntax.EnumType, values: tuple[str, ...]) -> ir.Type | None:
        if len(values) > 1:
            return ir.EnumType(values)
        name = values[0]
        if name in self.names.options:
            return self.names.options[name].type
        if name in self.names.variables:
            return self.names.variables[name].type
        if name in self.names.attributes:
            return self.names.attributes[name].type
        if name not in self.names.mistaken:
            known = ["flag", "player", "players", *self.names.options, *self.names.variables]
            self.unknown(type_, name, "a type", known, _TYPES.get(name.lower(), _ANY_TYPE))
        return None
