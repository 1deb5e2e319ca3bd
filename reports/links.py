"""Links: the address on a page that puts a play on its board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256

from ..models import ir
from ..models.syntax import NamedSizes

_DIGITS = 12
_BASE = "0123456789abcdefghijklmnopqrstuvwxyz"


def digest_of(
    program: ir.Program, settings: Sequence[tuple[str, object]], players: int, sizes: NamedSizes
) -> str:
    """Return what tells the rules of *program*, their reading and their sizes from all others,
    short enough for a link.
    """
    whole = json.dumps(
        [
            program.source.text,
            [list(pair) for pair in settings],
            players,
            [list(pair) for pair in sizes],
        ]
    )
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def play_link(digest: str, numbers: Iterable[int]) -> str:
    """Return the address of a play on a page with that *digest*; *numbers* are its moves among
    those of each position.
    """
    return "".join([f"#play={digest}", *(f".{_base36(number)}" for number in numbers)])


def _base36(number: int) -> str:
    """Return *number* as the scripts write it in links."""
    return (_base36(number // len(_BASE)) if number >= len(_BASE) else "") + _BASE[
        number % len(_BASE)
    ]
