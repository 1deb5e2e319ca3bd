"""Causes are true: what is named as the cause of something has made it so, what suffices suffices,
and what always clears it does.

Held to plays at random of rulesets at random, by the reference interpreter alone: each part is
asked again, before and after.
"""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.position import OVER, Position, SpotlitItem, Trace, TraceStep
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named
from stacklaw.reports.plays.annotated import AnnotatedTrace, seat_name
from stacklaw.reports.plays.branches import BranchesTaken
from stacklaw.reports.plays.explain import explain
from stacklaw.reports.plays.origins import atoms_of, clears, only_variable, with_origin
from stacklaw.reports.plays.passages import passages_of
from stacklaw.reports.plays.play import Finding, Play, Spared
from stacklaw.reports.plays.reasons import deciding_parts
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_ruling

from ..luck import tries
from ..rulesets import SPELLS, properties_in
from ..strategies_ir import SPOTLIGHTS, conditions, formulas, programs

SIZES = (("stack", 3), ("queue", 2), ("pool", 2))


@st.composite
def annotated(draw: st.DrawFn) -> AnnotatedTrace:
    """Return a play at random of a ruleset at random, with some of its items and players in the
    spotlight.
    """
    program, scope = draw(programs()), Scope(draw(st.integers(2, 3)), SIZES)
    trace = simulate(program, scope, draw(st.integers(0, 10_000)), draw(st.integers(1, 25)))
    return AnnotatedTrace(
        BranchesTaken(program, scope),
        Trace(trace.initial, trace.steps, draw(_spotlights(trace, scope))),
    )


@st.composite
def _spotlights(
    draw: st.DrawFn, trace: Trace, scope: Scope
) -> tuple[tuple[str, int | SpotlitItem], ...]:
    put = [
        SpotlitItem(event.item, moment, number)
        for moment, step in enumerate(trace.steps, 1)
        for number, event in enumerate(step.move.events)
        if event.kind == "put" and event.item is not None
    ]
    items = list(zip("ij", draw(st.permutations(put))[:2], strict=False)) if put else []
    return (*items, ("p", draw(st.integers(0, scope.players - 1))))


def is_so(told: AnnotatedTrace, expr: ir.Expr, position: Position) -> bool | None:
    """Return whether *expr*, of players by their names, is so in *position*, by the interpreter
    alone; None if it cannot be asked.
    """
    seats = range(told.interpreter.scope.players)
    try:
        return bool(
            told.interpreter.evaluate(expr, tuple(seat_name(seat).name for seat in seats))(
                position, tuple(seats)
            )
        )
    except (IndexError, TypeError, RuntimeError):
        return None


@tries(100)
@given(annotated(), conditions("holder"), st.data())
def test_an_atom_is_made_so_by_the_move_that_is_named(
    told: AnnotatedTrace, condition: ir.Expr, data: st.DataObject
) -> None:
    positions = told.trace.positions
    moment = data.draw(st.integers(0, told.last))
    closed = told.closed(condition, moment)
    if closed is None or positions[moment].stage == OVER:
        return
    atoms = list(atoms_of(told, closed, moment))
    for atom, holds in atoms:
        assert is_so(told, atom, positions[moment]) is holds
        found = with_origin(told, Finding("", True), f.Holds(atom), moment)
        assert found.since is not None
        assert all(
            is_so(told, atom, positions[at]) is holds for at in range(found.since, moment + 1)
        )
        assert found.since == 0 or is_so(told, atom, positions[found.since - 1]) is not holds
        until = told.last if found.until is None else found.until
        assert until >= moment
        assert all(is_so(told, atom, positions[at]) is holds for at in range(moment, until + 1))
        assert until == told.last or is_so(told, atom, positions[until + 1]) is not holds
    truth = is_so(told, closed, positions[moment])
    others = simulate(
        told.program, told.interpreter.scope, data.draw(st.integers(0, 10_000)), 100
    ).positions
    for position in (*positions, *others):
        if all(is_so(told, atom, position) is holds for atom, holds in atoms):
            assert is_so(told, closed, position) is truth, "the atoms do not suffice"


@tries(60)
@given(annotated(), formulas(SPOTLIGHTS), st.sampled_from([Outcome.VIOLATED, Outcome.POSSIBLE]))
def test_a_part_of_a_formula_is_as_it_is_said_to_be(
    told: AnnotatedTrace, formula: f.Formula, outcome: Outcome
) -> None:
    names = {name for name, _ in told.trace.spotlights} | {
        node.variable for node in ir.walk(formula) if isinstance(node, ir.Exists)
    }
    if not {node.name for node in ir.walk(formula) if isinstance(node, ir.Local)} <= names:
        return
    truth = Evaluator(told.interpreter, told.trace)
    mode: Literal["always", "possible"] = "always" if outcome is Outcome.VIOLATED else "possible"
    question = f.Property("random", "", "", mode, SPOTLIGHTS, formula, None, "")
    for part in deciding_parts(told, question):
        assert part.finding.moment in (None, part.moment)
        if part.finding.since is None:
            continue
        now = truth.holds(part.formula, part.moment)
        since, until = (
            part.finding.since,
            told.last if part.finding.until is None else part.finding.until,
        )
        assert since <= part.moment <= until
        assert all(truth.holds(part.formula, at) is now for at in range(since, until + 1))
        assert since == 0 or truth.holds(part.formula, since - 1) is not now
    assert_told(
        explain(
            Verdict(
                told.program,
                question,
                outcome,
                told.interpreter.scope,
                Counts(0, 0, 0, 0),
                told.trace,
            )
        )
    )


def assert_told(play: Play | None) -> None:
    """Hold the passages of *play* to its moves: all are there, in order, and no decision and no
    move that is named is lost in one.
    """
    assert play is not None
    passages = passages_of(play)
    assert tuple(moment for passage in passages for moment in passage.moments) == play.moments
    heads = {passage.head.number for passage in passages}
    assert play.cited <= heads
    ends = {passage.end.number for passage in passages}
    assert play.shown <= ends
    assert passages[-1].moments == play.moments[-1:] or not play.conclusion
    for passage in passages:
        decided = [moment for moment in passage.moments if moment.decision]
        match passage.kind:
            case "round":
                assert [moment.decision for moment in decided] == ["passes"] * play.players
                assert len({moment.seat for moment in decided}) == play.players
                assert not play.cited & {moment.number for moment in decided}
            case "move" | "start":
                assert [moment for moment in decided if moment is not passage.head] == []
        for moment in passage.moments:
            assert moment.clause in (*passage.clauses, passage.clause)


@tries(60)
@given(annotated(), st.data())
def test_what_always_clears_something_does(told: AnnotatedTrace, data: st.DataObject) -> None:
    seat = seat_name(data.draw(st.integers(0, told.interpreter.scope.players - 1)))
    marked = ir.Contains(ir.Variable("passed"), seat)
    atoms: list[ir.Expr] = [
        marked,
        ir.Not(marked),
        ir.Equal(ir.Variable("marked"), seat),
        ir.Variable("due"),
    ]
    atom = data.draw(st.sampled_from(atoms))
    variable = only_variable(atom)
    assert variable is not None
    for moment, position in enumerate(told.trace.positions):
        if position.stage == OVER:
            continue
        for clause in told.program.stage(position.stage).clauses:
            if clears(told, clause, variable, f.Holds(atom), moment):
                for move, after in told.interpreter.moves(position).moves:
                    if move.clause == clause.id:
                        assert is_so(told, atom, after) is not is_so(told, atom, position)


# ------------------------------------------ one ruleset, in which one action is not like the others

UNLIKE = f"""\
game "One action leaves the passes"
players 2
scope players 2, stack 1
start decide(active)
{SPELLS}
state
  passed : players  "who has passed"
  turns : 0 to 2

term all_have_passed means every p in players satisfies p in passed

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)

  may 2 "look at a card"
    go decide(holder)

  may 3 "flip a coin"
    either "heads"
      passed := none
    or "tails"
      passed := everyone but after holder
    go decide(holder)

  may 4 "pass"
    pass
    passed += holder
    go passing(holder)

stage passing(passer: player) "a player has passed"

  must 5 "the next player has priority"
    when not all_have_passed
    go decide(after passer)

  must 6 "the round is over"
    when all_have_passed
    passed := none
    choose next in players by passer
    go decide(next)
"""
NEVER = (
    "for every player p: never (clause 6 and not p passes and not previously previously p passes)"
)


def unlike(rules: str = UNLIKE) -> Play:
    program = load(Source("unlike.rules", rules))
    (question,) = properties_in(
        Source("a.props", f'property asked "asked"\n  why "to see"\n  {NEVER}\n'), program
    )
    interpreter = Interpreter(program, Scope(2, (("stack", 1),)))
    position, steps = interpreter.initial(), []
    for clause in "45246":
        move, position = next(
            pair for pair in interpreter.moves(position).moves if pair[0].clause == clause
        )
        steps.append(TraceStep(move, position))
    trace = Trace(interpreter.initial(), tuple(steps), (("p", 0),))
    play = explain(
        Verdict(program, question, Outcome.VIOLATED, interpreter.scope, Counts(0, 0, 0, 0), trace)
    )
    assert play is not None
    return play


def test_the_pass_that_still_counts_is_named_and_what_leaves_it() -> None:
    (ground,) = unlike().grounds
    assert (ground.moment, ground.clause, ground.condition) == (5, "6", "all_have_passed")
    a, b = ground.parts
    assert (a.text, a.since, a.passer, b.text, b.since) == ("A in passed", 1, "A", "B in passed", 4)
    assert a.spared == (Spared(3, "2", "look at a card", clear=1, others=2),)
    told = plain(render_ruling(unlike()), 200)
    assert (
        "6 the round is over (move 5), because all_have_passed: A in passed since move 1, B in "
        "passed since move 4." in told
    )
    assert (
        "A's pass (move 1) still counts: 2 look at a card (move 3), in between, leaves it, though "
        "1 of 2 other actions there clears it." in told
    )


def test_every_other_action_is_said_only_where_every_other_does() -> None:
    always = UNLIKE.replace("passed := everyone but after holder", "passed := none")
    assert "leaves it, though every other action there clears it." in plain(
        render_ruling(unlike(always)), 200
    )
    none = UNLIKE.replace(
        "    put spell on stack\n    passed := none\n", "    put spell on stack\n"
    )
    assert "(move 3), in between, leaves it." in plain(render_ruling(unlike(none)), 200)


COIN = """\
    either "heads"
      passed := none
    or "tails"
      passed := everyone but after holder
    go decide(holder)
"""


@pytest.mark.parametrize(
    ("body", "clear"),
    [
        ("    passed := everyone\n    passed := none\n    go decide(holder)\n", 2),
        ("    passed := none\n    passed += after holder\n    go decide(holder)\n", 1),
        (
            "    if stack is empty\n      go decide(holder)\n    passed := none\n    go "
            "decide(holder)\n",
            1,
        ),
        (
            "    if stack is empty\n      passed := none\n      go decide(holder)\n    passed := "
            "none\n    go decide(holder)\n",
            2,
        ),
        ("    maybe\n      passed := none\n    go decide(holder)\n", 1),
        ("    passed := none\n    if stack is empty\n      game over\n    go decide(holder)\n", 2),
    ],
)
def test_an_action_clears_something_if_each_way_through_it_does(body: str, clear: int) -> None:
    (ground,) = unlike(UNLIKE.replace(COIN, body)).grounds
    assert [(one.clear, one.others) for part in ground.parts for one in part.spared] == [(clear, 2)]


def test_whom_a_player_chooses_is_told_be_it_themselves() -> None:
    (*_, last) = unlike().moments
    assert (last.choices, last.decision) == (
        ("A chooses A.",) if last.mover == "A" else ("B chooses A.",),
        "acts",
    )


def test_what_has_no_title_is_bookkeeping_and_so_is_that_who_passes_has_passed() -> None:
    moments = unlike().moments
    assert [change.bookkeeping for change in moments[1].changes] == [True]
    assert [change.bookkeeping for change in moments[5].changes] == [False]
    play = unlike()
    assert [passage.numbers for passage in passages_of(play)] == ["0", "1-2", "3", "4", "5"]


def test_a_play_of_47_moves_fits_on_a_screen() -> None:
    program = load_game("fow")
    (verdict,) = check(
        program,
        [property_named(program, "window_in_every_step")],
        make_scope(program),
        engine=engine_named("explicit"),
    )
    play = explain(verdict)
    assert play is not None
    assert (len(play.moments) - 1, sum(bool(moment.decision) for moment in play.moments)) == (
        47,
        14,
    )
    assert (
        plain(render_ruling(play), 78).count("\n")
        <= 40
        < plain(render_ruling(play, full=True), 78).count("\n")
    )
    assert_told(play)
