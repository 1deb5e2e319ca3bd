"""Conjugated titles: what a clause is called, as what somebody does, and that as what they may
do.
"""

from __future__ import annotations

from ...models.words import player_name

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
