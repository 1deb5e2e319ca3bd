"""``stacklaw prove``: write what is proved of rulesets into files beside them, or check such
files.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...checker.types.budget import INTERRUPTED
from ...models.words import clean_line, counted
from ..asking.ask import Asked, asking, targets_in
from ..asking.options import budget_options, flag, property_option, setting_option
from ..asking.prove import CheckedProofs, Proven, check_proofs, proofs_text, prove_beside
from ..output.exits import Exit, interrupted, worst
from ..output.printing import say, tell_notes


@click.command("prove")
@click.argument("targets", nargs=-1, required=True, metavar="GAME_OR_FILE...")
@property_option(
    help="Prove only this property or claim; the others stay.",
)
@setting_option
@flag(
    "--all-readings",
    help="Prove what each reading guarantees: every other value of one option.",
)
@flag(
    "--check",
    "is_check",
    help="Write nothing; exit with 1 if a proof is of other rules than these, or proves nothing.",
)
@flag(
    "--print",
    "is_print",
    help="Prove nothing; print the proofs that are there, as text.",
)
@budget_options
@asking
def prove_command(
    targets: tuple[str, ...],
    *,
    all_readings: bool,
    is_check: bool,
    is_print: bool,
    question: Asked,
) -> int:
    """Prove for every size what GAME_OR_FILE guarantees, as hard as with `check --prove`, and write
    the proofs into a file beside it.

    GAME.proofs has an entry for each proof: what it is of, and its invariant or its ranking.
    `stacklaw check` checks it anew instead of looking for one. What is proved of another reading
    (mtg@flash=yes) is written into the same file; what is of other rules goes.

    Exits with 0; with --check with 1 if a proof is of other rules or proves nothing; with 2 if the
    input is wrong, 3 if the time was up, 130 if it was interrupted. What was proved by then is
    written.
    """
    if (is_check or is_print) and (all_readings or question.properties or question.settings):
        raise click.UsageError(
            f"{'--check' if is_check else '--print'} looks at all that is in the file."
        )
    codes: list[Exit] = []
    for target in targets_in(targets):
        if is_check:
            codes.append(_tell_checked(check_proofs(target)))
            continue
        if is_print:
            say(proofs_text(target).removesuffix("\n"))
            codes.append(Exit.OK)
            continue
        proven = prove_beside(target, replace(question, prove=True), all_readings=all_readings)
        codes.append(_tell_proven(proven))
        if proven.ended == INTERRUPTED:
            break
    return worst(codes)


def _tell_proven(proven: Proven) -> Exit:
    """Tell what came of proving, and return how that ends."""
    new = f", {proven.new} of them new" if proven.new else ""
    for reading, name, reason in proven.unproved:
        say(f"no proof of {name} of {reading}: {reason}")
    say(
        f"{_file_name(proven.file)}: "
        f"{counted(proven.proofs, 'proof')}{new}"
        f"{'' if proven.is_written else '; nothing is to be written'}"
    )
    tell_notes(proven.notes)
    if proven.ended == INTERRUPTED:
        say("interrupted", err=True)
        return interrupted()
    return Exit.UNDECIDED if proven.ended else Exit.OK


def _tell_checked(checked: CheckedProofs) -> Exit:
    """Tell what is wrong with a file of proofs, and return how that ends."""
    for line, name, wrong in checked.wrong:
        say(f"{_file_name(checked.file)}:{line}: {name}: {wrong}")
    number = counted(checked.proofs, "proof")
    rest = (
        f"{len(checked.wrong)} of {number} {'proves' if len(checked.wrong) == 1 else 'prove'} "
        "nothing of these rules"
        if checked.wrong
        else f"{number}, each valid"
    )
    say(f"{_file_name(checked.file)}: {rest}")
    return Exit.NOT_MET if checked.wrong else Exit.OK


def _file_name(file: Path) -> str:
    return clean_line(str(file))
