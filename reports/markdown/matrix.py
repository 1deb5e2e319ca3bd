"""Matrix: games side by side, and which of them guarantees what. A matrix of verdicts, as data and
Markdown.

In: a `Record` for each game (or reading of a game). Out: `Matrix`, and its renderings.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...checker.types.scope import scope_words
from ...models.frozen import frozen
from ...models.syntax import NamedSizes
from ..telling.measures import (
    MEASURE_WORDS,
    WHICH_WORDS,
    BoundRow,
    ExtremeName,
    MeasureKey,
    MeasuresRecord,
    keys_of,
)
from ..telling.record import Record, Row
from .inline import code, escaped

_YES = ("HOLDS", "PROVED", "POSSIBLE")
_NO = ("VIOLATED", "IMPOSSIBLE")


MEANINGS = {
    ",": "yes, 7: its shortest play has 7 moves",
    "*": "*: within these sizes",
    "–": "–: nothing that it asks for",
    "?": "?: not decided",
    "∞": "∞: no bound at any size",
}
"""What stands in cells besides yes, no and numbers, by the sign that shows it."""


@frozen
class MatrixCell:
    """A verdict of one property about one game; *moves* is the length of the shortest play, None
    without one.

    *proved* says that it is so for every number of players that the rules allow, and every zone
    size.
    """

    game: str
    verdict: str
    players: int
    sizes: NamedSizes
    cut: int
    moves: int | None
    proved: bool

    @property
    def answer(self) -> str:
        """Yes or no, with a star if it is so within the scope, or with the length of its play; – if
        there is nothing to ask, ? if it is not decided.
        """
        star = "" if self.proved or (self.verdict == "VACUOUS" and not self.cut) else "*"
        if self.verdict in (*_YES, *_NO):
            said = "yes" if self.verdict in _YES else "no"
            return f"{said}{star}" if self.moves is None else f"{said}, {self.moves}"
        return f"–{star}" if self.verdict == "VACUOUS" else "?"

    @property
    def cell_text(self) -> str:
        """The verdict with the length of its play, or without a play with a star if the scope cut
        moves.
        """
        if self.moves is not None:
            return f"{self.verdict} in {self.moves}"
        if self.proved:
            return self.verdict if self.verdict == "PROVED" else f"{self.verdict}, PROVED"
        return f"{self.verdict}{'*' if self.cut else ''}"


@frozen
class MatrixRow:
    """A property with its verdict about each game, in the order of the games; None where it was not
    decided for one.
    """

    property: str
    title: str
    cells: tuple[MatrixCell | None, ...]


@frozen
class MatrixNumber:
    """What a measure of a game comes to: its *value*, None if it is unbounded; *open* if the scope
    cut moves, or not all was counted.

    *bound* is a formula that comes to it, if proofs were asked for and one fits.
    """

    value: int | None
    open: bool
    bound: BoundRow | None = None

    @property
    def cell_text(self) -> str:
        """The value, with a star if it may be another one beyond, and the bound if it is proved."""
        bound = f" ({self.bound.sign})" if self.bound is not None and self.bound.proved else ""
        return (
            "unbounded" if self.value is None else f"{self.value}{'*' if self.open else ''}{bound}"
        )


@frozen
class MatrixMeasure:
    """A measure, by its *name* and *which* of it, in *words*, with what it comes to in each game;
    None where it has none.
    """

    name: str
    which: ExtremeName
    words: str
    cells: tuple[MatrixNumber | None, ...]

    @property
    def differs(self) -> bool:
        """Whether it comes to something else in some game than in another, or to nothing there."""
        return len({cell and (cell.value,) for cell in self.cells}) > 1


@frozen
class Game:
    """A column: a game, its title and the scope it was searched within, as words."""

    name: str
    title: str
    scope: str


@frozen
class Matrix:
    """The whole comparison; *notes* is what else there is to say of how it was made."""

    games: tuple[Game, ...]
    lines: tuple[MatrixRow, ...]
    measures: tuple[MatrixMeasure, ...] = ()
    notes: tuple[str, ...] = ()


def differs(line: MatrixRow) -> bool:
    """Whether some game has another verdict than another, or none; that one is proved and the other
    only holds within the scope is no difference.
    """
    verdicts = {cell and cell.verdict for cell in line.cells}
    return len({"HOLDS" if one == "PROVED" else one for one in verdicts}) > 1


def make_matrix(records: Sequence[Record], measured: Sequence[MeasuresRecord] = ()) -> Matrix:
    """Return *records* side by side, the properties in the order in which they first appear; and
    what was *measured* of the same games.
    """
    games = tuple(
        Game(record.name, record.title, scope_words(record.players, record.sizes))
        for record in records
    )
    titles = {row.name: row.title for record in reversed(records) for row in reversed(record.rows)}
    order = dict.fromkeys(row.name for record in records for row in record.rows)
    lines = [
        MatrixRow(name, titles[name], tuple(_cell(record, name) for record in records))
        for name in order
    ]
    notes = [
        *(note for record in records for note in record.notes),
        *(_stopped(one) for one in measured if one.stopped),
    ]
    return Matrix(
        games,
        tuple(lines),
        tuple(_measure(measured, key) for key in keys_of(measured)),
        tuple(dict.fromkeys(notes)),
    )


def _measure(measured: Sequence[MeasuresRecord], key: MeasureKey) -> MatrixMeasure:
    name, which = key
    return MatrixMeasure(
        name,
        which,
        f"{MEASURE_WORDS[name]}: {WHICH_WORDS[which]}",
        tuple(_matrix_number(one, key) for one in measured),
    )


def _matrix_number(record: MeasuresRecord, key: MeasureKey) -> MatrixNumber | None:
    row = record.row(key)
    return (
        None
        if row is None
        else MatrixNumber(row.value, bool(record.heading.cut or record.stopped), row.bound)
    )


def _stopped(record: MeasuresRecord) -> str:
    return (
        f"not all of {record.heading.name} was counted, {record.stopped}: there may be fewer, and "
        "more"
    )


def _cell(record: Record, name: str) -> MatrixCell | None:
    row: Row | None = next((row for row in record.rows if row.name == name), None)
    if row is None:
        return None
    moves = row.play.moments[-1].number if row.play else None
    return MatrixCell(
        record.name,
        str(row.outcome),
        record.players,
        record.sizes,
        row.counts.cut,
        moves,
        row.proof is not None,
    )


_CUT = "* the scope cut moves: what is larger was not looked at"
_PROVED = (
    "PROVED: for every number of players that the rules allow, and every zone size; HOLDS: within "
    "the scope"
)
_UNBOUNDED = "unbounded: something can be made again and again, in larger scopes, too"
_BOUND = "≥ and ≤: proved for every number of players n that the rules allow, and every zone size"
_LENGTH = "in N: the shortest play that shows it has N moves"


def render_matrix_markdown(matrix: Matrix) -> str:
    """Return the matrix as a Markdown table with its notes, ending with a line end."""
    rows = [
        ["property", *(f"{code(game.name)} ({escaped(game.scope)})" for game in matrix.games)],
        ["---"] * (len(matrix.games) + 1),
    ]
    rows += [
        [
            f"{code(line.property)}: {escaped(line.title)}",
            *(escaped(cell.cell_text) if cell else "-" for cell in line.cells),
        ]
        for line in matrix.lines
    ]
    rows += [
        [
            escaped(measure.words),
            *(escaped(cell.cell_text) if cell else "-" for cell in measure.cells),
        ]
        for measure in matrix.measures
    ]
    table = [f"| {' | '.join(row)} |" for row in rows]
    notes = [f"- {escaped(note)}" for note in _notes(matrix)]
    return "\n".join([*table, "", *notes, ""])


def _notes(matrix: Matrix) -> list[str]:
    cells = [cell for line in matrix.lines for cell in line.cells if cell is not None]
    notes = [_LENGTH] if any(cell.moves is not None for cell in cells) else []
    notes += [_PROVED] if any(cell.proved for cell in cells) else []
    numbers = [cell for measure in matrix.measures for cell in measure.cells if cell is not None]
    notes += bounds_note(matrix)
    notes += [_UNBOUNDED] if any(cell.value is None for cell in numbers) else []
    is_cut = any(cell.cut and cell.moves is None and not cell.proved for cell in cells) or any(
        cell.open for cell in numbers
    )
    return [*notes, _CUT] if is_cut else notes


def bounds_note(matrix: Matrix) -> list[str]:
    """Return what the bounds of *matrix* are, if it has one that is proved."""
    numbers = [cell for measure in matrix.measures for cell in measure.cells if cell is not None]
    return [_BOUND] if any(cell.bound is not None and cell.bound.proved for cell in numbers) else []
