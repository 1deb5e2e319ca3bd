"""Changed clauses: which parts of a ruleset an edit changed, and at which of them a play leaves the
old rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from ...models import ir
from ...models.ir.analysis import guard_parts
from ...models.source import Source
from ..reference.semantics.interpreter import Interpreter
from ..types.scope import Scope
from ..types.trace import Trace
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
            here = [
                clause.id
                for stage in new.stages
                if stage.name == position.stage
                for clause in stage.clauses
            ]
            return made if made in changed else next((one for one in changed if one in here), "")
        position = step.position
    # All its moves are of both. That nothing else can be done at its end may be the edit's doing.
    here = [
        clause.id
        for program in (new, old)
        for stage in program.stages
        if stage.name == position.stage
        for clause in stage.clauses
    ]
    return next((one for one in changed if one in here), None)


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
