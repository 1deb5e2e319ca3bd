"""Deciding what players can enforce: on packed positions, or on the graph of the game.

Both have to come to the same. The graph is made only of small games, or if arrays cannot say what
is asked. For a larger game that is won, a table is looked for in parts of the graph.

Compact deciding: what a coalition can enforce, on packed positions; one game for all choices of
players, solved at once.

The answers are put together as in `on_graph`. What is enforced although going beyond the scope is
lost is enforced with more room, too. What could be enforced only because others can be made to act
for ever is not called enforced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...models import ir
from ...properties import formula as f
from ..explicit.emit.game import GameText, is_compact, write_game
from ..explicit.games.arena import OpenCutError, PackedArena
from ..explicit.games.plays import lifted, play_of
from ..explicit.games.solve import Solving, Won
from ..explicit.moves.layout import WIDE, TooWideError
from ..process.collector import collector_paused
from ..reference.formulas.signals import Signals
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..slicing.slice import Slice, left_out_words
from ..strategies.arena import interpreter_for, kept_for, slicer_for
from ..strategies.forks import with_forced
from ..strategies.objective import Objective
from ..types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.position import MOST_ON_GRAPH, NO_ANSWER, WITHOUT_PLAY, WITHOUT_TABLE, Trace
from ..types.scope import Scope
from ..types.verdict import NOT_EXPLORED, Counts, Outcome
from .on_graph import (
    ALL_BEYOND,
    EXPLORING,
    OWN_CUT,
    decide_on_graph,
    untold,
    with_table,
    within_budget,
    worth_of_won,
)


def decide_compactly(
    program: ir.Program, question: f.Property, scope: Scope, meter: Meter, *, sliced: bool
) -> tuple[Decision, Counts] | None:
    """Return whether some players can enforce what *question* says, without a table; None if arrays
    cannot say it.
    """
    if not is_compact(question):
        return None
    slicer = slicer_for(program, scope, question) if sliced else None
    kept = None if slicer is None else kept_for(slicer, question)
    searches: list[PackedArena] = []
    meter.begin("exploring", EXPLORING)
    try:
        with collector_paused():
            if (whole := _game_text(program, scope, question, kept, meter, searches)) is None:
                return None
            meter.begin(f"playing {question.name}")
            decision = _Deciding(program, scope, question, searches[-1], whole, meter).decision()
    except BudgetSpentError as spent:
        decision = Decision(Outcome.UNKNOWN, question, reason=str(spent))
    except KeyboardInterrupt:
        meter.interrupted = True
        decision = Decision(Outcome.UNKNOWN, question, reason=INTERRUPTED)
    counts = searches[-1].counts if searches else NOT_EXPLORED
    return replace(decision, sliced=() if kept is None else left_out_words(program, kept)), counts


def _game_text(
    program: ir.Program,
    scope: Scope,
    question: f.Property,
    kept: Slice | None,
    meter: Meter,
    searches: list[PackedArena],
) -> GameText | None:
    """Return the text that tells plays, once the last of *searches*, which are added, has found the
    game; None if no words have room.
    """
    try:
        whole = write_game(program, scope, question, None, word=WIDE)
    except TooWideError:
        return None
    for roomy in (False, True):
        try:
            searches.append(
                PackedArena(
                    write_game(program, scope, question, kept, roomy=roomy), question, meter
                )
            )
            searches[-1].find_all()
        except OpenCutError:
            continue
        except TooWideError:
            return None
        return whole
    return None


def start_of(program: ir.Program, question: f.Property, scope: Scope) -> Signals:
    """Return what is true of the position in which plays begin, by the reference."""
    return Signals(
        with_forced(
            explore(
                interpreter_for(program, scope, question, sliced=False), Meter(Budget(positions=1))
            )
        )
    )


@dataclass
class _Deciding:
    """The game that *arena* has, whose plays *whole* tells."""

    program: ir.Program
    scope: Scope
    question: f.Property
    arena: PackedArena
    whole: GameText
    meter: Meter

    def __post_init__(self) -> None:
        self.solving = Solving(self.arena, self._look_at_meter)

    def decision(self) -> Decision:
        """Return what the answers come to."""
        question, start = self.question, start_of(self.program, self.question, self.scope)
        entries = sorted(self.arena.entries.items(), key=lambda entry: -len(set(entry[0])))
        entries = [
            (seats, entry)
            for seats, entry in entries
            if not Objective(start, question, seats).is_out_of_reach
        ]
        won: dict[Outcome, tuple[Decision, tuple[int, ...], int]] = {}
        inside = [(seats, entry) for seats, entry in entries if not self.solving.is_beyond(entry)]
        for seats, entry in inside:
            if self.at_most.wins.numbers[entry]:
                decision = self._won(entry)
                won.setdefault(decision.outcome, (decision, seats, entry))
                if decision.outcome == Outcome.POSSIBLE and not decision.reason:
                    won[Outcome.POSSIBLE] = decision, seats, entry
                    break
        if len(inside) < len(entries) and won.keys() <= {Outcome.VACUOUS}:
            return Decision(Outcome.UNKNOWN, question, reason=ALL_BEYOND)
        if Outcome.POSSIBLE in won:
            decision, seats, entry = won[Outcome.POSSIBLE]
            return self._with_play(
                decision, self.at_most if decision.reason else self.surely, seats, entry
            )
        for outcome in (Outcome.UNKNOWN, Outcome.VACUOUS):
            if outcome in won:
                return won[outcome][0]
        is_open = any(self.solving.hoped().wins.numbers[entry] for _, entry in inside)
        decision = Decision(Outcome.IMPOSSIBLE, question, reason=OWN_CUT if is_open else "")
        return self._with_play(decision, self.at_most, *inside[0]) if inside else decision

    def _won(self, entry: int) -> Decision:
        """Return what it comes to that the coalition wins from *entry* at most, without the
        play.
        """
        is_sure = bool(self.surely.wins.numbers[entry])

        def is_empty() -> bool:
            won = self.solving.won(beyond=not is_sure, empty=True)
            return bool(won.wins.numbers[entry])

        return worth_of_won(self.program, self.question, is_empty, is_sure=is_sure)

    @property
    def at_most(self) -> Won:
        """Who wins if to go beyond the scope is won."""
        return self.solving.won(beyond=True)

    @property
    def surely(self) -> Won:
        """Who wins if to go beyond the scope is lost."""
        return self.solving.won(beyond=False)

    def _with_play(
        self, decision: Decision, won: Won, seats: tuple[int, ...], entry: int
    ) -> Decision:
        """Return *decision* with a play from *entry*, if there is time for it: it has no say in the
        verdict.
        """
        return within_budget(
            decision,
            self.meter,
            WITHOUT_PLAY,
            lambda: replace(decision, trace=self._play(won, seats, entry)),
        )

    def _play(self, won: Won, seats: tuple[int, ...], entry: int) -> Trace:
        """Return a play of the whole game from *entry* that the winner there wins."""
        play = play_of(self.arena, won, entry, self._look_at_meter)
        trace = lifted(
            self.whole, self.arena.text.emitted.layout, play, Interpreter(self.program, self.scope)
        )
        names = (spotlight.name for spotlight in self.question.spotlights)
        return replace(trace, spotlights=tuple(zip(names, seats, strict=True)))

    def _look_at_meter(self) -> None:
        counts = self.arena.counts
        self.meter.check(counts.layers, counts.positions, counts.moves)


def decide_enforced(
    program: ir.Program,
    question: f.Property,
    scope: Scope,
    meter: Meter,
    *,
    sliced: bool,
    packed: bool = True,
) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, which has the mode ``enforce``,
    within *scope*.

    If *sliced*, positions are not told apart by what does not matter; unless *packed*, the
    reference decides alone. The answer is the same.
    """
    found = decide_compactly(program, question, scope, meter, sliced=sliced) if packed else None
    if found is None:
        decision, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
        return decision, graph.counts
    decision, counts = found
    if decision.outcome not in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE):
        return found
    is_large = counts.positions > MOST_ON_GRAPH
    if is_large and decision.outcome is Outcome.IMPOSSIBLE:
        return replace(decision, notes=(*decision.notes, NO_ANSWER)), counts
    if over := meter.why_over:
        return untold(decision, WITHOUT_TABLE, over), counts
    if is_large:
        interpreter = interpreter_for(program, scope, question, sliced=sliced)
        with collector_paused():
            return with_table(decision, interpreter, _seats(decision), meter), counts
    other, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
    if (other.outcome, other.reason) == (decision.outcome, decision.reason):
        return _with_play_of(decision, other), counts if graph.stopped else graph.counts
    if graph.stopped or other.outcome is Outcome.UNKNOWN:  # it had no time left, and says less
        return untold(decision, WITHOUT_TABLE, graph.stopped or other.reason), counts
    two = f"{other.outcome} on the graph, {decision.outcome} on arrays"
    reason = (
        f"two ways of deciding it disagree ({two}); this is a fault of Stacklaw: please report it"
    )
    return replace(decision, outcome=Outcome.UNKNOWN, trace=None, table=None, reason=reason), counts


def _seats(decision: Decision) -> tuple[int, ...]:
    """Return where the players sit who can enforce what the question of *decision* says, in the
    order in which it names them.
    """
    assert decision.trace is not None  # else there is no time left
    at = dict(decision.trace.spotlights)
    return tuple(
        seat
        for spotlight in decision.question.spotlights
        if isinstance(seat := at[spotlight.name], int)
    )


def _with_play_of(decision: Decision, other: Decision) -> Decision:
    """Return *other*, with the play of *decision* if it has none."""
    if other.trace is not None or decision.trace is None:
        return other
    return replace(
        other,
        trace=decision.trace,
        notes=tuple(note for note in other.notes if WITHOUT_PLAY not in note),
    )
