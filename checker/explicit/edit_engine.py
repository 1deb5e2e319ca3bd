"""Edit engine: deciding formulas of many edits of one Program, whose text is patched.

If the formulas of an edit may be looked for on the slices of the Program itself, the edit shares
its texts but for a few functions, and most of its searches (`search.incremental`). Any other edit,
and any search too large to be remembered, is done by itself.

Patches: a text in which some clauses of its Program are replaced, each of their functions in the
place of the old one.

In comes what was written for a Program, and clauses that replace some of its own; out go the
functions that are new. All others stay, so what is known of them is known of the patched text too.
The slice has to be one of the new clauses as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import most_joining
from ...models.ir.parts import statements
from ...properties import formula as f
from ...properties.formula import formulas
from ..questions.questions import Query, all_queries, decide, first_queries
from ..slicing.slice import undropped
from ..types.budget import Budget, BudgetSpentError, Meter, Tuning
from ..types.engine import Decision
from ..types.position import Trace
from ..types.scope import Scope
from ..types.verdict import NOT_EXPLORED, Counts, Outcome
from .decide import Abstractions, Deciding, WatchPlace, starts_of
from .emit.emit import Emitted, WatchedText, write_watched
from .emit.enabled import is_open
from .emit.groups import FormulaBatch, Group, asks_of_conflicts
from .emit.monitor import most_ways
from .engine import Explicit
from .moves.dispatch import most_of_clause
from .moves.layout import TooWideError
from .search.incremental import KnownSearch, PatchedPlaces
from .search.interpreted import Interpreted
from .search.lasso import remembered, rounds_of
from .search.lift import Player
from .search.result import Result


@frozen
class StageEdit:
    """Clauses of a *stage* with what each becomes, and whether another player has *priority* in
    it.
    """

    stage: ir.Stage
    clauses: Sequence[tuple[ir.Clause, ir.Clause]]
    priority: ir.Stage | None


@frozen
class Patch:
    """The *sources* of functions that are new or stand in the place of others, by their names.

    *moves* are those in it that find the moves of changed clauses, *able* those that say what is
    possible; *asks_priority* says that who has priority is another. A position has at most
    *most_moves* more than in the text. If *is_nothing*, the text is what it was.
    """

    sources: Mapping[str, str]
    moves: tuple[str, ...]
    able: tuple[str, ...]
    asks_priority: bool
    most_moves: int

    @property
    def is_nothing(self) -> bool:
        """Whether nothing in the text is another."""
        return not (self.moves or self.able or self.asks_priority)


class Patcher:
    """Writes patches for one text of a *group*."""

    def __init__(self, written: WatchedText, group: Group) -> None:
        self.written, self.group = written, group
        self.base = {function.name: str(function) for function in written.module.functions}
        self.helpers: dict[str, str] = {}
        layout = written.emitted.layout
        self._sizes = dict(layout.scope.sizes)
        self._joining = most_joining(
            (clause.body for _, clause in layout.program.clauses), self._sizes
        )
        self._joining |= Counter(dict(layout.scope.joining))

    def patch(self, edit: StageEdit) -> Patch | None:
        """Return the patch for *edit*; None if this text cannot be patched so."""
        layout = self.written.emitted.layout
        changed = [
            (old, new) for old, new in edit.clauses if layout.left_of(old) != layout.left_of(new)
        ]
        if not all(self._can_replace(old, new) for old, new in changed):
            return None
        sources: dict[str, str] = {}
        moves = tuple(self.written.names[old.id] for old, _ in changed)
        for name, (_, new) in zip(moves, changed, strict=True):
            self._take_functions(self.written.moves.clause(edit.stage, new), name, sources)
        asked = [(old, new) for old, new in changed if old.id in self.written.enabled.names]
        able = tuple(
            name for old, new in asked if (name := self._able(edit.stage, old, new, sources))
        )
        asks_priority = edit.priority is not None and "priority" in self.base
        if asks_priority:
            stages = [
                edit.priority if stage.name == edit.stage.name else stage
                for stage in layout.program.stages
            ]
            sources["priority"] = str(
                self.written.enabled.priority_of([stage for stage in stages if stage is not None])
            )
        return Patch(
            {**self.helpers, **sources},
            moves,
            able,
            asks_priority,
            self._most_moves(edit.stage, [new for _, new in changed]),
        )

    def _most_moves(self, stage: ir.Stage, clauses: Sequence[ir.Clause]) -> int:
        layout, sights = self.written.emitted.layout, 1 + len(self.group.items)
        return sum(most_of_clause(layout, stage, clause, sights) for clause in clauses) * most_ways(
            self.group.owed
        )

    def _can_replace(self, old: ir.Clause, new: ir.Clause) -> bool:
        """Whether *new* can stand in the place of *old*: the text has as much room for its moves,
        and looks as far.
        """
        layout = self.written.emitted.layout
        if most_joining([new.body], self._sizes) - self._joining:
            return False
        if is_open(layout.left_of(new), layout) and not self._fits_beyond(new):
            return False
        if any(asks_of_conflicts(query.formula) for query in self.group.queries):
            return self.group.abstraction.roughly and old.mode == new.mode
        return True

    def _fits_beyond(self, new: ir.Clause) -> bool:
        """Whether the text can look as far as the moves of *new* go that the scope cuts, which has
        to be looked at.
        """
        emitted, layout = self.written.emitted, self.written.emitted.layout
        left = [
            layout.left_of(clause).body
            for _, clause in layout.program.clauses
            if is_open(layout.left_of(clause), layout)
        ]
        room = most_joining(left, self._sizes) | Counter(dict(layout.scope.joining))
        return not most_joining([new.body], self._sizes) - room and (
            emitted.asks_ends or not emitted.goes_round
        )

    def _able(
        self, stage: ir.Stage, old: ir.Clause, new: ir.Clause, sources: dict[str, str]
    ) -> str:
        """Add the functions that say what *new* makes possible; return the name of the first, empty
        if they say what they said.
        """
        layout, name = self.written.emitted.layout, self.written.enabled.names[old.id]
        written = self.written.enabled.clause(
            stage, new, to_its_end=is_open(layout.left_of(new), layout)
        )
        mine: dict[str, str] = {}
        self._take_functions(written, name, mine)
        if mine == {name: self.base[name]}:
            return ""
        sources |= mine
        return name

    def _take_functions(self, written: str, name: str, sources: dict[str, str]) -> None:
        """Take the functions that were just written; the one called *written* is to be called
        *name*.
        """
        for function in self.written.module.taken_back(len(self.base)):
            if function.name == written:
                function.name = name
            # What looks for an element is written once for all that ask the same, so it stays for
            # later patches.
            kept = self.helpers if function.name.startswith("exists") else sources
            kept[function.name] = undropped(str(function))


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


@frozen
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
            (self._results.get(place[:2]), place.bit) for place in reversed(self._places(query))
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

        The texts for these watch other formulas as well, so each of these has to need the same
        slices of the edit.
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

    def _result(self, key: tuple[int, int]) -> Result:
        if key not in self._results:
            self._results[key] = self._known_result(*key) or super()._result(key)
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
        is none, or if its length is unknown.
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
