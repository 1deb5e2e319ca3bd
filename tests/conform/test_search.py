"""The search through a window: what it leaves out explains nothing, what it remembers holds."""

from __future__ import annotations

import random
from itertools import product
from unittest import mock

import pytest

from stacklaw.bench.logs.brute import PLAYERS, log_of
from stacklaw.checker.conform import search
from stacklaw.checker.conform.at_priority import AtPriority
from stacklaw.checker.conform.events import made
from stacklaw.checker.conform.fitting import LogWindow, Standing
from stacklaw.checker.conform.monitor import ProgramMonitor, forget
from stacklaw.checker.conform.search import SearchFound
from stacklaw.checker.conform.showing import LogStyle, Showing
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Item
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load, load_rules, rules_source
from stacklaw.models.source import Source


@pytest.mark.parametrize(
    ("lying", "stack", "leaves", "can"),
    [
        ("AB", "AB", "", True),
        ("AB", "ABB", "", True),
        ("AB", "A", "", False),
        ("AB", "A", "B", True),
        ("AB", "A", "A", False),
        ("ABA", "AA", "B", True),
        ("ABA", "AA", "A", False),
        ("ABB", "A", "B", False),
        ("ABB", "A", "AB", False),
        ("ABB", "A", "?B", True),
        ("AB", "?", "A", True),  # B may be the untold one
        ("ABA", "B", "A", False),
    ],
)
def test_what_does_not_stay_has_to_leave(lying: str, stack: str, leaves: str, can: bool) -> None:
    """Items of A and B, or of an unknown player (?)."""
    showing = Showing(Interpreter(load_rules("mtg"), make_scope(load_rules("mtg"), 2)))
    seats = {"A": 0, "B": 1, "?": None}
    items = tuple(Item("instant", "AB".index(one), ("captain", False)) for one in lying)
    position = showing.interpreter.initial()._replace(zones=(items, ()))
    coming = tuple(made("leave", by=seats[one], kind="instant") for one in leaves)
    pile = tuple((seats[one], "instant") for one in stack)
    assert search.WindowSearch(showing, 9)._is_below(position, pile, coming) is can


@pytest.mark.parametrize(
    ("was", "becomes", "grows"),
    [
        ("remove target", "remove target", True),
        ("remove target", "move target to stack", False),  # it comes to the top
        ("remove target", "move target to waiting", False),
    ],
)
def test_what_lies_on_a_stack_stays_there_in_its_order(was: str, becomes: str, grows: bool) -> None:
    text = rules_source("mtg").text
    assert was in text
    assert AtPriority(load(Source("mtg", text.replace(was, becomes)), {})).grows is grows


def test_what_is_remembered_has_a_bound() -> None:
    """However much that is, all that is found is the same."""
    program, most = load_rules("stack"), 300
    log = log_of(program, 2, 0, 300, LogStyle(quiet=0.5))[1:]
    with mock.patch.multiple(search, _MOST_KEPT=most):
        forget()
        monitor = ProgramMonitor(program, 2)
        forget()
    known, edges, heaviest = monitor._search._known, monitor._search._edges, 0
    for event in log:
        assert monitor.step_event(event) == []
        positions = sum(len(key[0]) + len(found.ends) for key, found in known.items())
        heaviest = max(heaviest, positions)
        assert positions <= known.weight <= most
        assert sum(map(len, edges.values())) <= edges.weight <= most
    assert heaviest > most / 4


@pytest.mark.parametrize("game", PLAYERS)
def test_no_move_shows_first_what_its_clause_cannot(game: str) -> None:
    program, chance = load_rules(game), random.Random(1)
    interpreter = Interpreter(program, make_scope(program, 2))
    for hidden in ((), ("sba",), ("choice", "trigger"), ("priority", "turn"), ("resolve", "step")):
        showing, position = Showing(interpreter, hidden), interpreter.initial()
        for _ in range(40):
            moves = interpreter.allowed(position)
            for move, after in moves:
                shown = showing.of(move, after)
                assert showing.can_show(move.clause, shown[0] if shown else None), (move, hidden)
            position = chance.choice(moves)[1] if moves else interpreter.initial()


def test_what_a_clause_can_show_first() -> None:
    program = load_rules("mtg")
    interpreter = Interpreter(program, make_scope(program, 2))
    names = ("act", "choice", "sba", "resolve", "step", "priority")
    first = {
        "117.2e/b": {"act", "choice"},
        "117.5/sba": {"sba"},
        "608.2": {"resolve"},
        "117.5/player": {*names},  # it may show nothing, as far as its text tells
        "117.1b": {*names},  # what players may do is told by `clauses_for`
    }
    for hidden, clause in product(("", "sba", "choice", "resolve"), first):
        showing = Showing(interpreter, [hidden])
        can = {name for name in names if showing.can_show(clause, made(name))}
        assert can == ({*names} if hidden in first[clause] else first[clause]), (hidden, clause)


def test_what_is_found_holds_around_the_table() -> None:
    """What explains a window explains it from every other seat, too."""
    program = load_rules("mtg")
    monitor = ProgramMonitor(program, 3, ["sba"])
    search, table = monitor._search, monitor._search._table
    find, windows = search.find, 0

    def compared(begin: frozenset[Standing], window: LogWindow) -> SearchFound:
        nonlocal windows
        windows += 1
        found, by = find(begin, window), 1 + windows % 2
        there = search.run(table.turned(begin, -by), table.turned_window(window, -by))
        assert table.seat(table.turned(begin, -by)) == by
        assert found.ends == table.turned(there.ends, by) != frozenset()
        return found

    with mock.patch.object(search, "find", compared):
        for event in log_of(program, 3, 5, 200, LogStyle(quiet=0.9, hidden=frozenset({"sba"}))):
            assert not monitor.step_event(event)
    assert windows > 40
