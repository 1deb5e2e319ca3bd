"""A reader of as much YAML as our own files and pages use: mappings, lists, block and plain scalars; anything else is an error."""

from __future__ import annotations

import json
import re
from typing import Any

_KEY = re.compile(r"([\w.-]+):(?: (.*))?$")
_REFUSED = tuple("&*!{%@`")


def read_yaml(text: str) -> Any:
    """Return what *text* says: mappings, lists and strings."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*#", line)]
    value, rest = _value(lines, 0)
    assert not any(line.strip() for line in rest), rest
    return value


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _value(lines: list[str], indent: int) -> tuple[Any, list[str]]:
    """Return what begins in the first of *lines*, which are indented by at least *indent*, and the lines after it."""
    lines = _begun(lines)
    at = _indent(lines[0])
    assert at >= indent, lines[0]
    return _list(lines, at) if lines[0].lstrip().startswith("- ") else _mapping(lines, at)


def _begun(lines: list[str]) -> list[str]:
    return next((lines[number:] for number, line in enumerate(lines) if line.strip()), [])


def _list(lines: list[str], at: int) -> tuple[list[Any], list[str]]:
    found: list[Any] = []
    while (lines := _begun(lines)) and _indent(lines[0]) == at and lines[0].lstrip().startswith("- "):
        first = lines[0].lstrip()[2:]
        if _KEY.match(first):
            value, lines = _mapping([" " * (at + 2) + first, *lines[1:]], at + 2)
            found.append(value)
        else:
            found.append(_scalar(first))
            lines = lines[1:]
    return found, lines


def _mapping(lines: list[str], at: int) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {}
    while (lines := _begun(lines)) and _indent(lines[0]) == at and (pair := _KEY.match(lines[0].lstrip())):
        name, said = pair[1], pair[2] or ""
        assert name not in found, name
        if said in ("|", ">-"):
            block = []
            lines = lines[1:]
            while lines and (not lines[0].strip() or _indent(lines[0]) > at):
                block.append(lines.pop(0)[at + 2 :])
            text = "\n".join(block).rstrip("\n")
            found[name] = f"{text}\n" if said == "|" else " ".join(text.split())
        elif said:
            found[name], lines = _scalar(said), lines[1:]
        else:
            found[name], lines = _value(lines[1:], at if lines[1].lstrip().startswith("- ") else at + 1)
    return found, lines


def _scalar(said: str) -> Any:
    """Return a plain or quoted scalar as a string, or a list of them on one line."""
    if said.startswith("["):
        return [_scalar(part.strip()) for part in said[1 : said.rindex("]")].split(",")]
    if said.startswith('"'):
        return json.loads(said)
    assert not said.startswith(_REFUSED) and ": " not in said and " #" not in said, said  # noqa: PT018
    return said
