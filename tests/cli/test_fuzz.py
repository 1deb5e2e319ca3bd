"""Some of the mutated inputs of `bench.fuzz`, which by hand gives the command line as many
thousands of them as one likes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stacklaw.bench.fuzz import _FINE, _ONE_PASS, try_one
from stacklaw.bench.mutated import ROOT, mutated

KNOWN = (378, 856, 1208)
"""Those that ended in an internal error."""


@pytest.mark.slow
@pytest.mark.parametrize("number", [*KNOWN, *range(20)])
def test_no_input_is_an_internal_error(number: int, tmp_path: Path) -> None:
    shutil.copy(ROOT / _ONE_PASS, tmp_path / "one_pass.rules")
    (tmp_path / "fuzzed.clauses").write_text("1\tOne.\n", encoding="utf-8")
    reply = try_one(number, tmp_path)
    assert reply["code"] in _FINE, reply


def test_an_input_is_made_of_its_number_alone() -> None:
    assert mutated(7) == mutated(7)
    assert mutated(7) != mutated(8)
