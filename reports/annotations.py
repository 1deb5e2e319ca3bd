"""Annotations for GitHub: workflow commands that put what is not as claimed beside the line that
breaks it.

In: `Record`. Out: text, a line for each annotation. Any text printed between the lines of `quieted`
is no command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from secrets import token_hex

from ..models.diagnostics import Diagnostic
from ..models.words import clean, clean_line, counted
from .naming import shown_path
from .rulings.changes import ChangeRow, accepted_words, change_words
from .rulings.filed import RulingRow, loss_words_of
from .rulings.told import clause_words
from .telling.losses import LEVELS, Cause, breaks_in, causes_of, loss_words, move_words, title_of
from .telling.record import Failed, Record

_MOST_MOVES, _MOST_RULINGS = 20, 3


def render_annotations(records: Sequence[Record], failed: Sequence[Failed] = ()) -> str:
    """Return an annotation for each answer that changed and is not accepted, each cause of what is
    not as claimed in *records*, rulings that are not met, each warning, and each mistake in what
    *failed*: GitHub shows the first ten of a kind.
    """
    lines = [
        _change_command(row, record)
        for record in records
        if record.changes
        for row in record.changes.wanting
    ]
    lines += [_annotation(cause, record) for record in records for cause in causes_of(record)]
    lines += [line for record in records for line in _rulings(record)]
    lines += [_mistake(warning, record.name) for record in records for warning in record.warnings]
    lines += [_mistake(diagnostic, one.target) for one in failed for diagnostic in one.diagnostics]
    return "".join(f"{line}\n" for line in lines)


def quieted() -> tuple[str, str]:
    """Return two lines that keep GitHub from obeying what is printed between them; the second
    cannot be guessed.
    """
    token = f"stacklaw-{token_hex(16)}"
    return f"::stop-commands::{token}", f"::{token}::"


def _annotation(cause: Cause, record: Record) -> str:
    title = f"{record.name}: {title_of(cause.rows)}"
    said = [loss_words(row) for row in cause.rows]
    if claimed := [row.line for row in cause.rows if row.line]:
        said.append(f"Claimed in {record.files.lines_in_words(*claimed)}.")
    if cause.rows[0].edited and (broken := breaks_in(cause.rows[0])):
        said.append(f"This edit lets the play through; it breaks in line {broken}.")
    if cause.play is not None:
        moments = cause.play.moments[1:]
        said += [f"{moment.number}. {move_words(moment)}" for moment in moments[:_MOST_MOVES]]
        if len(moments) > _MOST_MOVES:
            said.append(f"and {counted(len(moments) - _MOST_MOVES, 'move')} more")
    return _command(cause.level, *record.files.place_of(cause.line), 0, title, "\n".join(said))


def _rulings(record: Record) -> Iterator[str]:
    """Yield the rulings that are not met, beside their lines; many of them are told together."""
    for status, level in LEVELS.items():
        rows = [row for row in record.rulings if row.status == status]
        if len(rows) <= _MOST_RULINGS:
            yield from (_ruling(row, record) for row in rows)
            continue
        said = [f"line {row.line}: {loss_words_of(row)}" for row in rows]
        title = f"{record.name}: {len(rows)} rulings {status}"
        yield _command(level, rows[0].file, rows[0].line, 0, title, "\n".join(said))


def _ruling(row: RulingRow, record: Record) -> str:
    clauses = [f"{record.file}:{clause.line} {clause_words(clause)}" for clause in row.clauses]
    title = f"{record.name}: ruling {row.status}"
    said = "\n".join([loss_words_of(row), *clauses])
    return _command(LEVELS[row.status], row.file, row.line, 0, title, said)


def _change_command(row: ChangeRow, record: Record) -> str:
    assert record.changes is not None
    said = [change_words(row), accepted_words(row, shown_path(record.changes.file))]
    title = f"{record.name}: an answer changed"
    return _command(LEVELS[row.status], record.file, row.line, 0, title, "\n".join(said))


def _mistake(diagnostic: Diagnostic, target: str) -> str:
    column = diagnostic.span.column if diagnostic.span else 0
    return _command(
        diagnostic.severity,
        diagnostic.file or target,
        diagnostic.line,
        column,
        diagnostic.code,
        diagnostic.as_line,
    )


def _command(level: str, file: str, line: int, column: int, title: str, message: str) -> str:
    """Return a workflow command; what is 0 is not known."""
    told = {"file": shown_path(file), "line": line, "col": column, "title": title}
    properties = ",".join(
        f"{name}={_property(str(value))}" for name, value in told.items() if value
    )
    return f"::{'notice' if level == 'note' else level} {properties}::{_data(clean(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(clean_line(text)).replace(":", "%3A").replace(",", "%2C")
