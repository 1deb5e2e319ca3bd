"""A cut is not an answer: what no play within a scope shows is not said to be impossible while the
scope cuts moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.run.check import check, explore
from stacklaw.checker.run.cuts import for_claim
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import game_source, load, load_game, opened
from stacklaw.models.options.configure import configure
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of, property_named

HOLDS, IMPOSSIBLE, POSSIBLE, PROVED, UNKNOWN = (
    Outcome.HOLDS,
    Outcome.IMPOSSIBLE,
    Outcome.POSSIBLE,
    Outcome.PROVED,
    Outcome.UNKNOWN,
)
VACUOUS, VIOLATED = Outcome.VACUOUS, Outcome.VIOLATED
THREE = """\
game "Three triggers on a zone with room for two"
players 2
scope waiting 2, stack 2
start begin

items
  trigger "trigger"

zones
  waiting in any order [waiting]
  stack last in first out

state
  done : flag

stage begin
  must 1 "three triggers"
    put trigger by active on waiting
    put trigger by active on waiting
    put trigger by active on waiting
    go main

stage main
  must 2 "put one on the stack"
    when waiting is not empty
    choose t in waiting
    move t to stack
    go main

  must 3 "the end"
    when waiting is empty and stack is not empty
    done := yes
    game over
{more}
claims
  holds never_done
    never done
  possible three
    possible (size of stack is 3)
  fails done_some_time
    never done
  holds at_the_end
    never (size of stack is 3 and not done and game is over)
  fails about_what_never_arises
    about done and waiting is not empty
    never done
"""
DEAD = """
  must 4 "never"
    when done and waiting is not empty
    go begin
"""
BOTH = {"waiting": 3, "stack": 3}


def found(
    folder: Path,
    more: str = "",
    names: Sequence[str] = (),
    *,
    prove: bool = True,
    sizes: Mapping[str, int] | None = None,
) -> dict[str, Verdict]:
    """Return the verdicts on all that the ruleset claims, and on the properties called *names*,
    within zones of such *sizes*.
    """
    program = load(Source("three", THREE.format(more=more)))
    asked = [
        *(typed.property for typed in claims_of(program)),
        *(property_named(program, name) for name in names),
    ]
    prover = Prover(folder=folder) if prove else None
    return {
        verdict.property.name: verdict
        for verdict in check(program, asked, make_scope(program, None, sizes), prover=prover)
    }


def met(verdicts: dict[str, Verdict]) -> Iterator[tuple[str, Outcome]]:
    """Yield what is said of each claim."""
    for name, expectation in (
        ("never_done", "holds"),
        ("three", "possible"),
        ("done_some_time", "fails"),
        ("at_the_end", "holds"),
    ):
        yield name, for_claim(verdicts[name], expectation).outcome


def test_what_flips_with_more_room_is_not_said_to_be_unmet_with_less(tmp_path: Path) -> None:
    small, larger = found(tmp_path), found(tmp_path, sizes=BOTH)
    assert dict(met(small)) == {
        "never_done": HOLDS,
        "three": UNKNOWN,
        "done_some_time": UNKNOWN,
        "at_the_end": UNKNOWN,
    }
    assert dict(met(larger)) == {
        "never_done": VIOLATED,
        "three": POSSIBLE,
        "done_some_time": VIOLATED,
        "at_the_end": PROVED,
    }
    assert (
        small["three"].outcome is IMPOSSIBLE
    )  # within the scope, and of that an `impossible` speaks
    assert for_claim(small["three"], "impossible").outcome is IMPOSSIBLE


def test_what_may_break_without_what_it_is_about_is_not_said_to_hold(tmp_path: Path) -> None:
    name = "about_what_never_arises"
    small, larger = found(tmp_path)[name], found(tmp_path, sizes=BOTH)[name]
    assert small.outcome is VACUOUS
    assert (for_claim(small, "fails").outcome, larger.outcome) == (UNKNOWN, VIOLATED)
    assert for_claim(small, "fails").reason.endswith("`needs waiting 3, stack 3`")


@pytest.mark.parametrize("prove", [True, False])
def test_all_sizes_are_named_that_it_takes_together(tmp_path: Path, prove: bool) -> None:
    verdicts = found(tmp_path, names=["no_dead_clause", "no_lost_triggers"], prove=prove)
    assert verdicts["no_dead_clause"].outcome is UNKNOWN
    assert (
        verdicts["no_dead_clause"].reason
        == "possible for 1, 2 and 3 only with more room: ask with --scope waiting=3 --scope stack=3"
    )
    assert verdicts["no_dead_clause"].dead == ()
    words = (
        "nothing breaks it, and what it is about arises only with more room: ask with --scope "
        "waiting=3"
    )
    assert (verdicts["no_lost_triggers"].outcome, verdicts["no_lost_triggers"].reason) == (
        UNKNOWN,
        words,
    )
    assert verdicts["three"].reason == "with more room one does: `needs waiting 3, stack 3`"
    assert for_claim(verdicts["done_some_time"], "fails").reason.endswith(
        "with more room one does: `needs waiting 3, stack 3`"
    )
    alone = found(tmp_path, names=["no_dead_clause"], prove=prove, sizes={"waiting": 3})
    assert (
        alone["no_dead_clause"].reason
        == "possible for 3 only with more room: ask with --scope stack=3"
    )
    assert (
        found(tmp_path, names=["no_dead_clause"], prove=prove, sizes=BOTH)["no_dead_clause"].outcome
        is HOLDS
    )


def test_what_is_proved_stands_and_what_is_not_is_open(tmp_path: Path) -> None:
    verdicts = found(tmp_path, DEAD, ["no_dead_clause", "single_holder"])
    words = (
        "not possible for 4 at any size; possible for 1, 2 and 3 only with more room: ask with "
        "--scope waiting=3 --scope stack=3"
    )
    assert (verdicts["no_dead_clause"].outcome, verdicts["no_dead_clause"].reason) == (
        VIOLATED,
        words,
    )
    assert verdicts["no_dead_clause"].dead == ("4",)
    assert verdicts["single_holder"].outcome is VACUOUS
    unproved = found(tmp_path, DEAD, ["no_dead_clause", "single_holder"], prove=False)
    words = (
        "open for 1, 2, 3 and 4, for the scope cuts moves: ask with more room, such as --scope "
        "waiting=3 --scope stack=3"
    )
    assert (unproved["no_dead_clause"].outcome, unproved["no_dead_clause"].reason) == (
        UNKNOWN,
        words,
    )
    words = (
        "nothing breaks it; whether what it is about ever arises is open, for the scope cuts "
        "moves: ask with more room, such as "
    )
    assert (unproved["single_holder"].outcome, unproved["single_holder"].reason) == (
        UNKNOWN,
        f"{words}--scope waiting=3",
    )


def test_where_nothing_is_cut_it_is_as_it_was(tmp_path: Path) -> None:
    verdicts = found(tmp_path, DEAD, ["no_dead_clause", "single_holder"], prove=False, sizes=BOTH)
    assert verdicts["no_dead_clause"].counts.cut == 0
    assert (verdicts["no_dead_clause"].outcome, verdicts["no_dead_clause"].reason) == (
        VIOLATED,
        "not possible for 4",
    )
    assert verdicts["single_holder"].outcome is VACUOUS


def test_the_map_and_the_rulebook_of_a_page_call_unused_what_is_proved_to_be(
    tmp_path: Path,
) -> None:
    program = load(Source("three", THREE.format(more=DEAD)))
    scope = make_scope(program)
    assert set(explore(program, scope).open) == {"1", "2", "3", "4"}
    assert set(explore(program, scope, prover=Prover(folder=tmp_path)).open) == {"1", "2", "3"}
    assert not explore(program, make_scope(program, None, BOTH)).open


def test_a_game_of_which_a_clause_is_dead_is_told_so_though_its_scope_cuts_moves(
    tmp_path: Path,
) -> None:
    program = load_game("fftcg", {"pass_counts": "yes"})
    asked = [typed for typed in claims_of(program) if typed.property.name == "no_dead_clause"]
    (verdict,) = check(
        program, [asked[0].property], make_scope(program), prover=Prover(folder=tmp_path)
    )
    assert verdict.counts.cut > 0
    assert (verdict.outcome, asked[0].claim.expect) == (VIOLATED, "fails")
    assert verdict.reason.endswith("at any size")


@pytest.mark.slow
def test_what_never_arises_is_proved_where_that_takes_the_most(tmp_path: Path) -> None:
    """Two effects never wait together: of all that the shipped games claim to be vacuous this takes
    the longest proof.
    """
    program = load_game("zx", {"points": "priority"})
    (verdict,) = check(
        program,
        [property_named(program, "lifo")],
        make_scope(program),
        prover=Prover(folder=tmp_path),
    )
    assert verdict.counts.cut > 0
    assert verdict.outcome is VACUOUS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "clause", "words", "dead"),
    [
        ("zx", "ZX-6", "go proceed, not step_begins", "ZX-6/damage"),
        ("mtg", "800.4a", "without `leaving is yes`", "800.4a"),
        ("stack", "STK-22", "`step is draw` asked by STK-X2, and not here", "STK-X2"),
        ("fftcg", "FF-31", "go next_part, past passing", "FF-35"),
    ],
)
def test_a_clause_that_an_edit_kills_is_proved_to_be_dead_though_the_scope_cuts_moves(
    game: str, clause: str, words: str, dead: str, tmp_path: Path
) -> None:
    edits = edits_of(opened(game_source(game)))
    (edit,) = (one for one in edits if one.clause == clause and one.words.startswith(words))
    program = configure(edit.program, {})
    question = property_named(program, "no_dead_clause")
    (verdict,) = check(program, [question], make_scope(program), prover=Prover(folder=tmp_path))
    assert verdict.counts.cut > 0
    assert (verdict.outcome, verdict.reason) == (VIOLATED, f"not possible for {dead} at any size")
