"""``stacklaw games``: the games that come with stacklaw."""

from __future__ import annotations

import sys

import click

from ...models.load import game_names, load_game
from ...reports.text.listing import render_games
from ..output.printing import print_page


@click.command("games")
def command() -> None:
    """List the games that come with stacklaw, with the options of each."""
    print_page(render_games([load_game(name) for name in game_names()]), sys.stdout)
