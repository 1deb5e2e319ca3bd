"""``stacklaw ask``: a judge's question, put to the rules."""

from __future__ import annotations

from collections.abc import Mapping

import click

from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask
from ...checker.types.scope import scope_of
from ...models import ir
from ...models.diagnostics import InputError
from ...models.load import game_source, load_game, opened
from ...models.options.readings import other_readings
from ...models.words import settings_words
from ...reports.json import document, fields_of
from ...reports.rulings.text import render_rulings
from ...reports.rulings.told import tell_ruling
from ..asking.options import format_option, full_option, scope_options
from ..output.exits import Exit
from ..output.printing import print_found, say


@click.command("ask")
@click.argument("game")
@click.argument("question")
@click.option("--expect", metavar="ANSWER", help="End with 1 if the answer is another one.")
@click.option("--all-readings", is_flag=True, help="Ask in every other reading of the rules, too.")
@scope_options
@full_option
@format_option("text", "json")
def command(
    game: str,
    question: str,
    expect: str | None,
    all_readings: bool,
    settings: tuple[tuple[str, str], ...],
    sizes: tuple[tuple[str, int], ...],
    stack: int | None,
    players: int | None,
    full: bool,
    format_: str,
) -> Exit:
    """Ask GAME a QUESTION, as a judge would.

    A question is a situation, a colon, and what is asked: "A casts an instant; A passes: may B respond?"

    Exits with 0 if it is answered, with 1 if the answer is not the
    one that --expect says, with 2 if it is not understood.
    """
    program = load_game(game, dict(settings))
    whole = opened(game_source(game))

    def asked(of: ir.Program) -> Ruling:
        return ask(of, question, scope_of(of, players, stack, dict(sizes)), whole)

    ruling = asked(program)
    others = _others(program, asked, game, dict(settings)) if all_readings else {}
    told = tell_ruling(ruling)
    if format_ == "json":
        say(document("ask", **fields_of(told), readings=others), nl=False)
    else:
        print_found(render_rulings(told, _readings(program, ruling.value, others, all_readings=all_readings), full=full))
    if expect is None:
        return Exit.OK
    wrong = [
        answer for answer, said in zip(ruling.answers, _expected(expect, len(ruling.answers)), strict=False) if not answer.agrees(said)
    ]
    if wrong and format_ == "text":
        say(f"NOT AS EXPECTED: {expect}")
    return Exit.NOT_MET if wrong else Exit.OK


def _expected(expect: str, many: int) -> list[str]:
    said = [part.strip() for part in expect.split(" / ")]
    return said if len(said) == many else [expect] * many


def _others(program: ir.Program, asked: object, game: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return what is answered in each other reading; of one in which the question does not fit, why."""
    found = {}
    assert callable(asked)
    for reading in other_readings(program):
        words = settings_words(reading.items())
        try:
            found[words] = asked(load_game(game, {**settings, **reading})).value
        except InputError as error:
            found[words] = f"not asked: {error.diagnostics[0].message}"
    return found


def _readings(program: ir.Program, value: str, others: Mapping[str, str], *, all_readings: bool) -> str:
    """Return in which readings the answer is another one."""
    if not all_readings:
        return "Other readings: --all-readings." if program.options else ""
    different = {words: said for words, said in others.items() if said != value}
    if not different:
        return f"The same in all {len(others) + 1} readings."
    lines = [f"{words}: {said}" for words, said in different.items()]
    same = len(others) - len(different)
    return f"The same in {same} other readings. Not in:\n  " + "\n  ".join(lines)
