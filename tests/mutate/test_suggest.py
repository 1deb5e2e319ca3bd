"""Suggested claims: the rules meet them, wherever they are asked; pasted into the rules they notice
what nothing protected.
"""

from __future__ import annotations

import json
import random
from itertools import combinations, product
from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.mutate.judge import Judge, JudgedReading
from stacklaw.checker.templates.atoms import atoms_of
from stacklaw.checker.templates.cubes import MOST_LITERALS, Cube, CubeLiteral, RowSets, separating
from stacklaw.checker.templates.templates import Template, TemplateFinder
from stacklaw.cli.main import run
from stacklaw.models.load import load, opened
from stacklaw.models.source import Source

from .test_command import RULES

pytestmark = pytest.mark.slow


def mutated(capfd: pytest.CaptureFixture[str], file: Path, *more: str) -> str:
    assert run(["mutate", str(file), *more]) == 0
    return capfd.readouterr().out


def test_what_is_pasted_is_met_and_notices_what_nothing_protected(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "small.rules"
    file.write_text(RULES, encoding="utf-8")
    document = json.loads(mutated(capfd, file, "--format", "json"))
    names = {row["name"] for row in document["suggested"]}
    protected = {(row["clause"], row["words"]) for row in document["edits"] if row["suggested"]}
    assert names >= {row["suggested"] for row in document["edits"]} - {""}
    assert len(protected) > len(names) > 0
    out = mutated(capfd, file)
    block = out.partition("at the end of them:\n\n")[2].partition("\n\n")[0] + "\n"
    file.write_text(RULES + block, encoding="utf-8")
    assert run(["check", str(file)]) == 0
    assert "not met" not in capfd.readouterr().out
    after = json.loads(mutated(capfd, file, "--format", "json"))
    assert {
        (row["clause"], row["words"]) for row in after["edits"] if row["fate"] == "noticed"
    } >= protected
    assert any(set(row["noticed_by"]) & names for row in after["edits"])


def test_what_is_pasted_is_met_in_every_reading(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What only one reading meets is claimed of that one, be it the default."""
    ways = 'option after_it "who acts then"\n  turn   "the active player"\n  other  "the other one"\n\nitems\n'
    ends = "    if after_it is turn\n      go decide(active)\n    else\n      go decide(after active)\n"
    rules = RULES.replace("items\n", ways).replace(
        "    resolve top of stack\n    go decide(active)\n", "    resolve top of stack\n" + ends
    )
    file = tmp_path / "small.rules"
    file.write_text(rules, encoding="utf-8")
    suggested = json.loads(mutated(capfd, file, "--all-readings", "--format", "json"))["suggested"]
    conditions = {row["condition"] for row in suggested}
    assert conditions >= {
        "",
        "mild is no",
        "mild is yes",
        "mild is no and after_it is turn",
        "after_it is other and mild is no",
    }
    block = (
        mutated(capfd, file, "--all-readings")
        .partition("at the end of them:\n\n")[2]
        .partition("\n\n")[0]
        + "\n"
    )
    file.write_text(rules + block, encoding="utf-8")
    assert run(["check", str(file), "--all-readings"]) == 0
    assert "not met" not in capfd.readouterr().out.lower()


def test_markdown_has_the_claims(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.rules"
    file.write_text(RULES, encoding="utf-8")
    out = mutated(capfd, file, "--format", "markdown")
    assert out.startswith("## small: what nothing protects\n")
    assert "\nclaims\n  " in out
    assert "below, would notice it" in out.replace("\\", "")


@pytest.mark.parametrize(
    ("formula", "is_suggested"),
    [
        ("always (something is put on stack implies previously stack is empty)", True),
        ("never (size of stack > 1)", True),
        (
            "always (something is put on stack implies previously nobody has priority)",
            False,
        ),  # the rules do not meet it
        (
            "always (something is put on stack implies stack is not empty)",
            False,
        ),  # the edit meets it, too
        ("always (something is removed implies stack is empty)", False),  # it says nothing
        ("never (nothing.is)", False),  # it cannot be read
    ],
)
def test_only_what_the_rules_meet_and_the_edit_does_not(
    formula: str, is_suggested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = RULES.replace("scope players 2, stack 1", "scope players 2, stack 2")
    program = opened(Source("a.rules", text))
    judge = Judge(JudgedReading(program.source))
    (number,) = (
        n
        for n, edit in enumerate(edits_of(program))
        if edit.clause == "1" and edit.words == "without `stack is empty`"
    )
    monkeypatch.setattr(TemplateFinder, "templates", lambda *_: [Template("holds", formula, 1.0)])
    found = judge.suggested([(number, edits_of(program)[number])])
    assert [one.formula for one in found] == [formula] * is_suggested


@pytest.mark.parametrize(
    ("guard", "is_suggested"), [("stack is empty", True), ("size of stack < 2", False)]
)
def test_what_fails_at_another_size_is_not_suggested(
    guard: str, is_suggested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for one spell on the stack nobody can see that a second one may be put there."""
    text = RULES.replace(
        "    when stack is empty\n    put spell", f"    when {guard}\n    put spell"
    )
    program = opened(Source("a.rules", text))
    judge, edits = Judge(JudgedReading(program.source)), edits_of(program)
    ends = "the game is over, instead of go decide"
    (numbered,) = (
        (n, edit) for n, edit in enumerate(edits) if edit.clause == "3" and edit.words == ends
    )
    formula = "never (size of stack > 1 or game is over)"
    monkeypatch.setattr(TemplateFinder, "templates", lambda *_: [Template("holds", formula, 1.0)])
    assert [one.formula for one in judge.suggested([numbered])] == [formula] * is_suggested


def test_every_atom_is_a_formula_of_the_game() -> None:
    atoms = atoms_of(load(Source("a.rules", RULES), {}))
    words = {atom.words for atom in atoms}
    assert {
        "p uses 1",
        "clause 3",
        "p passes",
        "stack is empty",
        "p has priority",
        "p is controller of i",
        "something resolves",
    } <= words
    assert len({atom.formula for atom in atoms}) == len(atoms)


@pytest.mark.parametrize("seed", range(20))
def test_the_shortest_conjunctions_are_found(seed: int) -> None:
    """Against all conjunctions of up to three literals, one by one."""
    luck, width = random.Random(seed), 6
    others = {luck.getrandbits(width) for _ in range(luck.randrange(1, 14))}
    row = luck.getrandbits(width)
    sets = RowSets(others, width)
    literals = [CubeLiteral(number, bool(row >> number & 1)) for number in range(width)]
    apart = [
        set(chosen)
        for size in range(1, MOST_LITERALS + 1)
        for chosen in combinations(literals, size)
        if not any(Cube(chosen).fits(other) for other in others)
    ]
    shortest = [one for one in apart if not any(other < one for other in apart)]
    found = separating(row, sets, lambda _: 1.0, lambda _: True, 1000)
    assert sorted(map(sorted, shortest)) == sorted(sorted(cube.literals) for cube in found)
    for cube, other in product(found, others):
        assert cube.fits(row)
        assert not cube.fits(other)
    assert separating(row, sets, lambda _: 1.0, lambda _: True, 1) == found[:1]
