"""A game compiled for the page, all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stacklaw.checker.explicit.portable import drafted

if TYPE_CHECKING:
    from stacklaw.checker.types.scope import Scope
    from stacklaw.models import ir
    from stacklaw.properties import formula as f


@dataclass(frozen=True)
class Portable:
    """A game: the module that *tells* moves; those of each text that *searches*; and the *tables*,
    plain data.
    """

    tells: bytes
    searches: tuple[tuple[bytes, bytes], ...]
    tables: dict[str, Any]


def portable(
    program: ir.Program,
    scope: Scope,
    properties: Sequence[f.Property] = (),
    options: Sequence[str] = (),
) -> Portable:
    """Return *program* within *scope* for another machine, compiled: see `drafted`."""
    draft = drafted(program, scope, properties, options)
    return Portable(draft.tells(), draft.searches(), draft.tables)
