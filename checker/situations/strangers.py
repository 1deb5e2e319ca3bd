"""Strangers among the words of a question: which they are, what is near, and which option would
bring them in.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...models.diagnostics import InputError
from ...models.spelling import near
from ...models.words import join_words
from .question import not_understood
from .vocabulary import GameWords
from .words import content, does, stem, words_of

_MOST = 4
_RESPONDS = re.compile(r"(responds?|answers?|reacts?)(?: to (?!.+ (?:with|by) ).+)?")


def unknown_words(phrase: str, vocabulary: GameWords, hint_of: Callable[[str], str]) -> InputError:
    """Return the error for *phrase*, which fits nothing; *hint_of* tells which option would switch
    on what it names.
    """
    if option := hint_of(phrase):
        return not_understood(
            f"`{phrase}` is nothing that can be done in this reading.", option, code="C202"
        )
    known = vocabulary.all_words
    strange = [word for word in words_of(phrase) if content(word) and stem(word) not in known]
    said = join_words([f"`{word}`" for word in dict.fromkeys(strange)])
    if option := next(filter(None, map(hint_of, strange)), ""):
        return not_understood(f"Nothing in this reading is called {said}.", option, code="C202")
    if strange and len(strange[0]) == 1 and strange[0].isupper():
        hint = "players are called by a letter: A, B"
        return not_understood(f"{said} is no player here.", hint, code="C203")
    if strange and any(word[0].isupper() for word in strange):
        return not_understood(
            f"Nothing in this game is called {said}.",
            f"cards have no names here; say what it is: {_kinds(vocabulary)}",
            code="C202",
        )
    if strange:
        alike = {word: [known[one] for one in near(stem(word), known)][:_MOST] for word in strange}
        hints = [
            join_words([f"`{one}`" for one in found], "or") for found in alike.values() if found
        ]
        hint = f"did you mean {'; '.join(hints)}?" if hints else _titles(phrase, vocabulary)
        return not_understood(f"Nothing in this game is called {said}.", hint, code="C202")
    return not_understood(
        f"No one thing in this game is called `{phrase}`.", _titles(phrase, vocabulary), code="C202"
    )


def is_bare_response(phrase: str, vocabulary: GameWords) -> bool:
    """Whether *phrase* says that somebody answers and not with what, in a game in which answering
    is no act of its own: what is answered is not what is done.
    """
    found = _RESPONDS.fullmatch(phrase)
    return found is not None and all(name.verb != stem(found[1]) for name in vocabulary.names)


def answers_with_what(statement: str, vocabulary: GameWords) -> InputError:
    """Return the error for a *statement* that is one."""
    hint = f"say `with`, and what it is: {_kinds(vocabulary)}"
    return not_understood(f"`{statement}` does not say with what.", hint, code="C203")


def done_first(vocabulary: GameWords, then: str) -> str:
    """Return the hint to say first what is done, by what A can put where items wait in this game,
    and what *then* follows.
    """
    titles = [vocabulary.clauses[one].title for one in sorted(vocabulary.answering)]
    act = does(0, min(titles, key=len, default="do something"))
    return f"say first what is done: `{act}{then}`"


def _kinds(vocabulary: GameWords) -> str:
    return join_words([kind.title or kind.name for kind in vocabulary.kinds.values()], "or")


def _titles(phrase: str, vocabulary: GameWords) -> str:
    """Return the titles that share most words with *phrase*, as a hint."""
    said = content(phrase)
    scored = sorted(
        (
            (len(said & name.words), -len(name.words - said), name.clause)
            for name in vocabulary.names
        ),
        reverse=True,
    )
    best = list(dict.fromkeys(clause for shared, _, clause in scored if shared))[:_MOST]
    if not best:
        best = [clause.id for clause in vocabulary.clauses.values() if clause.mode == "may"][:_MOST]
    return f"nearest: {'; '.join(f'{vocabulary.clauses[one].title} ({one})' for one in best)}"
