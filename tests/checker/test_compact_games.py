"""Games on packed positions have the winners of those on the graph of the reference."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw import check
from stacklaw.checker.enforcing import decide as decide_module
from stacklaw.checker.enforcing.decide import decide_compactly, decide_enforced, start_of
from stacklaw.checker.enforcing.on_graph import ALL_BEYOND, WITHIN, decide_on_graph
from stacklaw.checker.explicit.emit.game import is_compact, write_game
from stacklaw.checker.explicit.games import arena as arena_module
from stacklaw.checker.explicit.games.arena import OpenCutError, PackedArena
from stacklaw.checker.explicit.games.passes import KNOWN
from stacklaw.checker.explicit.games.plays import lifted, play_of
from stacklaw.checker.explicit.games.solve import Solving
from stacklaw.checker.explicit.moves.layout import WIDE
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.strategies.arena import FIRST, interpreter_for, kept_for, slicer_for
from stacklaw.checker.strategies.arena import arena_of as reference_arena
from stacklaw.checker.strategies.forks import with_forced
from stacklaw.checker.strategies.objective import BROKEN, Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.position import OVER, Trace, TraceStep
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.binding import definite
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..strategies_ir import formulas
from .test_strategy_slices import MOST, PLAYERS, games

HOPE = "hope"
"""The game in which everything that the scope cuts is won. The other games say whether going beyond
the scope is won.
"""
Winners = dict[tuple[tuple[int, ...], bool | str], bool]


@st.composite
def questions(draw: st.DrawFn) -> f.Property:
    """Return what one player is to enforce, up to three goals."""
    goals = []
    kinds = ["always", "eventually", "leads to", "finitely"]
    for _ in range(draw(st.integers(1, 3))):
        kind: Any = draw(st.sampled_from(kinds))
        if kind == "leads to":
            kinds.remove("leads to")
        asked: f.Formula = (
            f.PlayerEvent("acts", ir.Local("p")) if kind == "finitely" else draw(formulas(PLAYERS))
        )
        goals.append(
            f.Goal(kind, f.Since(f.Not(asked), f.Not(asked)) if kind == "leads to" else asked)
        )
    assuming: tuple[Any, ...] = tuple(who for who in ("others", "cards") if draw(st.booleans()))
    return f.Property(
        "asked",
        "",
        "",
        "enforce",
        PLAYERS,
        f.And(()),
        None,
        "",
        assuming=assuming,
        enforced=f.Enforced(("p",), tuple(goals)),
    )


def by_reference(program: ir.Program, scope: Scope, question: f.Property) -> Winners | None:
    graph = explore(
        interpreter_for(program, scope, question, sliced=True), Meter(Budget(positions=MOST))
    )
    if graph.stopped:
        return None
    signals, won = Signals(with_forced(graph)), Winners()
    for seats in product(range(scope.players), repeat=len(question.spotlights)):
        objective = Objective(signals, question, seats)
        if objective.is_out_of_reach:
            continue
        arena = reference_arena(objective, Meter())
        for beyond in (False, True):
            solution = solve(
                arena.ours,
                arena.with_ends(beyond=beyond, open_=False),
                Edges(arena.first, arena.target),
            )
            won[seats, beyond] = bool(solution.even[FIRST])
        arena = reference_arena(objective, Meter(), hope=True)
        solution = solve(
            arena.ours, arena.with_ends(beyond=True, open_=False), Edges(arena.first, arena.target)
        )
        won[seats, HOPE] = bool(solution.even[FIRST])
        assert won[seats, HOPE] or not won[seats, False]
    return won


def on_arrays(
    program: ir.Program, scope: Scope, question: f.Property, *, roomy: bool, small: int = 1 << 20
) -> Winners:
    """Return who wins likewise; each play is made again on the whole game."""
    slicer = slicer_for(program, scope, question)
    kept = None if slicer is None else kept_for(slicer, question)
    text = write_game(program, scope, question, kept, roomy=roomy)
    arena = PackedArena(text, question, Meter())
    arena.find_all(small)
    assert (arena.code.machine is not None) == (arena.tally.numbers[KNOWN] > small)
    solving, won, telling = (
        Solving(arena, lambda: None),
        Winners(),
        Telling(program, scope, question),
    )
    start = start_of(program, question, scope)
    entries = {
        seats: entry
        for seats, entry in arena.entries.items()
        if not Objective(start, question, seats).is_out_of_reach
    }
    won.update(
        {
            (seats, HOPE): bool(solving.hoped().wins.numbers[entry])
            for seats, entry in entries.items()
        }
    )
    for beyond in (False, True):
        found = solving.won(beyond=beyond)
        for seats, entry in entries.items():
            won[seats, beyond] = bool(found.wins.numbers[entry])
            if won[seats, beyond] != beyond and not solving.is_beyond(entry):
                play = play_of(arena, found, entry, lambda: None)
                telling.hold(
                    lifted(telling.text, arena.text.emitted.layout, play, telling.player),
                    seats,
                    ours=won[seats, beyond],
                )
    return won


class Telling:
    """Holds plays of the whole game to what they are to show, by the objective of the reference."""

    def __init__(self, program: ir.Program, scope: Scope, question: f.Property) -> None:
        self.question, self.player = question, Interpreter(program, scope)
        self.text = write_game(program, scope, question, None, word=WIDE)
        self.graph = with_forced(explore(self.player, Meter(Budget(positions=MOST))))

    def hold(self, trace: Trace, seats: tuple[int, ...], *, ours: bool) -> None:
        """Raise AssertionError unless the coalition wins the play, if it is *ours*, or else the
        others do.
        """
        names = (spotlight.name for spotlight in self.question.spotlights)
        replay(
            self.player,
            replace(trace, spotlights=tuple(zip(names, seats, strict=True))),
            self.question,
        )
        if self.graph.stopped:
            return
        objective = Objective(Signals(self.graph), self.question, seats)
        seen, priorities, before = [objective.start()], list[int](), 0
        for number, step in enumerate(trace.steps):
            assert not seen[-1].won
            assert not seen[-1].lost
            edge, before = self._edge(before, step)
            seen.append(objective.step(seen[-1].memory, self.graph.label[edge], before))
            if trace.loop is not None and number >= trace.loop:
                priorities.append(seen[-1].priority)
        if trace.loop is not None:
            assert trace.positions[trace.loop] == trace.positions[-1]
            assert (max(priorities) % 2 == 0) == ours
        elif seen[-1].won or seen[-1].lost:
            assert seen[-1].won == ours
        elif not ours and objective.memories[seen[-1].memory] == BROKEN:
            assert self.question.assuming
        else:
            assert not self.graph.edges(before)
            assert (
                trace.positions[-1].stage == OVER and objective.is_reached(seen[-1].memory)
            ) == ours

    def _edge(self, position: int, step: TraceStep) -> tuple[int, int]:
        """Return the edge of *step* from *position*, and where it leads."""
        for edge in self.graph.edges(position):
            target = self.graph.target[edge]
            if (
                self.graph.moves[self.graph.label[edge]] == step.move
                and self.graph.positions[target] == step.position
            ):
                return edge, target
        raise AssertionError("no such move")


@pytest.mark.slow
@given(games(), questions(), st.sampled_from([2, 2, 3]))
@tries(150)
def test_random_games(program: ir.Program, question: f.Property, players: int) -> None:
    scope = make_scope(program, players, {"stack": 1, "queue": 1, "pool": 1})
    assert is_compact(question)
    expected = by_reference(program, scope, question)
    if expected is not None:
        assert on_arrays(program, scope, question, roomy=True) == expected
        with suppress(OpenCutError):
            assert on_arrays(program, scope, question, roomy=False) == expected


@st.composite
def moves_of_several(draw: st.DrawFn) -> str:
    """Return rules with moves in which several players choose, one after the other, and what one
    of them is to enforce.
    """
    who = st.sampled_from(["active", "after active", "leader", "after leader", "holder"])
    number = st.integers(0, 1)

    def chosen(at: int) -> str:
        by, name = draw(who), f"c{at}"
        if draw(st.booleans()):
            return f"    choose {name} in 0 to 1 by {by}\n    sum := {name}"
        one, other = draw(number), draw(number)
        return (
            f'    either "one" by {by}\n      sum := {one}\n      require sum is {one}\n'
            f'    or "other"\n      seen := {other}'
        )

    clauses = [
        "\n".join(
            [
                f'  {draw(st.sampled_from(["must", "may"]))} {at} "move {at}"',
                f"    when turn_of is {at}",
                *(chosen(place) for place in range(draw(st.integers(2, 4)))),
                f"    turn_of := {1 - at}",
                f"    go decide({draw(st.sampled_from(['holder', 'after holder']))})",
            ]
        )
        for at in range(2)
    ]
    goal = draw(st.sampled_from(["always", "never", "eventually"]))
    asked = draw(
        st.sampled_from(["sum is 0", "seen is 0", "sum is seen", "sum is 1 and seen is 0"])
    )
    return SEVERAL.format(clauses="\n\n".join(clauses), goal=goal, asked=asked)


SEVERAL = """
game "Several choose"
players 2 or more
scope players 2, stack 1
start decide(active)

zones
  stack last in first out

state
  leader  : player
  sum     : 0 to 1
  seen    : 0 to 1
  turn_of : 0 to 1

stage decide(holder: player)
  priority holder

{clauses}

claims
  possible asked
    for some player p: p can enforce {goal} ({asked})
"""


@given(moves_of_several(), st.sampled_from([2, 3]))
@tries(100)
def test_who_chooses_after_another_chooses_alone(rules: str, players: int) -> None:
    """What others choose after a choice of the coalition, in a move that is not its own, is not
    the coalition's.
    """
    program = load(Source("several.rules", rules))
    question, scope = property_named(program, "asked"), make_scope(program, players)
    expected = by_reference(program, scope, question)
    assert expected is not None
    for roomy in (True, False):
        assert on_arrays(program, scope, question, roomy=roomy) == expected


@pytest.mark.parametrize(
    ("name", "settings"),
    [("stall", {"triggers": "no", "idle": "passes"}), ("deny_window", {"triggers": "no"})],
)
def test_compiled_code_finds_the_same(name: str, settings: dict[str, str]) -> None:
    program = load_game("stack", settings)
    scope, question = make_scope(program), property_named(program, name)
    found = [
        on_arrays(program, scope, question, roomy=roomy, small=small)
        for roomy in (False, True)
        for small in (0, 1 << 20)
    ]
    assert found == [found[0]] * 4
    assert by_reference(program, scope, question) == found[0]
    assert any(found[0].values())


def test_a_play_has_room_for_choices_that_do_not_matter() -> None:
    program = load(Source("many.rules", MANY_NUMBERS))
    found = decide_compactly(
        program, property_named(program, "asked"), make_scope(program), Meter(), sliced=True
    )
    assert found is not None
    assert found[0].outcome == Outcome.POSSIBLE
    assert found[0].trace is not None
    assert [len(step.move.choices) for step in found[0].trace.steps] == [4, 0]


MANY_NUMBERS = """
game "Many numbers"
source "a test"
players 2
scope players 2, stack 1
start play

zones
  stack last in first out

state
  seen   : 0 to 100
  chosen : 0 to 2

stage play "A plays"
  priority active

  may 1 "choose"
    choose x in 0 to 60
    choose y in 0 to 2
    choose u in 0 to 2
    choose z in 0 to 2
    seen := x
    chosen := z
    go play

  may 2 "pass"
    pass
    game over

claims
  possible asked
    for some player p: p can enforce eventually (game is over and chosen is 2)
"""


def test_a_budget_ends_the_search_and_tells_how_far_it_came() -> None:
    program = load_game("mtg")
    question = property_named(program, "stall")
    found = decide_compactly(
        program, question, make_scope(program), Meter(Budget(positions=500)), sliced=True
    )
    assert found is not None
    decision, counts = found
    assert (decision.outcome, decision.reason) == (
        Outcome.UNKNOWN,
        "the bound of 500 positions was reached",
    )
    assert 500 < counts.positions < 3000
    assert counts.layers > 1


def test_a_game_with_more_decisions_than_edges_have_room_for_is_not_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = load_game("stack")
    question = property_named(program, "deny_window")
    monkeypatch.setattr(arena_module, "MOST_NODES", 40_000)
    found = decide_compactly(program, question, make_scope(program), Meter(), sliced=True)
    assert found is not None
    assert (found[0].outcome, found[0].reason) == (
        Outcome.UNKNOWN,
        "a game between players may have 40,000 positions and decisions",
    )
    assert found[1].positions < 40_000


def read(rules: str) -> tuple[ir.Program, f.Property]:
    program = load(Source("game.rules", rules))
    return program, property_named(program, "asked")


def test_a_play_is_told_of_moves_with_more_choices_than_a_word_has_room_for() -> None:
    """The slice has none of these choices; the play is told with all that is in the game."""
    program, question = read(
        MANY_CHOICES.format(
            'either "less"\n      left := 0\n    or "more"\n      left := 1\n    ' * 10
        )
    )
    found = decide_compactly(program, question, make_scope(program), Meter(), sliced=True)
    assert found is not None
    assert found[0].outcome == Outcome.IMPOSSIBLE
    assert found[0].trace is not None
    replay(Interpreter(program, make_scope(program)), found[0].trace, question)


def test_where_a_whole_position_has_more_moves_than_can_be_told_the_graph_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(definite, "MOST_WAYS", 1 << 60)
    program, question = read(
        MANY_CHOICES.format("\n    ".join(f"choose n{at} in 0 to 99" for at in range(4)))
    )
    assert decide_compactly(program, question, make_scope(program), Meter(), sliced=True) is None


@pytest.mark.parametrize(
    ("goal", "outcome"),
    [("eventually stack is empty", Outcome.POSSIBLE), ("never stack is empty", Outcome.IMPOSSIBLE)],
)
def test_what_is_decided_when_the_play_begins_is_so_wherever_it_goes(
    goal: str, outcome: Outcome
) -> None:
    program, question = read(ALL_AT_ONCE.replace("never size of stack is 2", goal))
    for decide in (decide_enforced, decide_on_graph):
        decision, _ = decide(program, question, make_scope(program), Meter(), sliced=True)
        assert (decision.outcome, decision.reason) == (outcome, "")


def test_a_graph_that_was_not_finished_says_less(monkeypatch: pytest.MonkeyPatch) -> None:
    program, question = read(LONG_WAY)
    scope = make_scope(program)
    short, graph = decide_on_graph(
        program, question, scope, Meter(Budget(positions=20)), sliced=True
    )
    assert graph.stopped
    assert (short.outcome, short.reason) == (Outcome.POSSIBLE, WITHIN)
    monkeypatch.setattr(decide_module, "decide_on_graph", lambda *_, **__: (short, graph))
    decision, _ = decide_enforced(program, question, scope, Meter(), sliced=True)
    assert (decision.outcome, decision.reason) == (Outcome.POSSIBLE, "")


@pytest.mark.parametrize("positions", [1, 3, 10, 40, None])
def test_what_others_prevent_is_told_where_the_graph_was_looked_at(positions: int | None) -> None:
    program, question = read(PREVENTED)
    decision, graph = decide_on_graph(
        program, question, make_scope(program), Meter(Budget(positions=positions)), sliced=True
    )
    assert bool(graph.stopped) == (positions is not None)
    if positions != 1:
        assert decision.outcome == Outcome.IMPOSSIBLE
        assert decision.trace is not None
        replay(Interpreter(program, make_scope(program)), decision.trace, question)


def test_where_every_play_goes_beyond_the_scope_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "beyond.rules"
    path.write_text(ALL_AT_ONCE)
    for engine in ("reference", "explicit"):
        verdict = check(str(path), "asked", engine=engine)
        assert verdict.outcome == Outcome.UNKNOWN
        assert verdict.reason == ALL_BEYOND


HEAD = """
game "A small game"
source "a test"
players 2
start play
"""
SPELLS = f"""{HEAD}
scope players 2, stack 1

items
  spell "spell"

zones
  stack last in first out
"""
ALL_AT_ONCE = f"""{SPELLS}
stage play "A plays"
  priority active

  may 1 "cast two"
    put spell on stack
    put spell on stack
    go play

claims
  possible asked
    for some player p: p can enforce never size of stack is 2
"""

MANY_CHOICES = f"""{HEAD}
state
  due : flag
  left : 0 to 1

stage play "A plays"
  priority active

  may 1 "choose much"
    {{}}
    go play

claims
  impossible asked
    for some player p: p can enforce eventually due
"""
LONG_WAY = f"""{SPELLS}
state
  count : 0 to 60
  due : flag

stage play "A plays"
  priority active

  may 1 "take the long way"
    count += 1
    if count is 60
      due := yes
    go play

  may 2 "let the other choose"
    go choose

stage choose "B chooses"
  may 3 "do it, or more than there is room for"
    by after active
    either "it is done"
      due := yes
    or "too much"
      put spell on stack
      put spell on stack
    go play

claims
  possible asked
    assuming others act only finitely often
    for some player p: p can enforce eventually due
"""
PREVENTED = f"""{HEAD}
state
  count : 0 to 60
  due : flag

stage play "the cards play"
  chance 1 "take the long way"
    count += 1
    go play

  chance 2 "stay"
    go play

claims
  impossible asked
    for some player p: p can enforce eventually due
"""
