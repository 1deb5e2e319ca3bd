"""The rest of a move: what is still to do at some point of it, and what that needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ...models import ir
from .here import Here


@dataclass(frozen=True, slots=True)
class Jump:
    """The rest of a move as a call of *function*; *keys* are the locals it gets, and whether their places too."""

    function: str
    keys: tuple[tuple[int, bool], ...]


Rest: TypeAlias = "tuple[tuple[Mapping[str, int], ir.Block] | Jump, ...]"
"""What is still to do, the next block first, each with the names it sees."""


def seen(here: Here, rest: Rest) -> Rest:
    """Return *rest* with the names of *here* in sight of the block that goes on."""
    first = rest[0]
    assert not isinstance(first, Jump)
    return (here.names, first[1]), *rest[1:]


def ends(block: ir.Block) -> bool:
    """Whether no way through *block* goes on to what follows it."""
    match block[-1] if block else None:
        case ir.Go() | ir.GameOver():
            return True
        case ir.If(_, yes, no):
            return ends(yes) and ends(no)
        case ir.Branch(options, _):
            return all(ends(option) for _, option in options)
        case _:
            return False


def weight(rest: Rest) -> int:
    """Return how many statements *rest* has, those in branches included."""
    return sum(1 if isinstance(part, Jump) else sum(isinstance(node, ir.Statement) for node in ir.walk(part[1])) for part in rest)


def live(rest: Rest) -> list[tuple[int, bool]]:
    """Return the keys of the locals that *rest* speaks of, and whether it does something with the item they are."""
    live: dict[int, bool] = {}
    for part in rest:
        if isinstance(part, Jump):
            live |= {key: with_place or live.get(key, False) for key, with_place in part.keys}
            continue
        names, block = part
        for node in ir.walk(block):
            match node:
                case ir.Local(name) if name in names:
                    live.setdefault(names[name], False)
                case ir.Move(ir.Local(name)) | ir.Leave(ir.Local(name)) | ir.BeginResolving(ir.Local(name)) if name in names:
                    live[names[name]] = True
    return sorted(live.items())
