"""Room: how many items join a zone within one move, so that it is known how large zones can be on
the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .. import ir
from .analysis import effect_of
from .parts import blocks_of


def most_joining(bodies: Iterable[ir.Block], sizes: Mapping[str, int]) -> Counter[str]:
    """Return for each zone how many items join it at most on a way through one of *bodies*, where
    zones have *sizes* before it.
    """
    before, most = Counter(sizes), Counter[str]()
    for body in bodies:
        most |= _sizes_after(body, before) - before
    return most


def _sizes_after(block: ir.Block, sizes: Counter[str]) -> Counter[str]:
    """Return how many items each zone has at most after *block*, or on the way, where it has
    *sizes* before it.
    """
    for statement in block:
        done = effect_of(statement)
        if isinstance(statement, ir.ForEach):
            joined = [one for one in map(effect_of, statement.body) if one.joins is not None]
            sizes = sizes + Counter(
                {one.joins: sizes[done.among] for one in joined if one.joins and done.among}
            )
            continue
        ways = Counter[str]()
        for block_ in blocks_of(statement):
            ways |= _sizes_after(block_, sizes)
        sizes = sizes | ways
        if done.joins is not None:
            sizes = sizes + Counter({done.joins: 1})
    return sizes
