"""``stacklaw games``: the games that come with stacklaw."""

from __future__ import annotations

import click

from ...models.load import load_rules
from ...models.shipped import example_names, game_names
from ...reports.text.listing import render_games
from ..output.printing import print_found


@click.command("games")
def command() -> None:
    """List the games that come with stacklaw, with the options of each, and behind them the examples."""
    games, examples = ([load_rules(name) for name in names] for names in (game_names(), example_names()))
    print_found(render_games(games, examples))
