"""The scope: the sizes an exhaustive search explores. The rules themselves have no such bound."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """*players* at the table and how many items fit on each zone, *sizes*, in the order of `Program.zones`."""

    players: int
    sizes: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return ", ".join([f"{self.players} players", *(f"{zone} {size}" for zone, size in self.sizes)])
