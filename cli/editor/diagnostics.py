"""Diagnostics: the mistakes in a file and the warnings about it, as the command tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from lsprotocol import types

from ...checker.rulings.file import read_rulings
from ...checker.run.cuts import cut_start
from ...checker.types.scope import scope_of
from ...models.codes import codes
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import opened
from ...models.read import read_source
from ...models.shipped import game_source
from ...models.source import Source
from ..asking.questions import parsed
from .texts import CLAUSES, RULINGS, OpenTexts, target_of, uri_of

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}


def mistakes_in(texts: OpenTexts, path: str, *, at_once: bool) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the file at *path*, or with the ruleset that it is of.

    *At once* is told what reading and binding the rules finds; the claims and the warnings take
    longer.
    """
    if path in texts.refused:
        return texts.refused[path]
    try:
        if path.endswith(CLAUSES):
            read_source(path)
        elif path.endswith(RULINGS):
            read_rulings(read_source(path))
        else:
            source = game_source(target_of(path))
            return _in_rules(source) or (() if at_once else _in_all(target_of(path), source))
    except InputError as error:
        return error.diagnostics
    return ()


@lru_cache(maxsize=8)
def _in_rules(source: Source) -> tuple[Diagnostic, ...]:
    try:
        opened(source)
    except InputError as error:
        return error.diagnostics
    return ()


@lru_cache(maxsize=8)
def _in_all(target: str, source: Source) -> tuple[Diagnostic, ...]:
    """Return what `check` says of *target*, which *source* is, before it searches."""
    del source  # it is read again, by whoever is asked; here it tells one text from another
    try:
        program, _, warnings = parsed(target, {}, (), (), with_claims=True)
        return (*cut_start(program, scope_of(program, None, None, {})), *warnings)
    except InputError as error:
        return error.diagnostics


def by_file(
    texts: OpenTexts, path: str, found: Sequence[Diagnostic]
) -> Mapping[str, list[types.Diagnostic]]:
    """Return what was *found* in the file at *path*, or in those beside it, by their addresses;
    what has no place stands on the first line of *path*.
    """
    told: dict[str, list[types.Diagnostic]] = {}
    for one in found:
        told.setdefault(uri_of(one.file or path), []).append(as_told(texts, one))
    return told


def as_told(texts: OpenTexts, one: Diagnostic) -> types.Diagnostic:
    """Return *one* mistake in the editor's form: the message, its hint on a line below."""
    at = types.Range(types.Position(0, 0), types.Position(0, 0))
    hint = f"\nHint: {one.hint}" if one.hint else ""
    return types.Diagnostic(
        at if one.source is None else texts.range_of(one.source, one.span),
        one.message + hint,
        severity=_SEVERITY[one.severity],
        code=one.code,
        source="stacklaw",
    )


def explained(code: str) -> str:
    """Return what the page of errors says of *code*, as Markdown; empty if it says nothing."""
    said = codes().get(code)
    if said is None:
        return ""
    shown = "".join(
        f"\n\n{head}:\n```rules\n{example.strip()}\n```"
        for head, example in (("Mistaken", said.bad), ("Mended", said.mended))
        if example
    )
    return f"**{code}** {said.title}\n\n{said.explanation}{shown}"
