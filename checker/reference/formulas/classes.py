"""Classes of moves: two labels of a graph are alike to a formula if they differ in nothing it can
ask of a move.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import assert_never

from ....properties import formula as f
from ....properties.parts import formulas
from ...types.position import Event, Move
from ..semantics.events import is_said_of
from ..semantics.graph import Graph
from ..semantics.interpreter import Interpreter
from .monitor import said_of_move

_ITEM_EVENTS = frozenset({"put", "move", "changes", "resolves", "is removed", "begins resolving"})


def classify(
    graph: Graph, formula: f.Formula, *, with_items: bool, asks_items: bool
) -> tuple[list[int], list[Move]]:
    """Return the class of each label of *graph*, and a move of each class.

    *with_items* says whether *formula* has item spotlights, *asks_items* whether it asks for their
    kind, controller or attributes.
    """
    zones = graph.interpreter.expressions.zone_numbers
    asked = [
        part
        for part in formulas(formula)
        if isinstance(part, f.PlayerEvent | f.Uses | f.SequenceEvent)
    ]
    about_any = [
        part for part in formulas(formula) if isinstance(part, f.ItemEvent) and part.item is None
    ]
    numbers: dict[Hashable, int] = {}
    representatives: list[Move] = []
    classes = []
    for move in graph.moves:
        content = (
            tuple([_event_answer(question, move, graph.interpreter) for question in asked]),
            tuple(
                [
                    any(is_said_of(question, event, zones) for event in move.events)
                    for question in about_any
                ]
            ),
            tuple(
                [
                    _projected(event, asks_items)
                    for event in move.events
                    if event.kind in _ITEM_EVENTS
                ]
            )
            if with_items
            else (),
        )
        number = numbers.setdefault(content, len(numbers))
        if number == len(representatives):
            representatives.append(move)
        classes.append(number)
    return classes, representatives


def _event_answer(
    question: f.PlayerEvent | f.Uses | f.SequenceEvent, move: Move, interpreter: Interpreter
) -> Hashable:
    """Return what *question* depends on in *move*, for any player."""
    match question:
        case f.PlayerEvent("passes"):
            return tuple([event.player for event in move.events if event.kind == "passes"])
        case f.PlayerEvent("chooses"):
            return frozenset(choice.by for choice in move.choices)
        case f.PlayerEvent(_):
            return said_of_move(f.PlayerEvent("acts", None), move, interpreter) and (move.owner,)
        case f.Uses(clause):
            return move.clause == clause and (move.owner,)
        case f.SequenceEvent():
            return said_of_move(question, move, interpreter)
        case _:
            assert_never(question)


def _projected(event: Event, asks_items: bool) -> Event:
    """Return *event* without what no item spotlight depends on."""
    item = event.item if asks_items and event.kind in ("put", "changes") else None
    return event._replace(item=item)
