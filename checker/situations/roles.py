"""Roles: variables of players that nothing changes, and terms of such, by which people name a
player: "the Corp", "the Runner".
"""

from __future__ import annotations

import re

from ...models import ir, syntax
from ...models.ir.analysis import unchanged
from ...models.words import join_words, player_name


def roles_of(program: ir.Program) -> dict[str, int]:
    """Return the seat of each role of *program*, by what it is called, without an article."""
    players = {one.name for one in program.variables if one.type == ir.PlayerType(optional=False)}
    if players == {ir.ACTIVE}:
        return {}
    seats = {
        name: initial.value
        for name, initial in unchanged(program).items()
        if name in players and isinstance(initial, ir.Literal) and isinstance(initial.value, int)
    }
    called = {one.name: _without_article(one.title) for one in program.variables if one.title}
    for term in program.terms:
        if (seat := _seat_of(term.meaning, seats, program.players)) is not None:
            seats[term.name] = seat
    return {words: seat for name, seat in seats.items() for words in {name, called.get(name, name)}}


def roles_words(program: ir.Program) -> str:
    """Return who has which role, in words; empty if there are none."""
    named = dict[int, str]()
    for words, seat in sorted(roles_of(program).items()):
        named.setdefault(seat, f"{player_name(seat)} is the {words[0].upper()}{words[1:]}")
    return join_words([named[seat] for seat in sorted(named)])


def by_letter(program: ir.Program) -> tuple[tuple[str, str], ...]:
    """Return patterns of the names of roles, each with the letter of the player who has it."""
    return tuple(
        (
            rf"\b(?:[Tt]he )?[{words[0].upper()}{words[0].lower()}]{re.escape(words[1:])}\b",
            player_name(seat),
        )
        for words, seat in sorted(roles_of(program).items(), key=lambda one: (-len(one[0]), one[0]))
    )


def _without_article(title: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", title, flags=re.IGNORECASE)


def _seat_of(
    meaning: syntax.Expr, seats: dict[str, int], players: tuple[int, int | None]
) -> int | None:
    """Return the seat that *meaning* names at a table of any of these numbers of *players*."""
    if isinstance(meaning, syntax.Name):
        return seats.get(meaning.name)
    if not isinstance(meaning, syntax.Neighbour):
        return None
    of = _seat_of(meaning.player, seats, players)
    if of is None:
        return None
    seat = of + (1 if meaning.side == "after" else -1)
    least, most = players
    return seat % least if least == most else seat if 0 <= seat < least else None
