"""Compared: which properties are asked of each of several rulesets that are set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .ask import Asked
from .reading import read


def compared(games: Sequence[str], asked: Asked) -> list[Asked]:
    """Return what is *asked* of each of *games*: the catalogue, and the claims that all of them have, if nothing is named.

    A claim is had by two rulesets if it has the same name and the same formula in both. Raises InputError.
    """
    if asked.properties or len(games) < 2:
        return [asked] * len(games)
    claims = []
    for game in games:
        _, questions, _ = read(game, asked.settings, (), asked.files, with_claims=True)
        claims.append({question.name: question.text for question, claim, _ in questions if claim is not None and claim.formula is not None})
    shared = [name for name, text in claims[0].items() if all(other.get(name) == text for other in claims)]
    return [replace(asked, properties=(*_catalogue(game, asked), *shared)) if shared else asked for game in games]


def _catalogue(game: str, asked: Asked) -> list[str]:
    _, questions, _ = read(game, asked.settings, (), asked.files, with_claims=False)
    return [question.name for question, _, _ in questions]
