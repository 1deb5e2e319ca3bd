"""Crews on Ray: each worker is an actor with a `Shard`, and rows go from one to another through
Ray's object stores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ...process.ray_start import ray_at, why_gone
from ...types.budget import BudgetSpentError, Cluster
from .shard import Shard, ShardCounts

_FEW = 4
"""Of how many tickets it costs less to ask for one answer after the other than for all that there
are.
"""


Ticket = Any
"""What stands for something that a worker was asked."""
Row = Any
"""What stands for a row of positions."""


class WorkerLostError(Exception):
    """Worker *number* is not there any more."""

    def __init__(self, number: int) -> None:
        super().__init__(f"worker {number} was lost")
        self.number = number


class RayCrew:
    """The workers of *cluster*, each with one `Shard` of *parts*; raises InputError if it cannot be
    used, BudgetSpentError if it is gone.
    """

    def __init__(self, cluster: Cluster) -> None:
        _need_there()
        self.ray, self.parts = ray_at(cluster.address, cluster.workers)
        self._actor = self.ray.remote(num_cpus=1, max_restarts=0, enable_task_events=False)(Shard)
        self._workers = [self._actor.remote() for _ in range(self.parts)]
        self._asked: dict[Ticket, int] = {}
        self._rows: dict[Ticket, list[Row]] = {}

    def ask(self, number: int, method: str, *arguments: object) -> Ticket:
        """Have a worker call a *method* of its shard."""
        _need_there()
        ticket = getattr(self._workers[number], method).remote(*arguments)
        self._asked[ticket] = number
        return ticket

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
        _need_there()
        step = self._workers[number].take_step.options(num_returns=self.parts + 1)
        ticket, *found = step.remote(len(earlier), advances, expands, *earlier, *rows)
        self._asked[ticket], self._rows[ticket] = number, found
        return ticket

    def ready(self, tickets: Collection[Ticket], seconds: float) -> list[Ticket]:
        """Return those of *tickets* that have an answer, waiting *seconds* seconds for the
        first.
        """
        _need_there()
        found: list[Ticket] = self.ray.wait(list(tickets), timeout=seconds)[0]
        if found and len(tickets) > _FEW:
            return list(self.ray.wait(list(tickets), num_returns=len(tickets), timeout=0)[0])
        return found

    def answer(self, ticket: Ticket) -> Any:
        """Return the answer, or raise what the shard has raised; raise `WorkerLostError` if no
        answer will come.
        """
        errors, number = self.ray.exceptions, self._asked.pop(ticket)
        try:
            return self.ray.get(ticket)
        except errors.RayError as error:
            if isinstance(error, errors.RayTaskError) and not isinstance(
                error.cause, errors.RayError
            ):
                raise error.cause from None
            raise WorkerLostError(
                number
            ) from None  # or a row that it was to take, with the machine that had it

    def stepped(self, ticket: Ticket) -> tuple[ShardCounts, list[tuple[Row, int]]]:
        """Return how far a step got, and for each part a row with the number of its bytes; raise as
        `answer` does.
        """
        rows = self._rows.pop(ticket)
        counts, sizes = self.answer(ticket)
        return counts, list(zip(rows, sizes, strict=True))

    def replace(self, number: int) -> None:
        """Begin another worker in the place of one that was lost."""
        _need_there()
        self.ray.kill(self._workers[number])
        self._workers[number] = self._actor.remote()
        self._asked.clear()
        self._rows.clear()

    def dismiss(self) -> None:
        """Let the workers go."""
        if why_gone():
            return
        for worker in self._workers:
            self.ray.kill(worker)


def _need_there() -> None:
    """Raise BudgetSpentError if the Ray that this process speaks to is gone."""
    if why := why_gone():
        raise BudgetSpentError(why)
