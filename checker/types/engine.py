"""What an engine is: the protocol behind which the engines stand, and which rules they take.

An engine gets a Program, a scope and properties, and finds for each what is known of it, with a
play where there is one to show. It never prints, never replays and never raises for want of time or
memory: `run` asks it and holds its traces against the meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.shipped import target_of
from ...models.words import join_words
from ...properties.formula import Property
from .budget import Meter
from .position import GuardedGame, StrategyTable, Trace
from .scope import Scope
from .verdict import Counts, Outcome


def need_finished(program: Program) -> None:
    """Raise `InputError` (C115) if clauses of *program* are still to be written."""
    if program.unfinished:
        ids = join_words(program.unfinished)
        message = (
            f"{program.name} is not finished: {ids} "
            f"{'is' if len(program.unfinished) == 1 else 'are'} `todo`"
        )
        hint = (
            f"`stacklaw check {target_of(program.name, program.source)}` says what can be said "
            "without what is missing"
        )
        raise wrong_input("C115", message, hint=hint)


@frozen
class Decision:
    """An outcome with its evidence; *question* is what *trace* answers: the property, of one clause
    if it asks of each.

    *reason*, *bound*, *notes*, *sliced*, *symmetric* and *is_shortest* are those of `Verdict`.
    *refused* says that the search was not even begun, for no machine could finish it; then *reason*
    has the estimate. *is_hidden* says that nothing breaks what must happen some day, but for plays
    that go on for ever beyond every scope: those a search cannot see. *dead* and *table* are those
    of `Verdict`. *guarded* is the game in which the table binds, None if it cannot be asked so.
    *unshown* says of which clauses, and which condition of theirs, no play within the scope shows
    anything (-1: what is asked of the clause itself), where the outcome rests on that. *is_final*
    says that no budget had a say in it: every search that it rests on came to its end.
    *is_repeatable* says that at most a bound of positions had: with the same it is found again.
    """

    outcome: Outcome
    question: Property
    trace: Trace | None = None
    reason: str = ""
    bound: int | None = None
    notes: tuple[str, ...] = ()
    sliced: tuple[str, ...] = ()
    symmetric: bool = False
    refused: bool = False
    is_shortest: bool = True
    is_hidden: bool = False
    dead: tuple[str, ...] = ()
    unshown: tuple[tuple[str, int], ...] = ()
    is_final: bool = False
    is_repeatable: bool = False
    table: StrategyTable | None = None
    guarded: GuardedGame | None = None


class Engine(Protocol):
    """A way to decide properties; *name* stands in its verdicts."""

    @property
    def name(self) -> str:
        """What the engine is called."""

    @property
    def slices(self) -> bool:
        """Whether it may leave out of positions what a question cannot see."""

    def decide(
        self, program: Program, properties: Sequence[Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        """Yield, for each of *properties* in their order, what is known of it and how much was
        explored for that.
        """
