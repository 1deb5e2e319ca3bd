"""Sourced rulings: which rulings beside a ruleset notice an edit of it, for the edited rules answer
them otherwise, or refuse them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from ...models import ir
from ...models.options.configure import configure
from ...models.source import Source
from ..types.scope import Scope, make_scope
from .file import Filed, FiledAnswer, ask_filed, read_rulings

Settings = tuple[tuple[str, str], ...]


class SourcedRulings:
    """The rulings of *text* that have a source, and that the rules of *program*, whose options are
    open, answer as they say.

    Raises InputError if *text* is no such file (C205).
    """

    def __init__(self, program: ir.Program, text: Source | None) -> None:
        self._file = text.name if text is not None else ""
        self._filed = (
            [one for one in read_rulings(text) if one.source.strip()] if text is not None else []
        )
        self._of = cache(lambda reading: configure(program, dict(reading)))

    @cached_property
    def _met(self) -> list[Filed]:
        return [one for one in self._filed if ask_filed(one, self._of).status == "met"]

    def not_met(
        self, edited: ir.Program, but: tuple[ir.Program, Scope] | None, likely: Sequence[str] = ()
    ) -> Iterator[tuple[str, FiledAnswer]]:
        """Yield the rulings that *edited* does not meet, each by its place, those that are *likely*
        first.

        None is asked in a reading that *edited* leaves as it is, nor of the Program and within the
        Scope of *but*.
        """

        @cache
        def mutant_of(reading: Settings) -> ir.Program:
            return configure(replace(edited, claims=()), dict(reading))

        for one in sorted(self._met, key=lambda one: self._file_and_line(one) not in likely):
            old, new = self._of(one.reading), mutant_of(one.reading)
            if old.stages == new.stages and old.zones == new.zones:
                continue
            if (
                but is not None
                and old.settings == but[0].settings
                and make_scope(old, one.players) == but[1]
            ):
                continue
            answer = ask_filed(one, mutant_of)
            if answer.is_another:
                yield self._file_and_line(one), answer

    def _file_and_line(self, one: Filed) -> str:
        return f"{self._file}:{one.line}"
