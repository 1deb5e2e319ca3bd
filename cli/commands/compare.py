"""``stacklaw compare``: games against the catalogue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import Meter
from ...models.load import game_names
from ...reports.json import render_matrix_json
from ...reports.markdown.matrix import make_matrix, render_matrix_markdown
from ...reports.telling.measures import MeasuresRecord
from ...reports.telling.record import Record
from ...reports.text.matrix import MatrixTable
from ..asking.ask import asked_by
from ..asking.compared import asked_of_each, compared
from ..asking.measured import measured
from ..asking.options import budget_options, format_option, scope_options, search_options
from ..output.exits import Exit, interrupted
from ..output.notes import tell_notes
from ..output.printing import print_found, say


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
def compare_command(games: tuple[str, ...], format_: str, **asked: Any) -> int:
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
    undecided = any(
        row.outcome in ("BOUNDED", "UNKNOWN") for record in records for row in record.rows
    )
    return Exit.UNDECIDED if undecided or any(one.stopped for one in numbers) else Exit.OK
