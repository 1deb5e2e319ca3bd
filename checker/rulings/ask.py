"""Asking: a judge's question, put to the rules of a game.

text --read_question--> JudgesText --Situation--> lines of play --_FORMS--> RulingAnswer
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.ir.parts import expressions, expressions_of
from ...models.words import counted, player_name, settings_words
from ..reference.semantics.interpreter import Interpreter
from ..situations.events import stands_in
from ..situations.line import Line, Referee
from ..situations.question import Form, Inquiry, not_understood, read_question, spoken
from ..situations.situation import Situation
from ..situations.vocabulary import GameWords
from ..situations.wishes import is_in
from ..situations.words import content, seats_in
from ..types.scope import MOST_PLAYERS, Scope
from .answer import Ruling, RulingAnswer
from .outcomes import Outcomes
from .permissions import Permissions


def ask(program: ir.Program, text: str, scope: Scope, whole: ir.Program | None = None) -> Ruling:
    """Return the ruling on *text* in *program*; *whole* is the game with every option open, for
    what this reading rules out.

    Raises InputError where the question is not understood (C201 to C203), or its situation cannot
    come about (C204).
    """
    said, players = spoken(text, _words_of(program).letters)
    scope = _with_seats(program, scope, said, players)
    referee, words = _referee_and_words(program, scope)
    known, asked = referee.looked_at, read_question(words.hyphened(said))
    situation, told = situation_of(program, asked.statements, scope, whole), " ".join(text.split())
    answers = tuple(answer_in(situation, one, told) for one in asked.questions)
    return Ruling(told, program, scope, answers, situation.referee.looked_at - known)


def situation_of(
    program: ir.Program, statements: Sequence[str], scope: Scope, whole: ir.Program | None = None
) -> Situation:
    """Return what *statements* say. Raises InputError as `ask`."""
    referee, words = _referee_and_words(program, scope)
    situation = Situation(referee, words, _switched(program, whole))
    for statement in statements:
        situation.say(statement)
    situation.settle()
    return situation


def _referee_and_words(program: ir.Program, scope: Scope) -> tuple[Referee, GameWords]:
    """Return who plays *program* within *scope*, and its words: the same as for the last questions
    about it, who know its positions.
    """
    for known, referee, words in _last:
        if known is program and referee.interpreter.scope == scope:
            return referee, words
    _last.appendleft((program, Referee(Interpreter(program, scope)), _words_of(program)))
    return _last[0][1:]


def _words_of(program: ir.Program) -> GameWords:
    """Return the words of *program*: the same as for the last questions about it."""
    for known, _, words in _last:
        if known is program:
            return words
    return GameWords(program)


_last: deque[tuple[ir.Program, Referee, GameWords]] = deque(maxlen=4)


def board(
    program: ir.Program, statements: Sequence[str], scope: Scope, whole: ir.Program | None = None
) -> Ruling:
    """Return what *statements* say as a ruling on who has priority, whose play shows how things
    lie.
    """
    text = "; ".join(statements)
    return ask(program, f"{text}: who has priority?" if text else "who has priority?", scope, whole)


_NINTH = 8


class _Answers(Permissions, Outcomes):
    """Answers each form of question; raises InputError where the words of it fit nothing."""


_FORMS: Mapping[Form, Callable[[_Answers], RulingAnswer]] = {
    "may": _Answers.may,
    "must": _Answers.must,
    "who": _Answers.who,
    "holds": _Answers.holds,
    "happens": _Answers.happens,
    "first": _Answers.first,
    "ahead": _Answers.ahead,
    "next": _Answers.next,
    "cause": _Answers.cause,
    "decides": _Answers.decides,
    "whose": _Answers.whose,
    "turn": _Answers.turn,
    "fate": _Answers.fate,
    "lies": _Answers.lies,
    "can": _Answers.can,
}


def answer_in(situation: Situation, question: Inquiry, text: str) -> RulingAnswer:
    """Return the answer that all lines of *situation* have in common; raises InputError if they
    differ.

    Where two rules apply at once, and give different answers, the answer is what each of them says.
    """
    answers = [_by_each_rule(situation, question, line) for line in situation.lines]
    for answer in answers:
        _stay_in_step(situation, question, answer)
    if len({answer.value for answer in answers}) == 1:
        return answers[0]
    told = []
    for answer in answers:
        said = [answer.line.steps[at].move.clause for at in answer.line.said]
        told.append(f"{answer.value} ({', '.join(said[-2:])})")
    raise not_understood(
        f"`{text}` can be read in {len(answers)} ways, with different answers.",
        f"say more: {'; '.join(dict.fromkeys(told))}",
        code="C203",
    )


def _stay_in_step(situation: Situation, question: Inquiry, answer: RulingAnswer) -> None:
    """Raise InputError where *answer* tells what follows a step that only stands for the one that
    was said.
    """
    said, positions = situation.step_said, answer.line.trace.positions
    if said is None or not said.stands_in:
        return
    after = next((at for at, one in enumerate(reversed(positions)) if is_in(one, said.steps)), 0)
    words = question.before or question.what
    event = situation.events.event_named(answer.line, words) if words else None
    if after > (event is not None and event.kind == "step ends"):
        raise stands_in(said.stands_in)


def _by_each_rule(situation: Situation, question: Inquiry, line: Line) -> RulingAnswer:
    """Return the answer where *line* has come to, or what each of the rules says that apply there
    at once.
    """

    def answered(one: Line) -> RulingAnswer:
        return _FORMS[question.form](_Answers(situation, question, one))

    forks = situation.referee.forks(line)
    answers = [answered(fork) for fork in forks]
    if len({answer.value for answer in answers}) == 1:
        return answers[0] if len(forks) == 1 else answered(line)
    by = [fork.steps[-1].move.clause for fork in forks]
    listed = tuple(f"{clause}: {answer.value}" for clause, answer in zip(by, answers, strict=True))
    return replace(
        answers[0], head="two rules apply", detail="", clauses=tuple(by), listed=listed, looked=None
    )


def _with_seats(program: ir.Program, scope: Scope, text: str, players: int) -> Scope:
    """Return *scope* with *players* players; if that is 0, with as many as *text* names."""
    seats = {*seats_in(text)}
    if _NINTH in seats and _NINTH - 1 not in seats:
        raise not_understood(
            "`I` is the ninth player here.", "call each player by a letter: A, B", code="C203"
        )
    named = max(seats, default=0) + 1
    if players and (players < named or players < program.players[0]):
        raise not_understood(f"This is no question for {counted(players, 'player')}.", code="C203")
    named = max(named, players)
    scope = replace(scope, players=min(players or scope.players, scope.players))
    if named <= scope.players:
        return scope
    most = program.players[1]
    if named > (most or MOST_PLAYERS):
        limit = f"{program.name} is played by {most}" if most else f"a game has {MOST_PLAYERS}"
        raise not_understood(
            f"There is no player {player_name(named - 1)}: {limit} at most.", code="C203"
        )
    return replace(scope, players=named)


def _switched(program: ir.Program, whole: ir.Program | None) -> Callable[[str], str]:
    """Return what tells which option would switch on what a phrase names, empty if none would."""

    def hint(phrase: str) -> str:
        if whole is None or not content(phrase):
            return ""
        words, present = GameWords(whole), {clause.id for _, clause in program.clauses}
        fit = words.fit(phrase) or words.fit(phrase, passing=True)
        clauses = () if fit is None else fit.clauses
        missing = {
            step.title or step.name: step.condition
            for number, name in words.steps_called(content(phrase))
            for step in whole.sequences[number].steps
            if step.name == name
        } or {
            clause.id: clause.guard
            for _, clause in whole.clauses
            if clause.id in clauses and clause.id not in present
        }
        asked = [
            node.name
            for condition in missing.values()
            for node in expressions(condition)
            if isinstance(node, ir.OptionValue)
        ]
        values = {option.name: [name for name, _ in option.values] for option in whole.options}
        settings = dict(program.settings)
        others = [
            f"{program.name.partition('@')[0]}@{name}={value}"
            for name in dict.fromkeys(asked)
            for value in values[name]
            if value != settings.get(name)
        ]
        return f"{', '.join(missing)} has it; try `{'` or `'.join(others)}`" if others else ""

    return hint


def options_of(whole: ir.Program, clauses: Collection[str]) -> frozenset[str]:
    """Return the options that these *clauses* of a game ask, or others of the same stages that
    differ by them; *whole* has all open.
    """
    stages = {stage.name for stage, clause in whole.clauses if clause.id in clauses}
    asked = (
        node
        for stage, clause in whole.clauses
        if stage.name in stages
        for node in expressions_of(clause)
    )
    return frozenset(node.name for node in asked if isinstance(node, ir.OptionValue))


def in_readings(
    readings: Iterable[Mapping[str, str]], ask: Callable[[Mapping[str, str]], Ruling]
) -> Iterator[tuple[str, str]]:
    """Yield each of *readings* in words, with what is answered in it by *ask*, or why nothing
    is.
    """
    for reading in readings:
        try:
            yield settings_words(reading.items()), ask(reading).value
        except InputError as error:
            yield settings_words(reading.items()), f"not asked: {error.diagnostics[0].message}"
