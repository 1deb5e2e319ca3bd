"""The system: what is asked of Z3. A stage has cells, and rules lead from the cells of one stage to those of the next.

In a rule everything but the cells of its source is free: what is chosen in the move, and what the encoding does not know.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import terms as t
from .weakenings import Weakening

START = ""
"""The source of the rules by which a play begins."""


@dataclass(frozen=True)
class Rule:
    """A way to make a move: where *condition* holds of the cells of *source*, those of *target* become *cells*.

    *bad* is the part of the condition under which the move breaks the property; the move leads on nevertheless.
    *target* is empty where the game is over.
    """

    clause: str
    source: str
    target: str
    condition: t.Bool
    cells: tuple[t.Term, ...]
    bad: t.Bool


@dataclass(frozen=True)
class System:
    """The *cells* of every stage, what is *known* of them, and the *rules*.

    *weakenings* are what the encoding had to forget.
    """

    cells: dict[str, tuple[t.Term, ...]]
    known: dict[str, t.Bool]
    rules: tuple[Rule, ...]
    weakenings: frozenset[Weakening]
    names: dict[int, str]
