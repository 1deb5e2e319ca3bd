"""``stacklaw repair``: looks for edits of a ruleset after which a property holds that does not."""

from __future__ import annotations

import click

from ...checker.mutate.apart import difference_of
from ...checker.mutate.judge import JudgedReading
from ...checker.mutate.repair import repairs
from ...checker.process.interrupts import INTERRUPTS
from ...checker.rulings.file import rulings_beside
from ...checker.types.budget import INTERRUPTED
from ...models.load import load, opened, settings_of
from ...models.shipped import game_source
from ...reports.edits.mutants import render_repairs
from ...reports.telling.mutants import make_repair_record
from ..asking.ask import Asked, asking
from ..asking.options import bound_options
from ..output.exits import Exit, interrupted
from ..output.printing import print_found
from ..output.progress import metered


@click.command("repair")
@click.argument("game")
@click.argument("property_name", metavar="PROPERTY")
@bound_options
@click.option(
    "--most",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    metavar="N",
    help="How many edits are told at most.",
)
@asking
def repair_command(
    game: str,
    property_name: str,
    most: int,
    question: Asked,
) -> int:
    """Look for edits of GAME after which PROPERTY is met, and every claim that is met now still is.

    PROPERTY is a claim of GAME or a property of the catalogue. The edits that change least are told
    first: players notice them latest. Where no single edit mends it, two together are tried.

    Exits with 0 if there is one, 1 if there is none, 2 if the input is wrong, 3 if that is
    undecided.
    """
    source = game_source(game)
    said = {**settings_of(game), **question.settings}
    program = load(source, said)
    size = question.players, question.stack, tuple(question.sizes.items())
    reading = JudgedReading(source, tuple(said.items()), *size, rulings=rulings_beside(game))
    with metered(program.name, question.budget) as meter:
        found = repairs(reading, property_name, meter)
    with INTERRUPTS.undisturbed():
        whole = opened(source)
        apart = [
            difference_of(whole, one.edits[-1], reading, meter) for one in found.mending[:most]
        ]
        record = make_repair_record(found, whole, property_name, apart)
        print_found(render_repairs(record))
    if found.stopped == INTERRUPTED:
        return interrupted()
    if record.rows:
        return Exit.OK
    return Exit.UNDECIDED if found.stopped or found.undecided else Exit.NOT_MET
