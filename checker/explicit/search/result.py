"""Results: what a search is to find, and what it has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...types.verdict import Counts
from ..moves.layout import Words
from .lasso import PackedLasso, Rounds


@dataclass(frozen=True)
class Result:
    """How much was explored, and how many layers completely; *stopped* says why no more if there is
    more.

    *hits* says for each bit of a formula after how many moves it is true for the first time.
    *plays* has for those that are to be told the positions of a shortest play, up to the one from
    which a move makes the formula true; there are none if it is true at the start. *lasso* is a
    play on which it stays true, if one was looked for. *tier* is where the search ended, *note*
    what else there is to say of it (nothing, mostly).
    """

    counts: Counts
    complete_layers: int
    stopped: str
    tier: str
    note: str = ""
    hits: Mapping[int, int] = field(default_factory=dict)
    plays: Mapping[int, tuple[Words, ...]] = field(default_factory=dict)
    lasso: PackedLasso | None = None


@dataclass(frozen=True)
class SearchGoal:
    """What a search looks for: the formula of number *which*, or several, each with a bit
    (NOTE(buffer)).

    It ends after the layer in which all of *wanted* have been seen, or never early if that is 0. It
    tells plays for the bits in *told*. With *rounds* it finds all positions, and then looks for one
    play on which the formula stays true, or sooner if none is told.
    """

    which: int = 0
    wanted: int = 0
    told: int = 0
    rounds: Rounds | None = None
