"""``stacklaw coverage``: which statements of a game's document its ruleset covers."""

from __future__ import annotations

import click

from ...checker.mutate.judge import JudgedReading
from ...checker.mutate.repair import Protections, protections
from ...checker.process.interrupts import INTERRUPTS
from ...checker.run.covering import Covering, search_all
from ...checker.types.budget import INTERRUPTED
from ...models.diagnostics import wrong_input
from ...models.load import load_game
from ...models.read import read_source
from ...models.shipped import file_beside, game_source, is_shipped
from ...models.source import Source
from ...reports.telling.coverage import make_coverage, read_inventory
from ...reports.text.listing import render_coverage
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, flag
from ..output.exits import Exit, interrupted
from ..output.printing import print_found
from ..output.progress import metered, progress


@click.command("coverage")
@click.argument("game")
@bound_options
@flag(
    "--edits",
    help="Count a claim only where an edit of the statement's rules breaks it.",
)
@asking
def coverage_command(game: str, edits: bool, question: Asked) -> int:
    """Show which statements of its document the ruleset of GAME covers: with which rule, claim or
    option, or why not.

    The statements are those of the file beside the ruleset that ends in .clauses: an id, a tab and
    the statement on each line. Rules are counted in an exhaustive search; those that the options
    rule out are searched for under the options that allow them.

    With --edits a claim covers a statement only if it is broken by some edit, of those that mutate
    makes, of the rules that stand for the statement; of any rule, if none does. That takes minutes.

    Exits with 1 if a statement is not covered, or only by rules that never fire or claims that are
    not met; with 3 if all is covered but a search was not finished within the budget, or only a
    larger scope could show that something is.
    """
    inventory = read_inventory(_inventory(game.partition("@")[0]))
    searches = search_all(
        Covering(
            load=lambda settings: load_game(game, {**question.settings, **settings}),
            scope=question.scope,
            budget=question.budget,
            progress=progress,
        )
    )
    found: Protections | None = None
    stopped = ""
    if edits:
        size = question.players, question.stack, tuple(question.sizes.items())
        base = JudgedReading(game_source(game), (), *size)
        with metered(searches[0].program.name, question.budget) as meter:
            found, stopped = protections(searches, base, meter)
    with INTERRUPTS.undisturbed():
        coverage = make_coverage(inventory, searches, found, stopped)
        print_found(render_coverage(coverage))
    if any(INTERRUPTED in words for words in coverage.unfinished):
        return interrupted()
    if not coverage.complete:
        return Exit.NOT_MET
    return Exit.UNDECIDED if coverage.unfinished or coverage.is_open else Exit.OK


def _inventory(game: str) -> Source:
    """Return the inventory of *game*."""
    path = file_beside(game, ".clauses")
    if path.is_file():
        return read_source(path)
    if is_shipped(game):
        raise wrong_input(
            "L102", f"The game `{game}` has no inventory of its document's statements."
        )
    hint = "write an id, a tab and the statement on each line"
    raise wrong_input("L102", f"There is no inventory `{path}` beside the ruleset.", hint=hint)
