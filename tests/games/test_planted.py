"""Faults planted by hand in the shipped rules: each is another game, and the claim or ruling that
is named is not met any more.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from stacklaw.checker.rulings.file import ask_filed, read_rulings, rulings_beside
from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import game_source, load, opened
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

from .asking import SAME, WORDS


@dataclass(frozen=True)
class Planted:
    """In *game*, under a *reading*, each of *changes* is a text that stands there once and what it
    becomes: *what* it means, and the claim, or the question of the ruling, by which it is
    *noticed*.
    """

    game: str
    what: str
    noticed: str
    changes: list[list[str]]
    reading: str = ""

    @property
    def settings(self) -> dict[str, str]:
        """The options that are set."""
        return dict(part.split("=") for part in self.reading.split(",") if part)

    def text(self) -> str:
        """Return the rules with the fault."""
        text = game_source(self.game).text
        for before, after in self.changes:
            assert text.count(before) == 1, before
            assert before != after
            text = text.replace(before, after)
        return text


FILES = sorted((Path(__file__).parent / "planted").glob("*.toml"))
PLANTED = [
    Planted(game=file.stem, **one)
    for file in FILES
    for one in tomllib.loads(file.read_text(encoding="utf-8"))["fault"]
]
assert len({(one.game, one.what) for one in PLANTED}) == len(PLANTED)


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: f"{fault.game}: {fault.what}")
def test_a_fault_can_be_planted(fault: Planted) -> None:
    """A fault whose text is gone would be noticed by nothing."""
    opened(Source(f"{fault.game}.rules", fault.text()))


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: f"{fault.game}: {fault.what}")
def test_a_claim_or_a_ruling_notices(fault: Planted) -> None:
    program = load(Source(f"{fault.game}.rules", fault.text()), fault.settings)
    if ":" in fault.noticed:
        beside = rulings_beside(fault.game)
        assert beside is not None
        [filed] = [one for one in read_rulings(beside) if one.question == fault.noticed]
        assert filed.source
        assert ask_filed(filed, lambda _: program).status == "not met"
        return
    [typed] = [typed for typed in claims_of(program) if typed.claim.name == fault.noticed]
    [verdict] = check(
        program, [typed.property], make_scope(program).with_room(typed.property.needs)
    )
    assert SAME.get(verdict.outcome, verdict.outcome) is not WORDS[typed.claim.expect]
