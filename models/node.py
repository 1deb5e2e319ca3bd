"""The `node`, of which trees are made: a dataclass whose values never change.

The trees of a ruleset and of its properties have more than a hundred types, and `dataclass`
compiles six functions for each. Here only ``__init__`` is; the rest is alike for all, which takes a
third off the time in which `stacklaw` starts. That nobody writes to a node is left to the type
checker.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

NodeT = TypeVar("NodeT")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[NodeT]) -> type[NodeT]:
    """Make a dataclass of *kind*, with slots, that is frozen for the type checker and equal by the
    fields that say ``compare``.
    """
    made: Any = dataclass(eq=False, repr=False, slots=True)(kind)
    made.__eq__, made.__hash__ = _compared([field.name for field in fields(made) if field.compare])
    made.__repr__ = _repr
    result: type[NodeT] = made
    return result


def _compared(names: list[str]) -> tuple[Any, Any]:
    """Return ``__eq__`` and ``__hash__`` of a type whose fields *names* tell its values apart."""
    parts: Any = attrgetter(*names) if names else lambda _self: ()

    def equal(self: object, other: object) -> Any:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    return equal, lambda self: hash(parts(self))


def _repr(self: Any) -> str:
    told = ", ".join(
        f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr
    )
    return f"{type(self).__qualname__}({told})"
