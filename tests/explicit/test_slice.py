"""A slice loses nothing: positions that are alike have alike successors, and what is looked for is
found at the same depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.emit.emit import emit, emit_watched
from stacklaw.checker.explicit.emit.groups import Abstraction, asks_who_chooses, groups_of
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.interpreted import Interpreted
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.semantics.explore import Graph, explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.slicing.needs import Slicer
from stacklaw.checker.slicing.slice import Slice, undropped
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, property_named

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games


def slices_of(program: ir.Program, scope: Scope) -> Iterator[Slice]:
    """Yield the different slices that the catalogue's properties can do with."""
    slicer, known = Slicer(program, scope), set()
    for entry in catalogue():
        if not entry.is_strategy:
            question = property_named(program, entry.name)
            known.add(slicer.slice_for([question.body], question.spotlights))
    yield from sorted(known, key=lambda kept: sorted(kept.parts))


def difference(graph: Graph, program: ir.Program, scope: Scope, kept: Slice) -> str:
    """Return what a search of the slice *kept* sees otherwise than *graph* does, from any of its
    positions; nothing if it is right.
    """
    layout = Layout(program, scope, (), kept)
    emitted = emit(layout)
    undropped(emitted.text)
    run, packed = Interpreted(emitted), [layout.pack(position) for position in graph.positions]
    if run.started(layout.initial()) != packed[:1]:
        return "the start"
    for number in range(graph.expanded):
        run.out[0] = 0
        found = set(run.outputs(packed[number]))
        if found != {packed[target] for _, target in graph.successors(number)} or bool(
            run.out[0]
        ) != bool(graph.cut.get(number, 0)):
            return f"position {number}: {graph.positions[number]}"
    return ""


def check_game(program: ir.Program, scope: Scope, most: int) -> None:
    """Check the slices of *program* from up to *most* positions."""
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=most)))
    for kept in slices_of(program, scope):
        assert not difference(graph, program, scope, kept)


def check_options(game: str, most: int, every: int = 1) -> None:
    """Check the slices of *game* with one in *every* of its options, in its smallest scope."""
    settings_ = [
        (option.name, value) for option in load_game(game).options for value, _ in option.values[1:]
    ]
    for setting in settings_[::every]:
        program = load_game(game, dict([setting]))
        check_game(
            program, make_scope(program, None, {zone.name: 1 for zone in program.zones}), most
        )


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_games(game: str) -> None:
    program = load_game(game)
    check_game(program, make_scope(program), 1000)


@pytest.mark.parametrize("game", game_names())
def test_the_games_with_some_options(game: str) -> None:
    check_options(game, 100, 4)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_games_with_every_option(game: str) -> None:
    check_options(game, 100)


def check_random(program: ir.Program, data: st.DataObject) -> None:
    """Check the slices for some random formulas about *program*."""
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 3])), {"stack": 2, "queue": 2, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=300)))
    slicer = Slicer(program, scope)
    for spotlights in (SPOTLIGHTS, ()):
        formula = data.draw(
            formulas(spotlights).filter(lambda one: not asks_who_chooses(one))
        )  # that is asked of whole positions
        kept = slicer.slice_for([formula], spotlights)
        assert not difference(graph, program, scope, kept)


@given(programs(), st.data())
@tries(60)
def test_random_programs(program: ir.Program, data: st.DataObject) -> None:
    check_random(program, data)


@pytest.mark.slow
@given(games(), st.data())
@tries(40)
def test_random_programs_that_follow_items(program: ir.Program, data: st.DataObject) -> None:
    check_random(program, data)


@pytest.mark.slow
@given(st.one_of(programs(), games()), st.data())
@tries(40)
def test_many_more_random_programs(program: ir.Program, data: st.DataObject) -> None:
    check_random(program, data)


# ------------------------------------------------------------------ what a slice must not lose


def smaller(kept: Slice) -> Iterator[tuple[str, Slice]]:
    """Yield *kept* without one of the things it keeps, each in turn."""
    for name in sorted(kept.variables):
        yield name, replace(kept, variables=kept.variables - {name})
    for parameter in sorted(kept.parameters):
        yield " ".join(parameter), replace(kept, parameters=kept.parameters - {parameter})
    for part in sorted(kept.parts):
        yield " ".join(part), replace(kept, parts=kept.parts - {part})
    if len(set(dict(kept.kinds).values())) > 1:
        first = kept.kinds[0][1]
        yield "kinds", replace(kept, kinds=tuple((kind, first) for kind, _ in kept.kinds))


def is_caught(graph: Graph, program: ir.Program, scope: Scope, kept: Slice) -> bool:
    try:
        return difference(graph, program, scope, kept) != ""
    except (ValueError, KeyError):
        return True


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_nothing_can_be_taken_from_a_slice(game: str) -> None:
    program = load_game(game)
    scope = make_scope(program)
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=3000)))
    kept = Slicer(program, scope).slice_for([f.Gap()], ())
    assert not difference(graph, program, scope, kept)
    missed = [name for name, less in smaller(kept) if not is_caught(graph, program, scope, less)]
    assert not missed


@pytest.mark.parametrize(
    ("formula", "lost"),
    [
        (f.Holds(ir.Variable("due")), "variables"),
        (f.SequenceEvent("begins", ir.TURN), "variables"),
        (f.HasPriority(ir.Variable(ir.ACTIVE)), "parameters"),
        (
            f.Holds(
                ir.Exists(
                    "x",
                    ir.ItemsOn("stack"),
                    ir.Equal(ir.AttributeOf(ir.Local("x"), ir.CONTROLLER), ir.Variable(ir.ACTIVE)),
                )
            ),
            "parts",
        ),
    ],
)
def test_a_formula_cannot_ask_for_what_is_dropped(formula: f.Formula, lost: str) -> None:
    program = load_game("mtg")
    scope = make_scope(program)
    kept = Slicer(program, scope).slice_for([formula], ())
    emit_one(program, scope, formula, kept)
    without = {
        "variables": replace(kept, variables=frozenset()),
        "parameters": replace(kept, parameters=frozenset()),
        "parts": replace(kept, parts=frozenset()),
    }
    with pytest.raises(ValueError, match="slice is too small"):
        emit_one(program, scope, formula, without[lost])


def emit_one(program: ir.Program, scope: Scope, formula: f.Formula, kept: Slice) -> None:
    """Write the text that watches *formula* on *kept*."""
    (group,) = groups_of([(Query(formula, ()), Abstraction(kept))], scope.players)
    emit_watched(program, scope, group)


def test_a_formula_may_ask_in_vain() -> None:
    """In mtg no player ever leaves. The set of those who have left has to be kept all the same, as
    the text asks for it.
    """
    program = load_game("mtg")
    scope = make_scope(program)
    formula = f.Holds(ir.Contains(ir.Variable("gone"), ir.Variable(ir.ACTIVE)))
    emit_one(program, scope, formula, Slicer(program, scope).slice_for([formula], ()))
