"""Documents of what is found beside verdicts, as JSON: the kinds ``diff``, ``loops``, ``measures``
and ``mutate`` of docs/json.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .json import document, fields_of, picked

if TYPE_CHECKING:  # each command imports what makes its own record
    from .telling.differences import DifferenceRecord, Parting
    from .telling.loops import LoopsRecord
    from .telling.measures import MeasureRow, MeasuresRecord
    from .telling.mutants import SurveyRecord


def render_difference_json(record: DifferenceRecord) -> str:
    """Return a difference of two rulesets as a JSON document."""
    told = picked(record, "old", "new", "sameness", "reason", "notes")
    counts = picked(record, "pairs", "positions", "observations")
    return document(
        "diff", **told, counts=counts, **picked(record, "changes", "partings", "guarantees")
    )


def render_loops_json(record: LoopsRecord) -> str:
    """Return the loops of a game as a JSON document."""
    told = picked(record, "stopped", "growth_stopped")
    return document("loops", **record.heading.fields, **told, loops=fields_of(record.rows))


def render_measures_json(records: Iterable[MeasuresRecord]) -> str:
    """Return the measures of games as a JSON document."""
    return document("measures", rulesets=[_measures(record) for record in records])


def _measures(record: MeasuresRecord) -> dict[str, Any]:
    return {
        **record.heading.fields,
        "stopped": record.stopped,
        "measures": [_measure(row) for row in record.rows],
    }


def _measure(row: MeasureRow) -> dict[str, Any]:
    return {
        **picked(row, "name", "which", "value"),
        "bounded": row.value is not None,
        **picked(row, "bound", "play"),
    }


def render_survey_json(record: SurveyRecord) -> str:
    """Return a survey of mutants as a JSON document."""
    told = picked(
        record,
        "name",
        "title",
        "file",
        "readings",
        "share",
        "enough",
        "idle",
        "open",
        "unasked",
        "bare",
        "stopped",
    )
    edits = [
        {**fields_of(row), "parting": row.parting and _parting(row.parting)} for row in record.rows
    ]
    return document(
        "mutate",
        **told,
        edits=edits,
        rulings=fields_of(record.rulings),
    )


def _parting(parting: Parting) -> dict[str, Any]:
    """Return *parting* without the play of the side that allows less."""
    return {**picked(parting, "sentence", "otherwise"), "play": fields_of(parting.shown)}
