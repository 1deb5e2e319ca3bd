"""Measuring how large a node is when all of it is written out, and how deep: what later passes recurse into, and write as code.

A part that stands in several places, as the argument of a term does, counts in each of them and is measured once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .traverse import children


class TreeSize(NamedTuple):
    """How many nodes there are, and on how many levels."""

    size: int
    depth: int


@dataclass
class Measurer:
    """Measures nodes, and remembers what it has measured (with the nodes, so that the id of each stays its own)."""

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
                self.known[id(this)] = this, self._joined(below, is_node=not isinstance(this, tuple))
            else:
                waiting.append((this, True))
                waiting.extend((part, False) for part in below if isinstance(part, tuple) or children(part))
        return self.known[id(node)][1]

    def _joined(self, below: tuple[object, ...], *, is_node: bool) -> TreeSize:
        measures = [self.known[id(part)][1] for part in below if id(part) in self.known]
        return TreeSize(sum(one.size for one in measures) + is_node, max((one.depth for one in measures), default=0) + is_node)
