"""Side by side: the comparison as a page, on which an answer that has a play leads to the board of
its game.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ...models.cleaning import clean
from ..markdown.matrix import MEANINGS, Matrix, MatrixCell, bounds_note, differs
from .pieces import environment, page_style, policy_of


def render_side_by_side(matrix: Matrix, pages: Sequence[str], version: str) -> str:
    """Return *matrix* as a page; *pages* are the addresses of those of its games."""

    def address(at: int, cell: MatrixCell, name: str) -> str:
        """Return what puts the play of *cell* on its board; empty if it has none."""
        return "" if cell.moves is None else f"{pages[at]}#show={name}"

    style = page_style("page.css", "side_by_side.css")
    text = (
        environment()
        .get_template("side_by_side.html.jinja")
        .render(
            games=matrix.games,
            pages=pages,
            different=[row for row in matrix.lines if differs(row)],
            same=[row for row in matrix.lines if not differs(row)],
            measures=matrix.measures,
            address=address,
            meanings=[*MEANINGS.values(), *bounds_note(matrix), *matrix.notes],
            policy=policy_of("", style),
            style=Markup(style),
            version=version,
        )
    )
    return clean(text)
