"""Switching: a ruleset whose options can be switched where it is shown, with what is asked of it in
each reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...models import ir
from ...models.binding.typed import negated
from ...models.load import load_game, opened
from ...models.options.as_variables import (
    asking_seats,
    asking_variables,
    can_be_variables,
    can_seats_be_variable,
    with_seats,
    with_variables,
)
from ...models.shipped import game_source
from ...properties.formula import Property, Question
from ...properties.load import property_named
from ...reports.page.switches import Switched, SwitchedQuestion
from .questions import questions_of


def switched(
    target: str, settings: Mapping[str, str], program: ir.Program, questions: Sequence[Question]
) -> list[tuple[Switched, list[Property]]]:
    """Return *program*, the reading of *target* under *settings*, with its options to be switched,
    if it has any, and then without.

    With each come the properties of its questions. The *questions* of that reading are rows of its
    record, in their order. Where some reading has clauses that are still to be written no option
    can be switched. The number of players can, where the rules leave it open.
    """
    rows = tuple(
        SwitchedQuestion(question.name, question.title, number)
        for number, (question, _, _) in enumerate(questions)
    )
    alone = Switched(program, (), rows), [question for question, _, _ in questions]
    options = can_be_variables(opened(game_source(target)))
    left_open = load_game(target, settings, [option.name for option in options])
    whole = (
        [_left_open(left_open, options, program, questions), alone]
        if options and not left_open.unfinished
        else [alone]
    )
    return list(map(_of_any_number, whole))


def _of_any_number(game: tuple[Switched, list[Property]]) -> tuple[Switched, list[Property]]:
    switched, questions = game
    if not can_seats_be_variable(switched.program):
        return game
    return replace(switched, program=with_seats(switched.program)), list(
        map(asking_seats, questions)
    )


def _left_open(
    left_open: ir.Program,
    options: Sequence[ir.Option],
    program: ir.Program,
    questions: Sequence[Question],
) -> tuple[Switched, list[Property]]:
    rows = _AskedRows(questions)
    whole = questions_of(left_open, ())
    asked = [
        (question, rows.number_of(question, claim), claim.condition if claim else ir.YES)
        for question, claim, _ in whole
    ]
    asked += [
        (question, rows.number_of(question, None), when) for question, when in _unclaimed(left_open)
    ]
    each = tuple(
        SwitchedQuestion(question.name, question.title, row, when) for question, row, when in asked
    )
    names = [option.name for option in options]
    properties = [asking_variables(question, names) for question, _, _ in asked]
    return Switched(with_variables(left_open, dict(program.settings)), options, each), properties


class _AskedRows:
    """The numbers of *questions*, by the claims that are made of them, and by what they ask."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.of_claims = {
            (question.name, _claim_line(claim)): number
            for number, (question, claim, _) in enumerate(questions)
        }
        self.of_formulas = {
            _asks(question): number for number, (question, _, _) in enumerate(questions)
        }

    def number_of(self, question: Property, claim: ir.Claim | None) -> int | None:
        """Return the number of *question*, or of one that asks the same in another claim; None if
        there is none.
        """
        return self.of_claims.get(
            (question.name, _claim_line(claim)), self.of_formulas.get(_asks(question))
        )


def _claim_line(claim: ir.Claim | None) -> int:
    return claim.span.line if claim else 0


def _asks(question: Property) -> Property:
    """Return *question* without what its author says of it."""
    return replace(question, title="", why="", lemmas=(), needs=())


def _unclaimed(program: ir.Program) -> list[tuple[Property, ir.Expr]]:
    """Return the properties of the catalogue that are claimed in some readings only, each with the
    condition that nobody claims it.
    """
    conditions: dict[str, list[ir.Expr]] = {}
    for claim in program.claims:
        if claim.formula is None:
            conditions.setdefault(claim.name, []).append(claim.condition)
    return [
        (property_named(program, name), ir.All(tuple(negated(one) for one in its)))
        for name, its in conditions.items()
        if ir.YES not in its
    ]
