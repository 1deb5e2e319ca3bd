"""k-induction: what it proves that Spacer does not with the same budget, and that it proves nothing
that is false.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.process.serving import answer_in
from stacklaw.checker.prover.kept import Attempt
from stacklaw.checker.prover.request import NODES, ToProve, request_data
from stacklaw.checker.prover.workers import replies
from stacklaw.checker.symbolic.certificate.certify import check
from stacklaw.checker.symbolic.encoding.encode import Precision
from stacklaw.checker.symbolic.encoding.system import RECHECK, complete, first_failure
from stacklaw.checker.symbolic.position.weakenings import UnsupportedError
from stacklaw.checker.symbolic.safety.horn import search
from stacklaw.checker.symbolic.safety.suggest import MOST, induct
from stacklaw.checker.symbolic.solver.terms import metered
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..rulesets import encode
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .second_solver import answers_of_cvc5
from .test_mutations import PHASES, refuted

DETAILED = Precision(seats=True, attributes=True, counts=True)
LITTLE = 400_000


def procession(length: int) -> tuple[ir.Program, f.Property]:
    """Return a game in which *length* markers go around the table, one at a time; and that the last
    is where the first makes it be.
    """
    names = [f"m{number}" for number in range(length)]
    moves = ""
    for number, name in enumerate(names):
        following = f"walk{number + 1}" if number + 1 < length else "walk0"
        moves += (
            f'stage walk{number}\n  must 2.{number} "on"\n    {name} := after {name}\n    go '
            f"{following}\n"
        )
        if number == 0:
            moves += '  chance 3 "the turn goes on"\n    active := after active\n    go walk0\n'
    begin = "".join(
        f"    {name} := {'after ' * number}active\n" for number, name in enumerate(names)
    )
    text = (
        'game "A procession"\nplayers 2 or more\nstart begin\nstate\n'
        + "".join(f"  {name} : player\n" for name in names)
        + f'stage begin\n  must 1 "all take their places"\n{begin}    go walk0\n{moves}'
        + f"claims\n  holds apart\n    always (at walk0 implies {names[-1]} is "
        f"{'after ' * (length - 1)}{names[0]})\n"
    )
    program = load(Source("procession.rules", text))
    return program, property_named(program, "apart")


@pytest.mark.slow
def test_it_proves_what_spacer_does_not_with_the_same_budget() -> None:
    program, question = procession(7)
    spacer = search(encode(program, question, DETAILED), metered(2 * LITTLE))
    assert spacer.invariant is None
    assert not spacer.is_broken
    request = request_data(ToProve(program, question, 2 * LITTLE))
    ((_, reply),) = replies([request], 1, lambda: None)  # in a process of its own, as ever
    attempt: Attempt = answer_in(NODES, reply, Attempt)
    assert attempt.proof is not None
    text = attempt.proof.certificate
    assert check(text).is_valid
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")


def test_it_looks_only_so_far_ahead() -> None:
    program, question = procession(MOST + 2)
    found = induct(encode(program, question, DETAILED), metered(100 * LITTLE))
    assert found.reason == f"it is not k-inductive for a k of up to {MOST}"


def test_it_ends_with_its_budget() -> None:
    system, meter = encode(*procession(3), DETAILED), Meter(Budget(units=20_000))
    found = induct(system, meter)
    assert found.reason == "k-induction has not decided it within its budget"
    assert 5_000 <= meter.units < 10_000


@pytest.mark.slow
@given(st.data())
@tries(10, phases=PHASES)
def test_nothing_false_is_proved_of_random_programs(data: st.DataObject) -> None:
    program = data.draw(programs())
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1] + SPOTLIGHTS[2:]]))
    question = f.Property(
        "random", "", "", "always", spotlights, f.Not(data.draw(formulas(spotlights))), None, ""
    )
    try:
        system = encode(program, question, DETAILED)
    except UnsupportedError:
        return
    found = induct(system, metered(LITTLE))
    if found.invariant is not None:
        assert first_failure(system, complete(system, found.invariant), RECHECK) is None
        assert not refuted(program, [question], 2, 2)
