"""Why a clause cannot be used: what the page says of random positions is what the interpreter says,
and which move last changed it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import OVER, Position
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.ir.analysis import Stopping, stops_in, use_parts, with_stops
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_names
from stacklaw.models.source import Source
from stacklaw.reports.naming import player_name
from stacklaw.reports.page.page import obstacles_of, words_of
from stacklaw.reports.plays.wording import PlayWords, comes_first

from ..luck import tries
from ..strategies_ir import programs
from .compiled import portable
from .node import carried, needs_node, run
from .shown import SMALL

pytestmark = [needs_node, pytest.mark.slow]

PLAYS = """
globalThis.document = { createElement: () => ({ append() {}, setAttribute() {}, addEventListener() {} }) };
const teller = new Teller(new WebAssembly.Module(Buffer.from(given.tells, "base64")), given, given.sizes);
const play = new Play(teller, "", () => {});
const why = new WhyNot(play, new Phrases(given.words), given.obstacles);
const told = given.plays.map((draws) => {
  const moments = [];
  play.set([], 0);
  for (const draw of [...draws, null]) {
    moments.push({ made: draw !== null && play.moves.length ? draw % play.moves.length : null, records: play.whyNot, rows: why.rows() });
    if (draw === null || !play.make(draw % play.moves.length)) break;
    play.at += 1;
  }
  return moments;
});
console.log(JSON.stringify(told));
"""
RULES = """
game "Everything that can keep a clause from being used"
source "a test"
players 2 or more
scope players 3, stack 2, pool 1
start act(active, calm)
items
  spell "a spell"
  token "a token"
attributes
  level : 1 to 2
zones
  stack last in first out
  pool in any order
sequence battle
  attack
state
  passed : players
  marked : player or nobody
  mood : calm or wild
  hand : 0 to 2 for each player = 1
stage act(holder: player, how: mood)
  priority holder
  may A "put"
    by any p where p is not marked and p not in passed
    when mood is calm or p is holder
    put spell with level 2 on stack
    put spell with level 1 on stack
    go act(after holder, how)
  may B "pass"
    pass
    passed += holder
    marked := holder
    mood := wild
    hand of holder := hand of holder - 1
    go act(after holder, wild)
  may C "of the marked"
    by after active
    when some t in stack where (controller of t is holder and level of t is 1)
    when stack is empty or controller of top of stack is holder
    choose t in stack where controller of t is holder and level of t is 1
    move t to pool
    mood := calm
    go act(holder, how)
  may D "the top"
    when stack is not empty and level of top of stack is 2
    when some q in passed where q is not holder
    when (size of stack > 1 and level of top of stack is 1) or mood is calm
    either "out"
      choose q in passed where q is not holder
      require q is not active
      passed := none
    or "on"
      require how is wild
      advance battle
    resolve top of stack
    go act(after holder, calm)
  must E "fill up"
    when size of pool > 0
    choose n in 1 to 3
    hand of every p in players := n
    go act(active, how)
  the first that applies
    chance F "a battle"
      when battle is none and mood is wild
      begin battle
      go act(holder, how)
    chance G "all is well"
      hand of every p in players := hand of p + 1
      level of every t in stack := level of t + 1
      mood := calm
      go act(holder, calm)
"""


KINDS = "false", "stopped", "cut", "changed by a move", "so from the start", "stopped by a move"


class Judge:
    """What the interpreter says of the clauses of positions of *program*."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope, self.interpreter = program, scope, Interpreter(program, scope)
        self.words = PlayWords(program)
        self.alone = cache(self._alone)

    def owners(self, clause: ir.Clause) -> list[int | None]:
        return [None] if clause.owner.variable is None else list(range(self.scope.players))

    def moves_of(
        self,
        clause: ir.Clause,
        here: Position,
        seat: int | None,
        number: int = -1,
        *,
        past: bool = True,
    ) -> bool:
        """Return whether the rules let *clause* be used, if it ended right before stop *number*, or
        *past* it.
        """
        moves = self.alone(clause, number, past).allowed(here)
        return any(seat is None or move.owner == seat for move, _ in moves)

    def _alone(self, clause: ir.Clause, number: int, past: bool) -> Interpreter:
        def ended(at: int, stop: Stopping) -> ir.Block:
            return (stop,) if at != number else (stop, ir.GameOver()) if past else (ir.GameOver(),)

        one = replace(clause, body=with_stops(clause.body, ended))
        stages = tuple(
            replace(stage, clauses=(one,) if clause in stage.clauses else ())
            for stage in self.program.stages
        )
        return Interpreter(replace(self.program, stages=stages), self.scope)

    def stop(self, clause: ir.Clause, here: Position, seat: int | None) -> int:
        """Return the first statement that moves come to and none gets past."""
        for number in range(len(stops_in(clause.body))):
            if self.moves_of(clause, here, seat, number, past=False) and not self.moves_of(
                clause, here, seat, number
            ):
                return number
        return -1

    def truth(
        self,
        stage: ir.Stage,
        clause: ir.Clause,
        part: ir.Expr,
        seat: int | None,
        here: Position,
        given: tuple[Any, ...],
    ) -> bool | None:
        """Return whether *part* is true *here* with the arguments *given*; None if it cannot be
        asked.
        """
        names = [parameter.name for parameter in stage.parameters]
        values = [*given]
        if clause.owner.variable is not None:
            names, values = [*names, clause.owner.variable], [*values, seat]
        try:
            return bool(self.interpreter.evaluate(part, tuple(names))(here, tuple(values)))
        except IndexError:
            return None

    def names(
        self, stage: ir.Stage, clause: ir.Clause, seat: int | None, here: Position
    ) -> dict[str, str]:
        pairs = zip(stage.parameters, here.arguments, strict=True)
        names = {
            p.name: "nobody" if v is None else player_name(v)
            for p, v in pairs
            if isinstance(p.type, ir.PlayerType) and not isinstance(v, (str, tuple))
        }
        return (
            names
            if clause.owner.variable is None or seat is None
            else {**names, clause.owner.variable: player_name(seat)}
        )

    def reads(self, stage: ir.Stage, part: ir.Expr, here: Position) -> dict[str, Any]:
        """Return what *part* reads *here*."""
        zones = {node.zone for node in ir.walk(part) if isinstance(node, ir.EndOf | ir.ItemsOn)}
        empty, sizes = (
            {node.zone for node in ir.walk(part) if isinstance(node, kind)}
            for kind in (ir.IsEmpty, ir.Size)
        )
        variables = {
            node.name for node in ir.walk(part) if isinstance(node, ir.Variable | ir.Entry)
        }
        locals_ = {node.name for node in ir.walk(part) if isinstance(node, ir.Local)}
        read: dict[str, Any] = {
            f"zone {z.name}": items
            for z, items in zip(self.program.zones, here.zones, strict=True)
            if z.name in zones
        }
        read |= {
            f"empty {z.name}": not items
            for z, items in zip(self.program.zones, here.zones, strict=True)
            if z.name in empty
        }
        read |= {
            f"size {z.name}": len(items)
            for z, items in zip(self.program.zones, here.zones, strict=True)
            if z.name in sizes
        }
        read |= {
            f"variable {v.name}": value
            for v, value in zip(self.program.variables, here.values, strict=True)
            if v.name in variables
        }
        given = (
            zip(stage.parameters, here.arguments, strict=True) if here.stage == stage.name else ()
        )
        return read | {f"argument {p.name}": value for p, value in given if p.name in locals_}


def is_as_the_interpreter_says(
    program: ir.Program,
    scope: Scope,
    plays: int,
    moves: int,
    seed: int = 0,
    open_: ir.Program | None = None,
) -> Mapping[str, int]:
    """Hold what is told of this number of random plays to the interpreter, by a page of *open_* if
    that is another; return how often what was.
    """
    chance = random.Random(seed)
    draws = [[chance.randrange(1 << 30) for _ in range(moves)] for _ in range(plays)]
    shown = open_ or program
    given = {
        **carried(portable(shown, scope)),
        "plays": draws,
        "words": words_of(shown),
        "obstacles": obstacles_of(shown),
    }
    judge, seen = Judge(program, scope), dict.fromkeys(KINDS, 0)
    for moments in run(("kernel", "positions", "dom", "phrases", "play", "why"), PLAYS, given):
        path = [judge.interpreter.initial()]
        for moment in moments:
            records = list(_expected(judge, path[-1]))
            assert moment["records"] == [record for record, _, _ in records]
            for kind, number in _rows_agree(judge, path, records, moment["rows"]):
                seen[kind] += number
            if moment["made"] is not None:
                path.append(judge.interpreter.moves(path[-1]).moves[moment["made"]][1])
    return seen


_Told = tuple[dict[str, Any], ir.Clause, int | None]


def _expected(judge: Judge, here: Position) -> Iterator[_Told]:
    """Yield the record of each clause and player, with both."""
    if here.stage == OVER:
        return
    stage = judge.program.stage(here.stage)
    for clause in stage.clauses:
        for seat in judge.owners(clause):
            false = [
                number
                for number, (part, _) in enumerate(use_parts(clause))
                if judge.truth(stage, clause, part, seat, here, here.arguments) is False
            ]
            ends = judge.moves_of(clause, here, seat)
            owner = seat
            if owner is None and clause.owner.player is not None:
                names = tuple(parameter.name for parameter in stage.parameters)
                owner = judge.interpreter.evaluate(clause.owner.player, names)(here, here.arguments)
            yield {
                "clause": clause.id,
                "isEach": seat is not None,
                "player": "" if owner is None else player_name(owner),
                "ends": ends,
                "false": false,
                "stop": -1 if ends or false else judge.stop(clause, here, seat),
            }, clause, seat  # fmt: skip


def _rows_agree(
    judge: Judge, path: list[Position], records: list[_Told], rows: list[dict[str, Any]]
) -> Iterator[tuple[str, int]]:
    """Hold the *rows* that are shown at the end of *path* to the *records*; yield what was met."""
    here = path[-1]
    possible = {(move.clause, move.owner) for move, _ in judge.interpreter.moves(here).moves}
    told = {(row["clause"], who): row["says"] for row in rows for who in row["who"]}
    for record, clause, seat in records:
        can = any(id_ == clause.id and (seat is None or owner == seat) for id_, owner in possible)
        who = (
            record["player"]
            or {"may": "nobody", "must": "the rules", "chance": "the cards"}[clause.mode]
        )
        assert ((clause.id, who) in told) is not can
        if can:
            continue
        assert record["ends"] or record["false"] or record["stop"] >= 0
        says, stage = told[clause.id, who], judge.program.stage(here.stage)
        names = judge.names(stage, clause, seat, here)
        if record["ends"]:
            assert [one["changed"] for one in says] == [-1]
            yield "cut", 1
        elif record["false"]:
            parts = [use_parts(clause)[number] for number in record["false"]]
            said = {
                comes_first(above)
                if above
                else judge.words.condition(part, names, held=False): part
                for part, above in reversed(parts)
            }
            assert [one["words"] for one in says] == [*reversed(said)]
            yield "false", 1
            for one in says:
                _change_is_right(
                    judge, path, stage, clause, seat, said[one["words"]], one["changed"]
                )
                yield ("changed by a move" if one["changed"] else "so from the start"), 1
        else:
            assert [one["words"] for one in says] == [
                judge.words.stopped(stops_in(clause.body)[record["stop"]], names)
            ]
            yield "stopped", 1
            _stops_since(judge, path, stage, clause, seat, record["stop"], says[0]["changed"])
            yield "stopped by a move", int(says[0]["changed"] > 0)


def _stops_since(
    judge: Judge,
    path: list[Position],
    stage: ir.Stage,
    clause: ir.Clause,
    seat: int | None,
    stop: int,
    changed: int,
) -> None:
    """Hold that nothing after the move *changed* has to do with *stop*: at each position since then
    where the clause could begin, no move gets past it.
    """
    for here in path[changed:]:
        placed = here._replace(stage=stage.name, arguments=path[-1].arguments)
        if all(
            judge.truth(stage, clause, part, seat, placed, placed.arguments)
            for part, _ in use_parts(clause)
        ):
            assert not judge.moves_of(clause, placed, seat, stop)


def _change_is_right(
    judge: Judge,
    path: list[Position],
    stage: ir.Stage,
    clause: ir.Clause,
    seat: int | None,
    part: ir.Expr,
    changed: int,
) -> None:
    """Hold that the move *changed* is the last that changed what *part* reads, so that *part* has
    been false from then on.
    """
    given = path[-1].arguments
    read = [judge.reads(stage, part, here) for here in path]
    assert all(one == read[-1] for one in read[changed:])
    assert all(
        judge.truth(stage, clause, part, seat, here, given) is False for here in path[changed:]
    )
    assert changed == 0 or read[changed - 1] != read[changed]


@pytest.mark.parametrize("name", game_names())
def test_it_says_of_every_game_what_the_interpreter_says(name: str) -> None:
    program = load_game(name)
    seen = is_as_the_interpreter_says(program, make_scope(program), 6, 25)
    assert seen["changed by a move"] > 100


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_it_says_so_in_many_plays(name: str) -> None:
    program = load_game(name)
    seen = is_as_the_interpreter_says(program, make_scope(program), 70, 60, seed=1)
    assert seen["changed by a move"] > 1000


@pytest.mark.long
@tries(12)
@given(programs())
def test_it_says_so_of_random_programs(program: ir.Program) -> None:
    is_as_the_interpreter_says(
        program, Scope(2, tuple((zone.name, 1) for zone in program.zones)), 4, 8
    )


def test_it_says_all_that_can_keep_a_clause_from_being_used() -> None:
    program = load(Source("everything.rules", RULES))
    seen = is_as_the_interpreter_says(program, make_scope(program), 40, 12)
    assert min(seen.values()) > 20


STEPS = """
game "Whose turn comes next depends on the step"
source "a test"
players 2
scope players 2
start act
turn
  morning
  evening
state
  first : player
  lazy : flag
stage act
  may 1 "wait"
    by active
    lazy := not lazy
    go act
  may 2 "hurry"
    by active
    skip to evening
    go act
  may 3 "go on"
    by active
    advance
    require active is first
    go act
"""


def test_what_an_advance_rests_on_is_the_step() -> None:
    program = load(Source("steps.rules", STEPS))
    assert is_as_the_interpreter_says(program, make_scope(program), 20, 8)["stopped by a move"] > 20


def test_where_there_is_no_room_to_ask_the_rules_moves_are_told_all_the_same() -> None:
    """A word of the machine has room for 63 items that have nothing but an owner, and for none that
    is put there after them.
    """
    narrow, wide = (
        load(Source("small.rules", SMALL.replace("stack 2", f"stack {size}", 1)))
        for size in (62, 63)
    )
    assert "why" in portable(narrow, make_scope(narrow)).tells.decode("latin-1")
    game = portable(wide, make_scope(wide))
    given = {
        **carried(game),
        "plays": [[0, 1]],
        "words": words_of(wide),
        "obstacles": obstacles_of(wide),
    }
    (moments,) = run(("kernel", "positions", "dom", "phrases", "play", "why"), PLAYS, given)
    assert [moment["made"] for moment in moments] == [0, 1, None]
    assert not any(moment["records"] for moment in moments)
