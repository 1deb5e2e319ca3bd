"""Nouns of questions: which player or item is meant; strangers among the words."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...models import ir
from ...models.diagnostics import InputError
from ...models.words import join_words, near, player_name
from ..types.position import Position
from .line import Line
from .question import not_understood
from .vocabulary import GameWords
from .words import content, does, seat_of, stem, words_of

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
            f"cards have no names here; say what it is: {kinds_words(vocabulary)}",
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
    hint = f"say `with`, and what it is: {kinds_words(vocabulary)}"
    return not_understood(f"`{statement}` does not say with what.", hint, code="C203")


def done_first(vocabulary: GameWords, then: str) -> str:
    """Return the hint to say first what is done, by what A can put where items wait in this game,
    and what *then* follows.
    """
    titles = [vocabulary.clauses[one].title for one in sorted(vocabulary.answering)]
    act = does(0, min(titles, key=len, default="do something"))
    return f"say first what is done: `{act}{then}`"


def kinds_words(vocabulary: GameWords) -> str:
    """Return what kinds of items there are, in words."""
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


_ANY = r"spell|card|ability|item|effect|thing|action|object|character|play|activation"
_GENERIC = frozenset(stem(word) for word in _ANY.split("|"))
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ITSELF = re.compile(
    r"^(?:it|that|this|they|them|(?:this|that|the) (?:card|spell|ability|item|effect))$"
)


def player_called(words: str, position: Position, players: int) -> int | None:
    """Return the seat of the player whom *words* name where *position* is, None if they name
    none.
    """
    said = words.strip().removesuffix("'s")
    if len(said) == 1 and (seat := seat_of(said)) is not None:
        return seat
    if players == 2 and (found := re.fullmatch(r"([A-P])'s opponent", said)):
        return 1 - (seat_of(found[1]) or 0)
    active = position.values[0]
    assert isinstance(active, int)
    if re.fullmatch(r"(?:the )?(?:turn|active) (?:player|owner)", said):
        return active
    if players == 2 and re.fullmatch(
        r"(?:the )?(?:non-?turn|non-?active|inactive|other|opposing|defending) player|(?:the "
        r")?opponent",
        said,
    ):
        return 1 - active
    return None


def item_names(program: ir.Program, line: Line) -> tuple[str, ...]:
    """Return what each item of *line* is called: whose it is, its kind, and which of several: ``A's
    first instant spell``.
    """
    titles = {
        kind.name: re.sub(r"^(?:an?|the) ", "", kind.title or kind.name) for kind in program.kinds
    }
    plain = [(player_name(one.item.controller), titles[one.item.kind]) for one in line.items]
    found = []
    for number, (who, title) in enumerate(plain):
        at = plain[:number].count((who, title))
        which = (
            f"{_ORDINALS[at] if at < len(_ORDINALS) else f'{at + 1}th'} "
            if plain.count((who, title)) > 1
            else ""
        )
        found.append(f"{who}'s {which}{title}")
    return tuple(found)


def items_called(line: Line, phrase: str, vocabulary: GameWords) -> list[int]:
    """Return the numbers of the items of *line* that *phrase* may mean; of several that fit those
    that still lie somewhere.
    """
    said = phrase.strip()
    # "The spell" is it, unless spells are told from other things here.
    if _ITSELF.match(said) and not vocabulary.kinds_called(content(said)):
        return focus(line)
    owner = next(
        (
            seat
            for word in words_of(said)
            if (seat := seat_of(word)) is not None and _owns(said, word)
        ),
        None,
    )
    words = content(said) - {stem(word) for word in _ORDINALS} - {"top"}
    fits = [
        number
        for number, one in enumerate(line.items)
        if (owner is None or one.item.controller == owner)
        and _is_called(line, number, words, vocabulary)
    ]
    alive = [number for number in fits if line.items[number].place is not None] or fits
    for at, ordinal in enumerate(_ORDINALS):
        if ordinal in said.lower().split():
            return fits[at : at + 1]
    if owner is None and set(alive) & set(focus(line)):
        return focus(line)
    if re.search(r"\btop\b", said):
        return sorted(alive, key=lambda number: line.items[number].place or (-1, -1))[-1:]
    return alive


def item_named(line: Line, phrase: str, vocabulary: GameWords) -> int:
    """Return the number of the item that *phrase* means. Raises InputError where it is none, or may
    be several.
    """
    fits = items_called(line, phrase, vocabulary)
    if len(fits) == 1:
        return fits[0]
    named = [player_name(line.items[number].item.controller) for number in fits]
    if fits:
        raise not_understood(
            f"`{phrase}` may be {len(fits)} items.",
            f"say whose, or the first, the second, the top one: they are of {join_words(named)}",
            code="C203",
        )
    raise not_understood(
        f"There is no `{phrase}` here.", "name an item that was put by what you say", code="C203"
    )


def _owns(phrase: str, word: str) -> bool:
    return word.endswith("'s") or re.search(rf"\bof {re.escape(word)}\b", phrase) is not None


def _is_called(line: Line, number: int, words: frozenset[str], vocabulary: GameWords) -> bool:
    """Whether an item of *line* may be called *words*: by its kind, by the clause that put it, or
    as any item.
    """
    one = line.items[number]
    if not words or vocabulary.is_called(one.item.kind, words):
        return True
    if words <= _GENERIC and not vocabulary.kinds_called(words):
        return True
    clause = line.steps[one.since].move.clause
    named = [name for name in vocabulary.names if name.clause == clause]
    put = {name.kind for name in named if name.kind}
    # What triggers as a spell is cast is put with it, and no spell.
    is_own = not put or one.item.kind in put
    return (
        is_own and clause not in vocabulary.passing and any(words <= name.words for name in named)
    )


def focus(line: Line) -> list[int]:
    """Return the item that is spoken of: the last one that was put by what the question says, else
    the only one there is.
    """
    said = [number for number, one in enumerate(line.items) if line.how[one.since] == "said"]
    return said[-1:] or ([0] if len(line.items) == 1 else [])
