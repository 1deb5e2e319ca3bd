"""HTML: one page with the picture of a play, the play as a ruling, and the smallest such play in words if somebody asked for it.

It needs no network, and is light or dark as the reader's system is. Where it is narrow, cards stand in the place of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup
from rich.console import Group

from ...models.words import join_words
from ..naming import player_name
from ..plays.passages import Passage, passages_of
from ..plays.play import Pile, Play
from ..text.page import plain
from ..text.ruling import render_moves
from ..text.why import render_why
from .draw_play import missed_in
from .scene import Scene
from .svg import environment, render_svg

_WIDTH = 80
_UNBROKEN = 2_000
"""So wide is what the reader's window breaks into lines."""


@dataclass(frozen=True)
class _Card:
    """A passage as a card: what is decided and what comes of it, and how things are then."""

    passage: Passage
    css: str
    priority: str
    passed: str
    piles: tuple[Pile, ...]
    missed: str
    is_again: bool
    conclusion: str


def render_html(scene: Scene, play: Play | None, smallest: str = "") -> str:
    """Return the page of *scene*, of *play* as text if there is one, and of what is known of the *smallest*."""
    moves = plain(render_moves(play), _WIDTH) if play is not None else ""
    why = plain(Group(*render_why(play)), _UNBROKEN).strip() if play is not None else ""
    picture = Markup(render_svg(scene, style=False))
    cards = [] if play is None else list(_cards(play))
    return (
        environment()
        .get_template("play.html.jinja")
        .render(scene=scene, picture=picture, cards=cards, moves=moves, why=why, smallest=smallest[:1].upper() + smallest[1:])
    )


def _cards(play: Play) -> Iterator[_Card]:
    """Yield a card for each passage of *play*."""
    passages = passages_of(play)
    missed = missed_in(play, passages)
    for row, passage in enumerate(passages):
        end, is_last = passage.end, passage is passages[-1] and bool(play.conclusion)
        seat = passage.head.seat if passage.kind == "move" else None
        yield _Card(
            passage,
            f"{'rules' if seat is None else f'player{seat % 6}'}{f' {play.ending}' if is_last else ''}",
            f"{join_words(end.priority) or 'nobody'} {'have' if len(end.priority) > 1 else 'has'} priority",
            join_words([player_name(seat) for seat in end.passed]),
            tuple(pile for pile in end.piles if pile.cards),
            missed[row].player if row in missed else "",
            play.round is not None and passage.head.number >= play.round[0],
            play.conclusion if is_last else "",
        )
