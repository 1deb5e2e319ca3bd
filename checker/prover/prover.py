"""The prover: what a search found to hold within a scope, tried for every size within a budget;
what came of it is kept.

What it costs is counted in units (those of Z3, and some for writing down what is asked of it),
never in seconds, and each question has units of its own. Where those of a run are too few for all,
what is asked says whose turn comes first, not where it stands. So neither the machine nor its
company has a say in a verdict, and what is kept only saves time.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import inf
from pathlib import Path
from time import monotonic

from ...models import ir
from ...models.frozen import frozen
from ...properties.formula import Property
from ..process.serving import Reply, answer_in
from ..questions.digests import property_digest
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import need_finished
from ..types.verdict import Verdict
from .kept import Attempt, Proofs, Unsigned
from .proof_file import ProofEntry, ProofsBeside
from .request import NODES, Rechecked, ToProve, ToRecheck, request_data, why_none
from .workers import COMMAND, TICK, Workers

_MOST_DEATHS = 3
"""How many of the first questions may each end the process that looks into them, before nothing
more is tried.
"""
UNTRIED = "it was not tried: "
"""How the reason of a question begins that was not tried."""
FAILED = (
    f"{UNTRIED}each of the first {_MOST_DEATHS} questions ended the process that looked for its "
    "proof"
)
"""The reason of a question that comes after those."""
OPEN = "a proof is still looked for"
"""The reason of a question whose proof is not found yet, where what is known so far is told."""
NOT_TRIED = f"{UNTRIED}others took all the budget of a run without --prove"
"""The reason of a question whose turn did not come."""
TOO_LONG = f"{UNTRIED}what must eventually happen takes too long to prove without --prove"
"""The reason of a question about what must eventually happen."""
ELSEWHERE = (
    f"{UNTRIED}of a reading beside the first only what no search decides is tried without --prove"
)
"""The reason of a question whose proof nothing waits for, where there is no budget for such."""
UNHOPED = f"{UNTRIED}nothing proves it of the rules that these are compared with"
"""The reason of a question that is not among those that only are tried."""
IN_VAIN = "`stacklaw prove` found none with {} units"
"""The reason of a question of which the file beside the rules says that an attempt failed."""
_PATIENCE = 1.0
"""How many seconds proofs may take before somebody is told what is known without them."""
_WRITING = 250_000
"""How many units it counts to write a question down for Z3, about what it takes."""


@frozen
class ProofBudget:
    """How much is tried: the units of *each* question, and of *all* of a run (None:
    no bound).

    A question that must be tried, since no search can decide it, has units of its own: *own*, or
    *unshown* if what is asked is whether something that no play within a scope shows is impossible.
    """

    each: int
    all: int | None = None
    own: int = 20_000_000
    unshown: int = 3_000_000


SMALL = ProofBudget(700_000, 60_000_000)
"""What is tried unless somebody asks for more: half a second of one processor for each question, if
it is hard.
"""
COMPARED = replace(SMALL, all=10_000_000)
"""What is tried where two rulesets are compared: there a play that breaks something says most."""
NAMED = ProofBudget(7_000_000, 60_000_000)
"""What is tried of properties that somebody asks for by name."""
LARGE = ProofBudget(60_000_000, own=60_000_000, unshown=60_000_000)
"""What is tried when somebody asks for proofs."""
NEEDED = ProofBudget(0, 0)
"""Where nothing is tried, nor looked for among what is kept, but what must be."""


@dataclass
class Prover:
    """Looks for proofs within a *budget*, by several *workers* at once, and explains them, if it
    should *explain*.

    Certificates are *whole* if somebody is to read them. A *second* solver sees them, if that is
    wanted and there is one. Each run has workers of its own, unless there are *standing* ones of
    the command; their owner closes these. *folder* is where proofs are kept (None: the user's cache
    folder). Proofs *beside* the rules are checked before any is looked for, under any budget, and
    take nothing from it. If *only* some questions are to be tried, by name, others are tried only
    if no search decides them. *hear* gets the verdicts of the search while proofs are still looked
    for: once, or in *parts* parts of the questions, each time another is known. *tried* is what
    came of each attempt, for the file beside the rules.
    """

    budget: ProofBudget = SMALL
    folder: Path | None = None
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, 2))
    command: Sequence[str] = COMMAND
    explain: bool = False
    second: bool = False
    whole: bool = True
    standing: Workers | None = None
    beside: ProofsBeside | None = None
    only: Collection[str] | None = None
    hear: Callable[[list[Verdict]], None] | None = None
    parts: int = 1
    notes: list[str] = field(default_factory=list)
    tried: dict[Property, Attempt] = field(default_factory=dict)

    def begin_attempts(self, program: ir.Program, meter: Meter) -> Attempts:
        """Return the attempts to prove questions about *program* for every size; somebody has to
        close them.

        Raises InputError (C115) if clauses of it are still to be written.
        """
        need_finished(program)
        return Attempts(self, program, meter)

    def attempt(
        self,
        program: ir.Program,
        questions: Sequence[Property],
        meter: Meter,
        *,
        must: bool = False,
    ) -> list[Attempt]:
        """Return what came of trying each of *questions* about *program* for every size, in their
        order; see `Attempts.add`.
        """
        with closing(self.begin_attempts(program, meter)) as attempts:
            for question in questions:
                attempts.add(question, must=must)
            return attempts.answers()


class Attempts:
    """The attempts of one run, by the places of their questions, which are known one after the
    other.

    What must eventually happen takes longer to prove; where the budget of a run has a bound it is
    not tried, unless it has units of its own.
    """

    def __init__(self, prover: Prover, program: ir.Program, meter: Meter) -> None:
        self.prover, self.program, self.meter = prover, program, meter
        self.questions: list[Property] = []
        self.kept = Proofs(program, prover.folder)
        self.found: dict[int, Attempt] = {}
        self.new: dict[int, Attempt] = {}
        self.unsigned: dict[int, Unsigned] = {}
        self.failures: dict[str, list[str]] = {}
        self.left = ""
        self._is_bad = False
        """Whether what is kept without a signature has ended a process, or taken it too long: then
        no more of that is looked at.
        """
        self._own: dict[int, int] = {}
        self._ranks: dict[int, str] = {}
        self._beside: dict[int, ProofEntry] = {}
        self._untrue: list[ProofEntry] = []
        standing = prover.standing
        self._workers = (
            standing
            if standing is not None and standing.command == prover.command
            else Workers(prover.command)
        )
        self._waiting: deque[int] = deque()

    def has_proof(self, question: Property) -> bool:
        """Whether a proof of *question* is kept, or at least one that nothing goes on for ever."""
        attempt = self.kept.kept_attempt(question, self.prover.budget.own)
        return attempt is not None and (attempt.proof is not None or attempt.is_finite)

    def add(self, question: Property, *, must: bool = False, units: int | None = None) -> None:
        """Let *question* be tried, too, if it *must* be with *units* of its own (None: what the
        budget says).

        While others are still to come one processor is left to the search.
        """
        place = len(self.questions)
        self.questions.append(question)
        if self.prover.budget.all == 0 and not must:
            self.found[place] = Attempt(None, ELSEWHERE)
            return
        only = self.prover.only
        if only is not None and question.name not in only and not must:
            self.found[place] = Attempt(None, UNHOPED)
            return
        if must:
            self._own[place] = self.prover.budget.own if units is None else units
        attempt = self.kept.kept_attempt(question, self._units(place))
        entry = self._entry(question, attempt)
        if entry is not None:
            self._beside[place] = entry
        is_proof = attempt is not None and attempt.proof is not None
        if attempt is not None and self._is_enough(attempt) and (is_proof or entry is None):
            self.found[place] = attempt
        elif unsigned := self._unsigned(question, attempt, entry):
            self.unsigned[place] = unsigned
            self._waiting.append(place)
        elif why := self._why_hopeless(place):
            self.found[place] = Attempt(None, why)
        else:
            self._try(place)
        self.go_on()

    def _entry(self, question: Property, attempt: Attempt | None) -> ProofEntry | None:
        """Return the entry beside the rules for *question*, unless two solvers disagree about it
        already.
        """
        is_refuted = attempt is not None and attempt.is_refuted
        return (
            None if self.prover.beside is None or is_refuted else self.prover.beside.entry(question)
        )

    def _why_hopeless(self, place: int) -> str:
        """Return why the question at *place* is not tried, if the file beside the rules says that
        more units found no proof of it.
        """
        beside = self.prover.beside
        if beside is None or self.program is not beside.program:
            return ""
        units = beside.units_in_vain(self.questions[place])
        return IN_VAIN.format(f"{units:,}") if units > self._units(place) else ""

    def _unsigned(
        self, question: Property, attempt: Attempt | None, entry: ProofEntry | None
    ) -> Unsigned | None:
        """Return what there is of a proof of *question* and has to be checked again; that of an
        *attempt* that says too little, as well.
        """
        if attempt is not None and attempt.proof is not None:
            return Unsigned(attempt.proof.certificate or attempt.proof.excerpt, attempt.spent)
        if entry is not None:
            return Unsigned(entry.text, 0)
        return self.kept.unsigned(question)

    def _try(self, place: int) -> None:
        """Let the question at *place* be proved anew, if that is not too much for the budget of the
        run.
        """
        if place in self._own:
            self._waiting.appendleft(place)
        elif (
            self.questions[place].mode in ("progress", "future")
            and self.prover.budget.all is not None
        ):
            self.found[place] = Attempt(None, TOO_LONG)
        else:
            self._waiting.append(place)

    def _units(self, place: int) -> int:
        """Return how many units the question at *place* is tried with."""
        return self._own.get(place, self.prover.budget.each)

    @property
    def proved(self) -> list[Property]:
        """The questions that are known to be proved."""
        return [
            self.questions[place]
            for place, attempt in self.found.items()
            if attempt.proof is not None
        ]

    def go_on(self) -> None:
        """Take in what the attempts under way have found, and begin the next, as far as the budget
        goes.
        """
        while not self._is_over and self._took(0, self.prover.workers - 1):
            pass

    def answers(self, tell: Callable[[list[Attempt]], None] | None = None) -> list[Attempt]:
        """Return what came of all attempts, in the order of the questions, when there is no more to
        come.

        Where that takes longer than a moment *tell* hears what is known before.
        """
        if not self._is_over:
            self.meter.begin("proving")
        self._waiting = deque(sorted(self._waiting, key=self._rank))
        begun, due = monotonic(), 0.0
        try:
            while not self._is_over:
                known = [self._known_attempt(place) for place in range(len(self.questions))]
                open_ = [
                    one.name for one, its in zip(self.questions, known, strict=True) if its is None
                ]
                count = len(known) - len(open_)
                self.meter.count(count, len(known), open_=open_)
                self._took(TICK, self.prover.workers)
                is_due = count >= due and monotonic() - begun > _PATIENCE
                if tell is not None and is_due and not self._is_over:
                    tell(
                        [
                            self._as_asked(question, attempt or Attempt(None, OPEN))
                            for question, attempt in zip(self.questions, known, strict=True)
                        ]
                    )
                    several = self.prover.parts > 1
                    due = count + -(-len(known) // self.prover.parts) if several else inf
        except BudgetSpentError as spent:
            self.left = f"{UNTRIED}{spent}"
        except KeyboardInterrupt:
            self.left, self.meter.interrupted = INTERRUPTED, True
        return self._answers()

    def _known_attempt(self, place: int) -> Attempt | None:
        """Return what is known so far of the question at *place*."""
        return self.found.get(place) or self.new.get(place)

    def close(self) -> None:
        """End what is still tried."""
        if self._workers is not self.prover.standing or self._workers.busy:
            self._workers.close()

    @property
    def _is_over(self) -> bool:
        """Whether there is nothing more to try, of the questions that are known."""
        return bool(self.left) or self._turns()[1]

    def _took(self, seconds: float, most: int) -> bool:
        """Let at most *most* workers be busy, and return whether one has replied, at the latest
        after *seconds* seconds.
        """
        while self._waiting and self._workers.busy < most:
            place = self._waiting.popleft()
            if self._is_bad and self.unsigned.pop(place, None) is not None:
                self._not_true(place)
                self._try(place)
                continue
            self._workers.give(place, request_data(self._request(place)))
        said = self._workers.reply(seconds)
        if said is not None:
            self._take_reply(*said)
        return said is not None

    def _request(self, place: int) -> ToProve | ToRecheck:
        """Return what a worker is asked of the question at *place*: to check what is kept, or to
        look for a proof.
        """
        prover, question = self.prover, self.questions[place]
        if place in self.unsigned:
            return ToRecheck(
                self.program,
                question,
                self.unsigned[place].certificate,
                prover.explain,
                prover.second,
                prover.whole,
            )
        return ToProve(
            self.program, question, self._units(place), prover.explain, prover.second, prover.whole
        )

    def _take_reply(self, place: int, reply: Reply) -> None:
        if "missing" in reply:
            why = f"there is no solver: {reply['missing']}"
            self.left = f"{UNTRIED}{why}"
            self.prover.notes.append(f"nothing was tried for every size, for {why}")
            return
        attempt: Attempt | None
        unsigned = self.unsigned.pop(place, None)
        if unsigned is None:
            attempt = answer_in(NODES, reply, Attempt)
        else:
            rechecked: Rechecked | None = answer_in(NODES, reply, Rechecked)
            attempt = None if rechecked is None else rechecked.attempt
            if attempt is None or not (attempt.proof or attempt.is_refuted):
                self._is_bad = self._is_bad or "died" in reply
                self._not_true(place)
                self._try(place)  # what was kept is no proof
                return
            if attempt.proof is not None:
                attempt = replace(
                    attempt,
                    proof=replace(attempt.proof, spent=unsigned.spent),
                    spent=unsigned.spent,
                )
        question = self.questions[place]
        if attempt is None:
            attempt = self._failure(question, reply)
        elif attempt.is_refuted:
            self.prover.notes.append(
                f"there is no proof of {question.name} for every size: {attempt.reason}; what the "
                "search found stands"
            )
        self.new[place] = attempt
        if len(self.new) == _MOST_DEATHS and all(
            attempt.reason in self.failures for attempt in self.new.values()
        ):
            self.left = FAILED

    def _not_true(self, place: int) -> None:
        """Take the entry beside the rules at *place*, if there is one, for none."""
        entry = self._beside.pop(place, None)
        if entry is not None:
            self._untrue.append(entry)

    def _answers(self) -> list[Attempt]:
        """Return what is known of every question; what is new is kept."""
        # A run that was ended early has its proofs, in any order.
        for place in self.new if self.left else self._turns()[0]:
            if place in self.new:
                attempt = self.found[place] = self.new[place]
                if attempt.reason not in self.failures:
                    self.kept.add(self.questions[place], self._units(place), attempt)
        self.prover.notes.extend([self.kept.note] if self.kept.note else [])
        if self.prover.beside is not None:
            if self.program is self.prover.beside.program:
                self.prover.tried.update(
                    (self.questions[place], attempt)
                    for place, attempt in self.found.items()
                    if attempt.reason not in self.failures
                )
            self.prover.notes.extend(self.prover.beside.notes(self.questions, self._untrue))
        for reason, names in self.failures.items():
            which = names[0] if len(names) == 1 else f"{len(names)} questions"
            stands = (
                "no other was tried, and what the search found stands"
                if self.left == FAILED
                else "what the search found stands"
            )
            self.prover.notes.append(
                f"there is no proof of {which} for every size, for {reason}; {stands}"
            )
        return [
            self._as_asked(question, self.found.get(place, Attempt(None, self.left or NOT_TRIED)))
            for place, question in enumerate(self.questions)
        ]

    def _as_asked(self, question: Property, attempt: Attempt) -> Attempt:
        """Return the *attempt* at *question* without the explanation that an earlier run has asked
        for and this one has not: what is kept does not change what is told.
        """
        proof = attempt.proof
        if proof is None or self.prover.explain or question.mode in ("progress", "future"):
            return attempt  # what measures progress is told always
        return replace(attempt, proof=replace(proof, invariant=(), rests_on=None))

    def _is_enough(self, attempt: Attempt) -> bool:
        """Whether *attempt* has all that is asked for: a whole certificate, a sentence for each
        invariant, a second solver's opinion.
        """
        proof = attempt.proof
        if proof is None:
            return True
        is_seen = (
            len(proof.solvers) + len(proof.gave_up) > 1
            or not self.prover.second
            or find_spec("cvc5") is None
        )
        is_whole = bool(proof.certificate) or not self.prover.whole
        return is_seen and is_whole and (bool(proof.invariant) or not self.prover.explain)

    def _rank(self, place: int) -> tuple[bool, str]:
        """Return when the turn of the question at *place* comes: that depends on what it asks, and
        not on where it stands.
        """
        if place not in self._ranks:
            self._ranks[place] = property_digest(self.questions[place])
        return place not in self._own, self._ranks[place]

    def _turns(self) -> tuple[list[int], bool]:
        """Return the places of the questions whose turn has come, and whether there is none to
        come: the budget is spent.

        What has units of its own, or an entry beside the rules, waits for no other, and no other
        for it.
        """
        turns, spent, most, waits = list[int](), 0, self.prover.budget.all, False
        for place in sorted(range(len(self.questions)), key=self._rank):
            is_own = place in self._own or place in self._beside
            if not is_own and (waits or (most is not None and spent >= most)):
                continue
            attempt = self._known_attempt(place)
            if attempt is not None:
                turns.append(place)
                spent += (
                    0
                    if is_own or not attempt.spent
                    else min(attempt.spent, self._units(place)) + _WRITING
                )
            elif not is_own:
                waits = True
        return turns, not waits and all(place in turns for place in (*self._own, *self._beside))

    def _failure(self, question: Property, reply: Reply) -> Attempt:
        """Return that there is no answer about *question*, as *reply* says."""
        died = f"the process that looked for a proof {_ending(reply.get('died', 0))}"
        reason = why_none(reply, died)
        self.failures.setdefault(reason, []).append(question.name)
        return Attempt(None, reason)


def _ending(code: int) -> str:
    """Return how a process ended, by its exit code."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
