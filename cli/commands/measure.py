"""``stacklaw measure``: how many passes, windows and moves there are at least and at most."""

from __future__ import annotations

import click

from ...models.load import game_names
from ...reports.json import render_measures_json
from ...reports.telling.measures import MeasuresRecord, keys_of
from ...reports.text.sizes import render_measures
from ..asking.ask import Asked, asking
from ..asking.measured import measured
from ..asking.options import bound_options, flag, format_option, need_numbers, play_option
from ..output.exits import Exit, interrupted
from ..output.printing import print_found


@click.command("measure")
@click.argument("games", nargs=-1, metavar="GAME...")
@play_option(help="Tell the plays of row N; repeatable.")
@flag("--prove", help="Prove formulas in the number of players.")
@bound_options
@format_option("text", "json")
@asking
def measure_command(
    games: tuple[str, ...], plays: tuple[int, ...], format_: str, question: Asked
) -> int:
    """Count passes, windows and automatic moves, at least and at most, in each GAME;
    without GAME in all that come with stacklaw.

    Exits with 0, or with 3 if the budget ended before all was counted.
    """
    records: list[MeasuresRecord] = []
    is_interrupted = False
    try:
        for game in games or game_names():
            records.append(measured(game, question))
            if is_interrupted := records[-1].interrupted:
                break
    except KeyboardInterrupt:
        if not records:
            raise
        is_interrupted = True
    need_numbers(plays, len(keys_of(records)), "row")
    print_found(
        render_measures_json(records) if format_ == "json" else render_measures(records, plays)
    )
    if is_interrupted:
        return interrupted()
    return Exit.UNDECIDED if any(record.stopped for record in records) else Exit.OK
