"""``stacklaw show``: a ruleset's stages and clauses."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..models.load import load_game
from ..reports.page import print_page
from ..reports.rulebook import draw_rulebook, render_rulebook
from .drawing import check_drawable
from .options import setting_option


@click.command("show")
@click.argument("game")
@setting_option
@click.option(
    "--graph", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the stages: .svg, .dot, .graphml or .html."
)
def command(game: str, settings: tuple[tuple[str, str], ...], graph: Path | None) -> None:
    """Show the stages and clauses of GAME, a game's name or a .rules file."""
    check_drawable(graph)
    program = load_game(game, dict(settings))
    print_page(render_rulebook(program), sys.stdout)
    if graph is not None:
        draw_rulebook(program, graph)
        click.echo(f"wrote {graph}", err=True)
