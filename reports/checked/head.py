"""The head of the page: the game, its document, its options, the scope, and how much was searched and proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...checker.types.scope import scope_words
from ...models.words import settings_words
from ..telling.record import Record
from ..text.columns import facts, title_line
from ..text.proofs import proved_words
from .basis import Basis

if TYPE_CHECKING:
    from rich.console import RenderableType


def render_head(record: Record, basis: Basis) -> Iterator[RenderableType]:
    """Yield what *record* is about, and what its verdicts rest on."""
    yield title_line(record.name, record.title)
    yield facts([
        ("source", record.document),
        ("options", settings_words(record.settings)),
        ("scope", scope_words(record.players, record.sizes)),
        ("searched", basis.head),
        ("proved", proved_words(record.rows)),
    ])  # fmt: skip
