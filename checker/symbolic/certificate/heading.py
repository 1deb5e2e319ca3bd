"""The heading of a certificate: what it binds, line by line for machines, and what it means, in
words.

Every line is a comment. The first ones have a key, a colon and a value each: of which rules, which
property and which engine the proof is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .... import __version__
from ....models.storage.digests import engine_digest
from ....models.words import settings_words
from ...questions.digests import property_digest, rules_digest
from ..encoding.encode import REMEMBERED
from ..encoding.obligations import obligations
from ..liveness.measures import in_lines
from ..liveness.termination import Termination
from ..position.frame import FIRST_ZONE, GONE, UNSEEN
from ..position.weakenings import sentence
from ..prove import Proof
from .smtlib import HEADER, HeadingField

SHA256 = "sha256:"
BY_ANYONE = (
    "A move that is a player's is asked only where that player is the spotlit one. That is enough: each move of a play is a move of "
    "that play with its player spotlit, of which the encoding has the same positions, but for who is spotlit and from which seat the "
    "others are counted; and no measure speaks of either. So it is one and the same row of numbers that all moves of a play make less."
)


def heading(proof: Proof) -> Iterator[str]:
    """Yield the lines of the heading of the certificate of *proof*."""
    yield HEADER
    yield from bindings(proof)
    if proof.lemmas:
        yield "; The invariant has that of the lemmas in it. Nothing is taken for granted."
    yield ";"
    yield from _meaning(proof)
    yield "; What the encoding has forgotten of the rules, and why that is safe:"
    for weakening in sorted(proof.system.weakenings, key=lambda one: one.name):
        yield from _bullet(sentence(weakening))
    if isinstance(proof, Termination):
        yield from _ranking(proof)
    yield ";"
    yield "; Named values stand as numbers: " + ", ".join(
        f"{number} {name}" for number, name in sorted(proof.system.names.items())
    )
    yield HeadingField.OBLIGATIONS.line(sum(1 for _ in obligations(proof.system, proof.descent)))


def bindings(proof: Proof) -> Iterator[str]:
    """Yield what the certificate of *proof* binds, one key a line."""
    program, question, precision = proof.program, proof.question, proof.precision
    yield HeadingField.GAME.line(program.name)
    yield HeadingField.PROPERTY.line(question.name)
    yield from (f";   {_clean(line)}" for line in question.text.splitlines())
    yield HeadingField.RULES.line(SHA256 + rules_digest(program))
    yield HeadingField.SETTINGS.line(settings_words(program.settings))
    yield HeadingField.ASKED.line(SHA256 + property_digest(question))
    kept = {one: getattr(precision, one) for one in REMEMBERED}
    yield HeadingField.ENCODING.line(", ".join(name for name, yes in kept.items() if yes))
    if question.lemmas:
        yield HeadingField.LEMMAS.line(", ".join(proof.lemmas))
    yield HeadingField.ENGINE.line(f"stacklaw {__version__}, {SHA256}{engine_digest()}")


def _meaning(proof: Proof) -> Iterator[str]:
    """Yield what an answer of unsat to every question says, and what it takes for granted."""
    least, most = proof.program.players
    players = f"{least}" if least == most else f"{least} to {most}" if most else f"{least} or more"
    yield from _comment(
        f"It holds for {players} players and for every size of every zone, if each question below is answered with unsat:"
    )
    yield from _bullet(
        "initial: no play begins outside the invariant of the stage where it begins."
    )
    yield from _bullet(
        "consecution: no move by the clause leads from inside the invariant of its stage to outside that of the next one."
    )
    yield from _bullet(
        "property: no move by the clause from inside the invariant, and no position inside it, breaks the property."
    )
    if proof.descent is not None:
        yield from _bullet(
            "bounded: no number of the ranking is below 0 where a move that may be made again and again begins."
        )
        yield from _bullet(
            "descent: no such move by the clause fails to make the first number less that it changes."
        )
        if proof.descent.patient:
            yield from _bullet(
                "patience: no such move by the clause makes the first number more that it changes. These may be made for ever, but a play "
                "that breaks the property makes one of the others again and again."
            )
    yield "; What that takes for granted, as a solver cannot see it here:"
    yield from _bullet(
        "Every play of the rules, at every size, is one of the moves below. All of a clause's ways from one stage to one other are one "
        "function, so a clause that is not named moves nowhere, or only to the end of the game, and breaks nothing."
    )
    yield from _bullet(
        "Every constant is any value of its sort that its question allows: what is chosen in a move, and what the encoding does not know, "
        "are constants of that question alone. With a ' it is a cell after the move."
    )
    if spotlit := [spotlight.name for spotlight in proof.question.spotlights]:
        yield from _bullet(
            f"{', '.join(spotlit)}: any of those that the property speaks of. The cells follow them through one play, of which nothing "
            "is assumed but that it is one, so they stand for all; two names may be one player, never one item."
        )
    if any(spotlight.kind == "item" for spotlight in proof.question.spotlights):
        zones = ", ".join(
            f"{FIRST_ZONE + number} on {zone.name}"
            for number, zone in enumerate(proof.program.zones)
        )
        yield from _bullet(
            f"Where an item is: {UNSEEN} not put anywhere yet, {GONE} gone from the game, {zones}."
        )
    if any(
        name.startswith("bit ") for cells in proof.system.cells.values() for name in map(str, cells)
    ):
        yield from _bullet(
            "A bit is what the property asks of the past, as it is at the position that the cells are of."
        )
    yield from _bullet("A player is a number, counted from 0 in the order of seats; -1 is nobody.")


def _ranking(proof: Termination) -> Iterator[str]:
    """Yield what every move makes less, in words, and why that is so of every move."""
    yield ";"
    yield "; What must not go on for ever comes to an end:"
    for line in in_lines(proof.measures):
        yield from _comment(line)
    if proof.by_anyone:
        yield from _comment(BY_ANYONE)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; ", subsequent_indent=";   ")


def _bullet(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; - ", subsequent_indent=";   ")


def _clean(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
