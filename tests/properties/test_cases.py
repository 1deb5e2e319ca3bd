"""The catalogue on small rulesets: each file of cases/ says what every property it names comes to,
and by which play.

A file begins with lines ``# PROPERTY OUTCOME CLAUSE CLAUSE …``: the verdict, and the clauses of the
shortest play that shows it. ``pytest tests/properties --record`` writes what was found into the
files; the difference is then to be reviewed.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import decisions
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import catalogue, property_named

CASES = sorted((Path(__file__).parent / "cases").glob("*.rules"))
GOOD, BAD = {"HOLDS", "POSSIBLE"}, {"VIOLATED", "IMPOSSIBLE"}


def expectations(path: Path) -> dict[str, tuple[str, ...]]:
    """Return, by property, the words after it in the heading of a case."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        name, *rest = line[2:].split()
        found[name] = tuple(rest)
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_verdicts_and_shortest_plays(path: Path, record: bool) -> None:
    program = load(Source(path.name, path.read_text(encoding="utf-8")))
    expected = expectations(path)
    assert expected
    questions = [property_named(program, name) for name in expected]
    found = {}
    decided = decisions(Reference(), program, questions, make_scope(program), Meter(Budget()))
    for question, (decision, _) in zip(questions, decided, strict=True):
        play = decision.trace.steps if decision.trace else ()
        found[question.name] = (decision.outcome.value, *(step.move.clause for step in play))
    if record:
        write_heading(path, found)
    else:
        assert found == expected


def write_heading(path: Path, found: dict[str, tuple[str, ...]]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    heading = [" ".join(("#", name, *words)) for name, words in found.items()]
    path.write_text("\n".join([*heading, *lines[len(heading) :]]) + "\n", encoding="utf-8")


def test_every_property_is_seen_to_hold_and_to_fail() -> None:
    outcomes = defaultdict(set)
    for path in CASES:
        for name, (outcome, *_) in expectations(path).items():
            outcomes[name].add(outcome)
    for entry in catalogue():
        assert outcomes[entry.name] & GOOD, f"{entry.name} holds in no case"
        assert outcomes[entry.name] & BAD, f"{entry.name} fails in no case"


def test_what_is_never_spoken_of_is_vacuous_somewhere() -> None:
    vacuous = {
        name
        for path in CASES
        for name, (outcome, *_) in expectations(path).items()
        if outcome == "VACUOUS"
    }
    never_vacuous = {"complete", "unambiguous", "no_dead_clause", "turn_ends"}
    assert {entry.name for entry in catalogue()} - vacuous == never_vacuous
