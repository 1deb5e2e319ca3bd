"""What stands below a claim: the room that it needs, and what its play has to contain."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.cli.asking.ask import exit_of
from stacklaw.cli.output.exits import Exit
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of
from stacklaw.reports.telling.record import Answer, make_record

from ..rulesets import ONE_PASS, properties_in

Decide = Callable[..., Verdict]
DEEP = "  possible deep\n    needs stack 3\n    possible size of stack is 3\n"
THIRD = """\
  fails third "the third player has priority as well"
    needs players 3
    for every player p:
      never (p has priority and p is not active and p is not after active)
"""
NO_WINDOW = "  fails response_window\n"


def game(claims: str) -> ir.Program:
    return load(Source("a.rules", f"{ONE_PASS}\nclaims\n{claims}"))


def decided(claims: str, players: int | None = None, stack: int | None = None) -> Verdict:
    """Return the verdict on the one claim, asked with this number of *players* and this much room
    on the *stack*.
    """
    program = game(claims)
    (typed,) = claims_of(program)
    (verdict,) = check(
        program,
        [typed.property],
        make_scope(program, players, {} if stack is None else {"stack": stack}),
    )
    return verdict


@pytest.mark.parametrize("claim", [DEEP, THIRD])
def test_a_claim_gets_the_room_that_it_needs(claim: str) -> None:
    verdict = decided(claim)
    assert verdict.outcome in (Outcome.POSSIBLE, Outcome.VIOLATED)
    assert str(verdict.scope) == ("2 players, stack 3" if claim == DEEP else "3 players, stack 2")


def test_it_would_be_wrong_without_that_room() -> None:
    lines = DEEP.splitlines(keepends=True)
    assert decided(lines[0] + lines[2]).outcome is Outcome.IMPOSSIBLE


@pytest.mark.parametrize(
    ("players", "stack", "reason"), [(2, None, "it needs players 3"), (None, 1, "it needs stack 3")]
)
def test_it_is_not_decided_where_somebody_asks_for_less(
    players: int | None, stack: int | None, reason: str
) -> None:
    verdict = decided(DEEP if players is None else THIRD, players, stack)
    assert (verdict.outcome, verdict.reason, verdict.counts.positions) == (
        Outcome.UNKNOWN,
        reason,
        0,
    )


def test_what_is_asked_for_besides_is_kept() -> None:
    assert str(decided(DEEP, players=3).scope) == "3 players, stack 3"
    assert str(decided(DEEP, stack=4).scope) == "2 players, stack 4"


def test_the_row_says_too_small_or_with_how_much_room() -> None:
    program = game(DEEP)
    (typed,) = claims_of(program)
    for size, status, room in (
        (None, "met", (("stack", 3),)),
        (2, "too small", ()),
        (3, "met", ()),
    ):
        scope = make_scope(program, None, {} if size is None else {"stack": size})
        (verdict,) = check(program, [typed.property], scope)
        record = make_record(program, scope, [Answer(verdict, typed.claim)])
        assert [(row.status, row.room) for row in record.rows] == [(status, room)]
        assert exit_of(record) is Exit.OK


def test_others_are_searched_in_their_own_scope() -> None:
    program = game(DEEP + NO_WINDOW)
    verdicts = check(program, [typed.property for typed in claims_of(program)], make_scope(program))
    assert [str(verdict.scope) for verdict in verdicts] == [
        "2 players, stack 3",
        "2 players, stack 2",
    ]


def test_the_play_of_a_claim_contains_what_it_says() -> None:
    """Without the line A's one spell resolves when A passes; with it B has put one on the stack
    before.
    """
    shortest, longer = (
        decided(NO_WINDOW),
        decided(f"{NO_WINDOW}    with controller of top of stack is not active\n"),
    )
    assert shortest.trace is not None
    assert longer.trace is not None
    assert len(shortest.trace.steps) < len(longer.trace.steps)
    owners = [step.move.owner for step in longer.trace.steps if step.move.clause == "1.1"]
    assert 1 in owners


def test_it_may_speak_of_what_the_formula_watches() -> None:
    plain, with_other = (
        decided(NO_WINDOW),
        decided(f"{NO_WINDOW}    with i is top of stack and size of stack is 2\n"),
    )
    assert plain.trace is not None
    assert with_other.trace is not None
    assert len(with_other.trace.steps) == len(plain.trace.steps) + 1


def test_what_no_play_contains_is_not_met() -> None:
    assert (
        decided(f"{NO_WINDOW}    with size of stack is 1 and stack is empty\n").outcome
        is Outcome.HOLDS
    )
    possible = "  possible two\n    possible size of stack is 2\n    with game is over\n"
    assert decided(possible).outcome is Outcome.IMPOSSIBLE
    assert (
        decided(possible.replace("game is over", "size of stack is 1")).outcome is Outcome.POSSIBLE
    )


def test_the_formula_is_told_with_it() -> None:
    (typed,) = claims_of(game(f"{NO_WINDOW}    with size of stack is 2\n"))
    assert typed.property.text.endswith(", with size of stack is 2")


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("  holds lifo\n    with something resolves\n", "P207"),
        ("  fails stack_drains\n    with something resolves\n", "P207"),
        ("  fails lifo\n    with q resolves\n", "P104"),
        ("  fails lifo\n    needs queue 2\n", "R105"),
        ("  fails lifo\n    needs stack 500\n", "R303"),
        ("  fails lifo\n    needs players 1\n", "R303"),
        ("  fails lifo\n    needs stack 2\n    needs stack 3\n", "R011"),
        ("  fails own\n    needs stack 2\n    about something resolves\n", "R013"),
    ],
)
def test_mistakes(lines: str, code: str) -> None:
    with pytest.raises(InputError) as error:
        claims_of(game(lines))
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == [code]


@pytest.mark.parametrize("line", ["needs stack 3", "with something resolves"])
def test_a_property_in_a_file_has_no_such_lines(line: str) -> None:
    with pytest.raises(InputError) as error:
        properties_in(
            Source("a.props", f'property it "it"\n  possible something resolves\n  {line}\n'),
            game(NO_WINDOW),
        )
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["R008"]
