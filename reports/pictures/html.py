"""HTML: one page with the picture of a play, the play as a ruling, and the smallest such play in words if somebody asked for it.

It needs no network, and is light or dark as the reader's system is. Where it is narrow, cards stand in the place of the picture.
"""

from __future__ import annotations

from markupsafe import Markup
from rich.console import Group

from ..plays.play import Play
from ..text.page import plain
from ..text.ruling import render_moves
from ..text.why import render_why
from .cards import cards_of
from .scene import Scene
from .svg import environment, render_svg

_WIDTH = 80
_UNBROKEN = 2_000
"""So wide is what the reader's window breaks into lines."""


def render_html(scene: Scene, play: Play | None, smallest: str = "") -> str:
    """Return the page of *scene*, of *play* as text if there is one, and of what is known of the *smallest*."""
    moves = plain(render_moves(play), _WIDTH) if play is not None else ""
    why = plain(Group(*render_why(play)), _UNBROKEN).strip() if play is not None else ""
    picture = Markup(render_svg(scene, style=False))
    cards = [] if play is None else list(cards_of(play))
    return (
        environment()
        .get_template("play.html.jinja")
        .render(scene=scene, picture=picture, cards=cards, moves=moves, why=why, smallest=smallest[:1].upper() + smallest[1:])
    )
