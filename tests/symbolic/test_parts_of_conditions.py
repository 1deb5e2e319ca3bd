"""Where an item satisfies several things, one satisfies a part of them: a player who cannot pass
because of one has something to do.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

from .judge import REFUTED, Judge

PENDING = """
language 2
game "Pending"
players 2
start react(active)

items
  ability "ability"

attributes
  optional : flag
  late     : flag

zones
  pending in any order

stage react(p: player)
  priority p
  may 1 "trigger one"
    when some t in pending where CAN
    choose t in pending where CAN
    resolve t
    go react(p)
  may 2 "pass"
    when no t in pending where controller of t is p and not optional of t and not late of t
    pass
    maybe
      put ability by after p on pending
    maybe
      put ability by after p with optional yes on pending
    go react(after p)

claims
  holds complete
"""
PARTS = ["controller of t is p", "not late of t", "not late of t and controller of t is p"]
OTHERS = ["optional of t", "controller of t is p and late of t"]


@pytest.mark.parametrize("can", PARTS)
def test_whoever_must_not_pass_has_something_to_do(can: str) -> None:
    program = load(Source("pending.rules", PENDING.replace("CAN", can)))
    (claim,) = claims_of(program)
    assert isinstance(prove(program, claim.property), Proof)


@pytest.mark.parametrize("can", OTHERS)
def test_but_not_where_something_else_is_asked(can: str) -> None:
    program = load(Source("pending.rules", PENDING.replace("CAN", can)))
    (claim,) = claims_of(program)
    assert Judge(program, 2, 2).outcome(claim.property) in REFUTED
    assert not isinstance(prove(program, claim.property), Proof)
