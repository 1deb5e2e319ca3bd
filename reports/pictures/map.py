"""Maps of the stages of a ruleset and of the positions of a small game, in layers.

In: a Program. Out: a `Scene`, wide (in layers, each as many moves from the start as it takes at
least) or narrow (the stages one below the other).

In: positions as data, and a link for each. Out: a `Scene`. Moves by one clause to the same position
share a box.

Layers: a graph drawn from its start downward, each node as far down as it takes ways to it at
least, its ways below it.

In: nodes by their names, and a scene to draw them in. A way goes on to the next layer at most; what
leads back, or to a node of the same layer, goes by a rail on the right, one for each node that it
leads to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx

from ...models import ir
from ...models.frozen import frozen
from ...models.words import counted, join_words, shortened
from ..telling.state_space import ReachedMove, ReachedPosition
from .graph import OVER, stage_graph, targets_of
from .scene import LINE, Box, Label, Polyline, Scene, text_width, wrap
from .stages import Spacing, draw_stages, stage_css, way_css

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


@frozen
class DrawnWay:
    """What leads from a node to its *targets*, nodes by their names."""

    targets: tuple[str, ...]
    words: Sequence[DrawnText]


@frozen
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
        for line in wrap(shortened(text, LONGEST), room, size, css)
    ]


def _bottom(box: Box) -> float:
    return box.y + box.height


def _width(layer: Sequence[_Place]) -> float:
    return sum(place.width + _GAP for place in layer) - _GAP


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
_NARROW, _RAIL, _NARROWEST = 360.0, 7.0, 190.0
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
        width = max(_NARROWEST, _NARROW - _RAIL * (columns + 1))
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
