"""A ruleset's own stages and clauses, as text and as a picture.

In: a Program. Out: a rich renderable, or a `Scene`: the stages one below the other in the order of
`graph.stage_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ...models import ir
from ...models.words import counted, settings_words
from ..text.listing import option_table
from ..text.page import columns, facts, title_line
from .graph import stage_graph, targets_of
from .picture import write_picture
from .scene import Scene, wrap
from .stages import SMALL, Spacing, draw_stages

if TYPE_CHECKING:
    import networkx as nx
    from rich.table import Table

_MODES = {"may": "cyan", "must": "yellow", "chance": "blue"}


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

_FORM = Spacing(margin=24, width=560, pad=12, rail=18, between=24, names=True)
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
    left, room = _FORM.margin, _FORM.width
    y = scene.text((left, left), wrap(scene.title, room, 19, bold=True), "bold", 19)
    y = scene.text((left, y), wrap(program.document, room, SMALL), "faint", SMALL)
    y = scene.text((left, y), wrap(_LEGEND, room, SMALL), "faint italic", SMALL) + left
    draw_stages(scene, program, list(graph), y, _FORM)
    return scene
