"""``stacklaw simulate``: a play at random, told like any other."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Group

from ...checker.conform.showing import LogStyle, edited_as, played_log, unhidden
from ...checker.run.check import full_zones, simulate, why_over
from ...checker.types.budget import BudgetSpentError, Meter
from ...checker.types.scope import scope_of
from ...models.load import load_rules
from ...models.words import counted
from ...reports.files import write_whole
from ...reports.json import render_play_json
from ...reports.pictures.draw_play import Titled
from ...reports.pictures.picture import draw
from ...reports.plays.explain import retell
from ...reports.text.ruling import render_ruling
from ..asking.options import (
    bound_options,
    file_option,
    format_option,
    full_option,
    graph_option,
    make_budget,
)
from ..output.exits import Exit
from ..output.files import check_drawable, tell_written
from ..output.printing import print_found, say
from ..output.progress import within, within_memory

_ENDINGS = {
    "": "Stopped after {}; the play could go on.",
    "over": "The game is over.",
    "scope": "It ends here: the scope allows no further move. {}",
    "gap": "It ends here: no clause applies. This is a gap in the rules.",
}


@click.command("simulate")
@click.argument("game")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="The same seed gives the same play.",
)
@click.option(
    "--steps",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="How many moves to play at most.",
)
@file_option("--log", help="Write a log of the play for `conform`.")
@click.option(
    "--hide", "hidden", multiple=True, metavar="EVENTS", help="Events that the log does not show."
)
@click.option(
    "--gaps",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    help="From which share of its events on a few are missing in the log.",
)
@click.option(
    "--quiet",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    help="How often cards cause nothing where they could, in a log.",
)
@click.option(
    "--as-if", "as_if", metavar="EDIT", help="Log the rules with an edit that `mutate` names."
)
@bound_options
@full_option
@format_option("text", "json")
@graph_option("the play")
@within_memory
def simulate_command(
    game: str,
    seed: int,
    steps: int,
    log: Path | None,
    hidden: tuple[str, ...],
    gaps: float,
    quiet: float,
    as_if: str | None,
    settings: dict[str, str],
    sizes: dict[str, int],
    stack: int | None,
    players: int | None,
    seconds: float | None,
    memory: int | None,
    full: bool,
    format_: str,
    graph: tuple[Path, ...],
) -> int:
    """Play GAME at random, any clause that applies as likely as any other, and tell the play.

    Exits with 0, or with 3 if the budget ended before there was a play to tell.
    """
    check_drawable(graph)
    program = load_rules(game, settings)
    scope = scope_of(program, players, stack, sizes)
    if log is None and (hidden or gaps or quiet or as_if):
        raise click.UsageError("These options are about a log: --log FILE.")
    meter = Meter(make_budget(seconds, memory))
    try:
        with within(meter), meter.watching():
            if log is not None:
                style = LogStyle(unhidden(hidden), gaps, quiet)
                engine = program if as_if is None else edited_as(program, as_if)
                lines = [event.as_json() for event in played_log(engine, scope, seed, steps, style)]
                write_whole(log, "".join(f"{line}\n" for line in lines))
                say(f"{program.name}: {counted(len(lines), 'event')} in {log}, seed {seed}")
                return Exit.OK
            trace = simulate(program, scope, seed, steps, meter.budget)
            play = retell(program, scope, trace)
            why = why_over(program, scope, trace)
            sizes_to_ask = full_zones(program, scope, trace) if why == "scope" else ()
    except BudgetSpentError as spent:
        say(f"{program.name}: {spent}.", err=True)
        return Exit.UNDECIDED
    if format_ == "json":
        say(render_play_json(play, program.name, seed), nl=False)
    else:
        more = " ".join(f"--scope {zone}={size}" for zone, size in sizes_to_ask)
        hint = (
            f"`{more}` has room for one more."
            if more
            else "What goes on has more items on a zone for a while than the scope has room for."
        )
        ending = _ENDINGS[why].format(hint if why == "scope" else counted(len(trace.steps), "move"))
        head = f"{program.name}  {program.title}, {scope}, seed {seed}\n"
        print_found(Group(head, render_ruling(play, full=full), f"\n{ending}"))
    for path in graph:
        draw(Titled(play, f"{program.name}: a play at random", f"seed {seed}", ""), path)
        tell_written(path)
    return Exit.OK
