"""Reserved words: names that cannot be names, because the language would take them for its own
words.

Which words these are is asked of the grammar: those that can begin an expression, and for state
variables also those that can begin a statement. What is only ever said after ``is`` (kinds, steps,
named values) is freer: only the words that can follow ``is`` are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias, get_args

from lark import Token

from .. import syntax
from ..diagnostics import Report
from ..source import Span
from .lines import LineNode
from .outline import Place
from .scan import choices, lexicon, start_of
from .tokens import OF_IDIOMS

Named: TypeAlias = (
    syntax.Option
    | syntax.ItemKind
    | syntax.Attribute
    | syntax.Zone
    | syntax.Step
    | syntax.Sequence
    | syntax.StateVariable
    | syntax.Term
    | syntax.Let
)
_VALUES = frozenset(get_args(syntax.WordText))


def check_names(node: LineNode, report: Report) -> None:
    """Report the names that *node* declares and that are words of the language."""
    if isinstance(node, (syntax.ItemKind, syntax.Step)):
        reserved = _words_after_is()
    else:
        reserved = _expression_words() | (
            _statement_words() if isinstance(node, syntax.StateVariable) else frozenset()
        )
    for name, span in _declared(node):
        if name in reserved:
            _refuse(name, span, report)
    for name, span in _named_values(node):
        if name in _words_after_is() - _VALUES:
            _refuse(name, span, report)


def _refuse(name: str, span: Span, report: Report) -> None:
    said = f"`{name}` is a word of the language and cannot be a name here."
    report.add("R012", span, said, f"choose another name, such as `the_{name}`")


def _declared(node: LineNode) -> Iterator[tuple[str, Span]]:
    if isinstance(node, syntax.Sequence) and node.name == "turn":
        return
    if isinstance(node, Named):
        yield node.name, node.span
    elif (
        isinstance(node, (syntax.Choose, syntax.By, syntax.EveryItem, syntax.AssignEvery))
        and node.variable is not None
    ):
        yield node.variable, node.span
    elif isinstance(node, syntax.Formula):
        yield from ((spotlight.name, spotlight.span) for spotlight in node.spotlights)
    if isinstance(node, (syntax.Term, syntax.Routine, syntax.Stage)):
        yield from ((parameter.name, parameter.span) for parameter in node.parameters)


def _named_values(node: LineNode) -> Iterator[tuple[str, Span]]:
    """Yield named values, which may also be words that stand for a value, such as ``yes``."""
    if isinstance(node, syntax.OptionValue):
        yield node.name, node.span
    types = [node.type] if isinstance(node, (syntax.StateVariable, syntax.Attribute)) else []
    if isinstance(node, (syntax.Term, syntax.Routine, syntax.Stage)):
        types = [parameter.type for parameter in node.parameters]
    for type_ in types:
        if isinstance(type_, syntax.EnumType):
            yield from ((value, type_.span) for value in type_.values)


@cache
def _expression_words() -> frozenset[str]:
    parser = start_of(Place.STATEMENTS)
    parser.feed_token(Token("WHEN", "when"))
    return _reserved_words(set(choices(parser)))


@cache
def _words_after_is() -> frozenset[str]:
    parser = start_of(Place.STATEMENTS)
    for kind in ("WHEN", "NAME", "IS"):
        parser.feed_token(Token(kind, kind.lower()))
    return _reserved_words(set(choices(parser))) - OF_IDIOMS.keys()


@cache
def _statement_words() -> frozenset[str]:
    return _reserved_words(set(choices(start_of(Place.STATEMENTS))))


def _reserved_words(kinds: set[str]) -> frozenset[str]:
    return frozenset(
        word for word, kind in lexicon().words.items() if kind in kinds and word.isalpha()
    )
