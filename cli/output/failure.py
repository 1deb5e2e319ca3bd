"""Failures, and what is told of them: mistakes in the input with their places, mistakes of ours as
such.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from pathlib import Path

from ... import __version__
from ...models.diagnostics import InputError
from ...models.words import clean_line
from ...reports.text.diagnostics import Diagnostics
from .exits import Exit
from .printing import print_page, say


def tell(error: Exception) -> Exit:
    """Tell *error* on stderr and return the exit code it ends with."""
    if isinstance(error, InputError):
        tell_input_error(error)
        return Exit.WRONG_INPUT
    if isinstance(error, OSError) and error.filename is not None:
        say(f"error: {clean_line(os.fsdecode(error.filename))}: {error.strerror}", err=True)
        return Exit.WRONG_INPUT
    say(f"internal error: {type(error).__name__}: {error}", err=True)
    say("This is a mistake in stacklaw, not in your rules; nothing is decided.", err=True)
    try:
        say(f"Please report it with the file {_write_report(error)}", err=True)
    except OSError as why:
        say(f"Please report it; no file with more could be written: {why.strerror}", err=True)
    return Exit.INTERNAL


def tell_input_error(error: InputError, about: str = "") -> None:
    """Print everything that is wrong with the input on stderr, with the ruleset if that is not
    plain.
    """
    if sys.stderr is not None:
        print_page(Diagnostics(error.diagnostics), sys.stderr)
    if about:
        say(f"Nothing is decided of {about}.", err=True)


def _write_report(error: Exception) -> Path:
    """Write down where *error* comes from, and return the file."""
    with tempfile.NamedTemporaryFile(
        "w",
        prefix="stacklaw-",
        suffix=".txt",
        delete=False,
        encoding="utf-8",
        errors="backslashreplace",
    ) as file:
        file.write(f"stacklaw {__version__}, Python {sys.version}\narguments: {sys.argv[1:]}\n\n")
        file.write("".join(traceback.format_exception(error)))
    return Path(file.name)
