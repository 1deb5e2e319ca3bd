"""``stacklaw page``: one file in which a game can be read and played, with the engine inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ... import __version__
from ...checker.explicit.layout.layout import TooWideError
from ...checker.explicit.native.machine import NoMachineError
from ...checker.explicit.portable.portable import portable
from ...checker.process.interrupts import INTERRUPTS
from ...checker.rulings.file import read_rulings, rulings_beside
from ...checker.run.check import explore
from ...checker.run.engines import prover_named
from ...checker.types.budget import INTERRUPTED, Budget, Meter
from ...checker.types.scope import Scope, scope_of
from ...models import ir
from ...models.diagnostics import InputError
from ...properties.formula import Property, Question
from ...reports.files import check_writable, write_whole
from ...reports.page.page import Modules, Served, render_page
from ...reports.page.rulebook import Usage
from ...reports.page.switches import Switched
from ...reports.telling.state_space import reached_positions
from ..asking.ask import ask, asked_by
from ..asking.options import budget_options, scope_options
from ..asking.reading import read_target
from ..asking.switching import switched
from ..output.bounded import why_ended, within
from ..output.drawing import file_name, tell_written
from ..output.exits import Exit, interrupted

_COUNTING = 10
_PARTS = 2
"""One of so many parts of the time is for the verdicts of a page; the rest is for its board."""
_COUNTED = Budget(positions=100_000, seconds=_COUNTING)
"""In so many positions it is counted how often clauses are used: a second or two, if there are few
moves in each.
"""

_DRAWN = 150
"""So many positions are drawn at most."""


@click.command("page")
@click.argument("game")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the page to FILE (default: NAME.html).",
)
@scope_options
@budget_options
def page_command(game: str, output: Path | None, **asked: Any) -> int:
    """Write a page of GAME that needs no network: its rules, what they guarantee, and a board to
    play it on, move by move.

    The page shows what `check` finds, and can search again with other sizes of zones and in other
    readings: the rules are in it, compiled to WebAssembly. Exits with 0 once it is written.
    """
    program, questions, _ = read_target(game, dict(asked["settings"]), (), (), with_claims=True)
    path = output or Path(f"{file_name(program.name)}.html")
    check_writable(path)

    def give(page: str) -> None:
        write_whole(path, page)
        tell_written(path)

    return interrupted() if make_page(game, program, questions, asked, give) else Exit.OK


def make_page(
    game: str,
    program: ir.Program,
    questions: Sequence[Question],
    asked: Mapping[str, Any],
    give: Callable[[str], None],
    served: Served | None = None,
) -> bool:
    """*Give* the page of *program*, which *game* names, with what is *asked* and *questions* for
    it; return whether it was interrupted.

    If it is *served*, it can ask more than that.
    """
    question = asked_by(asked)
    meter = Meter(question.budget)
    record = ask(game, replace(question, budget=meter.rest(_PARTS)))
    scope, is_ended = (
        scope_of(program, asked["players"], asked["stack"], dict(asked["sizes"])),
        record.interrupted,
    )
    try:
        INTERRUPTS.check()
        with within(meter):
            modules, why = _modules(
                switched(game, dict(asked["settings"]), program, questions), scope
            )
    except KeyboardInterrupt:
        is_ended = bool(INTERRUPTS.asked or not INTERRUPTS.over)
        modules, why = None, f"Before the game was compiled {why_ended(INTERRUPTED)}."
    with INTERRUPTS.undisturbed():
        most = meter.rest().seconds
        counted = _COUNTED if most is None else replace(_COUNTED, seconds=min(most, _COUNTING))
        explored = explore(program, scope, counted, prover=prover_named("all"))
        usage = Usage(explored.fired, explored.open, all=not explored.stopped)
        reached = (
            reached_positions(program, scope, _DRAWN)
            if not explored.stopped and explored.counts.positions <= _DRAWN
            else ()
        )
        give(
            render_page(
                record,
                program,
                modules,
                why,
                __version__,
                usage,
                reached,
                served,
                offered_rulings(game),
            )
        )
    return is_ended


def offered_rulings(game: str) -> list[str]:
    """Return the questions of the rulings beside *game* that are of its own reading."""
    with suppress(InputError):
        text = rulings_beside(game)
        return (
            []
            if text is None
            else [
                one.question
                for one in read_rulings(text)
                if not one.reading and one.players is None
            ]
        )
    return []


def _modules(
    games: Sequence[tuple[Switched, Sequence[Property]]], scope: Scope
) -> tuple[Modules | None, str]:
    """Return the first of *games* within *scope* that a browser has room for, with its properties;
    None, and why, if there is none.
    """
    why = ""
    for game, properties in games:
        try:
            found = portable(
                game.program, scope, properties, [option.name for option in game.options]
            )
        except TooWideError as error:
            why = f"The game is too large for the machine in the page: {error}."
        except NoMachineError as error:
            why = f"The game could not be compiled for the page: {error}."
        else:
            return Modules(found.tells, found.searches, found.tables, game), ""
    return None, why
