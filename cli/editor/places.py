"""Places: where a name is declared, and where it is used, in rules, claims and inventories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..judging.files import CLAUSES, target_of
from .names import NameTable, Occurrence, names_in
from .texts import OpenTexts

if TYPE_CHECKING:
    from lsprotocol import types


def name_at(
    texts: OpenTexts, path: str, position: types.Position
) -> tuple[NameTable, Occurrence] | None:
    """Return the name at *position* of the file at *path*, with all names of its ruleset."""
    names, source = names_of_file(texts, path), texts.whole(path)
    if names is None or source is None:
        return None
    found = names.at(source, texts.span_at(source, path, position))
    return None if found is None else (names, found)


def names_of_file(texts: OpenTexts, path: str) -> NameTable | None:
    """Return all names of the ruleset that the file at *path* is of; None if there is none."""
    rules = texts.rules(path)
    inventory = texts.file(target_of(path).removesuffix(".rules") + CLAUSES)
    return None if rules is None else names_in(rules, inventory)


def definition(texts: OpenTexts, path: str, position: types.Position) -> list[types.Location]:
    """Return what declares the name at *position*; of a clause that is declared there, the
    statement that it stands for.
    """
    if (found := name_at(texts, path, position)) is None:
        return []
    names, here = found
    declared = names.declarations(here)
    return _locations(texts, [one for one in declared if one != here] or declared)


def references(
    texts: OpenTexts, path: str, position: types.Position, asked: types.ReferenceContext
) -> list[types.Location]:
    """Return where the name at *position* stands, with its declaration if that is *asked* for."""
    if (found := name_at(texts, path, position)) is None:
        return []
    names, here = found
    left_out = () if asked.include_declaration else names.declarations(here)
    return _locations(texts, [one for one in names.references(here) if one not in left_out])


def _locations(texts: OpenTexts, found: Iterable[Occurrence]) -> list[types.Location]:
    return [texts.location(one.source, one.word.span) for one in found]
