"""Numbered items of a line, what they are called: whose each is, its kind, and which of several it is."""

from __future__ import annotations

from ...checker.situations.line import Line
from ...models import ir
from ..naming import kind_title, ordinal, player_name


def numbered_items(program: ir.Program, line: Line) -> tuple[str, ...]:
    """Return what each item of *line* is called."""
    plain = [f"{player_name(one.item.controller)}'s {kind_title(program, one.item.kind)}" for one in line.items]
    labels = []
    for number, label in enumerate(plain):
        count = plain[: number + 1].count(label)
        who, _, noun = label.partition(" ")
        labels.append(label if plain.count(label) == 1 else f"{who} {ordinal(count)} {noun}")
    return tuple(labels)
