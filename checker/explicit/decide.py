"""Deciding formulas: is each true at some moment of some play? The shortest such play, if any.

In come a Program, a scope and all formulas that may be asked for, in groups (`groups`). A group's
text is emitted when the first of its formulas is asked for, and a search is made once, whichever of
its formulas is asked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from itertools import product
from typing import NamedTuple

from ...models import ir
from ...models.frozen import frozen
from ..questions.questions import Query, SearchResult, may_hide
from ..slicing.needs import Slicer
from ..slicing.slice import left_out_words
from ..slicing.symmetry import is_symmetric, is_symmetric_formula
from ..types.budget import INTERRUPTED, Meter, Tuning, reached_words
from ..types.engine import Decision
from ..types.position import Trace
from ..types.scope import Scope
from ..types.verdict import NOT_EXPLORED, Counts, Outcome
from .emit.emit import Emitted, Texts, emit, emit_watched, layout_of
from .emit.groups import (
    Abstraction,
    FormulaBatch,
    Group,
    asks_of_conflicts,
    asks_who_chooses,
    can_be_rough,
    groups_of,
    is_step,
    one_by_one,
    spotlight_numbers,
)
from .estimate import Estimate, HopelessError, SearchPlan, estimated, rounded
from .moves.layout import Layout, TooWideError, Words
from .search.lasso import PackedLasso, remembered, rounds_of
from .search.lift import Lifting, Player, lift, lift_lasso
from .search.result import Result, SearchGoal
from .search.search import SMALL, search
from .search.tier import OnPause, nobody_looks


class Abstractions:
    """Says on which abstractions formulas about one Program within *scope* are looked for, as far
    as *tuning* allows.
    """

    def __init__(self, program: ir.Program, scope: Scope, tuning: Tuning) -> None:
        self.program, self.scope = program, scope
        self.slicer = Slicer(program, scope) if tuning.slicing else None
        self.is_symmetric = tuning.symmetry and is_symmetric(program)

    def for_query(self, query: Query) -> tuple[Abstraction, ...]:
        """Return the abstractions to look for *query* on, one after the other while it is found;
        what the last one finds is so.

        What is part of a formula that the same search can watch is looked for together with that.
        """
        whole, players = query.within, self.scope.players
        if (
            whole is not None
            and is_step(whole, players)
            and is_step(query, players)
            and len(same := self.for_query(whole)) == 1
        ):
            return same
        turned = self.is_symmetric and is_symmetric_formula(
            self.program, query.formula, query.spotlights
        )
        exactly = Abstraction(None, turned)
        may_be_rough = query.temporal is None and can_be_rough(query.formula)
        if (
            self.slicer is None
            or asks_who_chooses(query.formula)
            or (asks_of_conflicts(query.formula) and not may_be_rough)
        ):
            return (exactly,)
        kept = self.slicer.slice_for([query.formula], query.spotlights)
        if asks_of_conflicts(query.formula):
            return Abstraction(kept, turned, roughly=True), Abstraction(None, turned, again=True)
        return (Abstraction(kept, turned),)


class WatchPlace(NamedTuple):
    """Where a formula is watched: bit *bit* in the search *which* of group *number*."""

    number: int
    which: int
    bit: int


@frozen
class FormulaAnswer:
    """Whether a formula is *found* true, a shortest play to that moment if it is told, and the
    *result* of the search for it.
    """

    found: bool
    trace: Trace | None
    result: Result


EXPLORING = 0.5
"""The share of a budget that the exploration may spend; the rest is for the properties."""
_NOT_BEGUN = Result(NOT_EXPLORED, 0, INTERRUPTED, "interpreted")


@frozen
class WatchPlaces:
    """Where formulas are looked for: the *abstractions* of each, the *groups* that share a text,
    and the *places* in these.
    """

    abstractions: Mapping[Query, Sequence[Abstraction]]
    groups: Sequence[Group]
    places: Mapping[tuple[Query, Abstraction], WatchPlace]


def watch_places(
    program: ir.Program, scope: Scope, queries: Iterable[Query], tuning: Tuning
) -> WatchPlaces:
    """Return where *queries* about *program* within *scope* are looked for."""
    sliced = Abstractions(program, scope, tuning)
    abstractions = {one: sliced.for_query(one) for one in map(remembered, queries)}
    groups = groups_of(
        [(one, abstraction) for one, its in abstractions.items() for abstraction in its],
        scope.players,
    )
    places = {
        (one, group.abstraction): WatchPlace(number, which, bit)
        for number, group in enumerate(groups)
        for which, batch in enumerate(group.batches)
        for bit, one in enumerate(batch.queries)
        if not batch.stays
    }
    return WatchPlaces(abstractions, groups, places)


class Deciding:
    """The searches for the formulas of *queries*, each made when one of its formulas is looked for.

    Positions up to *small*, of all searches of one text together, are found in plain Python before
    that is compiled. Somebody may know already where the formulas are *watched*.
    """

    def __init__(
        self,
        program: ir.Program,
        scope: Scope,
        queries: Iterable[Query],
        player: Player,
        meter: Meter,
        small: int = SMALL,
        tuning: Tuning | None = None,
        watched: WatchPlaces | None = None,
    ) -> None:
        self.program = program
        self.scope = scope
        self.player = player
        self.meter = meter
        self.small = small
        self.tuning = tuning or Tuning()
        self.watched = watched or watch_places(program, scope, queries, self.tuning)
        self.abstractions, self.groups = self.watched.abstractions, self.watched.groups
        self.places = self.watched.places
        self._telling: dict[int, tuple[Group, Emitted]] = {}
        self._texts: dict[int, Emitted] = {}
        self._results: dict[tuple[int, int], Result] = {}
        self._used: dict[tuple[int, int], None] = {}
        self._hopeless: dict[tuple[int, int], str] = {}
        self._refused = self._is_open = False
        self._exploring: tuple[int, int] | None = None

    @cached_property
    def _kept(self) -> Texts:
        return Texts(self.program, self.scope)

    def look_for(self, query: Query) -> SearchResult:
        """Return whether *query* is true at some moment of some play, or stays true if it has
        to.
        """
        try:
            answer = self.answer(query)
        except (TooWideError, HopelessError) as error:
            self._refused, self._is_open = isinstance(error, HopelessError), True
            return SearchResult(False, 0, str(error))
        if answer.found:
            at_once = answer.trace is not None and answer.trace.loop == 0
            return SearchResult(
                True,
                trace=answer.trace,
                is_shortest=at_once or not (query.for_ever and answer.result.stopped),
            )
        if not query.for_ever:
            return SearchResult(False, answer.result.complete_layers, answer.result.stopped)
        hides = answer.result.counts.cut > 0 and may_hide(self.program, query)
        return SearchResult(False, 0, answer.result.stopped, hides=hides)

    def answer(self, query: Query) -> FormulaAnswer:
        """Return the play to *query* if it is to be told, and the result of the search; raise
        `TooWideError` or `HopelessError`.
        """
        query = remembered(query)
        for abstraction in self.abstractions[query]:
            place = self.places[query, abstraction]
            if place[:2] not in self._results and (why := self.meter.why_over):
                self._is_open = True
                return FormulaAnswer(False, None, replace(_NOT_BEGUN, stopped=why))
            result = self._result(place[:2])
            if result.lasso is None if query.for_ever else place.bit not in result.hits:
                return FormulaAnswer(False, None, result)
            if not abstraction.roughly:
                break
        return FormulaAnswer(True, self._trace(query, place, result), result)

    def explored(self) -> Result | None:
        """Return how much there is, by a search that tells all positions apart; None if it was
        refused.

        A search for formulas that sees just that is made once, for both, and to its end.
        """
        wholly = (
            at
            for at, group in enumerate(self.groups)
            if group.abstraction == Abstraction() and group.batches[0].are_steps
        )
        number = next(wholly, None)
        if number is None:
            self.meter.begin("exploring", EXPLORING)
            whole = Layout(self.program, self.scope)
            return self._search(
                emit(whole), partial(estimated, self.program, self.scope), self.small
            )
        self._exploring = number, 0
        self.meter.begin("exploring", one_of=sum(len(group.batches) for group in self.groups))
        with suppress(HopelessError):
            result = self._result(self._exploring)
            self._used.clear()
            return result
        return None

    def search_first(self) -> None:
        """Make all searches at once, each with its part of the time left and those of small
        positions first.

        So a large search does not take the time of all others; what a small one leaves over the
        others have besides.
        """
        keys: dict[tuple[int, int], int] = {}
        for query, abstractions in self.abstractions.items():
            place = self.places[query, abstractions[0]]
            with suppress(TooWideError, HopelessError):
                keys[place[:2]] = layout_of(
                    self.program, self.scope, self.groups[place.number]
                ).bits
        left = len(keys)
        for key in sorted(keys, key=lambda key: keys[key]):
            self.meter.begin(f"search {len(keys) - left + 1} of {len(keys)}", one_of=left)
            if not self.meter.why_over:
                with suppress(TooWideError, HopelessError):
                    self._result(key)
            left -= 1
        self._used.clear()

    def with_counts(self, decision: Decision) -> tuple[Decision, Counts]:
        """Return *decision* with what there is to say of the searches asked since this was last
        called, and their counts together.
        """
        results = [self._results[key] for key in self._used]
        texts = [self._texts[number] for number, _ in self._used]
        self._used.clear()
        refused, self._refused = self._refused and decision.outcome is Outcome.UNKNOWN, False
        counts = [result.counts for result in results]
        layers = max((one.layers for one in counts), default=0)
        left_out = [left_out_words(self.program, text.layout.slice) for text in texts]
        sliced = tuple(
            words
            for words in (left_out[0] if left_out else ())
            if all(words in other for other in left_out)
        )
        notes = tuple(dict.fromkeys(result.note for result in results if result.note))
        most, stopped = self.meter.budget.positions, {result.stopped for result in results} - {""}
        final = not self._is_open and not stopped
        are_alike = most is not None and stopped == {reached_words(most)}
        again = final or (are_alike and not self._is_open)
        self._is_open = False
        turned = any(text.is_turned for text in texts)
        decision = replace(
            decision, notes=notes, sliced=sliced, symmetric=turned, refused=refused,
            is_final=final, is_repeatable=again,
        )  # fmt: skip
        return decision, Counts(
            sum(one.positions for one in counts),
            sum(one.moves for one in counts),
            layers,
            sum(one.cut for one in counts),
        )

    # ------------------------------------------------------------------ searches

    def _result(self, key: tuple[int, int]) -> Result:
        """Return the result of a search, by its group and its number in that; it is made now if it
        has not been.
        """
        if key not in self._results:
            text = self._text(*key)
            if text.layout.words > 1:
                self._refuse_if_hopeless(*key)
            self._results[key] = self._search_group(text, *key)
        self._used[key] = None
        return self._results[key]

    def _text(self, number: int, which: int) -> Emitted:
        """Return the text of group *number*, emitted now if it has not been."""
        if number not in self._texts:
            try:
                self._texts[number] = self._kept.emitted(self.groups[number])
            except TooWideError:
                self._refuse_if_hopeless(number, which)
                raise
        return self._texts[number]

    def _refuse_if_hopeless(self, number: int, which: int) -> None:
        """Raise `HopelessError` if no machine could finish this search, unless it ends anyway, at
        a time or at a number of positions.

        What fits into one word is never as much; so small searches are not kept waiting for an
        estimate.
        """
        budget = self.meter.budget
        if budget.seconds is not None or budget.positions is not None:
            return
        if (number, which) in self._hopeless:
            raise HopelessError(self._hopeless[number, which])
        estimate = self._estimate(number, which)
        if estimate is not None and estimate.is_hopeless:
            self._hopeless[number, which] = str(estimate)
            raise HopelessError(str(estimate))

    def _estimate(self, number: int, which: int, look: OnPause = nobody_looks) -> Estimate | None:
        """Return how many positions a search is likely to find; *look* is called often, and may
        raise what ends it.
        """
        group = self.groups[number]
        plan = SearchPlan(
            text_for=lambda smaller: emit_watched(self.program, smaller, group),
            starts_for=lambda layout: starts_of(layout, group.batches[which].queries[0]),
            turned=group.abstraction.turned,
            which=which,
        )
        return estimated(self.program, self.scope, plan, look=look)

    def _plays_of(self, batch: FormulaBatch) -> int:
        """Return the bits of those formulas of *batch* whose plays are told."""
        return batch.told_bits

    def _search_group(self, text: Emitted, number: int, which: int) -> Result:
        batch = self.groups[number].batches[which]
        before = sum(
            result.counts.positions for (of, _), result in self._results.items() if of == number
        )
        first = batch.queries[0]
        told = self._plays_of(batch)
        watch = SearchGoal(which, 0 if self._exploring == (number, which) else batch.bits, told)
        if first.for_ever:
            watch = SearchGoal(which, 0, told, rounds_of(text.layout, first, which + 1))
        return self._search(
            text,
            partial(self._estimate, number, which),
            max(self.small - before, 0),
            starts_of(text.layout, first),
            watch,
        )

    def _search(
        self,
        text: Emitted,
        estimate: Callable[..., Estimate | None],
        small: int,
        starts: Sequence[Words] = (),
        watch: SearchGoal | None = None,
    ) -> Result:
        """Search *text*; what is large goes on on a cluster, if there is one."""

        def foresee(look: OnPause) -> int:
            return rounded(estimate(look=look))

        elsewhere, cluster = None, self.tuning.cluster
        if cluster is not None:
            on_ray = import_module(".cluster.distributed", __package__)
            elsewhere = on_ray.elsewhere(cluster, foresee)
        return search(
            text, self.meter, small, starts=starts, watch=watch, tuning=self.tuning,
            foresee=foresee, elsewhere=elsewhere
        )  # fmt: skip

    # ------------------------------------------------------------------ plays

    def _trace(self, query: Query, place: WatchPlace, result: Result) -> Trace | None:
        """Return the play to *query*, or the one that keeps it true, if it is to be told."""
        play = result.lasso if query.for_ever else result.plays.get(place.bit)
        return (
            None
            if play is None or not query.told
            else self._tell(query, self._texts[place.number], play)
        )

    def _tell(self, query: Query, text: Emitted, play: Sequence[Words] | PackedLasso) -> Trace:
        """Return the play through the positions *play* of *text* to *query*, or the one that keeps
        it true.
        """
        key = len(spotlight_numbers(query, "item"))
        if key not in self._telling:
            told = [one for one in self.abstractions if one.told]
            group = one_by_one([one for one in told if len(spotlight_numbers(one, "item")) == key])
            self._telling[key] = group, self._kept.emitted(group, telling=True)
        group, telling = self._telling[key]
        which = [batch.queries[0] for batch in group.batches].index(query)
        lifting = Lifting(
            telling,
            which,
            starts_of(telling.layout, query),
            text.layout,
            text.is_turned,
            query.spotlights,
        )
        if isinstance(play, PackedLasso):
            return lift_lasso(lifting, play.way, play.loop, self.player)
        return lift(lifting, play, self.player)


def starts_of(layout: Layout, query: Query, players: int | None = None) -> list[Words]:
    """Return the variables at first, with every choice of players where these have fields; as
    `Layout.initial` with *players* players.
    """
    words = []
    seats = [
        field
        for number in spotlight_numbers(query, "player").values()
        if (field := layout.extra.get(f"seat of {number}")) is not None
    ]
    for chosen in product(range(players or layout.players), repeat=len(seats)):
        one = list(layout.initial(players))
        for field, seat in zip(seats, chosen, strict=True):
            field.write(one, seat)
        words.append(tuple(one))
    return words
