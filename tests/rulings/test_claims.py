"""What an answer says of all plays is what `check` says of the formula that it stands for; its play is one of the game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.rulings.answer import Ruling, RulingAnswer
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.rulings.claims import claims_for, property_of
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load_game
from stacklaw.properties.formula import Property
from tests.rulings.questions import GAMES, asked_of

LEAST = {"mtg": 25, "fftcg": 25, "zx": 30, "fow": 25, "stack": 25}
"""So many answers stand for a formula at least."""


def _answers(game: str) -> Iterator[tuple[Ruling, RulingAnswer]]:
    for question, reading, players in asked_of(game):
        program = load_game(game, dict(reading))
        try:
            ruling = ask(program, question, make_scope(program, players))
        except InputError:
            continue
        yield from ((ruling, answer) for answer in ruling.answers)


@pytest.mark.parametrize("game", GAMES)
def test_answers_agree_with_check(game: str) -> None:
    """Each by the claim that says all of its situation."""
    asked: dict[tuple[tuple[tuple[str, str | int], ...], Scope], tuple[ir.Program, list[Property], list[str]]] = {}
    for ruling, answer in _answers(game):
        for claim in claims_for(ruling, answer)[-1:]:
            program, properties, words = asked.setdefault((ruling.program.settings, ruling.scope), (ruling.program, [], []))
            found = property_of(ruling.program, claim)
            assert found is not None, claim.text
            properties.append(found)
            words.append(claim.word)
    assert sum(len(words) for _, _, words in asked.values()) >= LEAST[game]
    for (_, scope), (program, properties, words) in asked.items():
        verdicts = check(program, properties, scope, engine=engine_named("explicit"))
        wrong = [(v.property.title, v.outcome) for v, word in zip(verdicts, words, strict=True) if v.outcome.name != word.upper()]
        assert not wrong


@pytest.mark.parametrize("game", GAMES)
def test_each_answers_play_is_one_of_the_game(game: str) -> None:
    for ruling, answer in _answers(game):
        interpreter = Interpreter(ruling.program, ruling.scope)
        position = interpreter.initial()
        assert answer.line.initial == position
        for step in answer.line.steps:
            assert (step.move, step.position) in interpreter.allowed(position), (ruling.text, step.move)
            position = step.position
