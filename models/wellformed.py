"""Wellformed: the invariants of a Program, each a named check.

`load` runs them on every Program it makes, and the tests on every Program they generate: engines
may rely on each of them. One that fails is our mistake, not the designer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

from . import ir
from .ir.analysis import effect_of, ends, move_together, up_to_end
from .ir.parts import (
    asked_by,
    blocks_of,
    expressions,
    expressions_of,
    named_by,
    of_domain,
    operands,
    statements,
)


class MalformedProgram(AssertionError):  # noqa: N818 - it says what it is about
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
    asked = (node.name for node in ir.walk(program.stages) if isinstance(node, ir.OptionValue))
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
        blocks = [
            clause.body,
            *(block for statement in statements(clause.body) for block in blocks_of(statement)),
        ]
        if not ends(clause.body) or any(up_to_end(block) != block for block in blocks):
            yield f"{clause.id} has a way that does not end"


def goes_fit_their_stages(program: ir.Program) -> Iterator[str]:
    """Let every `Go` name a stage of the Program, with a value for each parameter."""
    parameters = {stage.name: len(stage.parameters) for stage in program.stages}
    goes = [
        program.start,
        *(
            one
            for _, clause in program.clauses
            for one in statements(clause.body)
            if isinstance(one, ir.Go)
        ),
    ]
    for go in goes:
        if parameters.get(go.stage) != len(go.arguments):
            yield f"go {go.stage} with {len(go.arguments)} arguments"


def names_are_declared(program: ir.Program) -> Iterator[str]:
    """Declare every variable, zone, kind, attribute and sequence that the rules use."""
    declared = _Declared(program)
    for _, clause in program.clauses:
        for statement in statements(clause.body):
            yield from declared.lacks_for(statement)
    for expr in _expressions(program):
        yield from declared.lacks(expr)


class _Declared:
    """What a Program declares."""

    def __init__(self, program: ir.Program) -> None:
        self.variables = {variable.name: variable for variable in program.variables}
        self.zones = {zone.name for zone in program.zones}
        self.kinds = {kind.name for kind in program.kinds}
        self.attributes = {
            ir.KIND,
            ir.CONTROLLER,
            *(attribute.name for attribute in program.attributes),
        }
        self.values = len(program.attributes)
        self.sequences = {sequence.name for sequence in program.sequences}

    def lacks(self, expr: ir.Expr) -> Iterator[str]:
        """Yield the names that *expr* by itself uses and the Program does not declare."""
        match named_by(expr):
            case "variable", name:
                is_entry = isinstance(expr, ir.Entry)
                if name not in self.variables or self.variables[name].each_player != is_entry:
                    yield f"{'entry' if is_entry else 'variable'} {name}"
            case "attribute", name if name not in self.attributes:
                yield f"attribute {name}"
            case "zone", name if name not in self.zones:
                yield f"zone {name}"
            case _:
                pass  # locals and options have checks of their own

    def lacks_for(self, statement: ir.Statement) -> Iterator[str]:
        """Yield the names that *statement* by itself uses and the Program does not declare."""
        done = effect_of(statement)
        for zone in (done.among, done.joins):
            if zone is not None and zone not in self.zones:
                yield f"zone {zone}"
        if done.steps is not None and done.steps not in self.sequences:
            yield f"sequence {done.steps}"
        match statement:
            case ir.Assign(name, player, _):
                if name not in self.variables or self.variables[name].each_player != (
                    player is not None
                ):
                    yield f"assignment to {name}"
            case ir.Put(kind, _, values, zone):
                if kind not in self.kinds or len(values) != self.values:
                    yield f"put {kind} on {zone}"
            case ir.Alter(_, attribute):
                if attribute not in self.attributes - {ir.KIND, ir.CONTROLLER}:
                    yield f"attribute {attribute}"
            case (
                ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Plain() | ir.Advance()
                | ir.Require() | ir.Let() | ir.If() | ir.Choose() | ir.Branch() | ir.ForEach()
            ):  # fmt: skip
                pass  # these name nothing else that is declared
            case ir.Go() | ir.GameOver():
                pass  # where they go `goes_fit_their_stages` looks at
            case _:
                assert_never(statement)


def _expressions(program: ir.Program) -> Iterator[ir.Expr]:
    """Yield every expression of the rules."""
    for stage in program.stages:
        yield from expressions(stage.priority)
        for clause in stage.clauses:
            yield from expressions_of(clause)


def ends_are_of_ordered_zones(program: ir.Program) -> Iterator[str]:
    """Take the end of ordered zones only."""
    unordered = {zone.name for zone in program.zones if zone.order == "unordered"}
    ends_of = (expr.zone for expr in _expressions(program) if isinstance(expr, ir.EndOf))
    yield from (f"end of {zone}" for zone in ends_of if zone in unordered)


def locals_are_bound(program: ir.Program) -> Iterator[str]:
    """Have a parameter, an owner, a `Let`, a `Choose` or an `Exists` bind every `Local` before it
    is used.
    """
    for stage in program.stages:
        parameters = frozenset(parameter.name for parameter in stage.parameters)
        for clause in stage.clauses:
            owner = clause.owner
            bound = parameters | ({owner.variable} if owner.variable else frozenset())
            yield from (
                f"{name} in {clause.id}" for name in _free((owner.condition, clause.guard), bound)
            )
            yield from (f"{name} in {clause.id}" for name in _free_in_block(clause.body, bound))


def _free_in_block(block: ir.Block, bound: frozenset[str]) -> Iterator[str]:
    for statement in block:
        asked, named = asked_by(statement), effect_of(statement).names
        inside = bound if named is None else bound | {named}
        unnamed = (
            len(of_domain(statement.domain))
            if isinstance(statement, ir.Choose | ir.ForEach)
            else len(asked)
        )
        yield from _free(asked[:unnamed], bound)
        yield from _free(asked[unnamed:], inside)
        for below in blocks_of(statement):
            yield from _free_in_block(below, inside)
        if not isinstance(statement, ir.ForEach):
            bound = inside


def _free(exprs: Iterable[ir.Expr], bound: frozenset[str]) -> Iterator[str]:
    for expr in exprs:
        if isinstance(expr, ir.Local):
            if expr.name not in bound:
                yield expr.name
        elif isinstance(expr, ir.Exists):
            yield from _free(of_domain(expr.domain), bound)
            yield from _free((expr.body,), bound | {expr.variable})
        else:
            yield from _free(operands(expr), bound)


def each_is_done_one_thing(program: ir.Program) -> Iterator[str]:
    """Let a `ForEach` take its items away, to another zone that can have them at once, or change
    them or an entry of each player.
    """
    orders = {zone.name: zone.order for zone in program.zones}
    for _, clause in program.clauses:
        for statement in statements(clause.body):
            if isinstance(statement, ir.ForEach) and not _is_done_one_thing(statement, orders):
                yield f"for each {statement.variable} in {clause.id}"


def _is_done_one_thing(each: ir.ForEach, orders: Mapping[str, str]) -> bool:
    it = ir.Local(each.variable)
    for done in each.body:
        match done:
            case ir.Leave(item) | ir.Alter(item) if item == it and isinstance(
                each.domain, ir.ItemsOn
            ):
                pass
            case ir.Move(item, zone) if item == it and isinstance(each.domain, ir.ItemsOn):
                if not move_together(each.domain.zone, zone, orders):
                    return False
            case ir.Assign(_, player) if player == it and isinstance(each.domain, ir.PlayersIn):
                pass
            case _:
                return False
    return len(each.body) <= 1


CHECKS: tuple[Callable[[ir.Program], Iterator[str]], ...] = (
    options_are_fixed,
    clause_ids_are_unique,
    ways_end,
    goes_fit_their_stages,
    names_are_declared,
    ends_are_of_ordered_zones,
    locals_are_bound,
    each_is_done_one_thing,
)
