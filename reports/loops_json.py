"""The loops of a game as JSON: the kind ``loops`` of docs/json.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .json import SCHEMA, json_text, play_fields
from .telling.loops import LoopRow, LoopsRecord


def render_loops_json(record: LoopsRecord) -> str:
    """Return *record* as a JSON document."""
    fields = {**record.heading.fields, "stopped": record.stopped, "growth_stopped": record.growth_stopped}
    return json_text({"schema": SCHEMA, "kind": "loops", **fields, "loops": [_row(row) for row in record.rows]})


def _row(row: LoopRow) -> dict[str, Any]:
    return {**asdict(row), "more": dict(row.more), "play": play_fields(row.play)}
