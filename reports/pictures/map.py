"""The map of a game: its stages in layers, each as many moves from the start as it takes at least, and below each what its clauses lead to.

In: a Program. Out: a `Scene`. Clauses of a stage that lead to the same stages share a box. One goes on to the next layer at most; what
leads back, or to a stage of the same layer, goes by a rail on the right, one for each stage that it leads to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx

from ...models import ir
from .graph import OVER, stage_graph, targets_of
from .rulebook import way_css
from .scene import LINE, Box, Label, Polyline, Scene, wrap

MOST_STAGES = 60
_STAGE, _GROUP, _GAP, _PAD, _MARGIN = 190.0, 140.0, 18.0, 7.0, 12.0
"""How wide a stage is, and a box of clauses; what lies between two, around their words, and around everything."""
_TITLE, _ID = 12.5, 11.0
_BELOW, _APART, _CLEAR, _AHEAD = 24.0, 6.0, 10.0, 26.0
"""Between a stage and its clauses; between lines side by side; between them and boxes; what is left for lines to the next layer."""


class _Group(NamedTuple):
    """Clauses that lead to the same *targets*: each line of their *ids*, and whether its clause is never used."""

    targets: tuple[str, ...]
    ids: Sequence[tuple[str, bool]]


@dataclass
class _Place:
    """Where the stage *name*, in layer *depth*, lies with its *groups*: its left end *x*, its *top*, and that of what is *below*."""

    name: str
    css: str
    title: Sequence[str]
    groups: Sequence[_Group]
    depth: int
    x: float = 0
    top: float = 0
    below: float = 0

    @property
    def width(self) -> float:
        """How wide it is with its groups."""
        return max(_STAGE, self.groups_width)

    @property
    def groups_width(self) -> float:
        """How wide these are."""
        return len(self.groups) * (_GROUP + _GAP) - _GAP

    @property
    def box(self) -> Box:
        """Its own box."""
        return Box(self.x + (self.width - _STAGE) / 2, self.top, _STAGE, len(self.title) * _TITLE * LINE + 2 * _PAD, self.css)

    @property
    def theirs(self) -> list[Box]:
        """Those of its groups."""
        left, heights = self.x + (self.width - self.groups_width) / 2, (len(group.ids) * _ID * LINE + 2 * _PAD for group in self.groups)
        return [Box(left + number * (_GROUP + _GAP), self.below, _GROUP, height, "card") for number, height in enumerate(heights)]


def map_scene(program: ir.Program, never: Collection[str] = ()) -> Scene | None:
    """Return the map of *program*, in which the clauses that are *never* used are marked; None if it has more than `MOST_STAGES`.

    The box of stage number k has the class ``stage-k``, that of the end ``stage-over``.
    """
    return None if len(program.stages) > MOST_STAGES else _Map(program, never).scene


class _Map:
    """One map, drawn from its first layer to its last."""

    def __init__(self, program: ir.Program, never: Collection[str]) -> None:
        self.program, self.never = program, never
        self.scene = Scene(f"{program.title}: stages and what leads from one to another", "The rulebook says the same in words.")
        self.layers = list(self._layers())
        self.places = {place.name: place for layer in self.layers for place in layer}
        self.back = [place.name for place in self.places.values() if any(self._backward(other, place) for other in self.places.values())]
        widest = max(_width(layer) for layer in self.layers)
        self.rails = {name: _MARGIN + widest + _CLEAR + _APART * number for number, name in enumerate(self.back, 1)}
        self.ends: list[tuple[float, float]] = []  # of each layer, where its boxes end, and where its room begins
        y = _MARGIN
        for layer in self.layers:
            y = self._place(layer, y, widest)
        for layer, (floor, _) in zip(self.layers, self.ends, strict=True):
            self._draw(layer, floor)
        self.scene.width, self.scene.height = _MARGIN + widest + _CLEAR + _APART * (len(self.back) + 1) + _MARGIN, y

    # ------------------------------------------------------------------ layers

    def _layers(self) -> Iterator[list[_Place]]:
        """Yield the stages, layer by layer; there is none that nothing leads to."""
        for depth, layer in enumerate(nx.bfs_layers(nx.DiGraph(stage_graph(self.program)), self.program.start.stage)):
            yield [self._stage(name, depth) for name in layer]

    def _stage(self, name: str, depth: int) -> _Place:
        if name == OVER:
            return _Place(name, "stage stage-over", ["the game is over"], (), depth)
        stage, together = self.program.stage(name), dict[tuple[str, ...], list[tuple[str, bool]]]()
        for clause in stage.clauses:
            lines = wrap(clause.id, _GROUP - 2 * _PAD, _ID)
            together.setdefault(targets_of(clause), []).extend((line, clause.id in self.never) for line in lines)
        css = f"stage stage-{self.program.stages.index(stage)}{' window' if stage.priority is not None else ''}"
        title = wrap(stage.title or name, _STAGE - 2 * _PAD, _TITLE, bold=True)
        return _Place(name, css, title, [_Group(targets, ids) for targets, ids in together.items()], depth)

    @staticmethod
    def _backward(one: _Place, target: _Place) -> bool:
        """Whether a clause of *one* leads to *target*, in the same layer or above."""
        return target.depth <= one.depth and any(target.name in group.targets for group in one.groups)

    # ------------------------------------------------------------------ places

    def _place(self, layer: Sequence[_Place], top: float, widest: float) -> float:
        """Give the boxes of *layer* their places below *top*, and return where it ends."""
        entry = top
        top += _APART * sum(place.name in self.back for place in layer) + _CLEAR
        x = _MARGIN + (widest - _width(layer)) / 2
        for place in layer:
            place.x, place.top = x, top
            x += place.width + _GAP
        roof = max(_end(place.box) for place in layer)
        for place in layer:
            place.below = roof + _BELOW
        floor = max([roof, *(_end(box) for place in layer for box in place.theirs)])
        self.ends.append((floor, entry))
        outs = len({name for place in layer for name in self.back if self._backward(place, self.places[name])})
        return floor + _CLEAR + _APART * outs + (_AHEAD if layer is not self.layers[-1] else 0)

    # ------------------------------------------------------------------ drawing

    def _draw(self, layer: Sequence[_Place], floor: float) -> None:
        """Draw *layer*, whose boxes end at *floor*, and the lines that leave it."""
        scene, leads = self.scene, [name for name in self.back if any(self._backward(place, self.places[name]) for place in layer)]
        roof = max(_end(place.box) for place in layer)
        for place in layer:
            scene.boxes += [place.box, *place.theirs]
            self._words(place.box, [(line, "bold") for line in place.title], _TITLE)
            middle = place.box.x + place.box.width / 2
            for box, group in zip(place.theirs, place.groups, strict=True):
                self._words(box, [(line, "never" if is_never else "") for line, is_never in group.ids], _ID)
                at = box.x + box.width / 2
                scene.lines.append(Polyline(((middle, _end(place.box)), (middle, roof), (at, box.y)), plain=True))
                for number, name in enumerate(group.targets):
                    x = at + _APART * (number - (len(group.targets) - 1) / 2)
                    self._line(place, self.places[name], (x, _end(box)), floor, leads)

    def _words(self, box: Box, lines: Sequence[tuple[str, str]], size: float) -> None:
        for number, (line, css) in enumerate(lines):
            y = box.y + _PAD + number * size * LINE + size
            self.scene.labels.append(Label(box.x + box.width / 2, y, line, css, size, "middle"))

    def _line(self, place: _Place, target: _Place, begin: tuple[float, float], floor: float, leads: Sequence[str]) -> None:
        """Draw a line from *begin*, below a box of *place*, to *target*."""
        (x, y), css, box = begin, way_css(self.program, target.name), target.box
        if target.depth > place.depth:
            self.scene.lines.append(Polyline(((x, y), (x, floor), (box.x + box.width / 2, box.y)), css))
            return
        lane = floor + _CLEAR / 2 + _APART * leads.index(target.name)
        layer = [one.name for one in self.layers[target.depth] if one.name in self.back]
        above = self.ends[target.depth][1] + _APART * layer.index(target.name)
        rail, into = self.rails[target.name], box.x + box.width - 2 * _CLEAR
        self.scene.lines.append(Polyline(((x, y), (x, lane), (rail, lane), (rail, above), (into, above), (into, box.y)), css))


def _end(box: Box) -> float:
    return box.y + box.height


def _width(layer: Sequence[_Place]) -> float:
    return sum(place.width + _GAP for place in layer) - _GAP
