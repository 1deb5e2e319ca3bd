"""What an answer says of all plays is what `check` says of the formula that it stands for; its play
is one of the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import stacklaw
from stacklaw.checker.claims import LEVELS, property_of, stated_by
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.rulings.answer import Ruling, RulingAnswer
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load_game, rules_source
from stacklaw.properties.formula import Property

from .questions import DENIALS, GAMES, asked_of

LEAST = {
    "mtg": 80,
    "fftcg": 45,
    "zx": 36,
    "fow": 44,
    "stack": 42,
    "netrunner": 68,
    "riftbound": 60,
    "flesh": 54,
}
"""At least this many answers stand for a formula."""


def _answers(game: str) -> Iterator[tuple[Ruling, RulingAnswer]]:
    for question, reading, players in asked_of(game):
        program = load_game(game, dict(reading))
        try:
            ruling = ask(program, question, make_scope(program, players))
        except InputError:
            continue
        yield from ((ruling, answer) for answer in ruling.answers)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_answers_agree_with_check(game: str) -> None:
    """Each by the claim that says all of its situation."""
    asked: dict[
        tuple[tuple[tuple[str, str | int], ...], Scope],
        tuple[ir.Program, list[Property], list[tuple[str, RulingAnswer]]],
    ] = {}
    for ruling, answer in _answers(game):
        if answer.question.form == "who":  # asked of the play in which no player acts
            continue
        stated = stated_by(ruling, answer)
        if stated is None:
            continue
        claim = stated.claim(stated.up_to(LEVELS))
        program, properties, words = asked.setdefault(
            (ruling.program.settings, ruling.scope), (ruling.program, [], [])
        )
        found = property_of(ruling.program, claim)
        assert found is not None, claim.text
        properties.append(found)
        words.append((claim.word, answer))
    assert sum(len(words) for _, _, words in asked.values()) >= LEAST[game]
    for (_, scope), (program, properties, words) in asked.items():
        verdicts = check(program, properties, scope, engine=engine_named("explicit"))
        wrong = [
            (v.property.title, v.outcome)
            for v, (word, answer) in zip(verdicts, words, strict=True)
            if v.outcome.name != word.upper()
            and not _knows_no_more(v, answer)
            and not _is_partly_told(program, answer)
        ]
        assert not wrong


def _is_partly_told(program: ir.Program, answer: RulingAnswer) -> bool:
    """Whether the stage of the situation has parameters, of which no formula can speak."""
    return answer.looked is not None and bool(
        program.stage(answer.looked.line.position.stage).parameters
    )


def _knows_no_more(verdict: Verdict, answer: RulingAnswer) -> bool:
    """Whether the scope cuts moves, and both say so."""
    is_cut = verdict.outcome is Outcome.UNKNOWN and verdict.counts.cut > 0
    return is_cut and answer.said.endswith(" within the scope")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_each_answers_play_is_one_of_the_game(game: str) -> None:
    for ruling, answer in _answers(game):
        interpreter = Interpreter(ruling.program, ruling.scope)
        position = interpreter.initial()
        assert answer.line.initial == position
        for step in answer.line.steps:
            assert (step.move, step.position) in interpreter.allowed(position), (
                ruling.text,
                step.move,
            )
            position = step.position


KEPT = [
    (
        "mtg",
        "A casts an instant; A passes: may B respond before it resolves?",
        "holds 117.3d/answered",
    ),
    ("mtg", "A casts an instant: may B respond?", "holds 117.1a/a/answered"),
    ("mtg", "A casts an instant; A passes: who has priority?", "holds 117.3d/holder"),
    (
        "mtg",
        "A casts an instant; A passes; B casts an instant: may A pass?",
        "holds 117.1a/a/window",
    ),
    (
        "mtg@cleanup_step=silent",
        "in the untap step: may A cast an instant?",
        "holds 117.2c/a/window",
    ),
    ("fftcg", "in the End Phase: must A pass?", "holds FF-8/must"),
    ("zx", "in the main phase: may B play a card?", "holds ZX-2/window"),
    (
        "stack",
        "A passes the turn: may B play something fast before B's turn begins?",
        "possible STK-X1/window",
    ),
]


@pytest.mark.parametrize(("game", "question", "head"), KEPT)
def test_a_claim_that_is_kept_is_met(
    game: str, question: str, head: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is appended to the rules as it is printed, and `check` decides it as the question was
    answered.
    """
    assert run(["ask", game, question, "--claim", "--format", "json"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert f"  {head} " in claim["text"]
    assert max(map(len, claim["text"].splitlines()[2:])) <= 100
    assert claim["text"].count("previously") <= 2
    name, _, reading = game.partition("@")
    path = tmp_path / "kept.rules"
    path.write_text(f"{rules_source(name).text}\n{claim['text']}\n", encoding="utf-8")
    target = f"{path}@{reading}" if reading else str(path)
    assert run(["check", target, "--property", claim["name"], "--engine", "explicit"]) == 0


def test_what_no_formula_says_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "mtg", "A casts an instant: what happens next?", "--claim"]) == 0
    assert "No one claim says this" in capsys.readouterr().out


def test_an_answer_is_proved_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "zx", "in the main phase: may B play a card?", "--prove"]) == 0
    assert "PROVED for every size." in capsys.readouterr().out


def test_what_rests_on_a_scope_that_cuts_moves_says_so() -> None:
    """And is expected with these words or without them."""
    found = stacklaw.ask("mtg", "A casts an instant: may B respond?").answers[0]
    assert found.said == "yes, in every play within the scope"
    assert found.needs == (("waiting", 3),)
    assert found.agrees("yes, in every play")
    assert found.agrees("yes, in every play within the scope")
    assert not found.agrees("no, within the scope")
    whole = stacklaw.ask("zx", "in the main phase: may B play a card?").answers[0]
    assert (whole.said, whole.needs) == ("no", ())


def test_what_each_player_has_is_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not a seat, though 1 is one, and 2 of two players is none."""
    (tmp_path / "denials.rules").write_text(DENIALS)
    game = str(tmp_path / "denials.rules")
    asked = "A strikes; B denies; A denies; B denies; A denies: may B deny?"
    assert run(["ask", game, "A passes: may B strike?", "--claim"]) == 0
    assert "Keep it:" in capsys.readouterr().out
    assert run(["ask", game, asked, "--claim"]) == 0
