"""Nouns of questions: which player, and which item of a line, is meant."""

from __future__ import annotations

import re

from ...models import ir
from ...models.words import join_words, player_name
from ..types.position import Position
from .line import Line
from .question import not_understood
from .vocabulary import GameWords
from .words import content, seat_of, stem, words_of

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
        r"(?:the )?(?:non-?turn|non-?active|inactive|other|opposing|defending) player|(?:the )?opponent",
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
            f"`{phrase}` may be {len(fits)} items.", f"say whose, or the first, the second, the top one: they are of {join_words(named)}",
            code="C203",
        )  # fmt: skip
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
