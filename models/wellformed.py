"""The invariants of a Program, each a named check.

`load` runs them on every Program it makes, and the tests on every Program they generate: engines may
rely on each of them. One that fails is our mistake, not the designer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import ir
from .ir.analysis import ends, up_to_end


class MalformedProgram(AssertionError):  # noqa: N818 - says what it is about, not that it is an error
    """A pass made a Program that breaks an invariant."""


def check_wellformed(program: ir.Program) -> None:
    """Raise `MalformedProgram` with every broken invariant of *program*, if there is one."""
    problems = [f"{check.__name__}: {problem}" for check in CHECKS for problem in check(program)]
    if problems:
        raise MalformedProgram("; ".join(problems))


def options_are_fixed(program: ir.Program) -> Iterator[str]:
    """Have settings of options only, and ask for none that has one."""
    settled = {name for name, _ in program.settings}
    if not settled <= {option.name for option in program.options}:
        yield "the settings are not those of the options"
    asked = (node.name for node in ir.walk((program.stages, program.when)) if isinstance(node, ir.OptionValue))
    yield from (f"{name} is open" for name in asked if name in settled)


def clause_ids_are_unique(program: ir.Program) -> Iterator[str]:
    """Give every clause an id of its own."""
    seen: set[str] = set()
    for _, clause in program.clauses:
        if clause.id in seen:
            yield f"{clause.id} twice"
        seen.add(clause.id)


def ways_end(program: ir.Program) -> Iterator[str]:
    """End every way through a clause with `Go` or `GameOver`, and nothing behind it."""
    for _, clause in program.clauses:
        blocks = [clause.body, *(block for node in ir.walk(clause.body) for block in _blocks(node))]
        if not ends(clause.body) or any(up_to_end(block) != block for block in blocks):
            yield f"{clause.id} has a way that does not end"


def _blocks(node: object) -> Iterator[ir.Block]:
    match node:
        case ir.If(_, then, otherwise):
            yield from (then, otherwise)
        case ir.Branch(options, _):
            yield from (block for _, block in options)


def goes_fit_their_stages(program: ir.Program) -> Iterator[str]:
    """Let every `Go` name a stage of the Program, with a value for each parameter."""
    parameters = {stage.name: len(stage.parameters) for stage in program.stages}
    goes = [program.start, *(node for node in ir.walk(program.stages) if isinstance(node, ir.Go))]
    for go in goes:
        if parameters.get(go.stage) != len(go.arguments):
            yield f"go {go.stage} with {len(go.arguments)} arguments"


def names_are_declared(program: ir.Program) -> Iterator[str]:
    """Declare every variable, zone, kind, attribute and sequence that the rules use."""
    variables = {variable.name: variable for variable in program.variables}
    zones = {zone.name for zone in program.zones}
    kinds = {kind.name for kind in program.kinds}
    attributes = {ir.KIND, ir.CONTROLLER, *(attribute.name for attribute in program.attributes)}
    sequences = {sequence.name for sequence in program.sequences}
    for node in ir.walk(program.stages):
        match node:
            case ir.Variable(name) if name not in variables or variables[name].each_player:
                yield f"variable {name}"
            case ir.Entry(name, _) if name not in variables or not variables[name].each_player:
                yield f"entry {name}"
            case ir.Assign(name, player, _) if name not in variables or variables[name].each_player != (player is not None):
                yield f"assignment to {name}"
            case ir.IsEmpty(zone) | ir.Size(zone) | ir.EndOf(zone) | ir.ItemsOn(zone) | ir.Move(_, zone) if zone not in zones:
                yield f"zone {zone}"
            case ir.Put(kind, _, values, zone) if kind not in kinds or zone not in zones or len(values) != len(program.attributes):
                yield f"put {kind} on {zone}"
            case ir.AttributeOf(_, name) if name not in attributes:
                yield f"attribute {name}"
            case ir.Advance(name) | ir.StepTo(name, _) if name not in sequences:
                yield f"sequence {name}"
            case _:
                pass


def ends_are_of_ordered_zones(program: ir.Program) -> Iterator[str]:
    """Take the end of ordered zones only."""
    unordered = {zone.name for zone in program.zones if zone.order == "unordered"}
    yield from (f"end of {node.zone}" for node in ir.walk(program.stages) if isinstance(node, ir.EndOf) and node.zone in unordered)


def locals_are_bound(program: ir.Program) -> Iterator[str]:
    """Have a parameter, an owner, a `Let`, a `Choose` or an `Exists` bind every `Local` before it is used."""
    for stage in program.stages:
        parameters = frozenset(parameter.name for parameter in stage.parameters)
        for clause in stage.clauses:
            owner = clause.owner
            bound = parameters | ({owner.variable} if owner.variable else frozenset())
            yield from (f"{name} in {clause.id}" for part in (owner.condition, clause.guard) for name in _free(part, bound))
            yield from (f"{name} in {clause.id}" for name in _free_in_block(clause.body, bound))


def _free_in_block(block: ir.Block, bound: frozenset[str]) -> Iterator[str]:
    for statement in block:
        match statement:
            case ir.Let(variable, value):
                yield from _free(value, bound)
                bound |= {variable}
            case ir.Choose(variable, domain, condition, nearest, by):
                yield from _free(domain, bound)
                bound |= {variable}
                yield from _free((condition, nearest, by), bound)
            case ir.If(condition, then, otherwise):
                yield from _free(condition, bound)
                yield from _free_in_block(then, bound)
                yield from _free_in_block(otherwise, bound)
            case ir.Branch(options, by):
                yield from _free(by, bound)
                for _, body in options:
                    yield from _free_in_block(body, bound)
            case _:
                yield from _free(statement, bound)


def _free(node: object, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case ir.Local(name):
            if name not in bound:
                yield name
        case ir.Exists(variable, domain, body):
            yield from _free(domain, bound)
            yield from _free(body, bound | {variable})
        case tuple():
            for part in node:
                yield from _free(part, bound)
        case _:
            for part in ir.children(node):
                yield from _free(part, bound)


CHECKS: tuple[Callable[[ir.Program], Iterator[str]], ...] = (
    options_are_fixed,
    clause_ids_are_unique,
    ways_end,
    goes_fit_their_stages,
    names_are_declared,
    ends_are_of_ordered_zones,
    locals_are_bound,
)
