"""Edits: a ruleset with one thing changed, or added, as people do by mistake.

They are edits of the Program with its options open, one at a time, in the order of the text, as in
mutation testing (DeMillo, Lipton and Sayward, "Hints on test data selection", 1978). Some make no
ruleset that could be read; these are refused.

Additions: edits that put something where there is nothing, for who looks for what a ruleset
lacks.

A variable gets its first value back, a clause asks for what another clause of its stage asks for,
or an ``if`` for a flag as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from ....models import ir
from ....models.binding.definite import check_clause
from ....models.binding.names import negated
from ....models.diagnostics import Report
from ....models.frozen import frozen
from ....models.ir.parts import expressions, expressions_in, locals_in, statements
from ....models.wellformed import MalformedProgram, check_wellformed
from ....properties.wording import expression_words
from ...types.budget import look_inside
from .statements import as_meant, as_written, bound_names, changed_blocks, players_at_hand


def edits_and_additions(program: ir.Program) -> list[Edit]:
    """Return what may mend *program*: every edit of it, then every addition to it. Raises
    `BudgetSpentError` as `edits_of` does.
    """
    return [*edits_of(program), *_additions(program)]


def _additions(program: ir.Program) -> Iterator[Edit]:
    """Yield every addition to *program*, in the order of the text."""
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
            for words, changed in (
                *_resets(clause, program),
                *_conditions(clause, asked, program),
                *_flags(clause, program),
            ):
                look_inside()
                edited = with_clause(program, number, stage, place, changed)
                yield Edit(clause.id, "added", words, edited)


def _resets(clause: ir.Clause, program: ir.Program) -> Iterator[tuple[str, ir.Clause]]:
    """Yield *clause* with a variable reset that it does not touch."""
    touched = {one.variable for one in statements(clause.body) if isinstance(one, ir.Assign)}
    sequences = {sequence.variable for sequence in program.sequences}
    for variable in program.variables:
        if variable.each_player or variable.name in touched | sequences | {ir.ACTIVE}:
            continue
        reset = ir.Assign(variable.name, None, variable.initial)
        words = f"{variable.name} := {expression_words(program, variable.initial)}"
        yield f"with `{words}`", replace(clause, body=(reset, *clause.body))


def _conditions(
    clause: ir.Clause, asked: list[ir.Expr], program: ir.Program
) -> Iterator[tuple[str, ir.Clause]]:
    """Yield *clause* with a condition that another clause of its stage has."""
    own = parts_of(clause.guard)
    for part in asked:
        if part not in own:
            words = f"with `when {expression_words(program, part)}`"
            yield words, replace(clause, guard=ir.All((part, *own)) if own else part)


def _flags(clause: ir.Clause, program: ir.Program) -> Iterator[tuple[str, ir.Clause]]:
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
                yield f"`if {flag.name} and {words}`", replace(clause, body=body)


_ACTIVE = ir.Variable(ir.ACTIVE)


@frozen
class Edit:
    """One thing changed in a *clause* (or a stage, a zone), of what *kind*, said in *words*; and
    the *program* that it makes.
    """

    clause: str
    kind: str
    words: str
    program: ir.Program

    @property
    def is_refused(self) -> bool:
        """Whether no ruleset could say it: an item is asked for where there may be none, a clause
        does not end.
        """
        report, edited = Report(self.program.source), self._edited_alone()
        # An exchange changes the clause beside it as well.
        for _, clause in edited.clauses:
            check_clause(clause, {}, report)
        try:
            check_wellformed(edited)
        except MalformedProgram:
            return True
        return bool(report.errors)

    def _edited_alone(self) -> ir.Program:
        """Return the program without the clauses of other stages, which were wellformed; all of it
        if it is a zone that was edited.
        """
        here = [
            self.clause in (stage.name, *(clause.id for clause in stage.clauses))
            for stage in self.program.stages
        ]
        stages = zip(self.program.stages, here, strict=True)
        alone = tuple(
            stage if is_here else replace(stage, clauses=(), priority=None)
            for stage, is_here in stages
        )
        return replace(self.program, stages=alone) if any(here) else self.program


def edits_of(program: ir.Program) -> list[Edit]:
    """Return every edit of *program*; no two make the same Program. Raises `BudgetSpentError` if
    somebody is `watching`, as it takes long where there are very many clauses.
    """
    found: dict[Hashable, Edit] = {}
    for edit in _all_edits(program):
        look_inside()
        changed = _changed_in(edit.program, program)
        if changed:
            found.setdefault(changed, edit)
    return list(found.values())


def _changed_in(edited: ir.Program, program: ir.Program) -> tuple[Hashable, ...]:
    """Return the stages and zones of *edited* that are others than those of *program*, each with
    its place; they are all the difference.
    """
    pairs = [
        *enumerate(zip(edited.stages, program.stages, strict=True)),
        *enumerate(zip(edited.zones, program.zones, strict=True)),
    ]
    return tuple((place, new) for place, (new, old) in pairs if new is not old and new != old)


def _all_edits(program: ir.Program) -> Iterator[Edit]:
    for number, stage in enumerate(map(as_written, program.stages)):
        for place, clause in enumerate(stage.clauses):
            for kind, words, changed in _of_clause(clause, stage, program):
                edited = with_clause(program, number, stage, place, changed)
                yield Edit(clause.id, kind, words, edited)
        yield from _exchanged(program, number, stage)
        if stage.priority is not None:
            for words, who in _other_players(stage.priority, stage, program):
                changed_stage = replace(stage, priority=who)
                yield Edit(
                    stage.name,
                    "priority",
                    f"{words} has priority",
                    with_stage(program, number, changed_stage),
                )
    for number, zone in enumerate(program.zones):
        if zone.order != "unordered":
            other = replace(zone, order="fifo" if zone.order == "lifo" else "lifo")
            words = f"{zone.name} is {'first' if zone.order == 'lifo' else 'last'} in first out"
            yield Edit(
                zone.name,
                "order",
                words,
                replace(
                    program, zones=(*program.zones[:number], other, *program.zones[number + 1 :])
                ),
            )


def with_stage(program: ir.Program, number: int, stage: ir.Stage) -> ir.Program:
    """Return *program* with *stage*, which is as written, in the place of its stage of that
    *number*.
    """
    meant = as_meant(stage, program.stages[number])
    return replace(program, stages=(*program.stages[:number], meant, *program.stages[number + 1 :]))


def with_clause(
    program: ir.Program, number: int, stage: ir.Stage, place: int, clause: ir.Clause
) -> ir.Program:
    """Return *program* with *clause* at that *place* of its *stage* of that *number*, both as
    written.
    """
    clauses = (*stage.clauses[:place], clause, *stage.clauses[place + 1 :])
    return with_stage(program, number, replace(stage, clauses=clauses))


_Changed = tuple[str, str, ir.Clause]
"""The kind of an edit, what it does in words, and the clause that it makes."""


def _of_clause(clause: ir.Clause, stage: ir.Stage, program: ir.Program) -> Iterator[_Changed]:
    yield from _of_guard(clause, program)
    yield from _limited(clause, program)
    yield from _of_owner(clause, stage, program)
    for kind, words, body in changed_blocks(clause, stage, program):
        yield kind, words, replace(clause, body=body)
    for number, words in _causes(program):
        if not any(
            isinstance(one, ir.Branch) and one.by == "cards" for one in statements(clause.body)
        ):
            yield (
                "cards",
                f"the cards may cause something: {words}",
                replace(clause, body=(number, *clause.body)),
            )


# ------------------------------------------------------------------ the guard


def _of_guard(clause: ir.Clause, program: ir.Program) -> Iterator[_Changed]:
    parts = parts_of(clause.guard)
    if len(parts) > 1:
        yield "guard", "without any condition", replace(clause, guard=ir.YES)
    for number, part in enumerate(parts):
        words = expression_words(program, part)
        instead: list[tuple[str, list[ir.Expr]]] = [
            (f"without `{words}`", []),
            (f"`{words}` negated", [negated(part)]),
        ]
        either = part.parts if isinstance(part, ir.Any) else ()
        for one in either:
            weaker = tuple(other for other in either if other != one)
            kept = ir.Any(weaker) if len(weaker) > 1 else weaker[0]
            instead.append((f"without `or {expression_words(program, one)}`", [kept]))
        for said, its in instead:
            guard = _conjunction([*parts[:number], *its, *parts[number + 1 :]])
            yield "guard", said, replace(clause, guard=guard)


def parts_of(guard: ir.Expr) -> list[ir.Expr]:
    """Return the conditions that *guard* joins."""
    if guard == ir.YES:
        return []
    return list(guard.parts) if isinstance(guard, ir.All) else [guard]


def _conjunction(parts: list[ir.Expr]) -> ir.Expr:
    return ir.YES if not parts else parts[0] if len(parts) == 1 else ir.All(tuple(parts))


def _limited(clause: ir.Clause, program: ir.Program) -> Iterator[_Changed]:
    """Yield *clause* with one condition more: a step, the active player, an empty stack."""
    guard = parts_of(clause.guard)
    conditions: list[tuple[str, ir.Expr]] = []
    for sequence in program.sequences:
        if sequence.name == ir.TURN and len(sequence.steps) > 1:
            middle = sequence.steps[len(sequence.steps) // 2]
            conditions.append(
                (f"step is {middle.name}", ir.OneOf(ir.Variable(sequence.variable), (middle.name,)))
            )
    conditions += [
        (f"{zone.name} is empty", ir.IsEmpty(zone.name)) for zone in program.zones_tagged("stack")
    ]
    if clause.owner.player is not None and clause.owner.player != _ACTIVE:
        who = expression_words(program, clause.owner.player)
        conditions.append((f"{who} is active", ir.Equal(clause.owner.player, _ACTIVE)))
    for words, condition in conditions:
        if condition not in guard:
            yield (
                "limit",
                f"only when {words}",
                replace(clause, guard=_conjunction([condition, *guard])),
            )


def _exchanged(program: ir.Program, number: int, stage: ir.Stage) -> Iterator[Edit]:
    """Yield *stage* with a part of a guard that one clause loses and the next gains."""
    for place in range(len(stage.clauses) - 1):
        first, second = stage.clauses[place : place + 2]
        for one, other, at in ((first, second, place), (second, first, place + 1)):
            for part in parts_of(one.guard):
                if part in parts_of(other.guard) or not is_known_in(part, stage):
                    continue
                loses = replace(
                    one, guard=_conjunction([its for its in parts_of(one.guard) if its != part])
                )
                gains = replace(other, guard=_conjunction([*parts_of(other.guard), part]))
                pair = (loses, gains) if at == place else (gains, loses)
                clauses = (*stage.clauses[:place], *pair, *stage.clauses[place + 2 :])
                words = f"`{expression_words(program, part)}` asked by {other.id}, and not here"
                yield Edit(
                    one.id,
                    "exchange",
                    words,
                    with_stage(program, number, replace(stage, clauses=clauses)),
                )


def is_known_in(part: ir.Expr, stage: ir.Stage) -> bool:
    """Return whether all names in *part* are known in every clause of *stage*."""
    known = {parameter.name for parameter in stage.parameters}
    return locals_in(expressions(part)) <= known | bound_names(part)


# ------------------------------------------------------------------ whose move it is


def _of_owner(clause: ir.Clause, stage: ir.Stage, program: ir.Program) -> Iterator[_Changed]:
    owner = clause.owner
    if clause.mode == "may":
        yield "mode", "must, not may", replace(clause, mode="must")
    elif clause.mode == "must" and (owner.player is not None or owner.variable is not None):
        yield "mode", "may, not must", replace(clause, mode="may")
    elif clause.mode == "must" and stage.priority is not None:
        yield "mode", "may, not must", replace(clause, mode="may", owner=ir.Owner(stage.priority))
    if owner.player is not None:
        for words, who in _other_players(owner.player, stage, program):
            yield "owner", f"a move of {words}", replace(clause, owner=replace(owner, player=who))
    if owner.variable is not None and owner.condition != ir.YES:
        yield (
            "owner",
            "a move of any player",
            replace(clause, owner=replace(owner, condition=ir.YES)),
        )


def _other_players(
    who: ir.Expr, stage: ir.Stage, program: ir.Program
) -> Iterator[tuple[str, ir.Expr]]:
    """Yield players who could be meant instead of *who*, each in words."""
    candidates = players_at_hand(stage)
    if not isinstance(who, ir.With | ir.Without | ir.Everyone | ir.NoPlayers):
        candidates.append(ir.Neighbour(who, 1))
    for candidate in candidates:
        if candidate != who:
            yield expression_words(program, candidate), candidate


def _causes(program: ir.Program) -> list[tuple[ir.Branch, str]]:
    """Return what cards may cause somewhere in *program* and could cause anywhere: the first that
    needs no name of its clause.
    """
    for _, clause in program.clauses:
        for node in statements(clause.body):
            if isinstance(node, ir.Branch) and node.by == "cards" and _stands_alone(node):
                return [(node, next((title for title, _ in node.options if title), "as elsewhere"))]
    return []


def _stands_alone(statement: ir.Statement) -> bool:
    """Return whether *statement* asks for no name of its clause, and the clause goes on after
    it.
    """
    inside = list(statements((statement,)))
    return not locals_in(expressions_in((statement,))) and not any(
        isinstance(one, ir.Go | ir.GameOver) for one in inside
    )
