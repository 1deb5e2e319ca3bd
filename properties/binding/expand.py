"""Expanding: terms that speak of a play, put into the formulas that use them.

In: a formula as written, and the terms of a Program. Out: the same formula without such terms. What
is put in stands where the term did, so that a mistake is told at the place of its use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from ...models import ir, syntax
from ...models.binding.names import MOST_INLINED, terms_of_plays, used_in
from ...models.diagnostics import Report
from ...models.ir.traverse import levels
from ...models.source import Span
from ...models.words import counted

NodeT = TypeVar("NodeT")
MOST_LEVELS = 100
"""How deep a term may be with others put in; every pass over it may then recurse."""


class _Mistake(NamedTuple):
    """What is wrong with a term, or with its use."""

    code: str
    message: str
    hint: str = ""


class _Meaning(NamedTuple):
    """What a term means, with no other term of a play in it; *size* counts its nodes."""

    parameters: tuple[str, ...]
    said: syntax.Expr
    size: int = 0


_Meanings = dict[str, _Meaning | _Mistake]


def expanded(formula: NodeT, program: ir.Program, report: Report) -> NodeT:
    """Return *formula*, or a part of one, with each term of *program* that speaks of a play put in;
    mistakes go to *report*.
    """
    meanings = _meanings_of(program.terms)
    if not meanings:
        return formula
    mistakes: list[tuple[_Mistake, Span]] = []
    found = _put_in(formula, meanings, mistakes)
    for mistake, span in mistakes:
        report.add(mistake.code, span, mistake.message, mistake.hint)
    return found


@lru_cache(maxsize=8)
def _meanings_of(terms: tuple[syntax.Term, ...]) -> _Meanings:
    """Return what those of *terms* mean that speak of a play, each after those that it uses."""
    names = terms_of_plays(terms)
    waiting = {term.name: term for term in terms if term.name in names}
    meanings: _Meanings = {}
    while ready := [
        term for term in waiting.values() if not used_in(term.meaning) & waiting.keys()
    ]:
        for term in ready:
            mistakes: list[tuple[_Mistake, Span]] = []
            said = _put_in(term.meaning, meanings, mistakes)
            parameters = tuple(parameter.name for parameter in term.parameters)
            meanings[term.name] = (
                mistakes[0][0] if mistakes else _bearable(term.name, _Meaning(parameters, said))
            )
            del waiting[term.name]
    for name in waiting:
        meanings[name] = _Mistake(
            "R112", f"The term `{name}` is explained by itself.", "say it without using the term"
        )
    return meanings


def _bearable(name: str, meaning: _Meaning) -> _Meaning | _Mistake:
    """Return *meaning* with its size, or that it is too large or too deep; found without
    recursion.
    """
    size = 0
    for depth, level in enumerate(levels(meaning.said), 1):
        size += len(level)
        if depth > MOST_LEVELS or size > MOST_INLINED:
            return _too_large(name)
    return meaning._replace(size=size)


def _too_large(name: str) -> _Mistake:
    return _Mistake(
        "R305",
        f"With all terms put in, `{name}` becomes too large.",
        "say with fewer terms what they say again and again",
    )


def _put_in(node: NodeT, meanings: _Meanings, mistakes: list[tuple[_Mistake, Span]]) -> NodeT:
    """Return *node* with all *meanings* put in; what cannot be is left, and told in *mistakes*."""
    size = 0

    def change(one: object) -> object:
        nonlocal size
        match one:
            case syntax.Name(name) if name in meanings:
                arguments: tuple[syntax.Expr, ...] = ()
            case syntax.Call(name, arguments) if name in meanings:
                pass
            case _:
                return one
        meaning = meanings[name]
        if isinstance(meaning, _Meaning) and len(meaning.parameters) != len(arguments):
            wanted = counted(len(meaning.parameters), "value") if meaning.parameters else "no value"
            meaning = _Mistake(
                "R108", f"`{name}` takes {wanted} and gets {len(arguments) or 'none'} here."
            )
        size += meaning.size if isinstance(meaning, _Meaning) else 0
        if size > MOST_INLINED:
            meaning = _too_large(name)
        if isinstance(meaning, _Mistake):
            mistakes.append((meaning, one.span))
            return syntax.Word("no", span=one.span)
        return _moved_to(
            _substituted(meaning.said, dict(zip(meaning.parameters, arguments, strict=True))),
            one.span,
        )

    return ir.rewrite(node, change)


def _substituted(meaning: syntax.Expr, values: Mapping[str, syntax.Expr]) -> syntax.Expr:
    """Return *meaning* with *values* for its parameters; what it quantifies gets a name that none
    of them has.
    """
    free = {
        node.name
        for value in values.values()
        for node in ir.walk(value)
        if isinstance(node, syntax.Name)
    }
    bound = {node.variable for node in ir.walk(meaning) if isinstance(node, syntax.Quantified)}
    taken = free | bound | {node.name for node in ir.walk(meaning) if isinstance(node, syntax.Name)}
    renamed: dict[str, str] = {}
    for variable in sorted(bound & free):
        renamed[variable] = next(
            name
            for number in range(2, len(taken) + 3)
            if (name := f"{variable}_{number}") not in taken
        )
        taken.add(renamed[variable])
    every = {**values, **{variable: syntax.Name(fresh) for variable, fresh in renamed.items()}}

    def change(node: object) -> object:
        match node:
            case syntax.Name(name) if name in every:
                return every[name]
            case syntax.Quantified(variable=variable) if variable in renamed:
                return replace(node, variable=renamed[variable])
            case _:
                return node

    return ir.rewrite(meaning, change)


def _moved_to(meaning: syntax.Expr, span: Span) -> syntax.Expr:
    """Return *meaning* as if it stood at *span*."""
    return ir.rewrite(
        meaning, lambda node: replace(node, span=span) if isinstance(node, syntax.Node) else node
    )
