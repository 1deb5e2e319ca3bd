"""Every JSON document is what docs/json.md says: its schema is read from the page and applied."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .test_renderers import RENDERERS

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
SCHEMA: dict[str, Any] = json.loads(re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[-1])
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,), "null": (type(None),),
}  # fmt: skip
KNOWN = {"$schema", "title", "$defs", "$ref", "anyOf", "type", "properties", "required", "additionalProperties", "items", "enum", "const"}


def mistakes(value: Any, schema: dict[str, Any], place: str = "$") -> list[str]:
    """Return what is wrong with *value*; of JSON Schema, what the page uses."""
    assert schema.keys() <= KNOWN, f"the page uses {schema.keys() - KNOWN}"
    if "$ref" in schema:
        return mistakes(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], place)
    if "anyOf" in schema:
        found = [mistakes(value, option, place) for option in schema["anyOf"]]
        return [] if [] in found else min(found, key=len)
    if "const" in schema or "enum" in schema:
        return [] if value in schema.get("enum", [schema.get("const")]) else [f"{place}: {value!r}"]
    right = isinstance(value, TYPES[schema["type"]]) and (schema["type"] == "boolean" or not isinstance(value, bool))
    if not right:
        return [f"{place}: {value!r} is no {schema['type']}"]
    if isinstance(value, list):
        return (
            [m for at, item in enumerate(value) for m in mistakes(item, schema.get("items", {"type": "string"}), f"{place}[{at}]")]
            if "items" in schema
            else []
        )
    if isinstance(value, dict):
        return _of_object(value, schema, place)
    return []


def _of_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> list[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    found = [f"{place}.{name} is missing" for name in schema.get("required", ()) if name not in value]
    for name, inner in value.items():
        if name in known:
            found += mistakes(inner, known[name], f"{place}.{name}")
        elif isinstance(others, dict):
            found += mistakes(inner, others, f"{place}.{name}")
        elif not others:
            found.append(f"{place}.{name} is not in the schema")
    return found


@pytest.mark.parametrize("name", [name for name in RENDERERS if name.endswith(".json")])
def test_documents_are_what_the_page_says(name: str) -> None:
    assert mistakes(json.loads(RENDERERS[name]()), SCHEMA) == []


def test_the_schema_finds_what_is_wrong() -> None:
    document = json.loads(RENDERERS["record.json"]())
    document["rulesets"][0]["rows"][0]["verdict"] = "TRUE"
    assert mistakes(document, SCHEMA)
    del document["rulesets"]
    assert mistakes(document, SCHEMA)


def test_every_field_is_explained_on_the_page() -> None:
    prose = PAGE[: PAGE.index("## The schema")]
    for part in ("row", "moment"):
        assert [name for name in SCHEMA["$defs"][part]["properties"] if f"`{name}`" not in prose and name not in ("number",)] == []
