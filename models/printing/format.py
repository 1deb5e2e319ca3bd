"""Formatting: text to canonical text, and trees to text.

`format_text` keeps the author's order and comments; what it prints parses to the same tree, and
formatting it again changes nothing. `show_ruleset` prints a tree that was never a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TypeAlias, assert_never

from ..diagnostics import Report
from ..parsing import lines as written
from ..parsing.blocks import ParsedLine
from ..parsing.outline import outline
from ..parsing.parse import parse_lines, parse_properties, parse_ruleset
from ..source import Source
from ..syntax import (
    Attribute,
    Block,
    Claim,
    Clause,
    Either,
    Formula,
    Go,
    If,
    ItemKind,
    Maybe,
    Option,
    OptionValue,
    PlayersHeader,
    Routine,
    Ruleset,
    Sequence,
    Stage,
    Statement,
    StateVariable,
    Term,
    Zone,
)
from .layout import LayoutLine, lay_out
from .show_expressions import show_expression, show_formula

__all__ = ["ShownPart", "format_text", "show_expression", "show_formula", "show_part", "show_ruleset"]


def format_text(source: Source) -> str:
    """Return the canonical text of a ruleset or a properties file; raise `InputError` if it cannot be read."""
    report = Report(source)
    cut = outline(source, report)
    lines = parse_lines(cut.lines, report)
    report.check()
    if any(parsed.word in ("property", "lemma") for parsed in lines):
        parse_properties(source, report)
    else:
        parse_ruleset(source, report)
    report.check()
    return lay_out(_read(lines), cut.tail)


def _read(lines: Iterable[ParsedLine]) -> list[LayoutLine]:
    return [LayoutLine(p.node, _read(p.children), tuple(p.line.pieces)) for p in lines if p.node is not None]


def show_ruleset(ruleset: Ruleset) -> str:
    """Return a text that parses to *ruleset*."""
    return lay_out([*_headers(ruleset), *_sections(ruleset)])


ShownPart: TypeAlias = (
    PlayersHeader
    | Go
    | Option
    | OptionValue
    | ItemKind
    | Attribute
    | Zone
    | Sequence
    | StateVariable
    | Term
    | Routine
    | Stage
    | Clause
    | Claim
)
"""A part of a ruleset that can be shown by itself."""


def show_part(part: ShownPart) -> str:
    """Return the text of one *part* of a ruleset, in the standard layout."""
    match part:
        case Option():
            return lay_out([LayoutLine(part, [LayoutLine(value) for value in part.values])])
        case Sequence():
            return lay_out([LayoutLine(part, [LayoutLine(step) for step in part.steps])])
        case Routine() | Clause():
            return lay_out([LayoutLine(part, _block(part.body))])
        case Stage():
            return lay_out([LayoutLine(part, list(_stage(part)))])
        case Claim():
            return lay_out([_claim(part)])
        case Go():
            return lay_out([LayoutLine(written.StartHeader(part))])
        case PlayersHeader() | OptionValue() | ItemKind() | Attribute() | Zone() | StateVariable() | Term():
            return lay_out([LayoutLine(part)])
        case _:
            assert_never(part)


def _headers(ruleset: Ruleset) -> Iterable[LayoutLine]:
    yield LayoutLine(written.TextHeader("game", ruleset.title))
    if ruleset.source:
        yield LayoutLine(written.TextHeader("source", ruleset.source))
    if ruleset.language != 1:
        yield LayoutLine(written.LanguageHeader(ruleset.language))
    yield LayoutLine(ruleset.players)
    if ruleset.scope:
        yield LayoutLine(written.ScopeHeader(ruleset.scope))
    if ruleset.start is not None:
        yield LayoutLine(written.StartHeader(ruleset.start))


def _sections(ruleset: Ruleset) -> Iterable[LayoutLine]:
    yield from (LayoutLine(option, [LayoutLine(value) for value in option.values]) for option in ruleset.options)
    yield from _section(written.SectionHead("items"), ruleset.items)
    yield from _section(written.SectionHead("attributes"), ruleset.attributes)
    yield from _section(written.SectionHead("zones"), ruleset.zones)
    yield from (LayoutLine(sequence, [LayoutLine(step) for step in sequence.steps]) for sequence in ruleset.sequences)
    yield from _section(written.SectionHead("state"), ruleset.state)
    yield from map(LayoutLine, ruleset.terms)
    yield from (LayoutLine(routine, _block(routine.body)) for routine in ruleset.routines)
    yield from (LayoutLine(stage, list(_stage(stage))) for stage in ruleset.stages)
    if ruleset.claims:
        yield LayoutLine(written.ClaimsHead(None), [_claim(claim) for claim in ruleset.claims])
    yield from _section(written.SectionHead("left out"), ruleset.left_out)


def _section(head: written.SectionHead, nodes: Iterable[written.LineNode]) -> Iterable[LayoutLine]:
    lines = [LayoutLine(node) for node in nodes]
    return [LayoutLine(head, lines)] if lines else []


def _stage(stage: Stage) -> Iterable[LayoutLine]:
    if stage.priority is not None:
        yield LayoutLine(written.PriorityLine(stage.priority))
    for block, clauses in groupby(stage.clauses, key=lambda clause: clause.block):
        lines = [LayoutLine(clause, _block(clause.body)) for clause in clauses]
        yield from [LayoutLine(written.FirstHead(), lines)] if block else lines


def _claim(claim: Claim) -> LayoutLine:
    needs = [LayoutLine(written.NeedsLine(claim.needs))] if claim.needs else []
    containing = [] if claim.containing is None else [LayoutLine(written.WithLine(claim.containing))]
    return LayoutLine(claim, [*needs, *_formula(claim.formula), *containing])


def _formula(formula: Formula | None) -> list[LayoutLine]:
    if formula is None:
        return []
    about = [] if formula.about is None else [LayoutLine(written.AboutLine(formula.about))]
    assuming = [LayoutLine(written.AssumingLine(who)) for who in formula.assuming]
    given = [LayoutLine(written.GivenLine(given)) for given in formula.given]
    return [*about, *assuming, *given, LayoutLine(formula)]


def _block(block: Block) -> list[LayoutLine]:
    return [entry for statement in block for entry in _statement(statement)]


def _otherwise(block: Block) -> Iterable[LayoutLine]:
    match block:
        case ():
            return
        case (If(condition, then, otherwise),):
            yield LayoutLine(written.ElseIf(condition), _block(then))
            yield from _otherwise(otherwise)
        case _:
            yield LayoutLine(written.Else(), _block(block))


def _statement(statement: Statement) -> Iterable[LayoutLine]:
    match statement:
        case If(_, then, otherwise):
            yield LayoutLine(statement, _block(then))
            yield from _otherwise(otherwise)
        case Maybe(body, title):
            yield LayoutLine(Maybe((), title), _block(body))
        case Either(options):
            (_, first), *others = options
            yield LayoutLine(statement, _block(first))
            yield from (LayoutLine(written.OrLine(title), _block(body)) for title, body in others)
        case _:
            yield LayoutLine(statement)
