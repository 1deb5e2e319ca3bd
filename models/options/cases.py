"""Cases: what options that are left open can be; readings; options as variables.

A case has a value for each of the options, in their order. A box has some values for each, and
stands for all cases that have one of these. Boxes are found by taking values together behind which
the same cases follow.

Options as variables: one text for all values of some options, which stand in the position and
which no clause changes.

The number of players can be such a variable too (`ir.SEATS`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby, product
from math import prod
from typing import TypeAlias, TypeVar

from .. import ir
from ..words import join_words

MOST_VALUES = 16
"""An option of more values is no variable."""

T = TypeVar("T")


def can_be_variables(program: ir.Program) -> list[ir.Option]:
    """Return the options of *program*, all of which are open, that only moves ask: no declaration
    and no start depends on them.
    """
    parameters = tuple(stage.parameters for stage in program.stages)
    steps = program.sequences
    asked = asked_options(
        (program.variables, program.attributes, (program.start,), parameters, steps)
    )
    return [
        option
        for option in program.options
        if option.name not in asked and number_of_cases([option]) <= MOST_VALUES
    ]


def asked_options(parts: tuple[object, ...]) -> frozenset[str]:
    """Return the options that *parts* of a Program ask."""
    return frozenset(node.name for node in ir.walk(parts) if isinstance(node, ir.OptionValue))


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


MOST_NUMBERS = 16
"""An option that is a number is looked at with each of this many values; of one with more, with the
least and the greatest.
"""


def other_readings(
    program: ir.Program, fixed: Collection[str] = (), at_once: int = 1
) -> Iterator[Mapping[str, str]]:
    """Yield the settings that differ from *program*'s in one option, then those that do in two, up
    to *at_once*.

    Options that are *fixed* are left as they are.
    """
    now = dict(program.settings)
    singles = [
        (option.name, value)
        for option in program.options
        if option.name not in fixed
        for value in _option_values(option)
        if value != str(now[option.name])
    ]
    for number in range(1, at_once + 1):
        for chosen in combinations(singles, number):
            if len(dict(chosen)) == number:
                yield dict(chosen)


def _option_values(option: ir.Option) -> list[str]:
    values = [str(value) for value in values_of(option)]
    is_long = option.numbers is not None and len(values) > MOST_NUMBERS
    return [values[0], values[-1]] if is_long else values


CaseValue: TypeAlias = str | int
Case: TypeAlias = tuple[CaseValue, ...]
CaseBox: TypeAlias = tuple[tuple[CaseValue, ...], ...]


def cases_of(options: Sequence[ir.Option]) -> list[Case]:
    """Return every case of *options*, in the order of the ruleset."""
    return list(product(*(values_of(option) for option in options)))


def number_of_cases(options: Sequence[ir.Option]) -> int:
    """Return how many cases *options* have, which may be more than can be made."""
    return prod(len(values_of(option)) for option in options)


def values_of(option: ir.Option) -> list[CaseValue]:
    """Return what *option* can be, in the order of the ruleset."""
    if option.numbers is None:
        return [name for name, _ in option.values]
    low, high = option.numbers
    return list(range(low, high + 1))


def boxes(cases: Iterable[Case]) -> list[CaseBox]:
    """Return boxes that have no case in common and together are *cases*, whose order they keep."""
    tails: dict[CaseValue, list[Case]] = {}
    for case in cases:
        if not case:
            return [()]
        tails.setdefault(case[0], []).append(case[1:])
    alike: dict[frozenset[Case], list[CaseValue]] = {}
    for value, rest in tails.items():
        alike.setdefault(frozenset(rest), []).append(value)
    return [(tuple(values), *box) for values in alike.values() for box in boxes(tails[values[0]])]


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending *numbers* as ranges, the first and the last of each."""
    groups = groupby(enumerate(numbers), key=lambda placed: placed[1] - placed[0])
    found = [[number for _, number in group] for _, group in groups]
    return [(run[0], run[-1]) for run in found]


# ------------------------------------------------------------------ in words


def in_words(options: Sequence[ir.Option], cases: Iterable[Case]) -> str:
    """Return the condition that just *cases* of *options* meet, in words: ``cards is at least 3 and
    leaving is no``; empty if all do.
    """
    said = [_box_in_words(options, box) for box in boxes(cases)]
    return "" if "" in said else ", or ".join(said)


def _box_in_words(options: Sequence[ir.Option], box: CaseBox) -> str:
    parts = [
        f"{option.name} is {join_words(_values_in_words(option, values), 'or')}"
        for option, values in zip(options, box, strict=True)
        if set(values) != set(values_of(option))
    ]
    return " and ".join(parts)


def _values_in_words(option: ir.Option, values: Sequence[CaseValue]) -> list[str]:
    if option.numbers is None:
        others = [value for value in values_of(option) if value not in values]
        return (
            [f"not {others[0]}"]
            if len(others) == 1 and len(values) > 1
            else [str(value) for value in values]
        )
    low, high = option.numbers
    said = []
    for first, last in runs(sorted(number for number in values if isinstance(number, int))):
        if first == last:
            said.append(str(first))
        elif first == low:
            said.append(f"at most {last}")
        elif last == high:
            said.append(f"at least {first}")
        else:
            said += [str(first), str(last)] if last == first + 1 else [f"{first} to {last}"]
    return said
