"""The engines by name."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from .engine import Engine
from .explicit.engine import Explicit
from .reference.engine import Reference
from .reference.interpreter import Interpreter

EngineName: TypeAlias = Literal["reference", "explicit"]


def engine_named(name: EngineName) -> Engine:
    """Return the engine called *name*: the meaning itself, or the same answers faster where very many positions are searched."""
    match name:
        case "reference":
            return Reference()
        case "explicit":
            return Explicit(Interpreter)
        case _:
            assert_never(name)
