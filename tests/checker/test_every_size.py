"""Claims for every size: a proof alone meets them, and what the scope shows leaves them
undecided.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.questions.digests import property_digest
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

from ..cli.test_commands import Stacklaw, stacklaw
from ..rulesets import ONE_PASS

__all__ = ["stacklaw"]
LARGE = "    never size of stack > 5\n"
"""It holds with room for two, and for no proof."""


def rules(*claims: str) -> str:
    return f"{ONE_PASS}\nclaims\n" + "".join(f"  {claim}\n" for claim in claims)


def ends(stacklaw: Stacklaw, claim: str, *options: str) -> tuple[int, str]:
    Path("one.rules").write_text(rules(claim), encoding="utf-8")
    code, out, err = stacklaw("check", "one.rules", *options)
    assert err == ""
    return code, out


def test_only_a_proof_meets_it(stacklaw: Stacklaw) -> None:
    small = f"holds small\n{LARGE}"
    assert ends(stacklaw, small)[0] == 0
    code, out = ends(stacklaw, small.replace("small\n", "small for every size\n"))
    assert code == 3
    assert "it is claimed for every size, and not proved" in out
    assert "undecided" in out
    assert ends(stacklaw, "holds lifo for every size")[0] == 0
    assert ends(stacklaw, "holds lifo for every size", "--engine", "explicit")[0] == 3
    assert ends(stacklaw, "holds response_window for every size")[0] == 1


def test_what_is_impossible_has_to_be_so_at_every_size(stacklaw: Stacklaw) -> None:
    assert ends(stacklaw, "impossible six for every size\n    possible size of stack > 5")[0] == 3
    assert ends(stacklaw, "impossible twice for every size\n    for some player p, player q: "
                "possible (p has priority and q has priority and p is not q)")[0] == 0  # fmt: skip
    assert ends(stacklaw, "impossible two for every size\n    possible size of stack > 1")[0] == 1


@pytest.mark.parametrize(
    "claim", ["fails lifo", "possible hold_priority", "vacuous lifo", "impossible stall"]
)
def test_what_has_no_proof_is_refused(claim: str) -> None:
    with pytest.raises(InputError) as refused:
        claims_of(load(Source("one.rules", rules(f"{claim} for every size"))))
    assert [one.code for one in refused.value.diagnostics] == ["P404"]


def test_it_asks_the_same_and_is_printed_as_it_is_written() -> None:
    plain, every = (
        claims_of(load(Source("one.rules", rules(f"holds lifo{words}"))))[0]
        for words in ("", " for every size")
    )
    assert every.property.every_size
    assert not plain.property.every_size
    assert property_digest(every.property) == property_digest(plain.property)
