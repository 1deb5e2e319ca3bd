"""Frozen: a dataclass whose values never change.

There are more than five hundred such types, and `dataclass` compiles six functions for each. Here
it compiles only ``__init__``; all types share the rest, so `stacklaw` starts sooner. It is the type
checker that forbids writing to a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

KindT = TypeVar("KindT")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[KindT]) -> type[KindT]:
    """Make a dataclass of *kind* that is frozen for the type checker, and equal by the fields that
    say ``compare``.
    """
    made: Any = dataclass(eq=False, repr=False)(kind)
    made.__eq__, made.__hash__ = _compared([field.name for field in fields(made) if field.compare])
    made.__repr__ = _repr
    result: type[KindT] = made
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
