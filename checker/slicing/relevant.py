"""What a question can see of a Program: the rest is left out before anything is encoded.

In comes a Program and a formula, out goes the Program without what nobody asks for (who chooses, values that are
named and not used), and the names of the variables, attributes and ends of zones that somebody does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...models import ir
from ...properties.formula import Formula


@dataclass(frozen=True)
class Relevant:
    """A *program* without what cannot be seen, and what has to be remembered.

    *tops* are the attributes asked of the item next to leave a zone, *spoken_of* those that the formula itself asks for.
    *constant* are the variables that never change.
    """

    program: ir.Program
    variables: frozenset[str]
    attributes: frozenset[str]
    spoken_of: frozenset[str]
    tops: frozenset[tuple[str, str]]
    constant: frozenset[str]


def relevant(program: ir.Program, formula: Formula) -> Relevant:
    """Return what *formula* can see of *program*."""
    stages = tuple(replace(stage, clauses=tuple(_trimmed(clause) for clause in stage.clauses)) for stage in program.stages)
    trimmed = replace(program, stages=stages)
    assigned = [node for node in ir.walk(stages) if isinstance(node, ir.Assign)]
    asked = [*_asking(stages), *ir.walk(program.start), *ir.walk(formula)]
    variables = {ir.ACTIVE, *(sequence.variable for sequence in program.sequences), *_variables(asked)}
    while more := [a for a in assigned if a.variable in variables and not _variables(ir.walk((a.value, a.player))) <= variables]:
        for assign in more:
            variables |= _variables(ir.walk((assign.value, assign.player)))
    values = [(a.value, a.player) for a in assigned if a.variable in variables]
    attributes = [node for node in (*asked, *ir.walk(tuple(values))) if isinstance(node, ir.AttributeOf)]
    changing = {assign.variable for assign in assigned} | {ir.ACTIVE, *(sequence.variable for sequence in program.sequences)}
    return Relevant(
        trimmed,
        frozenset(variables),
        frozenset(node.name for node in attributes),
        frozenset(node.name for node in ir.walk(formula) if isinstance(node, ir.AttributeOf)),
        frozenset((node.item.zone, node.name) for node in attributes if isinstance(node.item, ir.EndOf)),
        frozenset(v.name for v in program.variables if v.name not in changing and not isinstance(v.type, ir.PlayerType)),
    )


def _trimmed(clause: ir.Clause) -> ir.Clause:
    """Return *clause* without what decides nothing: whose choice something is, and named values that are not used."""

    def choosers(node: object) -> object:
        return replace(node, by=None) if isinstance(node, ir.Choose | ir.Branch) and node.by is not None else node

    clause = ir.rewrite(clause, choosers)
    while True:
        used = {node.name for node in ir.walk(clause) if isinstance(node, ir.Local)}

        def named(node: object, used: set[str] = used) -> object:
            return () if isinstance(node, ir.Let) and node.variable not in used else node

        shorter = ir.rewrite(clause, named)
        if shorter == clause:
            return clause
        clause = shorter


def _asking(node: object) -> Iterator[object]:
    """Yield every node below *node* but the values of assignments."""
    if isinstance(node, tuple):
        for part in node:
            yield from _asking(part)
    elif isinstance(node, ir.Assign):
        return
    else:
        yield node
        yield from _asking(ir.children(node))


def _variables(nodes: object) -> set[str]:
    assert isinstance(nodes, list | Iterator)
    return {node.name for node in nodes if isinstance(node, ir.Variable | ir.Entry)}
