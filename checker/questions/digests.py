"""Digests: what a proof is about, as numbers that two people can compare: the rules and the
property. `models.storage.key` has that of the engine.

The digest of rules is made of what a play can see of them. The form of the text makes no difference
to it: comments, spaces, titles but those of the ways of an `either` or a `maybe`, citations, the
name of the file and what its author claims. Each rule, stage, item, zone and option setting does,
and their order.
"""

from __future__ import annotations

import json
from dataclasses import Field, fields, is_dataclass, replace
from typing import Any

from ...models import ir
from ...models.storage.key import digest
from ...properties.formula import Property

_LAST: dict[int, tuple[ir.Program, str]] = {}
"""The digest of the rules that were told last, by their identity: the questions of a run are about
one program.
"""
_TOLD = {
    "title",
    "also",
    "cites",
    "why",
    "text",
    "about_text",
    "apart",
    "needs",
    "every_size",
    "source",
    "span",
}
"""Fields of rules and properties that are only for people."""


def rules_digest(program: ir.Program) -> str:
    """Return the digest of the rules of *program*, with the settings of its options."""
    if id(program) not in _LAST:
        _LAST.clear()
        rules = replace(program, name="", document="", claims=(), left_out=(), scope=(), terms=())
        _LAST[id(program)] = program, _digest(rules)
    return _LAST[id(program)][1]


def property_digest(question: Property) -> str:
    """Return the digest of what *question* asks: its mode, spotlights, formula and assumptions, and
    what it is about.
    """
    return _digest(replace(question, name="", lemmas=()))


def attempt_digest(question: Property) -> str:
    """Return the digest of what an attempt to prove *question* begins with: what it asks, and its
    lemmas.
    """
    return _digest(replace(question, name=""))


def _digest(node: object) -> str:
    return digest(json.dumps(_as_lists(node), separators=(",", ":")))


def _as_lists(node: Any) -> Any:
    """Return *node* as lists and words: a tree is its kind and its fields, each with its name."""
    if isinstance(node, tuple):
        return [_as_lists(part) for part in node]
    if isinstance(node, ir.Option):
        named = [name for name, _ in node.values]
        return ["Option", node.name, named, _as_lists(node.numbers)]
    if is_dataclass(node):
        told = (
            (field, getattr(node, field.name)) for field in fields(node) if field.name not in _TOLD
        )
        return [
            type(node).__name__,
            {
                field.name: _as_lists(value)
                for field, value in told
                if not _is_default(field, value)
            },
        ]
    if node is None or isinstance(node, bool | int | str):
        return node
    raise TypeError(f"a {type(node).__name__} has no digest")


def _is_default(field: Field[Any], value: object) -> bool:
    """Whether *value* is the default of *field*. A field that a later version adds to the language
    changes no digest of rules without it.
    """
    return type(value) is type(field.default) and value == field.default
