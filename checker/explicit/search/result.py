"""Results: what a search is to find, and what it has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ....models.frozen import frozen
from ...types.verdict import Counts
from ..moves.layout import Words
from ..native.journal import by_bits, fields_of, is_count, list_of, numbered, row_of
from .lasso import PackedLasso, Rounds


@frozen
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


def as_result(said: dict[str, Any], words: int) -> Result | None:
    """Return what is *said* of a finished search whose positions have *words* words; None if no
    search can have said it.
    """
    is_way = list_of(row_of(is_count, words))
    is_lasso = fields_of(way=is_way, loop=lambda at: at is None or is_count(at))
    is_result = fields_of(
        counts=fields_of(**dict.fromkeys(("positions", "moves", "layers", "cut"), is_count)),
        complete_layers=is_count,
        stopped=("",).__contains__,
        tier=("interpreted", "compiled").__contains__,
        note=lambda note: isinstance(note, str),
        hits=by_bits(is_count),
        plays=by_bits(is_way),
        lasso=lambda lasso: lasso is None or is_lasso(lasso),
    )
    if not is_result(said):
        return None
    lasso = said["lasso"] and PackedLasso(_as_way(said["lasso"]["way"]), said["lasso"]["loop"])
    if lasso and lasso.loop is not None and lasso.loop >= len(lasso.way):
        return None
    plays = {bit: _as_way(play) for bit, play in numbered(said["plays"]).items()}
    counts, hits = Counts(**said["counts"]), numbered(said["hits"])
    return Result(**said | {"counts": counts, "hits": hits, "plays": plays, "lasso": lasso})


def _as_way(said: list[list[int]]) -> tuple[Words, ...]:
    return tuple(map(tuple, said))


@frozen
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
