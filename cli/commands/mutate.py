"""``stacklaw mutate``: edits a ruleset in every way that people do by mistake, and tells which of
them no claim notices.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from ...checker.diff.changes import touched_since
from ...checker.mutate.apart import questions_to_keep, told_apart
from ...checker.mutate.judge import JudgedReading
from ...checker.mutate.survey import WORKER, survey
from ...checker.process.interrupts import INTERRUPTS
from ...checker.rulings.file import rulings_beside
from ...checker.types.budget import INTERRUPTED
from ...models.load import load, settings_of
from ...models.options.cases import other_readings
from ...models.revisions import read_at, read_before
from ...models.shipped import game_source
from ...reports.edits.mutants import render_survey
from ...reports.json import render_survey_json
from ...reports.markdown.edits import render_survey_markdown
from ...reports.telling.mutants import SurveyRecord, make_survey_record
from ..asking.ask import Asked, asking
from ..asking.options import (
    bound_options,
    cluster_options,
    flag,
    format_option,
    full_option,
    make_cluster,
    pool_at,
)
from ..output.exits import Exit, interrupted
from ..output.printing import print_found
from ..output.progress import metered


@click.command("mutate")
@click.argument("game")
@bound_options
@cluster_options
@flag(
    "--all-readings",
    help="Judge in each value of each option, one at a time, what the default does not notice.",
)
@flag(
    "--every-claim",
    help="Ask every claim of every edit: which claims are enough, which notice nothing.",
)
@flag("--every-edit", help="List all edits, not only those that nothing protects.")
@flag("--plays", help="Tell the whole play of each edit that nothing protects.")
@full_option
@click.option(
    "--since", metavar="REV", help="Edit only what was changed since REV, a revision in git."
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Exit with 1 if a smaller part of the edits that change the game is noticed.",
)
@format_option("text", "markdown", "json")
@asking
def mutate_command(
    game: str,
    all_readings: bool,
    every_claim: bool,
    every_edit: bool,
    plays: bool,
    full: bool,
    since: str | None,
    fail_under: float | None,
    format_: str,
    cluster: str | None,
    workers: int | None,
    question: Asked,
) -> int:
    """Edit GAME as people do by mistake, one edit at a time, and tell which edits no claim notices.

    An edit is noticed if a claim is not met any more; else it is the same game, or unprotected:
    then the question is told whose answer it changes, and rulings are suggested that would notice
    it.

    Exits with 0, with 1 if less is noticed than --fail-under asks for, with 2 if the input is
    wrong, 3 if something is undecided.
    """
    source = game_source(game)
    said = {**settings_of(game), **question.settings}
    program = load(source, said)
    chosen = [said, *({**said, **other} for other in other_readings(program, said) if all_readings)]
    size = question.players, question.stack, tuple(question.sizes.items())
    readings = [JudgedReading(source, tuple(one.items()), *size) for one in chosen]
    # Each ruling says of which reading it is, so they are asked once.
    readings[0] = replace(readings[0], rulings=rulings_beside(game))
    touched = (
        None
        if since is None
        else touched_since(read_before(since, source.name) or read_at(since, source.name), source)
    )
    with pool_at(make_cluster(cluster, workers), WORKER) as pool:
        with metered(program.name, question.budget) as meter:
            found = survey(readings, meter, every_claim=every_claim, touched=touched, pool=pool)
        apart = told_apart(found, meter)
        kept = questions_to_keep(found, apart, meter)
        with INTERRUPTS.undisturbed():
            record = make_survey_record(found, apart, kept, every_claim=every_claim)
            page = partial(render_survey, every_edit=every_edit, plays=plays, full=full)
            print_found(
                {"json": render_survey_json, "markdown": render_survey_markdown}.get(format_, page)(
                    record
                )
            )
    return interrupted() if record.stopped == INTERRUPTED else _exit(record, fail_under)


def _exit(record: SurveyRecord, fail_under: float | None) -> Exit:
    if fail_under is not None and record.share is not None and record.share * 100 < fail_under:
        return Exit.NOT_MET
    return Exit.UNDECIDED if record.stopped or record.count("undecided") else Exit.OK
