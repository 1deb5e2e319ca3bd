"""A ruleset's own stages and clauses, as text and as a picture.

In: a Program. Out: a rich renderable, or a `Scene`: the stages one below the other in the order of
`graph.stage_graph`, their clauses in them, and for every stage a rail on the right into which the
clauses that lead to it run. The map has the stages in layers, each as many moves from the start as
it takes at least.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ...models import ir
from ...models.words import counted, settings_words
from ..text.columns import columns, facts, title_line
from ..text.listing import option_table
from .graph import OVER, stage_graph, targets_of
from .layers import DrawnNode, DrawnText, DrawnWay, draw_layers
from .picture import write_picture
from .scene import LINE, Box, Label, Polyline, Scene, wrap

if TYPE_CHECKING:
    import networkx as nx
    from rich.table import Table

_MODES = {"may": "cyan", "must": "yellow", "chance": "blue"}


MOST_STAGES = 60
_FITS = 1240.0
"""So wide a map fits on a page."""


def render_rulebook(program: ir.Program) -> Group:
    """Return *program* as text: what there is, then every stage with its clauses."""
    parts: list[RenderableType] = [
        title_line(program.name, program.title),
        _facts(program),
        Text(""),
    ]
    if program.options:
        parts += [
            Text("values of each option", "bold"),
            Padding(option_table(program.options), (0, 0, 0, 2)),
            Text(""),
        ]
    for stage in program.stages:
        parts += [*_stage(stage), Text("")]
    clauses = len(program.clauses)
    parts.append(Text(f"{counted(len(program.stages), 'stage')}, {counted(clauses, 'clause')}."))
    if program.inactive:
        parts.append(
            Text(f"Not in force under these options: {', '.join(program.inactive)}.", "dim")
        )
    return Group(*parts)


def _facts(program: ir.Program) -> Table:
    """Return what the game has: players, items, zones, steps, variables."""
    least, most = program.players
    players = (
        f"{least} or more"
        if most is None
        else f"{least}"
        if most == least
        else f"{least} to {most}"
    )
    said = [
        ("source", program.document),
        ("players", players),
        ("options", settings_words(program.settings)),
        ("items", ", ".join(kind.title or kind.name for kind in program.kinds)),
        ("zones", ", ".join(f"{zone.name} ({ir.ORDERS[zone.order]})" for zone in program.zones)),
        *(
            (s.title or s.name, ", ".join(step.title or step.name for step in s.steps))
            for s in program.sequences
        ),
    ]
    return facts(said)


def _stage(stage: ir.Stage) -> Iterator[RenderableType]:
    """Yield a stage with its clauses."""
    parameters = ", ".join(parameter.name for parameter in stage.parameters)
    head = Text(f"{stage.name}({parameters})" if parameters else stage.name, "bold").append(
        f"  {stage.title}", "not bold"
    )
    yield head.append("" if stage.priority is None else "  [with priority]", "cyan")
    table = columns("", "bold")
    for clause in stage.clauses:
        words = Text(clause.title).append(f"  → {', '.join(targets_of(clause))}", "dim")
        if clause.cites:
            words.append(f"  ({', '.join(clause.cites)})", "dim")
        table.add_row(Text(f"  {clause.mode}", _MODES[clause.mode]), Text(clause.id), words)
    yield table


# ------------------------------------------------------------------ the picture

MARGIN, BOX_WIDTH, BODY, SMALL, RAIL = 24.0, 560.0, 13.0, 11.5, 18.0
_LEGEND = (
    "An arrow leads from clauses to the stage that comes next. "
    "It is blue where somebody then has priority, red where the game is over."
)


def draw_rulebook(program: ir.Program, path: Path) -> None:
    """Write a picture of the stages of *program* to *path*."""
    graph = stage_graph(program)
    write_picture(rulebook_scene(program, graph), graph, path)


def rulebook_scene(program: ir.Program, graph: nx.MultiDiGraph[str]) -> Scene:
    """Return the picture of *graph*, the stages of *program*."""
    scene = Scene(f"{program.title}: stages and clauses", program.document)
    y = scene.text((MARGIN, MARGIN), wrap(scene.title, BOX_WIDTH, 19, bold=True), "bold", 19)
    y = scene.text((MARGIN, y), wrap(program.document, BOX_WIDTH, SMALL), "faint", SMALL)
    y = scene.text((MARGIN, y), wrap(_LEGEND, BOX_WIDTH, SMALL), "faint italic", SMALL) + MARGIN
    tops: dict[str, float] = {}
    leaving: list[tuple[str, float]] = []
    for name in graph:
        tops[name] = y
        y = _draw_stage(scene, program, name, y, leaving) + MARGIN
    _draw_rails(scene, program, list(graph), tops, leaving)
    scene.height = y
    return scene


def _draw_stage(
    scene: Scene, program: ir.Program, name: str, top: float, leaving: list[tuple[str, float]]
) -> float:
    """Draw a stage from *top*, note in *leaving* where its clauses lead to, and return where it
    ends.
    """
    stage = None if name == OVER else program.stage(name)
    room = BOX_WIDTH - 2 * 12
    heading = name if stage is None else f"{name}: {stage.title}" if stage.title else name
    y = scene.text((MARGIN + 12, top + 8), wrap(heading, room, BODY, bold=True), "bold", BODY)
    for clause in stage.clauses if stage is not None else ():
        targets = targets_of(clause)
        lines = wrap(f"{clause.mode} {clause.id} {clause.title}", room, SMALL)
        for number, target in enumerate(targets):
            leaving.append((target, y + SMALL * 0.7 + number * 7))
        y = max(scene.text((MARGIN + 12, y), lines, "", SMALL), y + 7 * len(targets) + 4) + 2
    css = "stage window" if stage is not None and stage.priority is not None else "stage"
    scene.boxes.append(Box(MARGIN, top, BOX_WIDTH, y + 8 - top, css))
    return y + 8


def way_css(program: ir.Program, name: str) -> str:
    """Return the class of lines that lead to the stage called *name*: where somebody has priority,
    the end of the game, any other.
    """
    if name == OVER:
        return "breaks"
    return "kernel" if program.stage(name).priority is None else "window"


def _draw_rails(
    scene: Scene,
    program: ir.Program,
    names: Sequence[str],
    tops: dict[str, float],
    leaving: list[tuple[str, float]],
) -> None:
    """Draw for each stage that a clause leads to a rail, from the clauses into the top of the
    stage.
    """
    reached = [name for name in names if any(target == name for target, _ in leaving)]
    right = MARGIN + BOX_WIDTH
    for number, name in enumerate(reached):
        x, css = right + RAIL * (number + 2), way_css(program, name)
        entry = tops[name] + 8 + BODY * LINE / 2
        heights = [y for target, y in leaving if target == name]
        scene.lines += [Polyline(((right, y), (x, y)), css, plain=True) for y in heights]
        scene.lines.append(
            Polyline(((x, min([*heights, entry])), (x, max([*heights, entry]))), css, plain=True)
        )
        scene.lines.append(Polyline(((x, entry), (right + 1, entry)), css))
    scene.width = right + RAIL * (len(reached) + 2) + MARGIN
    for name in names:
        if name not in reached:
            scene.labels.append(
                Label(right + 8, tops[name] + 8 + BODY, "start only", "faint", SMALL)
            )


def map_scene(program: ir.Program, never: Collection[str] = ()) -> Scene | None:
    """Return the map of *program*, in which the clauses that are *never* used are marked, with
    their titles if it fits on a page with them; None if it has more than `MOST_STAGES`.

    The box of stage number k has the class ``stage-k``, that of the end ``stage-over``.
    """
    if len(program.stages) > MOST_STAGES:
        return None
    scene = _drawn_map(program, never, with_titles=True)
    return scene if scene.width <= _FITS else _drawn_map(program, never, with_titles=False)


def _drawn_map(program: ir.Program, never: Collection[str], *, with_titles: bool) -> Scene:
    scene = Scene(
        f"{program.title}: stages and what leads from one to another",
        "The rulebook says the same in words.",
    )
    nodes = {
        stage.name: _stage_node(program, stage, number, never, with_titles=with_titles)
        for number, stage in enumerate(program.stages)
    }
    nodes[OVER] = DrawnNode(
        "stage stage-over", [DrawnText("the game is over", "bold")], (), way_css(program, OVER)
    )
    draw_layers(scene, nodes, program.start.stage)
    return scene


def _stage_node(
    program: ir.Program,
    stage: ir.Stage,
    number: int,
    never: Collection[str],
    *,
    with_titles: bool,
) -> DrawnNode:
    together = dict[tuple[str, ...], list[DrawnText]]()
    for clause in stage.clauses:
        words = f"{clause.id} {clause.title}" if with_titles else clause.id
        together.setdefault(targets_of(clause), []).append(
            DrawnText(words, "never" if clause.id in never else "")
        )
    css = f"stage stage-{number}{' window' if stage.priority is not None else ''}"
    ways = [DrawnWay(targets, words) for targets, words in together.items()]
    return DrawnNode(
        css, [DrawnText(stage.title or stage.name, "bold")], ways, way_css(program, stage.name)
    )
