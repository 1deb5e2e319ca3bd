"""Drawing plays to the files that ``--graph`` names, and writing them to those of ``--itf``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from ...models.cleaning import clean_line
from ...reports.files import check_writable, write_whole
from ...reports.pictures.scene import FORMATS
from ...reports.plays.play import Play
from ...reports.telling.record import Record, Row
from ...reports.text.sizes import smallest_words
from .printing import say


def check_drawable(paths: Sequence[Path]) -> None:
    """Raise a usage error unless *paths* end as pictures do, and InputError unless they can be
    written, before any work is done.
    """
    for path in paths:
        if path.suffix not in FORMATS:
            raise click.BadParameter(
                f"{path.name} should end in {', '.join(FORMATS)}.", param_hint="--graph"
            )
        check_writable(path)


def draw_records(records: Sequence[Record], path: Path) -> None:
    """Draw every play that the text tells; each gets a file of its own if there are several."""
    from ...reports.pictures.draw_play import Titled  # noqa: PLC0415 - only here, and what it draws with is not quick to import
    from ...reports.pictures.picture import draw  # noqa: PLC0415

    def drawn(record: Record, row: Row, play: Play, target: Path) -> None:
        draw(
            Titled(
                play,
                f"{record.name}: {row.name} {row.as_said or f'is {row.outcome}'}",
                row.title,
                row.formula,
                smallest_words(row),
            ),
            target,
        )

    _each_play(records, path, "to draw", drawn)


def trace_records(records: Sequence[Record], path: Path) -> None:
    """Write every play that the text tells in the Informal Trace Format; each gets a file of its
    own if there are several.
    """
    from ...reports.itf import render_itf  # noqa: PLC0415 - only where it is asked for

    def traced(record: Record, row: Row, play: Play, target: Path) -> None:
        write_whole(target, render_itf(play, f"{record.name}: {row.name} is {row.outcome}"))

    _each_play(records, path, "to write", traced)


def _each_play(
    records: Sequence[Record],
    path: Path,
    what: str,
    write: Callable[[Record, Row, Play, Path], None],
) -> None:
    """*write* every play that the text tells to *path*, or beside it, under its own name, if there
    are several.
    """
    plays = [
        (record, row, row.play)
        for record in records
        for row in record.rows
        if row.play is not None and row.has_to_be_told
    ]
    if not plays:
        say(f"{clean_line(str(path))}: there is no play {what}.", err=True)
    endings = "".join(path.suffixes[-2:]) if path.name.endswith(".itf.json") else path.suffix
    for record, row, play in plays:
        several = f"{path.name.removesuffix(endings)}.{file_name(record.name)}.{file_name(row.name)}{endings}"
        target = path if len(plays) == 1 else path.with_name(several)
        write(record, row, play, target)
        tell_written(target)


def tell_written(path: Path) -> None:
    """Say that *path* was written."""
    say(f"wrote {clean_line(str(path))}", err=True)


def file_name(name: str) -> str:
    """Return *name* with nothing in it that a file name should not have."""
    return "".join(
        character if character.isalnum() or character in "-_.@=" else "_" for character in name
    )
