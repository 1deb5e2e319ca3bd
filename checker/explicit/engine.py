"""The explicit engine: one search for the counts, and one for each formula, each of them in packed
words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...models.ir import Program
from ...properties import formula as f
from ..questions.questions import all_queries, decide
from ..types.budget import Meter, Tuning
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.verdict import NOT_EXPLORED, Counts, Outcome
from .decide import Deciding
from .moves.layout import TooWideError
from .search.interpreted import keep_code
from .search.lift import Player
from .search.result import Result
from .search.search import SMALL


class Explicit:
    """The engine for large searches.

    It finds the positions of a play, and asks what *player* makes for the moves between them: the
    reference interpreter (``Explicit(Interpreter)``). A search of more than *small* positions goes
    on in compiled code.
    """

    name = "explicit"

    def __init__(
        self,
        player: Callable[[Program, Scope], Player],
        small: int = SMALL,
        tuning: Tuning | None = None,
    ) -> None:
        self.player, self.small, self.tuning = player, small, tuning or Tuning()

    @property
    def slices(self) -> bool:
        """Whether it may leave out of positions what a question cannot see."""
        return self.tuning.slicing

    def decide(
        self, program: Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each property; after an interruption what has not been searched
        for is unknown.
        """
        queries = [one for question in properties for one in all_queries(program, question)]
        deciding = Deciding(
            program, scope, queries, self.player(program, scope), meter, self.small, self.tuning
        )
        explored = None
        if not self.tuning.slicing:
            try:
                explored = deciding.explored()
            except TooWideError as error:
                for question in properties:
                    yield Decision(Outcome.UNKNOWN, question, reason=str(error)), NOT_EXPLORED
                return
        if meter.budget.seconds is not None:
            deciding.search_first()
        for number, question in enumerate(properties, 1):
            meter.begin(f"deciding {number} of {len(properties)} ({question.name})")
            decision = decide(program, question, deciding.look_for)
            decided = deciding.with_counts(decision)
            yield decided if explored is None else _with_all(*decided, explored)
        keep_code()


def _with_all(decision: Decision, counts: Counts, explored: Result) -> tuple[Decision, Counts]:
    """Return *decision* with all that was *explored*; if that did not come to its end, or a search
    for the question did not, with the *counts* of its own searches.
    """
    notes = tuple(dict.fromkeys((*decision.notes, *([explored.note] if explored.note else []))))
    if not explored.stopped:
        return replace(decision, notes=notes), explored.counts if decision.is_final else counts
    note = (
        "the figures are those of the searches for each question, since not all positions could "
        f"be looked at: {explored.stopped}"
    )
    notes = (*notes, note)
    return replace(decision, notes=notes, is_final=False, is_repeatable=False), counts
