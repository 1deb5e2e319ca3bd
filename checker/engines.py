"""The engines by name."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from ..models.diagnostics import Diagnostic, InputError
from .engine import Engine
from .explicit.engine import Explicit
from .reference.engine import Reference
from .reference.interpreter import Interpreter
from .tuning import Tuning

EngineName: TypeAlias = Literal["reference", "explicit"]
DEFAULT: EngineName = "explicit"
"""The engine that is asked unless somebody says which."""


def engine_named(name: EngineName, tuning: Tuning | None = None) -> Engine:
    """Return the engine called *name*: the meaning itself, or the same answers faster, as *tuning* says; raises InputError."""
    tuning = tuning or Tuning()
    match name:
        case "reference":
            if tuning.threads > 1 or tuning.checkpoints is not None:
                raise InputError(
                    [Diagnostic("C109", "the reference engine has no threads and no checkpoints", hint="--engine explicit has")]
                )
            return Reference()
        case "explicit":
            return Explicit(Interpreter, tuning=tuning)
        case _:
            assert_never(name)
