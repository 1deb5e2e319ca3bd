"""The judge of mutants: which claims notice one, and what tells it from the original if none does.

A mutant is *absent* if this reading has nothing of the edit, *refused* if no ruleset could say it, *noticed* if a claim that the original
meets is not met any more, else the *same* game, *unprotected*, or *undecided*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ...models import ir
from ...models.diagnostics import InputError
from ...models.load import opened
from ...models.options.configure import configure
from ...models.source import Source
from ...properties.formula import ClausePossible, Property, Uses
from ...properties.load import TypedClaim, claims_of, property_named
from ...properties.parts import formulas
from ..diff.behaviour import Compared, compare
from ..diff.diff import beside
from ..diff.observer import Observer, shared_attributes
from ..diff.renaming import NameMap
from ..diff.side import Positions, Side
from ..explicit.edited import EditEngine, KnownProgram
from ..process.collector import collector_paused
from ..reference.semantics.interpreter import Interpreter
from ..run.check import decisions
from ..run.engines import engine_named
from ..types.budget import Budget, Meter
from ..types.engine import Decision
from ..types.scope import Scope, scope_of
from ..types.verdict import MET, UNDECIDED, Outcome
from .alike import Unchanged
from .edits import Edit
from .suggest import FoundClaim, Suggester

MutantFate = Literal["absent", "refused", "noticed", "same", "unprotected", "undecided", "mended"]
MOST_POSITIONS = 400_000
"""So many positions a mutant may have, for a claim or for what tells it apart, before it is undecided."""

FEW_POSITIONS = 2_000
"""So many are looked at for what tells a mutant apart that a claim notices anyhow, unless every claim is asked."""
LIKELIER, TO_THE_END = 4, 3
"""How many times as likely a claim about a clause notices an edit of it, and how many times as much it costs to search to the end."""
MOST_KEPT = 200_000
"""When so many positions of the original and of its mutants are known, all that is known is forgotten."""


@dataclass(frozen=True)
class JudgedReading:
    """A reading of a ruleset, as it is named, with the scope in which its mutants are judged."""

    source: Source
    settings: tuple[tuple[str, str], ...] = ()
    players: int | None = None
    stack: int | None = None
    sizes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Noticed:
    """A claim that notices a mutant: its *name*, the verdict on it, and after how many *moves*; 0 where no play shows it."""

    name: str
    outcome: Outcome
    moves: int


@dataclass(frozen=True)
class Judgement:
    """What became of a mutant: the claims that notice it, and whether it is *apart* from the original, after how many *observations*.

    *reason* says why that is undecided. *apart* is None if nobody looked, or not to the end.
    """

    fate: MutantFate
    noticed: tuple[Noticed, ...] = ()
    apart: bool | None = None
    observations: int = 0
    reason: str = ""


class Judge:
    """Judges mutants of one *reading*; raises `InputError` if there is no such reading, or no such scope."""

    def __init__(self, reading: JudgedReading) -> None:
        self.opened = opened(reading.source)
        self.settings = dict(reading.settings)
        self.program = configure(self.opened, self.settings)
        self.scope: Scope = scope_of(self.program, reading.players, reading.stack, dict(reading.sizes))
        self._made: dict[int, tuple[Edit, ir.Program | None]] = {}

    @cached_property
    def _claimed(self) -> tuple[TypedClaim, ...]:
        return tuple(claims_of(self.program))

    @cached_property
    def claims(self) -> tuple[tuple[str, str, Property], ...]:
        """What the original claims and meets within the scope: name, expectation, property."""
        return tuple(claim for claim, _ in self._met)

    @cached_property
    def _met(self) -> tuple[tuple[tuple[str, str, Property], int], ...]:
        """The claims, each with how many positions it takes to decide it of the original."""
        claims = [(typed.claim.name, typed.claim.expect, typed.property) for typed in self._claimed]
        asked = [property_ for _, _, property_ in claims]
        meter = Meter(Budget(positions=MOST_POSITIONS))
        found = decisions(engine_named("explicit"), self.program, asked, self.scope, meter)
        decided = zip(claims, found, strict=True)
        return tuple((claim, counts.positions) for claim, (decision, counts) in decided if _within_scope(decision) in MET[claim[1]])

    def _order(self, clause: str) -> list[tuple[str, str, Property]]:
        """Return the claims in the order in which they are asked about an edit of *clause*: by what they cost, as far as that is known.

        What is about the clause comes earlier, for it is likely to notice. What is possible comes later: where it is not any more, a
        search ends only when there is nothing left.
        """

        def key(one: tuple[tuple[str, str, Property], int]) -> float:
            (name, expectation, property_), positions = one
            cost = positions * (TO_THE_END if expectation == "possible" else 1)
            return cost / LIKELIER if clause.partition("/")[0] == name.partition("/")[0] or clause in _clauses(property_) else cost

        return [claim for claim, _ in sorted(self._met, key=key)]

    def judge(self, edit: Edit, *, every_claim: bool) -> Judgement:
        """Return what becomes of the mutant that *edit* makes; with *every_claim* all claims that notice it are told, else the first."""
        mutant = self._mutant(edit)
        if not isinstance(mutant, ir.Program):
            return Judgement(mutant)
        if self._is_unchanged(mutant):
            return Judgement("same", (), False)
        noticed, reason = self._noticed(mutant, edit.clause, every_claim=every_claim)
        compared = self._compared(mutant, MOST_POSITIONS if every_claim or not noticed else FEW_POSITIONS)
        apart = bool(compared.separations)
        observations = min((len(one.word) for one in compared.separations.values()), default=0)
        if noticed:
            return Judgement("noticed", noticed, apart if apart or not compared.stopped else None, observations)
        if apart:
            return Judgement("undecided" if reason else "unprotected", (), True, observations, reason)
        if compared.stopped:
            return Judgement("undecided", (), None, 0, compared.stopped)
        return Judgement("same", (), False)

    def mend(self, edit: Edit, name: str) -> Judgement:
        """Return whether the mutant that *edit* makes is *mended*: the property called *name* is met, and every claim that was met is.

        If not, it is *noticed* by the first that is not met. *observations* is how many both sides share before anybody notices.
        """
        mutant = self._mutant(edit)
        if not isinstance(mutant, ir.Program):
            return Judgement(mutant)
        expectation, property_ = self.wanted(name)
        outcome, moves = next(self._outcomes(mutant, [property_]))
        if outcome in UNDECIDED:
            return Judgement("undecided", reason=f"{name} is undecided")
        if outcome not in MET[expectation]:
            return Judgement("noticed", (Noticed(name, outcome, moves),))
        noticed, reason = self._noticed(mutant, edit.clause, every_claim=False)
        if noticed or reason:
            return Judgement("noticed" if noticed else "undecided", noticed, reason=reason)
        compared = self._compared(mutant, FEW_POSITIONS)
        observations = min((len(one.word) for one in compared.separations.values()), default=compared.depth)
        return Judgement("mended", (), bool(compared.separations), observations)

    def is_broken(self, edit: Edit, name: str) -> bool | None:
        """Return whether the claim called *name*, which the original meets, is not met after *edit*; None if that is undecided.

        An edit that no ruleset could say breaks nothing.
        """
        mutant = self._telling(edit)
        if mutant is None:
            return False
        expectation, property_ = self.wanted(name)
        with suppress(InputError):
            outcome, _ = next(self._outcomes(mutant, [property_]))
            return None if outcome in UNDECIDED else outcome not in MET[expectation]
        return None

    def _mutant(self, edit: Edit) -> ir.Program | Literal["absent", "refused"]:
        """Return what *edit* makes of this reading, or why there is nothing to ask about."""
        mutant = self._configured(edit)
        if mutant.stages == self.program.stages and mutant.zones == self.program.zones:
            return "absent"
        return "refused" if edit.is_refused else mutant

    def _telling(self, edit: Edit) -> ir.Program | None:
        """Return what *edit* makes, None if no claim can tell that from the original; it is known for the next claim that is asked."""
        if id(edit) not in self._made:
            mutant = self._mutant(edit)
            is_other = isinstance(mutant, ir.Program) and not self._is_unchanged(mutant)
            self._made[id(edit)] = edit, mutant if isinstance(mutant, ir.Program) and is_other else None
        return self._made[id(edit)][1]

    def _configured(self, edit: Edit) -> ir.Program:
        """Return what *edit* makes of this reading, without the claims, which are asked as the original makes them."""
        return configure(replace(edit.program, claims=()), self.settings)

    def _is_unchanged(self, mutant: ir.Program) -> bool:
        """Whether it is known that no claim tells *mutant* from the original: what can be enforced may depend on every choice."""
        enforced = any(property_.mode == "enforce" for _, _, property_ in self.claims)
        return self._unchanged.by(mutant, "all" if enforced else "choosers")

    def wanted(self, name: str) -> tuple[str, Property]:
        """Return the property called *name*, and what is expected of it: as it is claimed, or that it holds or is possible."""
        claimed = [typed for typed in self._claimed if typed.claim.name == name]
        if claimed:
            return claimed[0].claim.expect, claimed[0].property
        property_ = property_named(self.program, name)
        return "possible" if property_.mode in ("possible", "enforce") else "holds", property_

    def is_met(self, name: str) -> bool:
        """Return whether the original meets the property called *name*."""
        expectation, property_ = self.wanted(name)
        return next(self._outcomes(self.program, [property_]))[0] in MET[expectation]

    def suggested(self, edits: Sequence[tuple[int, Edit]]) -> list[FoundClaim]:
        """Return claims that would notice *edits*, which nothing protects, each given with its number."""
        mutants = [(number, self._configured(edit)) for number, edit in edits]
        return self._suggester.suggestions({number: mutant for number, mutant in mutants if not self._unchanged.by(mutant, "nothing")})

    @cached_property
    def _suggester(self) -> Suggester:
        return Suggester(self.program, self.scope)

    @cached_property
    def _unchanged(self) -> Unchanged:
        """What the original reaches, and what is the same there."""
        return Unchanged(self.program, self.scope)

    @cached_property
    def _known(self) -> KnownProgram:
        """What is known of the original, for all its mutants."""
        asked, bodies = [property_ for _, _, property_ in self.claims], [clause.body for _, clause in self.opened.clauses]
        return KnownProgram(self.program, self.scope, asked, Interpreter, bodies)

    def _noticed(self, mutant: ir.Program, clause: str, *, every_claim: bool) -> tuple[tuple[Noticed, ...], str]:
        """Return which claims notice *mutant*, asked in the order for that *clause*; and why some are undecided, if any are."""
        order = self._order(clause)
        found: list[Noticed] = []
        reason = ""
        asked = [property_ for _, _, property_ in order]
        with suppress(InputError):
            for (name, expectation, _), (outcome, moves) in zip(order, self._outcomes(mutant, asked), strict=False):
                if outcome in UNDECIDED:
                    reason = f"{name} is undecided"
                elif outcome not in MET[expectation]:
                    found.append(Noticed(name, outcome, moves))
                    if not every_claim:
                        break
        return tuple(found), reason

    def _outcomes(self, program: ir.Program, properties: Sequence[Property]) -> Iterator[tuple[Outcome, int]]:
        """Yield the outcome of each of *properties* of the edited *program*, and how many moves the play has that shows it."""
        meter = Meter(Budget(positions=MOST_POSITIONS))
        engine = EditEngine(self._known, program)
        for question, (decision, _) in zip(properties, decisions(engine, program, properties, self.scope, meter), strict=False):
            yield _within_scope(decision), engine.moves(question, decision)

    @cached_property
    def _side(self) -> Side:
        """The original, as far as it was looked at for any mutant."""
        shared = shared_attributes(self.program, self.program, NameMap())
        return Side(Interpreter(self.program, self.scope), Observer(self.program, NameMap(), shared), Positions())

    def _compared(self, mutant: ir.Program, most: int) -> Compared:
        shared = shared_attributes(mutant, mutant, NameMap())
        with collector_paused():
            other = beside(self._side, mutant, NameMap(), self.scope, shared)
            found = compare(self._side, other, Meter(Budget(positions=most)), wanted=1)
        if len(self._side.positions) > MOST_KEPT:
            del self._side
        return found


def _within_scope(decision: Decision) -> Outcome:
    """Return the outcome of *decision*; where only a play beyond every scope could break what must happen, it holds within this one."""
    return Outcome.HOLDS if decision.is_hidden else decision.outcome


def _clauses(question: Property) -> set[str]:
    """Return the clauses that *question* names."""
    return {part.clause for part in formulas(question.body) if isinstance(part, Uses | ClausePossible)}
