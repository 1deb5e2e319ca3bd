"""Readings of a question: what is answered under other values of options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ...models import ir
from ...models.diagnostics import InputError
from ...models.ir.parts import expressions_of
from ...models.words import settings_words
from .answer import Ruling


def options_of(whole: ir.Program, clauses: Collection[str]) -> frozenset[str]:
    """Return the options that these *clauses* of a game ask, or others of the same stages that differ by them; *whole* has all open."""
    stages = {stage.name for stage, clause in whole.clauses if clause.id in clauses}
    asked = (node for stage, clause in whole.clauses if stage.name in stages for node in expressions_of(clause))
    return frozenset(node.name for node in asked if isinstance(node, ir.OptionValue))


def in_readings(readings: Iterable[Mapping[str, str]], ask: Callable[[Mapping[str, str]], Ruling]) -> Iterator[tuple[str, str]]:
    """Yield each of *readings* in words, with what is answered in it by *ask*, or why nothing is."""
    for reading in readings:
        try:
            yield settings_words(reading.items()), ask(reading).value
        except InputError as error:
            yield settings_words(reading.items()), f"not asked: {error.diagnostics[0].message}"
