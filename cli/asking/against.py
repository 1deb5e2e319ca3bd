"""Against a revision: what a ruleset changed for players since then, and who has accepted it; and
which line lets a play through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from ...checker.diff.changes import changed_clauses, leaves_at, line_of_edit
from ...checker.diff.diff import Difference
from ...checker.rulings.file import read_accepted, rulings_beside
from ...checker.rulings.since import AskedSize, SinceReading, readings_since
from ...checker.types.budget import Meter
from ...checker.types.verdict import Verdict
from ...models import ir
from ...models.diagnostics import InputError, wrong_input
from ...models.load import opened
from ...models.options.configure import configure
from ...models.revisions import read_before
from ...models.shipped import file_beside, game_source, is_shipped
from ...reports.rulings.changes import ChangesSince, tell_changes, undecided
from ...reports.telling.differences import parting_of


class Against:
    """The ruleset that *target* names as it was in *revision*; raises InputError (R127) if there is
    no such revision.
    """

    def __init__(self, target: str, revision: str, settings: Mapping[str, str]) -> None:
        if is_shipped(target):
            message = f"`{target}` comes with stacklaw and is no file of a repository here."
            raise wrong_input("R127", message, hint="name its file: `rules/mine.rules`")
        self.source = game_source(target)
        self.old = read_before(revision, self.source.name)
        self._target, self._revision, self._settings = target, revision, dict(settings)
        self._note = "" if self.old else "the ruleset is new"
        self._before: ir.Program | None = None
        if self.old is not None:
            try:
                self._before = opened(self.old)
            except InputError:
                self._note = "the ruleset could not be read then"

    def changes(self, size: AskedSize, meter: Meter) -> ChangesSince:
        """Return what changed, within *size*, as far as the budget of *meter* goes."""
        file = str(file_beside(self._target, ".rulings"))
        if self.old is None or self._before is None:
            return ChangesSince(self._revision, "", file, note=self._note)
        beside = rulings_beside(self._target)
        accepted = read_accepted(beside) if beside is not None else ()
        found = tuple(
            readings_since(self._before, opened(self.source), self._settings, size, meter)
        )
        revision, line_of = self._revision, self._line_of
        return tell_changes(found, accepted, self.old, revision, file, _unasked, line_of)

    def _line_of(self, one: SinceReading, clauses: Sequence[str]) -> int:
        """Return the line of the edit, in one of *clauses* if there is one; 0 if it is unknown."""
        if self.old is None or one.found is None:
            return 0
        return line_of_edit(self.old, one.found.new, list(clauses))

    def undecided(self, why: str) -> ChangesSince:
        """Return that it is not known what changed, for *why*."""
        file = str(file_beside(self._target, ".rulings"))
        return undecided(self._revision, self.old.name if self.old else "", file, why)

    def lines(self, verdicts: Sequence[Verdict]) -> Iterator[int]:
        """Yield for each of *verdicts* the line of the edit that lets its play through, 0 if none
        does.
        """
        before: ir.Program | None = None
        with suppress(InputError):
            before = self._before and configure(self._before, self._settings)
        for verdict in verdicts:
            if before is None or verdict.trace is None or self.old is None:
                yield 0
                continue
            clause = leaves_at(before, verdict.program, verdict.trace, verdict.scope)
            if clause is None:
                yield 0
                continue
            clauses = [clause] if clause else changed_clauses(before, verdict.program)
            yield line_of_edit(self.old, verdict.program, clauses)


def _unasked(found: Difference) -> Iterator[str]:
    """Yield what is told in words of a difference that no question tells."""
    return (parting_of(found, shown).sentence for shown in found.shown)
