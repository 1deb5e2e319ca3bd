"""Printing what a command says, and the notes on how a run was done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from ...models.diagnostics import InputError, wrong_input
from ...models.words import clean

if TYPE_CHECKING:
    from rich.console import RenderableType


def tell_notes(notes: Iterable[str]) -> None:
    """Print each of *notes* once, as a sentence."""
    told = list(dict.fromkeys(notes))
    if not told:
        return
    # Imported only where something is printed, so that `stacklaw --help` answers at once.
    from rich.console import Group  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for note in told:
        grid.add_row(Text("note:", "cyan"), Text(f"{note[:1].upper()}{note[1:].rstrip('.')}."))
    print_page(Group(grid), sys.stderr)


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print *text* on stdout or stderr; raises InputError if stdout cannot be written."""
    said = f"{clean(text)}\n" if nl else clean(text)
    _put(lambda stream: stream.write(said), sys.stderr if err else sys.stdout)


def print_page(renderable: RenderableType, stream: TextIO | None) -> None:
    """Print *renderable* on *stream*, if there is one; raises InputError if stdout cannot be
    written.
    """
    # As above: only where a page is printed.
    from ...reports.text.page import print_page as put  # noqa: PLC0415

    _put(lambda open_: put(renderable, open_), stream)


def print_found(found: RenderableType) -> None:
    """Print what a command has found on stdout: a document, which is a text, as it is, anything
    else as a page.
    """
    if isinstance(found, str):
        say(found, nl=False)
    else:
        print_page(found, sys.stdout)


def finish() -> None:
    """Print what is not yet printed; raises InputError if stdout cannot be written."""
    _put(lambda _: None, sys.stdout)


def _put(write: Callable[[TextIO], object], stream: TextIO | None) -> None:
    """*Write* on *stream*, if there is one. If that fails, say no more there. For stdout raise why;
    for stderr there is no place left to tell it.
    """
    if stream is None:
        return
    try:
        write(stream)
        stream.flush()
    except OSError as error:
        silence(stream)
        if isinstance(error, BrokenPipeError):
            raise
        if stream is sys.stdout:
            raise cannot_be_written(error) from None


def cannot_be_written(error: OSError) -> InputError:
    """Return what is wrong where stdout cannot be written, for this *error*."""
    return wrong_input("L111", f"What is said cannot be written: {error.strerror or error}.")


def silence(stream: TextIO | None) -> None:
    """Let what *stream* still holds, and all that follows, go nowhere: the interpreter must not
    complain when it closes it.
    """
    if stream is not None:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
