"""For each: what is done for every item of a zone, or every player, that meets a condition, to a
frame.

Of the items only what is known of some is followed (`sweep`), of the players' entries the tracked
ones. That a number of another player would leave its range, so that the move is not possible, is
not asked: that only adds plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import z3

from ....models import ir
from ..position.change import change_every
from ..position.expressions import evaluate_with, holds, players
from ..position.frame import (
    Entries,
    ItemTerm,
    PlayerSet,
    SymbolicEvent,
    SymbolicFrame,
    SymbolicValue,
)
from ..position.items import spotlit
from ..position.sorts import in_range, is_in_range
from ..position.sweep import sweep
from ..position.weakenings import UnsupportedError, Weakening
from ..solver import terms as t


def for_each(each: ir.ForEach, frame: SymbolicFrame) -> None:
    """Let *frame* do *each*."""
    for done in each.body:
        match done:
            case ir.Leave() | ir.Move():
                _of_items(each, done, frame)
            case ir.Alter():
                _of_changes(each, done, frame)
            case ir.Assign():
                _of_players(each, done, frame)
            case _:
                assert_never(done)


def _of_items(each: ir.ForEach, done: ir.Leave | ir.Move, frame: SymbolicFrame) -> None:
    assert isinstance(each.domain, ir.ItemsOn)
    zone, to = each.domain.zone, done.zone if isinstance(done, ir.Move) else ""
    some = holds(ir.Exists(each.variable, each.domain, each.condition), frame)
    leaves = sweep(
        zone,
        to,
        lambda item: _meets(each, item, frame),
        some,
        frame,
        is_whole=each.condition == ir.YES,
    )
    frame.events.append(event_of(done, zone, some, leaves))


def _of_changes(each: ir.ForEach, done: ir.Alter, frame: SymbolicFrame) -> None:
    assert isinstance(each.domain, ir.ItemsOn)
    type_ = frame.context.program.attribute(done.attribute).type
    if done.attribute not in frame.context.asked:
        out_of_sight(done.attribute, done.value, type_, frame)
        return
    for name in frame.spots:
        item = spotlit(name, each.domain.zone, frame)
        is_meant = t.both(frame.on(name, each.domain.zone), _meets(each, item, frame))
        new = _with(each, item, done.value, frame)
        assert isinstance(new, z3.ExprRef)
        frame.require(t.implies(is_meant, in_range(frame.context, new, type_)))

    def changed(item: ItemTerm) -> tuple[t.Bool, t.Term]:
        new = _with(each, item, done.value, frame)
        assert isinstance(new, z3.ExprRef)
        fits = in_range(frame.context, new, type_)  # else the move is not possible
        return t.both(_meets(each, item, frame), fits), new

    change_every(each.domain.zone, done.attribute, changed, frame)


def event_of(
    done: ir.Leave | ir.Move, zone: str, some: t.Bool, leaves: Mapping[str, t.Bool]
) -> SymbolicEvent:
    """Return the event that *some* items leave *zone*, those spotlit ones among them that do."""
    if isinstance(done, ir.Move):
        return SymbolicEvent("move", some, same=leaves, zone=zone, to_zone=done.zone)
    return SymbolicEvent(done.how, some, same=leaves, zone=zone)


def _meets(each: ir.ForEach, element: ItemTerm | t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return whether *element* meets the condition."""
    answer = _with(each, element, each.condition, frame)
    assert isinstance(answer, z3.BoolRef)
    return answer


def _with(
    each: ir.ForEach, element: SymbolicValue, expr: ir.Expr, frame: SymbolicFrame
) -> SymbolicValue:
    """Return what *expr* is where the name of *each* stands for *element*."""
    return evaluate_with(each.variable, element, expr, frame)


# ------------------------------------------------------------------ players


def _of_players(each: ir.ForEach, done: ir.Assign, frame: SymbolicFrame) -> None:
    assert isinstance(each.domain, ir.PlayersIn)
    declared = frame.context.program.variable(done.variable)
    if done.variable not in frame.context.variables:
        out_of_sight(done.variable, done.value, declared.type, frame)
        return
    if isinstance(declared.type, ir.PlayersType):
        raise UnsupportedError(f"{done.variable} has a set of players for each player")
    among, entries = players(each.domain.players, frame), frame.values[done.variable]
    assert isinstance(entries, Entries)
    changed = []
    for who, inside, old in zip(
        frame.context.players.tracked, among.members, entries.values, strict=True
    ):
        meant, new = t.both(inside, _meets(each, who, frame)), _with(each, who, done.value, frame)
        assert isinstance(new, z3.ExprRef)
        assert not isinstance(new, PlayerSet)
        if isinstance(declared.type, ir.NumberType):
            frame.require(t.implies(meant, in_range(frame.context, new, declared.type)))
        changed.append(t.choice(meant, new, old))
    frame.values[done.variable] = Entries(tuple(changed))


def out_of_sight(name: str, value: ir.Expr, type_: ir.Type, frame: SymbolicFrame) -> None:
    """Let *value* become that of a variable or an attribute that nobody asks for: it is left out,
    and whether it fits is not known.
    """
    frame.context.weakenings.add(Weakening.SLICED)
    if not is_in_range(frame.context, value, type_):
        frame.require(frame.context.fresh_truth(f"{name} keeps its range"))
