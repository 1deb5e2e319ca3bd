"""Events: how a move writes them down, and how the items that are followed go with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, assert_never

from ....models import ir
from ....properties import formula as f
from ...types.position import Event, Item
from .expressions import EVENTS, Frame, ItemPlace, LocalCells

_STAYING = ("move", "changes")
T = TypeVar("T")


def follow(place: ItemPlace, event: Event) -> ItemPlace | None:
    """Return where an item that was at *place* before *event* is after it; None if it left the
    game.
    """
    zone, at = place
    match event.kind:
        case "put":
            return (zone, at + 1) if zone == event.zone and at >= event.at else place
        case "move" | "changes" | "resolves" | "is removed":
            if place == (event.zone, event.at):
                return (event.to_zone, event.to_at) if event.kind in _STAYING else None
            if zone == event.zone and at > event.at:
                at -= 1
            if event.kind in _STAYING and zone == event.to_zone and at >= event.to_at:
                at += 1
            return zone, at
        case (
            "begins resolving"
            | "passes"
            | "step ends"
            | "sequence ends"
            | "sequence begins"
            | "step begins"
        ):
            return place
        case _:
            assert_never(event.kind)


def became(item: T, place: ItemPlace, event: Event) -> T | Item:
    """Return what *item*, which was at *place* before *event*, is after it."""
    is_it = event.kind == "changes" and place == (event.zone, event.at)
    return event.item if is_it and event.item is not None else item


def happen(frame: Frame, names: LocalCells, event: Event) -> None:
    """Write *event* down, and let the item locals follow it."""
    frame[EVENTS] += (event,)
    for cell in names.items:
        item, place = frame[cell]
        if place is not None:
            frame[cell] = became(item, place, event), follow(place, event)


def change_step(frame: Frame, sequence: str, old: str, new: str) -> None:
    """Write down what ends and begins when *sequence* goes from step *old* to *new*."""
    events = []
    if old != ir.NO_STEP:
        events.append(Event("step ends", sequence=sequence, step=old))
        if new == ir.NO_STEP:
            events.append(Event("sequence ends", sequence=sequence))
    if new != ir.NO_STEP:
        if old == ir.NO_STEP:
            events.append(Event("sequence begins", sequence=sequence))
        events.append(Event("step begins", sequence=sequence, step=new))
    frame[EVENTS] += tuple(events)


def is_said_of(
    formula: f.ItemEvent | f.SequenceEvent, event: Event, zones: Mapping[str, int]
) -> bool:
    """Whether *formula*'s word is said of *event*, whichever the item; *zones* are the numbers of
    their names.
    """
    match formula:
        case f.SequenceEvent(word, None):
            return event.kind == f"step {word}"
        case f.SequenceEvent(word, sequence):
            return event.kind == f"sequence {word}" and event.sequence == sequence
        case f.ItemEvent("is put on", _, zone):
            place = {"put": event.zone, "move": event.to_zone}.get(event.kind)
            return place is not None and (zone is None or zones[zone] == place)
        case f.ItemEvent("leaves", _, zone):
            return event.kind in ("move", "resolves", "is removed") and (
                zone is None or zones[zone] == event.zone
            )
        case f.ItemEvent(word):
            return event.kind == word
        case _:
            assert_never(formula)
