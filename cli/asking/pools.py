"""Pools: who does what is asked, processes on this machine or workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module

from ...checker.prover.workers import Pool
from ...checker.types.tuning import Cluster


@contextmanager
def pool_at(cluster: Cluster | None, module: str, seconds: float | None = None) -> Iterator[Pool | None]:
    """Let the workers of *cluster* do what the ``main`` of *module* does; yield None if there is no cluster. Raises InputError.

    A worker that hangs is waited for no longer when what it does has had so many *seconds*, if that is not None.
    """
    if cluster is None:
        yield None
        return
    workers: Pool = import_module("...checker.prover.ray_workers", __package__).RayWorkers(cluster, module, seconds)
    with closing(workers):
        yield workers
