"""The plays that a page puts on its board are those that were found, also where other moves lead to
the same positions.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import move_numbers, retraced
from stacklaw.checker.run.check import check
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property
from stacklaw.properties.load import claims_of
from stacklaw.reports.page.rows import page_rows
from stacklaw.reports.telling.record import Answer, make_record

from .compiled import Portable, portable
from .node import carried, needs_node, run

pytestmark = [needs_node, pytest.mark.slow]

RULES = """
game "The same in several ways"
source "a test"
players 2
scope players 2, stack 2
start act(active)
items
  spell "a spell"
zones
  stack last in first out
stage act(holder: player)
  priority holder
  may A "put"
    put spell by holder on stack
    go act(after holder)
  may B "take back"
    when stack is not empty
    remove top of stack
    go act(after holder)
  may C "remove or resolve"
    when stack is not empty
    either "remove" by holder
      remove top of stack
    or "resolve"
      resolve top of stack
    go act(after holder)
claims
  fails nothing_resolves
    never something resolves
  fails none_resolves_after_a_removal
    never (something resolves and previously once something is removed)
  fails not_the_second_of_two
    for every item i, item j: never (i resolves and previously once j is removed)
"""
PLAYS = """
const teller = new Teller(new WebAssembly.Module(Buffer.from(given.tells, "base64")), given, given.sizes);
const play = new Play(teller, "", () => {});
console.log(JSON.stringify(given.keys.map((keys) => [play.find(keys), play.numbers])));
"""
ASK = """
const modules = given.searches.map((pair) => pair.map((one) => (one ? new WebAssembly.Module(Buffer.from(one, "base64")) : null)));
const answers = [];
for (const _ of new Asking(given, modules, given.sizes, 2 ** 28).run((answer) => answers.push(answer)));
console.log(JSON.stringify(answers.slice(1).map((answer) => answer.play)));
"""


@cache
def asked() -> tuple[ir.Program, Scope, list[Property], Portable]:
    program = load(Source("ways.rules", RULES))
    properties = [typed.property for typed in claims_of(program)]
    scope = make_scope(program)
    return program, scope, properties, portable(program, scope, properties)


def traces(found: list[list[int]]) -> list[Trace]:
    program, scope, _, _ = asked()
    return [retraced(Interpreter(program, scope), numbers) for numbers in found]


def kinds(trace: Trace) -> list[str]:
    """Return what happens, move by move."""
    return [event.kind for step in trace.steps for event in step.move.events]


def test_what_is_asked_in_a_page_is_told_by_the_moves_that_show_it() -> None:
    _, _, _, game = asked()
    plays: list[list[int]] = run(("kernel", "positions", "search", "verdicts"), ASK, carried(game))
    first, *others = [kinds(trace) for trace in traces(plays)]
    assert first == ["put", "resolves"]
    for happened in others:
        assert happened[-1] == "resolves"
        assert sorted(happened[:-1]) == ["is removed", "put", "put"]


def test_a_play_of_a_verdict_is_stepped_through_by_its_own_moves() -> None:
    program, scope, properties, game = asked()
    verdicts = check(program, properties, scope)
    rows = page_rows(make_record(program, scope, [Answer(verdict) for verdict in verdicts]))
    found: list[Any] = run(
        ("kernel", "positions", "play"),
        PLAYS,
        {**carried(game), "keys": [row.keys for row in rows]},
    )
    assert all(verdict.trace is not None for verdict in verdicts)
    wanted = [
        move_numbers(Interpreter(program, scope), verdict.trace)
        for verdict in verdicts
        if verdict.trace is not None
    ]
    assert found == [[len(numbers), numbers] for numbers in wanted]
