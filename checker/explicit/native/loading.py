"""Loading: the compiled code of texts, loaded once for all searches, and how a play begins in it.

In comes an `Emitted`, out comes its `Machine`. What was not kept when it was first asked for is not
looked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ....models.storage.places import cache_folder
from ..emit.emit import Emitted
from ..layout.layout import Words
from ..moves.hooks import BITS, FIRST, WHICH
from . import kernel
from .machine import Machine, NoMachineError
from .memory import Memory
from .rounds import OF_ROUNDS

_FUNCTIONS = {"expand": 9, "insert": 4, "lead": 7, "make": 7}
"""The functions of a kernel, with the numbers of their parameters; ``start`` comes with them."""
_LOADED = 32
"""How many kernels stay loaded: one text serves many searches."""


def machine_for(
    emitted: Emitted, level: int, *, only_kept: bool = False, together: bool = False
) -> Machine:
    """Return the kernel of *emitted* compiled at *level*, or *only_kept* code; raise
    `NoMachineError` if there cannot be one.
    """
    return _kernel(emitted, level, cache_folder(), together).loaded(only_kept=only_kept)


@dataclass
class _Kernel:
    """The kernel of *emitted*, whose compiled code is in *folder* if it is kept."""

    emitted: Emitted
    level: int
    folder: Path
    together: bool
    machine: Machine | None = None
    is_missing: bool = False

    def loaded(self, *, only_kept: bool) -> Machine:
        if self.machine is None:
            if only_kept and self.is_missing:
                raise NoMachineError("nothing is compiled yet")
            self.is_missing = only_kept
            functions = {
                **_FUNCTIONS,
                **(OF_ROUNDS if self.emitted.goes_round else {}),
                "start": self.emitted.layout.words + 2,
            }
            source = kernel.kernel_text(self.emitted, together=self.together)
            self.machine = Machine(
                source, functions, self.folder, level=self.level, only_kept=only_kept
            )
        return self.machine


_kernel = lru_cache(_LOADED)(_Kernel)


def started(
    machine: Machine, emitted: Emitted, words: Words, which: int
) -> tuple[list[Words], int]:
    """Return the position in which a play begins whose variables are those of *words*, and the bits
    of the formulas true there.

    There is none if the formula never becomes true, and one for each way to owe something about the
    future.
    """
    out = Memory(kernel.buffer_words(emitted))
    out.numbers[WHICH] = which
    end = machine.functions["start"](*words, out.address, FIRST)
    size = emitted.layout.words
    return [tuple(out.numbers[at : at + size]) for at in range(FIRST, end, size)], out.numbers[BITS]
