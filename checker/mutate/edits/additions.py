"""Additions: edits that put something where there is nothing, for who looks for what a ruleset
lacks.

A variable gets its first value back, a clause asks for what another clause of its stage asks for,
or an ``if`` for a flag as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....models import ir
from ....models.ir.parts import expressions, statements
from ....properties.wording import expression_words
from .edits import Edit, edits_of, is_known_in, parts_of, with_clause
from .statements import as_written


def edits_and_additions(program: ir.Program) -> list[Edit]:
    """Return what may mend *program*: every edit of it, then every addition to it."""
    return edits_of(program) + additions_to(program)


def additions_to(program: ir.Program) -> list[Edit]:
    """Return every addition to *program*, in the order of the text."""
    return list(_all_additions(program))


def _all_additions(program: ir.Program) -> Iterator[Edit]:
    for number, stage in enumerate(map(as_written, program.stages)):
        asked = list(
            dict.fromkeys(
                part
                for clause in stage.clauses
                for part in parts_of(clause.guard)
                if is_known_in(part, stage)
            )
        )
        for place, clause in enumerate(stage.clauses):
            for kind, words, changed in (
                *_resets(clause, program),
                *_conditions(clause, asked, program),
                *_flags(clause, program),
            ):
                edited = with_clause(program, number, stage, place, changed)
                yield Edit(clause.id, kind, words, edited)


def _resets(clause: ir.Clause, program: ir.Program) -> Iterator[tuple[str, str, ir.Clause]]:
    """Yield *clause* with a variable reset that it does not touch."""
    touched = {one.variable for one in statements(clause.body) if isinstance(one, ir.Assign)}
    sequences = {sequence.variable for sequence in program.sequences}
    for variable in program.variables:
        if variable.each_player or variable.name in touched | sequences | {ir.ACTIVE}:
            continue
        reset = ir.Assign(variable.name, None, variable.initial)
        words = f"{variable.name} := {expression_words(program, variable.initial)}"
        yield "added", f"with `{words}`", replace(clause, body=(reset, *clause.body))


def _conditions(
    clause: ir.Clause, asked: list[ir.Expr], program: ir.Program
) -> Iterator[tuple[str, str, ir.Clause]]:
    """Yield *clause* with a condition that another clause of its stage has."""
    own = parts_of(clause.guard)
    for part in asked:
        if part not in own:
            yield (
                "added",
                f"with `when {expression_words(program, part)}`",
                replace(clause, guard=ir.All((part, *own)) if own else part),
            )


def _flags(clause: ir.Clause, program: ir.Program) -> Iterator[tuple[str, str, ir.Clause]]:
    """Yield *clause* with an ``if`` that asks for a flag, too, if it asks for none."""
    flags = [
        ir.Variable(one.name)
        for one in program.variables
        if isinstance(one.type, ir.FlagType) and not one.each_player
    ]
    for place, statement in enumerate(clause.body):
        if not isinstance(statement, ir.If):
            continue
        parts = parts_of(statement.condition)
        for flag in flags:
            if flag not in expressions(statement.condition):
                asking = replace(statement, condition=ir.All((flag, *parts)) if parts else flag)
                body = (*clause.body[:place], asking, *clause.body[place + 1 :])
                words = expression_words(program, statement.condition)
                yield "added", f"`if {flag.name} and {words}`", replace(clause, body=body)
