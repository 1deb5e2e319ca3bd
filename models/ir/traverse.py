"""Traversing: walking, rewriting and measuring the nodes of a Program, of any type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

Whole = TypeVar("Whole")


_BELOW: dict[type, Callable[[Any], tuple[object, ...]] | None] = {}
_PARTS: dict[type, tuple[str, ...]] = {}


def _compared_fields(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of nodes of *kind* that take part in comparisons: all but the
    place in a text.
    """
    if kind not in _PARTS:
        _PARTS[kind] = tuple(f.name for f in fields(kind) if f.compare)
    return _PARTS[kind]


def _below(kind: type) -> Callable[[Any], tuple[object, ...]] | None:
    """Return what tells what the fields of nodes of *kind* hold, in their order; None if values of
    *kind* are no nodes.
    """
    if kind not in _BELOW:
        _BELOW[kind] = _reader(_compared_fields(kind)) if is_dataclass(kind) else None
    return _BELOW[kind]


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda node: (getattr(node, name),)
        case _:
            return attrgetter(*names)


def children(node: object) -> tuple[object, ...]:
    """Return what the fields of *node* hold, in their order; nothing for what is no node."""
    below = _below(type(node))
    return () if below is None else below(node)


def walk(node: object) -> Iterator[object]:
    """Yield *node* and every node below it, parents first, in the order of their fields."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        elif (below := _below(type(node))) is not None:
            yield node
            waiting.extend(below(node)[::-1])


def levels(*nodes: object) -> Iterator[Sequence[object]]:
    """Yield *nodes*, then all that their fields hold, and so on down; without recursion."""
    level: Sequence[object] = nodes
    while level:
        yield level
        level = [
            part
            for node in level
            for child in children(node)
            for part in (child if isinstance(child, tuple) else (child,))
        ]


def rewrite(node: Whole, change: Callable[[Any], Any]) -> Whole:
    """Return *node* with *change* applied to every node in it, children before parents.

    *change* gets a node whose children are already rewritten and returns what stands in its place;
    for a statement of a block that may be a tuple of statements. Nodes in which nothing changes are
    kept as they are.
    """
    rewritten: Whole = _rewrite(node, change)
    return rewritten


def _rewrite(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, tuple):
        return _rewrite_all(node, change)
    kind = type(node)
    below = _below(kind)
    if below is None:
        return node
    changed = {}
    for name, old in zip(_compared_fields(kind), below(node), strict=True):
        new = _rewrite(old, change)
        if new is not old:
            changed[name] = new
    return change(replace(node, **changed) if changed else node)


def _rewrite_all(nodes: tuple[object, ...], change: Callable[[Any], Any]) -> tuple[object, ...]:
    parts: list[object] = []
    for node in nodes:
        new = _rewrite(node, change)
        parts.extend(new if isinstance(new, tuple) and not isinstance(node, tuple) else (new,))
    same = len(parts) == len(nodes) and all(
        new is old for new, old in zip(parts, nodes, strict=True)
    )
    return nodes if same else tuple(parts)


class TreeSize(NamedTuple):
    """How many nodes there are when all is written out, and on how many levels: what later passes
    recurse into, and write as code.
    """

    size: int
    depth: int


@dataclass
class Measurer:
    """Measures nodes, and remembers what it has measured (with the nodes, so that the id of each
    stays its own).

    A part that stands in several places, as the argument of a term does, counts in each of them and
    is measured once.
    """

    known: dict[int, tuple[object, TreeSize]] = field(default_factory=dict)

    def measure(self, node: object) -> TreeSize:
        """Return how large *node* is, a node or a tuple of them; without recursion."""
        waiting: list[tuple[object, bool]] = [(node, False)]
        while waiting:
            this, is_ready = waiting.pop()
            if id(this) in self.known:
                continue
            below = this if isinstance(this, tuple) else children(this)
            if is_ready or not below:
                self.known[id(this)] = (
                    this,
                    self._joined_size(below, is_node=not isinstance(this, tuple)),
                )
            else:
                waiting.append((this, True))
                waiting.extend(
                    (part, False) for part in below if isinstance(part, tuple) or children(part)
                )
        return self.known[id(node)][1]

    def _joined_size(self, below: tuple[object, ...], *, is_node: bool) -> TreeSize:
        measures = [self.known[id(part)][1] for part in below if id(part) in self.known]
        return TreeSize(
            sum(one.size for one in measures) + is_node,
            max((one.depth for one in measures), default=0) + is_node,
        )
