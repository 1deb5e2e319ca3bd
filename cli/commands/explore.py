"""``stacklaw explore``: the page of a game, served on this machine, with the engines of `check`
behind it.
"""

from __future__ import annotations

import webbrowser
from typing import Any

import click

from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.scope import MOST_ITEMS, MOST_PLAYERS
from ...models import ir
from ...reports.page.page import Served
from ..asking.ask import asked_by
from ..asking.options import budget_options, scope_options
from ..asking.reading import read_target
from ..exploring.search import PageSearch
from ..exploring.server import PageServer
from ..output.printing import say
from .page import make_page


@click.command("explore")
@click.argument("game")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Serve at this port of this machine (default: any free one).",
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the browser.")
@scope_options
@budget_options
def explore_command(game: str, port: int, is_opened: bool, **asked: Any) -> None:
    """Serve the page of GAME to a browser on this machine, and decide what it asks beyond its own
    sizes.

    The page is that of `page`. Beside it `check` decides, within --time and --memory, what is asked
    there of other numbers of players, larger zones and other options. Only who has the address that
    is printed is answered, and only from this machine. Ctrl-C ends it.
    """
    program, questions, _ = read_target(game, dict(asked["settings"]), (), (), with_claims=True)
    search = PageSearch(game, program.source.text, asked_by(asked))
    with _server(port, search) as server:
        if make_page(game, program, questions, asked, server.give, _served(program)):
            raise click.Abort
        try:
            say(f"{server.address}\nCtrl-C ends it.")
            if is_opened:
                webbrowser.open(server.address)
            server.serve_forever()
        except KeyboardInterrupt:
            raise click.Abort from None
        finally:
            with INTERRUPTS.undisturbed():
                search.stop_all()


def _server(port: int, search: PageSearch) -> PageServer:
    try:
        return PageServer(port, search)
    except OSError as error:
        why = f"{port} cannot be had: {error.strerror or error}. Without it any free one is taken."
        raise click.BadParameter(why, param_hint="--port") from None


def _served(program: ir.Program) -> Served:
    """Return what a page of *program* may ask."""
    low, high = program.players
    return Served(low, min(high or MOST_PLAYERS, MOST_PLAYERS), MOST_ITEMS)
