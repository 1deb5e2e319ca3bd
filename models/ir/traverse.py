"""Walking and rewriting the nodes of a Program, whatever their type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")


_PARTS: dict[type, tuple[str, ...]] = {}
_IS_NODE: dict[type, bool] = {}


def _is_node(node: object) -> bool:
    """Whether *node* is a dataclass; asked once for each type."""
    kind = type(node)
    if kind not in _IS_NODE:
        _IS_NODE[kind] = is_dataclass(node)
    return _IS_NODE[kind]


def _parts(node: Any) -> tuple[str, ...]:
    """Return the names of the fields of *node* that take part in comparisons: all but its place in a text."""
    kind = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(f.name for f in fields(node) if f.compare)
    return _PARTS[kind]


def children(node: object) -> tuple[object, ...]:
    """Return what the fields of *node* hold, in their order; nothing for what is no node."""
    return tuple(getattr(node, name) for name in _parts(node)) if _is_node(node) else ()


def walk(node: object) -> Iterator[object]:
    """Yield *node* and every node below it, parents first, in the order of their fields."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif _is_node(node):
            yield node
            waiting.extend(getattr(node, name) for name in reversed(_parts(node)))


def rewrite(node: T, change: Callable[[Any], Any]) -> T:
    """Return *node* with *change* applied to every node in it, children before parents.

    *change* gets a node whose children are already rewritten and returns what stands in its place; for
    a statement of a block that may be a tuple of statements. Nodes in which nothing changes are kept
    as they are.
    """
    if isinstance(node, tuple):
        return _rewrite_all(node, change)  # type: ignore[return-value]
    if not _is_node(node):
        return node
    changed = {}
    for name in _parts(node):
        old = getattr(node, name)
        new = rewrite(old, change)
        if new is not old:
            changed[name] = new
    result: T = change(replace(node, **changed) if changed else node)  # type: ignore[type-var]
    return result


def _rewrite_all(nodes: tuple[object, ...], change: Callable[[Any], Any]) -> tuple[object, ...]:
    parts: list[object] = []
    for node in nodes:
        new = rewrite(node, change)
        parts.extend(new if isinstance(new, tuple) and not isinstance(node, tuple) else (new,))
    same = len(parts) == len(nodes) and all(new is old for new, old in zip(parts, nodes, strict=True))
    return nodes if same else tuple(parts)
