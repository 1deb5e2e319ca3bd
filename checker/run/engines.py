"""The engines by name, and who proves what they found."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from ...models.diagnostics import wrong_input
from ..explicit.engine import Explicit
from ..prover.prover import LARGE, SMALL, Prover
from ..reference.engine import Reference
from ..reference.semantics.interpreter import Interpreter
from ..types.engine import Engine
from ..types.tuning import Tuning
from .remembered import Remembering

EngineName: TypeAlias = Literal["all", "explicit", "reference"]
DEFAULT: EngineName = "all"
"""The default: the explicit engine decides, and the symbolic one then tries what that found to
hold.
"""


def engine_named(name: EngineName, tuning: Tuning | None = None) -> Engine:
    """Return who searches: the meaning itself, or the same answers faster, as *tuning* says; raises
    InputError.
    """
    tuning = tuning or Tuning()
    match name:
        case "reference":
            if tuning.threads > 1 or any(
                one is not None for one in (tuning.checkpoints, tuning.cluster, tuning.disk)
            ):
                has_not = "the reference engine has no threads, checkpoints, cluster or disk"
                raise wrong_input("C109", has_not, hint="--engine explicit has")
            return Reference()
        case "explicit" | "all":
            return Explicit(Interpreter, tuning=tuning)
        case _:
            assert_never(name)


def remembering(name: EngineName, tuning: Tuning) -> Engine:
    """Return the engine called *name* that remembers what it has found; the reference does not, for
    others are compared with it.
    """
    engine = engine_named(name, tuning)
    return (
        engine
        if name == "reference" or tuning.checkpoints is not None
        else Remembering(engine, tuning)
    )


def prover_named(
    name: EngineName, *, eager: bool = False, explain: bool = False, second: bool = False
) -> Prover | None:
    """Return who proves for every size what the engine called *name* finds, None if that engine
    alone is asked.

    An *eager* prover spends more. With *explain* it says what its proofs rest on. One that is
    eager, or is asked to, shows its proofs to a *second* solver. Raises InputError if it should be
    eager, and there is none.
    """
    if name == "all":
        return Prover(LARGE if eager else SMALL, explain=explain, second=second or eager)
    if eager:
        hint = "leave --engine out, and what the search finds is tried for every size"
        raise wrong_input("C110", f"the {name} engine alone proves nothing", hint=hint)
    return None
