"""Continuations: the rest of a move, what is still to do at some point of it, and what that
needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ....models import ir
from ....models.ir.analysis import effect_of
from ....models.ir.parts import expressions_in, locals_in, statements
from .state import EmitState


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
