"""Barriers: how far all shards of a search were when a layer began, as it is written down; it says
of every log what is in it.

The logs are written first, each by its shard, and then this, whole and signed (`native.journal`).
So whoever dies, and whenever, the one before is good: a log only grows, and what it has after the
positions of a barrier is cut off when the search goes back to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...process.checkpoints import NotGoodError
from ..native.finished import are_counts, is_by_bits
from ..native.journal import Journal, Saved


@dataclass(frozen=True)
class Barrier:
    """The sizes of the *layers* in the log of each shard, up to the present one, and the *digests*
    of these; the rest as in a `Saved`.
    """

    layers: Sequence[Sequence[int]]
    digests: Sequence[str]
    moves: int
    cut: int
    bits: int
    hits: Mapping[int, int]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "hits": {str(bit): moves for bit, moves in self.hits.items()}}


def read_barrier(journal: Journal, parts: int) -> Barrier:
    """Return the last barrier in *journal*; raise `NotGoodError` if it is not of so many *parts*,
    or says what no search has written.
    """
    match journal.parts_saved():
        case {
            "layers": [*layers],
            "digests": [*digests],
            "moves": moves,
            "cut": cut,
            "bits": bits,
            "hits": hits,
            **rest,
        }:
            pass
        case _:
            raise NotGoodError(
                f"the checkpoint in {journal.folder} says what no search has written"
            )
    good = (
        not rest
        and all(map(are_counts, layers))
        and len({len(one) for one in layers}) == 1
        and all(layers)
    )
    good &= (
        len(digests) == len(layers)
        and all(isinstance(one, str) for one in digests)
        and are_counts([moves, cut, bits])
    )
    if not good or not is_by_bits(hits) or not are_counts(list(hits.values())):
        raise NotGoodError(f"the checkpoint in {journal.folder} says what no search has written")
    if len(layers) != parts:
        raise NotGoodError(f"the checkpoint in {journal.folder} is of {len(layers)} workers")
    return Barrier(
        layers, digests, moves, cut, bits, {int(bit): after for bit, after in hits.items()}
    )


def saved_of(barrier: Barrier, number: int) -> tuple[Saved, str]:
    """Return what shard *number* goes on from, and the digest of its log. What was counted together
    is counted on by the first.
    """
    layers = barrier.layers[number]
    stop = sum(layers)
    counted = (barrier.moves, barrier.cut, barrier.bits) if number == 0 else (0, 0, 0)
    return Saved([*layers, 0], [[stop - layers[-1], stop]], *counted, {}), barrier.digests[number]
