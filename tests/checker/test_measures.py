"""Measures: ways against brute force, numbers by hand, and plays that are told wrongly."""

from __future__ import annotations

from array import array
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from stacklaw.checker.measures.measures import (
    EXTREMES,
    Extreme,
    ExtremeName,
    FoundMeasures,
    find_measures,
    interpreter_for,
)
from stacklaw.checker.measures.recount import Counted, recount
from stacklaw.checker.measures.ways import END, Start, WeighedWay, WeightedGraph, heaviest, lightest
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError
from stacklaw.checker.sliced.interpreter import SlicedInterpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.position import Event
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source

from ..luck import tries
from ..strategies_ir import programs
from ..tiny import two_passes

# ------------------------------------------------------------------ ways


def random_graph(luck: Random) -> WeightedGraph:
    size = luck.randint(2, 6)
    graph = WeightedGraph()
    for _ in range(1, size):
        for _ in range(luck.randint(0, 3)):
            graph.target.append(luck.randrange(size))
            graph.weight.append(luck.choice([0, 0, 1, 2]))
        graph.first.append(len(graph.target))
    graph.starts = [
        Start(luck.randrange(1, size), luck.randrange(2), luck.randrange(3))
        for _ in range(luck.randint(1, 3))
    ]
    return graph


def weights_by_hand(graph: WeightedGraph, steps: int) -> tuple[int | None, int | None]:
    """Return the least and the most that a way of at most *steps* steps weighs; None if there is
    none.
    """
    least: list[int | None] = [0, *[None] * (graph.states - 1)]
    most = list(least)
    for _ in range(steps):
        for values, better in ((least, min), (most, max)):
            now = list(values)
            for state in range(1, graph.states):
                ways = [
                    graph.weight[e] + after
                    for e in graph.edges(state)
                    if (after := values[graph.target[e]]) is not None
                ]
                now[state] = better(ways, default=None)
            values[:] = now
            values[END] = 0
    found = [(least[s.state], most[s.state], s.weight) for s in graph.starts]
    lows, highs = (
        [low + w for low, _, w in found if low is not None],
        [high + w for _, high, w in found if high is not None],
    )
    return min(lows, default=None), max(highs, default=None)


def weight_of(graph: WeightedGraph, way: WeighedWay, rounds: int = 1) -> int:
    """Return what *way* weighs if it goes round so often; it has to be a way."""
    state, weight, _ = graph.starts[way.start]
    edges = list(way.edges)
    if way.again is not None:
        begin, end = way.again
        edges = [*edges[:begin], *edges[begin:end] * rounds, *edges[end:]]
    for edge in edges:
        assert edge in graph.edges(state)
        state, weight = graph.target[edge], weight + graph.weight[edge]
    assert state == END
    return weight


def test_ways_by_chance() -> None:
    unbounded = 0
    for seed in range(3000):
        graph = random_graph(Random(seed))
        low, high = lightest(graph, Meter()), heaviest(graph, Meter())
        least, most = weights_by_hand(graph, graph.states)
        _, longer = weights_by_hand(graph, 5 * graph.states)
        if least is None or most is None or longer is None or low is None or high is None:
            assert (least, most, low, high) == (None,) * 4
            continue
        assert low.weight == weight_of(graph, low) == least
        assert high.weight == weight_of(graph, high)
        if high.again is None:
            assert high.weight == most == longer
        else:
            unbounded += 1
            assert longer > most or weight_of(graph, high, 9) > longer
            assert weight_of(graph, high, 2) > high.weight
    assert unbounded > 100


# ------------------------------------------------------------------ games


def values(found: FoundMeasures) -> dict[str, tuple[object, ...]]:
    """Return of each measure its fewest, calm and most; ``inf`` where there is no most."""
    names = dict.fromkeys(name for name, _ in found.extremes)
    return {
        name: tuple(_value(found.extremes.get((name, which))) for which in EXTREMES)
        for name in names
    }


def _value(extreme: object) -> object:
    return (
        None
        if extreme is None
        else "inf"
        if getattr(extreme, "again", None)
        else getattr(extreme, "value", None)
    )


def test_two_passes() -> None:
    """A player who casts keeps priority, all pass in succession, and then the active player has
    priority.
    """
    program = two_passes()
    assert values(find_measures(program, make_scope(program, 2, {"stack": 1}))) == {
        "passes": (2, 2, 2),
        "own windows": (1, 1, 1),
        "windows of others": (1, 1, 1),
        "automatic moves": (None, 1, 1),
    }
    found = values(find_measures(program, make_scope(program, 3, {"stack": 2})))
    assert found["passes"] == (3, 3, "inf")
    assert found["windows of others"] == (1, 1, "inf")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_house_rules_ask_each_player_once(players: int) -> None:
    program = load_game("stack", {"triggers": "no"})
    found = values(find_measures(program, make_scope(program, players)))
    assert found["passes"] == (players, players, "inf")
    assert found["own windows"] == found["windows of others"] == (1, 1, "inf")


FILLED = """\
game "A choice for which there is no room"
source "a test"
players 2
scope players 2, stack 2
start decide(active)

items
  spell "spell"

zones
  stack last in first out

stage decide(holder: player)
  must 1.1 "one more, or the other player"
    either "one more" by holder
      put spell by holder on stack
    or "the other player"
      go decide(after holder)
    go decide(holder)
"""


def test_what_the_scope_has_no_room_for_is_a_choice_all_the_same() -> None:
    program = load(Source("x.rules", FILLED))
    found = values(find_measures(program, make_scope(program, 2)))
    assert found["automatic moves"] == (None, 0, 0)


def test_the_budget_ends_it() -> None:
    program = load_game("stack")
    found = find_measures(program, make_scope(program), Budget(positions=300))
    assert "300 positions" in found.stopped


@pytest.mark.slow
@given(programs())
@tries(60)
def test_random_games_on_slices_and_on_the_whole(program: ir.Program) -> None:
    scope = make_scope(program, 2, {"stack": 2, "queue": 1, "pool": 1})
    assert_same(program, scope)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", "mtg"])
def test_the_games_on_slices_and_on_the_whole(game: str) -> None:
    program = load_game(game)
    assert isinstance(interpreter_for(program, make_scope(program)), SlicedInterpreter)
    assert_same(program, make_scope(program, None, {zone.name: 1 for zone in program.zones}))


def assert_same(program: ir.Program, scope: Scope) -> None:
    """Check that slices change no number; each play is counted again as it is found."""
    patch = pytest.MonkeyPatch()
    sliced = find_measures(program, scope, Budget(positions=3000))
    with patch.context() as context:
        context.setattr("stacklaw.checker.measures.measures.interpreter_for", Interpreter)
        whole = find_measures(program, scope, Budget(positions=3000))
    if not whole.stopped:
        assert not sliced.stopped
        assert values(sliced) == values(whole)
        assert sliced.counts.positions <= whole.counts.positions


# ------------------------------------------------------------------ plays


def found_passes(which: ExtremeName) -> tuple[Interpreter, Extreme]:
    program = load_game("stack", {"triggers": "no"})
    scope = make_scope(program)
    return Interpreter(program, scope), find_measures(program, scope).extremes["passes", which]


def test_a_play_is_counted_again() -> None:
    interpreter, fewest = found_passes("fewest")
    trace = fewest.trace
    since = next(
        n
        for n, step in enumerate(trace.steps, 1)
        if any(event.kind == "put" for event in step.move.events)
    )
    event = next(
        n
        for n, one in enumerate(trace.steps[since - 1].move.events)
        if isinstance(one, Event) and one.kind == "put"
    )
    what = Counted("passes", since, event)
    assert recount(interpreter, trace, what, None, 2) == 2
    with pytest.raises(ReplayError, match="the play has 2, and not 3"):
        recount(interpreter, trace, what, None, 3)
    with pytest.raises(ReplayError, match="does not resolve"):
        recount(interpreter, replace(trace, steps=trace.steps[:-1]), what, None, None)
    with pytest.raises(ReplayError, match="does not come back"):
        recount(interpreter, trace, what, (since, since + 1), None)


def test_what_is_made_again_has_to_add_something() -> None:
    interpreter, most = found_passes("most")
    assert most.again is not None
    trace, (first, last) = most.trace, most.again
    since = next(
        n
        for n, step in enumerate(trace.steps, 1)
        if any(event.kind == "put" for event in step.move.events)
    )
    what = Counted(
        "passes",
        since,
        next(n for n, one in enumerate(trace.steps[since - 1].move.events) if one.kind == "put"),
    )
    assert recount(interpreter, trace, what, (first, last), None) == most.value
    with pytest.raises(ReplayError, match="adds nothing"):
        recount(interpreter, trace, what, (first, first), None)


def test_the_end_has_no_edges() -> None:
    graph = WeightedGraph(array("q", [0, 0]), array("l"), array("l"), [Start(END, 1, 0)])
    assert lightest(graph, Meter()) == heaviest(graph, Meter()) == WeighedWay(0, (), 1)
