"""Words of questions: their stems, which of them carry content, the players that are named among
them; and what a clause is called, said of who does it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...models.words import player_name

_WORD = re.compile(r"[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*(?:'s)?", re.ASCII)
_SEAT = re.compile(r"^([A-P])(?:'s)?$")
EMPTY = frozenset(
    re.findall(
        r"\S+",
        """
        a an the of to from on in into at by for with and or then now this that these those it its
        they them their his her your own one there here is are be been being was were has have had
        having as so up out off does do did done will would still just also may can could might
        legally what which who whose whom while during when until another again more some any if e
        g it's
        """,
    )
)
"""Stems that carry no content: they may be left out, or be said where a title has none."""
IRREGULAR = {
    "paid": "pay", "began": "begin", "begun": "begin", "drawn": "draw", "drew": "draw",
    "dealt": "deal", "chosen": "choose", "chose": "choose", "fought": "fight", "given": "give",
    "gave": "give", "taken": "take", "took": "take", "lost": "lose", "gone": "go", "left": "leave",
    "dies": "die", "won": "win", "held": "hold", "attacker": "attack", "blocker": "block",
    "bought": "buy", "does": "do", "did": "do", "goes": "go", "no": "not", "forfeit": "not",
    "declin": "not",
}  # fmt: skip
SUFFIXES = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
LEAST = 3


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of *text* as they stand there."""
    return tuple(_WORD.findall(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))


def seat_of(word: str) -> int | None:
    """Return the seat of the player that *word* names by a capital letter, or None."""
    found = _SEAT.match(word)
    return ord(found[1]) - ord("A") if found else None


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return what *word* has in common with its other forms: ``cast`` of ``casts``, ``declar`` of
    ``declared``.
    """
    word = word.lower().removesuffix("'s").replace("-", "")
    word = IRREGULAR.get(word, word)
    for suffix, instead in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= LEAST and not word.endswith("ss"):
            word = word.removesuffix(suffix) + instead
            break
    word = IRREGULAR.get(word, word)
    if len(word) > LEAST and word[-1] == word[-2] and word[-1].isalpha():
        word = word[:-1]
    return word


def content(text: str) -> frozenset[str]:
    """Return the stems of the words of *text* that carry content; players' letters are none."""
    return frozenset(
        stem(word) for word in words_of(text) if word.lower() not in EMPTY and seat_of(word) is None
    )


def seats_in(text: str) -> tuple[int, ...]:
    """Return the seats of the players whom *text* names by a capital letter, in its order.

    A capital A that is followed by a noun is the article only where *text* begins with it; who asks
    decides (`content` drops it).
    """
    return tuple(seat for word in words_of(text) if (seat := seat_of(word)) is not None)


# ------------------------------------------------------------------ titles


_SIBILANTS = ("s", "x", "z", "ch", "sh", "o")


def does(seat: int, title: str, *chosen: str) -> str:
    """Return that the player at *seat* does what a clause's *title* says: ``A casts an instant
    spell``; where that says what can be *chosen*, only what is.
    """
    verb, _, rest = title.replace(";", ",").partition(" ")
    verb = verb.removesuffix(",")
    if len(chosen) == 1 and set(chosen[0].split()) < set(rest.split()):
        rest, chosen = chosen[0], ()
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        third = f"{verb[:-1]}ies"
    else:
        third = f"{verb}es" if verb.endswith(_SIBILANTS) else f"{verb}s"
    said = f"{player_name(seat)} {third} {rest}".rstrip()
    return f"{said} ({', '.join(chosen)})" if chosen else said


def infinitive(said: str) -> str:
    """Return what somebody does, by a statement of `does`, as what they may do: ``cast an instant
    spell``.
    """
    verb, _, rest = said.partition(" ")
    if verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    else:
        verb = (
            verb[:-2]
            if verb.endswith("es") and verb[:-2].endswith(_SIBILANTS)
            else verb.removesuffix("s")
        )
    return f"{verb} {rest}".rstrip()
