"""A question that a page asks: a few bytes of JSON, by whomever they are, and what the command line
asks -> what is asked of `check`.

What the page does not name is as the command line says, as in a command with fewer options: then a
property that needs more room gets it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ..asking.ask import Asked
from ..asking.reading import read_target

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
    program, _, _ = read_target(target, question.settings, question.properties, with_claims=True)
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
