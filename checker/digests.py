"""Digests: what a proof is about, as numbers that two people can compare: the rules, the property, the engine.

The digest of rules is made of what a play can see of them, whatever the text looks like: comments, spaces, titles, citations, the
name of the file and what its author claims make no difference; each rule, stage, item, zone and option setting does, and their order.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..models import ir
from ..properties import formula as f
from ..properties.formula import Property

_TOLD = {"title", "cites", "why", "text", "about_text", "source", "span"}
"""Fields of rules and properties that are only for people."""
_ENGINE = Path(__file__).parent / "symbolic"


def rules_digest(program: ir.Program) -> str:
    """Return the digest of the rules of *program*, with the settings of its options; what is assumed of open options does not count."""
    rules = replace(program, name="", document="", claims=(), left_out=(), scope=(), terms=(), when=ir.YES)
    return _digest(rules)


def property_digest(question: Property) -> str:
    """Return the digest of what *question* asks: its mode, spotlights, formula and assumptions, and what it is about."""
    return _digest(replace(question, name="", lemmas=()))


@cache
def engine_digest() -> str:
    """Return the digest of the engine: its code, what it reads rules and properties by, and its solver."""
    digest = sha256(_solver().encode())
    for file in sorted([*_ENGINE.glob("*.py"), *Path(ir.__file__).parent.glob("*.py"), Path(f.__file__)]):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _solver() -> str:
    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return ""


def _digest(node: object) -> str:
    return sha256(json.dumps(_plain(node), separators=(",", ":")).encode()).hexdigest()


def _plain(node: Any) -> Any:
    """Return *node* as lists and words: a tree is its kind and its fields, each with its name."""
    if isinstance(node, tuple):
        return [_plain(part) for part in node]
    if isinstance(node, ir.Option):
        named = [name for name, _ in node.values]
        return ["Option", node.name, named, _plain(node.numbers)]
    if is_dataclass(node):
        told = ((field.name, getattr(node, field.name)) for field in fields(node) if field.name not in _TOLD)
        return [type(node).__name__, {name: _plain(value) for name, value in told}]
    if node is None or isinstance(node, bool | int | str):
        return node
    raise TypeError(f"a {type(node).__name__} has no digest")
