"""``stacklaw certify``: check certificates again, in a new process that knows nothing of rules and how they were encoded."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import click
from rich.console import Group
from rich.text import Text

from ..checker.symbolic.certify import Checked, certify
from ..models.diagnostics import Diagnostic, InputError
from ..reports.naming import counted
from ..reports.page import print_page
from .exits import Exit


@click.command("certify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
def command(files: tuple[Path, ...]) -> int:
    """Check that certificates prove what they say.

    FILE is what `stacklaw check --certificates` has written, or a folder with such files. Every obligation in it is given to a solver
    of its own process, without the rules and without what encoded them. docs/proofs.md tells how another solver does the same.

    Exits with 0 if all of them are valid, 1 if one is rejected, 2 if one cannot be read.
    """
    rejected = 0
    for file in _certificates_in(files):
        checked = certify(file)
        rejected += not checked.is_valid
        print_page(Group(*_told(file, checked)), sys.stdout)
    return Exit.NOT_MET if rejected else Exit.OK


def _certificates_in(names: tuple[Path, ...]) -> list[Path]:
    """Return the files that *names* stand for; raises InputError if there is no solver, or none of them for a name."""
    if find_spec("z3") is None:
        raise InputError([Diagnostic("L107", "There is no solver: Z3 is not installed.", hint="`pip install z3-solver`")])
    wrong: list[Diagnostic] = []
    found: list[Path] = []
    for name in names:
        files = sorted(name.glob("*.smt2")) if name.is_dir() else [name]
        if not files:
            wrong.append(Diagnostic("L106", f"The folder `{name}` has no .smt2 file in it."))
        for file in files:
            if not file.is_file():
                wrong.append(Diagnostic("L106", f"There is no file `{file}`."))
            elif not os.access(file, os.R_OK):
                wrong.append(Diagnostic("L106", f"The file `{file}` may not be read."))
        found += files
    if wrong:
        raise InputError(wrong)
    return list(dict.fromkeys(found))


def _told(file: Path, checked: Checked) -> list[Text]:
    """Return what came of *file*, for people."""
    if not checked.is_valid:
        line = Text(f"{file}: ").append("REJECTED", "bold red")
        return [line.append(f": {checked.wrong}")]
    met = f"{counted(checked.obligations, 'obligation')} met"
    when = f", when {checked.when}" if checked.when else ""
    return [Text(f"{file}: ").append("valid", "green").append(f": {checked.name} of {checked.game}{when}, {met}")]
