"""Stacks: the zones whose items resolve, where no zone is called or tagged so: zones, stages -> zones.

The catalogue asks about the stack, whatever a game calls it; without one, a window before an item resolves could never be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .. import ir

STACK = "stack"


def with_stacks(zones: Sequence[ir.Zone], stages: Iterable[ir.Stage]) -> tuple[ir.Zone, ...]:
    """Return *zones*, those tagged as stacks whose items resolve by some clause of *stages*, unless there is a stack already."""
    if any(STACK in (zone.name, *zone.tags) for zone in zones):
        return tuple(zones)
    found = {zone for stage in stages for clause in stage.clauses for zone in _resolving(clause)}
    return tuple(replace(zone, tags=(*zone.tags, STACK)) if zone.name in found else zone for zone in zones)


def _resolving(clause: ir.Clause) -> Iterable[str]:
    """Return the zones from which *clause* resolves an item."""
    lies = dict[str, str]()
    for node in ir.walk(clause):
        match node:
            case ir.Choose(name, ir.ItemsOn(zone)) | ir.ForEach(name, ir.ItemsOn(zone)):
                lies[name] = zone
            case ir.Leave(ir.EndOf(zone), "resolves") | ir.BeginResolving(ir.EndOf(zone)):
                yield zone
            case ir.Leave(ir.Local(name), "resolves") | ir.BeginResolving(ir.Local(name)) if name in lies:
                yield lies[name]
            case _:
                pass
