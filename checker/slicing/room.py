"""Room: how many items join a zone within one move, so that it is known how large zones can be on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import blocks_of


def most_joining(bodies: Iterable[ir.Block]) -> Counter[str]:
    """Return for each zone how many items join it at most on a way through one of *bodies*."""
    most: Counter[str] = Counter()
    for body in bodies:
        most |= _joining(body)
    return most


def _joining(block: ir.Block) -> Counter[str]:
    joining: Counter[str] = Counter()
    for statement in block:
        zone = effect_of(statement).joins
        joining += most_joining(blocks_of(statement))
        if zone is not None:
            joining[zone] += 1
    return joining
