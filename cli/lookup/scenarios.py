"""``stacklaw scenarios``: tests for an engine, from the rules."""

from __future__ import annotations

from dataclasses import replace

import click

from ...checker.process.interrupts import INTERRUPTS
from ...checker.scenarios.suite import make_suite
from ...checker.types.budget import INTERRUPTED
from ...models.load import load_game
from ...properties.load import claims_of
from ...reports.rulings.scenarios import (
    scenarios_gherkin,
    scenarios_json,
    scenarios_markdown,
    scenarios_toml,
)
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, format_option
from ..output.exits import Exit, interrupted
from ..output.printing import say, tell_notes
from ..output.progress import metered, why_ended, within

_FORMATS = {
    "json": scenarios_json,
    "toml": scenarios_toml,
    "gherkin": scenarios_gherkin,
    "markdown": scenarios_markdown,
}


@click.command("scenarios")
@click.argument("game")
@bound_options
@format_option(*_FORMATS)
@asking
def scenarios_command(game: str, format_: str, question: Asked) -> int:
    """Write tests for an engine of GAME: a few plays that use every clause in every way, hand
    priority over in every way, and come to what each promise is about.

    Each step says who has priority, what they may do and what not, and who receives it by which
    clause. Exits with 0, or with 3 if the budget ended before all was found.
    """
    program = load_game(game, question.settings)
    promises = [typed.property for typed in claims_of(program) if typed.claim.expect == "holds"]
    with metered(program.name, question.budget) as meter, within(meter):
        suite = make_suite(program, promises, question.scope(program), meter)
    with INTERRUPTS.undisturbed():
        told = replace(suite, stopped=why_ended(suite.stopped))
        say(_FORMATS[format_](told), nl=False)
        tell_notes([f"Not all was found: {told.stopped}"] if told.stopped else [])
    if told.stopped == INTERRUPTED:
        return interrupted()
    return Exit.UNDECIDED if told.stopped else Exit.OK
