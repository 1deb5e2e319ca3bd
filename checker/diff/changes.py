"""Changes: what differs between two texts, clause by clause, and where a play comes to it.

Layout and comments are no change. What is gone under one name and has come under another, and says
the same, was renamed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher, ndiff
from typing import Any, Literal

from ...models import ir, syntax
from ...models.frozen import frozen
from ...models.ir.analysis import guard_parts
from ...models.load import opened, parsed
from ...models.printing.format import ShownPart, show_part
from ...models.source import Source
from ..reference.semantics.interpreter import Interpreter
from ..types.position import Trace
from ..types.scope import Scope
from .same import declarations

EditedParts = Mapping[str, tuple[Hashable, Hashable]]
"""What an edit changed, each with how it was and is: clauses by their ids; empty names what clauses
stand in, and use.
"""
_REST = ""


def edited_parts(old: ir.Program, new: ir.Program) -> EditedParts:
    """Return what *new* has otherwise than *old*; words that are for people are no part of
    either.
    """
    before, after = _parts_by_name(old), _parts_by_name(new)
    return {
        one: (before.get(one), after.get(one))
        for one in {**before, **after}
        if before.get(one) != after.get(one)
    }


def changed_clauses(old: ir.Program, new: ir.Program) -> list[str]:
    """Return the ids of the clauses that one of the two has, or that say something else, in the
    order of the texts.

    Those of a stage to which only the other has a way say the same in both texts.
    """
    cut_off = {
        clause.id
        for one, other in ((old, new), (new, old))
        for stage, clause in one.clauses
        if stage.name in other.inactive_stages
    }
    return [one for one in edited_parts(old, new) if one != _REST and one not in cut_off]


def _parts_by_name(program: ir.Program) -> dict[str, Hashable]:
    stages = tuple((stage.name, stage.parameters, stage.priority) for stage in program.stages)
    clauses = {clause.id: (stage.name, *as_said(clause)) for stage, clause in program.clauses}
    return {**clauses, _REST: (declarations(program), program.start, stages)}


def as_said(clause: ir.Clause) -> tuple[Hashable, ...]:
    """Return what *clause* says itself: without words for people, and what those above it in its
    block take from it.
    """
    own = tuple(part for part, is_above in guard_parts(clause) if not is_above)
    return replace(clause, title="", cites=(), also=(), guard=ir.YES, above=()), own


def leaves_at(old: ir.Program, new: ir.Program, trace: Trace, scope: Scope) -> str | None:
    """Return by which changed clause *trace*, a play of *new*, leaves the rules of *old*.

    None if it is a play of both, and empty if no clause that changed is to blame.
    """
    changed = changed_clauses(old, new)
    used = [step.move.clause for step in trace.steps]
    if declarations(old) != declarations(new):
        return next((clause for clause in reversed(used) if clause in changed), "")
    rules, position = Interpreter(old, scope), trace.initial
    if rules.initial() != position:
        return ""
    for step in trace.steps:
        made = step.move.clause
        if (step.move, step.position) not in rules.moves(position).moves:
            here = _clauses_in(position.stage, new)
            return made if made in changed else next((one for one in changed if one in here), "")
        position = step.position
    # All its moves are of both. That nothing else can be done at its end may be the edit's doing.
    here = _clauses_in(position.stage, old, new)
    return next((one for one in changed if one in here), None)


def _clauses_in(name: str, *programs: ir.Program) -> set[str]:
    """Return the ids of the clauses of the stage of that *name*."""
    return {clause.id for one in programs for stage, clause in one.clauses if stage.name == name}


def line_of_edit(old: Source, new: ir.Program, clauses: list[str]) -> int:
    """Return the first line of the text of *new* that is not as in *old*, in one of *clauses* if
    there is one.

    Where lines are gone it is the one before them; 0 if the texts are the same.
    """
    lines = _edited_lines(old, new.source)
    begins = sorted(clause.span.line for _, clause in new.clauses)
    for clause in (clause for _, clause in new.clauses if clause.id in clauses):
        end = next((line for line in begins if line > clause.span.line), len(new.source.lines) + 1)
        if within := [line for line in lines if clause.span.line <= line < end]:
            return within[0]
    return lines[0] if lines else 0


def _edited_lines(old: Source, new: Source) -> list[int]:
    before, after = ([*map(str.strip, one.parts()[0].lines)] for one in (old, new))
    matched = SequenceMatcher(None, before, after)
    found: list[int] = []
    for how, _, _, first, end in matched.get_opcodes():
        if how != "equal":
            found += range(first + 1, end + 1) if end > first else [max(first, 1)]
    return found


How = Literal["added", "removed", "changed", "renamed", "reworded", "moved"]


@frozen
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
