"""Codec of plays: which of the moves there are in each position is made. So it goes from one
process to another as plain data.

In comes such an `EncodedTrace`, out comes the scope that the play needs and its `Trace`, made on
the reference interpreter and replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...models.ir import Program
from ...models.syntax import NamedSizes
from ...properties.formula import Property
from ..reference.semantics.interpreter import Interpreter
from ..types.scope import Scope
from ..types.trace import SpotlitItem, Trace, TraceStep
from .replay import ReplayError, fitting, replay


@dataclass(frozen=True)
class EncodedTrace:
    """A play within a scope of *players* players and zones of such *sizes*: the *numbers* of its
    moves, who is spotlit, and the moment that it goes back to, if it does.

    A *player* is told by its seat, an *item* by the moment at which it was put on a zone and the
    number of that event.
    """

    players: int
    sizes: NamedSizes
    numbers: tuple[int, ...]
    spotlights: tuple[tuple[str, int | tuple[int, int]], ...] = ()
    loop: int | None = None


def encode_trace(scope: Scope, numbers: Sequence[int], trace: Trace) -> EncodedTrace:
    """Return *trace*, a play within *scope*, by the *numbers* of its moves."""
    spotlights = tuple(
        (name, (who.since, who.event) if isinstance(who, SpotlitItem) else who)
        for name, who in trace.spotlights
    )
    return EncodedTrace(scope.players, scope.sizes, tuple(numbers), spotlights, trace.loop)


def decode_trace(program: Program, question: Property, play: EncodedTrace) -> tuple[Scope, Trace]:
    """Return the smallest scope that *play* fits into, and the play; raises `ReplayError` unless it
    decides *question*.

    If it decides the question only where there is more room, that is the scope which the play is
    told with.
    """
    sizes = dict(play.sizes)
    interpreter = Interpreter(
        program,
        Scope(play.players, tuple((zone.name, sizes[zone.name]) for zone in program.zones)),
    )
    trace = remade(interpreter, play)
    replay(interpreter, trace, question)
    scope = fitting(program, play.players, trace)
    try:
        replay(Interpreter(program, scope), trace, question)
    except ReplayError:
        scope = interpreter.scope
    return scope, trace


def move_numbers(interpreter: Interpreter, trace: Trace) -> list[int]:
    """Return for each position of *trace* the number of the move made there; raises ValueError if
    that is no move of the position.
    """
    moves = [interpreter.moves(position).moves for position in trace.positions[:-1]]
    return [
        found.index((step.move, step.position))
        for found, step in zip(moves, trace.steps, strict=True)
    ]


def retraced(interpreter: Interpreter, numbers: Sequence[int]) -> Trace:
    """Return the play in which moves of those *numbers* are made; raises `ReplayError` if there are
    no such.
    """
    return Trace(interpreter.initial(), tuple(_trace_steps(interpreter, numbers)))


def remade(interpreter: Interpreter, play: EncodedTrace) -> Trace:
    """Return *play* as it is made on *interpreter*; raises `ReplayError` if it cannot be."""
    trace = retraced(interpreter, play.numbers)
    spotlights = tuple(
        (name, who if isinstance(who, int) else _spotlit_item(trace, *who))
        for name, who in play.spotlights
    )
    return replace(trace, spotlights=spotlights, loop=play.loop)


def _spotlit_item(trace: Trace, since: int, number: int) -> SpotlitItem:
    """Return the item that event *number* of the move to moment *since* is about."""
    item = trace.steps[since - 1].move.events[number].item
    if item is None:
        raise ReplayError(f"event {number} of move {since} is about no item")
    return SpotlitItem(item, since, number)


def _trace_steps(interpreter: Interpreter, numbers: Sequence[int]) -> list[TraceStep]:
    steps: list[TraceStep] = []
    position = interpreter.initial()
    for count, number in enumerate(numbers, 1):
        moves = interpreter.moves(position).moves
        if not 0 <= number < len(moves):
            raise ReplayError(f"move {count} is number {number} of {len(moves)}")
        steps.append(TraceStep(*moves[number]))
        position = steps[-1].position
    return steps
