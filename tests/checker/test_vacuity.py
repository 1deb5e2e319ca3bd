"""What says nothing: a `never` of several parts is VACUOUS if one of them never arises, in any
order of writing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import all_queries, decide
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check, decisions
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..luck import tries
from ..rulesets import MARKS, ONE_PASS, asked

ENGINES = (Reference(), engine_named("explicit"))


def found(
    rules: str, *lines: str, engine: Engine | None = None, players: int = 2
) -> tuple[Outcome, str]:
    """Return what *engine* says of the formula of these *lines* within the scope, and the reason;
    what the scope cuts is not looked for.
    """
    program, question = asked(rules, *lines)
    meter = Meter(Budget())
    ((decision, _),) = decisions(
        engine or engine_named("explicit"), program, [question], make_scope(program, players), meter
    )
    return decision.outcome, decision.reason


def spotlit(body: str, quantifier: str = "every") -> str:
    """Return *body* with the spotlights `i` and `p`, as far as it mentions them, before it."""
    named = [
        f"{kind} {name}"
        for kind, name in (("item", "i"), ("player", "p"))
        if re.search(rf"\b{name}\b", body)
    ]
    return f"for {quantifier} {', '.join(named)}: {body}" if named else body


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    "parts",
    list(permutations(["stack is empty", "game is over", "someone passes"])),
    ids=" and ".join,
)
def test_the_order_makes_no_difference(parts: tuple[str, str, str], engine: Engine) -> None:
    one, two, three = parts
    expected = (
        Outcome.VACUOUS,
        "already because `game is over` never arises: claim `never game is over`",
    )
    for body in (
        f"{one} and {two} and {three}",
        f"({one} and {two}) and {three}",
        f"{one} and ({two} and {three})",
    ):
        assert found(MARKS, f"never ({body})", engine=engine) == expected


def test_a_part_that_never_arises_first_and_last() -> None:
    for body in ("no clause applies and at decide", "at decide and no clause applies"):
        reason = "already because `no clause applies` never arises: claim `never no clause applies`"
        assert found(MARKS, f"never ({body})") == (Outcome.VACUOUS, reason)


def test_the_first_in_the_text_is_named() -> None:
    assert found(MARKS, "never (stack is empty and (game is over and no clause applies))")[
        1
    ].startswith("already because `game is over`")
    assert found(MARKS, "never ((no clause applies and stack is empty) and game is over)")[
        1
    ].startswith("already because `no clause applies`")


def test_a_part_that_never_arises_is_claimed_of_those_it_mentions() -> None:
    outcome, reason = found(
        MARKS, "for every item i, player p: never (p has priority and (i on stack and i resolves))"
    )
    assert (outcome, reason) == (
        Outcome.VACUOUS,
        "already because `i resolves` never arises: claim `for every item i: never i resolves`",
    )


def test_what_arises_only_at_different_moments_is_no_reason() -> None:
    assert found(ONE_PASS, "never (stack is empty and size of stack is 1)") == (Outcome.HOLDS, "")


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (("about at decide", "never (no clause applies and at decide)"), Outcome.HOLDS),
        (("about game is over", "never (stack is empty and size of stack is 1)"), Outcome.VACUOUS),
        (("always (stack is empty and game is over implies someone passes)",), Outcome.VACUOUS),
        (("always (game is over and stack is empty implies someone passes)",), Outcome.VACUOUS),
        (("always (stack is empty and at decide implies not game is over)",), Outcome.HOLDS),
        (
            ("always (stack is empty and size of stack is 1 implies someone passes)",),
            Outcome.VACUOUS,
        ),
        (("never game is over",), Outcome.HOLDS),
        (("never (game is over or no clause applies)",), Outcome.HOLDS),
        (("never not (not game is over or stack is empty)",), Outcome.HOLDS),
    ],
)
def test_what_is_no_never_of_parts_is_as_it_says(lines: Sequence[str], outcome: Outcome) -> None:
    assert found(MARKS, *lines)[0] == outcome


def test_the_reason_of_a_whole_condition() -> None:
    assert (
        found(MARKS, "always (game is over implies someone passes)")[1]
        == "because its condition never arises: game is over"
    )
    assert found(MARKS, "about game is over", "never something resolves")[1] == (
        "because its condition never arises: game is over"
    )


def test_clauses_in_turn() -> None:
    """With each clause in the place of the spotlight; it says something if it does of one of
    them.
    """
    assert found(MARKS, "for every clause c: never (clause c and game is over)", players=3) == (
        Outcome.VACUOUS,
        "already because `game is over` never arises: claim `never game is over`",
    )
    assert (
        found(MARKS, "for every clause c: never (clause c and someone passes and someone acts)")[0]
        == Outcome.HOLDS
    )
    assert found(MARKS, "for every clause c: never (clause c and marked is not nobody)") == (
        Outcome.VACUOUS,
        "because its condition, or a part of it, never arises, whichever the clause",
    )


def test_a_property_of_the_catalogue() -> None:
    program = load(Source("a.rules", ONE_PASS))
    question = property_named(program, "nobody_while_resolving")
    assert [part.text for part in question.conditions][1] == "someone has priority"
    ((decision, _),) = decisions(
        engine_named("explicit"), program, [question], make_scope(program), Meter(Budget())
    )
    assert decision.outcome is Outcome.VACUOUS
    assert decision.reason.startswith(
        "already because `(not (i resolves or i is removed)) since (i begins resolving"
    )


# ------------------------------------------------------------------ what it costs


def test_nothing_is_looked_for_that_was_not_foreseen() -> None:
    program, question = asked(
        ONE_PASS, "for every item i, player p: never (p passes and stack is empty and i resolves)"
    )
    deciding = Deciding(
        program,
        make_scope(program),
        all_queries(program, question),
        Interpreter(program, make_scope(program)),
        Meter(),
    )
    assert decide(program, question, deciding.look_for).outcome is Outcome.HOLDS


def test_parts_of_what_breaks_are_not_looked_for() -> None:
    program, question = asked(ONE_PASS, "never (someone passes and stack is empty)")
    looked = []
    deciding = Deciding(
        program,
        make_scope(program),
        all_queries(program, question),
        Interpreter(program, make_scope(program)),
        Meter(),
    )

    def look_for(wanted: object) -> object:
        looked.append(wanted)
        return deciding.look_for(wanted)  # type: ignore[arg-type]

    assert decide(program, question, look_for).outcome is Outcome.VIOLATED  # type: ignore[arg-type]
    assert len(looked) == 1


def test_parts_that_the_same_search_can_watch_cost_no_search() -> None:
    program, question = asked(
        ONE_PASS, "never (stack is empty and (size of stack is 1 and someone passes))"
    )
    deciding = Deciding(
        program,
        make_scope(program),
        all_queries(program, question),
        Interpreter(program, make_scope(program)),
        Meter(),
    )
    assert [len(group.batches) for group in deciding.groups] == [1]
    assert len(deciding.groups[0].batches[0].queries) == 4


def test_a_search_that_ends_early_leaves_open_which_parts_arise() -> None:
    program, question = asked(
        ONE_PASS, "for every item i: never (stack is empty and (i on stack and no clause applies))"
    )
    (verdict,) = check(
        program, [question], make_scope(program), Budget(positions=2), engine=Reference()
    )
    assert verdict.outcome in (Outcome.UNKNOWN, Outcome.BOUNDED)


# ---------------------------------------------------------------- at random, against the definition

ATOMS = (
    "someone passes", "stack is empty", "size of stack is 1", "no clause applies", "game is over",
    "something resolves", "active has priority", "once something resolves", "at decide", "p passes",
    "p is active", "once p passes", "i on stack", "i resolves", "p is controller of i",
    "not i is spell", "previously i is top of stack",
)  # fmt: skip


@st.composite
def grouped(draw: st.DrawFn, parts: Sequence[str]) -> str:
    """Draw a way to join *parts* with `and`, in their order."""
    if len(parts) == 1:
        return parts[0]
    at = draw(st.integers(1, len(parts) - 1))
    return f"({draw(grouped(parts[:at]))} and {draw(grouped(parts[at:]))})"


@cache
def is_possible(rules: str, body: str) -> bool:
    return (
        found(rules, spotlit(f"possible {body}", "some"), engine=ENGINES[0])[0] is Outcome.POSSIBLE
    )


@pytest.mark.slow
@given(st.data())
@tries(40)
def test_random_parts_in_any_order_and_any_groups(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([MARKS, ONE_PASS]))
    parts = data.draw(st.lists(st.sampled_from(ATOMS), min_size=2, max_size=4, unique=True))
    broken = is_possible(rules, f"({' and '.join(parts)})")
    missing = [part for part in parts if not is_possible(rules, part)]
    for engine in ENGINES:
        for ordered in (parts, data.draw(st.permutations(parts))):
            outcome, reason = found(
                rules, spotlit(f"never {data.draw(grouped(ordered))}"), engine=engine
            )
            assert outcome is (
                Outcome.VIOLATED if broken else Outcome.VACUOUS if missing else Outcome.HOLDS
            )
            if outcome is Outcome.VACUOUS:
                first = next(part for part in ordered if part in missing)
                assert (
                    reason == f"already because `{first}` never arises: claim "
                    f"`{spotlit(f'never {first}')}`"
                )
