"""Options as variables: one text for all values of some options, which stand in the position and
which no clause changes.

The number of players can be such a variable too (`ir.SEATS`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from .. import ir
from .cases import number_of_cases

MOST_VALUES = 16
"""An option of more values is no variable."""

T = TypeVar("T")


def can_be_variables(program: ir.Program) -> list[ir.Option]:
    """Return the options of *program*, all of which are open, that only moves ask: no declaration
    and no start depends on them.
    """
    parameters = tuple(stage.parameters for stage in program.stages)
    steps = program.sequences
    declared = program.variables, program.attributes, (program.start,), parameters, steps
    asked = {node.name for node in ir.walk(declared) if isinstance(node, ir.OptionValue)}
    return [
        option
        for option in program.options
        if option.name not in asked and number_of_cases([option]) <= MOST_VALUES
    ]


def can_seats_be_variable(program: ir.Program) -> bool:
    """Whether *program* is for several numbers of players, and only moves and sets at first ask how
    many: no number is larger for more.
    """
    low, high = program.players
    parameters = tuple(stage.parameters for stage in program.stages)
    declared = ir.walk((program.variables, program.attributes, parameters))
    return low != high and not any(isinstance(node, ir.PlayerNumber) for node in declared)


def has_seats(program: ir.Program) -> bool:
    """Whether *program* has a variable that holds the number of players."""
    return any(variable.name == ir.SEATS for variable in program.variables)


def with_seats(program: ir.Program) -> ir.Program:
    """Return *program* with a variable that holds the number of players, which is at most that of
    the scope.
    """
    numbers = ir.NumberType(ir.Literal(program.players[0]), ir.PlayerNumber())
    declared = ir.VariableDeclaration(ir.SEATS, numbers, False, ir.PlayerNumber(), ir.SEATS, ())
    stages, start = asking_seats((program.stages, program.start))
    return replace(program, stages=stages, start=start, variables=(*program.variables, declared))


def asking_seats(node: T) -> T:
    """Return *node*, of a Program or a formula, with that variable in the place of the number of
    players.
    """
    return ir.rewrite(
        node, lambda part: ir.Variable(ir.SEATS) if isinstance(part, ir.PlayerNumber) else part
    )


def with_variables(program: ir.Program, values: Mapping[str, str | int]) -> ir.Program:
    """Return *program* with a variable in the place of each option that is open; at first it is
    what *values* say.
    """
    names = {option.name for option in program.open_options}
    declared = tuple(
        ir.VariableDeclaration(
            option.name, option.type, False, ir.Literal(values[option.name]), option.title, ()
        )
        for option in program.open_options
    )
    return replace(
        program,
        stages=asking_variables(program.stages, names),
        variables=(*program.variables, *declared),
    )


def asking_variables(node: T, names: Collection[str]) -> T:
    """Return *node*, of a Program or a formula, with variables in the places of the options
    *names*.
    """
    return ir.rewrite(
        node,
        lambda part: (
            ir.Variable(part.name)
            if isinstance(part, ir.OptionValue) and part.name in names
            else part
        ),
    )
