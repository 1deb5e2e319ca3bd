"""Finished searches: what is kept of one, as plain data, and back; what no search can have found is
not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..layout.layout import Words

WORD = 64
"""How many bits a word has, and how many formulas are watched at most."""
PackedPlay = tuple[Words, ...]


@dataclass(frozen=True)
class Finished:
    """What a search found: the *counts* of positions, moves, layers and cut moves, and the rest as
    in its result.

    *lasso* is the way and the place where its loop begins, None if there is no loop.
    """

    counts: Sequence[int]
    complete: int
    tier: str
    hits: Mapping[int, int]
    plays: Mapping[int, PackedPlay]
    lasso: tuple[PackedPlay, int | None] | None

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "counts": list(self.counts),
            "complete": self.complete,
            "tier": self.tier,
            "hits": {str(bit): moves for bit, moves in self.hits.items()},
            "plays": {str(bit): play for bit, play in self.plays.items()},
            "lasso": self.lasso,
        }


def as_finished(said: Mapping[str, Any], words: int) -> Finished | None:
    """Return what is *said* of a search whose positions have so many *words*; None if no search can
    have said it.
    """
    match said:
        case {
            "counts": counts,
            "complete": complete,
            "tier": "interpreted" | "compiled" as tier,
            "hits": hits,
            "plays": plays,
            **rest,
        }:
            pass
        case _:
            return None
    lasso = rest.pop("lasso", ())
    if (
        rest
        or not are_counts(counts)
        or len(counts) != 4
        or not is_count(complete)
        or not (is_by_bits(hits) and is_by_bits(plays))
    ):
        return None
    ways = (
        [*plays.values(), lasso[0]]
        if isinstance(lasso, list) and len(lasso) == 2
        else list(plays.values())
    )
    if not are_counts(list(hits.values())) or not all(_is_play(way, words) for way in ways):
        return None
    if lasso is not None and not (
        len(ways) > len(plays)
        and (lasso[1] is None or (is_count(lasso[1]) and lasso[1] < len(lasso[0])))
    ):
        return None
    return Finished(
        counts,
        complete,
        tier,
        {int(bit): moves for bit, moves in hits.items()},
        {int(bit): _as_play(play) for bit, play in plays.items()},
        None if lasso is None else (_as_play(lasso[0]), lasso[1]),
    )


def is_count(value: Any) -> bool:
    """Whether *value* is a number that something can have been counted to, or a word."""
    return value.__class__ is int and 0 <= value < 1 << WORD


def are_counts(values: Any) -> bool:
    """Whether *values* are a list of such numbers."""
    return isinstance(values, list) and all(map(is_count, values))


def is_by_bits(value: Any) -> bool:
    """Whether *value* says something of formulas by their numbers."""
    return isinstance(value, dict) and all(
        bit.isascii() and bit.isdigit() and len(bit) <= 2 and int(bit) < WORD for bit in value
    )


def _is_play(value: Any, words: int) -> bool:
    return isinstance(value, list) and all(are_counts(one) and len(one) == words for one in value)


def _as_play(value: list[list[int]]) -> PackedPlay:
    return tuple(map(tuple, value))
