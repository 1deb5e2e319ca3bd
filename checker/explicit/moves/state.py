"""State and writing of a move: its text line by line, and the state in which the writing is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.analysis import effect_of
from ....models.ir.parts import expressions_in, locals_in, statements
from ....models.storage.key import digest
from ...slicing.sorts import Sort
from .layout import GONE, Format, Layout, Slots

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
        before = len(self.lines)
        self.depth = self.depth + 1
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
        taken = self.functions[number:]
        self.functions[number:] = []
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


@frozen
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


@frozen
class ZoneSpot:
    """The place number *at* of *zone*. The places of all zones are numbered together, so that one
    number says where an item is.
    """

    zone: Slots
    at: str

    @property
    def place(self) -> str:
        """The number of the place."""
        return f"({self.zone.first_place} + {self.at})"

    def after_joining(self, place: str) -> str:
        """Return where an item at *place* is after another has joined the zone here."""
        if self.zone.order != "unordered":
            return place
        return (
            f"({place} + 1 if {self.zone.first_place} + {self.at} <= {place} < "
            f"{self.zone.end_place} else {place})"
        )

    def after_leaving(self, place: str, new: str = str(GONE)) -> str:
        """Return where an item at *place* is after the one here has gone to the place *new*."""
        here = self.place
        return (
            f"({new} if {place} == {here} else {place} - 1 if {here} < {place} < "
            f"{self.zone.end_place} else {place})"
        )

    def after_changing(self, place: str, to: ZoneSpot) -> str:
        """Return where an item at *place* is after the one here has become another, which is at
        *to*.
        """
        if self.zone.order != "unordered":
            return place
        return (
            f"({to.place} if {place} == {self.place} else "
            f"{to.after_joining(self.after_leaving(place))})"
        )


@frozen
class EmitState:
    """A point in the middle of a move, in the text of *function*; what that needs goes to *module*.

    *words* are the names of the state's words: nothing is ever assigned twice, so every branch has
    the state it began with. *stage* is the stage whose parameters are in sight ("" for none).
    *names* are the locals in sight, as keys of *bound*; *threads* is what the hooks hand on besides
    (`hooks`), by name.
    """

    layout: Layout
    module: Module
    function: FunctionWriter
    words: tuple[str, ...]
    stage: str = ""
    names: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[int, BoundLocal] = field(default_factory=dict)
    threads: Mapping[str, str] = field(default_factory=dict)

    # ------------------------------------------------------------------ writing

    def opened(self, name: str, parameters: Sequence[str] = ("out", "n"), stage: str = "") -> Self:
        """Return where a new function begins, of the words of a position and *parameters*."""
        words = self.layout.names
        function = FunctionWriter(name, (*words, *parameters))
        return type(self)(self.layout, self.module, function, words, stage)

    def closed(self) -> str:
        """Finish the function, and return its name."""
        self.module.functions.append(self.function)
        return self.function.name

    def line(self, text: str) -> None:
        """Write a line."""
        self.function.line(text)

    def let(self, name: str, value: str) -> str:
        """Give *value* a new name that begins with *name*, and return it."""
        return self.function.let(name, value)

    def fresh(self, name: str) -> str:
        """Return a name nothing has yet."""
        return self.function.fresh(name)

    def block(self, head: str) -> AbstractContextManager[None]:
        """Write *head*, and what is written inside one level deeper."""
        return self.function.block(head)

    def put_out(self, *words: str) -> None:
        """Write *words* to the buffer at *n*, which goes on behind them."""
        for number, word in enumerate(words):
            self.line(f"out[n + {number}] = {word}" if number else f"out[n] = {word}")
        self.line(f"n += {len(words)}")

    # ------------------------------------------------------------------ points further on

    def local(self, name: str) -> BoundLocal | None:
        """Return the local called *name*, None if that is no local but a parameter."""
        return self.bound[self.names[name]] if name in self.names else None

    def bind(self, name: str, bound: BoundLocal) -> Self:
        """Return this point with a new local."""
        key = max(self.bound, default=0) + 1
        return replace(self, names={**self.names, name: key}, bound={**self.bound, key: bound})

    def with_word(self, word: int, value: str) -> Self:
        """Write the *value* of a word of the state, and return the point after it."""
        words = (*self.words[:word], self.let("s", value), *self.words[word + 1 :])
        kept = self.stage, self.names, self.bound, self.threads
        return type(self)(self.layout, self.module, self.function, words, *kept)

    def with_thread(self, name: str, value: str) -> Self:
        """Return this point with another *value* to hand on."""
        return replace(self, threads={**self.threads, name: value})


# ------------------------------------------------------------------ what is still to do


@frozen
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


@frozen
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
