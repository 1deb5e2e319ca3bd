"""Drawing plays to the files that ``--graph`` names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ...models.cleaning import clean_line
from ...reports.files import check_writable
from ...reports.pictures.scene import FORMATS
from ...reports.telling.record import Record
from ...reports.text.smallest import smallest_words
from .printing import say


def check_drawable(paths: Sequence[Path]) -> None:
    """Raise a usage error unless *paths* end as pictures do, and InputError unless they can be written, before any work is done."""
    for path in paths:
        if path.suffix not in FORMATS:
            raise click.BadParameter(f"{path.name} should end in {', '.join(FORMATS)}.", param_hint="--graph")
        check_writable(path)


def draw_records(records: Sequence[Record], path: Path) -> None:
    """Draw every play that the text tells; each gets a file of its own if there are several."""
    from ...reports.pictures.picture import Titled, draw  # noqa: PLC0415 - only here, and what it draws with is not quick to import

    plays = [
        (
            record.name,
            row.name,
            Titled(row.play, f"{record.name}: {row.name} is {row.outcome}", row.title, row.formula, smallest_words(row)),
        )
        for record in records
        for row in record.rows
        if row.play is not None and row.told
    ]
    if not plays:
        say(f"{clean_line(str(path))}: there is no play to draw.", err=True)
    for game, name, titled in plays:
        several = path.with_name(f"{path.stem}.{file_name(game)}.{file_name(name)}{path.suffix}")
        target = path if len(plays) == 1 else several
        draw(titled, target)
        tell_written(target)


def tell_written(path: Path) -> None:
    """Say that *path* was written."""
    say(f"wrote {clean_line(str(path))}", err=True)


def file_name(name: str) -> str:
    """Return *name* with nothing in it that a file name should not have."""
    return "".join(character if character.isalnum() or character in "-_.@=" else "_" for character in name)
