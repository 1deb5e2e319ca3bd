"""Rulebook: the clauses of a ruleset in its order, how often each is used, and with which verdicts
it has to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...models import ir
from ..pictures.graph import targets_of
from .rows import PageRow


@dataclass(frozen=True)
class Usage:
    """How often each clause is *used* in the moves of all positions, or of the first if they are
    not *all*.

    Those that are *open* are not used there, and a larger scope may show that they are.
    """

    used: Mapping[str, int]
    open: Collection[str]
    all: bool

    @property
    def never(self) -> list[str]:
        """The clauses that are never used, if all positions are known."""
        return [
            id_
            for id_, times in self.used.items()
            if self.all and not times and id_ not in self.open
        ]


@dataclass(frozen=True)
class ClauseEntry:
    """A *clause*, the titles of the stages it *leads* to, and the numbers of rows: *claims* about
    its statement, *plays* that use it.
    """

    clause: ir.Clause
    leads: tuple[str, ...]
    claims: tuple[int, ...]
    plays: tuple[int, ...]


@dataclass(frozen=True)
class StageEntry:
    """A *stage* and its clauses."""

    stage: ir.Stage
    clauses: tuple[ClauseEntry, ...]


def rulebook_of(program: ir.Program, rows: Sequence[PageRow]) -> Iterator[StageEntry]:
    """Yield the stages of *program*, in the order of its text, with *rows* where its clauses come
    in.
    """
    titles = {stage.name: stage.title or stage.name for stage in program.stages}
    for stage in program.stages:
        yield StageEntry(stage, tuple(_entry(clause, titles, rows) for clause in stage.clauses))


def _entry(clause: ir.Clause, titles: dict[str, str], rows: Sequence[PageRow]) -> ClauseEntry:
    ids = {clause.id, *clause.cites}
    claims = (number for number, one in enumerate(rows) if ids & {*one.row.cites, one.row.name})
    plays = (
        number
        for number, one in enumerate(rows)
        if one.row.play is not None
        and any(moment.clause == clause.id for moment in one.row.play.moments)
    )
    return ClauseEntry(
        clause,
        tuple(titles.get(name, name) for name in targets_of(clause)),
        tuple(claims),
        tuple(plays),
    )
