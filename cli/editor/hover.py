"""Hover: what stands under the cursor, told as the other commands tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from ...models import ir, syntax
from ...models.load import parsed
from ...models.parsing.mistakes.forms import forms_of
from ...models.parsing.outline import LogicalLine, first_word
from ...models.source import Source, Span
from ...models.words import counted
from ...properties.load import catalogue
from ..judging import CLAUSES
from .names import NameTable, Occurrence, name_at, names_of_file
from .texts import OpenTexts, explained, mistakes_in, uri_of


def hover(texts: OpenTexts, path: str, position: types.Position) -> types.Hover | None:
    """Return what is known of the place at *position*: a mistake, a name, or a word that begins a
    line.
    """
    said = [*_mistakes(texts, path, position)]
    if (found := name_at(texts, path, position)) is not None:
        said += _of_name(texts, path, *found)
    else:
        said += _of_line(texts, path, position)
    if not said:
        return None
    text = "\n\n---\n\n".join(said)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


def _mistakes(texts: OpenTexts, path: str, position: types.Position) -> Iterator[str]:
    """Yield what the page of errors says of each mistake there."""
    for one in mistakes_in(texts, path, at_once=False):
        if one.source is not None and one.span is not None and one.file == path:
            at = texts.span_at(one.source, path, position)
            if at.line == one.span.line and one.span.column <= at.column <= one.span.end:
                yield explained(one.code)


def _of_name(texts: OpenTexts, path: str, names: NameTable, here: Occurrence) -> Iterator[str]:
    rules = texts.rules(path)
    assert rules is not None
    name = here.word.name
    for one in names.declarations(here):
        if one.word.what == "clause":
            yield _clause_words(rules, name)
        elif one.word.what != "claim":
            yield _declaration(names, one)
    if here.word.what == "claim":
        yield from (
            f"**{entry.name}** {entry.title}\n```rules\n{entry.text}\n```\n{entry.why}"
            for entry in catalogue()
            if entry.name == name
        )


def _declaration(names: NameTable, one: Occurrence) -> str:
    """Return the line that declares *one*, and how often it is used."""
    span = one.word.span
    if one.word.what == "statement":
        return f"**{one.word.name}** {one.source.line(span.line).partition(chr(9))[2].strip()}"
    line = "".join(f"\n{piece.strip()}" for piece in _pieces(names.lines, span))
    used = len(names.references(one)) - 1
    return f"```rules{line}\n```\nused in {counted(used, 'place')}"


def _pieces(lines: Sequence[LogicalLine], span: Span) -> list[str]:
    """Return the pieces of the logical line of *span*; of a head of clauses their heads too."""
    for line in walk(lines):
        if any(piece.number == span.line for piece in line.pieces):
            below = [c for c in line.children if first_word(c.pieces[0].text) in _HEADS]
            return [piece.text for one in (line, *below) for piece in one.pieces]
    return []


_HEADS = ("priority", "may", "must", "chance")


def walk(lines: Sequence[LogicalLine]) -> Iterator[LogicalLine]:
    """Yield *lines* and all below them, in their order."""
    for line in lines:
        yield line
        yield from walk(line.children)


def _clause_words(rules: Source, id_: str) -> str:
    """Return what is known of the clause *id_*: its title, where it leads, and who cites it."""
    ruleset, _ = parsed(rules)
    said = [
        f"**{id_}** {clause.title}  \n{clause.mode} in stage `{stage.name}`{leads_to(clause)}"
        for stage in ruleset.stages
        for clause in stage.clauses
        if clause.id == id_
    ]
    claims = [claim.name for claim in ruleset.claims if id_ in (*claim.cites, *_names_asked(claim))]
    cited = f"  \ncited by {', '.join(f'`{name}`' for name in claims)}" if claims else ""
    return "".join(said) + cited


def leads_to(clause: syntax.Clause) -> str:
    """Return where the game goes by *clause*, behind an arrow; empty if that is not said."""
    goes: dict[str, None] = {}
    for node in ir.walk(clause):
        if isinstance(node, syntax.Go):
            goes[node.stage] = None
        elif isinstance(node, syntax.GameOver):
            goes["game over"] = None
    return f" → {', '.join(goes)}" if goes else ""


def goals(texts: OpenTexts, path: str, shown: types.Range) -> list[types.InlayHint]:
    """Return where each clause on the *shown* lines leads, to stand behind its head."""
    rules = texts.rules(path)
    if rules is None:
        return []
    found = []
    for clause in (one for stage in parsed(rules)[0].stages for one in stage.clauses):
        line = clause.span.line
        end = texts.location(
            rules, Span(line, len(rules.line(line)) + 1, len(rules.line(line)) + 1)
        )
        is_shown = shown.start.line <= end.range.start.line <= shown.end.line
        if end.uri == uri_of(path) and is_shown and (words := leads_to(clause)):
            found.append(types.InlayHint(end.range.start, words))
    return found


def _names_asked(claim: syntax.Claim) -> set[str | None]:
    """Return the clauses that the formula of *claim* asks for."""
    kinds = ("uses", "clause", "clause is possible")
    return {
        node.name
        for node in ir.walk(claim)
        if isinstance(node, syntax.Phrase) and node.kind in kinds
    }


def _of_line(texts: OpenTexts, path: str, position: types.Position) -> Iterator[str]:
    """Yield the forms of a line that begins with the word at *position*, if one does."""
    names, source = names_of_file(texts, path), texts.whole(path)
    if names is None or source is None or path.endswith(CLAUSES):
        return
    at = texts.span_at(source, path, position)
    for line in walk(names.lines):
        word = first_word(line.pieces[0].text)
        if line.span.line == at.line and 0 <= at.column - line.span.column <= len(word):
            if forms := forms_of(line.place, word) if word else []:
                yield "```rules\n" + "\n".join(forms) + "\n```"
            return
