"""Rulings for a page: a question in words is answered as `stacklaw ask` answers it, by the same
code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask
from ...checker.types.budget import BudgetSpentError, Meter
from ...checker.types.trace import Trace
from ...models import ir
from ...models.cleaning import cleaned
from ...models.diagnostics import InputError
from ...models.load import opened
from ...models.shipped import game_source
from ...reports.json import fields_of
from ...reports.page.rows import position_key
from ...reports.rulings.told import tell_ruling
from ...reports.states import states_of, ways_of
from ..asking.ask import Asked
from ..asking.reading import read_target

_SECONDS = 20.0


def ruling_of(text: str, target: str, asked: Asked) -> dict[str, Any]:
    """Return the ruling on *text* in the ruleset *target*, within what is *asked* of it, as a page
    shows it, or why there is none.

    Others wait for it, so it has some seconds where nobody has said how many.
    """
    budget = replace(asked.budget, seconds=asked.budget.seconds or _SECONDS)
    try:
        program, _, _ = read_target(target, asked.settings, (), (), with_claims=True)
        with Meter(budget).watching():
            ruling = ask(program, text, asked.scope(program), opened(game_source(target)))
        return ruling_answers(ruling)
    except BudgetSpentError as spent:
        return {"refused": f"There is no answer yet: {spent}."}
    except InputError as error:
        first = error.diagnostics[0]
        return {"refused": f"{first.message}{f' ({first.hint})' if first.hint else ''}"}


def ruling_answers(ruling: Ruling) -> dict[str, Any]:
    """Return *ruling* as plain data, each answer with what the scripts find its play by; texts are
    fit to be shown.
    """
    told = tell_ruling(ruling)
    keys = [list(_keys(ruling.program, answer.line.trace)) for answer in ruling.answers]
    answers = [{**fields_of(one), "keys": its} for one, its in zip(told.answers, keys, strict=True)]
    whole: dict[str, Any] = cleaned(
        {"players": told.players, "scope": told.scope, "answers": answers}
    )
    return whole


def _keys(program: ir.Program, trace: Trace) -> Iterator[tuple[str, str, str]]:
    """Yield what the start of *trace* and each move of it are found by, as rows of the page have
    it.
    """
    clauses, ways = ["", *(step.move.clause for step in trace.steps)], ["", *ways_of(trace)]
    for clause, way, position, state in zip(
        clauses, ways, trace.positions, states_of(program, trace), strict=True
    ):
        yield clause, way, position_key(position.stage, state)
