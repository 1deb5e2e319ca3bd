"""Wording: expressions and formulas as text again, by the terms of the ruleset.

*names* replaces variables: with ``{"p": "B"}`` the formula ``p has priority`` reads ``B has
priority``. So a condition of the rules can be said of the very players and items of a play. Without
*names* and terms the text can be read again, and means the same.

Binding puts what a term means in the place of its name. Here its meaning is a pattern, with the
term's parameters as holes; quantified names may differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, assert_never

from ..models import ir
from ..models.binding.expressions import ExpressionBinder
from ..models.binding.names import Typed, names_of, negated
from ..models.diagnostics import Report
from ..models.frozen import frozen
from . import formula as f

Simplify: TypeAlias = Callable[[ir.Expr], ir.Expr]


class TermFound(NamedTuple):
    """A part of an expression that means what term *name* means of *arguments*, or with *holds*
    False the opposite.
    """

    name: str
    arguments: tuple[ir.Expr, ...]
    holds: bool


@frozen
class _Pattern:
    name: str
    parameters: tuple[str, ...]
    meaning: ir.Expr
    holds: bool


class TermNames:
    """The terms of one Program, as patterns for expressions that *simplify* has simplified."""

    def __init__(self, program: ir.Program, simplify: Simplify) -> None:
        self.patterns = tuple(_patterns(program, simplify))

    def term_for(self, expr: ir.Expr) -> TermFound | None:
        """Return the term that means *expr*, None if there is none."""
        return next(
            (found for pattern in self.patterns if (found := _found(pattern, expr)) is not None),
            None,
        )

    def term_for_first(
        self, parts: Sequence[ir.Expr], joined: type[ir.All | ir.Any]
    ) -> tuple[TermFound, int] | None:
        """Return the term that means as many as possible of the first *parts*, two at least,
        when they are *joined*; None if there is none.
        """
        for number in range(len(parts), 1, -1):
            found = self.term_for(joined(tuple(parts[:number])))
            if found is not None:
                return found, number
        return None


def _patterns(program: ir.Program, simplify: Simplify) -> Iterator[_Pattern]:
    """Yield for each term of *program* its meaning and the opposite."""
    for term in program.terms:
        binder = ExpressionBinder(names_of(program), Report(program.source))
        if term.name in binder.names.of_plays:
            continue
        for parameter in term.parameters:
            type_ = binder.type(parameter.type)
            if type_ is not None:
                binder.locals[parameter.name] = Typed(ir.Local(parameter.name), type_)
                binder.taken.add(parameter.name)
        typed = binder.typed(term.meaning)
        if typed is None:
            continue
        meaning = simplify(typed.expression)
        names = tuple(parameter.name for parameter in term.parameters)
        if isinstance(meaning, ir.Literal | ir.Local | ir.Variable | ir.NoPlayers | ir.Everyone):
            continue  # it says no more than what it stands for
        yield _Pattern(term.name, names, meaning, holds=True)
        if isinstance(typed.type, ir.FlagType):
            yield _Pattern(term.name, names, negated(meaning), holds=False)


def _found(pattern: _Pattern, expr: ir.Expr) -> TermFound | None:
    matching = _Matching(frozenset(pattern.parameters))
    if not matching.matches(pattern.meaning, expr) or matching.bound.keys() != set(
        pattern.parameters
    ):
        return None
    return TermFound(
        pattern.name, tuple(matching.bound[name] for name in pattern.parameters), pattern.holds
    )


@dataclass
class _Matching:
    """One attempt: what the *parameters* stand for as far as that is *bound*, and which quantified
    name stands for which.
    """

    parameters: frozenset[str]
    bound: dict[str, ir.Expr] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)

    def matches(self, pattern: object, value: object) -> bool:
        """Whether *value* is *pattern*, for some value of each parameter."""
        if isinstance(pattern, tuple) and isinstance(value, tuple):
            return len(pattern) == len(value) and all(
                self.matches(one, other) for one, other in zip(pattern, value, strict=True)
            )
        match pattern:
            case ir.Local(name) if name in self.parameters and name not in self.renamed:
                return self._binds(name, value)
            case ir.Local(name):
                return isinstance(value, ir.Local) and self.renamed.get(name, name) == value.name
            case ir.Exists(variable, domain, body):
                if not isinstance(value, ir.Exists) or not self.matches(domain, value.domain):
                    return False
                outer = dict(self.renamed)
                self.renamed[variable] = value.variable
                found = self.matches(body, value.body)
                self.renamed = outer
                return found
            case _ if type(pattern) is not type(value):
                return False
            case _ if ir.children(pattern):
                return self.matches(ir.children(pattern), ir.children(value))
            case _:
                return pattern == value

    def _binds(self, name: str, value: object) -> bool:
        """Let parameter *name* stand for *value*, if it stands for nothing else and *value* for
        nothing that is quantified here.
        """
        inside = set(self.renamed.values())
        if not isinstance(value, ir.Expr) or any(
            isinstance(node, ir.Local) and node.name in inside for node in ir.walk(value)
        ):
            return False
        return self.bound.setdefault(name, value) == value


Renaming = Mapping[str, str]
NO_NAMES: Renaming = {}


def expression_words(
    program: ir.Program,
    expression: ir.Expr,
    names: Renaming = NO_NAMES,
    terms: TermNames | None = None,
) -> str:
    """Return *expression* as the rules language would write it, with the names of *terms* for what
    they mean.
    """
    return _Words(program, names, terms).expression(expression)


def formula_words(
    program: ir.Program,
    formula: f.Formula,
    names: Renaming = NO_NAMES,
    terms: TermNames | None = None,
) -> str:
    """Return *formula* as the property language would write it, with the names of *terms* for what
    they mean.
    """
    return _Words(program, names, terms).formula(formula)


def written_name(program: ir.Program, name: str) -> str:
    """Return how *name*, of something that is chosen or quantified, is written: binding numbers
    names that stand in one clause twice.
    """
    base, _, number = name.rpartition("_")
    is_numbered = (
        base
        and number.isdecimal()
        and not re.search(rf"\b{re.escape(name)}\b", program.source.text)
    )
    return base if is_numbered else name


class _Words:
    """One wording: a Program, for the order of its zones, the names that stand for variables, and
    the terms that are called by theirs.
    """

    def __init__(self, program: ir.Program, names: Renaming, terms: TermNames | None) -> None:
        self.program = program
        self.ends = {zone.name: zone.end_word for zone in program.zones}
        self.names, self.terms = names, terms

    def term(self, found: TermFound) -> str:
        """Return a term with what it is given."""
        given = (
            f"({', '.join(self.expression(argument) for argument in found.arguments)})"
            if found.arguments
            else ""
        )
        return f"{'' if found.holds else 'not '}{found.name}{given}"

    def joined_parts(self, parts: Sequence[ir.Expr], kind: type[ir.All | ir.Any]) -> list[str]:
        """Return *parts* of a conjunction or a disjunction; some of them together may be what one
        term means.
        """
        said, rest = [], list(parts)
        while rest:
            found = None if self.terms is None else self.terms.term_for_first(rest, kind)
            said.append(self.inner(rest[0]) if found is None else self.term(found[0]))
            rest = rest[1 if found is None else found[1] :]
        return said

    def inner(self, expression: ir.Expr) -> str:
        """Return *expression* where it is a part of a larger one: in parentheses if it needs
        them.
        """
        if self.is_named(expression):
            return self.expression(expression)
        joins = isinstance(
            expression, ir.All | ir.Any | ir.Add | ir.Subtract | ir.Less | ir.With | ir.Without
        )
        return (
            self.enclosed(expression)
            if joins or _is_quantified(expression)
            else self.expression(expression)
        )

    def compared(self, expression: ir.Expr) -> str:
        """Return *expression* where it is compared: truth stands in parentheses unless it has a
        name.
        """
        truth = isinstance(expression, ir.Not | ir.Contains | ir.Equal | ir.OneOf | ir.IsEmpty)
        return (
            self.enclosed(expression)
            if truth and not self.is_named(expression)
            else self.inner(expression)
        )

    def is_named(self, expression: ir.Expr) -> bool:
        """Return whether *expression* is called by the name of a term."""
        return self.terms is not None and self.terms.term_for(expression) is not None

    def enclosed(self, expression: ir.Expr) -> str:
        """Return *expression* in parentheses."""
        return f"({self.expression(expression)})"

    def expression(self, e: ir.Expr) -> str:
        """Return *e* as text."""
        if self.terms is not None and (found := self.terms.term_for(e)) is not None:
            return self.term(found)
        match e:
            case ir.Literal(value):
                return (
                    {True: "yes", False: "no", None: "nobody"}[value]
                    if isinstance(value, bool) or value is None
                    else str(value)
                )
            case ir.OptionValue(name):
                return name
            case ir.Variable(name):
                return self.names.get(name, name)
            case ir.Local(name):
                return self.names.get(name) or written_name(self.program, name)
            case ir.PlayerNumber():
                return "number of players"
            case ir.Entry(name, player):
                return f"{name} of {self.inner(player)}"
            case ir.Neighbour(player, offset):
                return f"{'after' if offset == 1 else 'before'} {self.inner(player)}"
            case ir.Everyone():
                return "everyone"
            case ir.NoPlayers():
                return "none"
            case ir.With(players, player):
                return f"{self.inner(players)} with {self.inner(player)}"
            case ir.Without(players, player):
                return f"{self.inner(players)} but {self.inner(player)}"
            case ir.Not(operand):
                return self.negated(operand)
            case ir.All(parts):
                return " and ".join(self.joined_parts(parts, ir.All)) or "yes"
            case ir.Any(parts):
                return " or ".join(self.joined_parts(parts, ir.Any)) or "no"
            case ir.Add(left, right):
                return f"{self.inner(left)} + {self.inner(right)}"
            case ir.Subtract(left, right):
                return f"{self.inner(left)} - {self.inner(right)}"
            case ir.Count(players):
                return f"number of players in {self.inner(players)}"
            case ir.Size(zone):
                return f"size of {zone}"
            case ir.EndOf(zone):
                return self.place_of_end(zone)
            case ir.AttributeOf(item, name):
                return f"{name} of {self.inner(item)}"
            case _:
                return self.comparison(e, positive=True)

    def comparison(
        self,
        e: ir.Contains | ir.Equal | ir.OneOf | ir.Less | ir.IsEmpty | ir.Exists,
        *,
        positive: bool,
    ) -> str:
        """Return *e*, or its negation, as text."""
        verb = "is" if positive else "is not"
        match e:
            case ir.Contains(players, player):
                return f"{self.inner(player)} {'' if positive else 'not '}in {self.inner(players)}"
            case ir.Equal(left, right):
                return f"{self.compared(left)} {verb} {self.compared(right)}"
            case ir.OneOf(_, ()):
                return "no" if positive else "yes"
            case ir.OneOf(operand, values):
                named = values[0] if len(values) == 1 else f"one of ({', '.join(values)})"
                return f"{self.inner(operand)} {verb} {named}"
            case ir.Less(ir.Literal() as number, right) if not isinstance(right, ir.Literal):
                return f"{self.inner(right)} {'>' if positive else '<='} {self.inner(number)}"
            case ir.Less(left, right):
                return f"{self.inner(left)} {'<' if positive else '>='} {self.inner(right)}"
            case ir.IsEmpty(zone):
                return f"{zone} {verb} empty"
            case ir.Exists(variable, domain, body):
                name, inside = self.quantified(variable, body)
                said = f"{'some' if positive else 'no'} {name} in {self.domain(domain)}"
                return said if body == ir.YES else f"{said} where {inside.inner(body)}"
            case _:
                assert_never(e)

    def quantified(self, variable: str, body: ir.Expr) -> tuple[str, _Words]:
        """Return what *variable* is called in *body*, as it is written unless that means another
        thing there, and words with that name.
        """
        name = written_name(self.program, variable)
        others = {node.name for node in ir.walk(body) if isinstance(node, ir.Local)} - {variable}
        if name in others or name in {self.names.get(other) for other in others}:
            name = f"other {name}"
        return name, _Words(self.program, {**self.names, variable: name}, self.terms)

    def negated(self, operand: ir.Expr) -> str:
        """Return *operand*'s negation as text: ``stack is not empty`` rather than ``not stack is
        empty``.
        """
        if self.terms is not None and (found := self.terms.term_for(operand)) is not None:
            return self.term(found._replace(holds=not found.holds))
        if isinstance(operand, ir.Not):
            return self.expression(operand.operand)
        if isinstance(operand, ir.Exists) and isinstance(operand.body, ir.Not):
            name, inside = self.quantified(operand.variable, operand.body)
            return (
                f"every {name} in {self.domain(operand.domain)} satisfies "
                f"{inside.inner(operand.body.operand)}"
            )
        if isinstance(
            operand, ir.Contains | ir.Equal | ir.OneOf | ir.Less | ir.IsEmpty | ir.Exists
        ):
            return self.comparison(operand, positive=False)
        return f"not {self.inner(operand)}"

    def place_of_end(self, zone: str) -> str:
        """Return the place in *zone* whose item leaves next."""
        return f"{self.ends.get(zone) or 'top'} of {zone}"

    def domain(self, domain: ir.Domain) -> str:
        """Return a domain as text."""
        match domain:
            case ir.PlayersIn(ir.Everyone()):
                return "players"
            case ir.PlayersIn(players):
                return self.inner(players)
            case ir.ItemsOn(zone):
                return zone
            case ir.NumbersFrom(low, high):
                return f"{self.inner(low)} to {self.inner(high)}"
            case _:
                assert_never(domain)

    def whom(self, player: ir.Expr | None) -> str:
        """Return a player of a formula, or someone."""
        return "someone" if player is None else self.inner(player)

    def formula(self, formula: f.Formula) -> str:
        """Return *formula* as text."""
        match formula:
            case f.Holds(expression):
                return self.expression(expression)
            case f.HasPriority(player):
                return f"{self.whom(player)} has priority"
            case f.On(item, zone):
                return (
                    f"{self.names[item]} is on {zone}"
                    if item in self.names
                    else f"{item} on {zone}"
                )
            case f.IsNext(item, zone):
                return f"{self.names.get(item, item)} is {self.place_of_end(zone)}"
            case f.Enabled(player, what):
                return f"{self.whom(player)} may {what}"
            case f.ClausePossible(clause):
                return f"clause {self.names.get(clause, clause)} is possible"
            case f.AtStage(stage):
                return f"at {stage}"
            case f.GameIsOver():
                return "game is over"
            case f.Gap():
                return "no clause applies"
            case f.Conflict():
                return "clauses conflict"
            case f.ItemEvent(event, item, zone):
                who = "something" if item is None else self.names.get(item, item)
                return f"{who} {event}{f' {zone}' if zone else ''}"
            case f.PlayerEvent(event, player):
                return f"{self.whom(player)} {event}"
            case f.Uses(clause, player):
                used = self.names.get(clause, clause)
                return f"clause {used}" if player is None else f"{self.whom(player)} uses {used}"
            case f.SequenceEvent(event, sequence):
                return f"{sequence or 'step'} {event}"
            case _:
                return self.compound(formula)

    def compound(self, formula: f.Not | f.And | f.Or | f.Past) -> str:
        """Return a formula made of others as text."""
        match formula:
            case f.Not(f.Holds(expression, items)):
                # Of an item that is not there yet the one is true and the other false; those of a
                # play are there.
                return (
                    self.negated(expression)
                    if self.names.keys() >= set(items)
                    else f"not {self.inner(expression)}"
                )
            case f.Not(f.HasPriority(None)):
                return "nobody has priority"
            case f.Not(f.ItemEvent("is put on", item, zone)) if (
                item is not None and item in self.names
            ):
                return f"{self.names[item]} is not put on {zone}"
            case f.Not(f.On(item, zone)) if item in self.names:
                return f"{self.names[item]} is not on {zone}"
            case f.Not(f.Once(f.Not(operand))):
                return f"historically {self.part(operand)}"
            case f.Not(operand):
                return f"not {self.part(operand)}"
            case f.And(parts):
                return " and ".join(self.part(part) for part in parts)
            case f.Or((f.Not(condition), consequence)):
                return f"{self.part(condition)} implies {self.part(consequence)}"
            case f.Or(parts):
                return " or ".join(self.part(part) for part in parts)
            case f.Previously(operand):
                return f"previously {self.part(operand)}"
            case f.Once(operand):
                return f"once {self.part(operand)}"
            case f.Since(left, right):
                return f"{self.part(left)} since {self.part(right)}"
            case _:
                assert_never(formula)

    def part(self, formula: f.Formula) -> str:
        """Return *formula* where it is a part of a larger one."""
        text = self.formula(formula)
        if isinstance(formula, f.And | f.Or | f.Since):
            return f"({text})"
        said = formula.operand if isinstance(formula, f.Not) else formula
        if not isinstance(said, f.Holds) or self.is_named(said.expression):
            return text
        joins = isinstance(formula, f.Holds) and isinstance(said.expression, ir.All | ir.Any)
        return f"({text})" if joins or _is_quantified(said.expression) else text


def _is_quantified(expression: ir.Expr) -> bool:
    """Whether *expression* is told with a quantifier, which reaches as far as it can where the
    rules are of language 2.
    """
    return isinstance(expression, ir.Exists) or (
        isinstance(expression, ir.Not) and _is_quantified(expression.operand)
    )
