"""An unknown kind of statement, expression or formula is refused, everywhere: nothing is sliced
away in silence.

`test_complete_matches` sees to it that the type checker names each such place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import pytest
import z3

from stacklaw.checker.explicit.emit import monitor as monitors
from stacklaw.checker.explicit.emit.emit import emit, emit_watched, layout_of, looks_back
from stacklaw.checker.explicit.emit.enabled import EnabledWriter, is_open
from stacklaw.checker.explicit.emit.groups import (
    Group,
    asked_of_items,
    asks_of_conflicts,
    can_be_rough,
    is_step,
    marked,
    one_by_one,
    step_by_step,
    step_plan,
)
from stacklaw.checker.explicit.emit.watched import WatchHooks
from stacklaw.checker.explicit.moves.dispatch import EmitPoint, first_point, most_moves
from stacklaw.checker.explicit.moves.hooks import MoveHooks
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.moves.moves import ClauseWriter
from stacklaw.checker.explicit.moves.state import Module, Reading
from stacklaw.checker.prover import concretise
from stacklaw.checker.questions.questions import Query, all_queries, goes_on, puts_without_end
from stacklaw.checker.reference.formulas import evaluate, watch
from stacklaw.checker.reference.formulas import watch as classes
from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.formulas.monitor import Monitor as ReferenceMonitor
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.formulas.watch import Watch
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter, Moves
from stacklaw.checker.replay.replay import check_same
from stacklaw.checker.run import endings
from stacklaw.checker.slicing import needs, sorts
from stacklaw.checker.slicing.needs import Slicer
from stacklaw.checker.slicing.slice import relevant, whole
from stacklaw.checker.slicing.specialise import Specialiser, any_does
from stacklaw.checker.slicing.symmetry import changes_active, is_symmetric, is_symmetric_formula
from stacklaw.checker.symbolic.bmc import bounded
from stacklaw.checker.symbolic.encoding import features, formulas, statements
from stacklaw.checker.symbolic.encoding.encode import Precision, encoding, renamed
from stacklaw.checker.symbolic.encoding.formulas import options
from stacklaw.checker.symbolic.explain.dependencies import havocked_paths
from stacklaw.checker.symbolic.liveness.progress import calm
from stacklaw.checker.symbolic.position import expressions
from stacklaw.checker.symbolic.position.frame import SymbolicFrame
from stacklaw.checker.symbolic.position.layout import CellLayout as SymbolicLayout
from stacklaw.checker.symbolic.position.sorts import constant_number, limits
from stacklaw.checker.symbolic.safety import suggest
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.watching.plan import Atom, plan
from stacklaw.models import ir
from stacklaw.models.binding.declare import is_constant
from stacklaw.models.binding.definite import check_clause
from stacklaw.models.diagnostics import Report
from stacklaw.models.frozen import frozen
from stacklaw.models.ir.analysis import effect_of, ends, most_joining
from stacklaw.models.options.configure import reachable_stages
from stacklaw.models.wellformed import check_wellformed
from stacklaw.properties import formula as f

from ..rulesets import encode
from ..tiny import two_passes


@frozen
class Shuffle:
    """A statement that is none yet."""

    zone: str


@frozen
class Half:
    """An expression that is none yet."""

    of: ir.Expr


@frozen
class Tomorrow:
    """A formula that is none yet."""

    operand: f.Formula


STATEMENT: Any = Shuffle("stack")
EXPR: Any = Half(ir.Variable(ir.ACTIVE))
FORMULA: Any = Tomorrow(f.Gap())

GAME = two_passes()
SCOPE = make_scope(GAME, 2, {"stack": 1})
STAGE = GAME.stages[0]
CLAUSE = STAGE.clauses[1]
BLOCK: ir.Block = (STATEMENT, *CLAUSE.body)
PRECISE = Precision(seats=True, attributes=True, counts=True)


def in_game(clause: ir.Clause) -> ir.Program:
    """Return the game with *clause* in the place of the one that it was made of."""
    return replace(
        GAME, stages=(replace(STAGE, clauses=(STAGE.clauses[0], clause)), *GAME.stages[1:])
    )


ODD = replace(CLAUSE, body=BLOCK)
"""A clause with the statement in it."""
ODD_GAME = in_game(ODD)
GUARDED = replace(CLAUSE, guard=ir.All((CLAUSE.guard, EXPR)))
"""A clause that asks for the expression."""
GUARDED_GAME = in_game(GUARDED)


def asking(formula: f.Formula, *lemmas: f.Property) -> f.Property:
    return f.Property("new", "", "", "always", (), formula, None, "", lemmas=lemmas)


PLAIN = asking(f.Gap())


def layout() -> Layout:
    return Layout(GAME, SCOPE)


def here() -> EmitPoint:
    return first_point(layout(), Module()).opened("move", stage=STAGE.name)


def moves() -> ClauseWriter:
    return ClauseWriter(here(), MoveHooks())


def specialiser() -> Specialiser:
    return Specialiser(GAME, SCOPE, whole(GAME))


def symbolic_layout() -> SymbolicLayout:
    return encoding(GAME, PLAIN, PRECISE).layout


def frame() -> SymbolicFrame:
    return symbolic_layout().frame(STAGE.name)


def moment() -> formulas.EncodedMoment:
    return formulas.EncodedMoment(formulas.EncodedPosition(frame(), STAGE.name, ()))


def interpreter() -> Interpreter:
    return Interpreter(GAME, SCOPE)


def moves_at_start(program: ir.Program) -> Moves:
    one = Interpreter(program, SCOPE)
    return one.moves(one.initial())


def signals() -> Signals:
    return Signals(explore(interpreter(), Meter()))


def beginning() -> Trace:
    return Trace(interpreter().initial(), ())


def group(formula: f.Formula) -> Group:
    return one_by_one([Query(formula, ())])


def conditions(of: Group) -> monitors.Conditions:
    """Return what writes the monitor of a formula of *of*."""
    begin = first_point(layout_of(GAME, SCOPE, of), Module())
    enabled = EnabledWriter(begin, roughly=False, telling=False)
    mode = WatchHooks(begin.layout, of, looks_back=False)
    return monitors.Conditions(mode, enabled, begin.opened("watch", mode.parameters), {})


Reader = Callable[[], object]

OF_STATEMENTS: dict[str, Reader] = {
    "where ways end": lambda: ends(BLOCK[:1]),
    "definite": lambda: check_clause(ODD, {}, Report(GAME.source)),
    "reachable": lambda: reachable_stages(ODD_GAME.stages, GAME.start),
    "wellformed": lambda: check_wellformed(ODD_GAME),
    "flow": lambda: needs.Flow(ODD_GAME, 2),
    "flow of items": lambda: list(needs._zone_moves(BLOCK, {})),
    "slicing": lambda: Slicer(ODD_GAME, SCOPE),
    "needs": lambda: Slicer(GAME, SCOPE)._of_block(
        Slicer(GAME, SCOPE)._of_rules(follows=True), BLOCK, {}, STAGE.name
    ),
    "specialise": lambda: specialiser().clause(ODD),
    "symmetry": lambda: is_symmetric(ODD_GAME),
    "who is active": lambda: changes_active(BLOCK),
    "interchangeable": lambda: any_does("item", BLOCK, ()),
    "interchangeable, later": lambda: any_does("item", (), BLOCK),
    "room": lambda: most_joining([BLOCK], {}),
    "relevant": lambda: relevant(ODD_GAME, f.Gap()),
    "layout": lambda: most_moves(Layout(ODD_GAME, SCOPE)),
    "beyond the scope": lambda: is_open(ODD, layout()),
    "the rest of a move": lambda: Reading().weight((({}, BLOCK),)),
    "moves": lambda: moves()._go_on(here(), (({}, BLOCK),)),
    "emit": lambda: emit(Layout(ODD_GAME, SCOPE)),
    "emit watched": lambda: emit_watched(ODD_GAME, SCOPE, group(f.AtStage(STAGE.name))),
    "enabled": lambda: emit_watched(ODD_GAME, SCOPE, group(f.Gap())),
    "encode": lambda: encode(ODD_GAME, PLAIN, PRECISE),
    "ways": lambda: list(statements.paths(BLOCK, frame())),
    "shared locals": lambda: statements.shared_locals(STAGE, ODD),
    "enabled encoding": lambda: options(
        replace(STAGE, clauses=(ODD,)), tuple(frame().locals.values()), frame()
    ),
    "freeing": lambda: list(havocked_paths(STAGE, ODD, symbolic_layout())),
    "calm": lambda: calm(ODD_GAME, ("cards",)),
    "bounded": lambda: bounded._most_joining(ODD_GAME),
    "plays of a model": lambda: concretise._most_joining(ODD_GAME, "stack"),
    "reference": lambda: moves_at_start(ODD_GAME),
    "endless": lambda: puts_without_end(
        replace(GAME, stages=(replace(STAGE, clauses=(ODD,)),)), ()
    ),
    "sorts of moves": lambda: goes_on(ODD, ("players",)),
    "growth": lambda: endings._is_blind(ODD, {"stack"}),
}

OF_EXPRESSIONS: dict[str, Reader] = {
    "definite": lambda: check_clause(GUARDED, {}, Report(GAME.source)),
    "constant": lambda: is_constant(EXPR),
    "wellformed": lambda: check_wellformed(GUARDED_GAME),
    "needs": lambda: Slicer(GAME, SCOPE)._of_expr(
        Slicer(GAME, SCOPE)._of_rules(follows=True), EXPR, {}, STAGE.name
    ),
    "needs of an owner": lambda: Slicer(GAME, SCOPE)._may_be_nobody(EXPR, STAGE),
    "slicing": lambda: Slicer(GUARDED_GAME, SCOPE),
    "specialise": lambda: specialiser().clause(GUARDED),
    "specialise, what is known": lambda: specialiser()._known_value(EXPR),
    "specialise, what fits": lambda: specialiser().fits(EXPR, sorts.number_sort(0, 1)),
    "constant number": lambda: sorts.constant(EXPR, 2),
    "first value": lambda: sorts.first_code(EXPR, sorts.FLAG, 2),
    "symmetry": lambda: is_symmetric(GUARDED_GAME),
    "symmetry of a formula": lambda: is_symmetric_formula(GAME, f.Holds(EXPR), ()),
    "relevant": lambda: relevant(GUARDED_GAME, f.Gap()),
    "relevant, of the formula": lambda: relevant(GAME, f.Holds(EXPR)),
    "items of a formula": lambda: asked_of_items(Query(f.Holds(EXPR), ())),
    "code": lambda: here().code(EXPR),
    "sort": lambda: here().sort(EXPR),
    "bounds": lambda: here().bounds(EXPR),
    "condition": lambda: here().condition(EXPR),
    "emit": lambda: emit(Layout(GUARDED_GAME, SCOPE)),
    "emit watched": lambda: emit_watched(GAME, SCOPE, group(f.Holds(EXPR))),
    "a player of a formula": lambda: emit_watched(
        GAME, SCOPE, group(f.PlayerEvent("passes", EXPR))
    ),
    "encode": lambda: encode(GUARDED_GAME, PLAIN, PRECISE),
    "encode a formula": lambda: encode(GAME, asking(f.Holds(EXPR)), PRECISE),
    "enabled encoding": lambda: options(
        replace(STAGE, clauses=(GUARDED,)), tuple(frame().locals.values()), frame()
    ),
    "evaluate": lambda: expressions.evaluate(EXPR, frame()),
    "free locals": lambda: expressions._free_locals(EXPR),
    "same names": lambda: expressions._same_names(EXPR),
    "cubes": lambda: expressions._cubes(EXPR, "player", frame()),
    "bound": lambda: constant_number(frame().context, EXPR),
    "limits": lambda: limits(frame().context, EXPR),
    "features": lambda: list(
        features._of_value(
            "n", ir.NumberType(ir.Literal(0), EXPR), z3.Int("n"), symbolic_layout(), [STAGE.name]
        )
    ),
    "renamed": lambda: renamed(f.Holds(EXPR), {"one": "other"}),
    "reference": lambda: moves_at_start(GUARDED_GAME),
    "who has priority": lambda: interpreter()._is_set(EXPR, STAGE),
    "ground": lambda: evaluate.ground(f.Holds(EXPR), {}, interpreter().expressions),
    "ground a player": lambda: evaluate.ground(f.HasPriority(EXPR), {}, interpreter().expressions),
    "watch": lambda: Watch(signals(), Query(f.Holds(EXPR), ()), Meter()),
    "evaluate a formula": lambda: Evaluator(interpreter(), beginning()).holds(f.Holds(EXPR), 0),
    "growth": lambda: endings._is_blind(GUARDED, {"stack"}),
    "growth of a formula": lambda: endings._says_the_same(GAME, f.Holds(EXPR), {"stack"}),
}

OF_FORMULAS: dict[str, Reader] = {
    "clause spotlights": lambda: list(
        all_queries(GAME, replace(asking(FORMULA), spotlights=(f.Spotlight("clause", "c"),)))
    ),
    "needs": lambda: Slicer(GAME, SCOPE).slice_for([FORMULA], ()),
    "symmetry": lambda: is_symmetric_formula(GAME, FORMULA, ()),
    "relevant": lambda: relevant(GAME, FORMULA),
    "plan": lambda: plan(FORMULA),
    "plan, of what was": lambda: plan(f.Previously(FORMULA)),
    "plan of a step": lambda: step_plan(Query(FORMULA, ())),
    "marks": lambda: list(marked(Query(FORMULA, ()))),
    "items": lambda: asked_of_items(Query(FORMULA, ())),
    "step": lambda: is_step(Query(FORMULA, ()), 2),
    "step, of a position left": lambda: is_step(Query(f.Previously(FORMULA), ()), 2),
    "conflicts": lambda: asks_of_conflicts(FORMULA),
    "rough": lambda: can_be_rough(FORMULA),
    "watched": lambda: emit_watched(GAME, SCOPE, group(FORMULA)),
    "steps": lambda: emit_watched(GAME, SCOPE, step_by_step([Query(FORMULA, ())], 2)),
    "looking back": lambda: looks_back(step_by_step([Query(FORMULA, ())], 2).batches),
    "conditions": lambda: conditions(group(f.Gap())).truth(Atom(FORMULA)),
    "encode": lambda: encode(GAME, asking(FORMULA), PRECISE),
    "monitor": lambda: formulas.EncodedMonitor(FORMULA),
    "truth": lambda: formulas.EncodedMonitor(f.Gap()).truth(moment(), Atom(FORMULA)),
    "lemmas": lambda: encode(GAME, asking(f.Gap(), asking(FORMULA)), PRECISE),
    "renamed": lambda: renamed(FORMULA, {"one": "other"}),
    "candidates": lambda: list(
        suggest._candidates_of(encoding(GAME, PLAIN, PRECISE), STAGE.name, Atom(FORMULA))
    ),
    "ground": lambda: evaluate.ground(FORMULA, {}, interpreter().expressions),
    "reference monitor": lambda: ReferenceMonitor(FORMULA, interpreter()),
    "reference monitor, for ever": lambda: ReferenceMonitor(f.Gap(), interpreter())._ever(
        FORMULA, 0, frozenset()
    ),
    "classes": lambda: classes.classify(
        signals().graph, FORMULA, with_items=False, asks_items=False
    ),
    "scan": lambda: watch.can_scan(Query(FORMULA, ())),
    "watch": lambda: Watch(signals(), Query(FORMULA, ()), Meter()),
    "evaluate": lambda: Evaluator(interpreter(), beginning()).holds(FORMULA, 0),
    "a round": lambda: check_same(Evaluator(interpreter(), beginning()), asking(FORMULA), 0, 0),
    "growth": lambda: endings._says_the_same(GAME, FORMULA, {"stack"}),
}


@pytest.mark.parametrize("reader", OF_STATEMENTS)
def test_a_new_statement_is_refused(reader: str) -> None:
    with pytest.raises(AssertionError, match="Shuffle"):
        OF_STATEMENTS[reader]()


@pytest.mark.parametrize("reader", OF_EXPRESSIONS)
def test_a_new_expression_is_refused(reader: str) -> None:
    with pytest.raises(AssertionError, match="Half"):
        OF_EXPRESSIONS[reader]()


@pytest.mark.parametrize("reader", OF_FORMULAS)
def test_a_new_formula_is_refused(reader: str) -> None:
    with pytest.raises(AssertionError, match="Tomorrow"):
        OF_FORMULAS[reader]()


ALL = [
    (readers, reader)
    for readers in (OF_STATEMENTS, OF_EXPRESSIONS, OF_FORMULAS)
    for reader in readers
]
OF_NUMBERS = {"constant number", "bound", "limits", "features"}


@pytest.mark.parametrize(("readers", "reader"), ALL, ids=[reader for _, reader in ALL])
def test_what_there_is_is_not_refused(
    readers: dict[str, Reader], reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or nothing would follow from the others: every reader comes to its end if it is given what it
    knows.
    """
    known: dict[str, Any] = {
        "BLOCK": CLAUSE.body,
        "ODD": CLAUSE,
        "ODD_GAME": GAME,
        "GUARDED": CLAUSE,
        "GUARDED_GAME": GAME,
    }
    known |= {
        "STATEMENT": ir.Pass(),
        "EXPR": ir.Literal(1) if reader in OF_NUMBERS else ir.YES,
        "FORMULA": f.AtStage(STAGE.name),
    }
    for name, value in known.items():
        monkeypatch.setitem(globals(), name, value)
    readers[reader]()


NODES = (ir.Statement, ir.Expr, ir.Domain, ir.Nearest)
NO_NAMES = {("OptionValue", "name")}
"""Texts that are the same in all rulesets that are compared."""


def test_every_name_in_a_node_says_what_it_is_of() -> None:
    """`checker.diff.same` reads it there: of a name that says nothing it would not know that the
    other ruleset calls it otherwise.
    """
    kinds = [one for union in NODES for one in (get_args(union) or (union,))]
    untold = {
        (kind.__name__, name)
        for kind in kinds
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if hint is str
    }
    assert untold == NO_NAMES


MEANT = {
    "local": "names", "zone": "joins", "variable": "changes", "sequence": "steps", "stage": "next",
}  # fmt: skip
"""What the effect of a statement says of a name in one of its fields."""


@pytest.mark.parametrize("kind", get_args(ir.Statement))
def test_every_name_in_a_statement_is_in_its_effect(kind: type) -> None:
    """Who asks `effect_of` need not know the statement: the page, the flow of values, what is
    known after it, what a claim may rest on.
    """
    hints = get_type_hints(kind, include_extras=True)
    names = {name: getattr(hint, "__metadata__", [""])[0] for name, hint in hints.items()}
    effect = effect_of(kind(**{name: f"the {what}" for name, what in names.items()}))
    for what in MEANT.keys() & set(names.values()):
        assert getattr(effect, MEANT[what]) == f"the {what}"
