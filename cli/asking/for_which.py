"""``stacklaw check GAME --property NAME --for-which OPTION``: for which values of options a
property holds. Each case of the options is a reading, checked by itself; the answers are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from ...checker.types.budget import INTERRUPTED, Meter
from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.load import load_game
from ...models.options.cases import Case, cases_of, number_of_cases
from ...models.options.configure import begins_in_range
from ...reports.json import render_json
from ...reports.telling.record import Record
from ...reports.text.for_which import CaseTable, Known, render_for_which
from ..output.exits import Exit
from ..output.exits import interrupted as ended_by_somebody
from ..output.files import write_certificates
from ..output.printing import print_found, say, tell_notes
from .ask import Asked, ask
from .questions import named_in, questions_of

MOST_CASES = 64
"""How many cases are checked, one after the other."""
NO_GAME = "there is no such game: a number starts outside its range,"
NO_CLAIM = "the ruleset makes no such claim"


def answer_for_which(
    targets: Sequence[str],
    options: tuple[str, ...],
    asked: Asked,
    *,
    as_json: bool,
    certificates: Path | None = None,
) -> int:
    """Tell for which values of *options* the properties *asked* for hold; return how the run
    ends.
    """
    if not (asked.properties or asked.files) or len(targets) != 1:
        raise click.UsageError(
            "--for-which asks one ruleset for properties by name: stacklaw check mtg --property "
            "lifo --for-which leaving"
        )
    program = _opened(targets[0], tuple(dict.fromkeys(options)), asked)
    records = {
        case: write_certificates(record, certificates)
        for case, record in _records(targets[0], program, asked)
    }
    answers = _answers(targets[0], program, asked, records)
    interrupted = any(record.interrupted for record in records.values())
    is_open = any(answer.is_open for answer in answers)
    code = ended_by_somebody() if interrupted else Exit.UNDECIDED if is_open else Exit.OK
    if as_json:
        say(render_json(list(records.values()), [], int(code), answers), nl=False)
        return code
    for number, answer in enumerate(answers):
        if number:
            say()
        print_found(
            render_for_which(
                answer,
                explain_proofs=asked.explain_proofs,
                harder=not asked.prove and not interrupted,
            )
        )
    tell_notes(note for record in records.values() for note in record.notes)
    return code


def _opened(target: str, names: tuple[str, ...], asked: Asked) -> ir.Program:
    """Return the ruleset *target* with the options *names* left open; raises InputError."""
    if both := [name for name in names if name in asked.settings]:
        raise click.UsageError(
            f"--for-which {both[0]} asks for all values of {both[0]}, and --set gives it one."
        )
    known = {option.name for option in load_game(target, asked.settings).options}
    for name in names:
        if name not in known:
            load_game(
                target, {**asked.settings, name: ""}
            )  # which says what is wrong with the name
    program = load_game(target, asked.settings, names)
    number = number_of_cases(program.open_options)
    if number > MOST_CASES:
        which = " and ".join(f"`{option.name}`" for option in program.open_options)
        hint = (
            f"at most {MOST_CASES} are tried, each by itself: ask for fewer options, or narrow "
            "their range"
        )
        raise wrong_input("L108", f"{which} can be {number} ways.", hint=hint)
    return program


def _records(target: str, program: ir.Program, asked: Asked) -> Iterator[tuple[Case, Record]]:
    """Yield what `check` says of each case of the options that *program* leaves open, until it is
    interrupted. The time of the budget is for all of them: what one leaves the others have.
    """
    meter, cases = Meter(asked.budget), _playable(program)
    options = program.open_options
    for number, case in enumerate(cases):
        values = {option.name: str(value) for option, value in zip(options, case, strict=True)}
        settings = {**asked.settings, **values}
        names = named_in(target, settings, asked.properties)
        if names or asked.files:
            one = replace(
                asked, settings=settings, properties=names, budget=meter.rest(len(cases) - number)
            )
            record = ask(target, one)
            yield case, record
            if record.interrupted:
                return


def _playable(program: ir.Program) -> list[Case]:
    """Return the cases in which there is a game: a number may be outside its range at first."""
    return [case for case in cases_of(program.open_options) if begins_in_range(program, case)]


def _answers(
    target: str, program: ir.Program, asked: Asked, records: Mapping[Case, Record]
) -> list[CaseTable]:
    again = " ".join([target, *(source.name for source in asked.files)])
    questions = questions_of(program, asked.properties, asked.files)
    return [
        CaseTable(
            question.name,
            again,
            program.open_options,
            _known(question.name, program, records),
            question.mode in ("possible", "enforce"),
        )
        for question in {question.name: question for question, _, _ in questions}.values()
    ]


def _known(name: str, program: ir.Program, records: Mapping[Case, Record]) -> dict[Case, Known]:
    """Return what is known of the property *name* in each case of the open options."""
    found = {case: Known(nothing=NO_GAME) for case in cases_of(program.open_options)}
    for case in _playable(program):
        record = records.get(case)
        row = next(
            (row for row in reversed(record.rows if record else ()) if row.name == name), None
        )
        is_left = record is None and any(one.interrupted for one in records.values())
        found[case] = (
            Known(row)
            if row is not None
            else Known(reason=INTERRUPTED)
            if is_left
            else Known(nothing=NO_CLAIM)
        )
    return found
