"""Replay: every trace is played again before anyone sees it; how plays go between processes.

In comes a trace that some engine calls a counterexample or a witness, out comes nothing, or a
`ReplayError`. Each move is asked of the interpreter again, and the formula is evaluated by its
definition (`reference.formulas.evaluate`), so that a mistake in a search, a monitor or an encoding
cannot become a verdict.

Replay of what goes on for ever: a lasso, or a play that ends.

In comes a trace whose moves have been replayed, and the `progress` it is to break; out comes
nothing, or a `ReplayError`. The loop is gone round three times and the formula is evaluated by its
definition at all these moments. If one round changes neither the position, nor a spotlit item's
place, nor the truth of any part of the formula that looks back, then all rounds after it are the
same.

Codec of plays: which of the moves there are in each position is made. So it goes from one
process to another as plain data.

In comes such an `EncodedTrace`, out comes the scope that the play needs and its `Trace`, made on
the reference interpreter and replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ...models import ir
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.syntax import NamedSizes
from ...properties import formula as f
from ...properties.formula import Property, about, formulas
from ..reference.formulas.evaluate import Evaluator
from ..reference.lasso import acts
from ..reference.semantics.each import item_rank
from ..reference.semantics.interpreter import Interpreter
from ..types.position import Event, Item, Position, SpotlitItem, Trace, TraceStep
from ..types.scope import Scope


@frozen
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
    steps: list[TraceStep] = []
    initial = position = interpreter.initial()
    for count, number in enumerate(numbers, 1):
        moves = interpreter.moves(position).moves
        if not 0 <= number < len(moves):
            raise ReplayError(f"move {count} is number {number} of {len(moves)}")
        steps.append(TraceStep(*moves[number]))
        position = steps[-1].position
    return Trace(initial, tuple(steps))


def remade(interpreter: Interpreter, play: EncodedTrace) -> Trace:
    """Return *play* as it is made on *interpreter*; raises `ReplayError` if it cannot be."""
    trace = retraced(interpreter, play.numbers)
    spotlights = tuple(
        (name, who if isinstance(who, int) else spotlit_item(trace, *who))
        for name, who in play.spotlights
    )
    return replace(trace, spotlights=spotlights, loop=play.loop)


def spotlit_item(trace: Trace, since: int, number: int) -> SpotlitItem:
    """Return the item that event *number* of the move to moment *since* is about."""
    item = trace.steps[since - 1].move.events[number].item
    if item is None:
        raise ReplayError(f"event {number} of move {since} is about no item")
    return SpotlitItem(item, since, number)


ROUNDS = 3


class ReplayError(Exception):
    """A trace is not what an engine says it is: a mistake in this program, not in the ruleset."""


def replay_for_ever(interpreter: Interpreter, trace: Trace, question: f.Property) -> None:
    """Raise `ReplayError` unless *question*'s body is true to the end of *trace*, or for ever in
    its loop.
    """
    evaluator, last = gone_round(interpreter, trace, question), len(trace.steps)
    moments = (
        range(last, last + 1)
        if trace.loop is None
        else range(trace.loop, last + (ROUNDS - 1) * (last - trace.loop) + 1)
    )
    check_true(evaluator, question, moments)


def gone_round(interpreter: Interpreter, trace: Trace, question: f.Property) -> Evaluator:
    """Return the formulas of *trace*, `ROUNDS` times round its loop if it has one.

    Raises `ReplayError` unless it comes to the end of a play, or its loop is one that changes
    nothing and fits what *question* assumes.
    """
    last = len(trace.steps)
    if trace.loop is None:
        if interpreter.allowed(trace.positions[-1]):
            raise ReplayError(
                f"{question.name}: the trace ends at moment {last}, and the play does not"
            )
        return Evaluator(interpreter, trace)
    if not 0 <= trace.loop < last or trace.positions[trace.loop] != trace.positions[last]:
        raise ReplayError(f"{question.name}: the trace does not come back to moment {trace.loop}")
    loop = trace.steps[trace.loop :]
    check_assumed(interpreter, question, loop)
    evaluator = Evaluator(interpreter, replace(trace, steps=trace.steps + loop * (ROUNDS - 1)))
    check_same(evaluator, question, last, last + len(loop))
    return evaluator


def check_assumed(
    interpreter: Interpreter, question: f.Property, again: Sequence[TraceStep]
) -> None:
    """Check that in none of the steps that are made *again* and again anyone acts who *question*
    assumes to end.
    """
    for who in question.assuming:
        if any(acts(who, step.move, interpreter) for step in again):
            raise ReplayError(f"{question.name}: {who} act in what is repeated of the trace")


def check_true(evaluator: Evaluator, question: f.Property, moments: range) -> None:
    """Check that *question*'s body is true at all *moments*."""
    for moment in moments:
        if not evaluator.holds(question.body, moment):
            raise ReplayError(
                f"{question.name}: what is to go on is not so at moment {moment} of the trace"
            )


def check_same(
    evaluator: Evaluator, question: f.Property, first: int, second: int, *, by_zone: bool = False
) -> None:
    """Check that nothing that matters later differs between two moments with the same position, or
    *by_zone* with more items in one.
    """
    lives = [(life[first][1], life[second][1]) for life in evaluator.lives.values()]
    places = [(one and one[:1], other and other[:1]) for one, other in lives] if by_zone else lives
    looking_back = [part for part in formulas(question.body) if about(part) == "past"]
    parts = [part.operand if isinstance(part, f.Previously) else part for part in looking_back]
    truths = [(evaluator.holds(part, first), evaluator.holds(part, second)) for part in parts]
    if any(one != other for one, other in (*places, *truths)):
        raise ReplayError(
            f"{question.name}: a round of the trace's loop changes what the formula remembers"
        )


def used(program: Program, trace: Trace) -> NamedSizes:
    """Return the most items that each zone of *program* ever has in *trace*, between moves and in
    the middle of them.
    """
    sizes = [len(items) for items in trace.initial.zones]
    most = list(sizes)
    for step in trace.steps:
        for event in step.move.events:
            match event.kind:
                case "put":
                    sizes[event.zone] += 1
                case "move":
                    sizes[event.zone] -= 1
                    sizes[event.to_zone] += 1
                case "resolves" | "is removed":
                    sizes[event.zone] -= 1
                case (
                    "changes"
                    | "begins resolving"
                    | "passes"
                    | "step ends"
                    | "sequence ends"
                    | "sequence begins"
                    | "step begins"
                ):
                    pass
                case _:
                    assert_never(event.kind)
            most = [max(pair) for pair in zip(most, sizes, strict=True)]
    return tuple((zone.name, size) for zone, size in zip(program.zones, most, strict=True))


def fitting(program: Program, players: int, trace: Trace) -> Scope:
    """Return the scope of *players* players with just enough room for *trace*."""
    return Scope(players, tuple((zone, max(size, 1)) for zone, size in used(program, trace)))


def missing(interpreter: Interpreter, position: Position) -> dict[str, int]:
    """Return for each zone that is too small for a move which the rules allow in *position* the
    least size that has room for one.
    """
    sizes, needed = dict(interpreter.scope.sizes), dict[str, int]()
    for move, after in interpreter.allowed(position):
        for zone, size in used(interpreter.program, Trace(position, (TraceStep(move, after),))):
            if size > sizes[zone]:
                needed[zone] = min(size, needed.get(zone, size))
    return needed


_TIMES = 3
"""How many times the stretch is made after the first."""


def replay(interpreter: Interpreter, trace: Trace, question: Property | None = None) -> None:
    """Raise `ReplayError` unless *trace* is a play, and its last moment decides *question* (which
    has no clause spotlights).
    """
    _replay_moves(interpreter, trace)
    if question is None:
        return
    _check_spotlights(interpreter, trace, question)
    if question.mode == "enforce":
        return  # no play shows what can be enforced: the room of strategies plays its own
    if question.mode == "future":
        replay_future(interpreter, trace, question)
        return
    if question.mode == "progress":
        (replay_for_ever if trace.growth is None else replay_growth)(interpreter, trace, question)
        return
    last = len(trace.steps)
    found = Evaluator(interpreter, trace).holds(question.body, last)
    if found != (question.mode == "possible"):
        raise ReplayError(
            f"{question.name}: the formula is {'true' if found else 'false'} at moment {last} of "
            "the trace"
        )


def _replay_moves(interpreter: Interpreter, trace: Trace) -> None:
    if trace.initial != interpreter.initial():
        raise ReplayError("the trace does not begin with the initial position")
    position = trace.initial
    for number, step in enumerate(trace.steps, 1):
        if (step.move, step.position) not in interpreter.moves(position).moves:
            raise ReplayError(
                f"move {number} of the trace, by clause {step.move.clause}, is not possible there"
            )
        position = step.position


def _check_spotlights(interpreter: Interpreter, trace: Trace, question: Property) -> None:
    chosen = dict(trace.spotlights)
    if len(chosen) != len(trace.spotlights) or not chosen.keys() <= {
        spotlight.name for spotlight in question.spotlights
    }:
        raise ReplayError(f"{question.name}: the trace has other spotlights than the property")
    for spotlight in question.spotlights:
        who = chosen.get(spotlight.name)
        match spotlight.kind, who:
            case ("player", int(seat)) if 0 <= seat < interpreter.scope.players:
                pass
            case ("item", None):
                pass
            case ("item", SpotlitItem() as item) if _is_put(trace, item):
                pass
            case _:
                raise ReplayError(f"{question.name}: spotlight {spotlight.name} stands for {who}")
    items = [(who.since, who.event) for who in chosen.values() if isinstance(who, SpotlitItem)]
    if len(set(items)) != len(items):
        raise ReplayError(f"{question.name}: two spotlights stand for one item")


def _is_put(trace: Trace, item: SpotlitItem) -> bool:
    """Whether *item* is put on a zone where the trace says so."""
    if not 1 <= item.since <= len(trace.steps):
        return False
    events = trace.steps[item.since - 1].move.events
    return (
        0 <= item.event < len(events)
        and events[item.event].kind == "put"
        and events[item.event].item == item.item
    )


def replay_future(interpreter: Interpreter, trace: Trace, question: f.Property) -> None:
    """Raise `ReplayError` unless *trace*, whose moves have been replayed, fits what *question* says
    of the future, and breaks it.

    What is said of single moments is evaluated along three rounds of the loop; if a round changes
    nothing that a later moment can see, all rounds after it are the same, so the play is a word
    that ends in a word again and again.
    """
    assert question.future is not None
    assert isinstance(question.body, f.And)
    evaluator, last = gone_round(interpreter, trace, question), len(trace.steps)
    moments = last + 1 if trace.loop is None else last + 1 + (last - trace.loop)
    truths = [
        tuple(evaluator.holds(part, moment) for part in question.body.parts)
        for moment in range(moments)
    ]
    again = None if trace.loop is None else last + 1
    for given in question.given:
        if not true_along(given.formula, truths, again)[0]:
            raise ReplayError(
                f"{question.name}: the trace does not fit what is assumed: {given.text}"
            )
    if true_along(question.future, truths, again)[0]:
        raise ReplayError(f"{question.name}: the formula is true at moment 0 of the trace")


def true_along(
    temporal: f.Temporal, truths: Sequence[Sequence[bool]], again: int | None
) -> list[bool]:
    """Return at which moments *temporal* is true, its parts having the *truths* there: the
    definition.

    After the last moment comes number *again*, and so on for ever; with None the last moment is the
    last of all.
    """
    match temporal:
        case f.PartHolds(number):
            return [bool(truth[number]) for truth in truths]
        case f.Otherwise(operand):
            return [not true for true in true_along(operand, truths, again)]
        case f.Together(parts):
            columns = [true_along(part, truths, again) for part in parts]
            return [all(column[moment] for column in columns) for moment in range(len(truths))]
        case f.Until(left, right):
            lefts, rights = true_along(left, truths, again), true_along(right, truths, again)
            return [_comes(lefts, rights, moment, again) for moment in range(len(truths))]
        case _:
            assert_never(temporal)


def _comes(lefts: Sequence[bool], rights: Sequence[bool], moment: int, again: int | None) -> bool:
    """Whether, from *moment* on, something is right before something is not left."""
    met = set[int]()
    while moment not in met:
        if rights[moment]:
            return True
        if not lefts[moment]:
            return False
        met.add(moment)
        following = moment + 1 if moment + 1 < len(lefts) else again
        if following is None:
            return False
        moment = following
    return False


def replay_growth(
    interpreter: Interpreter, trace: Trace, question: f.Property, times: int = _TIMES
) -> None:
    """Raise `ReplayError` unless the end of *trace* can be made *times* again, and *question*'s
    body stays true all along.

    The stretch is made in zones with room for it: each time the same clauses have to be possible
    with the same owners and choices, and have to lead where they led, with as many items more as
    the stretch adds. `run.endings` says why that goes on.
    """
    program, first, last = interpreter.program, trace.growth, len(trace.steps)
    if first is None or trace.loop is not None or not 0 <= first < last:
        raise ReplayError(f"{question.name}: the trace has no stretch that could be repeated")
    start, stretch = trace.positions[first], trace.steps[first:]
    check_assumed(interpreter, question, stretch)
    sizes = [
        (zone, size + times * len(after))
        for (zone, size), after in zip(
            interpreter.scope.sizes, trace.positions[-1].zones, strict=True
        )
    ]
    roomy = Interpreter(program, Scope(interpreter.scope.players, tuple(sizes)))
    steps = list(trace.steps)
    for time in range(1, times + 1):
        for number, step in enumerate(stretch, first + 1):
            expected = with_more(program, start, trace.positions[-1], step.position, time)
            again = _made_again(roomy, steps[-1].position, step, expected)
            if again is None:
                raise ReplayError(
                    f"{question.name}: move {number} of the trace cannot be made again"
                )
            steps.append(again)
    evaluator = Evaluator(roomy, replace(trace, steps=tuple(steps)))
    check_true(evaluator, question, range(first, len(steps) + 1))
    for time in range(times + 1):
        check_same(evaluator, question, first, first + time * len(stretch), by_zone=True)


def _made_again(
    interpreter: Interpreter, position: Position, step: TraceStep, expected: Position
) -> TraceStep | None:
    """Return the move of *step* as it is made from *position*, if it leads to what is
    *expected*.
    """
    wanted = step.move
    for move, target in interpreter.moves(position).moves:
        is_same = (move.clause, move.owner, move.choices) == (
            wanted.clause,
            wanted.owner,
            wanted.choices,
        )
        if (
            is_same
            and target == expected
            and [*map(_of_event, move.events)] == [*map(_of_event, wanted.events)]
        ):
            return TraceStep(move, target)
    return None


def _of_event(event: Event) -> Event:
    """Return *event* but for the numbers of its places."""
    return event._replace(at=0, to_at=0)


def with_more(
    program: ir.Program, first: Position, last: Position, position: Position, times: int
) -> Position:
    """Return *position*, one between *first* and *last*, with *times* times more of what the zones
    have more in *last* than in *first*.
    """
    rank = item_rank(program)
    zones = []
    for zone, base, items, after in zip(
        program.zones, first.zones, position.zones, last.zones, strict=True
    ):
        more = added(zone, base, after) * times
        if base == after:
            zones.append(items)
        elif zone.order == "unordered":
            zones.append(tuple(sorted([*items, *more], key=rank)))
        else:
            zones.append((*base, *more, *items[len(base) :]))
    return position._replace(zones=tuple(zones))


def added(zone: ir.Zone, before: tuple[Item, ...], after: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return what *zone* has more *after* than *before*, in its order."""
    if zone.order == "unordered":
        return tuple((Counter(after) - Counter(before)).elements())
    return after[len(before) :]
