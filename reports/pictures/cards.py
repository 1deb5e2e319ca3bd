"""Cards: a play for a narrow page, a card for each passage of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...models.words import join_words
from ..naming import player_name
from ..plays.passages import Passage, passages_of
from ..plays.play import Pile, Play
from .draw_play import missed_in


@dataclass(frozen=True)
class PassageCard:
    """A passage as a card: what is decided and what comes of it, and how things are then."""

    passage: Passage
    css: str
    priority: str
    passed: str
    piles: tuple[Pile, ...]
    missed: str
    is_again: bool
    conclusion: str


def cards_of(play: Play) -> Iterator[PassageCard]:
    """Yield a card for each passage of *play*."""
    passages = passages_of(play)
    missed = missed_in(play, passages)
    for row, passage in enumerate(passages):
        end, is_last = passage.end, passage is passages[-1] and bool(play.conclusion)
        seat = passage.head.seat if passage.kind == "move" else None
        yield PassageCard(
            passage,
            f"{'rules' if seat is None else f'player{seat % 6}'}{f' {play.ending}' if is_last else ''}",
            f"{join_words(end.priority) or 'nobody'} {'have' if len(end.priority) > 1 else 'has'} priority",
            join_words([player_name(seat) for seat in end.passed]),
            tuple(pile for pile in end.piles if pile.cards),
            missed[row].player if row in missed else "",
            play.round is not None and passage.head.number >= play.round[0],
            play.conclusion if is_last else "",
        )
