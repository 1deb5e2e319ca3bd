"""State and writing of a move: its text line by line, and the state in which the writing is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from ....models import ir
from ....models.ir.analysis import effect_of
from ....models.ir.parts import expressions_in, locals_in, statements
from ....models.storage.key import digest
from ...slicing.sorts import Sort
from .layout import Format

INDENT = "    "
DIGITS = 24
"""How many digits of its digest tell a function from all others: no two of any text have the
same.
"""


@dataclass
class FunctionWriter:
    """A function that is being written; *names* counts the local names given out so far."""

    name: str
    parameters: Sequence[str]
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    names: int = 0

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self.lines.append(INDENT * self.depth + text)

    def let(self, name: str, value: str) -> str:
        """Give *value* a new name that begins with *name*, and return it."""
        new = self.fresh(name)
        self.line(f"{new} = {value}")
        return new

    def fresh(self, name: str) -> str:
        """Return a name nothing has yet."""
        self.names += 1
        return f"{name}_{self.names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write *head*, and what is written inside one level deeper."""
        self.line(head)
        before, self.depth = len(self.lines), self.depth + 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def __str__(self) -> str:
        return "\n".join([f"def {self.name}({', '.join(self.parameters)}):", *self.lines, ""])


@dataclass
class Module:
    """The functions finished so far, each after those it calls unless they call each other, and the
    last number of each name.
    """

    functions: list[FunctionWriter] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    _shared: set[str] = field(default_factory=set)

    def shared(self, word: str, function: FunctionWriter) -> str:
        """Add *function*, unless it is there already, and return its name: *word* and a digest, so
        that it has it in every text.
        """
        function.name = ""
        function.name = f"{word}_{digest(str(function))[:DIGITS]}"
        if function.name not in self._shared:
            self._shared.add(function.name)
            self.functions.append(function)
        return function.name

    def taken_back(self, number: int) -> list[FunctionWriter]:
        """Remove the functions after the first *number*, and return them."""
        taken, self.functions[number:] = self.functions[number:], []
        self._shared -= {function.name for function in taken}
        return taken

    def unique_name(self, word: str, clause: str = "") -> str:
        """Return a name for a function; one of a *clause* is called as in a text in which only
        other clauses are others.
        """
        stem = re.sub("[^0-9A-Za-z]", "_", f"{word}_{clause}" if clause else word)
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}_{self.numbers[stem]}"

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.functions))


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


# ------------------------------------------------------------------ what is still to do


@dataclass(frozen=True, slots=True)
class Jump:
    """The rest of a move as a call of *function*; *keys* are the locals it gets, and whether their
    places too.
    """

    function: str
    keys: tuple[tuple[int, bool], ...]


Continuation: TypeAlias = "tuple[tuple[Mapping[str, int], ir.Block] | Jump, ...]"
"""What is still to do, the next block first, each with the names it sees."""


def seen(here: EmitState, rest: Continuation) -> Continuation:
    """Return *rest* with the names of *here* in sight of the block that goes on."""
    first = rest[0]
    assert not isinstance(first, Jump)
    return (here.names, first[1]), *rest[1:]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is asked of a *statement* again and again.

    Its *weight* with those inside, the locals it *speaks* of, the items it *moves*; whether it
    *changes* any.
    """

    statement: ir.Statement
    weight: int
    speaks: frozenset[str]
    moves: frozenset[str]
    changes: bool


class Reading:
    """Says what a rest is like; every statement is walked once only."""

    def __init__(self) -> None:
        self._known: dict[int, _Facts] = {}

    def _facts(self, statement: ir.Statement) -> _Facts:
        # The facts hold the statement, so that no other one ever has its number.
        known = self._known.get(id(statement))
        if known is None:
            known = self._known[id(statement)] = _facts_of(statement)
        return known

    def weight(self, rest: Continuation) -> int:
        """Return how many statements *rest* has, those in branches included."""
        return sum(
            1
            if isinstance(part, Jump)
            else sum(self._facts(statement).weight for statement in part[1])
            for part in rest
        )

    def live(self, rest: Continuation) -> list[tuple[int, bool]]:
        """Return the keys of the locals that *rest* speaks of, and whether it does something with
        the item they are.
        """
        live: dict[int, bool] = {}
        changes = any(
            self._facts(statement).changes
            for part in rest
            if not isinstance(part, Jump)
            for statement in part[1]
        )
        for part in rest:
            if isinstance(part, Jump):
                live |= {key: with_place or live.get(key, False) for key, with_place in part.keys}
                continue
            names, block = part
            for statement in block if names else ():
                facts = self._facts(statement)
                for name in facts.speaks & names.keys():
                    live[names[name]] = (
                        changes or name in facts.moves or live.get(names[name], False)
                    )
        return sorted(live.items())


def _facts_of(statement: ir.Statement) -> _Facts:
    inside = list(statements((statement,)))
    moves = frozenset(
        item.name for one in inside if isinstance(item := effect_of(one).item, ir.Local)
    )
    changes = any(isinstance(one, ir.Alter) for one in inside)
    return _Facts(statement, len(inside), locals_in(expressions_in((statement,))), moves, changes)
