"""``stacklaw compare``: games against the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from ... import __version__
from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import Meter
from ...models.load import game_names
from ...reports.files import make_folder, write_whole
from ...reports.json import render_matrix_json
from ...reports.markdown.matrix import Matrix, make_matrix, render_matrix_markdown
from ...reports.telling.measures import MeasuresRecord
from ...reports.telling.record import Record
from ...reports.text.matrix import MatrixTable
from ..asking.ask import Asked, asked_by
from ..asking.compared import asked_of_each, compared
from ..asking.measured import measured
from ..asking.options import budget_options, format_option, scope_options, search_options
from ..asking.reading import read_target
from ..output.drawing import file_name, tell_written
from ..output.exits import Exit, interrupted
from ..output.notes import tell_notes
from ..output.printing import print_found, say

_TABLE = "index.html"


@click.command("compare")
@click.argument("games", nargs=-1, metavar="GAME...")
@click.option(
    "--property",
    "-p",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Compare only this property.",
)
@scope_options
@budget_options
@search_options
@format_option("text", "markdown", "json")
@click.option(
    "--html",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the table as a page in DIR, and a page of each game, where its plays are.",
)
def compare_command(games: tuple[str, ...], format_: str, folder: Path | None, **asked: Any) -> int:
    """Set games, or readings of a game (fow@additions=turn_player), side by side; without GAME all
    games that come with stacklaw.

    Unless properties are named, the measures of the games come after the verdicts (`stacklaw
    measure`).

    Exits with 0, or with 3 if something is undecided within the budget.
    """
    names = games or game_names()
    whole = asked_by(asked)
    questions, names_nothing = compared(names, whole), not whole.properties
    tuning = whole.tuning
    if len(names) > 1 and tuning.cluster and (tuning.checkpoints or tuning.disk):
        option = "--checkpoint" if tuning.checkpoints else "--disk"
        raise click.UsageError(
            f"{option} is of one search by a whole cluster, and of several games each goes to a worker."
        )
    records, numbers = list[Record](), list[MeasuresRecord]()
    is_interrupted = False
    if folder is not None:
        make_folder(folder, "L111", "pages")
    try:
        meter = Meter(whole.budget)
        for record in asked_of_each(names, questions, meter, 1 + names_nothing):
            records.append(record)
            if is_interrupted := record.interrupted:
                break
        for game, one in zip(
            names, questions if names_nothing and not is_interrupted else (), strict=False
        ):
            numbers.append(
                measured(game, replace(one, budget=meter.rest(len(names) - len(numbers))))
            )
            if is_interrupted := numbers[-1].interrupted:
                break
    except KeyboardInterrupt:
        is_interrupted = True
    if is_interrupted:
        say("interrupted", err=True)
    if not records:
        return interrupted()
    with INTERRUPTS.undisturbed():
        matrix = make_matrix(records, numbers if len(numbers) == len(records) else ())
        print_found(
            {"json": render_matrix_json, "markdown": render_matrix_markdown}.get(
                format_, MatrixTable
            )(matrix)
        )
        if format_ != "json":
            tell_notes(matrix.notes)
    if is_interrupted:
        return interrupted()
    if folder is not None:
        try:
            _write_pages(folder, matrix, names, records, whole)
        except KeyboardInterrupt:
            say("interrupted", err=True)
            return interrupted()
    undecided = any(
        row.outcome in ("BOUNDED", "UNKNOWN") for record in records for row in record.rows
    )
    return Exit.UNDECIDED if undecided or any(one.stopped for one in numbers) else Exit.OK


def _write_pages(
    folder: Path, matrix: Matrix, games: Sequence[str], records: Sequence[Record], asked: Asked
) -> None:
    """Write *matrix* into *folder*, and a page of each of *games*, of which there are *records*.
    Raises KeyboardInterrupt; the table is written last, so it leads nowhere that is not there.
    """
    from ...reports.page.side_by_side import render_side_by_side  # noqa: PLC0415 - only where pages are asked for
    from ..exploring.making import board_page  # noqa: PLC0415

    pages = list[str]()
    for game, record in zip(games, records, strict=True):
        program = read_target(game, asked.settings, (), asked.files, with_claims=False)[0]
        page = f"{len(pages) + 1}-{file_name(record.name)}.html"
        write_whole(folder / page, board_page(game, program, record, asked.budget))
        INTERRUPTS.check()
        pages.append(page)
    write_whole(folder / _TABLE, render_side_by_side(matrix, list(map(quote, pages)), __version__))
    tell_written(folder / _TABLE)
