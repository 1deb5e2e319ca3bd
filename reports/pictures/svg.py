"""SVG: a scene, by the template ``scene.svg.jinja``: one file that needs no other, light and
dark.
"""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...models.cleaning import clean
from .scene import Scene


def environment() -> Environment:
    """Return the environment of the templates; everything they print is escaped."""
    return Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )


def render_svg(scene: Scene, *, style: bool = True) -> str:
    """Return *scene* as an SVG element; without *style* for a page that has the style already."""
    text = environment().get_template("scene.svg.jinja").render(scene=scene, style=style)
    return "".join(f"{line}\n" for line in clean(text).splitlines() if line.strip())
