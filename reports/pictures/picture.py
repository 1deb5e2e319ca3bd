"""The picture that a file gets, by its name: ``.svg``, ``.html``, ``.mmd``, ``.dot`` and
``.graphml``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
from markupsafe import Markup
from rich.console import Group

from ...models.words import clean
from ..files import write_whole
from ..page.rows import cards_of
from ..plays.play import Play
from ..text.page import plain
from ..text.ruling import render_moves, render_why
from .draw_play import Titled, draw_play
from .graph import play_graph
from .mermaid import render_flowchart, render_sequence
from .scene import Scene, environment, render_svg

_WIDTH = 80
_UNBROKEN = 2_000
"""So wide is what the reader's window breaks into lines."""


def draw(titled: Titled, path: Path) -> None:
    """Write the picture of a play to *path*, in the format its ending names."""
    write_picture(draw_play(titled), play_graph(titled.play), path, titled.play, titled.smallest)


def write_picture(
    scene: Scene,
    graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any],
    path: Path,
    play: Play | None = None,
    smallest: str = "",
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


def render_html(scene: Scene, play: Play | None, smallest: str = "") -> str:
    """Return the page of *scene*, of *play* as text if there is one, and of what is known of the
    *smallest*.
    """
    moves = plain(render_moves(play), _WIDTH) if play is not None else ""
    why = plain(Group(*render_why(play)), _UNBROKEN).strip() if play is not None else ""
    picture = Markup(render_svg(scene, style=False))
    cards = [] if play is None else list(cards_of(play))
    return (
        environment()
        .get_template("play.html.jinja")
        .render(
            scene=scene,
            picture=picture,
            cards=cards,
            moves=moves,
            why=why,
            smallest=smallest[:1].upper() + smallest[1:],
        )
    )


def render_dot(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return *graph*, with what its nodes and edges say as their labels."""
    lines = [
        "digraph stacklaw {",
        '  rankdir="TB"; node [shape="box", style="rounded", fontname="Helvetica"]; edge '
        '[fontname="Helvetica"];',
    ]
    for node, data in graph.nodes(data=True):
        style = ', color="#c62828", penwidth="3"' if data.get("decides") == "breaks" else ""
        lines.append(f"  {_quoted(str(node))} [label={_quoted(_label(node, data))}{style}];")
    for source, target, data in graph.edges(data=True):
        words = "\n".join(str(data[key]) for key in ("clause", "title", "mover") if data.get(key))
        lines.append(
            f"  {_quoted(str(source))} -> {_quoted(str(target))} [label={_quoted(words)}];"
        )
    return "\n".join([*lines, "}", ""])


def _label(node: object, data: dict[str, Any]) -> str:
    """Return what a node says: its name, and all it carries that is not empty."""
    said = [
        f"{key.removeprefix('zone_')}: {value}"
        for key, value in data.items()
        if value not in ("", None)
    ]
    return "\n".join([str(node), *said])


def _quoted(text: str) -> str:
    """Return *text* as a DOT string, each of its lines on one of its own."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return f'"{escaped}"'


def render_graphml(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return *graph* with all that its nodes and edges carry."""
    return "\n".join(nx.generate_graphml(graph)) + "\n"
