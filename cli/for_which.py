"""``stacklaw check GAME --property NAME --for-which OPTION``: for which values of an option a property holds.

Every value is asked by itself: what a search and a proof say of it is then all that the condition rests on.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from ..models import ir
from ..models.diagnostics import Diagnostic, InputError
from ..models.load import load_game
from ..reports.for_which import render_for_which
from ..reports.json import render_json
from ..reports.page import print_page
from ..reports.record import Record
from .asking import Asked, ask
from .exits import Exit
from .notes import tell_notes

MOST_VALUES = 24
"""An option with more values is not asked for one by one."""


def answer_for_which(targets: tuple[str, ...], name: str, asked: Asked, *, as_json: bool) -> int:
    """Tell for which values of the option *name* the properties *asked* for hold; return how the run ends."""
    if not asked.properties or len(targets) != 1:
        raise click.UsageError(
            "--for-which asks one ruleset for properties by name: stacklaw check mtg --property lifo --for-which leaving"
        )
    option = _option(targets[0], name, asked)
    records: dict[str | int, Record] = {}
    for value in _values(option):
        records[value] = ask(targets[0], replace(asked, settings={**asked.settings, name: str(value)}))
        if records[value].interrupted:
            break
    code = _exit(list(records.values()))
    if as_json:
        click.echo(render_json(list(records.values()), [], int(code)), nl=False)
        return code
    for number, property_ in enumerate(dict.fromkeys(asked.properties)):
        rows = {value: next(row for row in record.rows if row.name == property_) for value, record in records.items()}
        if number:
            click.echo()
        print_page(render_for_which(property_, option, rows), sys.stdout)
    tell_notes(note for record in records.values() for note in record.notes)
    return code


def _option(target: str, name: str, asked: Asked) -> ir.Option:
    for option in load_game(target, asked.settings).options:
        if option.name == name:
            return option
    load_game(target, {**asked.settings, name: ""})  # which says what is wrong with the name
    raise AssertionError(name)


def _values(option: ir.Option) -> list[str | int]:
    if option.numbers is None:
        return [value for value, _ in option.values]
    low, high = option.numbers
    if high - low >= MOST_VALUES:
        message = f"`{option.name}` has {high - low + 1} values, and --for-which asks for each of them."
        raise InputError([Diagnostic("L108", message, hint=f"ask for some of them: --set {option.name}={low}")])
    return list(range(low, high + 1))


def _exit(records: list[Record]) -> Exit:
    if any(record.interrupted for record in records):
        return Exit.INTERRUPTED
    return Exit.UNDECIDED if any(row.outcome in ("BOUNDED", "UNKNOWN") for record in records for row in record.rows) else Exit.OK
