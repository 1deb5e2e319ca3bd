"""``stacklaw ask``: a judge's question, put to the rules of one game or of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask, in_readings, options_of
from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import load_game, load_rules, opened, rules_source
from ...models.options.cases import other_readings
from ...models.words import counted
from ...reports.json import document, fields_of
from ...reports.rulings.filed import ClaimTold, claim_words, tell_claim
from ...reports.rulings.text import render_rulings, render_side_by_side
from ...reports.rulings.told import RulingTold, tell_ruling
from ..asking.ask import Asked, asking
from ..asking.options import flag, format_option, full_option, scope_options
from ..output.exits import Exit
from ..output.printing import print_found, say
from ..output.progress import within_memory

_MOST_NEAR = 800
"""Other readings are asked unbidden if no more positions are looked at for it than these: that
takes less than a second.
"""


@click.command("ask")
@click.argument("words", nargs=-1, required=True, metavar="GAME... [QUESTION]")
@click.option("--expect", metavar="ANSWER", help="End with 1 if the answer is another one.")
@flag("--all-readings", help="Ask in every other reading of the rules, too.")
@flag(
    "--claim",
    "is_claim",
    help="Print the answer as a claim to keep beside the rules.",
)
@flag("--prove", help="Try to prove the answer for every size.")
@flag(
    "--link",
    "is_link",
    help="Print the link that puts the play on the board of the game's page.",
)
@scope_options
@full_option
@format_option("text", "json")
@within_memory
@asking
def ask_command(
    words: tuple[str, ...],
    expect: str | None,
    all_readings: bool,
    is_claim: bool,
    prove: bool,
    is_link: bool,
    full: bool,
    format_: str,
    question: Asked,
) -> Exit:
    """Ask GAME a QUESTION, as a judge would; of several games the answers stand side by side.

    A question is a situation, a colon, and what is asked: "A casts an instant; A passes: may B
    respond?" Without a question questions are asked one after the other, at a prompt.

    Exits with 0 if it is answered, with 1 if the answer is not the one that --expect says, with 3
    if more room may make it that one, with 2 if the question is not understood.
    """
    if len(words) == 1:
        from .prompt import run_prompt  # noqa: PLC0415 - only a prompt needs it

        asker = _Asker(words[0], question)
        return run_prompt(asker.program, asker.whole, question.scope(asker.program))
    *games, text = words
    askers = [_Asker(game, question) for game in games]
    if len(askers) > 1:
        return _of_several(askers, text, format_)
    asker = askers[0]
    ruling = asker.ruling(asker.program, text)
    # "In which readings may B respond?" asks in all of them.
    all_readings = all_readings or any(answer.question.readings for answer in ruling.answers)
    others = (
        asker.answers_in(text, other_readings(asker.program))
        if all_readings
        else asker.near(text, ruling)
    )
    told = tell_ruling(ruling)
    kept = asker.kept(ruling, prove=prove) if is_claim or prove else []
    if format_ == "json":
        say(
            document(
                "ask", **fields_of(told), readings=others, claims=[fields_of(one) for one in kept]
            ),
            nl=False,
        )
    else:
        print_found(
            render_rulings(
                told,
                _readings(asker.program, ruling.value, others, all_readings=all_readings),
                full=full,
            )
        )
        for one in kept:
            say(claim_words(one, is_claim=is_claim, is_proof=prove))
        for answer in told.answers if is_link else ():
            say(
                f"On the board of its page: {answer.link}"
                if answer.link
                else "The sizes of its page have no room for the play."
            )
    if expect is None or (status := ruling.status(expect)) == "met":
        return Exit.OK
    is_open = status == "undecided"
    if format_ == "text":
        head = "Undecided, for more room may show it" if is_open else "NOT AS EXPECTED"
        say(f"{head}: {expect}")
    return Exit.UNDECIDED if is_open else Exit.NOT_MET


@dataclass
class _Asker:
    """A game as the command line names it, and what it says of its sizes and options."""

    game: str
    asked: Asked

    def __post_init__(self) -> None:
        self.program = load_rules(self.game, self.asked.settings)
        self.whole = opened(rules_source(self.game))

    def ruling(self, program: ir.Program, question: str) -> Ruling:
        """Return the ruling on *question* in *program*, a reading of the game."""
        return ask(program, question, self.asked.scope(program), self.whole)

    def answers_in(self, question: str, readings: Iterable[Mapping[str, str]]) -> dict[str, str]:
        """Return what is answered in each of *readings*; of one in which the question does not fit,
        why.
        """

        def ruling_in(reading: Mapping[str, str]) -> Ruling:
            program = load_rules(self.game, {**self.asked.settings, **reading})
            return self.ruling(program, question)

        return dict(in_readings(readings, ruling_in))

    def near(self, question: str, ruling: Ruling) -> dict[str, str]:
        """Return what is answered under other values of the options that the deciding clauses ask,
        where that takes little.
        """
        asked = options_of(
            self.whole, [clause for answer in ruling.answers for clause in answer.clauses]
        )
        readings = [one for one in other_readings(self.program) if set(one) <= asked]
        if len(readings) * ruling.looked_at > _MOST_NEAR:
            return {}
        return self.answers_in(question, readings)

    def kept(self, ruling: Ruling, *, prove: bool) -> list[ClaimTold]:
        """Return each answer of *ruling* as a claim, under a name that the game does not have."""
        # Only who keeps an answer needs an engine.
        from ...checker.run.engines import DEFAULT, prover_named  # noqa: PLC0415

        claimed = replace(ruling, program=load_game(self.game, self.asked.settings))
        prover = prover_named(DEFAULT, eager=True) if prove else None
        return [tell_claim(claimed, answer, prover) for answer in ruling.answers]


def _of_several(askers: Sequence[_Asker], question: str, format_: str) -> Exit:
    """Tell what several games answer; one in which the question does not fit says why."""
    told: list[tuple[str, RulingTold | Diagnostic]] = []
    for asker in askers:
        try:
            told.append((asker.game, tell_ruling(asker.ruling(asker.program, question))))
        except InputError as error:
            told.append((asker.game, error.diagnostics[0]))
    if all(isinstance(one, Diagnostic) for _, one in told):
        raise InputError([one for _, one in told if isinstance(one, Diagnostic)])
    if format_ == "json":
        rulings = [fields_of(one) for _, one in told if isinstance(one, RulingTold)]
        refused = {
            game: f"{one.message} ({one.code})" for game, one in told if isinstance(one, Diagnostic)
        }
        say(document("ask", rulings=rulings, refused=refused), nl=False)
    else:
        print_found(render_side_by_side(question, told))
    return Exit.OK


def _readings(
    program: ir.Program, value: str, others: Mapping[str, str], *, all_readings: bool
) -> str:
    """Return in which readings the answer is another one."""
    rest = "" if all_readings or not program.options else "Other readings: --all-readings."
    different = {words: said for words, said in others.items() if said != value}
    if all_readings and not different:
        return f"The same in all {len(others) + 1} readings."
    if all_readings:
        rest = f"The same in {len(others) - len(different)} other readings. Not in:"
    elif different:
        rest = f"{rest} Another answer in:"
    elif others:
        rest = f"The same in {counted(len(others), 'reading')} near it.  {rest}"
    return "\n  ".join([rest, *(f"{words}: {said}" for words, said in different.items())])
