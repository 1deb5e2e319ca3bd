"""A play as a claim: `check` accepts what the page writes, and finds that play."""

from __future__ import annotations

import random
from typing import Any

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.position import Position
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.shipped import game_names, game_source
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of
from stacklaw.reports.page.page import claiming_words

from .compiled import portable
from .node import carried, needs_node, run
from .shown import SMALL
from .test_why_not import RULES

pytestmark = [needs_node, pytest.mark.slow]

CLAIMS = """
const teller = new Teller(new WebAssembly.Module(Buffer.from(given.tells, "base64")), given, given.wanted);
const play = new Play(teller, "", () => {});
const claim = new PlayClaim(play, given.claiming);
console.log(JSON.stringify(given.plays.map((draws) => {
  play.set([], 0);
  for (const draw of draws) if (play.moves.length && play.make(draw % play.moves.length)) play.at += 1;
  return { numbers: play.numbers, text: claim.text, why: claim.why };
})));
"""


def claimed(program: ir.Program, scope: Scope, plays: list[list[int]]) -> list[dict[str, Any]]:
    words = claiming_words(program, scope.players)
    given = {
        **carried(portable(program, scope)),
        "wanted": [size for _, size in scope.sizes],
        "plays": plays,
        "claiming": words,
    }
    told: list[dict[str, Any]] = run(("kernel", "positions", "play", "claim"), CLAIMS, given)
    return told


def path_of(
    program: ir.Program, scope: Scope, numbers: list[int]
) -> tuple[list[tuple[str, Any]], Position]:
    """Return the clauses of the moves of these *numbers*, with their owners, and where they
    lead.
    """
    interpreter, made = Interpreter(program, scope), []
    here = interpreter.initial()
    for number in numbers:
        move, here = interpreter.moves(here).moves[number]
        made.append((move.clause, move.owner))
    return made, here


def looks(here: Position) -> Any:
    """Return what a claim says of a position: of zones how many items there are, and which there
    are at all.
    """
    return here.stage, here.values, [(len(items), set(items)) for items in here.zones]


def is_found(
    source: Source, told: dict[str, Any], scope: Scope, settings: dict[str, str] | None = None
) -> None:
    """Hold that the claim can stand at the end of *source*, is decided as it says of the reading
    with *settings*, and by this play.
    """
    program = load(Source(source.name, f"{source.text}\n{told['text']}"), settings or {})
    *_, claim = claims_of(program)
    assert claim.claim.expect == "possible"
    (verdict,) = check(program, [claim.property], make_scope(program))
    assert verdict.outcome is Outcome.POSSIBLE
    assert verdict.trace is not None
    made, here = path_of(program, scope, told["numbers"])
    assert [(step.move.clause, step.move.owner) for step in verdict.trace.steps] == made
    assert looks(verdict.trace.positions[-1]) == looks(here)


def draws(seed: int, *lengths: int) -> list[list[int]]:
    chance = random.Random(seed)
    return [[chance.randrange(1 << 30) for _ in range(length)] for length in lengths]


@pytest.mark.parametrize("name", game_names())
def test_a_play_of_every_game_is_found_again(name: str) -> None:
    source = game_source(name)
    program = load(source)
    scope = make_scope(program)
    for told in claimed(program, scope, draws(1, 0, 1, 6)):
        is_found(source, told, scope)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_the_longest_plays_are_found_again(name: str) -> None:
    source = game_source(name)
    program = load(source)
    scope = make_scope(program)
    longest = sorted(
        claimed(program, scope, draws(2, *[25] * 60)), key=lambda told: len(told["numbers"])
    )[-2:]
    assert len(longest[-1]["numbers"]) > 12
    for told in longest:
        assert not told["why"]
        is_found(source, told, scope)


def test_everything_is_told() -> None:
    source = Source("everything.rules", RULES.replace("scope players 3", "scope players 2"))
    program = load(source)
    scope = make_scope(program, players=3, sizes={"stack": 3})
    plays = claimed(program, scope, [[], [1], [2], *draws(3, 3, 4, 5, 6, 7, 8)])
    assert any("needs players 3, stack 3" in told["text"] for told in plays)
    for told in plays:
        is_found(source, told, scope)


def test_it_is_a_claim_about_the_reading_of_the_page() -> None:
    source = game_source("zx")
    options = {
        option.name: [value for value, _ in option.values] for option in load(source).options
    }
    settings = {name: options[name][-1] for name in ("points", "automatic")}
    program = load(source, settings)
    for told in claimed(program, make_scope(program), draws(4, 4, 6)):
        is_found(source, told, make_scope(program), settings)
        *_, last = claims_of(load(Source(source.name, f"{source.text}\n{told['text']}")))
        assert not last.claim.name.startswith("played")


def test_what_is_possible_only_later_is_not_the_play() -> None:
    (told,) = claimed(
        load(Source("small.rules", SMALL)), make_scope(load(Source("small.rules", SMALL))), [[0]]
    )
    later = SMALL.replace("  passed : players\n", "  passed : players\n  began : flag\n").replace(
        "    put spell", "    when began\n    put spell"
    )
    later = later.replace(
        "      game over\n", "      passed := none\n      began := yes\n      go decide(active)\n"
    )
    for text, outcome in ((SMALL, Outcome.POSSIBLE), (later, Outcome.IMPOSSIBLE)):
        program = load(Source("small.rules", f"{text}\n{told['text']}"))
        (verdict,) = check(program, [claims_of(program)[-1].property], make_scope(program))
        assert verdict.outcome is outcome


def test_too_long_a_play_has_none() -> None:
    program = load(game_source("zx"))
    (told,) = claimed(program, make_scope(program), draws(0, 40))
    assert len(told["numbers"]) > 25
    assert "25 moves at most" in told["why"]


def test_one_of_fewer_players_than_the_ruleset_asks_about_has_none() -> None:
    program = load(Source("everything.rules", RULES))
    (told,) = claimed(program, make_scope(program, players=2), draws(0, 2))
    assert "with 3 players" in told["why"]
