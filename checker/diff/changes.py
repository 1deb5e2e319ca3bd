"""Changes: what differs between two texts, as a designer would list it: declaration by declaration,
clause by clause.

Layout and comments are no change. What is gone under one name and has come under another, and says
the same, was renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import ndiff
from typing import Any, Literal

from ...models import syntax
from ...models.load import opened, parsed
from ...models.printing.format import ShownPart, show_part
from ...models.source import Source

How = Literal["added", "removed", "changed", "renamed", "reworded", "moved"]


@dataclass(frozen=True)
class TextChange:
    """One change: *what* (``clause``, ``option``, ``claim`` ...) and its *name*; *was* is its old
    name or, of a clause, its old stage.

    *lines* are those of the standard layout, each after ``- ``, ``+ `` or two blanks; *old_line*
    and *new_line* are where it stands, 0 where it does not.
    """

    what: str
    how: How
    name: str
    was: str = ""
    lines: tuple[str, ...] = ()
    old_line: int = 0
    new_line: int = 0


_Named = Mapping[str, ShownPart]
_WORDS = ("title", "cites", "source", "heading")
"""What is for people only."""


def changes_between(old: syntax.Ruleset, new: syntax.Ruleset) -> tuple[TextChange, ...]:
    """Return what differs between two rulesets, in the order of the new one; what was removed comes
    after what it stood with.
    """
    before, after = _declarations(old), _declarations(new)
    return tuple(
        change
        for what in after
        for change in _of_sort(what, before[what], after[what], _stages(old), _stages(new))
    )


def touched_since(old: Source, new: Source) -> set[str] | None:
    """Return what is new or changed in *new*: clauses, and stages with all their clauses.

    None stands for everything: so it is if a declaration, a routine or a term has changed, since
    any clause may use it. Raises InputError with what is wrong with either.
    """
    for source in (old, new):
        opened(source)
    (before, _), (after, _) = parsed(old), parsed(new)
    changes = [
        change
        for change in changes_between(before, after)
        if change.how != "reworded" or change.what == "clause"
    ]
    if any(change.what not in ("stage", "clause", "claim") for change in changes):
        return None
    stages = {change.name for change in changes if change.what == "stage"}
    inner = {
        clause.id for stage in after.stages if stage.name in stages for clause in stage.clauses
    }
    return stages | inner | {change.name for change in changes if change.what == "clause"}


def _declarations(ruleset: syntax.Ruleset) -> dict[str, _Named]:
    """Return what is declared in *ruleset*: for each sort the parts by name."""
    clauses = [clause for stage in ruleset.stages for clause in stage.clauses]
    return {
        "game": {"players": ruleset.players},
        "option": _by_name(ruleset.options),
        "kind": _by_name(ruleset.items),
        "attribute": _by_name(ruleset.attributes),
        "zone": _by_name(ruleset.zones),
        "sequence": _by_name(ruleset.sequences),
        "variable": _by_name(ruleset.state),
        "term": _by_name(ruleset.terms),
        "routine": _by_name(ruleset.routines),
        "stage": {stage.name: replace(stage, clauses=()) for stage in ruleset.stages},
        "clause": {clause.id: clause for clause in clauses},
        "claim": _by_name(ruleset.claims),
        "start": {"start": ruleset.start} if ruleset.start is not None else {},
    }


def _by_name(parts: Iterable[Any]) -> _Named:
    """Return *parts* by name; of several of one name, the later ones with their number."""
    found: dict[str, ShownPart] = {}
    for part in parts:
        name, number = part.name, 1
        while name in found:
            number += 1
            name = f"{part.name} ({number})"
        found[name] = part
    return found


def _stages(ruleset: syntax.Ruleset) -> dict[str, str]:
    return {clause.id: stage.name for stage in ruleset.stages for clause in stage.clauses}


def _of_sort(
    what: str, before: _Named, after: _Named, was_in: Mapping[str, str], is_in: Mapping[str, str]
) -> Iterator[TextChange]:
    """Yield the changes of one sort of parts; of clauses, those to which stage they belong as
    well.
    """
    gone = {name: part for name, part in before.items() if name not in after}
    for name, part in after.items():
        line = part.span.line
        if name in before:
            was = before[name].span.line
            if before[name] != part:
                how: How = "reworded" if _plain(before[name]) == _plain(part) else "changed"
                yield TextChange(
                    what,
                    how,
                    name,
                    lines=_difference_lines(before[name], part),
                    old_line=was,
                    new_line=line,
                )
            if what == "clause" and was_in[name] != is_in[name]:
                yield TextChange(what, "moved", name, was_in[name], old_line=was, new_line=line)
            continue
        other = next(
            (other for other, its in gone.items() if _unnamed(its) == _unnamed(part)), None
        )
        if other is None:
            yield TextChange(
                what, "added", name, lines=_difference_lines(None, part), new_line=line
            )
        else:
            yield TextChange(
                what, "renamed", name, other, old_line=gone.pop(other).span.line, new_line=line
            )
    for name, part in gone.items():
        yield TextChange(
            what, "removed", name, lines=_difference_lines(part, None), old_line=part.span.line
        )


def _plain(part: Any) -> Any:
    """Return *part* without the words that are for people."""
    return replace(
        part, **{field: () if field == "cites" else "" for field in _WORDS if hasattr(part, field)}
    )


def _unnamed(part: Any) -> Any:
    return replace(part, **{field: "" for field in ("name", "id") if hasattr(part, field)})


def _difference_lines(old: ShownPart | None, new: ShownPart | None) -> tuple[str, ...]:
    """Return the lines of two parts in the standard layout, as a difference of texts."""
    before, after = ([] if part is None else show_part(part).splitlines() for part in (old, new))
    return tuple(line.rstrip() for line in ndiff(before, after) if not line.startswith("?"))
