"""``stacklaw loops``: the smallest sets of clauses that keep a turn going."""

from __future__ import annotations

from dataclasses import replace

import click

from ...checker.loops.loops import find_loops
from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import INTERRUPTED, Meter
from ...models.load import load_rules
from ...reports.json import render_loops_json
from ...reports.telling.measures import make_loops_record
from ...reports.text.sizes import render_loops
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, format_option, need_numbers, play_option
from ..output.exits import Exit, interrupted
from ..output.printing import print_found
from ..output.progress import progress, why_ended, within


@click.command("loops")
@click.argument("game")
@play_option(help="Tell the play of loop N; repeatable.")
@bound_options
@format_option("text", "json")
@asking
def loops_command(game: str, plays: tuple[int, ...], format_: str, question: Asked) -> int:
    """Tell which clauses of GAME make loops between ends of turns: forced, kept up by cards, or
    optional; and what only grows.

    Exits with 0, or with 3 if there may be more loops than were found within the budget.
    """
    program = load_rules(game, question.settings)
    with progress(program.name) as on_progress:
        with within(Meter(question.budget)):
            found = find_loops(program, question.scope(program), question.budget, on_progress)
        found = replace(
            found, stopped=why_ended(found.stopped), growth_stopped=why_ended(found.growth_stopped)
        )
        with INTERRUPTS.undisturbed():
            record = make_loops_record(found)
    need_numbers(plays, len(record.rows), "loop")
    print_found(render_loops_json(record) if format_ == "json" else render_loops(record, plays))
    if INTERRUPTED in (record.stopped, record.growth_stopped):
        return interrupted()
    return Exit.UNDECIDED if record.stopped else Exit.OK
