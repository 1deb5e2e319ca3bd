"""Walking and rewriting the nodes of a Program, whatever their type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.compare)


def walk(node: object) -> Iterator[object]:
    """Yield *node* and every node below it, parents first, in the order of their fields."""
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif is_dataclass(node):
        yield node
        for name in _parts(type(node)):
            yield from walk(getattr(node, name))


def rewrite(node: T, change: Callable[[Any], Any]) -> T:
    """Return *node* with *change* applied to every node in it, children before parents.

    *change* gets a node whose children are already rewritten and returns what stands in its place.
    Nodes in which nothing changes are kept as they are.
    """
    if isinstance(node, tuple):
        parts = tuple(rewrite(part, change) for part in node)
        same = all(new is old for new, old in zip(parts, node, strict=True))
        return node if same else parts  # type: ignore[return-value]
    if not is_dataclass(node):
        return node
    changed = {}
    for name in _parts(type(node)):
        old = getattr(node, name)
        new = rewrite(old, change)
        if new is not old:
            changed[name] = new
    result: T = change(replace(node, **changed) if changed else node)  # type: ignore[type-var]
    return result
