"""Matrix: games side by side, and which of them guarantees what. A matrix of verdicts, as text, Markdown and data.

In: a `Record` for each game (or reading of a game). Out: `Matrix`, and its renderings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ...models.words import counted
from ..telling.record import Record, Row
from .inline import code, words

_STYLES = {"HOLDS": "green", "PROVED": "green", "POSSIBLE": "green", "VIOLATED": "red", "IMPOSSIBLE": "red"}


@dataclass(frozen=True)
class MatrixCell:
    """A verdict of one property about one game; *moves* is the length of the shortest play, None without one.

    *proved* says that it is so for every number of players that the rules allow, and every zone size.
    """

    game: str
    verdict: str
    players: int
    sizes: tuple[tuple[str, int], ...]
    cut: int
    moves: int | None
    proved: bool = False

    @property
    def words(self) -> str:
        """The verdict with the length of its play, or without a play with a star if the scope cut moves."""
        if self.moves is not None:
            return f"{self.verdict} in {self.moves}"
        if self.proved:
            return self.verdict if self.verdict == "PROVED" else f"{self.verdict}, PROVED"
        return f"{self.verdict}{'*' if self.cut else ''}"


@dataclass(frozen=True)
class MatrixRow:
    """A property with its verdict about each game, in the order of the games; None where it was not decided for one."""

    property: str
    title: str
    cells: tuple[MatrixCell | None, ...]


@dataclass(frozen=True)
class Game:
    """A column: a game, its title and the scope it was searched within, as words."""

    name: str
    title: str
    scope: str


@dataclass(frozen=True)
class Matrix:
    """The whole comparison; *notes* is what else there is to say of how it was made."""

    games: tuple[Game, ...]
    lines: tuple[MatrixRow, ...]
    notes: tuple[str, ...] = ()


def differs(line: MatrixRow) -> bool:
    """Whether some game has another verdict than another; that one is proved and the other only holds within the scope is none."""
    return len({"HOLDS" if cell.verdict == "PROVED" else cell.verdict for cell in line.cells if cell is not None}) > 1


def make_matrix(records: Sequence[Record]) -> Matrix:
    """Return *records* side by side, the properties in the order in which they first appear."""
    games = tuple(Game(record.name, record.title, _scope(record)) for record in records)
    titles = {row.name: row.title for record in reversed(records) for row in reversed(record.rows)}
    order = dict.fromkeys(row.name for record in records for row in record.rows)
    lines = [MatrixRow(name, titles[name], tuple(_cell(record, name) for record in records)) for name in order]
    return Matrix(games, tuple(lines), tuple(dict.fromkeys(note for record in records for note in record.notes)))


def _scope(record: Record) -> str:
    return ", ".join([counted(record.players, "player"), *(f"{zone} {size}" for zone, size in record.sizes)])


def _cell(record: Record, name: str) -> MatrixCell | None:
    row: Row | None = next((row for row in record.rows if row.name == name), None)
    if row is None:
        return None
    moves = row.play.moments[-1].number if row.play else None
    return MatrixCell(record.name, str(row.outcome), record.players, record.sizes, row.counts.cut, moves, row.proof is not None)


_DIFFERS = "≠"
_CUT = "* the scope cut moves: what is larger was not looked at"
_PROVED = "PROVED: for every number of players that the rules allow, and every zone size; HOLDS: within the scope"
_LENGTH = "in N: the shortest play that shows it has N moves"


def render_matrix(matrix: Matrix) -> Group:
    """Return the matrix as a table for people."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    table.add_column("property", no_wrap=True)
    for game in matrix.games:
        table.add_column(Text(f"{game.name}\n").append(game.scope, "dim not bold"), overflow="fold")
    for line in matrix.lines:
        name = Text(line.property, "bold" if differs(line) else "")
        table.add_row(
            _DIFFERS if differs(line) else "",
            name,
            *[Text(cell.words, _STYLES.get(cell.verdict, "yellow")) if cell else Text("-") for cell in line.cells],
        )
    notes = _notes(matrix)
    if len(matrix.games) > 1:
        differ = sum(differs(line) for line in matrix.lines)
        words = f"{_DIFFERS} the verdicts differ, here in {differ} of {len(matrix.lines)} rows" if differ else "no verdict differs"
        notes = [words, *notes]
    return Group(table, Text(""), *[Text(note, "dim") for note in notes])


def render_matrix_markdown(matrix: Matrix) -> str:
    """Return the matrix as a Markdown table with its notes, ending with a line end."""
    rows = [["property", *(f"{code(game.name)} ({words(game.scope)})" for game in matrix.games)], ["---"] * (len(matrix.games) + 1)]
    rows += [
        [f"{code(line.property)}: {words(line.title)}", *(words(cell.words) if cell else "-" for cell in line.cells)]
        for line in matrix.lines
    ]
    table = [f"| {' | '.join(row)} |" for row in rows]
    notes = [f"- {words(note)}" for note in _notes(matrix)]
    return "\n".join([*table, "", *notes, ""])


def _notes(matrix: Matrix) -> list[str]:
    cells = [cell for line in matrix.lines for cell in line.cells if cell is not None]
    notes = [_LENGTH] if any(cell.moves is not None for cell in cells) else []
    notes += [_PROVED] if any(cell.proved for cell in cells) else []
    return [*notes, _CUT] if any(cell.cut and cell.moves is None and not cell.proved for cell in cells) else notes
