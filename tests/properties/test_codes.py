"""Every code of a mistake in a property: its bad example has it, its mended one has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stacklaw.models.diagnostics import InputError
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

from ..rulesets import codes_of, properties_in
from .games import program

CODES = codes_of("P")
EXPECTATION = re.compile(r"(holds|fails|possible|impossible|vacuous|lemma) [a-z_]+($|\n)")


def found_in(example: str) -> set[str]:
    """Return the codes of the mistakes in *example*: a property file, a claim, or the lines of a
    formula.
    """
    try:
        if EXPECTATION.match(example):
            claims_of(program(example))
        elif example.startswith("property "):
            properties_in(Source("one.props", example), program())
        else:
            lines = "".join(f"\n  {line}" for line in example.splitlines())
            properties_in(Source("one.props", f'property it "it"{lines}\n'), program())
    except InputError as error:
        return {d.code if d.span else f"{d.code} without a place" for d in error.diagnostics}
    return set()


@pytest.mark.parametrize("code", CODES)
def test_bad_example_has_the_code(code: str) -> None:
    assert found_in(CODES[code].bad) == {code}


@pytest.mark.parametrize("code", CODES)
def test_mended_example_has_no_mistake(code: str) -> None:
    assert found_in(CODES[code].mended) == set()


def test_the_table_is_closed() -> None:
    package = Path(__file__).parents[2] / "properties"
    used = {
        code
        for path in package.rglob("*.py")
        for code in re.findall(r'"(P\d{3})"', path.read_text())
    }
    assert used == set(CODES)
