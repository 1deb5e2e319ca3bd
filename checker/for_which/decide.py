"""Deciding by cases: a ruleset whose options are left open -> what is known of each property, for
all values of the options.

A search looks at every case of the options, or if there are many at some; then one question to the
prover speaks of all cases that it leaves. Where that proves nothing, a search and a proof of the
case by itself have the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, islice

from ...models import ir
from ...models.diagnostics import InputError
from ...models.options.cases import Case, cases_of
from ...models.options.configure import begins_in_range, holds_in
from ...models.printing.show_expressions import show_expression, show_formula
from ...properties.formula import Property
from ..prover.kept import Attempt
from ..prover.prover import TOO_LONG, Prover
from ..run.check import after_attempt, check, is_tried
from ..types.budget import INTERRUPTED, Budget, Meter, OnProgress
from ..types.engine import Engine
from ..types.finished import need_finished
from ..types.scope import Scope
from ..types.verdict import Outcome, Verdict
from .prove_cases import CaseVerdicts, prove_cases

MOST_SEARCHED = 24
"""So many cases are searched one by one; of more, some, and for each property at most so many of
those that are not proved.
"""
MOST_CHECKED = 4
"""Of the cases of each proof, so many of those at the ends are searched."""
ANOTHER = "what the claim says depends on the options"
STRATEGY = "what players can enforce is proved for no size but those that are searched"


@dataclass(frozen=True)
class Asking:
    """What is asked: the properties *names* of *program*, whose options are left open.

    *configured* makes the Program of a case, *questions* the properties of a Program by their
    names, *scope* the scope of its search. Without a *prover* nothing is proved; what must
    eventually happen is proved together only if *harder*. *progress* shows how far a search of what
    it is given is.
    """

    program: ir.Program
    names: tuple[str, ...]
    configured: Callable[[Mapping[str, str]], ir.Program]
    questions: Callable[[ir.Program, Sequence[str]], Sequence[Property]]
    scope: Callable[[ir.Program], Scope]
    engine: Engine
    prover: Prover | None
    budget: Budget
    harder: bool
    progress: Callable[[str], AbstractContextManager[OnProgress]]

    @cached_property
    def cases(self) -> list[Case]:
        """The cases in which there is a game: a number may be outside its range at first."""
        return [
            case
            for case in cases_of(self.program.open_options)
            if begins_in_range(self.program, case)
        ]

    def is_asked(self, case: Case, name: str) -> bool:
        """Whether the property *name* can be asked in *case*: whether it is one of the catalogue,
        or the ruleset claims it there.
        """
        conditions = [
            claim.condition
            for claim in self.program.claims
            if claim.name == name and claim.formula is not None
        ]
        return not conditions or any(
            holds_in(case, condition, self.program) for condition in conditions
        )

    def question(self, name: str) -> Property:
        """Return the property *name* of the game whose options are left open."""
        return self.questions(self.program, [name])[0]


@dataclass
class Searched:
    """A case that a search has looked at: its *program*, the *scope*, and the *verdicts* on what
    was asked of it.
    """

    program: ir.Program
    scope: Scope
    verdicts: list[Verdict]

    def verdict_number(self, name: str) -> int:
        """Return the number of the verdict on the property *name*."""
        return next(
            number for number, verdict in enumerate(self.verdicts) if verdict.property.name == name
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the properties."""
        return tuple(dict.fromkeys(verdict.property.name for verdict in self.verdicts))


@dataclass
class Decided:
    """What is known: of the cases that were *searched*, why a case was *refused*, and what is
    *proved* of each property at once.
    """

    searched: dict[Case, Searched] = field(default_factory=dict)
    refused: dict[Case, str] = field(default_factory=dict)
    proved: dict[str, CaseVerdicts] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False


def decide(asking: Asking) -> Decided:
    """Return what searches and proofs say of all cases of what is asked; raises InputError."""
    need_finished(asking.program)
    deciding = _Deciding(asking)
    deciding.decide_cases()
    return deciding.found


class _Deciding:
    def __init__(self, asking: Asking) -> None:
        self.asking, self.cases, self.found = asking, asking.cases, Decided()

    def decide_cases(self) -> None:
        for case in self._first():
            self._search(case)
        for name in self.asking.names:
            proved = self.found.proved[name] = (
                self._prove_together(name) if self.asking.prover else CaseVerdicts()
            )
            for case in islice(_ends(self.cases, proved.unproved), MOST_SEARCHED):
                self._search(case)
            for proof in proved.proofs:
                for case in islice(_ends(self.cases, proof.cases), MOST_CHECKED):
                    self._search(case)
        for case, searched in self.found.searched.items():
            for name in searched.names:
                self._conclude(case, searched, name)

    # ------------------------------------------------------------------ searching

    def _first(self) -> list[Case]:
        """Return the cases that are searched before anything is proved: all of them, or of many the
        first, the default and the last.
        """
        if len(self.cases) <= MOST_SEARCHED:
            return self.cases
        default = tuple(option.default for option in self.asking.program.open_options)
        return [
            case
            for case in dict.fromkeys((self.cases[0], default, self.cases[-1]))
            if case in self.cases
        ]

    def _search(self, case: Case) -> None:
        asking, found = self.asking, self.found
        if found.interrupted or case in found.searched or case in found.refused:
            return
        options = asking.program.open_options
        program = asking.configured(
            {option.name: str(value) for option, value in zip(options, case, strict=True)}
        )
        scope = asking.scope(program)
        names = [name for name in asking.names if asking.is_asked(case, name)]
        if not names:
            return
        questions = asking.questions(program, names)
        try:
            with asking.progress(program.name) as on_progress:
                verdicts = check(
                    program, questions, scope, asking.budget, on_progress, asking.engine
                )
        except InputError as error:
            if len(self.cases) <= MOST_SEARCHED:
                raise
            found.refused[case] = error.diagnostics[0].message
            return
        found.searched[case] = Searched(program, scope, verdicts)
        found.interrupted = any(verdict.reason == INTERRUPTED for verdict in verdicts)

    # ------------------------------------------------------------------ proving

    def _prove_together(self, name: str) -> CaseVerdicts:
        """Return what is proved of all cases at once in which a search has found nothing against
        it.
        """
        asking, prover = self.asking, self.asking.prover
        assert prover is not None
        left = [
            case
            for case in self.cases
            if asking.is_asked(case, name) and self._is_promising(case, name)
        ]
        if len(self._formulas(name)) > 1:
            return CaseVerdicts((), dict.fromkeys(left, ANOTHER))
        if asking.question(name).mode == "enforce":
            return CaseVerdicts((), dict.fromkeys(left, STRATEGY))
        if self.found.interrupted:
            return CaseVerdicts((), dict.fromkeys(left, INTERRUPTED))
        if asking.question(name).mode == "progress" and not asking.harder:
            return CaseVerdicts((), dict.fromkeys(left, TOO_LONG))
        with self._proving(asking.program) as meter:
            proved = prove_cases(prover, asking.program, asking.question(name), left, meter)
        self.found.notes += prover.notes
        prover.notes.clear()
        return proved

    def _formulas(self, name: str) -> set[tuple[str, str]]:
        """Return what *name* asks in one case or another: a formula, empty if it is the
        catalogue's, and what a play has to contain.
        """
        claims = [claim for claim in self.asking.program.claims if claim.name == name]
        formulas = [
            "" if claim.formula is None else show_formula(claim.formula) for claim in claims
        ]
        contained = [
            "" if claim.containing is None else show_expression(claim.containing)
            for claim in claims
        ]
        plain = (
            {("", "")} if "" in formulas else set()
        )  # where nothing is claimed the catalogue's is asked
        return {*zip(formulas, contained, strict=True), *plain}

    @contextmanager
    def _proving(self, program: ir.Program) -> Iterator[Meter]:
        """Have a meter for a proof about *program*, and note whether somebody interrupted it."""
        with self.asking.progress(program.name) as on_progress:
            meter = Meter(self.asking.budget, on_progress)
            yield meter
        self.found.interrupted = self.found.interrupted or meter.interrupted

    def _is_promising(self, case: Case, name: str) -> bool:
        searched = self.found.searched.get(case)
        return searched is None or is_tried(searched.verdicts[searched.verdict_number(name)])

    def _conclude(self, case: Case, searched: Searched, name: str) -> None:
        """Give the verdict on *name* in a *case* that was *searched* its proof; the case is tried
        by itself if it has none so far.
        """
        place, prover = searched.verdict_number(name), self.asking.prover
        verdict, proof = searched.verdicts[place], self.found.proved[name].proof_of(case)
        assert proof is None or verdict.outcome not in (Outcome.VIOLATED, Outcome.POSSIBLE), (
            f"{name} is proved and fails: {case}"
        )
        if prover is not None and verdict.unshown and verdict.outcome == Outcome.UNKNOWN:
            self._ask_at_every_size(searched, place, prover)
            return
        if not is_tried(verdict) or prover is None:
            return
        attempt = Attempt(proof)
        if proof is None:
            if self.found.interrupted:
                return
            with self._proving(searched.program) as meter:
                (attempt,) = prover.attempt(
                    searched.program, [verdict.property], meter, must=verdict.is_hidden
                )
        searched.verdicts[place] = after_attempt(verdict, attempt, tuple(prover.notes))
        prover.notes.clear()

    def _ask_at_every_size(self, searched: Searched, place: int, prover: Prover) -> None:
        """Ask again, with *prover*, what a search left open since its scope cut moves: as `check`
        does of one case.
        """
        asking, question = self.asking, searched.verdicts[place].property
        if self.found.interrupted:
            return
        with asking.progress(searched.program.name) as on_progress:
            (verdict,) = check(
                searched.program,
                [question],
                searched.scope,
                asking.budget,
                on_progress,
                asking.engine,
                prover,
            )
        searched.verdicts[place] = verdict
        self.found.interrupted = verdict.reason == INTERRUPTED
        prover.notes.clear()


def _ends(cases: Sequence[Case], unproved: Container[Case]) -> Iterator[Case]:
    """Yield the unproved *cases*: of each row of them the first and the last, then what is next to
    these, and so on.
    """
    rows = [
        list(row)
        for is_unproved, row in groupby(cases, lambda case: case in unproved)
        if is_unproved
    ]
    for number in range(max(map(len, rows), default=0)):
        for row in rows:
            if number < (len(row) + 1) // 2:
                yield row[number]
                yield row[-1 - number]
