"""Mistakes: what is wrong with a file of a ruleset, as the command tells it."""

from __future__ import annotations

from functools import lru_cache

from ...checker.rulings.file import read_rulings
from ...checker.run.cuts import cut_start
from ...checker.types.scope import scope_of
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import opened
from ...models.read import read_source
from ...models.shipped import game_source
from ...models.source import Source
from ..asking.questions import parsed
from .files import CLAUSES, RULINGS, target_of


def mistakes_of(path: str, *, at_once: bool) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the file at *path*, or with the ruleset that it is of.

    *At once* is told what reading and binding the rules finds; the claims and the warnings take
    longer.
    """
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
    del source  # it is read again, by the judge; here it tells one text from another
    try:
        program, _, warnings = parsed(target, {}, (), (), with_claims=True)
        return (*cut_start(program, scope_of(program, None, None, {})), *warnings)
    except InputError as error:
        return error.diagnostics
