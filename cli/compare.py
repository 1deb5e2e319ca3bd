"""``stacklaw compare``: games against the catalogue."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..models.load import game_names
from ..reports.json import render_matrix_json
from ..reports.matrix import make_matrix, render_matrix, render_matrix_markdown
from ..reports.page import print_page
from ..reports.record import Record
from .asking import ask, asked_by
from .exits import Exit
from .notes import tell_notes
from .options import budget_options, scope_options, search_options


@click.command("compare")
@click.argument("games", nargs=-1, metavar="GAME...")
@click.option("--property", "-p", "properties", multiple=True, metavar="NAME", help="Compare only this property.")
@scope_options
@budget_options
@search_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True, help="What to print."
)
def command(games: tuple[str, ...], format_: str, **asked: Any) -> int:
    """Set games, or readings of a game (fow@additions=turn_player), side by side; without GAME all games that come with stacklaw.

    Exits with 0, or with 3 if something is undecided within the budget.
    """
    question = asked_by(asked)
    records: list[Record] = []
    for game in games or game_names():
        records.append(ask(game, question, with_claims=False))
        if records[-1].interrupted:
            break
    matrix = make_matrix(records)
    match format_:
        case "json":
            click.echo(render_matrix_json(matrix), nl=False)
        case "markdown":
            click.echo(render_matrix_markdown(matrix), nl=False)
        case _:
            print_page(render_matrix(matrix), sys.stdout)
    if format_ != "json":
        tell_notes(matrix.notes)
    if any(record.interrupted for record in records):
        return Exit.INTERRUPTED
    undecided = any(row.outcome in ("BOUNDED", "UNKNOWN") for record in records for row in record.rows)
    return Exit.UNDECIDED if undecided else Exit.OK
