"""A scene, what a picture is made of, and its SVG.

The font of the viewer is unknown, so texts are measured by the widest common one (Verdana, DejaVu
Sans); in any other they leave some room, and never overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from ...models.frozen import frozen
from ...models.words import clean

if TYPE_CHECKING:
    from jinja2 import Environment

FORMATS = (".svg", ".html", ".mmd", ".dot", ".graphml")
"""How the file of a picture may end."""
LINE = 1.35
"""The height of a line of text, in the size of its font."""
_NARROW, _WIDE = frozenset("ijltfr.,:;'|!()[] "), frozenset("mwMW@%→…")
_HEAD = 9.0
_BOLD = 1.12
"""How much wider bold text is."""
_WIDTHS = (0.4, 0.64, 0.79, 1.03)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return a width that *text* in a font of *size* does not exceed."""
    return sum(_character_width(c) for c in text) * size * (_BOLD if bold else 1.0)


def _character_width(character: str) -> float:
    narrow, usual, upper, wide = _WIDTHS
    if character in _NARROW:
        return narrow
    if character in _WIDE or ord(character) > 0x2E80:
        return wide
    return upper if character.isupper() or character in "+<>=&#_" else usual


def wrap(text: str, width: float, size: float, css: str = "") -> list[str]:
    """Return *text*, of class *css*, in lines no wider than *width*; a word that is wider is cut
    where it has to be.
    """
    bold = "bold" in css
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while (cut := _fitting(line, width, size, bold=bold)) < len(line):
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line else lines


def _fitting(text: str, width: float, size: float, *, bold: bool) -> int:
    """Return how many characters of *text*, from its first, which always does, fit into *width*."""
    ends = accumulate(map(_character_width, text))
    return max(
        1,
        sum(1 for _ in takewhile(lambda end: end * size * (_BOLD if bold else 1.0) <= width, ends)),
    )


@frozen
class Box:
    """A rectangle with round corners; *css* are its classes. It may be a *link*, which is then
    called *label*.
    """

    x: float
    y: float
    width: float
    height: float
    css: str
    radius: float = 6
    link: str = ""
    label: str = ""


@frozen
class Label:
    """One line of text; *y* is its baseline, *anchor* says which point of it *x* is."""

    x: float
    y: float
    text: str
    css: str
    size: float
    anchor: str = "start"


Point: TypeAlias = tuple[float, float]


@frozen
class Polyline:
    """A line through *points*; with an arrow head at its end unless *plain*."""

    points: tuple[Point, ...]
    css: str = ""
    plain: bool = False

    @property
    def path(self) -> str:
        """The line in the words of SVG."""
        return _path(self.points)

    @property
    def head(self) -> str:
        """The arrow head at its end, in the words of SVG; drawn, because not every viewer knows
        coloured markers.
        """
        (from_x, from_y), (x, y) = self.points[-2:]
        length = hypot(x - from_x, y - from_y) or 1.0
        along_x, along_y = (x - from_x) / length * _HEAD, (y - from_y) / length * _HEAD
        back_x, back_y = x - along_x, y - along_y
        wings = (
            (back_x - along_y / 2, back_y + along_x / 2),
            (back_x + along_y / 2, back_y - along_x / 2),
        )
        return _path(((x, y), *wings)) + " Z"


def _path(points: tuple[Point, ...]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)


@dataclass
class Scene:
    """A picture. Boxes are drawn first, then lines, then *pills* (boxes above lines), then
    labels.
    """

    title: str
    description: str
    width: float = 0
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    lines: list[Polyline] = field(default_factory=list)
    pills: list[Box] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    @property
    def is_linked(self) -> bool:
        """Whether a reader can follow something in it."""
        return any(box.link for box in self.boxes)

    def text(
        self, at: Point, lines: Iterable[str], css: str, size: float, anchor: str = "start"
    ) -> float:
        """Write *lines* from the top at *at* downward, and return where they end."""
        x, y = at
        for line in lines:
            self.labels.append(Label(x, y + size, line, css, size, anchor))
            y += size * LINE
        return y

    def paragraph(self, at: Point, text: str, width: float, css: str, size: float) -> float:
        """Write *text* in lines of that *width* from the top at *at*, and return where it ends."""
        return self.text(at, wrap(text, width, size, css), css, size)


def environment() -> Environment:
    """Return the environment of all templates; everything they print is escaped."""
    # Imported only where something is drawn, so that `stacklaw check` begins at once.
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    reports = __package__.rpartition(".")[0]
    folders = "pictures/templates", "page"
    return Environment(
        loader=ChoiceLoader([PackageLoader(reports, folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )


def render_svg(scene: Scene, *, style: bool = True) -> str:
    """Return *scene* as an SVG element; without *style* for a page that has the style already."""
    text = environment().get_template("scene.svg.jinja").render(scene=scene, style=style)
    return "".join(f"{line}\n" for line in clean(text).splitlines() if line.strip())
