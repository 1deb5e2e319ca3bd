"""Recounting: the play that shows a measure, made again and counted by the definition, without
anything that has found it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ...models.frozen import frozen
from ..reference.formulas.evaluate import follow_marks
from ..reference.lasso import acts
from ..reference.semantics.events import follow
from ..reference.semantics.expressions import ItemPlace
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import ReplayError, replay, spotlit_item
from ..types.position import Move, SpotlitItem, Trace


@frozen
class Counted:
    """What is counted: *name*, of the item that event number *event* of the move to moment *since*
    puts on the stack.

    *away* is how many seats the player whose windows are counted sits after the item's controller.
    Of moves without a decision those are counted at the end of a play; if *calm*, of those in which
    the cards do nothing.
    """

    name: str
    since: int = 0
    event: int = 0
    away: int = 0
    calm: bool = False


def recount(
    interpreter: Interpreter,
    trace: Trace,
    what: Counted,
    again: tuple[int, int] | None,
    expected: int | None,
) -> int:
    """Return how much of *what* is counted there is in *trace*.

    Raises `ReplayError` unless it is a play, has as much as *expected*, if that is known, and can
    do what it does *again*, each time with more of it.
    """
    replay(interpreter, trace)
    name = what.name
    if name == "automatic moves":
        found = _undecided(interpreter, trace, calm=what.calm)
    else:
        places, passes, controller = _followed(trace, what)
        windows = _windows(
            interpreter,
            trace,
            what.since,
            (controller + what.away) % interpreter.scope.players,
            len(places),
        )
        found = passes if name == "passes" else windows
        if again is not None and places[again[0] - what.since] != places[again[1] - what.since]:
            raise ReplayError(f"{name}: the item is not where it was when moves are made again")
    if expected is not None and found != expected:
        raise ReplayError(f"{name}: the play has {found}, and not {expected}")
    if again is not None:
        if trace.positions[again[0]] != trace.positions[again[1]]:
            raise ReplayError(f"{name}: what is made again does not come back to moment {again[0]}")
        without = replace(trace, steps=trace.steps[: again[0]] + trace.steps[again[1] :])
        if recount(interpreter, without, what, None, None) >= found:
            raise ReplayError(f"{name}: what is made again adds nothing")
    return found


def spotlit(trace: Trace, since: int, event: int) -> SpotlitItem:
    """Return the item of an event of *trace* that puts it somewhere, or moves it there; it was put
    into the game by then.
    """
    zones: list[list[tuple[int, int]]] = [[] for _ in trace.initial.zones]
    for moment, step in enumerate(trace.steps, 1):
        for number, one in enumerate(step.move.events):
            begun = follow_marks(one, zones, (moment, number))
            if begun is not None and (moment, number) == (since, event):
                return spotlit_item(trace, *begun)
    raise ReplayError("an item comes from nowhere")


def _followed(trace: Trace, what: Counted) -> tuple[list[ItemPlace], int, int]:
    """Return where the item is after each move from the one that puts it there, how many passes
    there are, and who controls it.
    """
    event = trace.steps[what.since - 1].move.events[what.event]
    assert event.item is not None
    controller = event.item.controller
    place = (event.to_zone, event.to_at) if event.kind == "move" else (event.zone, event.at)
    places, passes = list[ItemPlace](), 0
    for number, step in enumerate(trace.steps[what.since - 1 :], what.since):
        for event in step.move.events[what.event + 1 if number == what.since else 0 :]:
            passes += event.kind == "passes"
            after = follow(place, event)
            if after is None:
                if event.kind == "resolves" and number == len(trace.steps):
                    return places, passes, controller
                raise ReplayError("the item does not resolve at the end of the play")
            place = after
        places.append(place)
    raise ReplayError("the item does not resolve")


def _windows(interpreter: Interpreter, trace: Trace, since: int, player: int, moments: int) -> int:
    """Return how often it becomes the turn of *player* at *moments* moments, the first of them
    *since*.
    """
    count = 0
    for moment in range(since, since + moments):
        has = player in interpreter.priority(trace.positions[moment])
        had = player in interpreter.priority(trace.positions[moment - 1])
        count += has and (
            moment == since or not had or trace.steps[moment - 1].move.owner == player
        )
    return count


def _undecided(interpreter: Interpreter, trace: Trace, *, calm: bool) -> int:
    """Return how many moves at the end of *trace* no player decides anything in, nor if *calm* the
    cards do.
    """
    count = 0
    for before, step in reversed(
        [
            (before, step)
            for (before, _), step in zip(pairwise(trace.positions), trace.steps, strict=True)
        ]
    ):
        if (calm and acts("cards", step.move, interpreter)) or _decides(
            step.move, [move for move, _ in interpreter.allowed(before)]
        ):
            break
        count += 1
    return count


def _decides(move: Move, possible: list[Move]) -> bool:
    """Whether some player could, by the rules, have had another move be made by choosing otherwise,
    all choices before being the same.
    """
    if move.owner not in ("rules", "cards"):
        return True
    alike = [one for one in possible if one.clause == move.clause and one.owner == move.owner]
    for number, choice in enumerate(move.choices):
        alike = [
            one
            for one in alike
            if one.choices[:number] == move.choices[:number] and len(one.choices) > number
        ]
        if choice.by not in ("rules", "cards") and len({one.choices[number] for one in alike}) > 1:
            return True
    return False
