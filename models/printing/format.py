"""Formatting: text to canonical text, and trees to text.

`format_text` keeps the author's order and comments; what it prints parses to the same tree, and
formatting it again changes nothing. `show_ruleset` prints a tree that was never a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

from .. import syntax
from ..diagnostics import Report
from ..parsing import lines as written
from ..parsing.blocks import ParsedLine
from ..parsing.outline import outline
from ..parsing.parse import parse_lines, parse_properties, parse_ruleset
from ..source import Source
from .layout import LayoutLine, lay_out


def format_text(source: Source) -> str:
    """Return the canonical text of a ruleset or a properties file; raise `InputError` if it cannot
    be read.
    """
    report = Report(source)
    cut = outline(source, report)
    lines = parse_lines(cut.lines, report)
    report.check()
    if any(parsed.word in ("property", "lemma") for parsed in lines):
        parse_properties(source, report)
    else:
        parse_ruleset(source, report)
    report.check()
    return lay_out(_layout_lines(lines), cut.tail)


def _layout_lines(lines: Iterable[ParsedLine]) -> list[LayoutLine]:
    return [
        LayoutLine(p.node, _layout_lines(p.children), tuple(p.line.pieces))
        for p in lines
        if p.node is not None
    ]


ShownPart: TypeAlias = (
    syntax.PlayersHeader | syntax.Go | syntax.Option | syntax.OptionValue | syntax.ItemKind | syntax.Attribute | syntax.Zone
    | syntax.Sequence | syntax.StateVariable | syntax.Term | syntax.Routine | syntax.Stage | syntax.Clause | syntax.Claim | syntax.LeftOut
)  # fmt: skip
"""A part of a ruleset that can be shown by itself."""


def show_part(part: ShownPart) -> str:
    """Return the text of one *part* of a ruleset, in the standard layout."""
    return lay_out([_part_line(part)])


def show_ruleset(ruleset: syntax.Ruleset) -> str:
    """Return a text that parses to *ruleset*."""
    return lay_out([*_headers(ruleset), *_sections(ruleset)])


def _part_line(part: ShownPart) -> LayoutLine:
    """Return the line of *part*, with those below it."""
    match part:
        case syntax.Option(values=below) | syntax.Sequence(steps=below):
            return LayoutLine(part, [LayoutLine(one) for one in below])
        case syntax.Routine(body=body) | syntax.Clause(body=body):
            return LayoutLine(part, _block(body))
        case syntax.Stage():
            return LayoutLine(part, list(_stage(part)))
        case syntax.Claim():
            return _claim(part)
        case syntax.Go():
            return LayoutLine(written.StartHeader(part))
        case _:
            return LayoutLine(part)


def _headers(ruleset: syntax.Ruleset) -> Iterable[LayoutLine]:
    yield LayoutLine(written.TextHeader("game", ruleset.title))
    if ruleset.source:
        yield LayoutLine(written.TextHeader("source", ruleset.source))
    if ruleset.language != 1:
        yield LayoutLine(written.LanguageHeader(ruleset.language))
    yield _part_line(ruleset.players)
    if ruleset.scope:
        yield LayoutLine(written.ScopeHeader(ruleset.scope))
    if ruleset.start is not None:
        yield _part_line(ruleset.start)


def _sections(ruleset: syntax.Ruleset) -> Iterable[LayoutLine]:
    sections: tuple[tuple[written.LineNode | None, Iterable[ShownPart]], ...] = (
        (None, ruleset.options),
        (written.SectionHead("items"), ruleset.items),
        (written.SectionHead("attributes"), ruleset.attributes),
        (written.SectionHead("zones"), ruleset.zones),
        (None, ruleset.sequences),
        (written.SectionHead("state"), ruleset.state),
        (None, (*ruleset.terms, *ruleset.routines, *ruleset.stages)),
        *(
            (written.ClaimsHead(None, title), [*claims])
            for title, claims in groupby(ruleset.claims, key=attrgetter("heading"))
        ),
        (written.SectionHead("left out"), ruleset.left_out),
    )
    for head, parts in sections:
        lines = list(map(_part_line, parts))
        yield from [LayoutLine(head, lines)] if lines and head is not None else lines


def _stage(stage: syntax.Stage) -> Iterable[LayoutLine]:
    if stage.priority is not None:
        yield LayoutLine(written.PriorityLine(stage.priority))
    for block, clauses in groupby(stage.clauses, key=lambda clause: clause.block):
        lines = list(map(_part_line, clauses))
        yield from [LayoutLine(written.FirstHead(), lines)] if block else lines


def _claim(claim: syntax.Claim) -> LayoutLine:
    needs = [LayoutLine(written.NeedsLine(claim.needs))] if claim.needs else []
    containing = (
        [] if claim.containing is None else [LayoutLine(written.WithLine(claim.containing))]
    )
    return LayoutLine(claim, [*needs, *_formula(claim.formula), *containing])


def _formula(formula: syntax.Formula | None) -> list[LayoutLine]:
    if formula is None:
        return []
    about = [] if formula.about is None else [LayoutLine(written.AboutLine(formula.about))]
    assuming = [LayoutLine(written.AssumingLine(who)) for who in formula.assuming]
    given = [LayoutLine(written.GivenLine(given)) for given in formula.given]
    return [*about, *assuming, *given, LayoutLine(formula)]


def _block(block: syntax.Block) -> list[LayoutLine]:
    return [entry for statement in block for entry in _statement(statement)]


def _otherwise(block: syntax.Block) -> Iterable[LayoutLine]:
    match block:
        case ():
            return
        case (syntax.If(condition, then, otherwise),):
            yield LayoutLine(written.ElseIf(condition), _block(then))
            yield from _otherwise(otherwise)
        case _:
            yield LayoutLine(written.Else(), _block(block))


def _statement(statement: syntax.Statement) -> Iterable[LayoutLine]:
    match statement:
        case syntax.If(_, then, otherwise):
            yield LayoutLine(statement, _block(then))
            yield from _otherwise(otherwise)
        case syntax.Maybe(body, title):
            yield LayoutLine(syntax.Maybe((), title), _block(body))
        case syntax.Either(options):
            (_, first), *others = options
            yield LayoutLine(statement, _block(first))
            yield from (LayoutLine(written.OrLine(title), _block(body)) for title, body in others)
        case _:
            yield LayoutLine(statement)
