"""A survey of mutants as JSON: the kind ``mutate`` of docs/json.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..json import SCHEMA, json_text, play_fields
from ..telling.mutants import MutantRow, SurveyRecord


def render_survey_json(record: SurveyRecord) -> str:
    """Return *record* as a JSON document."""
    names = ("name", "title", "file", "readings", "share", "enough", "idle", "open", "unasked", "bare", "stopped")
    told = {name: getattr(record, name) for name in names}
    edits, suggested = [_row(row) for row in record.rows], [asdict(row) for row in record.suggested]
    return json_text({"schema": SCHEMA, "kind": "mutate", **told, "edits": edits, "suggested": suggested})


def _row(row: MutantRow) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(row).items() if name != "parting"}
    parting = row.parting
    told = None if parting is None else {"sentence": parting.sentence, "otherwise": parting.otherwise, "play": play_fields(parting.shown)}
    return {**fields, "parting": told}
