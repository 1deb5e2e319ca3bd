"""A ruleset with players in every place where there can be one, and turning by the book: on whole
positions, for the tests of symmetry.
"""

from __future__ import annotations

from stacklaw.checker.types.position import OVER, Item, Position, Value
from stacklaw.models import ir

RULES = """
game "Seats"
source "an example"
players 2 to 4
scope players 3, row 1, pool 2
start decide(active, nobody, none)

items
  card  "card"
  token "token"

attributes
  target : player or nobody
  shut   : flag

zones
  row   last in first out
  pool  in any order

turn
  early
  late

state
  met    : players
  marked : player or nobody
  heir   : player or nobody for each player
  score  : 0 to 1 for each player

stage decide(holder: player, chosen: player or nobody, others: players) "a player has priority"
  priority holder

  may 1 "put a card"
    when row is empty and holder not in met
    choose q in players
    require q is not active
    put card by holder with target q, shut yes on row
    heir of holder := q
    met += holder
    go decide(after holder, q, met)

  may 2 "put a token in the pool"
    when holder not in others and holder not in met
    put token by after holder with target chosen on pool
    met += holder
    go decide(holder, nobody, met)

  may 3 "pass"
    pass
    go settle(after holder)

stage settle(next: player) "the turn goes on"

  must 4 "a token leaves the pool"
    when some t in pool where controller of t is active
    choose t in pool where controller of t comes first from next by next
    marked := target of t
    score of controller of t := 1
    remove t
    if row is not empty
      resolve top of row
      active := before active
    else
      advance
    go settle(after next)

  must 5 "nothing of the active player's is in the pool"
    when no t in pool where controller of t is active
    advance
    heir of next := marked
    let others be met but next
    met := none
    go decide(next, marked, others)
"""


def turned(program: ir.Program, players: int, position: Position) -> Position:
    """Return *position* with everyone moved on around the table until the active player sits in
    seat 0.
    """
    active = position.values[0]
    assert isinstance(active, int)
    return _turned_by(program, players, position, active)


def _turned_by(program: ir.Program, players: int, position: Position, by: int) -> Position:
    def of(type_: ir.Type, value: Value) -> bool | int | str | None:
        assert not isinstance(value, tuple)
        match type_:
            case ir.PlayerType() if value is not None:
                assert isinstance(value, int)
                return (value - by) % players
            case ir.PlayersType():
                assert isinstance(value, int)
                return sum(
                    1 << (seat - by) % players for seat in range(players) if value >> seat & 1
                )
            case _:
                return value

    def entries(variable: ir.VariableDeclaration, value: Value) -> Value:
        if not isinstance(value, tuple):
            return of(variable.type, value)
        return tuple(of(variable.type, value[(seat + by) % players]) for seat in range(players))

    def item(one: Item) -> Item:
        attributes = [
            of(attribute.type, value)
            for attribute, value in zip(program.attributes, one.attributes, strict=True)
        ]
        return Item(one.kind, (one.controller - by) % players, tuple(attributes))

    parameters = program.stage(position.stage).parameters if position.stage != OVER else ()
    arguments = tuple(
        of(parameter.type, value)
        for parameter, value in zip(parameters, position.arguments, strict=True)
    )
    values = tuple(
        entries(variable, value)
        for variable, value in zip(program.variables, position.values, strict=True)
    )
    zones = []
    for zone, items in zip(program.zones, position.zones, strict=True):
        moved = [item(one) for one in items]
        zones.append(tuple(sorted(moved, key=repr) if zone.order == "unordered" else moved))
    return Position(position.stage, arguments, values, tuple(zones))
