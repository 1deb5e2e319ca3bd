"""``stacklaw measure``: how many passes, windows and moves there are at least and at most."""

from __future__ import annotations

from typing import Any

import click

from ...models.load import game_names
from ...reports.json import render_measures_json
from ...reports.telling.measures import MeasuresRecord, keys_of
from ...reports.text.sizes import render_measures
from ..asking.ask import asked_by
from ..asking.measured import measured
from ..asking.options import budget_options, format_option, scope_options
from ..output.exits import Exit, interrupted
from ..output.printing import print_found


@click.command("measure")
@click.argument("games", nargs=-1, metavar="GAME...")
@click.option(
    "--play",
    "plays",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="Tell the plays of row N; repeatable.",
)
@click.option(
    "--prove", is_flag=True, help="Prove for every number of players what is a formula in it."
)
@scope_options
@budget_options
@format_option("text", "json")
def measure_command(
    games: tuple[str, ...], plays: tuple[int, ...], format_: str, **asked: Any
) -> int:
    """Count passes, windows and moves without a decision, at least and at most, in each GAME;
    without GAME in all that come with stacklaw.

    Exits with 0, or with 3 if the budget ended before all was counted.
    """
    records: list[MeasuresRecord] = []
    is_interrupted = False
    try:
        for game in games or game_names():
            records.append(measured(game, asked_by(asked)))
            if is_interrupted := records[-1].interrupted:
                break
    except KeyboardInterrupt:
        if not records:
            raise
        is_interrupted = True
    rows = len(keys_of(records))
    if unknown := [number for number in plays if number > rows]:
        raise click.BadParameter(
            f"there is no row {unknown[0]}; the rows have the numbers 1 to {rows}.",
            param_hint="--play",
        )
    print_found(
        render_measures_json(records) if format_ == "json" else render_measures(records, plays)
    )
    if is_interrupted:
        return interrupted()
    return Exit.UNDECIDED if any(record.stopped for record in records) else Exit.OK
