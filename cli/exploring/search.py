"""Questions that a page asks, searched as `check` does, or answered as `ask` does.

There is one search at a time. What comes of it are lines of plain data: how far it is, and at last
the answers, or why there are none.

A question that a page asks: a few bytes of JSON, by whomever they are, and what the command line
asks -> what is asked of `check`.

What the page does not name is as the command line says, as in a command with fewer options: then a
property that needs more room gets it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from threading import Event, Lock
from time import monotonic
from typing import Any

from ...checker.process.serving import Reply
from ...checker.prover.workers import TICK, Workers, command_of
from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask
from ...checker.types.budget import BudgetSpentError, Meter
from ...checker.types.position import Trace
from ...models import ir
from ...models.diagnostics import InputError
from ...models.load import opened
from ...models.read import sent
from ...models.shipped import game_source
from ...models.words import cleaned
from ...reports.json import fields_of
from ...reports.page.rows import answers_of, position_key
from ...reports.rulings.told import tell_ruling
from ...reports.states import states_of, ways_of
from ..asking.ask import Asked
from ..asking.reading import read_target
from ..asking.reading_worker import READING, SentTexts, answer, reading_request, texts_of

_SECONDS = 20.0


def ruling_of(text: str, target: str, asked: Asked) -> dict[str, Any]:
    """Return the ruling on *text* in the ruleset *target*, within what is *asked* of it, as a page
    shows it, or why there is none.

    Others wait for it, so it has some seconds unless a time is given.
    """
    budget = replace(asked.budget, seconds=asked.budget.seconds or _SECONDS)
    try:
        program, _, _ = read_target(target, asked.settings)
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


_PARTS = {"players", "sizes", "settings"}


class WrongQuestionError(Exception):
    """What was sent is no question; the message says why, as a sentence."""


def read_question(body: bytes, target: str, asked: Asked) -> Asked:
    """Return what *body* asks of the ruleset *target*, and *asked* besides.

    Raises `WrongQuestionError`, and InputError for sizes that cannot be and for options that there
    are not.
    """
    said = read_object(body, _FORM)
    if not set(said) <= _PARTS:
        raise WrongQuestionError(_FORM)
    sizes, settings = said.get("sizes", {}), said.get("settings", {})
    if not isinstance(sizes, dict) or not isinstance(settings, dict):
        raise WrongQuestionError(_FORM)
    numbers = [*sizes.values(), *([said["players"]] if "players" in said else [])]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise WrongQuestionError("The number of players and the sizes of zones are whole numbers.")
    if not all(isinstance(value, str) for value in settings.values()):
        raise WrongQuestionError("The value of an option is a text.")
    question = replace(
        asked,
        players=said.get("players", asked.players),
        sizes={**asked.sizes, **sizes},
        settings={**asked.settings, **settings},
    )
    program, _, _ = read_target(target, question.settings, question.properties)
    question.scope(program)  # which says what is wrong with it
    return question


def read_words(body: bytes) -> str:
    """Return the question in words that *body* is. Raises `WrongQuestionError`."""
    said = read_object(body, _IN_WORDS)
    if set(said) != {"ask"} or not isinstance(said["ask"], str):
        raise WrongQuestionError(_IN_WORDS)
    text: str = said["ask"]
    return text


def read_object(body: bytes, form: str = "It has to be an object of JSON.") -> dict[str, Any]:
    """Return the object of JSON that *body* is; raise `WrongQuestionError`, which tells the *form*,
    if it is none.
    """
    try:
        said = json.loads(body, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        why = f"The question is not JSON, or names something twice. {form}"
        raise WrongQuestionError(why) from None
    if not isinstance(said, dict):
        raise WrongQuestionError(form)
    return said


_FORM = (
    'A question has the form {"players": 2, "sizes": {"stack": 4}, "settings": {"speed": "fast"}}.'
)
_IN_WORDS = 'A question in words has the form {"ask": "who has priority?"}.'


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


_PATIENCE = 1.5
"""How many seconds a process has to end those that it has begun."""
_LAST_WORDS = 5.0
"""How many seconds a search that was stopped may take to say what it has found."""
_BEAT = 0.5
"""After how many seconds something is said, also where there is nothing new: so a page that is
closed is noticed.
"""
CHANGED = "The ruleset has changed since this page was made: begin `stacklaw explore` anew."


class PageSearch:
    """Who decides what a page asks of the ruleset *target*, which has this *text*, beside what is
    *asked* by its server. Its files say these *texts*, if any are given.
    """

    def __init__(
        self, target: str, text: str, asked: Asked, texts: SentTexts | None = None
    ) -> None:
        self.target, self.text, self.asked, self.texts = target, text, asked, texts or {}
        self._free = Lock()
        self._stopped, self._ended = Event(), Event()

    def take_search(self) -> bool:
        """Take the search for oneself, until it is left; return whether that succeeded. A search
        that has answered may still be ending.
        """
        if self._ended.is_set() or not self._free.acquire(timeout=2 * _PATIENCE):
            return False
        self._stopped.clear()
        return True

    def leave(self) -> None:
        """Leave the search to others."""
        self._free.release()

    def stop(self) -> None:
        """Have the present search say what it has found, and end."""
        self._stopped.set()

    def end(self) -> None:
        """Have the present search end, and let no other begin."""
        self._ended.set()

    def stop_all(self) -> None:
        """End all searches, and leave no process."""
        self.end()
        self._free.acquire(timeout=_PATIENCE + 2 * TICK)

    def in_sight(self) -> AbstractContextManager[None]:
        """Have readers of a file meanwhile read what the page is about."""
        return sent(self.texts)

    @property
    def is_changed(self) -> bool:
        """Whether the ruleset is another than that of the page by now."""
        try:
            with self.in_sight():
                return game_source(self.target).text != self.text
        except InputError:
            return True

    def run(self, question: Asked) -> Generator[dict[str, Any], None, None]:
        """Yield how far the search for *question* is, twice a second, what it has found while
        proofs are looked for, and at last what came of it; no process lives longer than this.
        """
        begun = heard = monotonic()
        until, progress = float("inf"), Reply()
        with self.in_sight():
            texts = texts_of(self.target)
        with closing(Workers(command_of(READING), _PATIENCE)) as workers:
            workers.give(0, reading_request(self.target, question, texts, is_watched=True))
            while not self._ended.is_set() and monotonic() < until:
                if self._stopped.is_set() and until == float("inf"):
                    until = monotonic() + _LAST_WORDS
                    workers.interrupt()
                said = workers.reply(TICK)
                if said is not None and "progress" not in said[1]:
                    yield self._answered(said[1])
                    return
                if said is not None and "answer" in said[1] and not self.is_changed:
                    yield {"seconds": round(monotonic() - begun), "found": self._answers(said[1])}
                progress = progress if said is None else {"progress": said[1]["progress"]}
                if monotonic() - heard > _BEAT:
                    heard = monotonic()
                    yield {"seconds": round(heard - begun), **progress}
        yield {"failed": _NOTHING}

    def _answered(self, reply: Reply) -> dict[str, Any]:
        """Return what *reply* comes to."""
        if "died" in reply:
            return {
                "failed": _NOTHING
                if self._stopped.is_set()
                else f"The process that searched has ended ({reply['died']})."
            }
        try:
            found = answer(reply)
        except RuntimeError as error:
            return {"failed": f"The search has failed: {error}"}
        if isinstance(found, tuple):
            return {"failed": " ".join(one.message for one in found)}
        if self.is_changed:
            return {"failed": CHANGED}
        return answers_of(found)

    def _answers(self, reply: Reply) -> dict[str, Any]:
        """Return what *reply* says is found while proofs are still looked for."""
        found = answer(reply)
        return {} if isinstance(found, tuple) else answers_of(found)


_NOTHING = "The search was stopped before it had found anything."
