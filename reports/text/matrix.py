"""The matrix as text: games side by side, yes or no in a cell, and what they have in common in a
few lines.

In: a `Matrix`. Out: a rich renderable. A table that is too wide goes on in another one below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ...models.frozen import frozen
from ...models.words import join_words
from ..markdown.matrix import (
    MEANINGS,
    Matrix,
    MatrixMeasure,
    MatrixNumber,
    MatrixRow,
    bounds_note,
    differs,
)
from ..telling.measures import WHICH_WORDS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_GAP = "  "
_STYLES = {"yes": "green", "no": "red"}
_Line = tuple[str, tuple[str, ...]]


@frozen
class MatrixTable:
    """The rows of *matrix* that differ; of one game alone, all."""

    matrix: Matrix

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        matrix, are_many = self.matrix, len(self.matrix.games) > 1
        lines = [_matrix_line(row) for row in matrix.lines if not are_many or differs(row)]
        lines += [_matrix_line(row) for row in matrix.measures if not are_many or row.differs]
        if lines:
            yield from _tables(matrix, lines, options.max_width)
            yield Text("")
        elif are_many:
            yield Text(f"No {'verdict or number' if matrix.measures else 'verdict'} differs.")
        if are_many:
            yield from _same(matrix)
        cells = [cell for _, row in lines for cell in row]
        signs = [sign for sign in MEANINGS if any(sign in cell for cell in cells)]
        notes = [MEANINGS[sign] for sign in signs] + bounds_note(matrix)
        below = [said for said in (notes, _scopes(matrix)) if said]
        yield Text(" ".join(f"{'; '.join(said)}." for said in below), "dim")


def _scopes(matrix: Matrix) -> list[str]:
    """Return the number of players, if it is the same for all, and the rest of each scope."""
    players = {game.scope.partition(", ")[0] for game in matrix.games}
    shared = [*players] if len(players) == 1 else []
    scopes: dict[str, list[str]] = {}
    for game in matrix.games:
        rest = game.scope.partition(", ")[2] if shared else game.scope
        scopes.setdefault(rest, []).append(game.name)
    return shared + [f"{join_words(names)}: {scope}" for scope, names in scopes.items() if scope]


def _matrix_line(row: MatrixRow | MatrixMeasure) -> _Line:
    if isinstance(row, MatrixMeasure):
        return f"{row.name}: {WHICH_WORDS[row.which]}", tuple(
            "" if cell is None else _number_text(cell) for cell in row.cells
        )
    return row.property, tuple("" if cell is None else cell.answer for cell in row.cells)


def _number_text(cell: MatrixNumber) -> str:
    return "∞" if cell.value is None else cell.cell_text


def _tables(matrix: Matrix, lines: Sequence[_Line], width: int) -> Iterator[Text]:
    """Yield *lines* below the names of the games, as many games at a time as have room."""
    beside = max(cell_len(name) for name, _ in lines)
    heads = [game.name.replace("@", "\n@").replace(",", ",\n").split("\n") for game in matrix.games]
    widths = [
        max(map(cell_len, [*head, *(row[at] for _, row in lines)])) for at, head in enumerate(heads)
    ]
    at = 0
    while at < len(widths):
        end, used = at + 1, beside + widths[at] + len(_GAP)
        while end < len(widths) and used + widths[end] + len(_GAP) <= width:
            used += widths[end] + len(_GAP)
            end += 1
        yield from [Text("")] if at else []
        for level in range(max(map(len, heads[at:end]))):
            names = [head[level] if level < len(head) else "" for head in heads[at:end]]
            yield _row("", names, beside, widths[at:end], "bold")
        for name, row in lines:
            yield _row(name, row[at:end], beside, widths[at:end])
        at = end


def _row(
    name: str, cells: Sequence[str], beside: int, widths: Sequence[int], style: str = ""
) -> Text:
    line = Text(name.ljust(beside), no_wrap=True)
    for cell, width in zip(cells, widths, strict=True):
        line.append(_GAP)
        line.append(cell, style or _STYLES.get(cell.rstrip("*").partition(",")[0], ""))
        line.append(" " * (width - cell_len(cell)))
    line.rstrip()
    return line


def _same(matrix: Matrix) -> Iterator[Text]:
    """Yield what is the same in all games: for each answer the properties that have it, and the
    numbers.
    """
    found: dict[str, list[str]] = {}
    for name, cells in map(_matrix_line, [row for row in matrix.lines if not differs(row)]):
        said = dict.fromkeys(cell.partition(",")[0].rstrip("*") for cell in cells if cell)
        found.setdefault(" or ".join(said), []).append(name)
    for answer, names in found.items():
        yield Text(f"The same in all, {answer or 'not asked'}: {join_words(names)}.")
    numbers = [
        f"{name} {next(filter(None, cells), '-')}"
        for name, cells in map(_matrix_line, [row for row in matrix.measures if not row.differs])
    ]
    if numbers:
        yield Text(f"The same numbers in all: {', '.join(numbers)}.")
