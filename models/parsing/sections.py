"""Sections: top lines put together, sections to a ruleset, properties to a catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from .. import syntax
from ..diagnostics import Report
from ..source import Span
from . import blocks as written
from .blocks import ParsedLine, body_of, need_lines

LANGUAGE = 2
"""The newest version of the language."""
NodeT = TypeVar("NodeT")
_START_OF_TEXT = Span(1, 1, 2)
_REQUIRED = {
    "game": ("no title", 'begin with a line such as `game "Two passes"`'),
    "players": ("not said how many can play", "add a line such as `players 2 or more`"),
    "start": ("not said where the game begins", "add a line such as `start STAGE(active)`"),
}


def ruleset_of(lines: tuple[ParsedLine, ...], report: Report) -> syntax.Ruleset:
    """Put the lines of a ruleset together; what it lacks goes into *report*."""
    builder, files = _RulesetBuilder(report), report.source.files
    is_of_claims = bool(files.claims) and not files.before
    for parsed in lines:
        if files.place_of(parsed.line.span.line)[0] == files.claims and not _is_claims(parsed):
            said = f"`{parsed.word}` belongs in the rules; this file has claims only."
            report.add("R009", parsed.line.span, said, "put it into the file that ends in .rules")
        else:
            builder.add(parsed)
    for header, (missing, hint) in _REQUIRED.items():
        if (
            not is_of_claims
            and all(parsed.word != header for parsed in lines)
            and not _in_doubt(lines)
        ):
            said = f"This ruleset has {missing}." if header == "game" else f"It is {missing}."
            report.add("R010", _START_OF_TEXT, said, hint)
    return builder.ruleset()


def _is_claims(parsed: ParsedLine) -> bool:
    """Whether *parsed* may stand in a file of claims, or could not be read, which was said."""
    return parsed.node is None or isinstance(parsed.node, written.ClaimsHead | written.PropertyHead)


def _in_doubt(lines: tuple[ParsedLine, ...]) -> bool:
    """Tell whether a line could not be read that may have been a header."""
    return any(parsed.node is None and not parsed.children for parsed in lines)


@dataclass
class _RulesetBuilder:
    report: Report
    headers: dict[str, ParsedLine] = field(default_factory=dict)
    scope: list[written.ScopeHeader] = field(default_factory=list)
    options: list[syntax.Option] = field(default_factory=list)
    sequences: list[syntax.Sequence] = field(default_factory=list)
    terms: list[syntax.Term] = field(default_factory=list)
    routines: list[syntax.Routine] = field(default_factory=list)
    stages: list[syntax.Stage] = field(default_factory=list)
    claims: list[syntax.Claim] = field(default_factory=list)
    listed: list[ParsedLine] = field(default_factory=list)

    def add(self, parsed: ParsedLine) -> None:
        """Take in one top line with its block."""
        report = self.report
        match parsed.node:
            case (
                written.LanguageHeader()
                | written.TextHeader()
                | syntax.PlayersHeader()
                | written.StartHeader()
            ):
                self._header(parsed)
            case written.ScopeHeader():
                self.scope.append(parsed.node)
            case written.SectionHead():
                need_lines(parsed, report, "it needs at least one line")
                self.listed += parsed.children
            case syntax.Option() as option:
                self.options.append(_option(option, parsed, report))
            case syntax.Sequence() as sequence:
                need_lines(parsed, report, "it needs at least one step")
                self.sequences.append(replace(sequence, steps=_nodes(parsed, syntax.Step)))
            case syntax.Term() as term:
                self.terms.append(term)
            case syntax.Routine() as routine:
                need_lines(parsed, report, "it needs the statements it stands for")
                self.routines.append(replace(routine, body=body_of(parsed.children, report)))
            case syntax.Stage() as stage:
                self.stages.append(_stage(stage, parsed, report))
            case written.ClaimsHead() as head:
                need_lines(parsed, report, "it needs at least one claim")
                self.claims += (
                    _claim(child, head, report)
                    for child in parsed.children
                    if isinstance(child.node, syntax.Claim)
                )
            case written.PropertyHead(is_lemma=is_lemma):
                said = (
                    "A lemma of a ruleset stands among its claims."
                    if is_lemma
                    else "A ruleset has claims, no properties."
                )
                report.add(
                    "R009",
                    parsed.line.span,
                    said,
                    "put it into a file of properties, or below `claims`",
                )
            case _:
                pass

    def _header(self, parsed: ParsedLine) -> None:
        if parsed.word in self.headers:
            line = self.headers[parsed.word].line.span.line
            self.report.add(
                "R011",
                parsed.line.span,
                f"`{parsed.word}` was already said on line {line}.",
                "keep one of the two",
            )
        self.headers.setdefault(parsed.word, parsed)
        _check_language(parsed, self.report)

    def _text(self, header: str) -> str:
        node = self.headers[header].node if header in self.headers else None
        return node.text if isinstance(node, written.TextHeader) else ""

    def ruleset(self) -> syntax.Ruleset:
        """Return the ruleset as far as it could be read."""
        players, start, language = (
            self.headers[word].node if word in self.headers else None
            for word in ("players", "start", "language")
        )
        return syntax.Ruleset(
            title=self._text("game"),
            source=self._text("source"),
            language=language.version if isinstance(language, written.LanguageHeader) else 1,
            players=players
            if isinstance(players, syntax.PlayersHeader)
            else syntax.PlayersHeader(2, 2),
            scope=tuple(size for header in self.scope for size in header.sizes),
            scope_span=self.scope[0].span if self.scope else syntax.NOWHERE,
            start=start.go if isinstance(start, written.StartHeader) else None,
            options=tuple(self.options),
            items=_only(self.listed, syntax.ItemKind),
            attributes=_only(self.listed, syntax.Attribute),
            zones=_only(self.listed, syntax.Zone),
            sequences=tuple(self.sequences),
            state=_only(self.listed, syntax.StateVariable),
            terms=tuple(self.terms),
            routines=tuple(self.routines),
            stages=tuple(self.stages),
            claims=tuple(self.claims),
            left_out=_only(self.listed, syntax.LeftOut),
            span=_START_OF_TEXT,
        )


def _check_language(parsed: ParsedLine, report: Report) -> None:
    """Report *parsed* if it is a header that names a version of the language that is not known."""
    if isinstance(parsed.node, written.LanguageHeader) and not 1 <= parsed.node.version <= LANGUAGE:
        said = f"This is version {parsed.node.version} of the language; versions 1 to {LANGUAGE} are known here."
        report.add(
            "R016", parsed.line.span, said, f"write `language {LANGUAGE}`, or use a newer Stacklaw"
        )


def _only(lines: Iterable[ParsedLine], kind: type[NodeT]) -> tuple[NodeT, ...]:
    return tuple(parsed.node for parsed in lines if isinstance(parsed.node, kind))


def _nodes(parsed: ParsedLine, kind: type[NodeT]) -> tuple[NodeT, ...]:
    return _only(parsed.children, kind)


def _option(option: syntax.Option, parsed: ParsedLine, report: Report) -> syntax.Option:
    if option.numbers is None:
        need_lines(parsed, report, "an option needs its values, or `from 1 to 9 default 2`")
    elif parsed.children:
        report.add(
            "R008",
            parsed.children[0].line.span,
            "An option with numbers has no lines below it.",
            "take them away, or the numbers",
        )
    return replace(option, values=_nodes(parsed, syntax.OptionValue))


def _stage(stage: syntax.Stage, parsed: ParsedLine, report: Report) -> syntax.Stage:
    need_lines(parsed, report, "a stage needs at least one clause")
    priority = [child for child in parsed.children if isinstance(child.node, written.PriorityLine)]
    for child in priority[1:]:
        said = f"`priority` was already said on line {priority[0].line.span.line}."
        report.add(
            "R011",
            child.line.span,
            said,
            "several players can have it as a set: `priority everyone`",
        )
    clauses = _clauses(parsed, 0, report)
    holder = priority[0].node if priority else None
    return replace(
        stage,
        clauses=tuple(clauses),
        priority=holder.holder if isinstance(holder, written.PriorityLine) else None,
    )


def _clauses(parsed: ParsedLine, block: int, report: Report) -> list[syntax.Clause]:
    """Return the clauses below *parsed*: a stage, or if *block* is not 0 the head of that block
    ``the first that applies``.
    """
    clauses: list[syntax.Clause] = []
    for child in parsed.children:
        match child.node:
            case syntax.Clause() as clause:
                need_lines(child, report, "a clause needs the statements that say what happens")
                clauses.append(replace(clause, body=body_of(child.children, report), block=block))
            case written.FirstHead() if not block:
                need_lines(
                    child, report, "it needs the clauses of which the first that applies is used"
                )
                clauses += _clauses(
                    child, 1 + max((clause.block for clause in clauses), default=0), report
                )
            case written.PriorityLine() | written.FirstHead() if block:
                said = (
                    f"`{child.word}` cannot stand below `the first that applies`; only clauses can."
                )
                report.add(
                    "R008", child.line.span, said, "put it below the stage, one level less deep"
                )
            case _:
                pass
    return clauses


def _claim(parsed: ParsedLine, head: written.ClaimsHead, report: Report) -> syntax.Claim:
    claim, condition = parsed.node, head.condition
    assert isinstance(claim, syntax.Claim)
    claim = replace(claim, heading=head.title)
    if condition is not None:
        both = (
            condition
            if claim.condition is None
            else syntax.Binary("and", condition, claim.condition, span=condition.span)
        )
        claim = replace(claim, condition=both)
    needs, containing = (
        _only_line(parsed, kind, report) for kind in (written.NeedsLine, written.WithLine)
    )
    if isinstance(needs, written.NeedsLine):
        claim = replace(claim, needs=needs.sizes)
    if isinstance(containing, written.WithLine):
        claim = replace(claim, containing=containing.containing)
    if all(
        isinstance(child.node, written.NeedsLine | written.WithLine) for child in parsed.children
    ):
        return claim
    return replace(claim, formula=_formula(parsed, report)[0])


def _only_line(parsed: ParsedLine, kind: type[NodeT], report: Report) -> NodeT | None:
    """Return the line of *kind* below *parsed*, the first if there are several, which is
    reported.
    """
    found = [child for child in parsed.children if isinstance(child.node, kind)]
    for child in found[1:]:
        _say_twice(found[0], child, report)
    return found[0].node if found and isinstance(found[0].node, kind) else None


def _formula(parsed: ParsedLine, report: Report) -> tuple[syntax.Formula | None, str]:
    """Return the formula below *parsed* with what it is about, and why it matters."""
    said: dict[object, ParsedLine] = {}
    for child in parsed.children:
        if child.node is None or isinstance(
            child.node, written.NeedsLine | written.WithLine | written.GivenLine
        ):
            continue
        kind = child.node if isinstance(child.node, written.AssumingLine) else type(child.node)
        if kind in said and all(other.node is not None for other in parsed.children):
            _say_twice(said[kind], child, report)
        said.setdefault(kind, child)
    formula, about, why = (
        said[kind].node if kind in said else None
        for kind in (syntax.Formula, written.AboutLine, written.WhyLine)
    )
    if isinstance(parsed.node, syntax.Claim) and written.WhyLine in said:
        report.add(
            "R008",
            said[written.WhyLine].line.span,
            "A claim has no `why`.",
            "say it in the claim's title",
        )
    if not isinstance(formula, syntax.Formula):
        if all(child.node is not None for child in parsed.children):
            report.add(
                "R013",
                parsed.line.span,
                f"This {_what(parsed)} has no formula.",
                "put one below it, such as `never someone passes`",
            )
        return None, ""
    subject = about.subject if isinstance(about, written.AboutLine) else None
    assuming = tuple(kind.who for kind in said if isinstance(kind, written.AssumingLine))
    given = tuple(
        child.node.given for child in parsed.children if isinstance(child.node, written.GivenLine)
    )
    formula = replace(formula, about=subject, assuming=assuming, given=given)
    return formula, why.text if isinstance(why, written.WhyLine) else ""


def _only_below_claims(parsed: ParsedLine, report: Report) -> None:
    """Report the lines below the property *parsed* that only a claim has."""
    for child in parsed.children:
        if isinstance(child.node, written.NeedsLine | written.WithLine):
            hint = (
                "the scope says how much room there is"
                if isinstance(child.node, written.NeedsLine)
                else "say it in the formula: `and once FORMULA`"
            )
            report.add("R008", child.line.span, f"Only a claim has a line `{child.word}`.", hint)


def _what(parsed: ParsedLine) -> str:
    if isinstance(parsed.node, syntax.Claim):
        return "lemma" if parsed.node.expect == "lemma" else "claim"
    return (
        "lemma"
        if isinstance(parsed.node, written.PropertyHead) and parsed.node.is_lemma
        else "property"
    )


def _say_twice(first: ParsedLine, second: ParsedLine, report: Report) -> None:
    if isinstance(second.node, syntax.Formula):
        said = f"There is a formula already, on {report.source.files.lines_in_words(first.line.span.line)}."
        report.add(
            "R013",
            second.line.span,
            said,
            "indent this line deeper if it goes on with the one above",
        )
    else:
        said = f"`{second.word}` was already said on {report.source.files.lines_in_words(first.line.span.line)}."
        report.add("R011", second.line.span, said, "keep one of the two")


def properties_of(lines: tuple[ParsedLine, ...], report: Report) -> tuple[syntax.PropertyText, ...]:
    """Put the lines of a properties file together."""
    properties = []
    for parsed in lines:
        if isinstance(parsed.node, written.LanguageHeader):
            _check_language(parsed, report)
        elif isinstance(parsed.node, written.PropertyHead):
            formula, why = _formula(parsed, report)
            _only_below_claims(parsed, report)
            if formula is not None:
                head = parsed.node
                properties.append(
                    syntax.PropertyText(
                        head.name, head.title, why, formula, head.is_lemma, span=head.span
                    )
                )
        elif parsed.node is not None:
            said = f"`{parsed.word}` belongs in a ruleset; this is a file of properties."
            report.add(
                "R009", parsed.line.span, said, 'each property begins with `property NAME "TITLE"`'
            )
    return tuple(properties)
