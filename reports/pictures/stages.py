"""Stages one below the other, their clauses in them, as text and as a picture.

In: a Program, and a scene to draw in. Rails share a column where one ends above the other.

A ruleset's own stages and clauses, as text and as a picture.

In: a Program. Out: a rich renderable, or a `Scene`: the stages one below the other in the order of
`graph.stage_graph`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from ...models import ir
from ...models.frozen import frozen
from ...models.words import counted, settings_words
from ..text.listing import option_table
from ..text.page import columns, facts, grouped, indented, title_line
from .graph import OVER, stage_graph, targets_of
from .picture import write_picture
from .scene import LINE, Box, Polyline, Scene

if TYPE_CHECKING:
    import networkx as nx
    from rich.console import RenderableType
    from rich.table import Table


BODY, SMALL = 13.0, 11.5
_ABOVE, _APART, _CLEAR = 8.0, 7.0, 6.0
"""Between a box and its words; between the lines of one clause; between two rails of a column."""


@frozen
class Spacing:
    """The form of a drawing: what is left free beside it, how wide its boxes are, what lies between
    them and their words, and how far its rails and its stages are from each other. With *names* it
    has those of the text, too.
    """

    margin: float
    width: float
    pad: float
    rail: float
    between: float
    names: bool


class _Leaving(NamedTuple):
    """A line to the stage *target*, from the right end of a box at height *y*."""

    target: str
    y: float


class _Rail(NamedTuple):
    """The rail of the stage *target*, whose box it enters at *entry*; lines run into it at
    *heights*.
    """

    target: str
    entry: float
    heights: tuple[float, ...]

    @property
    def top(self) -> float:
        return min(self.entry, *self.heights)

    @property
    def bottom(self) -> float:
        return max(self.entry, *self.heights)


def way_css(program: ir.Program, name: str) -> str:
    """Return the class of lines that lead to the stage called *name*: where somebody has priority,
    the end of the game, any other.
    """
    if name == OVER:
        return "breaks"
    return "kernel" if program.stage(name).priority is None else "window"


def stage_css(program: ir.Program, name: str) -> str:
    """Return the classes of the box of the stage called *name*; that of stage number k has
    ``stage-k``, that of the end ``stage-over``.
    """
    if name == OVER:
        return "stage stage-over"
    number = [stage.name for stage in program.stages].index(name)
    window = " window" if program.stage(name).priority is not None else ""
    return f"stage stage-{number}{window}"


def draw_stages(
    scene: Scene,
    program: ir.Program,
    names: Sequence[str],
    top: float,
    form: Spacing,
    never: Collection[str] = (),
) -> int:
    """Draw the stages *names* from *top* downward, the clauses in them that are *never* used
    marked; say how large *scene* is then, and return how many columns its rails take.
    """
    leaving = list[_Leaving]()
    tops = dict[str, float]()
    y = top
    for name in names:
        tops[name] = y
        y = _draw_stage(scene, program, name, y, form, leaving, never) + form.between
    rails = [
        _Rail(name, tops[name] + _ABOVE + BODY * LINE / 2, tuple(heights))
        for name in names
        if (heights := [one.y for one in leaving if one.target == name])
    ]
    columns = _columns(rails)
    _draw_rails(scene, program, columns, form)
    taken = max(columns.values(), default=0)
    scene.width = form.margin + form.width + form.rail * (taken + 1) + form.margin
    scene.height = y
    return taken


def _draw_stage(
    scene: Scene,
    program: ir.Program,
    name: str,
    top: float,
    form: Spacing,
    leaving: list[_Leaving],
    never: Collection[str],
) -> float:
    """Draw a stage from *top*, note in *leaving* where its clauses lead to, and return where it
    ends.
    """
    stage = None if name == OVER else program.stage(name)
    room, left = form.width - 2 * form.pad, form.margin + form.pad
    heading = _heading(name, stage, names=form.names)
    y = scene.paragraph((left, top + _ABOVE), heading, room, "bold", BODY)
    for clause in stage.clauses if stage is not None else ():
        targets = targets_of(clause)
        words = f"{clause.id} {clause.title}"
        said = f"{clause.mode} {words}" if form.names else words
        leaving += [
            _Leaving(target, y + SMALL * 0.7 + number * _APART)
            for number, target in enumerate(targets)
        ]
        css = "never" if clause.id in never else ""
        written = scene.paragraph((left, y), said, room, css, SMALL)
        y = max(written, y + _APART * len(targets) + 4) + 2
    scene.boxes.append(
        Box(form.margin, top, form.width, y + _ABOVE - top, stage_css(program, name))
    )
    return y + _ABOVE


def _heading(name: str, stage: ir.Stage | None, *, names: bool) -> str:
    if stage is None:
        return name
    return f"{name}: {stage.title}" if names and stage.title else stage.title or name


def _columns(rails: Sequence[_Rail]) -> dict[_Rail, int]:
    """Return for each rail its column, the first from its top downward in which it has room."""
    ends, columns = list[float](), dict[_Rail, int]()
    for rail in sorted(rails, key=lambda rail: rail.top):
        free = next((n for n, end in enumerate(ends) if end + _CLEAR < rail.top), len(ends))
        ends[free : free + 1] = [rail.bottom]
        columns[rail] = free + 1
    return columns


def _draw_rails(
    scene: Scene, program: ir.Program, columns: Mapping[_Rail, int], form: Spacing
) -> None:
    """Draw each rail in its column, from the clauses into the top of its stage."""
    right = form.margin + form.width
    for rail, column in columns.items():
        x, css = right + form.rail * (column + 1), way_css(program, rail.target)
        scene.lines += [Polyline(((right, y), (x, y)), css, plain=True) for y in rail.heights]
        scene.lines += [
            Polyline(((x, rail.top), (x, rail.bottom)), css, plain=True),
            Polyline(((x, rail.entry), (right + 1, rail.entry)), css),
        ]


_MODES = {"may": "cyan", "must": "yellow", "chance": "blue"}


@grouped
def render_rulebook(program: ir.Program) -> Iterator[RenderableType]:
    """Return *program* as text: what there is, then every stage with its clauses."""
    yield from (title_line(program.name, program.title), _facts(program), Text(""))
    if program.options:
        yield from (
            Text("values of each option", "bold"),
            indented(option_table(program.options)),
            Text(""),
        )
    for stage in program.stages:
        yield from (*_stage(stage), Text(""))
    clauses = len(program.clauses)
    yield Text(f"{counted(len(program.stages), 'stage')}, {counted(clauses, 'clause')}.")
    if program.inactive:
        yield Text(f"Not in force under these options: {', '.join(program.inactive)}.", "dim")


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
    "An arrow leads from clauses to the stage that comes next. It is blue where somebody then has "
    "priority, red where the game is over."
)


def draw_rulebook(program: ir.Program, path: Path) -> None:
    """Write a picture of the stages of *program* to *path*."""
    graph = stage_graph(program)
    write_picture(rulebook_scene(program, graph), graph, path)


def rulebook_scene(program: ir.Program, graph: nx.MultiDiGraph[str]) -> Scene:
    """Return the picture of *graph*, the stages of *program*."""
    scene = Scene(f"{program.title}: stages and clauses", program.document)
    left, room = _FORM.margin, _FORM.width
    y = scene.paragraph((left, left), scene.title, room, "bold", 19)
    y = scene.paragraph((left, y), program.document, room, "faint", SMALL)
    y = scene.paragraph((left, y), _LEGEND, room, "faint italic", SMALL) + left
    draw_stages(scene, program, list(graph), y, _FORM)
    return scene
