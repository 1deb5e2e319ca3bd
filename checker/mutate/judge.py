"""The judge of mutants: which claims notice one, and whether it changes anything at all.

A mutant is *absent* if this reading has nothing of the edit, *refused* if no ruleset could say it,
*noticed* if a claim that the original meets is not met any more, else the *same* game,
*unprotected*, or *undecided*.

Equivalent mutants: whether an edit changes nothing, at any position to which a play of the
original comes.

Then its plays are those of the original, move for move, with what happens in them: no player and no
claim can tell the two apart. The question is put to the meaning itself, and only of the changed
clauses: the others of their stage do what they did. A choice stays hidden if it shows in no event:
formulas ask at most who chooses. Who can enforce what may depend on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.load import opened
from ...models.options.configure import configure
from ...models.source import Source
from ...properties.formula import ClausePossible, Property, Uses, formulas
from ...properties.load import TypedClaim, claims_of, property_named
from ..diff.behaviour import Compared, compare
from ..diff.diff import side_of_new
from ..diff.same import NameMap
from ..diff.side import Observer, Positions, Side, changed_clauses, shared_attributes
from ..explicit.edit_engine import EditEngine, KnownProgram
from ..process.collector import collector_paused
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..rulings.file import SourcedRulings
from ..run.check import decisions
from ..run.engines import engine_named
from ..types.budget import Budget, Meter
from ..types.engine import Decision, Engine
from ..types.position import Move, Position
from ..types.scope import Scope, scope_of
from ..types.verdict import MET, UNDECIDED, Counts, Outcome
from .edits.edits import Edit

SeenOfChoices: TypeAlias = Literal["all", "choosers"]
"""What is seen of the choices in a move: all may matter to who enforces something, claims ask at
most by whom.
"""

MOST_REACHED = 60_000
"""How many positions an original may have; what edits of a larger one change is not known."""


class Unchanged:
    """What plays of *program* within *scope* reach, for all its edits."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope

    @cached_property
    def reached(self) -> dict[str, list[Position]] | None:
        """All positions by their stages; None if there are too many."""
        graph = explore(
            Interpreter(self.program, self.scope), Meter(Budget(positions=MOST_REACHED))
        )
        if graph.stopped:
            return None
        found: dict[str, list[Position]] = defaultdict(list)
        for position in graph.positions:
            found[position.stage].append(position)
        return found

    def by(self, edited: ir.Program, seen: SeenOfChoices) -> bool:
        """Whether it is known that *edited*, which declares the same, does the same at every
        position that is reached.

        Moves are the same if they are alike in all but choices, and of these in what is *seen*.
        """
        own = {stage.name: stage for stage in self.program.stages}
        if edited.zones != self.program.zones or any(
            stage.name not in own for stage in edited.stages
        ):
            return False
        return all(
            stage == own[stage.name] or self._is_unchanged(own[stage.name], stage, seen)
            for stage in edited.stages
        )

    def _is_unchanged(self, old: ir.Stage, new: ir.Stage, seen: SeenOfChoices) -> bool:
        """Whether the clauses that *new* has instead of those of *old* allow the same moves, within
        the scope and beyond.
        """
        changed = changed_clauses(old, new)
        if changed is None or replace(new, clauses=old.clauses) != old or self.reached is None:
            return False
        before, after = (self._alone(stage, changed) for stage in (old, new))
        return _are_alike(before, after, self.reached.get(old.name, ()), seen)

    def _alone(self, stage: ir.Stage, clauses: Collection[str]) -> Interpreter:
        """Return the interpreter of *clauses* of *stage*, as if there were no others."""
        alone = tuple(clause for clause in stage.clauses if clause.id in clauses)
        stages = tuple(
            replace(one, clauses=alone if one.name == stage.name else ())
            for one in self.program.stages
        )
        return Interpreter(replace(self.program, stages=stages), self.scope)


def _are_alike(
    before: Interpreter, after: Interpreter, positions: Iterable[Position], seen: SeenOfChoices
) -> bool:
    for position in positions:
        old, new = before.moves(position), after.moves(position)
        if bool(old.cut) != bool(new.cut) or not _say_the_same(old.moves, new.moves, seen):
            return False
        if old.cut and not _say_the_same(before.allowed(position), after.allowed(position), seen):
            return False
    return True


_Moves: TypeAlias = list[tuple[Move, Position]]


def _say_the_same(old: _Moves, new: _Moves, seen: SeenOfChoices) -> bool:
    return old == new or (seen != "all" and _visible(old) == _visible(new))


def _visible(moves: _Moves) -> frozenset[Hashable]:
    """Return *moves* and where they lead without their choices, but for who makes them."""
    return frozenset(
        (
            move.clause,
            move.owner,
            frozenset(choice.by for choice in move.choices),
            move.events,
            target,
        )
        for move, target in moves
    )


MutantFate = Literal["absent", "refused", "noticed", "same", "unprotected", "undecided", "mended"]
MOST_POSITIONS = 400_000
"""How many positions a mutant may have, for a claim or for what tells it apart, before it is
undecided.
"""

FEW_POSITIONS = 2_000
"""How many are looked at for what tells a mutant apart that a claim notices anyhow, unless every
claim is asked.
"""
LIKELIER, TO_THE_END = 4, 3
"""How many times as likely a claim about a clause notices an edit of it, and how many times as much
it costs to search to the end.
"""
MOST_KEPT = 200_000
"""When this many positions of the original and of its mutants are known, all that is known is
forgotten.
"""


@frozen
class JudgedReading:
    """A reading of a ruleset, as it is named, with the scope in which its mutants are judged, and
    *rulings* beside it to be asked.
    """

    source: Source
    settings: tuple[tuple[str, str], ...] = ()
    players: int | None = None
    stack: int | None = None
    sizes: tuple[tuple[str, int], ...] = ()
    rulings: Source | None = None


@frozen
class Noticed:
    """A claim that notices a mutant: its *name*, the verdict on it, and after how many *moves*; 0
    where no play shows it.

    Or a ruling, by its place, which is VIOLATED.
    """

    name: str
    outcome: Outcome
    moves: int


@frozen
class Judgement:
    """What became of a mutant: the claims that notice it, and whether it is *apart* from the
    original, after how many *observations*.

    *reason* says why that is undecided. *apart* is None if that was not looked at, or not to the
    end. *spared* are the claims that the mutant is known to meet. *open* are those that are
    undecided, if every claim was asked.
    """

    fate: MutantFate
    noticed: tuple[Noticed, ...] = ()
    apart: bool | None = None
    observations: int = 0
    reason: str = ""
    spared: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


class _Answers(NamedTuple):
    """What claims say of a mutant: those that notice it, and those that it meets; why some are
    undecided; where the first notices it.
    """

    noticed: tuple[Noticed, ...]
    spared: tuple[str, ...]
    reason: str
    room: Scope


class Judge:
    """Judges mutants of one *reading*; raises `InputError` if there is no such reading, or no such
    scope.
    """

    def __init__(self, reading: JudgedReading) -> None:
        self.opened = opened(reading.source)
        self.settings = dict(reading.settings)
        self.program = configure(self.opened, self.settings)
        self.scope: Scope = scope_of(
            self.program, reading.players, reading.stack, dict(reading.sizes)
        )
        self._rulings = SourcedRulings(self.opened, reading.rulings)
        self._made: dict[tuple[int, bool], tuple[Edit, ir.Program | None]] = {}
        self._known: dict[Scope, KnownProgram] = {}
        self._sides: dict[Scope, Side] = {}

    @cached_property
    def _claimed(self) -> tuple[TypedClaim, ...]:
        return claims_of(self.program)

    @cached_property
    def claims(self) -> tuple[TypedClaim, ...]:
        """What the original claims and meets, with the room that it needs."""
        return tuple(typed for typed, _ in self._met)

    @cached_property
    def _met(self) -> tuple[tuple[TypedClaim, int], ...]:
        """The claims, each with how many positions it takes to decide it of the original."""
        asked = [typed.property for typed in self._claimed]
        found = self._decisions(self.program, asked, lambda _: engine_named("explicit"))
        return tuple(
            (typed, counts.positions)
            for typed, (decision, counts) in zip(self._claimed, found, strict=True)
            if _within_scope(decision) in MET[typed.claim.expect]
        )

    def _room(self, question: Property) -> Scope:
        """Return the scope in which *question* is decided."""
        return self.scope.with_room(question.needs)

    @cached_property
    def _rooms(self) -> tuple[Scope, ...]:
        """The scope, and others in which claims are decided that need more room."""
        return tuple(
            dict.fromkeys((self.scope, *(self._room(typed.property) for typed in self.claims)))
        )

    def _decisions(
        self, program: ir.Program, properties: Sequence[Property], engine: Callable[[Scope], Engine]
    ) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each of *properties*, by the *engine* for the room that it needs;
        nothing if it must not have that.
        """
        rooms: dict[Scope, list[Property]] = {}
        for question in properties:
            if not self.scope.lacks(question.needs):
                rooms.setdefault(self._room(question), []).append(question)
        meter = Meter(Budget(positions=MOST_POSITIONS))
        found = {
            room: decisions(engine(room), program, asked, room, meter)
            for room, asked in rooms.items()
        }
        for question in properties:
            if self.scope.lacks(question.needs):
                yield Decision(Outcome.UNKNOWN, question), Counts(0, 0, 0, 0)
            elif (answer := next(found[self._room(question)], None)) is not None:
                yield answer

    def _order(self, clause: str, likely: Sequence[str]) -> list[TypedClaim]:
        """Return the claims in the order in which they are asked about an edit of *clause*: by what
        they cost, as far as that is known.

        Those that are *likely* to notice it are the first.

        What is about the clause comes earlier, for it is likely to notice. What is possible comes
        later: where it is not any more, a search ends only when there is nothing left.
        """

        def key(one: tuple[TypedClaim, int]) -> float:
            typed, positions = one
            name = typed.claim.name
            if name in likely:
                return likely.index(name) - len(likely)
            cost = positions * (TO_THE_END if typed.claim.expect == "possible" else 1)
            is_about = clause.partition("/")[0] == name.partition("/")[0]
            is_about = is_about or clause in _clauses_named(typed.property)
            return cost / LIKELIER if is_about else cost

        return [typed for typed, _ in sorted(self._met, key=key)]

    def judge(
        self, edit: Edit, *, every_claim: bool, likely: Sequence[str] = (), was_same: bool = False
    ) -> Judgement:
        """Return what becomes of the mutant that *edit* makes; with *every_claim* all claims that
        notice it are told, else the first.

        The claims that are *likely* to notice it are asked first. An edit that left the game the
        same in another reading (*was_same*) is compared first: if it leaves this one the same, too,
        only claims that need more room are asked.
        """
        mutant = self._mutant(edit)
        if not isinstance(mutant, ir.Program):
            # What is absent here may be there in the reading of a ruling.
            is_ruled = mutant == "absent" and not edit.is_refused
            ruled = self._ruled(edit, every=every_claim, likely=likely) if is_ruled else ()
            return Judgement("noticed", ruled) if ruled else Judgement(mutant)
        is_same = self._is_unchanged(mutant) or (was_same and self._is_same(mutant))
        rooms = self._rooms[1:] if is_same else self._rooms
        spared = (
            tuple(
                typed.claim.name for typed in self.claims if self._room(typed.property) not in rooms
            )
            if every_claim
            else ()
        )
        if not rooms:
            if ruled := self._ruled(edit, every=every_claim, likely=likely, is_same=True):
                return Judgement("noticed", ruled, spared=spared)
            return Judgement("same", (), False, spared=spared)
        order = [
            one for one in self._order(edit.clause, likely) if self._room(one.property) in rooms
        ]
        noticed, met, reason, room = self._noticed(mutant, order, every_claim=every_claim)
        by_claims = bool(noticed)
        if every_claim or not noticed:
            noticed += self._ruled(edit, every=every_claim, likely=likely, is_same=is_same)
        known = {*met, *(one.name for one in noticed)}
        spared += met if every_claim else ()
        unknown = (
            tuple(one.claim.name for one in order if one.claim.name not in known)
            if every_claim
            else ()
        )
        most = MOST_POSITIONS if every_claim or not noticed else FEW_POSITIONS
        compared = self._compared(mutant, room, most) if room in rooms else Compared()
        apart = bool(compared.separations)
        observations = min((len(one.word) for one in compared.separations.values()), default=0)
        if noticed:
            # A ruling may be of another scope, or another reading.
            is_known = apart or (by_claims and not compared.stopped)
            return Judgement(
                "noticed", noticed, apart if is_known else None, observations, "", spared, unknown
            )
        if apart:
            fate: MutantFate = "undecided" if reason else "unprotected"
            return Judgement(fate, (), True, observations, reason, spared, unknown)
        if compared.stopped:
            return Judgement("undecided", (), None, 0, compared.stopped, spared, unknown)
        return Judgement("same", (), False, spared=spared, open=unknown)

    def mend(self, edit: Edit, name: str) -> Judgement:
        """Return whether the mutant that *edit* makes is *mended*: the property called *name* is
        met, and every claim that was met is.

        If not, it is *noticed* by the first that is not met. *observations* is how many both sides
        share before anybody notices.
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
        noticed, _, reason, _ = self._noticed(
            mutant, self._order(edit.clause, ()), every_claim=False
        )
        noticed = noticed or self._ruled(edit, every=False)
        if noticed or reason:
            return Judgement("noticed" if noticed else "undecided", noticed, reason=reason)
        compared = self._compared(mutant, self.scope, FEW_POSITIONS)
        observations = min(
            (len(one.word) for one in compared.separations.values()), default=compared.depth
        )
        return Judgement("mended", (), bool(compared.separations), observations)

    def _ruled(
        self, edit: Edit, *, every: bool, likely: Sequence[str] = (), is_same: bool = False
    ) -> tuple[Noticed, ...]:
        """Return the rulings that notice *edit*, *every* one or the first; of one that *is the
        same* here only those of elsewhere.
        """
        asked = self._rulings.not_met(
            edit.program, (self.program, self.scope) if is_same else None, likely
        )
        found = asked if every else islice(asked, 1)
        return tuple(Noticed(place, Outcome.VIOLATED, answer.moves) for place, answer in found)

    def is_broken(self, edit: Edit, name: str) -> bool | None:
        """Return whether the claim called *name*, which the original meets, is not met after
        *edit*; None if that is undecided.

        An edit that no ruleset could say breaks nothing.
        """
        expectation, property_ = self.wanted(name)
        mutant = self._telling(edit, may_be_unchanged=self._room(property_) == self.scope)
        if mutant is None:
            return False
        with suppress(InputError):
            outcome, _ = next(self._outcomes(mutant, [property_]))
            return None if outcome in UNDECIDED else outcome not in MET[expectation]
        return None

    def _mutant(self, edit: Edit) -> ir.Program | Literal["absent", "refused"]:
        """Return what *edit* makes of this reading, or why there is nothing to ask about."""
        # The claims are asked as the original makes them.
        mutant = configure(replace(edit.program, claims=()), self.settings)
        if mutant.stages == self.program.stages and mutant.zones == self.program.zones:
            return "absent"
        return "refused" if edit.is_refused else mutant

    def _telling(self, edit: Edit, *, may_be_unchanged: bool) -> ir.Program | None:
        """Return what *edit* makes; None if nothing does, or no claim can tell that from the
        original. It is known for the next claim.
        """
        key = id(edit), may_be_unchanged
        if key not in self._made:
            mutant = self._mutant(edit)
            is_other = isinstance(mutant, ir.Program) and not (
                may_be_unchanged and self._is_unchanged(mutant)
            )
            self._made[key] = edit, mutant if isinstance(mutant, ir.Program) and is_other else None
        return self._made[key][1]

    def _is_unchanged(self, mutant: ir.Program) -> bool:
        """Whether it is known that no claim tells *mutant* from the original in the scope: what can
        be enforced may need all choices.
        """
        enforced = any(typed.property.mode == "enforce" for typed in self.claims)
        return self._unchanged.by(mutant, "all" if enforced else "choosers")

    def _is_same(self, mutant: ir.Program) -> bool:
        """Whether it is known that no player can tell *mutant* from the original within the
        scope.
        """
        compared = self._compared(mutant, self.scope, MOST_POSITIONS)
        return not compared.separations and not compared.stopped

    def wanted(self, name: str) -> tuple[str, Property]:
        """Return the property called *name*, and what is expected of it: as it is claimed, or that
        it holds or is possible.
        """
        claimed = [typed for typed in self._claimed if typed.claim.name == name]
        if claimed:
            return claimed[0].claim.expect, claimed[0].property
        property_ = property_named(self.program, name)
        return "possible" if property_.mode in ("possible", "enforce") else "holds", property_

    def is_met(self, name: str, decision: Decision) -> bool:
        """Return whether the property called *name* is met where *decision* is known of it."""
        return _within_scope(decision) in MET[self.wanted(name)[0]]

    @cached_property
    def _unchanged(self) -> Unchanged:
        """What the original reaches, and what is the same there."""
        return Unchanged(self.program, self.scope)

    def _known_in(self, room: Scope) -> KnownProgram:
        """Return what is known of the original in *room*, for all its mutants."""
        if room not in self._known:
            asked = [one.property for one in self.claims if self._room(one.property) == room]
            bodies = [clause.body for _, clause in self.opened.clauses]
            self._known[room] = KnownProgram(self.program, room, asked, Interpreter, bodies)
        return self._known[room]

    def _noticed(
        self, mutant: ir.Program, order: Sequence[TypedClaim], *, every_claim: bool
    ) -> _Answers:
        """Return what the claims of *order* say of *mutant*: all of them, or those up to the first
        that notices it.
        """
        found: list[Noticed] = []
        spared: list[str] = []
        first = self.scope
        reason = ""
        outcomes = self._outcomes(mutant, [typed.property for typed in order])
        with suppress(InputError):
            for typed, (outcome, moves) in zip(order, outcomes, strict=False):
                name = typed.claim.name
                if outcome in UNDECIDED:
                    reason = f"{name} is undecided"
                elif outcome not in MET[typed.claim.expect]:
                    first = first if found else self._room(typed.property)
                    found.append(Noticed(name, outcome, moves))
                    if not every_claim:
                        break
                else:
                    spared.append(name)
        return _Answers(tuple(found), tuple(spared), reason, first)

    def _outcomes(
        self, program: ir.Program, properties: Sequence[Property]
    ) -> Iterator[tuple[Outcome, int]]:
        """Yield the outcome of each of *properties* of the edited *program*, and how many moves the
        play has that shows it.
        """
        engines: dict[Scope, EditEngine] = {}

        def engine_for(room: Scope) -> EditEngine:
            engines[room] = EditEngine(self._known_in(room), program)
            return engines[room]

        for question, (decision, _) in zip(
            properties, self._decisions(program, properties, engine_for), strict=False
        ):
            engine = engines.get(self._room(question))
            yield (
                _within_scope(decision),
                engine.moves(question, decision) if engine is not None else 0,
            )

    def _compared(self, mutant: ir.Program, room: Scope, most: int) -> Compared:
        """Return what tells *mutant* from the original in *room*; what was looked at of the
        original serves the next mutant, too.
        """
        shared = shared_attributes(mutant, mutant, NameMap())
        with collector_paused():
            if room not in self._sides:
                self._sides[room] = Side(
                    Interpreter(self.program, room),
                    Observer(self.program, NameMap(), shared),
                    Positions(),
                )
            side = self._sides[room]
            other = side_of_new(side, mutant, NameMap(), room, shared)
            found = compare(side, other, Meter(Budget(positions=most)), wanted=1)
        if len(side.positions) > MOST_KEPT:
            del self._sides[room]
        return found


def _within_scope(decision: Decision) -> Outcome:
    """Return the outcome of *decision*; where only a play beyond every scope could break what must
    happen, it holds within this one.
    """
    return Outcome.HOLDS if decision.is_hidden else decision.outcome


def _clauses_named(question: Property) -> set[str]:
    """Return the clauses that *question* names."""
    return {
        part.clause for part in formulas(question.body) if isinstance(part, Uses | ClausePossible)
    }
