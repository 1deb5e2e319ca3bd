"""The picture that a file gets, by its name: ``.svg``, ``.html``, ``.mmd``, ``.dot`` and ``.graphml``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...models.cleaning import clean
from ..files import write_whole
from ..plays.play import Play
from .draw_play import Titled, draw_play
from .exports import render_dot, render_graphml
from .graph import play_graph
from .html import render_html
from .mermaid import render_flowchart, render_sequence
from .scene import Scene
from .svg import render_svg

if TYPE_CHECKING:
    import networkx as nx


def draw(titled: Titled, path: Path) -> None:
    """Write the picture of a play to *path*, in the format its ending names."""
    write_picture(draw_play(titled), play_graph(titled.play), path, titled.play, titled.smallest)


def write_picture(
    scene: Scene, graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any], path: Path, play: Play | None = None, smallest: str = ""
) -> None:
    """Write *scene*, or the *graph* it was drawn from, to *path*."""
    match path.suffix:
        case ".svg":
            text = render_svg(scene)
        case ".dot":
            text = render_dot(graph)
        case ".graphml":
            text = render_graphml(graph)
        case ".html":
            text = render_html(scene, play, smallest)
        case ".mmd":
            text = render_flowchart(graph) if play is None else render_sequence(play)
        case other:
            raise ValueError(f"no picture ends in {other}")
    write_whole(path, clean(text))
