"""The positions of a small game, drawn in layers: each as many moves from the start as it takes at
least, and below each its moves.

In: positions as data, and a link for each. Out: a `Scene`. Moves by one clause to the same position
share a box.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...models.words import counted, join_words, shortened
from ..telling.state_space import ReachedMove, ReachedPosition
from .layers import LONGEST, DrawnNode, DrawnText, DrawnWay, draw_layers
from .scene import Scene


def positions_scene(
    title: str, positions: Sequence[ReachedPosition], links: Sequence[str]
) -> Scene:
    """Return the picture of *positions*, which lead to *links*; the box of number k has the class
    ``position-k``.
    """
    scene = Scene(
        f"{title}: positions and what leads from one to another",
        "Each position is a link to a play that leads to it.",
    )
    nodes = {
        str(number): _node(number, one, link)
        for number, (one, link) in enumerate(zip(positions, links, strict=True))
    }
    draw_layers(scene, nodes, "0")
    return scene


def _node(number: int, position: ReachedPosition, link: str) -> DrawnNode:
    says = _says(position)
    ways = dict[int, list[str]]()
    for move in position.moves:
        ways.setdefault(move.target, []).append(_move_words(move))
    leads = [
        f"{join_words(list(dict.fromkeys(made)))} to {target}" for target, made in ways.items()
    ]
    label = ". ".join(
        [
            f"Position {number}: {shortened(position.title, LONGEST)}",
            *says,
            *(f"By {one}" for one in leads),
        ]
    )
    css = f"stage position-{number}{' window' if position.holders else ''}"
    boxes = [
        DrawnWay(
            (str(target),),
            [*map(DrawnText, dict.fromkeys(made)), DrawnText(f"to {target}", "bold")],
        )
        for target, made in ways.items()
    ]
    words = [DrawnText(f"{number}. {position.title}", "bold"), *map(DrawnText, says)]
    entry = "window" if position.holders else "kernel" if position.stage else "breaks"
    return DrawnNode(css, words, boxes, entry, link, label)


def _move_words(move: ReachedMove) -> str:
    clause = shortened(move.clause, LONGEST)
    return clause if move.who.startswith("the ") else f"{move.who} {clause}"


def _says(position: ReachedPosition) -> list[str]:
    """Return what is so in *position*, line by line."""
    holders = position.holders
    priority = (
        [f"{join_words(holders)} {'have' if len(holders) > 1 else 'has'} priority"]
        if holders
        else []
    )
    cut = [f"{counted(position.cut, 'move')} left out: no room"] if position.cut else []
    return [*priority, *(shortened(one, LONGEST) for one in position.says), *cut]
