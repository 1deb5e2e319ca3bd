"""Terms: which parts of an expression are what a term of the ruleset means, so that they can be
called by its name again.

Binding puts what a term means in the place of its name. Here its meaning is a pattern, with the
term's parameters as holes; quantified names may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..models import ir
from ..models.binding.expressions import ExpressionBinder
from ..models.binding.names import names_of
from ..models.binding.typed import Typed, negated
from ..models.diagnostics import Report

Simplify: TypeAlias = Callable[[ir.Expr], ir.Expr]


class TermFound(NamedTuple):
    """A part of an expression that means what term *name* means of *arguments*, or with *holds*
    False the opposite.
    """

    name: str
    arguments: tuple[ir.Expr, ...]
    holds: bool


@dataclass(frozen=True)
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
    of_plays = names_of(program).of_plays
    for term in program.terms:
        if term.name in of_plays:
            continue
        binder = ExpressionBinder(names_of(program), Report(program.source))
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
