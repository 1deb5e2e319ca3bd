"""``stacklaw page``: one file in which a game can be read and played, with the engine inside."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ...reports.files import check_writable, is_direct, write_whole
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, file_option
from ..asking.reading import read_target
from ..exploring.making import make_page
from ..output.exits import Exit, interrupted
from ..output.files import file_name, tell_written


@click.command("page")
@click.argument("game")
@file_option(
    "-o",
    "--output",
    help="Write the page to FILE (default: NAME.html).",
)
@bound_options
@asking
def page_command(game: str, output: Path | None, question: Asked) -> int:
    """Write a page of GAME that needs no network: its rules, what they guarantee, and a board to
    play it on, move by move.

    The page shows what `check` finds, and can search again with other sizes of zones and in other
    readings: the rules are in it, compiled to WebAssembly. It is written as soon as there is a
    board, again with the verdicts, and again with proofs. Exits with 0 once it is complete.
    """
    program, questions, _ = read_target(game, question.settings)
    path = output or Path(f"{file_name(program.name)}.html")
    check_writable(path)
    give = partial(write_whole, path)
    made = make_page(
        game, program, questions, question, give, give_part=None if is_direct(path) else give
    )
    tell_written(path)
    return interrupted() if made else Exit.OK
