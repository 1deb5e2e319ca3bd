"""The engine, with cards written by hand, and games in which players live long."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CARDS = Path(__file__).parent / "cards.toml"
RARE, MORE = CARDS.with_name("rare.toml"), CARDS.with_name("more.toml")
VERSION = "0.103.0"
_LANDS, _SPELLS = 24, 40
_LIFE = 400
_SEATS = "FreeForAll"


def cards_in(file: Path) -> list[dict[str, str]]:
    """Return the cards of a TOML file: `[[card]]` with a name, types and a text."""
    cards: list[dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))["card"]
    return cards


def _atomic(card: Mapping[str, str]) -> dict[str, Any]:
    """Return *card* as the engine's reader of cards wants it."""
    cost, types = card.get("cost", ""), card["types"]
    value = sum(int(one) if one.isdigit() else 1 for one in cost.strip("{}").split("}{") if one)
    colors = sorted(set(card.get("colors", cost)) & set("WUBRG"))
    made: dict[str, Any] = {
        "name": card["name"], "manaCost": cost or None, "manaValue": float(value),
        "convertedManaCost": float(value), "type": types, "types": types.split(),
        "supertypes": [] if cost else ["Basic"], "subtypes": card.get("subtypes", "").split(),
        "text": card.get("text", ""), "layout": "normal", "colors": colors,
        "colorIdentity": colors, "legalities": {}, "identifiers": {},
        "keywords": [one for one in card.get("keywords", "").split(", ") if one],
    }  # fmt: skip
    if "size" in card:
        made["power"], made["toughness"] = card["size"].split("/")
    return made


def some_of(cards: Sequence[dict[str, str]], most: int | None, seed: int) -> list[dict[str, str]]:
    """Return the lands among *cards*, and *most* of the others, drawn by lot."""
    spells = [card for card in cards if "Land" not in card["types"]]
    drawn = spells if most is None else random.Random(seed).sample(spells, most)
    return [card for card in cards if "Land" in card["types"] or card in drawn]


def new_game(cards: Sequence[Mapping[str, str]], players: int, seed: int) -> Any:
    """Return a game of *players* with decks of *cards*, of which some are drawn by lot."""
    chance = random.Random(seed)
    lands = [card["name"] for card in cards if "Land" in card["types"]]
    spells = [card["name"] for card in cards if "Land" not in card["types"]]
    decks = [
        [*chance.choices(lands, k=_LANDS), *chance.choices(spells, k=_SPELLS)]
        for _ in range(players)
    ]
    return game_of(cards, decks, seed)


def game_of(
    cards: Sequence[Mapping[str, str]],
    decks: Sequence[Sequence[str]],
    seed: int,
    above: Sequence[str] = (),
) -> Any:
    """Return a game with *decks* of *cards*, each named by its name; those *above* lie on top of
    the others.
    """
    from phase import Engine, build_oracle_face  # noqa: PLC0415

    faces = {card["name"].lower(): build_oracle_face(_atomic(card), None) for card in cards}
    engine = Engine.from_json(json.dumps(faces))
    table: dict[str, Any] = {
        "player": decks[0], "opponent": decks[1], "extra_players": decks[2:] or None,
        "seed": seed, "first_player": 0, "format": _SEATS,
    }  # fmt: skip
    config = engine.new_game(**table).state()["state"]["format_config"]
    game = engine.new_game(**table, format_config={**config, "starting_life": _LIFE})
    if not above:
        return game
    whole = game.state()
    for player in whole["state"]["players"]:
        player["library"].sort(key=lambda card: game.object(card)["name"] not in above)
    return engine.load_game(whole)
