"""HTML: one page with the picture of a play, the play as a ruling, and the smallest such play in words if somebody asked for it.

It needs no network, and is light or dark as the reader's system is.
"""

from __future__ import annotations

from markupsafe import Markup

from ..plays.play import Play
from ..text.page import plain
from ..text.ruling import render_ruling
from .scene import Scene
from .svg import environment, render_svg

_WIDTH = 100


def render_html(scene: Scene, play: Play | None, smallest: str = "") -> str:
    """Return the page of *scene*, of *play* as text if there is one, and of what is known of the *smallest*."""
    ruling = plain(render_ruling(play), _WIDTH) if play is not None else ""
    picture = Markup(render_svg(scene, style=False))
    return (
        environment()
        .get_template("play.html.jinja")
        .render(scene=scene, picture=picture, ruling=ruling, smallest=smallest[:1].upper() + smallest[1:])
    )
