"""Single edits: of an edit of several parts each is put into the old rules alone, so that one
difference does not hide another.

The parts are the clauses that differ, what clauses stand in and use, and within each of these the
smallest parts that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from ...models import ir
from ...models.diagnostics import InputError
from ...models.wellformed import MalformedProgram, check_wellformed
from ..diff.changes import as_said, changed_clauses, edited_parts


class SingleEdit(NamedTuple):
    """The old *rules* with one difference, which is in *clause*; empty if it is in none.

    *is_part* says that there are more in the same clause.
    """

    clause: str
    rules: ir.Program
    is_part: bool


def single_edits(old: ir.Program, new: ir.Program) -> list[SingleEdit]:
    """Return the single edits that make *new* of *old*, as far as each can stand alone; none if
    there is only one.
    """
    changed = changed_clauses(old, new)
    wholes = [(one, with_clause(old, new, one)) for one in changed]
    declared = _with_clauses_of(new, old, changed)
    if edited_parts(old, declared) and (not changed or edited_parts(declared, new)):
        wholes.append(("", declared))
    found = []
    for clause, rules in wholes:
        if rules is not None and len(wholes) > 1:
            found.append(SingleEdit(clause, rules, is_part=False))
        inside = [*(_in_clause(old, new, clause) if clause else _in_declarations(old, declared))]
        if len(inside) > 1:
            found += [SingleEdit(clause, one, is_part=True) for one in inside]
    return [one for one in found if is_ruleset(one.rules)]


def is_ruleset(rules: ir.Program) -> bool:
    """Whether *rules* that were made of parts of others are well-formed."""
    try:
        check_wellformed(rules)
    except (InputError, KeyError, MalformedProgram):
        return False
    return True


def _in_clause(old: ir.Program, new: ir.Program, clause: str) -> Iterator[ir.Program]:
    """Yield *old* with each single difference of *clause*, where both have it."""
    was, now = ({one.id: one for _, one in rules.clauses}.get(clause) for rules in (old, new))
    if was is None or now is None:
        return
    for body in _single_steps(was.body, now.body):
        yield _with(old, replace(was, body=body))
    head = replace(now, body=was.body)
    if as_said(head) != as_said(was):
        rules = with_clause(old, _with(new, head), clause)
        if rules is not None:
            yield rules


def _in_declarations(old: ir.Program, declared: ir.Program) -> Iterator[ir.Program]:
    """Yield *old* with each single difference of what clauses stand in and use."""
    same = {one: getattr(old, one) for one in ("name", "document", "scope", "claims", "terms")}
    return (one for one in _single_steps(old, replace(declared, **same)) if edited_parts(old, one))


def _single_steps(before: Any, after: Any) -> Iterator[Any]:
    """Yield *before* with each of the smallest parts of *after* that differ."""
    if before == after:
        return
    if type(before) is not type(after):
        yield after
    elif type(before) is tuple:
        for how, at, end, first, last in SequenceMatcher(
            None, before, after, autojunk=False
        ).get_opcodes():
            if how == "replace" and end - at == last - first:
                for place in range(end - at):
                    for one in _single_steps(before[at + place], after[first + place]):
                        yield (*before[: at + place], one, *before[at + place + 1 :])
            elif how != "equal":
                yield (*before[:at], *after[first:last], *before[end:])
    elif is_dataclass(before) and not isinstance(before, type):
        for name in [one.name for one in fields(before) if one.init and one.compare]:
            for one in _single_steps(getattr(before, name), getattr(after, name)):
                yield replace(before, **{name: one})
    else:
        yield after


def _with(rules: ir.Program, clause: ir.Clause) -> ir.Program:
    """Return *rules* with *clause* in the place of the one with its id."""
    stages = tuple(
        replace(
            stage, clauses=tuple(clause if one.id == clause.id else one for one in stage.clauses)
        )
        for stage in rules.stages
    )
    return replace(rules, stages=stages)


def _with_clauses_of(new: ir.Program, old: ir.Program, changed: Sequence[str]) -> ir.Program:
    """Return *new* with the *changed* clauses as *old* has them, as far as they can be."""
    for clause in changed:
        new = with_clause(new, old, clause) or new
    return new


def with_clause(old: ir.Program, new: ir.Program, clause: str) -> ir.Program | None:
    """Return *old* with *clause* as *new* has it: changed, added to its stage, or gone; and what
    that takes from those below it.
    """
    stages = []
    there = {one.id: (stage.name, one) for stage, one in new.clauses}
    is_in = {one.id: stage.name for stage, one in old.clauses}
    if clause in there and there[clause][0] not in {stage.name for stage in old.stages}:
        return None
    if clause in there and is_in.get(clause, there[clause][0]) != there[clause][0]:
        return None
    for stage in old.stages:
        clauses = [
            there[one.id][1] if one.id == clause and clause in there else one
            for one in stage.clauses
        ]
        if clause not in there:
            clauses = [one for one in clauses if one.id != clause]
        elif clause not in is_in and there[clause][0] == stage.name:
            clauses.append(there[clause][1])
        clauses = [there[one.id][1] if _is_below(clause, one, there) else one for one in clauses]
        stages.append(replace(stage, clauses=tuple(clauses)))
    return replace(old, stages=tuple(stages))


def _is_below(clause: str, one: ir.Clause, there: Mapping[str, tuple[str, ir.Clause]]) -> bool:
    """Whether *one* says itself what it says *there*, below *clause* in a block of which the first
    that applies is used.
    """
    if one.id not in there or as_said(there[one.id][1]) != as_said(one):
        return False
    return clause in {above for above, _ in (*one.above, *there[one.id][1].above)}
