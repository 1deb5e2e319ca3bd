"""What is asked of every game: its claims are as stated, and nothing of its document is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from itertools import product

import stacklaw
from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.prover.prover import LARGE, SMALL, Prover
from stacklaw.checker.run.check import check, decisions, explore
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.models.load import game_source, load_game, opened
from stacklaw.properties import formula as f
from stacklaw.properties.load import TypedClaim, claims_of

WORDS = {
    "holds": Outcome.HOLDS,
    "lemma": Outcome.HOLDS,
    "fails": Outcome.VIOLATED,
    "possible": Outcome.POSSIBLE,
    "impossible": Outcome.IMPOSSIBLE,
    "vacuous": Outcome.VACUOUS,
}


SAME = {Outcome.PROVED: Outcome.HOLDS}


def assert_as_stated(
    program: ir.Program,
    claims: Sequence[TypedClaim],
    players: int | None = None,
    sizes: Mapping[str, int] | None = None,
) -> None:
    """Assert that the checker decides each of *claims* as it says."""
    scope = make_scope(program, players, sizes)
    claims = [typed for typed in claims if not scope.lacks(typed.property.needs)]
    found = check(program, [typed.property for typed in claims], scope)
    # Endings of plays with more and more items, and what was not seen while the scope cut moves,
    # are for a proof to find.
    left = [place for place, verdict in enumerate(found) if verdict.outcome is Outcome.UNKNOWN]
    for place, verdict in zip(
        left,
        check(program, [claims[place].property for place in left], scope, prover=_prover()),
        strict=True,
    ):
        found[place] = verdict
    wrong = [
        (typed.claim.name, verdict.outcome, verdict.reason)
        for typed, verdict in zip(claims, found, strict=True)
        if SAME.get(verdict.outcome, verdict.outcome) is not WORDS[typed.claim.expect]
    ]
    assert wrong == [], wrong


def _prover() -> Prover:
    """Return who tries what always ends as `check` does, and what was not seen for as long as
    `check --prove` does.
    """
    return Prover(replace(SMALL, unshown=LARGE.unshown), whole=False)


def in_turn(program: ir.Program, game: str, number: int) -> list[TypedClaim]:
    """Return what the reading *program* of *game* alone claims, and of what the default reading
    does one in eight, others by *number*.
    """
    claims, elsewhere = (
        claims_of(program),
        {typed.claim.span for typed in claims_of(load_game(game))},
    )
    own = [typed for typed in claims if typed.claim.span not in elsewhere]
    return [*own, *[typed for typed in claims if typed.claim.span in elsewhere][number % 8 :: 8]]


def sizes_of(game: str) -> tuple[Counts, list[str]]:
    """Return how much there is of *game*, and its clauses that never fire, as the explicit engine
    counts it.

    The reference counts as much where no option is chosen; for each option
    `explicit/test_options.py` compares the two in smaller zones.
    """
    program = load_game(game)
    scope = make_scope(program)
    found = search(emit(Layout(program, scope)), Meter())
    assert not found.stopped
    dead = _dead(program, scope)
    if "@" not in game:
        explored = explore(program, scope)
        assert not explored.stopped
        assert (
            explored.counts,
            [clause for clause, times in explored.fired.items() if not times],
        ) == (found.counts, dead)
    return found.counts, dead


def _dead(program: ir.Program, scope: Scope) -> list[str]:
    """Return the clauses that never fire within *scope*; a larger table may use them."""
    fires = f.Property(
        "fires", "", "", "possible", (f.Spotlight("clause", "c"),), f.Uses("c", None), None, ""
    )
    (found, _), *_ = decisions(engine_named("explicit"), program, [fires], scope, Meter())
    assert found.outcome in (Outcome.HOLDS, Outcome.VIOLATED)
    return list(found.dead)


def together(
    readings: Mapping[str, tuple[str, str]], *checks: tuple[int, ...]
) -> list[tuple[str, ...]]:
    """Return values for all of *readings* together: those in which, of each of *checks*, an even
    number have their second value.

    Each check halves how many there are. Where every sum of checks is of four options at least, any
    three options still have all their values with each other: a fractional factorial design (Box
    and Hunter, "The 2^(k-p) fractional factorial designs", 1961).
    """
    places = product((0, 1), repeat=len(readings))
    even = [
        chosen
        for chosen in places
        if all(sum(chosen[option] for option in check) % 2 == 0 for check in checks)
    ]
    return [
        tuple(values[place] for values, place in zip(readings.values(), chosen, strict=True))
        for chosen in even
    ]


def play_of(
    game: str,
    question: str,
    outcome: Outcome,
    players: int | None = None,
    stack: int | None = None,
    sizes: Mapping[str, int] | None = None,
) -> list[str]:
    """Return the clauses of the shortest play that shows *outcome*."""
    verdict = stacklaw.check(
        game, question, players=players, stack=stack, sizes=sizes, engine="reference"
    )
    assert verdict.outcome is outcome
    assert verdict.trace is not None
    return [step.move.clause for step in verdict.trace.steps]


def assert_covered(game: str) -> None:
    """Assert that every id of the inventory is a clause, a claim or an option, or is left out, and
    none is two of these at once.
    """
    program = opened(game_source(game))
    covered = {name for _, clause in program.clauses for name in (clause.id, *clause.cites)}
    covered |= {name for option in program.options for name in option.cites}
    covered |= {name for claim in program.claims for name in (claim.name, *claim.cites)}
    left_out = {name for left in program.left_out for name in left.ids}
    assert not covered & left_out
    inventory = (resources.files("stacklaw.models") / "games" / f"{game}.clauses").read_text(
        encoding="utf-8"
    )
    ids = {
        line.split("\t")[0] for line in inventory.splitlines() if line and not line.startswith("#")
    }
    assert ids <= covered | left_out
