"""The map of a game: its stages in layers, each as many moves from the start as it takes at least, and below each what its clauses lead to.

In: a Program. Out: a `Scene`. Clauses of a stage that lead to the same stages share a box.
"""

from __future__ import annotations

from collections.abc import Collection

from ...models import ir
from .graph import OVER, targets_of
from .layers import DrawnNode, DrawnText, DrawnWay, draw_layers
from .rulebook import way_css
from .scene import Scene

MOST_STAGES = 60


def map_scene(program: ir.Program, never: Collection[str] = ()) -> Scene | None:
    """Return the map of *program*, in which the clauses that are *never* used are marked; None if it has more than `MOST_STAGES`.

    The box of stage number k has the class ``stage-k``, that of the end ``stage-over``.
    """
    if len(program.stages) > MOST_STAGES:
        return None
    scene = Scene(f"{program.title}: stages and what leads from one to another", "The rulebook says the same in words.")
    nodes = {stage.name: _stage(program, stage, number, never) for number, stage in enumerate(program.stages)}
    nodes[OVER] = DrawnNode("stage stage-over", [DrawnText("the game is over", "bold")], (), way_css(program, OVER))
    draw_layers(scene, nodes, program.start.stage)
    return scene


def _stage(program: ir.Program, stage: ir.Stage, number: int, never: Collection[str]) -> DrawnNode:
    together = dict[tuple[str, ...], list[DrawnText]]()
    for clause in stage.clauses:
        together.setdefault(targets_of(clause), []).append(DrawnText(clause.id, "never" if clause.id in never else ""))
    css = f"stage stage-{number}{' window' if stage.priority is not None else ''}"
    ways = [DrawnWay(targets, words) for targets, words in together.items()]
    return DrawnNode(css, [DrawnText(stage.title or stage.name, "bold")], ways, way_css(program, stage.name))
