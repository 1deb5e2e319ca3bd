"""Readings: the games that a ruleset's options make of it, as settings that differ from those it
has in one option, or in two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from .. import ir

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
    if option.numbers is None:
        return [name for name, _ in option.values]
    low, high = option.numbers
    return [
        str(number)
        for number in (range(low, high + 1) if high - low < MOST_NUMBERS else (low, high))
    ]
