"""The moves of a game for another machine: its WebAssembly tells those of the interpreter."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import OVER, Event, Item, Move, Position, Trace, TraceStep
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.ir.parts import statements
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source
from stacklaw.reports.naming import owner_name, player_name
from stacklaw.reports.plays.play import PlayState
from stacklaw.reports.states import states_of, ways_of

from .compiled import Portable, portable
from .node import carried, needs_node, run

pytestmark = [needs_node, pytest.mark.slow]

PLAYS = """
const teller = new Teller(new WebAssembly.Module(Buffer.from(given.tells, "base64")), given, given.sizes);
teller.setUp(given.sizes, given.reading ?? teller.reading);
const told = given.plays.map((draws) => {
  let here = teller.start();
  const moments = [];
  for (const draw of [...draws, 0]) {
    const moves = teller.moves(here);
    const said = moves.map(({ clause, mode, owner, choices, events, way, target }) => (
      { clause, mode, owner, choices, events, way, target: teller.positions.position(target) }));
    moments.push({ position: teller.positions.position(here), holders: teller.holders(here), moves: said });
    if (!moves.length) break;
    here = moves[draw % moves.length].target;
  }
  return moments;
});
console.log(JSON.stringify(told));
"""
RULES = """
game "Everything that can be chosen"
source "a test"
players 2 or more
scope players 3, stack 2, pool 2
start act(active, 2)
items
  spell "a spell" [slow]
  token "a token"
attributes
  tapped : flag
  of_whom : player or nobody
  level : 1 to 3
zones
  stack last in first out
  pool in any order
turn
  morning
  evening
sequence battle
  attack
  block
state
  passed : players
  marked : player or nobody
  mood : calm or wild
  hand : 1 to 4 for each player = 2
stage act(holder: player, most: 1 to 3)
  priority holder
  may A "put"
    by any p where p is not marked
    choose n in 2 to 3 by after p
    choose who in everyone where who is not holder
    put spell by who with of_whom p, level n on stack
    hand of p := n
    go act(after holder, n)
  may B "pass"
    pass
    passed += holder
    marked := holder
    go act(after holder, most)
  must C "move one"
    when some t in stack where level of t is most
    choose t in stack where level of t is most by after holder
    move t to pool
    either "wild" by after active
      mood := wild
    or "calm"
      mood := calm
    go act(holder, 1)
  chance D "things happen"
    maybe "the day goes on"
      advance
    maybe "somebody fights"
      begin battle
    tapped of every t in pool := yes where not tapped of t
    remove every t in pool where level of t is 3
    go act(active, 3)
  chance E "more"
    when stack is not empty
    begin resolving top of stack
    resolve top of stack
    put token by active on pool
    game over
"""


@cache
def rules() -> ir.Program:
    return load(Source("everything.rules", RULES))


def played(
    program: ir.Program,
    scope: Scope,
    game: Portable,
    plays: int,
    moves: int,
    seed: int = 0,
    reading: Any = None,
) -> int:
    """Hold this number of random plays, in that *reading*, to the interpreter, step by step; return
    how many moves were compared.
    """
    chance = random.Random(seed)
    draws = [[chance.randrange(1 << 30) for _ in range(moves)] for _ in range(plays)]
    interpreter, words, compared = Interpreter(program, scope), GameWords(program), 0
    # What is told of many plays at once is longer than a text can be there.
    told = [
        moments
        for at in range(0, plays, 100)
        for moments in run(
            ("kernel", "positions"),
            PLAYS,
            {**carried(game), "plays": draws[at : at + 100], "reading": reading},
        )
    ]
    for draw, moments in zip(draws, told, strict=True):
        here = interpreter.initial()
        for moment, number in zip(moments, [*draw, 0], strict=False):
            found = interpreter.moves(here).moves
            assert moment["position"] == words.position(here)
            assert moment["holders"] == [
                player_name(seat) for seat in sorted(interpreter.priority(here))
            ]
            assert moment["moves"] == [words.told(move, target) for move, target in found]
            compared += len(found)
            if found:
                here = found[number % len(found)][1]
    return compared


class GameWords:
    """What the scripts tell of positions and moves of *program*."""

    def __init__(self, program: ir.Program) -> None:
        self.program, self.zones = program, [zone.name for zone in program.zones]
        self.modes = {clause.id: clause.mode for _, clause in program.clauses}
        # Plays come to the same positions and items again and again.
        self.position, self.item = cache(self._position), cache(self._item)

    def _position(self, here: Position) -> dict[str, Any]:
        (state,) = states_of(self.program, Trace(here, ()))
        return {"stage": here.stage, **as_data(state)}

    def _item(self, item: Item) -> Any:
        """Return *item* as `states` tells it, which it does of whole positions only."""
        alone = replace(self.program, variables=(), zones=self.program.zones[:1])
        (state,) = states_of(alone, Trace(Position(OVER, (), (), ((item,),)), ()))
        return as_data(state)["zones"][0][1][0]

    def told(self, move: Move, target: Position) -> dict[str, Any]:
        """Return *move* as the scripts tell it."""
        choices = []
        for choice in move.choices:
            value: Any = choice.value
            if isinstance(value, Item):
                value = self.item(value)
            elif choice.what:
                value = domain_words(self.program, move.clause, choice.what, value)
            choices.append(
                {"by": by(choice.by), "what": choice.what, "value": value, "at": choice.at}
            )
        return {
            "clause": move.clause, "mode": self.modes[move.clause], "owner": by(move.owner),
            "choices": choices, "events": [self._event(event) for event in move.events],
            "way": ways_of(Trace(target, (TraceStep(move, target),)))[0],
            "target": self.position(target),
        }  # fmt: skip

    def _event(self, event: Event) -> dict[str, Any]:
        said: dict[str, Any] = {"kind": event.kind}
        if event.kind == "passes":
            return {**said, "player": by(event.player)}
        if event.sequence:
            return {**said, "sequence": event.sequence}
        assert event.item is not None
        moved = (
            {"toZone": self.zones[event.to_zone], "toAt": event.to_at} if event.to_zone >= 0 else {}
        )
        return {
            **said,
            "item": self.item(event.item),
            "zone": self.zones[event.zone],
            "at": event.at,
            **moved,
        }


def as_data(state: PlayState) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(asdict(state)))
    return data


def by(who: int | str | None) -> str:
    return "nobody" if who is None else who if isinstance(who, str) else owner_name(who)


def domain_words(program: ir.Program, clause: str, variable: str, value: Any) -> str:
    (body,) = (one.body for _, one in program.clauses if one.id == clause)
    domains = {
        type(s.domain)
        for s in statements(body)
        if isinstance(s, ir.Choose) and s.variable == variable
    }
    return player_name(value) if domains == {ir.PlayersIn} else str(value)


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_it_tells_the_moves_of_the_interpreter(name: str) -> None:
    program = load_game(name)
    scope = make_scope(program)
    assert played(program, scope, portable(program, scope), 11, 40) > 400


@pytest.mark.long
@pytest.mark.parametrize("plays", [200, pytest.param(1000, marks=pytest.mark.rare)])
@pytest.mark.parametrize("name", game_names())
def test_it_tells_the_moves_of_the_interpreter_in_many_plays(name: str, plays: int) -> None:
    program = load_game(name)
    scope = make_scope(program)
    assert played(program, scope, portable(program, scope), plays, 60, seed=plays) > 50 * plays


def test_it_tells_all_that_can_be_chosen() -> None:
    scope = make_scope(rules())
    assert played(rules(), scope, portable(rules(), scope), 40, 12) > 1000
