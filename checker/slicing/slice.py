"""Slices: what of a position a search keeps, and what a question can see of a Program.

`needs` finds out which slice a search can do with. `layout` gives no bits to what is dropped, and
`specialise` leaves out of a clause what only changes dropped things. If anything still asked for a
dropped thing, the text would say `DROPPED` there, and `emit` makes sure that no text does.

Relevant parts: what a question can see of a Program. The rest is left out before anything is
encoded.

In comes a Program and a formula. Out goes the Program without its unused parts (who chooses, values
that are named and not used), and the names of the variables, attributes and ends of zones that are
used.

No scope is known here. `needs` asks more closely: within a scope, zone by zone and in what is left
of each clause. For the claims of the five games it keeps the same variables, but for 92 of 247
fewer attributes of items. With it proofs would be about other cells, so the two stay two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import without_chooser
from ...models.ir.parts import (
    asked_by,
    expressions,
    expressions_of,
    locals_in,
    of_statements,
    statements,
    things_named,
)
from ...models.words import join_words
from ...properties.formula import Formula, expressions_in


@frozen
class Relevant:
    """A *program* without what cannot be seen, and what has to be remembered.

    *tops* are the attributes asked of the item next to leave a zone, *spoken_of* those that the
    formula itself asks for. *constant* are the variables that never change.
    """

    program: ir.Program
    variables: frozenset[str]
    attributes: frozenset[str]
    spoken_of: frozenset[str]
    tops: frozenset[tuple[str, str]]
    constant: frozenset[str]


Trimmed: TypeAlias = tuple[ir.Program, tuple[ir.Assign, ...], tuple[ir.Expr, ...]]
"""A program without what decides nothing, its assignments, and all that its rules ask for but in
these.
"""
_KEPT = 4
_LAST: dict[int, tuple[ir.Program, Trimmed]] = {}
"""The programs that were trimmed last, by their identity: to compare two takes as long as to trim
one.
"""


def relevant(program: ir.Program, formula: Formula) -> Relevant:
    """Return what *formula* can see of *program*."""
    trimmed, assigned, asking = trim(program)
    spoken_of = list(expressions_in(formula))
    asked = [*asking, *spoken_of]
    variables = {
        ir.ACTIVE,
        *(sequence.variable for sequence in program.sequences),
        *_variables(asked),
    }
    while more := [
        a
        for a in assigned
        if a.variable in variables and not _variables(expressions(*asked_by(a))) <= variables
    ]:
        for assign in more:
            variables |= _variables(expressions(*asked_by(assign)))
    values = [
        expr
        for assign in assigned
        if assign.variable in variables
        for expr in expressions(*asked_by(assign))
    ]
    attributes = [expr for expr in (*asked, *values) if isinstance(expr, ir.AttributeOf)]
    changing = {assign.variable for assign in assigned} | {
        ir.ACTIVE,
        *(sequence.variable for sequence in program.sequences),
    }
    return Relevant(
        trimmed,
        frozenset(variables),
        frozenset(node.name for node in attributes),
        frozenset(expr.name for expr in spoken_of if isinstance(expr, ir.AttributeOf)),
        frozenset(
            (node.item.zone, node.name) for node in attributes if isinstance(node.item, ir.EndOf)
        ),
        frozenset(
            v.name
            for v in program.variables
            if v.name not in changing and not isinstance(v.type, ir.PlayerType)
        ),
    )


def trim(program: ir.Program) -> Trimmed:
    """Return what all questions about *program* have in common; that of the last few programs is
    remembered.
    """
    if id(program) not in _LAST:
        stages = tuple(
            replace(stage, clauses=tuple(_trimmed(clause) for clause in stage.clauses))
            for stage in program.stages
        )
        trimmed = replace(program, stages=stages)
        assigned = tuple(
            assign
            for _, clause in trimmed.clauses
            for assign in statements(clause.body)
            if isinstance(assign, ir.Assign)
        )
        asked = (*_asking(stages), *expressions(*program.start.arguments))
        while len(_LAST) >= _KEPT:
            _LAST.pop(next(iter(_LAST)))
        _LAST[id(program)] = program, (trimmed, assigned, asked)
    return _LAST[id(program)][1]


def _trimmed(clause: ir.Clause) -> ir.Clause:
    """Return *clause* without what decides nothing: whose choice something is, and named values
    that are not used.
    """
    clause = ir.rewrite(clause, of_statements(without_chooser))
    while True:
        used = locals_in(expressions_of(clause))

        def shortened(
            statement: ir.Statement, used: frozenset[str] = used
        ) -> ir.Statement | ir.Block:
            return (
                ()
                if isinstance(statement, ir.Let) and statement.variable not in used
                else statement
            )

        shorter = ir.rewrite(clause, of_statements(shortened))
        if shorter == clause:
            return clause
        clause = shorter


def _asking(stages: tuple[ir.Stage, ...]) -> Iterator[ir.Expr]:
    """Yield every expression in *stages* but those of assignments."""
    for stage in stages:
        yield from expressions(stage.priority)
        for clause in stage.clauses:
            yield from expressions(clause.owner.player, clause.owner.condition, clause.guard)
            for statement in statements(clause.body):
                if not isinstance(statement, ir.Assign):
                    yield from expressions(*asked_by(statement))


def _variables(exprs: Iterable[ir.Expr]) -> set[str]:
    return {*things_named("variable", exprs)}


DROPPED = "DROPPED"
"""What stands in a text where something dropped is asked for."""
ANYWHERE = ""
"""In the place of a zone's name: all zones together."""

PartRange: TypeAlias = tuple[str, str, int, int]
"""A zone, or `ANYWHERE`; a part of its items; the lowest and the highest code that part ever has
there.
"""


@frozen
class Slice:
    """What is kept: *variables*, *parameters* (each with its stage), *parts* of items (each with
    its zone), and *owners* of clauses.

    *fixed* are the variables that never change, with their codes; they take no bits. *kinds* has
    for each kind the one that stands for it: nothing tells kinds apart that have the same. *ranges*
    are narrower than the types of the parts say. *follows* says whether spotlights follow items, so
    that even items with the same parts are told apart.
    """

    variables: frozenset[str]
    parameters: frozenset[tuple[str, str]]
    parts: frozenset[tuple[str, str]]
    owners: frozenset[str]
    kinds: tuple[tuple[str, str], ...]
    fixed: tuple[tuple[str, int], ...] = ()
    ranges: tuple[PartRange, ...] = ()
    follows: bool = True
    is_whole: bool = False


def whole(program: ir.Program) -> Slice:
    """Return the slice that keeps everything."""
    names = [ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)]
    return Slice(
        variables=frozenset(variable.name for variable in program.variables),
        parameters=frozenset(
            (stage.name, parameter.name)
            for stage in program.stages
            for parameter in stage.parameters
        ),
        parts=frozenset((zone.name, name) for zone in program.zones for name in names),
        owners=frozenset(clause.id for _, clause in program.clauses),
        kinds=tuple((kind.name, kind.name) for kind in program.kinds),
        is_whole=True,
    )


def undropped(text: str) -> str:
    """Return *text*; raise ValueError if it asks for something that has been dropped."""
    if DROPPED in text:
        raise ValueError("a text asks for what has been dropped: its slice is too small")
    return text


def left_out_words(program: ir.Program, kept: Slice) -> tuple[str, ...]:
    """Return in words what *kept* leaves out of *program*, thing by thing, except what never
    changes.
    """
    fixed = {name for name, _ in kept.fixed}
    return (
        *(
            variable.name
            for variable in program.variables
            if variable.name not in kept.variables | fixed
        ),
        *_items_said(program, kept),
        *_parameters_said(program, kept),
        *_kinds_said(kept),
    )


def _items_said(program: ir.Program, kept: Slice) -> Iterator[str]:
    """Yield each part of items with the zones on which it is not used; the kind is no news where
    there is only one.
    """
    known = {(zone, part) for zone, part, low, high in kept.ranges if low == high}
    names = [ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)]
    for name in names:
        zones = [
            zone.name
            for zone in program.zones
            if (zone.name, name) not in kept.parts | known and (ANYWHERE, name) not in known
        ]
        if zones and not (name == ir.KIND and len(program.kinds) < 2):
            yield f"the {name} of items on {' and '.join(zones)}"


def _parameters_said(program: ir.Program, kept: Slice) -> Iterator[str]:
    for stage in program.stages:
        for parameter in stage.parameters:
            if (stage.name, parameter.name) not in kept.parameters:
                yield f"the {parameter.name} of {stage.name}"


def _kinds_said(kept: Slice) -> Iterator[str]:
    """Yield the kinds that are not told apart, where the kind of items is kept at all."""
    if not any(part == ir.KIND for _, part in kept.parts):
        return
    classes: dict[str, list[str]] = {}
    for kind, stands in kept.kinds:
        classes.setdefault(stands, []).append(kind)
    for same in classes.values():
        if len(same) > 1:
            yield f"the difference between {join_words(same)}"
