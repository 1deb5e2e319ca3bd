"""``stacklaw conform``: logs of an engine against the rules."""

from __future__ import annotations

from pathlib import Path

import click

from ...checker.conform.events import EventError
from ...checker.conform.logs import (
    LogQuestion,
    behaves_as_if,
    conformed,
    first_deviation,
    read_waivers,
)
from ...checker.conform.maps import read_map
from ...checker.conform.monitor import MOST_NODES
from ...checker.conform.proposing import proposed_map
from ...checker.conform.showing import unhidden
from ...checker.types.budget import Budget
from ...models import ir
from ...models.load import load_rules
from ...models.options.cases import other_readings
from ...models.read import read_source
from ...models.shipped import file_beside, map_source
from ...models.words import settings_words
from ...reports.files import check_writable, write_whole
from ...reports.json import document, fields_of
from ...reports.junit import render_conformed_junit
from ...reports.logs import render_conformed, render_markdown
from ...reports.sarif import render_conformed_sarif
from ...reports.telling.conformed import (
    ConformedTold,
    LogWords,
    ReadingFit,
    tell_conformed,
)
from ...reports.telling.coverage import read_inventory
from ..asking.options import file_option, flag, format_option, setting_option
from ..output.exits import Exit
from ..output.printing import say
from ..output.progress import metered, within_memory


@click.command("conform")
@click.argument("game")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--players", type=int, metavar="N", help="How many play, where a log says nothing.")
@click.option(
    "--hide",
    "hidden",
    multiple=True,
    metavar="EVENTS",
    help="Events that the log never shows, with commas between them; repeatable.",
)
@click.option(
    "--map",
    "map_",
    metavar="FILE",
    help="How the lines of a foreign log are read: a file, arena or phase.",
)
@flag("--init-map", help="Propose a map for the first of LOGS, and end.")
@file_option("--waivers", help="Deviations that are meant.")
@click.option(
    "--most",
    type=click.IntRange(10, 10_000_000),
    default=MOST_NODES,
    show_default=True,
    metavar="N",
    help="How many positions to look at for a window; beyond it is unknown.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0),
    default=60.0,
    show_default=True,
    metavar="S",
    help="How long to look for edits of the rules that explain deviations.",
)
@flag("--all-readings", help="Say which readings of the rules the log fits.")
@setting_option
@format_option("text", "json", "markdown")
@file_option("--junit", help="Write a JUnit report, too.")
@file_option("--sarif", help="Write a SARIF report, too.")
@within_memory
def conform_command(
    game: str,
    logs: tuple[Path, ...],
    players: int | None,
    hidden: tuple[str, ...],
    map_: str | None,
    init_map: bool,
    waivers: Path | None,
    most: int,
    seconds: float,
    all_readings: bool,
    settings: dict[str, str],
    format_: str,
    junit: Path | None,
    sarif: Path | None,
) -> int:
    """Hold LOGS of an engine against the rules of GAME, and tell each deviation as a ruling.

    Exits with 0 if every log conforms, 1 at a deviation that nobody waives, 2 if something is not
    understood, 3 if there is nothing but what is unknown, or a log has nothing to judge.
    """
    reports = [(junit, render_conformed_junit), (sarif, render_conformed_sarif)]
    asked = [(file, render) for file, render in reports if file is not None]
    for file, _ in asked:
        check_writable(file)
    program = load_rules(game, settings)
    if init_map:
        say(proposed_map(program, logs[0]), nl=False)
        return Exit.OK
    meant = read_waivers(read_source(waivers)) if waivers else ()
    by = read_map(map_source(map_)) if map_ else None
    never = unhidden(hidden) | (by.hidden if by else frozenset())
    its = file_beside(game, ".clauses")
    statements = dict(read_inventory(read_source(its))) if its.is_file() else {}
    question = LogQuestion(players, never, most, meant, by)
    try:
        made = [conformed(program, path, question) for path in logs]
    except EventError as error:
        raise click.UsageError(f"{error} Hint: {error.hint}.") from error
    with metered(program.name, Budget(seconds or None)) as meter:
        as_if = behaves_as_if(program, made, question, meter) if seconds else {}
    told = [tell_conformed(one, meant, statements, as_if) for one in made]
    for file, render in asked:
        write_whole(file, render(told))
    fits = _fits(game, program, settings, logs, question) if all_readings else []
    head = f"{program.name}  {program.title}"
    match format_:
        case "json":
            said = document(
                "conform", name=program.name, title=program.title, logs=fields_of(told),
                readings=fields_of(fits)
            )  # fmt: skip
            say(said, nl=False)
        case "markdown":
            say(render_markdown(head, told, fits), nl=False)
        case _:
            say(render_conformed(head, told, fits), nl=False)
    return _exit(told)


def _exit(told: list[ConformedTold]) -> Exit:
    if any(one.deviations for one in told):
        return Exit.NOT_MET
    is_left = any(one.unknown or not one.windows for one in told)
    return Exit.UNDECIDED if is_left else Exit.OK


def _fits(
    game: str,
    program: ir.Program,
    settings: dict[str, str],
    logs: tuple[Path, ...],
    question: LogQuestion,
) -> list[ReadingFit]:
    """Return which readings *logs* fit: the one that is asked, and those near it."""
    found = []
    for other in ({}, *other_readings(program, settings)):
        reading = load_rules(game, {**settings, **other})
        name = settings_words(other.items()) or "as asked"
        deviations = (first_deviation(reading, path, question) for path in logs)
        first = next((one for one in deviations if one is not None), None)
        told = None
        if first is not None:
            words = LogWords(reading, question.players or reading.players[0])
            told = words.tell(first, {}, question.waivers)
        found.append(ReadingFit(name, told))
    return found
