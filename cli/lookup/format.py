"""``stacklaw format``: rulesets in the standard layout."""

from __future__ import annotations

from pathlib import Path

import click

from ...models.diagnostics import InputError
from ...models.printing.format import format_text
from ...models.read import read_source
from ...models.source import CLAIMS
from ...models.words import clean_line
from ...reports.files import write_whole
from ..asking.ask import targets_in
from ..asking.options import flag
from ..output.exits import Exit
from ..output.failure import tell_input_error
from ..output.printing import say


@click.command("format")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@flag(
    "--check",
    help="Change nothing; exit with 1 if a file is not in the standard layout.",
)
def format_command(files: tuple[str, ...], *, check: bool) -> int:
    """Write rulesets (FILE, or all .rules, .claims and .props files of a folder) in the standard
    layout.

    Exits with 0, with 1 if --check finds a file in another layout, with 2 if a file is no ruleset.
    """
    code = Exit.OK
    for name in targets_in(files, (".rules", CLAIMS, ".props")):
        path = Path(name)
        try:
            source = read_source(path)
            formatted = format_text(source)
            if formatted == source.text:
                continue
            if not check:
                write_whole(path, formatted)
        except InputError as error:
            tell_input_error(error)
            code = Exit.WRONG_INPUT
            continue
        say(f"{clean_line(name)}: {'is not in the standard layout' if check else 'formatted'}")
        if check and code is Exit.OK:
            code = Exit.NOT_MET
    return code
