"""What a plan says of a play, folded in the simplest way, is what the definition says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Trace, TraceStep
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.watching.plan import (
    FALSE,
    And,
    Atom,
    Before,
    Bit,
    Gone,
    New,
    Not,
    Old,
    Or,
    Plan,
    Said,
    asked_in,
    lasting,
    plan,
)
from stacklaw.properties import formula as f
from stacklaw.properties.formula import speaks_of

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from ..symbolic.plays import spotlit_plays

LONGEST = 10
OVER, GAP = f.GameIsOver(), f.Gap()
ON, LEAVES = f.On("i", "stack"), f.ItemEvent("leaves", "i", "stack")
PASSES, USES = f.PlayerEvent("passes", None), f.Uses("1.1")


def nothing(_: f.Formula) -> bool:
    return False


def at_hand(part: f.Formula) -> bool:
    return not speaks_of(part, "move", "past")


def not_enabled(part: f.Formula) -> bool:
    return not speaks_of(part, "move", "past", "enabled")


# ------------------------------------------------------------------ by hand


def test_once() -> None:
    """It is remembered, and can become true as long as what it is about can."""
    bit = Bit(f.Once(ON), Or((Atom(ON), Old(0))))
    assert plan(f.Once(ON)) == Plan((), (), (), (bit,), New(0), And((Gone("i"), Not(New(0)))))


def test_previously() -> None:
    """Its truth is the bit that the move before has left."""
    assert plan(f.Previously(USES)) == Plan(
        (), ("1.1",), (), (Bit(f.Previously(USES), Atom(USES)),), Old(0), And((FALSE, Not(New(0))))
    )


def test_since() -> None:
    """It begins with its right side, and goes on while its left side holds."""
    formula = f.Since(f.Not(LEAVES), USES)
    bit = Bit(formula, Or((Atom(USES), And((Not(Atom(LEAVES)), Old(0))))))
    never = And((FALSE, Or((Not(New(0)), FALSE))))
    assert plan(formula) == Plan((LEAVES,), ("1.1",), (), (bit,), New(0), never)


def test_what_is_inside_comes_first() -> None:
    inner = f.Previously(LEAVES)
    formula = f.Since(f.Once(ON), inner)
    bits = (
        Bit(f.Once(ON), Or((Atom(ON), Old(0)))),
        Bit(inner, Atom(LEAVES)),
        Bit(formula, Or((Old(1), And((New(0), Old(2)))))),
    )
    never = And((And((Gone("i"), Not(New(1)))), Or((Not(New(2)), And((Gone("i"), Not(New(0))))))))
    assert plan(formula) == Plan((LEAVES,), (), (), bits, New(2), never)


def test_when_all_is_lost_or_won() -> None:
    """Of `and` one part is enough to be hopeless, of `or` it takes all; what is sure for ever is
    hopeless if it is denied.
    """
    assert plan(f.And((ON, LEAVES))).never == Or((Gone("i"), Gone("i")))
    assert plan(f.Or((ON, LEAVES))).never == And((Gone("i"), Gone("i")))
    assert plan(f.Not(f.Once(USES))).never == Or((New(0), FALSE))
    assert plan(f.Not(f.And((f.Once(USES), OVER)))).never == And((Or((New(0), FALSE)), FALSE))
    assert plan(f.Not(f.Or((f.Once(USES), OVER)))).never == Or((Or((New(0), FALSE)), FALSE))
    assert plan(f.Not(f.Previously(f.Not(ON)))).never == And((Gone("i"), New(0)))
    assert plan(f.Not(f.Since(OVER, f.Not(ON)))).never == Gone("i")
    assert plan(f.ItemEvent("leaves", None, "stack")).never == FALSE


def test_the_position_left_takes_no_bit() -> None:
    formula = f.And((f.Previously(f.Not(OVER)), f.Previously(PASSES), f.Previously(ON)))
    of = plan(formula, at_hand)
    assert of.before == (Not(Atom(OVER)), Atom(ON))
    assert of.bits == (Bit(f.Previously(PASSES), Atom(PASSES)),)
    assert of.truth == And((Before(0), Old(0), Before(1)))
    assert of.never == Or((FALSE, And((FALSE, Not(New(0)))), FALSE))


def test_equal_parts_share_a_bit_where_that_is_asked_for() -> None:
    formula = f.Or((f.Once(ON), f.Not(f.Once(ON))))
    assert plan(formula).truth == Or((New(0), Not(New(1))))
    assert plan(formula, shares=True).truth == Or((New(0), Not(New(0))))
    assert len(plan(formula, shares=True).bits) == 1
    assert len(plan(f.Or((f.Once(ON), f.Once(LEAVES))), shares=True).bits) == 2


def test_what_may_not_last_is_the_last_bit() -> None:
    of = plan(lasting(f.And((f.Once(ON), PASSES))))
    assert of.truth == New(len(of.bits) - 1) == New(1)
    assert of.bits[-1].update == Or((And((New(0), Atom(PASSES))), And((FALSE, Old(1)))))


def test_what_is_asked_for() -> None:
    of = plan(f.And((f.Not(PASSES), f.Once(GAP), f.Or((ON, f.Previously(OVER))))), at_hand)
    assert list(asked_in(of.truth)) == [Atom(PASSES), New(0), Atom(ON), Before(0)]
    assert list(asked_in(*of.before, of.never)) == [Atom(OVER), Not(New(0)).operand, Gone("i")]


# ------------------------------------------------------------------ along random plays


class Fold:
    """A plan along a play whose leaves the definition answers: its truth, its bits and whether it
    is hopeless, moment by moment.
    """

    def __init__(self, of: Plan, evaluator: Evaluator) -> None:
        self.plan, self.evaluator = of, evaluator
        self.old, self.new = [False] * len(of.bits), list[bool]()

    def step(self, moment: int) -> tuple[bool, list[bool], bool]:
        self.new = []
        for bit in self.plan.bits:
            self.new.append(self.says(bit.update, moment))
        answer = self.says(self.plan.truth, moment), self.new, self.says(self.plan.never, moment)
        self.old = self.new
        return answer

    def says(self, said: Said, moment: int) -> bool:
        match said:
            case Not(operand):
                return not self.says(operand, moment)
            case And(parts):
                return all(self.says(part, moment) for part in parts)
            case Or(parts):
                return any(self.says(part, moment) for part in parts)
            case Before(number):
                return moment > 0 and self.says(self.plan.before[number], moment - 1)
            case Old(number):
                return self.old[number]
            case New(number):
                return self.new[number]
            case Gone(item):
                return (
                    self.evaluator._seen(item, moment)
                    and self.evaluator._item_place(item, moment) is None
                )
            case Atom(leaf):
                assert not isinstance(leaf, f.Past)
                return self.evaluator.holds(leaf, moment)
            case _:
                assert_never(said)


WAYS: list[tuple[Callable[[f.Formula], bool], bool]] = [
    (nothing, False),
    (at_hand, False),
    (not_enabled, True),
]


def random_play(data: st.DataObject, interpreter: Interpreter) -> Trace:
    play = Trace(interpreter.initial(), ())
    for choice in data.draw(st.lists(st.integers(0, 11), min_size=4, max_size=LONGEST)):
        moves = interpreter.moves(play.positions[-1]).moves
        if not moves:
            break
        move, target = moves[choice % len(moves)]
        play = Trace(play.initial, (*play.steps, TraceStep(move, target)))
    return play


@given(st.data())
@tries(60)
def test_plans_say_what_the_definition_says(data: st.DataObject) -> None:
    """Of the formula, and of all that is remembered; and what is hopeless becomes true at no later
    moment of the play.
    """
    program = data.draw(programs())
    interpreter = Interpreter(program, make_scope(program, 2, {"stack": 2, "queue": 2, "pool": 2}))
    for _ in range(3):
        play = random_play(data, interpreter)
        for _ in range(4):
            spotlights = data.draw(
                st.sampled_from([SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:2], SPOTLIGHTS[2:], ()])
            )
            formula = data.draw(formulas(spotlights))
            evaluator = Evaluator(
                interpreter, spotlit_plays(play, spotlights, 2, data.draw(st.integers(0, 500)))
            )
            for looks_at, shares in WAYS:
                agree(
                    plan(formula, looks_at, shares=shares),
                    formula,
                    evaluator,
                    [one.name for one in spotlights if one.kind == "item"],
                )


def agree(of: Plan, formula: f.Formula, evaluator: Evaluator, items: list[str]) -> None:
    """Hold the plan *of* a formula against the definition, at every moment of the evaluator's
    play.
    """
    fold, hopeless = Fold(of, evaluator), False
    for moment in range(len(evaluator.positions)):
        truth, bits, never = fold.step(moment)
        assert truth == evaluator.holds(formula, moment)
        for bit, value in zip(of.bits, bits, strict=True):
            source = bit.source.operand if isinstance(bit.source, f.Previously) else bit.source
            assert value == evaluator.holds(source, moment)
        assert not (hopeless and truth)
        hopeless = hopeless or (never and all(evaluator._seen(item, moment) for item in items))
