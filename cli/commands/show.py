"""``stacklaw show``: a ruleset's stages and clauses, and what makes it large."""

from __future__ import annotations

from pathlib import Path

import click

from ...checker.explicit.estimate import sizes
from ...checker.reference.semantics.explore import explore
from ...checker.reference.semantics.interpreter import Interpreter
from ...models.load import load_rules
from ...reports.pictures.stages import draw_rulebook, render_rulebook
from ...reports.text.sizes import render_sizes
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, flag, graph_option
from ..output.exits import Exit
from ..output.files import check_drawable, tell_written
from ..output.printing import print_found
from ..output.progress import metered


@click.command("show")
@click.argument("game")
@flag("--sizes", "is_sized", help="Tell what makes it large, instead.")
@bound_options
@graph_option("the stages")
@asking
def show_command(game: str, *, is_sized: bool, graph: tuple[Path, ...], question: Asked) -> int:
    """Show the stages and clauses of GAME, a game's name or a .rules file.

    Exits with 0, or with 3 if the budget ended before all positions were counted.
    """
    check_drawable(graph)
    program, stopped = load_rules(game, question.settings), ""
    if is_sized:
        scope = question.scope(program)
        with metered(program.name, question.budget) as meter:
            reached = explore(Interpreter(program, scope), meter)
        positions, stopped = reached.positions, reached.stopped
        found = sizes(program, positions)
        print_found(render_sizes(program, scope, len(positions), found, stopped))
    else:
        print_found(render_rulebook(program))
    for path in graph:
        draw_rulebook(program, path)
        tell_written(path)
    return Exit.UNDECIDED if stopped else Exit.OK
