"""``stacklaw lsp``: the language server that editors start."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import click


@click.command("lsp")
def lsp_command() -> None:
    """Serve an editor over stdin and stdout: mistakes under the line, names, claims.

    An editor starts this itself; docs/editor.md says how yours does.
    """
    if find_spec("pygls") is None:
        raise click.UsageError("The editor needs pygls: pip install 'stacklaw[editor]'")
    from ..editor.server import make_server  # noqa: PLC0415 - it needs pygls

    # The server closes what it writes to, and the command writes nothing else there.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        server = make_server()
        try:
            server.start_io(sys.stdin.buffer, out)
        finally:
            server.leave()
