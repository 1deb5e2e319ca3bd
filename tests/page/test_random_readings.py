"""Random programs with options: the page's one kernel finds in each reading, at other tables and
sizes, what the checker finds there.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit import portable as portables
from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay, retraced
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.options.cases import (
    asking_seats,
    asking_variables,
    cases_of,
    values_of,
    with_seats,
    with_variables,
)
from stacklaw.models.options.configure import configure
from stacklaw.properties import formula as f

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, VARIABLES, ZONES, formulas, programs
from .compiled import portable
from .node import carried, needs_node, run

pytestmark = [needs_node, pytest.mark.long]

SIZES = [2, 1, 1], [1, 2, 1]
VALUES = "x", "y", "z"
OPTIONS = (
    ir.Option("which", "", tuple((value, "") for value in VALUES), None, "y", ()),
    ir.Option("most", "", (), (1, 3), 2, ()),
)
WHICH, MOST = (ir.OptionValue(option.name) for option in OPTIONS)
MOOD, ODD = (
    ir.VariableDeclaration(name, ir.EnumType(values), False, ir.Literal("z"), "", ())
    for name, values in (("mood", VALUES), ("odd", ("z", "x")))
)
ANSWERS = """
const modules = given.searches.map((pair) => pair.map((one) => (one ? new WebAssembly.Module(Buffer.from(one, "base64")) : null)));
const answered = (reading, sizes) => {
  const answers = [];
  for (const _ of new Asking(given, modules, sizes, 2 ** 28, reading).run((answer) => answers.push(answer)));
  return answers;
};
console.log(JSON.stringify(given.readings.map((reading) => given.wanted.map((sizes) => answered(reading, sizes)))));
"""


def asking_options(node: Any, luck: random.Random) -> Any:
    """Return *node*, rules or a formula, with options asked for here and there, of values that
    variables have as well.
    """

    def value() -> ir.Expr:
        return ir.Literal(luck.choice(VALUES))

    def one_of(*known: ir.Expr) -> ir.Expr:
        return luck.choice(known)

    def changed(part: object) -> object:
        if luck.random() < 0.6:
            return part
        match part:
            case ir.Less(ir.Variable("count"), _):
                return ir.Less(ir.Variable("count"), MOST)
            case ir.Variable("due"):
                each = ir.Exists(
                    "n",
                    ir.NumbersFrom(ir.Literal(1), MOST),
                    ir.Equal(ir.Local("n"), ir.Variable("count")),
                )
                return one_of(
                    ir.Equal(ir.Variable("mood"), WHICH),
                    ir.Not(ir.Equal(WHICH, ir.Variable("odd"))),
                    each,
                )
            case ir.Assign("due"):
                return ir.Assign("mood", None, one_of(WHICH, value()))
            case ir.Assign("count"):
                return ir.Assign("count", None, ir.Subtract(MOST, ir.Literal(1)))
            case ir.If(condition):
                return replace(
                    part,
                    condition=ir.All(
                        (
                            condition,
                            one_of(ir.Less(MOST, ir.Literal(3)), ir.OneOf(WHICH, VALUES[1:])),
                        )
                    ),
                )
            case ir.Clause():
                asks = one_of(ir.Equal(WHICH, value()), ir.Less(ir.Variable("count"), MOST))
                both = part.guard, ir.Not(asks)
                return replace(
                    part, guard=asks if part.guard == ir.YES else one_of(ir.All(both), ir.Any(both))
                )
        return part

    return ir.rewrite(node, changed)


@given(programs(), st.data(), st.integers(0, 1 << 30))
@tries(8)
def test_every_reading_is_found_as_if_it_were_alone(
    program: ir.Program, data: st.DataObject, seed: int
) -> None:
    luck, names = random.Random(seed), [option.name for option in OPTIONS]
    stages = asking_options(program.stages, luck)
    program = replace(program, variables=(*VARIABLES, MOOD, ODD), options=OPTIONS, stages=stages)
    spotlights = data.draw(st.sampled_from([SPOTLIGHTS, SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]))
    modes: st.SearchStrategy[Literal["always", "possible"]] = st.sampled_from(
        ["always", "possible"]
    )
    asked = [
        f.Property(
            name,
            "",
            "",
            data.draw(modes),
            spotlights,
            asking_options(data.draw(formulas(spotlights)), luck),
            None,
            "",
        )
        for name in "ab"
    ]
    whole = with_seats(
        with_variables(
            configure(program, {}, names), {option.name: option.default for option in OPTIONS}
        )
    )
    cases = luck.sample(cases_of(OPTIONS), 3)
    with pytest.MonkeyPatch.context() as soon:
        soon.setattr(portables, "LONG", 0)
        game = portable(
            whole,
            scope_of(whole, 2, SIZES[0]),
            [asking_seats(asking_variables(one, names)) for one in asked],
            names,
        )
    *_, tables = game.tables["options"]
    players = [luck.choice(tables["values"]) for _ in cases]
    readings = [
        [
            *(values_of(option).index(value) for option, value in zip(OPTIONS, case, strict=True)),
            tables["values"].index(number),
        ]
        for case, number in zip(cases, players, strict=True)
    ]
    told = run(
        ("kernel", "positions", "search", "verdicts"),
        ANSWERS,
        {**carried(game), "readings": readings, "wanted": SIZES},
    )
    for case, number, its in zip(cases, players, told, strict=True):
        values = dict(zip(names, case, strict=True))
        configured = configure(program, {name: str(value) for name, value in values.items()})
        questions = [with_values(one, values) for one in asked]
        for sizes, answers in zip(SIZES, its, strict=True):
            is_what_is_found(
                configured, scope_of(configured, int(number), sizes), questions, answers
            )


def with_values(asked: f.Property, values: Mapping[str, str | int]) -> f.Property:
    return ir.rewrite(
        asked,
        lambda node: ir.Literal(values[node.name]) if isinstance(node, ir.OptionValue) else node,
    )


def scope_of(program: ir.Program, players: int, sizes: list[int]) -> Scope:
    return make_scope(program, players, dict(zip(ZONES, sizes, strict=True)))


def is_what_is_found(
    program: ir.Program, scope: Scope, questions: list[f.Property], told: list[dict[str, Any]]
) -> None:
    """Hold what is *told* of one reading within *scope* to the checker: counts, answers, and the
    plays.
    """
    counted, *answers = told
    counts = search(emit(Layout(program, scope)), Meter(Budget())).counts
    assert counted["counts"] == {
        "positions": counts.positions,
        "moves": counts.moves,
        "layers": counts.layers,
        "cut": counts.cut,
    }
    for verdict, answer in zip(check(program, questions, scope), answers, strict=True):
        assert answer["outcome"] == verdict.outcome
        if verdict.trace is None:
            continue
        play = retraced(Interpreter(program, scope), answer["play"])
        assert len(play.steps) == len(verdict.trace.steps)
        if not verdict.property.spotlights:
            replay(Interpreter(program, scope), play, verdict.property)
