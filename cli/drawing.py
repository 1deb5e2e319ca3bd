"""Writing pictures of plays to the files that ``--graph`` names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ..reports.record import Record
from ..reports.scene import FORMATS
from ..reports.smallest import smallest_words


def check_drawable(path: Path | None) -> None:
    """Raise a usage error unless *path* ends as a picture does, before any work is done for it."""
    if path is not None and path.suffix not in FORMATS:
        raise click.BadParameter(f"{path.name} should end in {', '.join(FORMATS)}.", param_hint="--graph")


def draw_records(records: Sequence[Record], path: Path) -> None:
    """Draw every play that the text tells; each gets a file of its own if there are several."""
    from ..reports.picture import Titled, draw  # noqa: PLC0415 - only here, and what it draws with is not quick to import

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
        click.echo(f"{path}: there is no play to draw.", err=True)
    for game, name, titled in plays:
        several = path.with_name(f"{path.stem}.{file_name(game)}.{file_name(name)}{path.suffix}")
        target = path if len(plays) == 1 else several
        draw(titled, target)
        click.echo(f"wrote {target}", err=True)


def file_name(name: str) -> str:
    """Return *name* with nothing in it that a file name should not have."""
    return "".join(character if character.isalnum() or character in "-_.@=" else "_" for character in name)
