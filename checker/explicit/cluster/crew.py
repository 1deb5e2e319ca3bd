"""Crews: the workers of a search and what they are asked, wherever they are; a search asks nothing
else of a cluster.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from .shard import ShardCounts

Ticket = Any
"""What stands for something that a worker was asked; what it is only the crew knows."""
Row = Any
"""What stands for a row of positions; what it is only the crew knows."""


class WorkerLostError(Exception):
    """Worker *number* is not there any more."""

    def __init__(self, number: int) -> None:
        super().__init__(f"worker {number} was lost")
        self.number = number


class Crew(Protocol):
    """How many *parts* workers, each with a `Shard`, and what they are asked."""

    parts: int

    def ask(self, number: int, method: str, *arguments: object) -> Ticket:
        """Have a worker call a *method* of its shard."""

    def take_step(
        self,
        number: int,
        earlier: Sequence[Row],
        rows: Sequence[Row],
        *,
        advances: bool,
        expands: bool,
    ) -> Ticket:
        """Have a worker make a step (`Shard.take_step`)."""

    def ready(self, tickets: Collection[Ticket], seconds: float) -> list[Ticket]:
        """Return those of *tickets* that have an answer, waiting *seconds* seconds for the
        first.
        """

    def answer(self, ticket: Ticket) -> Any:
        """Return the answer, or raise what the shard has raised; raise `WorkerLostError` if nobody
        will answer.
        """

    def stepped(self, ticket: Ticket) -> tuple[ShardCounts, list[tuple[Row, int]]]:
        """Return how far a step got, and for each part a row with the number of its bytes; raise as
        `answer` does.
        """

    def replace(self, number: int) -> None:
        """Begin another worker in the place of one that was lost."""

    def dismiss(self) -> None:
        """Let the workers go."""
