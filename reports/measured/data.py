"""The measures of games as data: JSON of the kind ``measures`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from ..json import SCHEMA, json_text, play_fields
from ..telling.measures import MeasureRow, MeasuresRecord


def render_measures_json(records: Iterable[MeasuresRecord]) -> str:
    """Return *records* as a JSON document."""
    return json_text({"schema": SCHEMA, "kind": "measures", "rulesets": [_ruleset(record) for record in records]})


def _ruleset(record: MeasuresRecord) -> dict[str, Any]:
    return {**record.heading.fields, "stopped": record.stopped, "measures": [_row(row) for row in record.rows]}


def _row(row: MeasureRow) -> dict[str, Any]:
    number = {"name": row.name, "which": row.which, "value": row.value, "bounded": row.value is not None}
    return {**number, "bound": None if row.bound is None else asdict(row.bound), "play": play_fields(row.play)}
