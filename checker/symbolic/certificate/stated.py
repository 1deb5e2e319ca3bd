"""Stated by a certificate: the values of its heading, and the functions that are taken from it.
Nothing of it is believed.

Taken are the invariant of each stage and the numbers of a ranking. What the file says of moves and
of obligations is only kept to be compared. Whatever is no certificate raises `UnreadableError`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import z3

from ..encoding.encode import REMEMBERED, Precision
from ..solver import terms as t
from .certificate import INVARIANT, RANK
from .read_terms import read_term
from .smtlib import (
    HEADER,
    Expression,
    HeadingField,
    UnreadableError,
    commands,
    expression_text,
    listed,
    refuse_others,
    symbol,
    values_in,
)

MOST_BYTES = 20_000_000
MOST_RANKS = 100
_SORTS = ("Bool", "Int")
_RANK = re.compile(f"{RANK}([1-9][0-9]{{0,3}}) (.*)", re.DOTALL)


@dataclass(frozen=True)
class StatedFunction:
    """A function of a certificate: its *parameters*, each with its sort, its own *sort* and its
    *body*.
    """

    parameters: Mapping[str, str]
    sort: str
    body: Expression

    def over(self, cells: Sequence[t.Term], sort: str) -> t.Term:
        """Return the function as a term over *cells*, which are called like its parameters; raises
        `UnreadableError`.
        """
        if self.sort != sort:
            raise UnreadableError(f"it has a function of sort {self.sort} where {sort} is wanted")
        by_name = {t.name_of(cell): cell for cell in cells}
        constants = {
            name: by_name[name]
            for name, of in self.parameters.items()
            if name in by_name and t.sort_of(by_name[name]) == of
        }
        return read_term(self.body, constants, sort)


class Stated:
    """The certificate *text*, read."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_BYTES:
            raise UnreadableError(f"it is larger than {MOST_BYTES:,} bytes")
        if not text.startswith(f"{HEADER}\n"):
            raise UnreadableError("it is no certificate of this version of Stacklaw")
        self.values = values_in(text)
        self.commands = list(commands(text))
        refuse_others(self.commands)
        self.functions: dict[str, StatedFunction] = {}
        for command in self.commands:
            self._take_command(command)

    def _take_command(self, command: list[Expression]) -> None:
        if command[0] == "define-fun":
            name = symbol(command[1])
            if name in self.functions:
                raise UnreadableError(f"it defines {name[:60]!r} twice")
            self.functions[name] = _function(command)

    @cached_property
    def precision(self) -> Precision:
        """How much its encoding remembers."""
        kept = listed(self.values.get(HeadingField.ENCODING, ""))
        if unknown := {*kept} - {*REMEMBERED}:
            raise UnreadableError(f"nobody knows its encoding: {', '.join(sorted(unknown))[:60]}")
        found = Precision(**{one: one in kept for one in REMEMBERED})
        if found.counts and not (found.seats and found.attributes):
            raise UnreadableError(
                "nothing is ever proved in its encoding, which counts items and forgets what is less"
            )
        return found

    def invariant(self, cells: Mapping[str, tuple[t.Term, ...]]) -> dict[str, t.Bool]:
        """Return the invariant of each stage, over its *cells*; of a stage that it does not name,
        that no play comes there.
        """
        found: dict[str, t.Bool] = {}
        for stage, of_stage in cells.items():
            function = self.functions.get(f"{INVARIANT}{stage}")
            term = t.FALSE if function is None else _of_stage(function, of_stage, stage, "Bool")
            assert isinstance(term, z3.BoolRef)
            found[stage] = term
        return found

    def ranks(self, cells: Mapping[str, tuple[t.Term, ...]]) -> list[dict[str, t.Integer]]:
        """Return the numbers of a ranking, each with its term over the *cells* of each stage of
        which it says anything.

        It says nothing of stages where no move begins or ends that may be made again and again.
        """
        found: dict[int, dict[str, t.Integer]] = {}
        for name, function in self.functions.items():
            place = _RANK.fullmatch(name)
            if place is not None and place[2] in cells:
                term = _of_stage(function, cells[place[2]], place[2], "Int")
                assert isinstance(term, z3.ArithRef)
                found.setdefault(int(place[1]), {})[place[2]] = term
        if len(found) > MOST_RANKS:
            raise UnreadableError(f"its ranking has more than {MOST_RANKS} numbers")
        return [found[place] for place in sorted(found)]

    def differs(self, other: Stated) -> str:
        """Return the first command in which this differs from *other*, but for what is taken from
        it; empty if there is none.
        """
        mine, others = (list(one.asked) for one in (self, other))
        for one, another in zip(mine, others, strict=False):
            if one != another:
                return one
        longer = mine[len(others) :] or others[len(mine) :]
        return longer[0] if longer else ""

    @property
    def asked(self) -> list[str]:
        """The commands, each as one text, without the functions that are taken."""
        return [expression_text(command) for command in self.commands if not _is_taken(command)]


def _is_taken(command: list[Expression]) -> bool:
    return command[0] == "define-fun" and symbol(command[1]).startswith((INVARIANT, RANK))


def _function(command: list[Expression]) -> StatedFunction:
    _, _, parameters, sort, body = command
    found: dict[str, str] = {}
    for parameter in parameters if isinstance(parameters, list) else [parameters]:
        if (
            not isinstance(parameter, list)
            or len(parameter) != 2
            or not isinstance(parameter[1], str)
            or parameter[1] not in _SORTS
        ):
            raise UnreadableError(
                "it has a function with a parameter that is neither a truth nor a number"
            )
        name = symbol(parameter[0])
        if name in found:
            raise UnreadableError(f"it has a function with two parameters called {name[:60]!r}")
        found[name] = parameter[1]
    if not isinstance(sort, str) or sort not in _SORTS:
        raise UnreadableError("it has a function that is neither a truth nor a number")
    return StatedFunction(found, sort, body)


def _of_stage(function: StatedFunction, cells: Sequence[t.Term], stage: str, sort: str) -> t.Term:
    try:
        return function.over(cells, sort)
    except UnreadableError as error:
        raise UnreadableError(f"{error}, in what it says of {stage}") from error
