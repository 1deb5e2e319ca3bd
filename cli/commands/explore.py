"""``stacklaw explore``: the page of a game, served on this machine, with the engines of `check`
behind it.
"""

from __future__ import annotations

import shlex
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from ...checker.process.interrupts import INTERRUPTS
from ...models.shipped import is_shipped, rules_source
from ...reports.page.editor import render_editor
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, flag
from ..asking.reading import read_target
from ..exploring.editing import EditedPages, Editing
from ..exploring.making import make_page, served_by
from ..exploring.search import PageSearch
from ..exploring.server import NOBODY, VS_CODE, PageServer, end_with_stdin, own_port
from ..output.printing import say


@click.command("explore")
@click.argument("game")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Serve at this port of this machine (default: any free one).",
)
@flag("--open", "is_opened", help="Open the page in the browser.")
@flag(
    "--edit",
    "is_edited",
    help="Edit the rules, the claims and the rulings beside it.",
)
@flag("--beside-editor", "is_beside", hidden=True)
@bound_options
@asking
def explore_command(
    game: str, port: int, is_opened: bool, is_edited: bool, is_beside: bool, question: Asked
) -> None:
    """Serve the page of GAME to a browser on this machine, and decide what it asks beyond its own
    sizes; with --edit its rules stand beside it.

    The page is that of `page`. Beside it `check` decides, within --time and --memory, what is asked
    there of other numbers of players, larger zones and other options. Only who has the address that
    is printed is answered, and only from this machine. Ctrl-C ends it.
    """
    if is_beside:
        end_with_stdin()
    if is_edited:
        _edit(game, port, question, is_opened=is_opened)
    program, questions, _ = read_target(game, question.settings)
    search = PageSearch(game, program.source.text, question)
    with _server(port, search, framed=VS_CODE if is_beside else NOBODY) as server:
        if make_page(game, program, questions, question, server.give, served_by(program)):
            raise click.Abort
        _serve(server, search.stop_all, is_opened=is_opened)


def _edit(game: str, port: int, question: Asked, *, is_opened: bool) -> NoReturn:
    """Serve the files of *game* to be edited, beside a board that follows."""
    file = Path(game.partition("@")[0])
    rules_source(game)  # which says why it cannot be read
    if is_shipped(game) or file.suffix != ".rules":
        why = f"`{game}` is not a file of your own that ends in .rules."
        raise click.BadParameter(why, param_hint="--edit")
    pages = EditedPages(Editing(game, question))
    with _server(port or own_port(file), None, pages, or_else=not port) as server:
        again = ["stacklaw", "explore", game, "--edit", "--port", str(server.server_port)]
        server.give(render_editor(pages.editing.names, shlex.join(again)))
        _serve(server, pages.end, is_opened=is_opened)


def _serve(server: PageServer, end: Callable[[], None], *, is_opened: bool) -> NoReturn:
    """Serve until somebody ends it; then *end* what is searched for."""
    try:
        say(f"{server.address}\nCtrl-C ends it.")
        if is_opened:
            webbrowser.open(server.address)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        with INTERRUPTS.undisturbed():
            end()
    raise click.Abort


def _server(
    port: int,
    search: PageSearch | None,
    editing: EditedPages | None = None,
    framed: str = NOBODY,
    *,
    or_else: bool = False,
) -> PageServer:
    """Return a server at *port*; if that is taken, at another one if that may be *or else*."""
    try:
        return PageServer(port, search, editing, framed)
    except OSError as error:
        if or_else:
            return _server(0, search, editing, framed)
        why = f"{port} cannot be had: {error.strerror or error}. Without it any free one is taken."
        raise click.BadParameter(why, param_hint="--port") from None
