"""``stacklaw show``: a ruleset's stages and clauses."""

from __future__ import annotations

from pathlib import Path

import click

from ...models.load import load_rules
from ...reports.pictures.rulebook import draw_rulebook, render_rulebook
from ..asking.options import graph_option, setting_option
from ..output.drawing import check_drawable, tell_written
from ..output.printing import print_found


@click.command("show")
@click.argument("game")
@setting_option
@graph_option("the stages")
def show_command(game: str, settings: tuple[tuple[str, str], ...], graph: tuple[Path, ...]) -> None:
    """Show the stages and clauses of GAME, a game's name or a .rules file."""
    check_drawable(graph)
    program = load_rules(game, dict(settings))
    print_found(render_rulebook(program))
    for path in graph:
        draw_rulebook(program, path)
        tell_written(path)
