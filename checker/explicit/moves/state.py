"""The state in which the writing of a move is: which names of the text hold the state, the locals
and what else is handed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...slicing.sorts import Sort
from ..layout.format import Format


@dataclass(frozen=True, slots=True)
class BoundLocal:
    """A local of the Program: the text of its *code*, and its *sort*.

    An item has no sort. Its code is its slot, which has *format*, *place* the text of the number of
    its place, and *zones* are those that may be in; *place* is empty where only the item itself is
    known.
    """

    code: str
    sort: Sort | None
    place: str = ""
    zones: tuple[str, ...] = ()
    format: Format | None = None

    @property
    def number(self) -> str:
        """The text of its number, from 0, among all that it may be: that of its place if it is an
        item.
        """
        if self.sort is None:
            return self.place
        return f"({self.code} - {self.sort.low})" if self.sort.low else self.code


@dataclass(frozen=True, slots=True)
class EmitState:
    """A point in the middle of a move.

    *words* are the names of the state's words: nothing is ever assigned twice, so every branch has
    the state it began with. *stage* is the stage whose parameters are in sight ("" for none).
    *names* are the locals in sight, as keys of *bound*; *threads* is what the hooks hand on besides
    (`hooks`).
    """

    words: tuple[str, ...]
    stage: str = ""
    names: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[int, BoundLocal] = field(default_factory=dict)
    threads: tuple[str, ...] = ()

    def local(self, name: str) -> BoundLocal | None:
        """Return the local called *name*, None if that is no local but a parameter."""
        return self.bound[self.names[name]] if name in self.names else None

    def bind(self, name: str, bound: BoundLocal) -> EmitState:
        """Return this point with a new local."""
        key = max(self.bound, default=0) + 1
        return EmitState(
            self.words,
            self.stage,
            {**self.names, name: key},
            {**self.bound, key: bound},
            self.threads,
        )

    def with_word(self, word: int, name: str) -> EmitState:
        """Return this point with a new name for a word of the state."""
        words = (*self.words[:word], name, *self.words[word + 1 :])
        return EmitState(words, self.stage, self.names, self.bound, self.threads)

    def seeing(self, names: Mapping[str, int]) -> EmitState:
        """Return this point with *names* in sight, which are keys of locals it has."""
        return (
            self
            if names is self.names
            else EmitState(self.words, self.stage, names, self.bound, self.threads)
        )
