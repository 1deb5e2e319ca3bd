"""Conditions in other words: what is proved to say the same is the same game at every size, with a
text that no solver can satisfy.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import z3

from stacklaw.checker.diff.conditions import proved_equal
from stacklaw.checker.diff.equivalent import Equivalence, equivalent_at_every_size
from stacklaw.checker.diff.same import renaming_of
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Item, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source

from .rules import BASE, CHANGED, edited

SAME = {
    "a zone that is empty has size 0": (
        "when stack is empty and not spent",
        "when size of stack < 1 and not spent",
    ),
    "De Morgan": ("when stack is empty and not spent", "when not (stack is not empty or spent)"),
    "said twice": (
        "when stack is empty and not spent",
        "when stack is empty and (not spent or not (stack is empty))",
    ),
    "a range": (
        'must 4 "nothing is there"\n    when stack is empty',
        'must 4 "nothing is there"\n    when stack is empty and tally < 2',
    ),
    "an if": ("if passed is everyone\n", "if passed is everyone and (spent or not spent)\n"),
}
OTHER = {
    "a guard dropped": ("when stack is empty and not spent", "when not spent"),
    "or in the place of and": (
        "when stack is empty and not spent",
        "when stack is empty or not spent",
    ),
    "another number": ("when stack is empty and not spent", "when size of stack < 2 and not spent"),
    "an if negated": ("if passed is everyone\n", "if passed is not everyone\n"),
    "another set": ("if passed is everyone\n", "if passed is none\n"),
}


def compared(*pairs: str) -> Equivalence:
    old, new = (load(Source("a.rules", text)) for text in (BASE, edited(*pairs)))
    return equivalent_at_every_size(old, new, renaming_of(old, new, {}))


@pytest.mark.parametrize("edit", SAME)
def test_what_says_the_same_is_proved_with_a_certificate(edit: str) -> None:
    found = compared(*SAME[edit])
    assert found.why_not == ""
    (one,) = found.proved
    solver = z3.Solver()
    solver.from_string(one.certificate)
    assert solver.check() == z3.unsat
    assert one.certificate.startswith("; clause ")


@pytest.mark.parametrize("edit", OTHER)
def test_what_does_not_is_not_proved_and_the_condition_is_named(edit: str) -> None:
    found = compared(*OTHER[edit])
    assert not found.proved
    assert "may not say the same" in found.why_not
    assert "clause " in found.why_not


@pytest.mark.parametrize("edit", CHANGED)
def test_a_game_that_players_tell_apart_is_never_proved_the_same(edit: str) -> None:
    old, new = load(Source("a.rules", BASE)), load(Source("a.rules", CHANGED[edit]))
    found = equivalent_at_every_size(old, new, renaming_of(old, new, {}))
    assert found.why_not
    assert not found.proved


def test_what_is_renumbered_and_reworded_at_once() -> None:
    found = compared('may 1 "cast"', 'may 9 "cast"', *SAME["De Morgan"])
    assert (found.why_not, len(found.proved)) == ("", 1)
    assert (
        "they differ in more than conditions"
        in compared(*SAME["De Morgan"], "tally := 1", "tally := 0").why_not
    )
    assert (
        "other names"
        in compared(*SAME["De Morgan"], "spent  : flag", "spent  : flag\n  more   : flag").why_not
    )


def test_names_that_stand_for_nothing_plain_are_no_proof() -> None:
    """A `let` may be of any sort; nothing is believed of it."""
    rest = "    put mark by p on pool\n"
    old = edited(rest, f"    let q be p\n    if q is active\n      pass\n{rest}")
    new = edited(
        rest,
        "    let q be p\n    if not q is not active and not spent or q is active\n      "
        f"pass\n{rest}",
    )
    before, after = (load(Source("a.rules", text)) for text in (old, new))
    found = equivalent_at_every_size(before, after, renaming_of(before, after, {}))
    assert "cannot be told to a solver" in found.why_not


def _positions(program: ir.Program) -> list[Position]:
    """All positions of the first stage with up to two items on each zone, be they reached or
    not.
    """
    zones = [
        [(Item("spell", seat),) * size for size in range(3) for seat in range(2)]
        for _ in program.zones
    ]
    values: list[tuple[int, ...]] = [(0, 1), (0, 1, 2, 3), (0, 1), (False, True)]
    return [
        Position("decide", (holder,), value, zone)
        for holder in range(2)
        for value in itertools.product(*values)
        for zone in itertools.product(*zones)
    ]


_PARTS = [
    "stack is empty", "size of stack < 2", "size of pool > 1", "spent", "tally is 0", "tally < 1",
    "holder is active", "holder in passed", "passed is none",
]  # fmt: skip


def test_what_is_proved_is_so_at_every_position() -> None:
    """Conditions of two atoms each, and the interpreter on all small positions: what it tells apart
    is never proved to say the same.
    """
    texts = [
        f"{one} {word} {'not ' * negated}{other}"
        for one, other in itertools.combinations(_PARTS, 2)
        for word in ("and", "or")
        for negated in (0, 1)
    ]
    guards = []
    for text in texts[::3]:
        program = load(
            Source("a.rules", edited("when stack is empty and not spent", f"when {text}"))
        )
        guards.append(program.stage("decide").clauses[0].guard)
    program = load(Source("a.rules", BASE))
    interpreter, positions = (
        Interpreter(program, make_scope(program, None, {"stack": 2, "pool": 2})),
        _positions(program),
    )
    columns = []
    for guard in guards:
        value = interpreter.evaluate(guard, ("holder",))
        columns.append([bool(value(position, position.arguments)) for position in positions])
    proved = 0
    for (one, its), (other, their) in itertools.combinations(zip(guards, columns, strict=True), 2):
        if proved_equal(program, "a guard", one, other, {"holder": "whole"}) is not None:
            assert its == their
            proved += 1
    assert proved > 0


def test_a_guard_of_a_game_in_other_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = "    when all_have_passed and stack is not empty\n"
    text = game_source("mtg").text
    assert text.count(before) == 1
    monkeypatch.chdir(tmp_path)
    Path("new.rules").write_text(
        text.replace(before, "    when size of stack > 0 and all_have_passed\n"), encoding="utf-8"
    )
    assert (
        run(["diff", "mtg", "new.rules", "--fail-on", "changed", "--certificate", "same.smt2"]) == 0
    )
    out = capfd.readouterr().out
    assert "The same game, for every number of players and every zone size" in out
    assert "Proved for every size, clause 117.4/a" in out
    solver = z3.Solver()
    solver.from_string(Path("same.smt2").read_text(encoding="utf-8"))
    assert solver.check() == z3.unsat
    assert load_game("mtg", {}).stages
