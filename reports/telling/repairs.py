"""The record of a search for repairs: the edits that mend a property, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...checker.diff.diff import Difference
from ...checker.mutate.repair import Repairs
from ...models import ir
from .differences import Parting
from .mutants import parting_in


@dataclass(frozen=True)
class EditWords:
    """An edit of a *clause* in that *line*, of what *kind*, in *words*."""

    clause: str
    line: int
    kind: str
    words: str


@dataclass(frozen=True)
class RepairRow:
    """One edit that mends the property, or two that do so together: the *clause* and *line* of
    each, what it does in *words*.

    Players notice after *observations* observations.
    """

    edits: tuple[EditWords, ...]
    observations: int
    parting: Parting | None


@dataclass(frozen=True)
class RepairRecord:
    """The edits that mend *property* of a ruleset, those first that players notice latest; *more*
    are not told.

    So many were *tried*, and so many *pairs*; of some edits it is *undecided*. *stopped* says why
    not all were tried; it is empty if they were.
    """

    name: str
    file: str
    property: str
    rows: tuple[RepairRow, ...]
    more: int
    tried: int
    pairs: int
    undecided: int
    stopped: str


def make_repair_record(
    found: Repairs, program: ir.Program, name: str, apart: Sequence[Difference]
) -> RepairRecord:
    """Return the record of the first of the repairs *found* of the property called *name*: as many
    as are told *apart* from *program*.
    """
    lines = {clause.id: clause.span.line for _, clause in program.clauses} | {
        stage.name: stage.span.line for stage in program.stages
    }
    rows = tuple(
        RepairRow(
            tuple(
                EditWords(edit.clause, lines.get(edit.clause, 0), edit.kind, edit.words)
                for edit in one.edits
            ),
            one.judgement.observations,
            parting_in(its),
        )
        for one, its in zip(found.mending, apart, strict=False)
    )
    more = len(found.mending) - len(rows)
    return RepairRecord(
        program.name,
        program.source.name,
        name,
        rows,
        more,
        found.tried,
        found.pairs,
        found.undecided,
        found.stopped,
    )
