"""Loading: the chain of passes from a text to a Program, written out once.

Source --parse--> syntax.Ruleset --bind--> ir.Program --configure--> ir.Program, options fixed
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

from . import ir, syntax
from .binding.bind import bind
from .diagnostics import Diagnostic, Report
from .options.configure import configure
from .parsing.mistakes.consequences import without_consequences, without_misnamed
from .parsing.parse import parse_ruleset
from .shipped import game_names, game_source, rules_source, settings_of
from .source import Source
from .wellformed import check_wellformed
from .words import clean_line

__all__ = [
    "game_names",
    "game_source",
    "load",
    "load_game",
    "load_rules",
    "opened",
    "parsed",
    "rules_source",
    "settings_of",
]


def load(
    source: Source, settings: Mapping[str, str] | None = None, left_open: Collection[str] = ()
) -> ir.Program:
    """Return the Program of the ruleset in *source* with every option fixed, as in *settings* or by
    default, but those *left_open*.

    It is called after the file. Raises InputError with everything that is wrong with it.
    """
    configured = configure(opened(source), settings or {}, left_open)
    check_wellformed(configured)
    return configured


@lru_cache(maxsize=32)
def opened(source: Source) -> ir.Program:
    """Return the Program of *source* with every option open, kept for later callers. Raises
    InputError as `load` does.
    """
    ruleset, mistakes = parsed(source)
    bound, report = Report(source), Report(source)
    program = bind(ruleset, clean_line(Path(source.name).stem), bound)
    report.errors += (
        [*mistakes, *without_consequences(source, mistakes, bound.errors)]
        if mistakes
        else bound.errors
    )
    report.check()
    return program


@lru_cache(maxsize=32)
def parsed(source: Source) -> tuple[syntax.Ruleset, tuple[Diagnostic, ...]]:
    """Return the syntax of *source* as far as it could be read, and the mistakes in it. Both are
    kept for the next call.
    """
    report = Report(source)
    ruleset = parse_ruleset(source, report)
    return ruleset, tuple(without_misnamed(source, report.errors))


def load_game(
    target: str, settings: Mapping[str, str] | None = None, left_open: Collection[str] = ()
) -> ir.Program:
    """Return the Program that *target* names: ``mtg``, ``mtg@split_second=yes,mana=yes``, or the
    path of a .rules file.

    *settings* add to those in the name; options that are *left_open* get none. Raises InputError.
    """
    return load(game_source(target), {**settings_of(target), **(settings or {})}, left_open)


def load_rules(target: str, settings: Mapping[str, str] | None = None) -> ir.Program:
    """Return the Program that *target* names as `load_game` does, without reading the claims beside
    its rules. Raises InputError.
    """
    return load(rules_source(target), {**settings_of(target), **(settings or {})})
