"""``stacklaw check GAME --property NAME --for-which OPTION``: for which values of options a
property holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

import click

from ...checker.for_which.decide import MOST_SEARCHED, Asking, Decided, Searched, decide
from ...checker.process.interrupts import INTERRUPTS
from ...checker.run.engines import engine_named
from ...checker.types.verdict import Outcome
from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import load_game
from ...models.options.cases import Case, cases_of, number_of_cases
from ...models.options.configure import begins_in_range
from ...reports.json import render_json
from ...reports.telling.record import Answer, ProofRecord, Record, Row, make_proof, make_record
from ...reports.text.for_which import CaseTable, Known, render_for_which
from ..output.certificates import write_certificate
from ..output.exits import Exit
from ..output.exits import interrupted as ended_by_somebody
from ..output.notes import tell_notes
from ..output.printing import print_found, say
from ..output.progress import progress
from .ask import Asked, prover_of
from .questions import questions_of

MOST_CASES = 4096
"""So many cases are asked of the prover at once."""
NO_GAME = "there is no such game, a number being outside its range at first,"
NO_CLAIM = "the ruleset makes no such claim"


def answer_for_which(
    targets: Sequence[str],
    names: tuple[str, ...],
    asked: Asked,
    *,
    as_json: bool,
    certificates: Path | None = None,
) -> int:
    """Tell for which values of the options *names* the properties *asked* for hold; return how the
    run ends.
    """
    if not (asked.properties or asked.files) or len(targets) != 1:
        raise click.UsageError(
            "--for-which asks one ruleset for properties by name: stacklaw check mtg --property lifo --for-which leaving"
        )
    asking = _asking(targets[0], tuple(dict.fromkeys(names)), asked)
    decided = decide(asking)
    with INTERRUPTS.undisturbed():
        return _tell_cases(
            _Told(targets[0], asked, asking, decided), as_json=as_json, certificates=certificates
        )


def _tell_cases(told: _Told, *, as_json: bool, certificates: Path | None) -> int:
    """Tell what was decided, and return how the run ends."""
    asked, decided, records = told.asked, told.decided, told.records
    answers = [told.answer(name) for name in told.asking.names]
    if certificates is not None:
        answers = [_written(answer, told.asking.program.name, certificates) for answer in answers]
    code = _exit(answers, interrupted=decided.interrupted)
    if as_json:
        say(render_json(list(records.values()), [], int(code), answers), nl=False)
        return code
    more = not asked.prove and told.asking.prover is not None and not decided.notes
    for number, answer in enumerate(answers):
        if number:
            say()
        print_found(render_for_which(answer, explain_proofs=asked.explain_proofs, harder=more))
    tell_notes(chain(decided.notes, (note for record in records.values() for note in record.notes)))
    return code


def _written(answer: CaseTable, game: str, folder: Path) -> CaseTable:
    """Write the certificates of the proofs of *answer* into *folder*; return it with the names of
    the files.
    """
    names, taken = (
        (game, answer.name, "for", *(option.name for option in answer.options)),
        set[str](),
    )
    return replace(
        answer,
        proofs=tuple(
            (cases, write_certificate(proof, names, folder, taken))
            for cases, proof in answer.proofs
        ),
    )


def _exit(answers: Sequence[CaseTable], *, interrupted: bool) -> Exit:
    if interrupted:
        return ended_by_somebody()
    return Exit.UNDECIDED if any(answer.is_open for answer in answers) else Exit.OK


# ------------------------------------------------------------------ what is asked


def _asking(target: str, names: tuple[str, ...], asked: Asked) -> Asking:
    """Return what is asked of the ruleset *target* if the options *names* are left open; raises
    InputError.
    """
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
    _refuse_many(
        program, number_of_cases(program.open_options), MOST_CASES, "ask for fewer options at once"
    )
    asking = Asking(
        program=program,
        names=tuple(
            dict.fromkeys(
                question.name
                for question, _, _ in questions_of(program, asked.properties, asked.files)
            )
        ),
        configured=lambda settings: load_game(target, {**asked.settings, **settings}),
        questions=lambda program, names: [
            question for question, _, _ in questions_of(program, names, asked.files)
        ],
        scope=asked.scope,
        engine=engine_named(asked.engine, asked.tuning),
        prover=prover_of(asked),
        budget=asked.budget,
        harder=asked.prove,
        progress=progress,
    )
    if asking.prover is None:
        _refuse_many(
            program,
            len(asking.cases),
            MOST_SEARCHED,
            "leave --engine out, and a proof is tried for all of them at once",
        )
    return asking


def _refuse_many(program: ir.Program, number: int, most: int, hint: str) -> None:
    if number > most:
        names = " and ".join(f"`{option.name}`" for option in program.open_options)
        raise InputError([Diagnostic("L108", f"{names} can be {number} ways.", hint=hint)])


# ------------------------------------------------------------------ what is known


@dataclass
class _Told:
    """What was *asked* of the ruleset *target*, and *decided*."""

    target: str
    asked: Asked
    asking: Asking
    decided: Decided

    @cached_property
    def records(self) -> dict[Case, Record]:
        """The record of each case that was searched, in the order of the cases."""
        searched = self.decided.searched
        return {
            case: self._record(searched[case]) for case in self.asking.cases if case in searched
        }

    def _record(self, searched: Searched) -> Record:
        questions = questions_of(searched.program, searched.names, self.asked.files)
        answers = [
            Answer(verdict, claim, named)
            for verdict, (_, claim, named) in zip(searched.verdicts, questions, strict=True)
        ]
        return make_record(searched.program, searched.scope, answers)

    def answer(self, name: str) -> CaseTable:
        """Return for which cases the property *name* holds."""
        program, proved = self.asking.program, self.decided.proved[name]
        together = [(one.cases, make_proof(program, one.proof)) for one in proved.proofs]
        rows = {
            case: row
            for case, record in self.records.items()
            for row in reversed(record.rows)
            if row.name == name
        }
        alone = [
            ((case,), row.proof)
            for case, row in rows.items()
            if row.proof and proved.proof_of(case) is None
        ]
        proofs = (*together, *alone)
        known = {
            case: self._known_of(case, name, rows.get(case), proofs)
            for case in cases_of(program.open_options)
        }
        question = self.asking.question(name)
        again = " ".join([self.target, *(source.name for source in self.asked.files)])
        is_possibility = question.mode in ("possible", "enforce")
        return CaseTable(
            name,
            again,
            program.open_options,
            known,
            proofs,
            is_possibility,
            not is_possibility and bool(question.conditions),
        )

    def _known_of(
        self,
        case: Case,
        name: str,
        row: Row | None,
        proofs: Sequence[tuple[tuple[Case, ...], ProofRecord]],
    ) -> Known:
        if row is None and not begins_in_range(self.asking.program, case):
            return Known(nothing=NO_GAME)
        if not self.asking.is_asked(case, name):
            return Known(nothing=NO_CLAIM)
        is_vacuous = row is not None and row.outcome == Outcome.VACUOUS
        proof = (
            None if is_vacuous else next((proof for cases, proof in proofs if case in cases), None)
        )
        return Known(
            row,
            proof,
            self.decided.refused.get(case, "") or self.decided.proved[name].unproved.get(case, ""),
        )
