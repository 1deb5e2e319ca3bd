"""Maps: of the stages of a ruleset, and of the positions of a small game.

In: a Program. Out: a `Scene`, wide (in layers, each as many moves from the start as it takes at
least) or narrow (the stages one below the other).

In: positions as data, and a link for each. Out: a `Scene`. Moves by one clause to the same position
share a box.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...models import ir
from ...models.words import counted, join_words, shortened
from ..telling.state_space import ReachedMove, ReachedPosition
from .graph import OVER, stage_graph, targets_of
from .layers import LONGEST, DrawnNode, DrawnText, DrawnWay, draw_layers
from .scene import Scene
from .stages import Spacing, draw_stages, stage_css, way_css


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


MOST_STAGES = 60
_FITS = 1240.0
"""So wide a map fits on a page."""
_NARROW, _RAIL, _LEAST = 360.0, 7.0, 190.0
"""So wide a narrow one is, its rails so far apart, and a box of it at least."""


def map_scene(program: ir.Program, never: Collection[str] = ()) -> Scene | None:
    """Return the map of *program*, in which the clauses that are *never* used are marked, with
    their titles if it fits on a page with them; None if it has more than `MOST_STAGES`.
    """
    if len(program.stages) > MOST_STAGES:
        return None
    scene = _drawn_map(program, never, with_titles=True)
    return scene if scene.width <= _FITS else _drawn_map(program, never, with_titles=False)


def narrow_map_scene(program: ir.Program, never: Collection[str] = ()) -> Scene:
    """Return the map as narrow screens show it, without scrolling sideways."""
    columns, names = 0, list(stage_graph(program))
    for _ in range(2):  # how many columns the rails take shows once it is drawn
        width = max(_LEAST, _NARROW - _RAIL * (columns + 1))
        scene = _named(program)
        form = Spacing(margin=2, width=width, pad=7, rail=_RAIL, between=14, names=False)
        columns = draw_stages(scene, program, names, 2, form, never)
    return scene


def _named(program: ir.Program) -> Scene:
    return Scene(
        f"{program.title}: stages and what leads from one to another",
        "The rulebook says the same in words.",
    )


def _drawn_map(program: ir.Program, never: Collection[str], *, with_titles: bool) -> Scene:
    scene = _named(program)
    nodes = {
        stage.name: _stage_node(program, stage, never, with_titles=with_titles)
        for stage in program.stages
    }
    nodes[OVER] = DrawnNode(
        stage_css(program, OVER),
        [DrawnText("the game is over", "bold")],
        (),
        way_css(program, OVER),
    )
    draw_layers(scene, nodes, program.start.stage)
    return scene


def _stage_node(
    program: ir.Program, stage: ir.Stage, never: Collection[str], *, with_titles: bool
) -> DrawnNode:
    together = dict[tuple[str, ...], list[DrawnText]]()
    for clause in stage.clauses:
        words = f"{clause.id} {clause.title}" if with_titles else clause.id
        together.setdefault(targets_of(clause), []).append(
            DrawnText(words, "never" if clause.id in never else "")
        )
    ways = [DrawnWay(targets, words) for targets, words in together.items()]
    css = stage_css(program, stage.name)
    return DrawnNode(
        css, [DrawnText(stage.title or stage.name, "bold")], ways, way_css(program, stage.name)
    )
