"""What is possible in a position, both ways: what the encoding is sure of the interpreter has, and
what the interpreter has it may have.

Where nothing is forgotten they are equal. The interpreter is given room for every move, so nothing
here depends on what a scope cuts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import simulate
from stacklaw.checker.symbolic.encoding import statements
from stacklaw.checker.symbolic.encoding.encode import Precision, encoding
from stacklaw.checker.symbolic.encoding.formulas import (
    EncodedMoment,
    EncodedMonitor,
    EncodedPosition,
    options,
)
from stacklaw.checker.symbolic.position.frame import SymbolicFrame
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.types.position import OVER, Item
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..explicit.test_following import games
from ..luck import tries
from ..rulesets import MARKS, ONE_PASS
from ..strategies_ir import SPOTLIGHTS, programs
from .plays import Shadow, spotlit_plays
from .rich import WATCHED, rich_programs
from .test_false_proofs import ALIKE, ANYBODY, COUNTER, EITHER, REACHED, TWO
from .test_plays import PRECISIONS, question

ROOM = 12
"""This many items find room on every zone: more than a play of the tests has, and all that one move
may add.
"""
EXACT = Precision(seats=True, attributes=True, counts=True, listed=4)
"""It lists more items than are on any zone after a move from two. With a fixed number of players
such an encoding forgets nothing.
"""


def questions(program: ir.Program, spotlights: tuple[f.Spotlight, ...]) -> tuple[f.Formula, ...]:
    """Return all that can be asked of what is possible, in words of *program* and *spotlights*."""
    seats: list[ir.Expr] = [
        ir.Variable(ir.ACTIVE),
        *(ir.Local(one.name) for one in spotlights if one.kind == "player"),
    ]
    able = [f.Enabled(who, "act") for who in (None, *seats)] + [
        f.Enabled(who, "pass") for who in (None, *seats)
    ]
    return (
        *able,
        *(f.ClausePossible(clause.id) for _, clause in program.clauses),
        f.Gap(),
        f.Conflict(),
    )


@dataclass
class Both:
    """What the encoding and the interpreter say of *asked*, a row of questions, in the positions of
    a play.
    """

    shadow: Shadow
    asked: tuple[f.Formula, ...]

    def at(self, moment: int) -> Iterator[tuple[f.Formula, t.Bool, t.Bool, bool]]:
        """Yield each question, what is known of the position, what the encoding says there, and
        what the interpreter does.
        """
        stage, encoded = self.shadow.play.positions[moment].stage, self.shadow.encoding
        frame = encoded.layout.frame(stage)
        here = EncodedPosition(frame, stage, tuple(frame.locals.values()))
        _ = EncodedMonitor(f.Gap()).truth(EncodedMoment(here))
        known = len(here.frame.facts)
        is_cell = [
            cell == value
            for cell, value in zip(encoded.layout.constants(stage), self.cells(moment), strict=True)
        ]
        for one in self.asked:
            del frame.facts[known:]
            here.options[0].is_asked = False  # each question is asked by itself
            said = EncodedMonitor(one).truth(EncodedMoment(here))
            yield (
                one,
                t.all_of([*frame.facts, *is_cell]),
                said,
                self.shadow.evaluator.holds(one, moment),
            )

    def cells(self, moment: int) -> tuple[t.Term, ...]:
        """Return the cells of the position, those of its listed items among them."""
        position, context = self.shadow.play.positions[moment], self.shadow.context
        known: dict[str, t.Term] = {}
        for zone, items in zip(self.shadow.interpreter.program.zones, position.zones, strict=True):
            in_order = items if zone.order == "fifo" else items[::-1]
            for number, item in enumerate(in_order[: context.listed]):
                known |= self.of_item(zone.name, number, item)
        return tuple(known.get(str(cell), cell) for cell in self.shadow.cells(moment))

    def of_item(self, zone: str, number: int, item: Item) -> dict[str, t.Term]:
        """Return the cells of the item at place *number* of *zone*."""
        return {
            f"{name} of item {number} of {zone}": self.shadow.attribute(item, name)
            for name in self.shadow.context.asked
        }

    def answers(self) -> Iterator[tuple[f.Formula, bool, set[bool]]]:
        """Yield each question with what the interpreter answers, and all that the encoding may
        answer.
        """
        for moment, position in enumerate(self.shadow.play.positions):
            if position.stage == OVER:
                return
            for one, known, said, there in self.at(moment):
                possible = {
                    answer
                    for answer in (True, False)
                    if ask(t.both(known, said if answer else t.negation(said))) != z3.unsat
                }
                yield one, there, possible


def ask(query: t.Bool) -> z3.CheckSatResult:
    """Return what a solver says of *query*; a query not decided within the units may be
    satisfiable.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", 1_000_000)
    solver.add(query)
    return solver.check()


def both(
    program: ir.Program,
    precision: Precision,
    spotlights: tuple[f.Spotlight, ...],
    players: int,
    pick: int,
    moves: int = 3,
) -> Both:
    """Return what there is to compare along a play of *program*, made by *pick*."""
    wanted = questions(program, spotlights)
    encoded = encoding(program, question(f.Not(f.And(wanted)), spotlights), precision)
    play = simulate(
        program, make_scope(program, players, {zone.name: 2 for zone in program.zones}), pick, moves
    )
    play = spotlit_plays(play, spotlights, players, pick)
    roomy = Interpreter(
        program, make_scope(program, players, {zone.name: ROOM for zone in program.zones})
    )
    return Both(Shadow(encoded, roomy, play), wanted)


@pytest.mark.slow
@given(st.data())
@tries(8)
def test_what_is_possible_in_random_programs(data: st.DataObject) -> None:
    program = data.draw(st.one_of(programs(), games(), rich_programs(), rich_programs()))
    players = data.draw(st.sampled_from([2, 3, 4]))
    if data.draw(st.booleans()):
        program = replace(program, players=(players, players))
    spotlights = data.draw(
        st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1] + SPOTLIGHTS[2:], WATCHED[1:]])
    )
    precision = data.draw(st.sampled_from(PRECISIONS))
    try:
        compared = both(program, precision, spotlights, players, data.draw(st.integers(0, 10_000)))
        for one, there, possible in compared.answers():
            assert there in possible, one
    except UnsupportedError:
        return


LOOK = '  may 2 "look"\n    when count is 2\n    go decide(holder)\n'


@pytest.mark.slow
@pytest.mark.parametrize("rules", [ONE_PASS, MARKS, COUNTER + LOOK, TWO, REACHED], ids=range(5))
@pytest.mark.parametrize("players", [2, 3])
def test_where_nothing_is_forgotten_both_have_the_same(rules: str, players: int) -> None:
    """Whether clauses conflict is the one question of which the encoding is sure only that they do
    not.

    Where conditions bind what is chosen, which these games have not, it leaves open whether any
    choice meets them.
    """
    program = replace(load(Source("a.rules", rules), {}), players=(players, players))
    compared = both(program, EXACT, SPOTLIGHTS[2:], players, players)
    answers = list(compared.answers())
    assert answers
    for one, there, possible in answers:
        assert there in possible, one
        assert isinstance(one, f.Conflict) or len(possible) == 1, one


@pytest.mark.parametrize("rules", [ANYBODY, EITHER, ALIKE], ids=range(3))
def test_where_conditions_bind_what_is_chosen_the_answer_is_among_those_of_the_encoding(
    rules: str,
) -> None:
    program = replace(load(Source("a.rules", rules), {}), players=(3, 3))
    answers = list(both(program, EXACT, SPOTLIGHTS[2:], 3, 3).answers())
    assert any(len(possible) == 1 for _, _, possible in answers)
    for one, there, possible in answers:
        assert there in possible, one


def test_a_contradiction_on_a_way_that_is_not_open_rules_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is known of a way says nothing where it is not open: there the position stays, and so do
    the other ways.
    """
    program = load(Source("a.rules", COUNTER + GUARDED), {})
    real = statements._assign

    def contradicting(assign: ir.Assign, frame: SymbolicFrame) -> None:
        if assign.value == ir.Literal(2):
            frame.assume(t.FALSE)
        real(assign, frame)

    monkeypatch.setattr(statements, "_assign", contradicting)
    for precision in PRECISIONS:
        compared = both(program, precision, (), 2, 0)
        open_at = [
            moment
            for moment, position in enumerate(compared.shadow.play.positions)
            if position.zones[0]
        ]
        assert not open_at
        for one, there, possible in compared.answers():
            assert there in possible, one


GUARDED = '  may 7 "set"\n    when stack is not empty\n    count := 2\n    go decide(holder)\n'


def test_what_is_possible_is_asked_once_a_stage_beside_what_is_asked_of_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What each position allows is long to say; a conjunct about moves does not have it said of
    each move that leads there.
    """
    asked: list[str] = []

    def counted(stage: ir.Stage, *rest: object) -> object:
        asked.append(stage.name)
        return options(stage, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("stacklaw.checker.symbolic.encoding.formulas.options", counted)
    program = load(
        Source(
            "one_pass.rules",
            f"""{ONE_PASS}
claims
  holds both
    for every player p:
      always ((p has priority implies p may pass) and (p acts implies size of stack < 2)
        and not (p may act and not p has priority))
""",
        )
    )
    system = encoding(program, property_named(program, "both"), EXACT).system()
    assert len(asked) == len(set(asked))
    assert {breach.source for breach in system.of_stages} == {"decide"} < set(asked)
    assert any(not t.is_false(rule.bad) for rule in system.rules)
