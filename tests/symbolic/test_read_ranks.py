"""Rankings that are read from certificates: every sum of features is found again, and nothing else
is one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

import pytest
import z3

from stacklaw.checker.symbolic.certificate.recheck import NO_SUM, KnownFeatures
from stacklaw.checker.symbolic.certificate.smtlib import HEADER, UnreadableError
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.encoding.features import features
from stacklaw.checker.symbolic.liveness.progress import ProgressProblem, progress
from stacklaw.checker.symbolic.liveness.ranking import Measure, in_order
from stacklaw.checker.symbolic.liveness.termination import PRECISION
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.symbolic.solver.projection import MOST_SUMMANDS, linear
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import ONE_PASS

THREE = ONE_PASS.replace("players 2 or more", "players 3").replace(
    "scope players 2", "scope players 3"
)
"""Sets of three players are sums of three, which are written without parentheses."""


@cache
def problem(name: str) -> tuple[ProgressProblem, KnownFeatures]:
    program: ir.Program = load(Source("three.rules", THREE)) if name == "three" else load_game(name)
    asked = progress(program, property_named(program, "kernel_terminates"), PRECISION)
    return asked, KnownFeatures(features(asked.encoding.layout))


def read(name: str, written: Mapping[str, str]) -> Measure:
    """Return the measure that a certificate has which says what is *written* of some stages."""
    asked, known = problem(name)
    functions = []
    for stage, body in written.items():
        cells = " ".join(f"({cell.sexpr()} {cell.sort()})" for cell in asked.system.cells[stage])
        functions.append(f"(define-fun |rank 1 {stage}| ({cells}) Int {body})\n")
    (rank,) = Stated(f"{HEADER}\n{''.join(functions)}").ranks(asked.system.cells)
    return known.measure(rank)


def comes_back(name: str, measure: Measure, stages: list[str]) -> None:
    found = read(name, {stage: linear(measure.at_stage(stage)).term.sexpr() for stage in stages})
    for stage in stages:
        assert linear(found.at_stage(stage)) == linear(measure.at_stage(stage)), stage


@pytest.mark.parametrize(
    "name",
    [
        "three",
        "stack",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("zx", "mtg", "fow", "fftcg")),
    ],
)
def test_every_sum_of_features_is_read_as_it_was_written(name: str) -> None:
    """Of some stages only: of those where nothing goes on for ever a certificate says nothing."""
    asked, known = problem(name)
    chance, stages = random.Random(name), [stage.name for stage in asked.encoding.program.stages]
    for feature in chance.sample(known.features, min(len(known.features), 100)):
        comes_back(
            name,
            Measure(((chance.randint(1, 9), feature),)),
            chance.sample(stages, (len(stages) + 1) // 2),
        )
    for _ in range(20):
        parts = [
            (chance.randint(1, 9), feature)
            for feature in chance.sample(known.features, chance.randint(2, 9))
        ]
        comes_back(
            name,
            in_order(parts, known.features),
            chance.sample(stages, chance.randint(1, len(stages))),
        )


def test_a_number_that_nobody_needs_is_read() -> None:
    assert read("zx", {"decide": "0"}) == Measure(())


@pytest.mark.parametrize(
    "body",
    [
        "(- |size of effects|)",
        "(- |size of triggered| |size of effects|)",
        "(ite (= 0 active) 1 0)",
        "(ite due 2 1)",
        "|size of effects|",
        "(+ |size of effects| (ite (< 2 |size of effects|) 1 0))",
        "(- 1 (* 2 (ite due 1 0)))",
    ],
)
def test_what_is_no_sum_of_features_is_refused(body: str) -> None:
    """All but one of these can be written of a stage; that one is of a stage where there is
    something else besides.
    """
    other = {"preprocess": "0"} if body == "|size of effects|" else {}
    with pytest.raises(UnreadableError):
        read("zx", {"decide": body, **other})


def test_a_sum_that_doubles_and_doubles_is_counted_or_refused() -> None:
    size, many = z3.Int("size"), 0
    term: t.Integer = size
    while many < 100:
        term, many = term + term, many + 1
    assert linear(term).times == {size.ast.value: 2**100}
    assert linear(2 * (size - 3) - (size + 1)).term.sexpr() == "(+ (- 7) size)"
    while many < MOST_SUMMANDS:
        term, many = term + term, many + 1
    with pytest.raises(ValueError, match="too many"):
        linear(term)


def test_the_reason_is_told() -> None:
    with pytest.raises(UnreadableError, match=NO_SUM):
        read("zx", {"decide": "(- |size of effects|)"})
