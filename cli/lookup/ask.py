"""``stacklaw ask``: a judge's question, put to the rules of one game or of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask
from ...checker.types.scope import scope_of
from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import load_rules, opened, rules_source
from ...models.options.readings import other_readings
from ...models.words import settings_words
from ...reports.json import document, fields_of
from ...reports.rulings.text import render_rulings, render_side_by_side
from ...reports.rulings.told import RulingTold, tell_ruling
from ..asking.options import format_option, full_option, scope_options
from ..output.exits import Exit
from ..output.printing import print_found, say


@click.command("ask")
@click.argument("words", nargs=-1, required=True, metavar="GAME... [QUESTION]")
@click.option("--expect", metavar="ANSWER", help="End with 1 if the answer is another one.")
@click.option("--all-readings", is_flag=True, help="Ask in every other reading of the rules, too.")
@scope_options
@full_option
@format_option("text", "json")
def command(
    words: tuple[str, ...],
    expect: str | None,
    all_readings: bool,
    settings: tuple[tuple[str, str], ...],
    sizes: tuple[tuple[str, int], ...],
    stack: int | None,
    players: int | None,
    full: bool,
    format_: str,
) -> Exit:
    """Ask GAME a QUESTION, as a judge would; of several games the answers stand side by side.

    A question is a situation, a colon, and what is asked: "A casts an instant; A passes: may B respond?" Without a question
    questions are asked one after the other, at a prompt.

    Exits with 0 if it is answered, with 1 if the answer is not the one that --expect says, with 2 if it is not understood.
    """
    if len(words) == 1:
        from .prompt import run_prompt  # noqa: PLC0415 - only a prompt needs it

        return run_prompt(words[0], dict(settings), players)
    *games, question = words
    askers = [_Asker(game, dict(settings), players, stack, dict(sizes)) for game in games]
    if len(askers) > 1:
        return _of_several(askers, question, format_)
    asker = askers[0]
    ruling = asker.ask(asker.program, question)
    others = asker.others(question) if all_readings else {}
    told = tell_ruling(ruling)
    if format_ == "json":
        say(document("ask", **fields_of(told), readings=others), nl=False)
    else:
        print_found(render_rulings(told, _readings(asker.program, ruling.value, others, all_readings=all_readings), full=full))
    if expect is None or ruling.agrees(expect):
        return Exit.OK
    if format_ == "text":
        say(f"NOT AS EXPECTED: {expect}")
    return Exit.NOT_MET


@dataclass
class _Asker:
    """A game as the command line names it."""

    game: str
    settings: Mapping[str, str]
    players: int | None
    stack: int | None
    sizes: Mapping[str, int]

    def __post_init__(self) -> None:
        self.program = load_rules(self.game, self.settings)
        self.whole = opened(rules_source(self.game))

    def ask(self, program: ir.Program, question: str) -> Ruling:
        """Return the ruling on *question* in *program*, a reading of the game."""
        return ask(program, question, scope_of(program, self.players, self.stack, self.sizes), self.whole)

    def others(self, question: str) -> dict[str, str]:
        """Return what is answered in each other reading; of one in which the question does not fit, why."""
        found = {}
        for reading in other_readings(self.program):
            words = settings_words(reading.items())
            try:
                found[words] = self.ask(load_rules(self.game, {**self.settings, **reading}), question).value
            except InputError as error:
                found[words] = f"not asked: {error.diagnostics[0].message}"
        return found


def _of_several(askers: Sequence[_Asker], question: str, format_: str) -> Exit:
    """Tell what several games answer; one in which the question does not fit says why."""
    told: list[tuple[str, RulingTold | Diagnostic]] = []
    for asker in askers:
        try:
            told.append((asker.game, tell_ruling(asker.ask(asker.program, question))))
        except InputError as error:
            told.append((asker.game, error.diagnostics[0]))
    if all(isinstance(one, Diagnostic) for _, one in told):
        raise InputError([one for _, one in told if isinstance(one, Diagnostic)])
    if format_ == "json":
        rulings = [fields_of(one) for _, one in told if isinstance(one, RulingTold)]
        refused = {game: f"{one.message} ({one.code})" for game, one in told if isinstance(one, Diagnostic)}
        say(document("ask", rulings=rulings, refused=refused), nl=False)
    else:
        print_found(render_side_by_side(question, told))
    return Exit.OK


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
