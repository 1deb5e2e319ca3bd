"""A difference of rulesets as JSON: the kind ``diff`` of docs/json.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..json import SCHEMA, json_text, play_fields
from ..telling.differences import DifferenceRecord, GuaranteeRow


def render_difference_json(record: DifferenceRecord) -> str:
    """Return a difference of two rulesets as a JSON document."""
    partings = [
        {
            "side": parting.side,
            "observations": parting.observations,
            "sentence": parting.sentence,
            "otherwise": parting.otherwise,
            "old": play_fields(parting.old),
            "new": play_fields(parting.new),
        }
        for parting in record.partings
    ]
    return json_text(
        {
            "schema": SCHEMA,
            "kind": "diff",
            "old": asdict(record.old) | {"sizes": dict(record.old.sizes), "settings": dict(record.old.settings)},
            "new": asdict(record.new) | {"sizes": dict(record.new.sizes), "settings": dict(record.new.settings)},
            "sameness": record.sameness,
            "reason": record.reason,
            "notes": list(record.notes),
            "counts": {"pairs": record.pairs, "positions": list(record.positions), "observations": record.observations},
            "changes": [asdict(change) for change in record.changes],
            "partings": partings,
            "guarantees": [{**_plain(row), "play": None if row.play is None else play_fields(row.play)} for row in record.guarantees],
        }
    )


def _plain(row: GuaranteeRow) -> dict[str, Any]:
    names = ("name", "title", "formula", "expectation", "cites", "fate", "old", "new", "reason")
    return {name: getattr(row, name) for name in names}
