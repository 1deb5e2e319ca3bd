"""Switches: the options that can be switched on a page, and in which readings each question is
asked, as plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...models import ir
from ...models.ir.parts import expressions
from ...models.options.cases import Case, CaseValue, boxes, cases_of, number_of_cases, values_of
from ...models.options.configure import simplified

_MOST_CASES = 4096
"""What compares options that can be more ways is asked in no reading."""


@dataclass(frozen=True)
class SwitchedQuestion:
    """A question: its *name* and *title*, the number of the *row* that answers it in the page's
    reading, if any, and *when* it is asked.
    """

    name: str
    title: str
    row: int | None
    when: ir.Expr = ir.YES


@dataclass(frozen=True)
class Switched:
    """A *program* with variables in the place of *options*, and the *questions* about it."""

    program: ir.Program
    options: Sequence[ir.Option] = ()
    questions: Sequence[SwitchedQuestion] = ()


def questions_table(switched: Switched) -> list[dict[str, Any]]:
    """Return the questions of *switched*, each with the condition on options under which it is
    asked, as ``isMet`` of reading.js reads it.
    """
    return [
        {
            "name": one.name,
            "title": one.title,
            "row": one.row,
            "when": _switch_condition(one.when, switched),
        }
        for one in switched.questions
    ]


class _TooManyCasesError(Exception):
    """Options that are compared can be more ways than are looked at."""


def _switch_condition(when: ir.Expr, switched: Switched) -> Any:
    try:
        return _as_lists(when, switched)
    except _TooManyCasesError:
        return False


def _as_lists(when: ir.Expr, switched: Switched) -> Any:
    """Return *when* as nested lists: ``in``, the number of an option and those of its values;
    ``not``, ``all`` and ``any`` of others.
    """
    match when:
        case ir.Literal(value):
            return value
        case ir.Not(operand):
            return ["not", _as_lists(operand, switched)]
        case ir.All(parts):
            return ["all", *(_as_lists(part, switched) for part in parts)]
        case ir.Any(parts):
            return ["any", *(_as_lists(part, switched) for part in parts)]
    names = {part.name for part in expressions(when) if isinstance(part, ir.OptionValue)}
    numbers = [number for number, option in enumerate(switched.options) if option.name in names]
    options = [switched.options[number] for number in numbers]
    if number_of_cases(options) > _MOST_CASES:
        raise _TooManyCasesError
    met = [
        case
        for case in cases_of(options)
        if simplified(_settled(switched.program, options, case), when) == ir.YES
    ]
    return ["any", *(["all", *map(_one_of, numbers, options, box)] for box in boxes(met))]


def _settled(program: ir.Program, options: Sequence[ir.Option], case: Case) -> ir.Program:
    return replace(
        program,
        settings=tuple((option.name, value) for option, value in zip(options, case, strict=True)),
    )


def _one_of(number: int, option: ir.Option, values: Sequence[CaseValue]) -> list[Any]:
    return ["in", number, [values_of(option).index(value) for value in values]]
