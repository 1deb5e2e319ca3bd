"""``stacklaw certify``: check certificates again, by themselves, or against the rules that they are
said to be of.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ...checker.symbolic.certificate.certify import certify
from ...models.diagnostics import Diagnostic, InputError, wrong_input
from ...models.words import clean_line, counted
from ..asking.options import setting_option
from ..output.exits import Exit
from ..output.printing import print_found

ONLY = "whether they are those of a ruleset only --of RULES can tell"


@click.command("certify")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--of",
    "rules",
    multiple=True,
    metavar="RULES",
    help="Take only the invariant from FILE, and prove the rest anew from RULES; repeatable.",
)
@setting_option
def certify_command(
    files: tuple[Path, ...], rules: tuple[str, ...], settings: dict[str, str]
) -> int:
    """Check that certificates prove what they say.

    FILE is what `stacklaw check --certificates` has written, or a folder with such files. Every
    obligation in it is given to a solver of its own process, without the rules and without what
    encoded them. docs/proofs.md tells how another solver does the same.

    Proofs beside rules (GAME.proofs) are held against these rules, as `stacklaw prove --check`
    does.

    With --of it is held against RULES, which are named as for `stacklaw check`; a file of
    properties (FILE.props) may be named beside them, with an --of of its own. Only the invariant or
    the ranking is taken from FILE: every obligation is made anew from the rules.

    Exits with 0 if all of them are valid, 1 if one is rejected, 2 if one cannot be read.
    """
    if settings and not rules:
        raise click.UsageError("--set sets an option of the rules that --of names.")
    found = _certificates_in(files)
    told: Any = _outcome
    if rules:
        from ..asking.certify_of import held_against  # noqa: PLC0415 - it parses rulesets

        told = held_against(rules, settings)
    rejected = 0
    for file in found:
        wrong, met = (_outcome_beside if file.suffix == ".proofs" else told)(file)
        rejected += bool(wrong)
        line = Text(f"{clean_line(str(file))}: ")
        if wrong:
            print_found(line.append("REJECTED", "bold red").append(f": {wrong}"))
        else:
            print_found(line.append("valid", "green").append(met))
    return Exit.NOT_MET if rejected else Exit.OK


def _certificates_in(names: tuple[Path, ...]) -> list[Path]:
    """Return the files that *names* stand for; raises InputError if there is no solver, or none of
    them for a name.
    """
    if find_spec("z3") is None:
        raise wrong_input(
            "L107", "There is no solver: Z3 is not installed.", hint="`pip install z3-solver`"
        )
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


def _outcome_beside(file: Path) -> tuple[str, str]:
    """Return what is wrong with the proofs in *file*, held against the rules beside it, and what
    they prove if nothing is.
    """
    from ..asking.prove import check_proofs  # noqa: PLC0415 - only where such a file is named

    checked = check_proofs(str(file.with_suffix(".rules")))
    if not checked.wrong:
        return "", f": {counted(checked.proofs, 'proof')} of the rules beside it"
    _, name, why = checked.wrong[0]
    more = f"; {len(checked.wrong) - 1} more" if len(checked.wrong) > 1 else ""
    return f"{name}: {why}{more}", ""


def _outcome(file: Path) -> tuple[str, str]:
    """Return what is wrong with *file* by itself, and what it proves if nothing is."""
    checked = certify(file)
    met = (
        f"its {counted(checked.obligations, 'obligation')} "
        f"{'is' if checked.obligations == 1 else 'are'} valid"
    )
    return checked.wrong, f": {met}; {ONLY}"
