"""Asking: a judge's question, put to the rules of a game.

text --read_question--> Asked --Situation--> lines of play --Forms--> Answer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.words import player_name
from ..reference.semantics.interpreter import Interpreter
from ..types.scope import Scope
from .answer import Answer, Ruling
from .forms import Forms
from .lexicon import Lexicon
from .line import Player
from .question import Asked, Question, not_understood, read_question
from .situation import Situation
from .words import content, seats_in


def ask(program: ir.Program, text: str, scope: Scope, whole: ir.Program | None = None) -> Ruling:
    """Return the ruling on *text* in *program*; *whole* is the game with every option open, for what this reading rules out.

    Raises InputError where the question is not understood (C201 to C203), or its situation cannot come about (C204).
    """
    asked = read_question(text)
    scope = _with_seats(program, scope, text)
    lexicon = Lexicon(program)
    hint = _switched(program, whole)
    situation = Situation(Player(Interpreter(program, scope)), lexicon, hint)
    for statement in asked.statements:
        situation.say(statement)
    situation.settle()
    forms = Forms(situation)
    return Ruling(asked.text, program, scope, tuple(_answer(forms, situation, one, asked) for one in asked.questions))


def _answer(forms: Forms, situation: Situation, question: Question, asked: Asked) -> Answer:
    """Return the answer that all lines of *situation* have in common; raises InputError if they differ."""
    answers = [forms.answer(question, line) for line in situation.lines]
    if len({answer.value for answer in answers}) == 1:
        return answers[0]
    told = []
    for answer in answers:
        said = [step.move.clause for step, how in zip(answer.line.steps, answer.line.how, strict=True) if how == "said"]
        told.append(f"{answer.value} ({', '.join(said[-2:])})")
    raise not_understood(
        f"`{asked.text}` can be read in {len(answers)} ways, with different answers.", f"say more: {'; '.join(dict.fromkeys(told))}", code="C203"
    )


def _with_seats(program: ir.Program, scope: Scope, text: str) -> Scope:
    """Return *scope* with as many players as *text* names."""
    named = max((seat for seat in seats_in(text)), default=0) + 1
    if named <= scope.players:
        return scope
    most = program.players[1]
    if most is not None and named > most:
        raise not_understood(f"There is no player {player_name(named - 1)}: {program.name} is played by {most} at most.", code="C203")
    return replace(scope, players=named)


def _switched(program: ir.Program, whole: ir.Program | None) -> Callable[[str], str]:
    """Return what tells which option would switch on what a phrase names, empty if none would."""

    def hint(phrase: str) -> str:
        if whole is None:
            return ""
        fit = Lexicon(whole).fit(phrase) or Lexicon(whole).fit(phrase, passing=True)
        if fit is None or not content(phrase):
            return ""
        present = {clause.id for _, clause in program.clauses}
        asked = [
            node.name
            for _, clause in whole.clauses
            if clause.id in fit.clauses and clause.id not in present
            for node in ir.walk(clause.guard)
            if isinstance(node, ir.OptionValue)
        ]
        values = {option.name: [name for name, _ in option.values] for option in whole.options}
        settings = dict(program.settings)
        others = [f"{program.name.partition('@')[0]}@{name}={value}" for name in dict.fromkeys(asked) for value in values[name] if value != settings.get(name)]
        return f"{', '.join(fit.clauses)} has it; try `{'` or `'.join(others)}`" if others else ""

    return hint


__all__ = ["InputError", "ask"]
