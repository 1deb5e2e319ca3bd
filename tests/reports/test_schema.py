"""Every JSON document is what docs/schema.json says, and docs/json.md says what its fields mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .test_renderers import RENDERERS

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "schema.json").read_text(encoding="utf-8"))
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,), "null": (type(None),),
}  # fmt: skip
KNOWN = {
    "$schema",
    "title",
    "$defs",
    "$ref",
    "anyOf",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
}


def mistakes(value: Any, schema: dict[str, Any], place: str = "$") -> list[str]:
    """Return what is wrong with *value*; of JSON Schema, what ours uses."""
    assert schema.keys() <= KNOWN, f"it uses {schema.keys() - KNOWN}"
    if "$ref" in schema:
        return mistakes(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], place)
    if "anyOf" in schema:
        found = [mistakes(value, option, place) for option in schema["anyOf"]]
        return [] if [] in found else min(found, key=len)
    if "const" in schema or "enum" in schema:
        return [] if value in schema.get("enum", [schema.get("const")]) else [f"{place}: {value!r}"]
    right = isinstance(value, TYPES[schema["type"]]) and (
        schema["type"] == "boolean" or not isinstance(value, bool)
    )
    if not right:
        return [f"{place}: {value!r} is no {schema['type']}"]
    if isinstance(value, list):
        return (
            [
                m
                for at, item in enumerate(value)
                for m in mistakes(item, schema.get("items", {"type": "string"}), f"{place}[{at}]")
            ]
            if "items" in schema
            else []
        )
    if isinstance(value, dict):
        return _of_object(value, schema, place)
    return []


def _of_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> list[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    found = [
        f"{place}.{name} is missing" for name in schema.get("required", ()) if name not in value
    ]
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
    prose = (DOCS / "json.md").read_text(encoding="utf-8")
    for part in ("row", "moment"):
        assert [
            name
            for name in SCHEMA["$defs"][part]["properties"]
            if f"`{name}`" not in prose and name not in ("number",)
        ] == []
