"""``stacklaw check``: decide what rulesets guarantee, tell what is not as claimed, exit by the claims."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ..models.diagnostics import InputError
from ..models.shipped import game_names
from ..reports.json import render_json
from ..reports.junit import render_junit
from ..reports.page import print_page
from ..reports.record import Failed, Record
from ..reports.text import render_record
from .asking import ask, asked_by, exit_of, refuse_with_for_which, targets_in, told_apart
from .certificates import make_certificates, write_certificates
from .drawing import check_drawable, draw_records
from .exits import Exit, worst
from .failure import tell_input_error
from .notes import tell_notes
from .options import budget_options, scope_options, search_options


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[GAME_OR_FILE]... [FILE.props]...")
@click.option(
    "--property", "-p", "properties", multiple=True, metavar="NAME", help="Decide only this property or claim, and tell its play."
)
@scope_options
@budget_options
@search_options
@click.option("--certificates", type=click.Path(path_type=Path), metavar="DIR", help="Write a certificate for each proof into DIR.")
@click.option("--smallest", is_flag=True, help="Look for the smallest number of players, and of items, with which a property fails.")
@click.option("--explain-proofs", is_flag=True, help="Tell what each proof rests on, and why there is none.")
@click.option(
    "--for-which", multiple=True, metavar="OPTION", help="Tell for which values of OPTION the properties hold, as a condition; repeatable."
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the claims as JUnit XML, too.")
@click.option(
    "--graph", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the plays: .svg, .dot, .graphml or .html."
)
def command(
    targets: tuple[str, ...],
    certificates: Path | None,
    explain_proofs: bool,
    smallest: bool,
    for_which: tuple[str, ...],
    format_: str,
    junit: Path | None,
    graph: Path | None,
    **asked: Any,
) -> int:
    """Decide what the rules guarantee, and show the plays that break them.

    GAME_OR_FILE is the name of a game (mtg), a game with options (fow@additions=turn_player), a .rules file or a folder of them;
    without it, all games that come with stacklaw are checked. What a file of properties (FILE.props) asks is asked of each.
    Without one, and without --property, all claims of the ruleset are decided, and all properties of the catalogue beside them.

    What holds within the scope is then tried for every number of players and every zone size; what is PROVED is so for all of them.

    Exits with 0 if all is as claimed, 1 if a claim is not met, 2 if the input is wrong, 3 if something is undecided within the
    budget, 130 if it was interrupted.
    """
    rulesets, files = told_apart(targets)
    question = asked_by({**asked, "explain_proofs": explain_proofs, "smallest": smallest, "certified": bool(certificates), "files": files})
    make_certificates(certificates)
    if for_which:
        refuse_with_for_which({"--smallest": smallest, "--junit": junit, "--graph": graph})
        # It parses rulesets itself, which others need not (`reading`).
        answer: Callable[..., int] = import_module(".for_which", __package__).answer_for_which
        return answer(rulesets, for_which, question, as_json=format_ == "json", certificates=certificates)
    check_drawable(graph)
    records: list[Record] = []
    failed: list[Failed] = []
    codes: list[Exit] = []
    for target in targets_in(rulesets or game_names()):
        try:
            record = ask(target, question)
        except InputError as error:
            tell_input_error(error, target if files and len(rulesets) > 1 else "")
            failed.append(Failed(target, error.diagnostics))
            codes.append(Exit.WRONG_INPUT)
            continue
        record = write_certificates(record, certificates)
        if format_ == "text":
            if records:
                click.echo()
            print_page(render_record(record, explain_proofs=explain_proofs), sys.stdout)
        records.append(record)
        codes.append(exit_of(record))
        if record.interrupted:
            break
    code = worst(codes)
    if format_ == "json":
        click.echo(render_json(records, failed, int(code)), nl=False)
    else:
        tell_notes(note for record in records for note in record.notes)
    if junit is not None:
        junit.write_text(render_junit(records, failed), encoding="utf-8")
    if graph is not None:
        draw_records(records, graph)
    return code
