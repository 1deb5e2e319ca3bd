"""Layers: a graph drawn from its start downward, each node as far down as it takes ways to it at
least, its ways below it.

In: nodes by their names, and a scene to draw them in. A way goes on to the next layer at most; what
leads back, or to a node of the same layer, goes by a rail on the right, one for each node that it
leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx

from ...models.words import shortened
from .scene import LINE, Box, Label, Polyline, Scene, text_width, wrap

_NODE, _LEAST, _MOST, _GAP, _PAD, _MARGIN = 190.0, 44.0, 140.0, 18.0, 7.0, 12.0
"""How wide a node is, and the box of a way at least and at most; what lies between two, around
their words, and around everything.
"""
_TITLE, _ID = 12.5, 11.0
_BELOW, _APART, _CLEAR, _AHEAD = 24.0, 6.0, 10.0, 26.0
"""Between a node and its ways; between lines side by side; between them and boxes; what is left for
lines to the next layer.
"""
LONGEST = 300
"""How many characters a text has at most."""


class DrawnText(NamedTuple):
    """A *text*, which is cut into lines, of class *css*."""

    text: str
    css: str = ""


@dataclass(frozen=True)
class DrawnWay:
    """What leads from a node to its *targets*, nodes by their names."""

    targets: tuple[str, ...]
    words: Sequence[DrawnText]


@dataclass(frozen=True)
class DrawnNode:
    """A node of classes *css* with its *ways*, to which lines of the class *entry* lead; a box with
    a *link* is called *label*.
    """

    css: str
    words: Sequence[DrawnText]
    ways: Sequence[DrawnWay]
    entry: str
    link: str = ""
    label: str = ""


def draw_layers(scene: Scene, nodes: Mapping[str, DrawnNode], start: str) -> None:
    """Draw what of *nodes* can be reached from *start*, and say how large *scene* is then."""
    _Layers(scene, nodes, start)


@dataclass
class _Place:
    """Where the node *name*, in layer *depth*, lies with its ways: its left end *x*, its *top*, and
    that of what is *below*.
    """

    name: str
    node: DrawnNode
    depth: int
    x: float = 0
    top: float = 0
    below: float = 0

    def __post_init__(self) -> None:
        self.lines = _wrapped(self.node.words, _NODE, _TITLE)
        self.ways = [(way, _wrapped(way.words, _MOST, _ID)) for way in self.node.ways]
        self.widths = [
            min(max(_LEAST, *(text_width(one.text, _ID) + 2 * _PAD for one in lines)), _MOST)
            for _, lines in self.ways
        ]

    @property
    def width(self) -> float:
        """How wide it is with its ways."""
        return max(_NODE, self.ways_width)

    @property
    def ways_width(self) -> float:
        """How wide these are."""
        return sum(self.widths) + (len(self.widths) - 1) * _GAP

    @property
    def box(self) -> Box:
        """Its own box."""
        height, node = len(self.lines) * _TITLE * LINE + 2 * _PAD, self.node
        return Box(
            self.x + (self.width - _NODE) / 2,
            self.top,
            _NODE,
            height,
            node.css,
            link=node.link,
            label=node.label,
        )

    @property
    def theirs(self) -> Iterator[Box]:
        """Those of its ways."""
        left = self.x + (self.width - self.ways_width) / 2
        for width, (_, lines) in zip(self.widths, self.ways, strict=True):
            yield Box(left, self.below, width, len(lines) * _ID * LINE + 2 * _PAD, "card")
            left += width + _GAP


class _Layers:
    """One drawing, made from its first layer to its last."""

    def __init__(self, scene: Scene, nodes: Mapping[str, DrawnNode], start: str) -> None:
        self.scene = scene
        graph: nx.DiGraph[str] = nx.DiGraph(
            {
                name: [target for way in node.ways for target in way.targets]
                for name, node in nodes.items()
            }
        )
        layers = enumerate(nx.bfs_layers(graph, start))
        self.layers = [
            [_Place(name, nodes[name], depth) for name in layer] for depth, layer in layers
        ]
        self.places = {place.name: place for layer in self.layers for place in layer}
        back = {name for place in self.places.values() for name in self._back_from(place)}
        self.back = [name for name in self.places if name in back]
        widest = max(_width(layer) for layer in self.layers)
        self.rails = {
            name: _MARGIN + widest + _CLEAR + _APART * number
            for number, name in enumerate(self.back, 1)
        }
        self.ends: list[
            tuple[float, float]
        ] = []  # of each layer, where its boxes end, and where its room begins
        y = _MARGIN
        for layer in self.layers:
            y = self._place_boxes(layer, y, widest)
        for layer, (floor, _) in zip(self.layers, self.ends, strict=True):
            self._draw(layer, floor)
        scene.width = _MARGIN + widest + _CLEAR + _APART * (len(self.back) + 1) + _MARGIN
        scene.height = y

    def _back_from(self, place: _Place) -> Iterator[str]:
        """Yield the nodes in the layer of *place* or above to which it leads."""
        return (
            name
            for way in place.node.ways
            for name in way.targets
            if self.places[name].depth <= place.depth
        )

    def _leads_back(self, layer: Sequence[_Place]) -> list[str]:
        found = {name for place in layer for name in self._back_from(place)}
        return [name for name in self.back if name in found]

    # ------------------------------------------------------------------ places

    def _place_boxes(self, layer: Sequence[_Place], top: float, widest: float) -> float:
        """Give the boxes of *layer* their places below *top*, and return where it ends."""
        entry = top
        top += _APART * sum(place.name in self.rails for place in layer) + _CLEAR
        x = _MARGIN + (widest - _width(layer)) / 2
        for place in layer:
            place.x, place.top = x, top
            x += place.width + _GAP
        roof = max(_bottom(place.box) for place in layer)
        for place in layer:
            place.below = roof + _BELOW
        floor = max([roof, *(_bottom(box) for place in layer for box in place.theirs)])
        self.ends.append((floor, entry))
        ahead = _AHEAD if layer is not self.layers[-1] else 0
        return floor + _CLEAR + _APART * len(self._leads_back(layer)) + ahead

    # ------------------------------------------------------------------ drawing

    def _draw(self, layer: Sequence[_Place], floor: float) -> None:
        """Draw *layer*, whose boxes end at *floor*, and the lines that leave it."""
        scene = self.scene
        leads = {name: number for number, name in enumerate(self._leads_back(layer))}
        roof = max(_bottom(place.box) for place in layer)
        for place in layer:
            boxes = list(place.theirs)
            scene.boxes += [place.box, *boxes]
            self._say(place.box, place.lines, _TITLE)
            middle = place.box.x + place.box.width / 2
            for box, (way, lines) in zip(boxes, place.ways, strict=True):
                self._say(box, lines, _ID)
                at = box.x + box.width / 2
                scene.lines.append(
                    Polyline(
                        ((middle, _bottom(place.box)), (middle, roof), (at, box.y)), plain=True
                    )
                )
                for number, name in enumerate(way.targets):
                    x = at + _APART * (number - (len(way.targets) - 1) / 2)
                    self._draw_line(place, self.places[name], (x, _bottom(box)), floor, leads)

    def _say(self, box: Box, lines: Sequence[DrawnText], size: float) -> None:
        for number, (line, css) in enumerate(lines):
            y = box.y + _PAD + number * size * LINE + size
            self.scene.labels.append(Label(box.x + box.width / 2, y, line, css, size, "middle"))

    def _draw_line(
        self,
        place: _Place,
        target: _Place,
        begin: tuple[float, float],
        floor: float,
        leads: Mapping[str, int],
    ) -> None:
        """Draw a line from *begin*, below a box of *place*, to *target*."""
        (x, y), css, box = begin, target.node.entry, target.box
        if target.depth > place.depth:
            self.scene.lines.append(
                Polyline(((x, y), (x, floor), (box.x + box.width / 2, box.y)), css)
            )
            return
        lane = floor + _CLEAR / 2 + _APART * leads[target.name]
        layer = [one.name for one in self.layers[target.depth] if one.name in self.rails]
        above = self.ends[target.depth][1] + _APART * layer.index(target.name)
        rail, into = self.rails[target.name], box.x + box.width - 2 * _CLEAR
        self.scene.lines.append(
            Polyline(
                ((x, y), (x, lane), (rail, lane), (rail, above), (into, above), (into, box.y)), css
            )
        )


def _wrapped(words: Sequence[DrawnText], width: float, size: float) -> list[DrawnText]:
    """Return *words* in lines that fit into a box of that *width*."""
    room = width - 2 * _PAD
    return [
        DrawnText(line, css)
        for text, css in words
        for line in wrap(shortened(text, LONGEST), room, size, bold=css == "bold")
    ]


def _bottom(box: Box) -> float:
    return box.y + box.height


def _width(layer: Sequence[_Place]) -> float:
    return sum(place.width + _GAP for place in layer) - _GAP
