"""Edit engine: deciding formulas of many edits of one Program: what is known of the Program serves
all of them.

An edit whose formulas may be looked for on the slices of the Program itself has its texts but for a
few functions (`emit.patches`), and most of its searches (`search.incremental`). Any other, and
whatever is too large to be remembered, is looked for by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...models import ir
from ...models.ir.analysis import most_joining
from ...models.ir.parts import statements
from ...properties import formula as f
from ...properties.parts import formulas
from ..questions.questions import Query, all_queries, decide, first_queries
from ..types.budget import Budget, BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.trace import Trace
from ..types.tuning import Tuning
from ..types.verdict import NOT_EXPLORED, Counts, Outcome
from .decide import Abstractions, Deciding, WatchPlace, starts_of
from .emit.emit import Emitted, write_watched
from .emit.groups import FormulaBatch
from .emit.patches import Patch, Patcher, StageEdit
from .engine import Explicit
from .layout.layout import TooWideError
from .search.incremental import KnownSearch, PatchedPlaces
from .search.interpreted import Interpreted
from .search.lasso import remembered, rounds_of
from .search.lift import Player
from .search.result import Result

MOST_KNOWN = 100_000
"""How many positions of one search are remembered, with what their moves lead to."""


def edit_of(program: ir.Program, edited: ir.Program) -> StageEdit | None:
    """Return in which stage and how *edited* differs from *program*; None if more does than clauses
    and priority of one stage.
    """
    own = {stage.name: stage for stage in program.stages}
    if edited.zones != program.zones or any(stage.name not in own for stage in edited.stages):
        return None
    changed = [(own[stage.name], stage) for stage in edited.stages if stage != own[stage.name]]
    if len(changed) != 1:
        return None
    ((before, after),) = changed
    new = {clause.id: clause for clause in after.clauses}
    if not new.keys() <= {clause.id for clause in before.clauses}:
        return None
    clauses = [
        (clause, new.get(clause.id) or replace(clause, guard=ir.NO, body=()))
        for clause in before.clauses
    ]
    clauses = [(old, other) for old, other in clauses if old != other]
    return StageEdit(before, clauses, after if after.priority != before.priority else None)


def _together(program: ir.Program, edit: StageEdit) -> ir.Program:
    """Return *program* with the clauses of *edit* beside its own: what slices it has, both can do
    with.
    """
    clauses = (*edit.stage.clauses, *(new for _, new in edit.clauses if new.guard != ir.NO))
    return replace(
        program,
        stages=tuple(
            replace(s, clauses=clauses) if s.name == edit.stage.name else s for s in program.stages
        ),
    )


class KnownProgram:
    """What is known of *program* within *scope*, as far as it was looked for: the searches for the
    formulas of *properties*.

    An edit may let as many items join a zone as one of *bodies* does.
    """

    def __init__(
        self,
        program: ir.Program,
        scope: Scope,
        properties: Iterable[f.Property],
        player: Callable[[ir.Program, Scope], Player],
        bodies: Iterable[ir.Block] = (),
    ) -> None:
        self.program, self.scope, self.make_player = program, scope, player
        self.roomy = replace(scope, joining=tuple(most_joining(bodies, dict(scope.sizes)).items()))
        queries = [one for question in properties for one in all_queries(program, question)]
        self.deciding = Deciding(
            program,
            self.roomy,
            queries,
            player(program, scope),
            Meter(Budget(positions=MOST_KNOWN)),
        )
        self._written: dict[int, Patcher | None] = {}
        self._known: dict[tuple[int, int], KnownSearch | None] = {}
        self.codes = {
            name: number for number, name in enumerate((stage.name for stage in program.stages), 2)
        }

    def patcher(self, number: int) -> Patcher | None:
        """Return what patches the text of group *number*; None if that has no room for what edits
        may need.
        """
        if number not in self._written:
            group = self.deciding.groups[number]
            try:
                self._written[number] = Patcher(
                    write_watched(self.program, self.roomy, group), group
                )
            except TooWideError:
                self._written[number] = None
        return self._written[number]

    def search(self, patcher: Patcher, number: int, which: int) -> KnownSearch | None:
        """Return the search *which* of group *number*, of the text of *patcher*; None if it is too
        large to be remembered.
        """
        key = number, which
        if key not in self._known:
            emitted, batch = patcher.written.emitted, self.deciding.groups[number].batches[which]
            first = batch.queries[0]
            rounds = rounds_of(emitted.layout, first, which + 1) if first.for_ever else None
            wanted = 0 if first.for_ever else batch.bits
            try:
                self._known[key] = KnownSearch(
                    Interpreted(emitted),
                    which,
                    starts_of(emitted.layout, first),
                    wanted,
                    rounds,
                    emitted.layout.stage,
                    self.deciding.meter,
                )
            except BudgetSpentError:
                self._known[key] = None
        return self._known[key]

    def before(self, stage: str) -> frozenset[int]:
        """Return the codes of the stages from which a move may lead to *stage*."""
        return frozenset(
            self.codes[one.name]
            for one, clause in self.program.clauses
            if any(isinstance(s, ir.Go) and s.stage == stage for s in statements(clause.body))
        )


@dataclass(frozen=True)
class PatchedText:
    """The text of *patcher*, with a *patch*."""

    patcher: Patcher
    patch: Patch

    @property
    def emitted(self) -> Emitted:
        """The text itself, with room for the moves of either."""
        emitted = self.patcher.written.emitted
        return replace(emitted, most_moves=emitted.most_moves + self.patch.most_moves)

    @cached_property
    def interpreted(self) -> Interpreted:
        """What runs it."""
        return Interpreted(self.emitted, patched=self.patch.sources)


class DecidingLengths(Deciding):
    """The searches for formulas of an edit: of plays that end it is told only how long they are."""

    def _plays_of(self, batch: FormulaBatch) -> int:
        return batch.told_bits if batch.queries[0].for_ever else 0

    def _trace(self, query: Query, place: WatchPlace, result: Result) -> Trace | None:
        return super()._trace(query, place, result) if query.for_ever else None

    def moves(self, query: Query) -> int:
        """Return how many moves the shortest play to *query* has; 0 if it is not known."""
        found = [
            (self._results.get((place.number, place.which)), place.bit)
            for place in reversed(self._places(query))
        ]
        return next((result.hits.get(bit, 0) for result, bit in found if result is not None), 0)

    def _places(self, query: Query) -> list[WatchPlace]:
        """Return where *query* is looked for, on each of its slices."""
        query = remembered(query)
        return [self.places[query, abstraction] for abstraction in self.abstractions.get(query, ())]


class DecidingEdit(DecidingLengths):
    """The searches for formulas of one *edit* of a *known* Program, which makes *edited* of it."""

    def __init__(
        self, known: KnownProgram, edited: ir.Program, edit: StageEdit, meter: Meter
    ) -> None:
        base = known.deciding
        super().__init__(
            edited, known.scope, (), base.player, meter, base.small, base.tuning, base.watched
        )
        self.known, self.edit = known, edit
        self._sliced = [Abstractions(_together(known.program, edit), known.roomy, Tuning())]
        if edit.priority is not None:
            self._sliced.append(Abstractions(edited, known.roomy, Tuning()))
        self._patches: dict[int, PatchedText | None] = {}
        self._alike: dict[Query, bool] = {}

    def knows(self, query: Query) -> bool:
        """Whether *query* may be looked for on the slices on which it is looked for in the Program
        itself.

        The texts for these watch other formulas as well, so what the edit says has to be seen by
        whatever each of them asks for.
        """
        places = self._places(query)
        return bool(places) and all(
            self._is_alike(one) for place in places for one in self.groups[place.number].queries
        )

    def _is_alike(self, query: Query) -> bool:
        """Whether the slices for *query* are the same."""
        if query not in self._alike:
            own = self.abstractions.get(query)
            self._alike[query] = own is not None and all(
                sliced.for_query(query) == own for sliced in self._sliced
            )
        return self._alike[query]

    def _plays_of(self, _batch: FormulaBatch) -> int:
        return 0

    def _trace(self, _query: Query, _place: WatchPlace, _result: Result) -> Trace | None:
        return None

    def _text(self, number: int, _which: int) -> Emitted:
        """Return the text of group *number* with its patch."""
        if number not in self._texts:
            patched = self._patched(number)
            if patched is None:
                self._texts[number] = write_watched(
                    self._edited(), self.scope, self.groups[number]
                ).emitted
            else:
                text = "\n\n".join({**patched.patcher.base, **patched.patch.sources}.values())
                self._texts[number] = replace(patched.emitted, text=text)
        return self._texts[number]

    def _edited(self) -> ir.Program:
        """Return the edited Program with all stages of the original, be they reached or not."""
        new = {old.id: other for old, other in self.edit.clauses}
        stage = self.edit.priority or self.edit.stage
        stage = replace(
            stage, clauses=tuple(new.get(clause.id, clause) for clause in self.edit.stage.clauses)
        )
        program = self.known.program
        return replace(
            program,
            stages=tuple(stage if one.name == stage.name else one for one in program.stages),
        )

    def _patched(self, number: int) -> PatchedText | None:
        """Return the text of group *number* with what *edit* makes of it; None if it cannot be
        patched so.
        """
        if number not in self._patches:
            patcher = self.known.patcher(number)
            patch = None if patcher is None else patcher.patch(self.edit)
            self._patches[number] = (
                None if patcher is None or patch is None else PatchedText(patcher, patch)
            )
        return self._patches[number]

    def _result(self, place: WatchPlace) -> Result:
        key = place.number, place.which
        if key not in self._results:
            self._results[key] = self._known_result(*key) or super()._result(place)
        return self._results[key]

    def _known_result(self, number: int, which: int) -> Result | None:
        """Return what comes of the search *which* of group *number*, by what is known; None if that
        is too little.
        """
        patched = self._patched(number)
        search = None if patched is None else self.known.search(patched.patcher, number, which)
        if patched is None or search is None:
            return None
        if patched.patch.is_nothing:
            return search.result
        try:
            return search.patched_result(
                patched.interpreted,
                self._changes(patched.patch, self.groups[number].batches[which]),
                self.meter,
            )
        except BudgetSpentError as spent:
            return Result(NOT_EXPLORED, 0, str(spent), "interpreted")

    def _changes(self, patch: Patch, batch: FormulaBatch) -> PatchedPlaces:
        stage = self.edit.stage.name
        asked = {type(part) for query in batch.queries for part in formulas(query.formula)}
        rules = bool(patch.able) and bool(asked & {f.Enabled, f.Gap, f.Conflict, f.ClausePossible})
        rules |= patch.asks_priority and f.HasPriority in asked
        are_steps = batch.are_steps and not patch.asks_priority
        return PatchedPlaces(
            self.known.codes[stage],
            self.known.before(stage),
            patch.moves,
            patch.able,
            rules,
            are_steps,
        )


class EditEngine:
    """The explicit engine for what an edit makes of a *known* Program: *edited*. It tells no plays,
    but how long they are.
    """

    name = "explicit"
    slices = True

    def __init__(self, known: KnownProgram, edited: ir.Program) -> None:
        self.known, self.edited, self.edit = known, edited, edit_of(known.program, edited)
        self.deciding: DecidingEdit | None = None
        self._answered: dict[f.Property, DecidingLengths] = {}

    def decide(
        self, program: ir.Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each property, by what is known of the Program where that is
        enough.
        """
        by_itself: DecidingLengths | None = None
        for question in properties:
            deciding = self._deciding(meter) if program is self.edited else None
            if deciding is None or not all(map(deciding.knows, all_queries(program, question))):
                if by_itself is None:
                    queries = [one for other in properties for one in all_queries(program, other)]
                    by_itself = DecidingLengths(
                        program, scope, queries, self.known.make_player(program, scope), meter
                    )
                self._answered[question] = by_itself
                yield by_itself.with_counts(decide(program, question, by_itself.look_for))
            else:
                self._answered[question] = deciding
                yield decide(program, question, deciding.look_for), NOT_EXPLORED

    def _deciding(self, meter: Meter) -> DecidingEdit | None:
        if self.deciding is None and self.edit is not None:
            self.deciding = DecidingEdit(self.known, self.edited, self.edit, meter)
        return self.deciding

    def moves(self, question: f.Property, decision: Decision) -> int:
        """Return how many moves the play has that shows the *decision* about *question*; 0 if there
        is none, or nobody knows.
        """
        if decision.trace is not None:
            return len(decision.trace.steps)
        deciding = self._answered.get(question)
        if deciding is None or decision.outcome not in (Outcome.VIOLATED, Outcome.POSSIBLE):
            return 0
        if question.mode in (
            "progress",
            "future",
        ):  # what is known is that it goes round; how, is looked for
            own = Explicit(self.known.make_player).decide(
                self.edited, [question], self.known.scope, Meter()
            )
            return max(
                (len(found.trace.steps) for found, _ in own if found.trace is not None), default=0
            )
        if question.mode == "possible" and decision.outcome is Outcome.VIOLATED:
            return 0  # no play shows that something is not possible
        return min(
            (n for one in first_queries(self.edited, question) if (n := deciding.moves(one))),
            default=0,
        )
