"""``stacklaw compare``: games against the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import click

from ... import __version__
from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.workers import Pool, replies_of
from ...checker.types.budget import Budget, Meter
from ...models.diagnostics import InputError
from ...models.load import game_names
from ...reports.files import make_folder, write_whole
from ...reports.json import render_matrix_json
from ...reports.markdown.matrix import Matrix, make_matrix, render_matrix_markdown
from ...reports.telling.measures import MeasuresRecord
from ...reports.telling.record import Record
from ...reports.text.matrix import MatrixTable
from ..asking.ask import Asked, ask, asking
from ..asking.measured import measured
from ..asking.options import bound_options, format_option, pool_at, property_option, search_options
from ..asking.reading import read_target
from ..asking.reading_worker import READING, reading_request, record_of, texts_of
from ..output.exits import Exit, interrupted
from ..output.files import file_name, tell_written
from ..output.printing import print_found, say, tell_notes
from ..output.progress import metered


def compared(games: Sequence[str], asked: Asked) -> list[Asked]:
    """Return what is *asked* of each of *games*: the catalogue, and the claims that all of them
    have, if nothing is named.

    A claim is had by two rulesets if it has the same name and the same formula in both. Raises
    InputError.
    """
    if asked.properties or len(games) < 2:
        return [asked] * len(games)
    claims = []
    for game in games:
        _, questions, _ = read_target(game, asked.settings)
        claims.append(
            {
                question.name: question.text
                for question, claim, _ in questions
                if claim is not None and claim.formula is not None
            }
        )
    shared = [
        name for name, text in claims[0].items() if all(other.get(name) == text for other in claims)
    ]
    return [
        replace(asked, properties=(*_catalogue(game, asked), *shared)) if shared else asked
        for game in games
    ]


def asked_of_each(
    games: Sequence[str], questions: Sequence[Asked], meter: Meter, parts: int
) -> Iterator[Record]:
    """Yield what comes of the *questions*, of each of *games* in its place; where a cluster is
    named, each of several goes to a worker.

    Else *meter* has the time for all games: each takes an equal part of what is left, of which
    there are *parts* parts for each. Raises InputError; KeyboardInterrupt comes after all that
    was found before.
    """
    cluster = questions[0].tuning.cluster if len(games) > 1 else None
    with pool_at(cluster, READING, questions[0].budget.seconds) as pool:
        if pool is None:
            for place, (game, question) in enumerate(zip(games, questions, strict=True)):
                part = meter.rest(parts * len(games) - place)
                yield ask(game, replace(question, budget=part))
        else:
            yield from _by_pool(pool, games, questions)


def _by_pool(pool: Pool, games: Sequence[str], questions: Sequence[Asked]) -> Iterator[Record]:
    mebibytes = questions[0].budget.mebibytes
    share = None if mebibytes is None else max(mebibytes // pool.on_one_machine, 1)
    questions = [
        replace(question, budget=replace(question.budget, mebibytes=share))
        for question in questions
    ]
    asked = list(zip(games, questions, strict=True))
    requests = (reading_request(game, question, texts_of(game)) for game, question in asked)
    found: dict[int, Record] = {}
    is_interrupted = False
    with metered("comparing", Budget()) as meter:
        meter.begin("looking at games")
        try:
            for place, reply in replies_of(
                pool, requests, lambda: meter.count(len(found), len(games), pool.waits_for)
            ):
                one = record_of(reply, *asked[place])
                if not isinstance(one, Record):
                    raise InputError(one)
                found[place] = one
        except KeyboardInterrupt:
            is_interrupted = True
    yield from (found[place] for place in sorted(found))
    if is_interrupted:
        raise KeyboardInterrupt


def _catalogue(game: str, asked: Asked) -> list[str]:
    _, questions, _ = read_target(game, asked.settings, with_claims=False)
    return [question.name for question, _, _ in questions]


_TABLE = "index.html"


@click.command("compare")
@click.argument("games", nargs=-1, metavar="GAME...")
@property_option(
    help="Compare only this property.",
)
@bound_options
@search_options
@format_option("text", "markdown", "json")
@click.option(
    "--html",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the table as a page in DIR, and a page of each game, where its plays are.",
)
@asking
def compare_command(
    games: tuple[str, ...], format_: str, folder: Path | None, question: Asked
) -> int:
    """Set games, or readings of a game (fow@additions=turn_player), side by side; without GAME all
    games that come with stacklaw.

    Unless properties are named, the measures of the games come after the verdicts (`stacklaw
    measure`).

    Exits with 0, or with 3 if something is undecided within the budget.
    """
    names = games or game_names()
    whole = replace(question, with_claims=False)
    questions, names_nothing = compared(names, whole), not whole.properties
    tuning = whole.tuning
    if len(names) > 1 and tuning.cluster and (tuning.checkpoints or tuning.disk):
        option = "--checkpoint" if tuning.checkpoints else "--disk"
        raise click.UsageError(
            f"{option} is of one search by a whole cluster, and of several games each goes to a "
            "worker."
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
    # Only where pages are asked for.
    from ...reports.page.pieces import render_side_by_side  # noqa: PLC0415
    from ..exploring.making import board_page  # noqa: PLC0415

    pages = list[str]()
    for game, record in zip(games, records, strict=True):
        program = read_target(game, asked.settings, with_claims=False)[0]
        page = f"{len(pages) + 1}-{file_name(record.name)}.html"
        write_whole(folder / page, board_page(game, program, record, asked.budget))
        INTERRUPTS.check()
        pages.append(page)
    write_whole(folder / _TABLE, render_side_by_side(matrix, list(map(quote, pages)), __version__))
    tell_written(folder / _TABLE)
