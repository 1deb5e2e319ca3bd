"""Claiming: what the scripts need to write a play as a claim of a ruleset, as plain data."""

from __future__ import annotations

import re
from typing import Any

from ...checker.types.scope import make_scope
from ...models import ir
from ..naming import player_name


def claiming_words(program: ir.Program, players: int) -> dict[str, Any]:
    """Return names for *players* and for an item that nothing in *program* has, its scope, and its reading."""
    taken = set(re.findall(r"\w+", program.source.text))

    def free(name: str) -> str:
        return name if name not in taken else free(f"{name}_")

    scope = make_scope(program)
    return {
        "players": [free(f"p{player_name(seat)}") for seat in range(players)],
        "item": free("x"),
        "settings": program.settings,
        "scope": {"players": scope.players, "sizes": scope.sizes},
    }
