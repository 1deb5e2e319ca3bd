"""Sections: top lines put together, sections to a ruleset, properties to a catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from .. import syntax
from ..diagnostics import Report
from ..source import Span
from . import blocks as written
from .blocks import ParsedLine, body_of, need_lines

LANGUAGE = 2
"""The newest version of the language."""
NodeT = TypeVar("NodeT")
_ONE = "keep one of the two"
_START_OF_TEXT = Span(1, 1, 2)
_REQUIRED = {
    "game": ("no title", 'begin with a line such as `game "Two passes"`'),
    "players": ("not said how many can play", "add a line such as `players 2 or more`"),
    "start": ("not said where the game begins", "add a line such as `start STAGE(active)`"),
}


def ruleset_of(lines: tuple[ParsedLine, ...], report: Report) -> syntax.Ruleset:
    """Put the lines of a ruleset together; what it lacks goes into *report*."""
    files, headers = report.source.files, dict[str, ParsedLine]()
    nodes: list[object] = []
    for parsed in lines:
        if files.place_of(parsed.line.span.line)[0] == files.claims and not _is_claims(parsed):
            said = f"`{parsed.word}` belongs in the rules; this file has claims only."
            report.add("R009", parsed.line.span, said, "put it into the file that ends in .rules")
        else:
            nodes += _top(parsed, headers, report)
    if (files.before or not files.claims) and not _in_doubt(lines):
        for header, (missing, hint) in _REQUIRED.items():
            if all(parsed.word != header for parsed in lines):
                said = f"This ruleset has {missing}." if header == "game" else f"It is {missing}."
                report.add("R010", _START_OF_TEXT, said, hint)
    return _ruleset(nodes)


def _is_claims(parsed: ParsedLine) -> bool:
    """Whether *parsed* may stand in a file of claims, or could not be read, which was said."""
    return parsed.node is None or isinstance(parsed.node, written.ClaimsHead | written.PropertyHead)


def _in_doubt(lines: tuple[ParsedLine, ...]) -> bool:
    """Tell whether a line could not be read that may have been a header."""
    return any(parsed.node is None and not parsed.children for parsed in lines)


def _top(
    parsed: ParsedLine, headers: dict[str, ParsedLine], report: Report
) -> Iterable[written.LineNode | None]:
    """Return what one top line says with its block; of the *headers* the first of each word."""
    match parsed.node:
        case (
            written.LanguageHeader()
            | written.TextHeader()
            | syntax.PlayersHeader()
            | written.StartHeader()
        ):
            first = headers.setdefault(parsed.word, parsed)
            if first is not parsed:
                _say_twice(first, parsed, report)
            _check_language(parsed, report)
            return (parsed.node,) if first is parsed else ()
        case written.SectionHead():
            need_lines(parsed, report, "it needs at least one line")
            return [child.node for child in parsed.children]
        case syntax.Option() as option:
            return (_option(option, parsed, report),)
        case syntax.Sequence() as sequence:
            need_lines(parsed, report, "it needs at least one step")
            return (replace(sequence, steps=_only(parsed.children, syntax.Step)),)
        case syntax.Routine() as routine:
            need_lines(parsed, report, "it needs the statements it stands for")
            return (replace(routine, body=body_of(parsed.children, report)),)
        case syntax.Stage() as stage:
            return (_stage(stage, parsed, report),)
        case written.ClaimsHead() as head:
            need_lines(parsed, report, "it needs at least one claim")
            return [
                _claim(child.node, child, head, report)
                for child in parsed.children
                if isinstance(child.node, syntax.Claim)
            ]
        case written.PropertyHead(is_lemma=is_lemma):
            said = (
                "A lemma of a ruleset stands among its claims."
                if is_lemma
                else "A ruleset has claims, no properties."
            )
            hint = "put it into a file of properties, or below `claims`"
            report.add("R009", parsed.line.span, said, hint)
            return ()
        case node:
            return (node,)


def _ruleset(nodes: Sequence[object]) -> syntax.Ruleset:
    """Return the ruleset that *nodes* make, as far as it could be read."""

    def of(kind: type[NodeT]) -> tuple[NodeT, ...]:
        return tuple(node for node in nodes if isinstance(node, kind))

    texts = {header.kind: header.text for header in of(written.TextHeader)}
    scopes = of(written.ScopeHeader)
    return syntax.Ruleset(
        title=texts.get("game", ""),
        source=texts.get("source", ""),
        language=next((header.version for header in of(written.LanguageHeader)), 1),
        players=next(iter(of(syntax.PlayersHeader)), syntax.PlayersHeader(2, 2)),
        scope=tuple(size for header in scopes for size in header.sizes),
        scope_span=scopes[0].span if scopes else syntax.NOWHERE,
        start=next((header.go for header in of(written.StartHeader)), None),
        options=of(syntax.Option),
        items=of(syntax.ItemKind),
        attributes=of(syntax.Attribute),
        zones=of(syntax.Zone),
        sequences=of(syntax.Sequence),
        state=of(syntax.StateVariable),
        terms=of(syntax.Term),
        routines=of(syntax.Routine),
        stages=of(syntax.Stage),
        claims=of(syntax.Claim),
        left_out=of(syntax.LeftOut),
        span=_START_OF_TEXT,
    )


def _check_language(parsed: ParsedLine, report: Report) -> None:
    """Report *parsed* if it is a header that names a version of the language that is not known."""
    if isinstance(parsed.node, written.LanguageHeader) and not 1 <= parsed.node.version <= LANGUAGE:
        said = (
            f"This is version {parsed.node.version} of the language; versions 1 to {LANGUAGE} are "
            "known here."
        )
        report.add(
            "R016", parsed.line.span, said, f"write `language {LANGUAGE}`, or use a newer Stacklaw"
        )


def _only(lines: Iterable[ParsedLine], kind: type[NodeT]) -> tuple[NodeT, ...]:
    return tuple(parsed.node for parsed in lines if isinstance(parsed.node, kind))


def _first(lines: Iterable[ParsedLine], kind: type[NodeT]) -> NodeT | None:
    return next(iter(_only(lines, kind)), None)


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
    return replace(option, values=_only(parsed.children, syntax.OptionValue))


def _stage(stage: syntax.Stage, parsed: ParsedLine, report: Report) -> syntax.Stage:
    need_lines(parsed, report, "a stage needs at least one clause")
    hint = "several players can have it as a set: `priority everyone`"
    priority = _only_line(parsed, written.PriorityLine, report, hint)
    return replace(
        stage,
        clauses=tuple(_clauses(parsed, 0, report)),
        priority=None if priority is None else priority.holder,
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


def _claim(
    claim: syntax.Claim, parsed: ParsedLine, head: written.ClaimsHead, report: Report
) -> syntax.Claim:
    condition = claim.condition if head.condition is None else head.condition
    if head.condition is not None and claim.condition is not None:
        condition = syntax.Binary("and", head.condition, claim.condition, span=head.condition.span)
    needs = _only_line(parsed, written.NeedsLine, report)
    containing = _only_line(parsed, written.WithLine, report)
    others = [
        child
        for child in parsed.children
        if not isinstance(child.node, written.NeedsLine | written.WithLine)
    ]
    return replace(
        claim,
        heading=head.title,
        condition=condition,
        needs=() if needs is None else needs.sizes,
        containing=None if containing is None else containing.containing,
        formula=_formula(parsed, report)[0] if others else None,
    )


def _only_line(
    parsed: ParsedLine, kind: type[NodeT], report: Report, hint: str = _ONE
) -> NodeT | None:
    """Return the line of *kind* below *parsed*, the first if there are several, which is reported
    with this *hint*.
    """
    found = [child for child in parsed.children if isinstance(child.node, kind)]
    for child in found[1:]:
        _say_twice(found[0], child, report, hint)
    return _first(found, kind)


def _formula(parsed: ParsedLine, report: Report) -> tuple[syntax.Formula | None, str]:
    """Return the formula below *parsed* with what it is about, and why it matters."""
    said: dict[object, ParsedLine] = {}
    lines = parsed.children
    are_read = all(child.node is not None for child in lines)
    for child in lines:
        if child.node is None or isinstance(
            child.node, written.NeedsLine | written.WithLine | written.GivenLine
        ):
            continue
        kind = child.node if isinstance(child.node, written.AssumingLine) else type(child.node)
        first = said.setdefault(kind, child)
        if first is not child and are_read:
            _say_twice(first, child, report)
    if isinstance(parsed.node, syntax.Claim) and written.WhyLine in said:
        report.add(
            "R008",
            said[written.WhyLine].line.span,
            "A claim has no `why`.",
            "say it in the claim's title",
        )
    formula, about, why = (
        _first(lines, syntax.Formula),
        _first(lines, written.AboutLine),
        _first(lines, written.WhyLine),
    )
    if formula is None:
        if are_read:
            report.add(
                "R013",
                parsed.line.span,
                f"This {_what(parsed)} has no formula.",
                "put one below it, such as `never someone passes`",
            )
        return None, ""
    formula = replace(
        formula,
        about=None if about is None else about.subject,
        assuming=tuple(kind.who for kind in said if isinstance(kind, written.AssumingLine)),
        given=tuple(line.given for line in _only(lines, written.GivenLine)),
    )
    return formula, "" if why is None else why.text


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


def _say_twice(first: ParsedLine, second: ParsedLine, report: Report, hint: str = _ONE) -> None:
    if isinstance(second.node, syntax.Formula):
        said = (
            "There is a formula already, on "
            f"{report.source.files.lines_in_words(first.line.span.line)}."
        )
        report.add(
            "R013",
            second.line.span,
            said,
            "indent this line deeper if it goes on with the one above",
        )
    else:
        said = (
            f"`{second.word}` was already said on "
            f"{report.source.files.lines_in_words(first.line.span.line)}."
        )
        report.add("R011", second.line.span, said, hint)


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
