"""Room: how many items join a zone within one move, so that it is known how large zones can be on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from ...models import ir


def most_joining(bodies: Iterable[ir.Block]) -> Counter[str]:
    """Return for each zone how many items join it at most on a way through one of *bodies*."""
    most: Counter[str] = Counter()
    for body in bodies:
        most |= _joining(body)
    return most


def _joining(block: ir.Block) -> Counter[str]:
    joining: Counter[str] = Counter()
    for statement in block:
        match statement:
            case ir.Put() | ir.Move():
                joining[statement.zone] += 1
            case ir.If(_, then, otherwise):
                joining += _joining(then) | _joining(otherwise)
            case ir.Branch(options, _):
                joining += most_joining(option for _, option in options)
            case ir.Require() | ir.Leave() | ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo() | ir.Assign() | ir.Let():
                pass  # no item joins a zone
            case ir.Choose() | ir.Go() | ir.GameOver():
                pass
            case _:
                assert_never(statement)
    return joining
