"""``stacklaw check GAME --property NAME --for-which OPTION``: for which values of options a property holds.

A search looks at every case of the options, or if there are many at some; then one question to the prover speaks of all cases that it
leaves. Where that proves nothing, a search and a proof of the case by itself have the last word.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from math import prod
from pathlib import Path

import click

from ..checker.for_which import CasesProved, prove_cases
from ..checker.process.interrupts import INTERRUPTS
from ..checker.prover.kept import Attempt
from ..checker.prover.prover import NOT_TRIED
from ..checker.run.check import after, check, is_tried
from ..checker.run.engines import engine_named
from ..checker.types.budget import INTERRUPTED, Meter
from ..checker.types.scope import Scope, scope_of
from ..checker.types.verdict import Outcome, Verdict
from ..models import ir
from ..models.cases import Case, cases_of, values_of
from ..models.configure import begins_in_range, holds_in
from ..models.diagnostics import Diagnostic, InputError
from ..models.load import load_game
from ..models.printing.show_expressions import show_formula
from ..properties.formula import Property
from ..reports.json import render_json
from ..reports.telling.record import Answer, Proof, Record, Row, make_proof, make_record
from ..reports.text.for_which import ForWhich, Known, render_for_which
from .asking import Asked, prover_of
from .certificates import write_certificate
from .exits import Exit
from .exits import interrupted as ended_by_somebody
from .notes import tell_notes
from .output import print_page, say
from .progress import progress
from .question import Question
from .questions import questions_of

MOST_SEARCHED = 24
"""So many cases are searched one by one; of more, some, and for each property at most so many of those that are not proved."""
MOST_CASES = 4096
"""So many cases are asked of the prover at once."""
NO_GAME = "there is no such game, a number being outside its range at first,"
NO_CLAIM = "the ruleset makes no such claim"
ANOTHER = "what the claim says depends on the options"


MOST_CHECKED = 4
"""Of the cases of each proof, so many of those at the ends are searched."""


def answer_for_which(
    targets: Sequence[str], names: tuple[str, ...], asked: Asked, *, as_json: bool, certificates: Path | None = None
) -> int:
    """Tell for which values of the options *names* the properties *asked* for hold; return how the run ends."""
    if not (asked.properties or asked.files) or len(targets) != 1:
        raise click.UsageError(
            "--for-which asks one ruleset for properties by name: stacklaw check mtg --property lifo --for-which leaving"
        )
    query = _Query(targets[0], tuple(dict.fromkeys(names)), asked)
    query.decide()
    with INTERRUPTS.undisturbed():
        return _told(query, as_json=as_json, certificates=certificates)


def _told(query: _Query, *, as_json: bool, certificates: Path | None) -> int:
    """Tell what came of *query*, and return how the run ends."""
    asked, records = query.asked, query.records()
    answers = [query.answer(name, records) for name in query.names]
    if certificates is not None:
        answers = [_written(answer, query.open.name, certificates) for answer in answers]
    code = _exit(answers, interrupted=query.interrupted)
    if as_json:
        say(render_json(list(records.values()), [], int(code), answers), nl=False)
        return code
    more = not asked.prove and query.prover is not None and not query.notes
    for number, answer in enumerate(answers):
        if number:
            say()
        print_page(render_for_which(answer, explain_proofs=asked.explain_proofs, harder=more), sys.stdout)
    tell_notes(chain(query.notes, (note for record in records.values() for note in record.notes)))
    return code


def _written(answer: ForWhich, game: str, folder: Path) -> ForWhich:
    """Write the certificates of the proofs of *answer* into *folder*; return it with the names of the files."""
    names, taken = (game, answer.name, "for", *(option.name for option in answer.options)), set[str]()
    return replace(answer, proofs=tuple((cases, write_certificate(proof, names, folder, taken)) for cases, proof in answer.proofs))


def _exit(answers: Sequence[ForWhich], *, interrupted: bool) -> Exit:
    if interrupted:
        return ended_by_somebody()
    return Exit.UNDECIDED if any(answer.is_open for answer in answers) else Exit.OK


@dataclass
class _Searched:
    """A case that a search has looked at, with the verdicts on the questions about it."""

    program: ir.Program
    scope: Scope
    questions: list[Question]
    verdicts: list[Verdict]

    def place(self, name: str) -> int:
        """Return the number of the question about the property *name*."""
        return next(number for number, (question, _, _) in enumerate(self.questions) if question.name == name)

    @property
    def names(self) -> set[str]:
        """The names of the properties."""
        return {question.name for question, _, _ in self.questions}

    def record(self) -> Record:
        """Return the record of the search, and of what was proved since."""
        answers = [Answer(verdict, claim, named) for verdict, (_, claim, named) in zip(self.verdicts, self.questions, strict=True)]
        return make_record(self.program, self.scope, answers)


class _Query:
    def __init__(self, target: str, names: tuple[str, ...], asked: Asked) -> None:
        self.target, self.asked = target, asked
        if both := [name for name in names if name in asked.settings]:
            raise click.UsageError(f"--for-which {both[0]} asks for all values of {both[0]}, and --set gives it one.")
        known = {option.name for option in load_game(target, asked.settings).options}
        for name in names:
            if name not in known:
                load_game(target, {**asked.settings, name: ""})  # which says what is wrong with the name
        self.open = load_game(target, asked.settings, names)
        self.options = self.open.open_options
        self.names = tuple(dict.fromkeys(question.name for question, _, _ in questions_of(self.open, asked.properties, asked.files)))
        self.all = self._all()
        self.cases = [case for case in self.all if begins_in_range(self.open, case)]
        self.prover = prover_of(asked)
        self.interrupted = False
        self.searched: dict[Case, _Searched] = {}
        self.refused: dict[Case, str] = {}
        self.proved: dict[str, CasesProved] = {}
        self.notes: list[str] = []

    def _all(self) -> list[Case]:
        """Return every case."""
        number = prod(len(values_of(option)) for option in self.options)
        if number > MOST_CASES:
            raise InputError([self._too_many(number, "ask for fewer options at once")])
        return cases_of(self.options)

    def _too_many(self, number: int, hint: str) -> Diagnostic:
        return Diagnostic("L108", f"{' and '.join(f'`{option.name}`' for option in self.options)} can be {number} ways.", hint=hint)

    def decide(self) -> None:
        """Search, and prove."""
        for case in self._first():
            self._search(case)
        for name in self.names:
            self.proved[name] = self._prove_together(name) if self.prover else CasesProved()
            for case in islice(_ends(self.cases, self.proved[name].unproved), MOST_SEARCHED):
                self._search(case)
            for proof in self.proved[name].proofs:
                for case in islice(_ends(self.cases, proof.cases), MOST_CHECKED):
                    self._search(case)
        for case, searched in self.searched.items():
            for name in searched.names:
                self._conclude(case, searched, name)

    # ------------------------------------------------------------------ searching

    def _first(self) -> list[Case]:
        """Return the cases that are searched before anything is proved: all of them, or of many the first, the default and the last."""
        if len(self.cases) <= MOST_SEARCHED:
            return self.cases
        if self.prover is None:
            raise InputError([self._too_many(len(self.cases), "without --engine a proof is tried for all of them at once")])
        default = tuple(option.default for option in self.options)
        return [case for case in dict.fromkeys((self.cases[0], default, self.cases[-1])) if case in self.cases]

    def _search(self, case: Case) -> None:
        if self.interrupted or case in self.searched or case in self.refused:
            return
        settings = {**self.asked.settings, **{option.name: str(value) for option, value in zip(self.options, case, strict=True)}}
        program = load_game(self.target, settings)
        scope = scope_of(program, self.asked.players, self.asked.stack, dict(self.asked.sizes))
        names = [name for name in self.names if self._is_asked(case, name)]
        if not names:
            return
        questions = questions_of(program, names, self.asked.files)
        engine = engine_named(self.asked.engine, self.asked.tuning)
        try:
            with progress(program.name) as on_progress:
                found = check(program, [question for question, _, _ in questions], scope, self.asked.budget, on_progress, engine)
        except InputError as error:
            if len(self.cases) <= MOST_SEARCHED:
                raise
            self.refused[case] = error.diagnostics[0].message
            return
        self.searched[case] = _Searched(program, scope, questions, found)
        self.interrupted = any(verdict.reason == INTERRUPTED for verdict in found)

    # ------------------------------------------------------------------ proving

    def _question(self, name: str) -> Property:
        """Return the property *name* of the game whose options are left open."""
        return questions_of(self.open, [name], self.asked.files)[0][0]

    def _prove_together(self, name: str) -> CasesProved:
        """Return what is proved of all cases at once in which a search has found nothing against it."""
        assert self.prover is not None
        left = [case for case in self.cases if self._is_asked(case, name) and self._is_promising(case, name)]
        claims = {show_formula(claim.formula) for claim in self.open.claims if claim.name == name and claim.formula is not None}
        if len(claims) > 1:
            return CasesProved((), dict.fromkeys(left, ANOTHER))
        if self.interrupted:
            return CasesProved((), dict.fromkeys(left, INTERRUPTED))
        if self._question(name).mode == "progress" and not self.asked.prove:
            return CasesProved((), dict.fromkeys(left, NOT_TRIED))
        with self._proving(self.open) as meter:
            found = prove_cases(self.prover, self.open, self._question(name), left, meter)
        self.notes += self.prover.notes
        self.prover.notes.clear()
        return found

    @contextmanager
    def _proving(self, program: ir.Program) -> Iterator[Meter]:
        """Have a meter for a proof about *program*, and note whether somebody interrupted it."""
        with progress(program.name) as on_progress:
            meter = Meter(self.asked.budget, on_progress)
            yield meter
        self.interrupted = self.interrupted or meter.interrupted

    def _is_asked(self, case: Case, name: str) -> bool:
        """Whether the property *name* can be asked in *case*: whether it is one of the catalogue, or the ruleset claims it there."""
        conditions = [claim.condition for claim in self.open.claims if claim.name == name and claim.formula is not None]
        return not conditions or any(holds_in(case, condition, self.open) for condition in conditions)

    def _is_promising(self, case: Case, name: str) -> bool:
        searched = self.searched.get(case)
        return searched is None or is_tried(searched.verdicts[searched.place(name)])

    def _conclude(self, case: Case, searched: _Searched, name: str) -> None:
        """Give the verdict on *name* in a *case* that was *searched* its proof; the case is tried by itself if it has none so far."""
        place = searched.place(name)
        verdict, proof = searched.verdicts[place], self.proved[name].proof_of(case)
        assert proof is None or verdict.outcome not in (Outcome.VIOLATED, Outcome.POSSIBLE), f"{name} is proved and fails: {case}"
        if not is_tried(verdict) or self.prover is None:
            return
        attempt = Attempt(proof)
        if proof is None:
            if self.interrupted:
                return
            with self._proving(searched.program) as meter:
                (attempt,) = self.prover.attempt(searched.program, [verdict.property], meter, must=verdict.is_hidden)
        searched.verdicts[place] = after(verdict, attempt, tuple(self.prover.notes))
        self.prover.notes.clear()

    # ------------------------------------------------------------------ what is known

    def records(self) -> dict[Case, Record]:
        """Return the record of each case that was searched, in the order of the cases."""
        return {case: self.searched[case].record() for case in self.cases if case in self.searched}

    def answer(self, name: str, records: Mapping[Case, Record]) -> ForWhich:
        """Return for which cases the property *name* holds."""
        together = [(one.cases, make_proof(self.open, one.proof)) for one in self.proved[name].proofs]
        rows = {case: row for case, record in records.items() for row in reversed(record.rows) if row.name == name}
        alone = [((case,), row.proof) for case, row in rows.items() if row.proof and self.proved[name].proof_of(case) is None]
        proofs = (*together, *alone)
        known = {case: self._known(case, name, rows.get(case), proofs) for case in self.all}
        mode, conditions = self._question(name).mode, self._question(name).conditions
        again = " ".join([self.target, *(source.name for source in self.asked.files)])
        return ForWhich(name, again, self.options, known, proofs, mode == "possible", mode != "possible" and bool(conditions))

    def _known(self, case: Case, name: str, row: Row | None, proofs: Sequence[tuple[tuple[Case, ...], Proof]]) -> Known:
        if row is None and not begins_in_range(self.open, case):
            return Known(nothing=NO_GAME)
        if not self._is_asked(case, name):
            return Known(nothing=NO_CLAIM)
        is_vacuous = row is not None and row.outcome == Outcome.VACUOUS
        proof = None if is_vacuous else next((proof for cases, proof in proofs if case in cases), None)
        return Known(row, proof, self.refused.get(case, "") or self.proved[name].unproved.get(case, ""))


def _ends(cases: Sequence[Case], unproved: Container[Case]) -> Iterator[Case]:
    """Yield the unproved *cases*: of each row of them the first and the last, then what is next to these, and so on."""
    rows = [list(row) for is_unproved, row in groupby(cases, lambda case: case in unproved) if is_unproved]
    for number in range(max(map(len, rows), default=0)):
        for row in rows:
            if number < (len(row) + 1) // 2:
                yield row[number]
                yield row[-1 - number]
