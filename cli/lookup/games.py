"""``stacklaw games``: the games that come with stacklaw."""

from __future__ import annotations

import click

from ...models.load import load_rules
from ...models.shipped import example_names, game_names
from ...reports.text.listing import render_games, render_options
from ..output.printing import print_found


@click.command("games")
@click.argument("names", nargs=-1, metavar="[GAME]...")
def games_command(names: tuple[str, ...]) -> None:
    """List the games that come with stacklaw, and behind them the examples; of each GAME that is
    named tell its options.
    """
    if names:
        print_found(render_options([load_rules(name) for name in names]))
        return
    games, examples = (
        [load_rules(name) for name in each] for each in (game_names(), example_names())
    )
    print_found(render_games(games, examples))
