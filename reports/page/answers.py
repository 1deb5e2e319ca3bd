"""Answers: what a record says within other sizes, as plain data for the scripts of a page, each answer with its play in cards."""

from __future__ import annotations

from typing import Any

from ...models.cleaning import clean
from ..pictures.cards import PassageCard
from ..telling.record import Record
from .rows import page_rows


def answers_of(record: Record) -> dict[str, Any]:
    """Return the answers of *record*, in the order of its rows; their texts are fit to be shown."""
    return {
        "players": record.players,
        "sizes": [size for _, size in record.sizes],
        "milliseconds": record.milliseconds,
        "answers": [
            {
                "name": clean(one.row.name),
                "outcome": str(one.row.outcome),
                "says": clean("; ".join(filter(None, [one.rests, one.row.reason]))),
                "keys": [[clean(part) for part in key] for key in one.keys],
                "cards": [_card(card) for card in one.cards],
            }
            for one in page_rows(record)
        ],
    }


def _card(card: PassageCard) -> dict[str, str]:
    """Return the texts of *card*."""
    passage = card.passage
    piles = [f"{pile.zone}: {', '.join(one.label for one in pile.cards)}" for pile in card.piles]
    passed = [f"passed: {card.passed}"] if card.passed else []
    texts = {
        "css": f"{card.css} again" if card.is_again else card.css,
        "who": f"{passage.numbers}. {passage.mover}{f', by {passage.clause}' if passage.clause else ''}",
        "what": f"{passage.title}{passage.follows}",
        "now": "; ".join([card.priority, *passed, *piles]),
        "end": " ".join(filter(None, [f"{card.missed} has no window." if card.missed else "", card.conclusion])),
    }
    return {name: clean(text) for name, text in texts.items()}
