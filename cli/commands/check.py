"""``stacklaw check``: decide what rulesets guarantee, tell what is not as claimed, exit by the
claims.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.workers import Workers
from ...models.diagnostics import InputError
from ...reports.checked.checked import render_record
from ...reports.checked.ending import render_since, summary
from ...reports.telling.record import Failed, Record
from ..asking.ask import (
    FAIL_ON,
    Asked,
    FailOn,
    ask,
    asking,
    exit_of,
    rulesets_here,
    targets_in,
    told_apart,
)
from ..asking.options import (
    bound_options,
    file_option,
    flag,
    format_option,
    full_option,
    property_option,
    report_options,
    search_options,
)
from ..output.exits import Exit, interrupted, worst
from ..output.failure import tell_input_error
from ..output.files import Reports, make_certificates, reporting, write_certificates
from ..output.printing import print_found, say, tell_notes
from ..output.progress import hide_progress

if TYPE_CHECKING:
    from ..asking.readings import ReadingsFound


class _Check(click.Command):
    """The command, of which one option may have a value or none."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments: what stands behind ``--all-readings`` is a value of it only after
        ``=``.
        """
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(
            ctx, [f"{one}=each" if one == _ALL and at < end else one for at, one in enumerate(args)]
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that most people want, and behind them all others if they are asked
        for.
        """
        told = {param.name: param.get_help_record(ctx) for param in self.get_params(ctx)}
        sections = {title: [told.pop(name) for name in names] for title, names in _OPTIONS.items()}
        if ctx.meta.get(_HELP_ALL):
            sections["More"] = [*told.values()]
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl([record for record in records if record is not None])
        if not ctx.meta.get(_HELP_ALL):
            formatter.write_paragraph()
            formatter.write_text(
                "--help-all lists the other options: engines, clusters, checkpoints, files."
            )


_ALL = "--all-readings"
_HELP_ALL = "stacklaw.help_all"
_OPTIONS = {
    "What is asked": ("properties", "all_readings", "for_which", "prove", "against"),
    "Of which game": ("players", "stack", "sizes", "settings"),
    "How long": ("seconds", "memory"),
    "What is told": ("all_rows", "full", "short", "format_"),
}
"""The options in ``--help``, by what a person wants."""


def _help_all(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked:
        ctx.meta[_HELP_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


@click.command("check", cls=_Check)
@click.argument("targets", nargs=-1, metavar="[GAME_OR_FILE]... [FILE.props]...")
@property_option(
    help="Decide only this property or claim, and tell its play.",
)
@bound_options
@search_options
@file_option(
    "--certificates",
    metavar="DIR",
    help="Write a certificate for each proof into DIR.",
)
@flag(
    "--smallest",
    help="Look for the smallest number of players, and of items, with which a property fails.",
)
@flag("--assumptions", help="Tell how few of its assumptions a liveness property needs.")
@flag("--explain-proofs", help="Tell what each proof rests on, and why there is none.")
@click.option(
    "--for-which",
    multiple=True,
    metavar="OPTION",
    help="Tell for which values of OPTION the properties hold, as a condition; repeatable.",
)
@click.option(
    _ALL,
    type=click.Choice(["each", "pairs"]),
    metavar="[=pairs]",
    help="Look at each reading: every other value of one option, or of two.",
)
@click.option(
    "--against",
    metavar="REV",
    default="",
    help="Tell what changed for players since REV, a revision in git; it has to be accepted.",
)
@flag("--strict", help="End with 1 if there are warnings, too.")
@flag("--short", help="Tell of each ruleset in one line.")
@flag(
    "--all",
    "all_rows",
    help="Tell each claim that is met, where they are many, by heading.",
)
@full_option
@format_option("text", "json")
@click.option(
    "--fail-on",
    type=click.Choice(["violated", "unknown", "vacuous"]),
    multiple=True,
    help="What makes the command end with 1 or 3; repeatable. Without it, all of them.",
)
@report_options
@flag(
    "--help-all",
    is_eager=True,
    expose_value=False,
    callback=_help_all,
    help="Show all options and exit.",
)
@reporting
@asking
def check_command(
    targets: tuple[str, ...],
    certificates: Path | None,
    for_which: tuple[str, ...],
    all_readings: str | None,
    short: bool,
    all_rows: bool,
    strict: bool,
    full: bool,
    format_: str,
    fail_on: tuple[FailOn, ...],
    reports: Reports,
    question: Asked,
) -> int:
    """Decide what the rules guarantee, and show the plays that break them.

    GAME_OR_FILE is the name of a game (mtg), a game with options (fow@additions=turn_player), a
    .rules file or a folder of them; without it, the .rules files of the present folder are checked.
    What a file of properties (FILE.props) asks is asked of each. Without one, and without
    --property, all claims of the ruleset are decided, and all properties of the catalogue beside
    them.

    What holds within the scope is then tried for every number of players and every zone size; what
    is PROVED is so for all of them.

    Exits with 0 if all is as claimed, 1 if a claim is not met, 2 if the input is wrong, 3 if
    something is undecided within the budget (see --fail-on), 130 if it was interrupted, 143 if
    SIGTERM ended it.
    """
    is_text = format_ == "text"
    if short and not is_text:
        raise click.UsageError("--short is of text: JSON has everything.")
    reports = replace(reports, err=not is_text)
    rulesets, files = told_apart(targets)
    question = replace(question, certified=bool(certificates), files=files, unread=is_text)
    make_certificates(certificates)
    more = {
        "--smallest": question.smallest,
        "--assumptions": question.assumptions,
        "--against": question.against,
    }
    if for_which:
        _refuse({**more, "--fail-on": fail_on, _ALL: all_readings, **reports.given}, _NOT_FOR_WHICH)
        from ..asking.for_which import answer_for_which  # noqa: PLC0415 - it parses rulesets itself

        return answer_for_which(
            rulesets, for_which, question, as_json=not is_text, certificates=certificates
        )
    if all_readings:
        tuning = question.tuning
        _refuse(
            {
                **more,
                "--explain-proofs": question.explain_proofs,
                "--checkpoint": tuning.checkpoints,
                "--disk": tuning.disk,
            },
            _NOT_OF_ALL,
        )
    reports.check()
    run = _Run(
        question,
        certificates,
        fail_on or FAIL_ON,
        is_text=is_text,
        is_short=short,
        is_full=full,
        all_rows=all_rows,
        is_strict=strict,
    )
    asked_of = targets_in(rulesets) if rulesets else rulesets_here()
    annotate = reports.begin_printing()
    if all_readings:
        run.look_at_all(
            asked_of,
            2 if all_readings == "pairs" else 1,
            only_wanting=is_text and not reports.graph,
        )
        return _tell_together(run, reports, annotate)
    # The processes that look for proofs serve all rulesets.
    with closing(Workers()) as standing:
        for target in asked_of:
            try:
                if not run.decide(target, target if files and len(rulesets) > 1 else "", standing):
                    break
            except KeyboardInterrupt:
                run.codes.append(interrupted())
                break
    return _tell_together(run, reports, annotate)


@dataclass
class _Run:
    """A run of the command: what was asked, and what has come of it so far."""

    question: Asked
    certificates: Path | None
    fail_on: Sequence[FailOn]
    is_text: bool
    is_short: bool
    is_strict: bool
    is_full: bool
    all_rows: bool
    records: list[Record] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    codes: list[Exit] = field(default_factory=list)
    shown: list[Record] = field(default_factory=list)
    """What was printed of the present ruleset while proofs were looked for, if anything was."""

    def decide(self, target: str, named: str, standing: Workers) -> bool:
        """Decide what is asked of *target* and tell it, as *named* if it is wrong; return whether
        the run may go on.
        """
        try:
            self.shown.clear()
            record = ask(
                target,
                self.question,
                standing=standing,
                hear=self._hear if self._may_show else None,
            )
        except InputError as error:
            tell_input_error(error, named)
            self.failed.append(Failed(target, error.diagnostics))
            self.codes.append(Exit.WRONG_INPUT)
            return True
        with INTERRUPTS.undisturbed():
            record = write_certificates(record, self.certificates)
            self.records.append(record)
            self.codes.append(exit_of(record, self.fail_on, strict=self.is_strict))
            if self.shown:
                print_found(render_since(self.shown[0], record, all_rows=self.all_rows))
            elif self.is_text:
                self._tell(record, is_later=len(self.records) > 1)
        return not record.interrupted

    @property
    def _may_show(self) -> bool:
        """Whether the verdicts of a search are printed before there are proofs: where somebody
        waits who has asked for no more.
        """
        asked = self.question
        more = asked.smallest, asked.assumptions, asked.explain_proofs, asked.against
        is_plain = self.is_text and not any((*more, self.certificates, self.is_short))
        return is_plain and sys.stdout is not None and sys.stdout.isatty()

    def _hear(self, record: Record) -> None:
        """Print the *record* of a search while proofs are still looked for."""
        with INTERRUPTS.undisturbed():
            hide_progress()
            self._tell(record, is_later=bool(self.records))
            self.shown.append(record)

    def _tell(self, record: Record, *, is_later: bool) -> None:
        if self.is_short:
            print_found(summary(record))
            return
        if is_later:
            say()
        proofs = self.question.explain_proofs
        print_found(
            render_record(record, explain_proofs=proofs, full=self.is_full, all_rows=self.all_rows)
        )

    def look_at_all(self, targets: Sequence[str], at_once: int, *, only_wanting: bool) -> None:
        """Decide what is asked of every reading of each of *targets* and tell it, *only* what is
        *wanting* or all.
        """
        from ..asking.readings import look_at_all  # noqa: PLC0415 - only where it is asked for

        for found in look_at_all(
            targets, replace(self.question, only_wanting=only_wanting), at_once
        ):
            self._take_readings(found)

    def _take_readings(self, found: ReadingsFound) -> None:
        for one in found.failed:
            tell_input_error(InputError(one.diagnostics), one.target)
        with INTERRUPTS.undisturbed():
            is_later = bool(self.records)
            self.failed += found.failed
            records = [write_certificates(record, self.certificates) for record in found.records]
            self.records += records
            self.codes += [Exit.WRONG_INPUT for _ in found.failed]
            self.codes += [
                exit_of(record, self.fail_on, strict=self.is_strict) for record in records
            ]
            self.codes += [interrupted()] if found.left else []
            if self.is_text and records:
                if is_later and not self.is_short:
                    say()
                from ...reports.checked.readings import render_readings  # noqa: PLC0415 - as above

                print_found(
                    render_readings(
                        records,
                        failed=len(found.failed),
                        left=found.left,
                        without=found.without,
                        is_short=self.is_short,
                    )
                )


_NOT_FOR_WHICH = (
    "--for-which answers with a condition, so there is no {} of it: set the option, with --set."
)
_NOT_OF_ALL = (
    "{} is of one reading, and --all-readings looks at all: name the one, as in mtg@flash=yes."
)


def _refuse(given: Mapping[str, object], why: str) -> None:
    """Raise a usage error, which says *why*, if one of the options *given* says something."""
    for name, value in given.items():
        if value:
            raise click.UsageError(why.format(name))


def _tell_together(
    run: _Run, reports: Reports, annotate: Callable[[Sequence[Record], Sequence[Failed]], None]
) -> int:
    """Tell what is told of all rulesets of a *run* together, write the *reports*, and return how it
    ends.
    """
    code = worst(run.codes)
    if code in (Exit.INTERRUPTED, Exit.TERMINATED) and not any(
        record.interrupted for record in run.records
    ):
        say("interrupted", err=True)
    with INTERRUPTS.undisturbed():
        if not run.is_text:
            from ...reports.json import render_json  # noqa: PLC0415 - only where it is asked for

            say(render_json(run.records, run.failed, int(code)), nl=False)
        else:
            tell_notes(note for record in run.records for note in record.notes)
        wrong = reports.write(run.records, run.failed)
        annotate(run.records, run.failed)
    if wrong:
        raise InputError(wrong)
    return code
