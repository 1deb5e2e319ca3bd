"""Statements: what a block does to a frame, for each item too: the paths through it.

A path is a frame whose conditions say when it is taken, with the stage it leads to. Where the rules
branch or the condition of an `if` is not known, there are several paths; a choice among players or
items is one path with a fresh constant.

For each: what is done for every item of a zone, or every player, that meets a condition, to a
frame.

Of the items only what is known of some is followed (`sweep`), of the players' entries the tracked
ones. That a number of another player would leave its range, so that the move is not possible, is
not asked: that only adds plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.analysis import bound_in
from ...types.position import OVER
from ..position.expressions import (
    evaluate,
    evaluate_with,
    holds,
    is_nobody,
    item_term,
    players,
    seat,
)
from ..position.first_items import places
from ..position.frame import (
    Entries,
    ItemTerm,
    PlayerSet,
    SymbolicEvent,
    SymbolicFrame,
    SymbolicValue,
)
from ..position.items import (
    LEFT,
    any_item_on,
    change_every,
    change_item,
    item_at,
    join,
    new_item,
    spotlit,
    take_away,
)
from ..position.sets import contains
from ..position.sorts import in_range, is_in_range
from ..position.sweep import sweep
from ..position.weakenings import UnsupportedError, Weakening
from ..solver import terms as t
from ..solver.terms import ZERO


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
    some = holds(ir.Exists(each.variable, each.domain, each.condition), frame)
    zone, to = each.domain.zone, done.zone if isinstance(done, ir.Move) else ""
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
    done: ir.Leave | ir.Move | ir.BeginResolving,
    zone: str,
    some: t.Bool,
    same: Mapping[str, t.Bool],
) -> SymbolicEvent:
    """Return the event of what is *done* to *some* items on *zone*, the *same* spotlit ones among
    them.
    """
    match done:
        case ir.Move(_, to):
            return SymbolicEvent("move", some, same=same, zone=zone, to_zone=to)
        case ir.Leave(_, how):
            return SymbolicEvent(how, some, same=same, zone=zone)
        case ir.BeginResolving():
            return SymbolicEvent("begins resolving", some, same=same, zone=zone)
        case _:
            assert_never(done)


def do_to(
    held: ItemTerm, done: ir.Leave | ir.Move | ir.BeginResolving, frame: SymbolicFrame
) -> ItemTerm:
    """Let *frame* do to *held* what is *done*; return it as it is then."""
    frame.events.append(event_of(done, held.zone, t.TRUE, held.same))
    if isinstance(done, ir.BeginResolving):
        return held
    take_away(held, frame)
    return join(held, done.zone, frame) if isinstance(done, ir.Move) else replace(held, zone=LEFT)


def put_new(zone: str, attributes: Mapping[str, t.Term], frame: SymbolicFrame) -> None:
    """Let a new item with *attributes* join *zone*."""
    new = new_item(attributes, frame)
    join(new, zone, frame)
    frame.events.append(SymbolicEvent("put", same=new.same, zone=zone))


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
    paired = frame.context.players.paired(zip(among.members, entries.values, strict=True))
    for who, (inside, old) in paired:
        meant, new = t.both(inside, _meets(each, who, frame)), _with(each, who, done.value, frame)
        assert isinstance(new, z3.ExprRef)
        assert not isinstance(new, PlayerSet)
        if isinstance(declared.type, ir.NumberType):
            frame.require(t.implies(meant, in_range(frame.context, new, declared.type)))
        changed.append(t.choice(meant, new, old))
    frame.values[done.variable] = Entries(tuple(changed))


def out_of_sight(name: str, value: ir.Expr, type_: ir.Type, frame: SymbolicFrame) -> None:
    """Let *value* become that of an unused variable or attribute: it is left out, and whether it
    fits is not known.
    """
    frame.context.weakenings.add(Weakening.SLICED)
    if not is_in_range(frame.context, value, type_):
        frame.require(frame.context.fresh_truth(f"{name} keeps its range"))


@frozen
class BlockPath:
    """A path through a block: the *frame* at its end, and the *stage* it leads to with
    *arguments*.
    """

    frame: SymbolicFrame
    stage: str
    arguments: tuple[SymbolicValue, ...]

    @property
    def passes(self) -> bool:
        """Whether a player passes on it."""
        return any(event.kind == "passes" for event in self.frame.events)


def shared_locals(stage: ir.Stage, clause: ir.Clause) -> frozenset[str]:
    """Return the locals that mean the same all through *clause*: the parameters of its *stage* that
    nothing in it hides.
    """
    if not stage.parameters:
        return frozenset()
    hidden = bound_in(clause)
    return frozenset(
        parameter.name for parameter in stage.parameters if parameter.name not in hidden
    )


def fires(clause: ir.Clause, frame: SymbolicFrame) -> bool:
    """Let *frame* begin a move of *clause* by any of its owners; return whether there may be such a
    move.
    """
    owner = clause.owner
    if owner.variable is not None:
        frame.choose()
        frame.owner = frame.locals[owner.variable] = frame.seat(owner.variable)
        frame.require(holds(owner.condition, frame))
    elif owner.player is not None:
        frame.owner = seat(owner.player, frame)
        frame.require(t.negation(is_nobody(frame.owner)))
    frame.require(holds(clause.guard, frame))
    return not frame.is_impossible


def paths(block: ir.Block, frame: SymbolicFrame) -> Iterator[BlockPath]:
    """Yield every path through *block* from *frame*, which is used up."""
    if frame.is_impossible:
        return
    first, rest = block[0], block[1:]
    match first:
        case ir.Simple() | ir.ForEach():
            frame.memo = None
            do_simple(first, frame)
            yield from paths(rest, frame)
        case ir.Require(condition):
            frame.require(holds(condition, frame))
            yield from paths(rest, frame)
        case ir.If(condition, yes, no):
            decided = holds(condition, frame)
            for branch, taken in ((yes, decided), (no, t.negation(decided))):
                other = frame.copy()
                other.require(taken)
                yield from paths((*branch, *rest), other)
        case ir.Let(variable, expr):
            frame.locals[variable] = evaluate(expr, frame)
            yield from paths(rest, frame)
        case ir.Choose():
            _choose(first, frame)
            yield from paths(rest, frame)
        case ir.Branch(options):
            for _, option in options:
                yield from paths((*option, *rest), frame.copy())
        case ir.Go(stage, arguments):
            values = tuple(evaluate(argument, frame) for argument in arguments)
            for parameter, value in zip(
                frame.context.program.stage(stage).parameters, values, strict=True
            ):
                if isinstance(parameter.type, ir.NumberType) and isinstance(value, z3.ExprRef):
                    frame.require(in_range(frame.context, value, parameter.type))
            if not frame.is_impossible:
                yield BlockPath(frame, stage, values)
        case ir.GameOver():
            yield BlockPath(frame, OVER, ())
        case _:
            assert_never(first)


def do_simple(statement: ir.OfItem | ir.OfState | ir.ForEach, frame: SymbolicFrame) -> None:
    """Let *frame* do a *statement* after which it goes on in one way."""
    match statement:
        case ir.Put():
            _put(statement, frame)
        case ir.Move(what) | ir.Leave(what) | ir.BeginResolving(what):
            changed = do_to(_held(what, frame), statement, frame)
            if isinstance(what, ir.Local):
                frame.locals[what.name] = changed
        case ir.Alter(what, name, value):
            _change_attribute(what, name, value, frame)
        case ir.Pass():
            frame.events.append(SymbolicEvent("passes", player=frame.owner))
        case ir.Advance(name):
            _advance(frame.context.program.sequence(name), frame)
        case ir.StepTo(name, step):
            change_step(frame.context.program.sequence(name), frame.context.code(step), frame)
        case ir.Assign():
            _assign(statement, frame)
        case ir.ForEach():
            for_each(statement, frame)
        case _:
            assert_never(statement)


# ------------------------------------------------------------------ items


def _change_attribute(
    what: ir.Local | ir.EndOf, name: str, value: ir.Expr, frame: SymbolicFrame
) -> None:
    type_ = frame.context.program.attribute(name).type
    if name not in frame.context.asked:
        out_of_sight(name, value, type_, frame)
        return
    held, new = _held(what, frame), evaluate(value, frame)
    assert isinstance(new, z3.ExprRef)
    frame.require(in_range(frame.context, new, type_))
    changed = change_item(held, name, new, frame)
    if isinstance(what, ir.Local):
        frame.locals[what.name] = changed


def _held(what: ir.Local | ir.EndOf, frame: SymbolicFrame) -> ItemTerm:
    held = item_term(what, frame)
    if held.zone == LEFT:
        raise UnsupportedError("an item that may just have left its zone is moved")
    return held


def _put(put: ir.Put, frame: SymbolicFrame) -> None:
    given: dict[str, t.Term] = {
        ir.KIND: frame.context.code(put.kind),
        ir.CONTROLLER: seat(put.controller, frame),
    }
    for attribute, value in zip(frame.context.program.attributes, put.attributes, strict=True):
        term = evaluate(value, frame)
        assert isinstance(term, z3.ExprRef)
        frame.require(in_range(frame.context, term, attribute.type))
        given[attribute.name] = term
    put_new(put.zone, {name: given[name] for name in sorted(frame.context.asked)}, frame)


# ------------------------------------------------------------------ steps and variables


def _advance(sequence: ir.Sequence, frame: SymbolicFrame) -> None:
    """Let *sequence* go to its next step, with what ends and begins by that."""
    code, old = frame.context.code, seat(ir.Variable(sequence.variable), frame)
    steps = [step.name for step in sequence.steps]
    is_turn = sequence.name == ir.TURN
    following = ZERO
    for step, after in zip(
        reversed(steps), reversed([*steps[1:], steps[0] if is_turn else ir.NO_STEP]), strict=True
    ):
        following = (
            t.choice(t.equal(old, code(step)), code(after), following)
            if step != steps[-1]
            else code(after)
        )
    if not is_turn:
        frame.require(t.negation(t.equal(old, code(ir.NO_STEP))))
        change_step(sequence, following, frame)
        return
    ends = t.equal(old, code(steps[-1]))
    active = ir.Variable(ir.ACTIVE)
    after_active = seat(ir.Neighbour(active, 1), frame)
    frame.values[ir.ACTIVE] = t.choice(ends, after_active, seat(active, frame))
    frame.values[sequence.variable] = following
    frame.events += [
        SymbolicEvent("step ends", sequence=sequence.name),
        SymbolicEvent("sequence ends", ends, sequence=sequence.name),
        SymbolicEvent("sequence begins", ends, sequence=sequence.name),
        SymbolicEvent("step begins", sequence=sequence.name),
    ]


def change_step(sequence: ir.Sequence, new: t.Integer, frame: SymbolicFrame) -> None:
    """Let *sequence* go to step *new*, with what ends and begins by that."""
    old, none = seat(ir.Variable(sequence.variable), frame), frame.context.code(ir.NO_STEP)
    is_turn = sequence.name == ir.TURN
    went_on = t.TRUE if is_turn else t.negation(t.equal(old, none))
    goes_on = t.TRUE if is_turn else t.negation(t.equal(new, none))
    frame.values[sequence.variable] = new
    frame.events += [
        SymbolicEvent("step ends", went_on, sequence=sequence.name),
        SymbolicEvent(
            "sequence ends", t.both(went_on, t.negation(goes_on)), sequence=sequence.name
        ),
        SymbolicEvent(
            "sequence begins", t.both(t.negation(went_on), goes_on), sequence=sequence.name
        ),
        SymbolicEvent("step begins", goes_on, sequence=sequence.name),
    ]


def _assign(assign: ir.Assign, frame: SymbolicFrame) -> None:
    declared = frame.context.program.variable(assign.variable)
    if assign.variable not in frame.context.variables:
        out_of_sight(assign.variable, assign.value, declared.type, frame)
        return
    new = evaluate(assign.value, frame)
    if isinstance(new, PlayerSet):
        if assign.player is not None:
            raise UnsupportedError(f"{assign.variable} has a set of players for each player")
        frame.values[assign.variable] = new
        return
    assert isinstance(new, z3.ExprRef)
    if isinstance(declared.type, ir.NumberType):
        frame.require(in_range(frame.context, new, declared.type))
    if assign.player is None:
        frame.values[assign.variable] = new
        return
    entries, who = frame.values[assign.variable], seat(assign.player, frame)
    assert isinstance(entries, Entries)
    changed = [
        t.choice(t.equal(who, known), new, old)
        for known, old in frame.context.players.paired(entries.values)
    ]
    frame.values[assign.variable] = Entries(tuple(changed))


# ------------------------------------------------------------------ choices


def _choose(choose: ir.Choose, frame: SymbolicFrame) -> None:
    """Let *frame* choose: if there is a candidate, one of them was chosen."""
    there_is = t.TRUE
    if choose.condition != ir.YES or choose.domain != ir.PlayersIn(ir.Everyone()):
        there_is = holds(ir.Exists(choose.variable, choose.domain, choose.condition), frame)
        frame.require(there_is)
    frame.choose()
    match choose.domain:
        case ir.PlayersIn(who):
            among, chosen = players(who, frame), frame.seat(choose.variable)
            frame.assume(t.implies(there_is, contains(among, chosen, frame)))
            frame.locals[choose.variable] = chosen
        case ir.ItemsOn(zone):
            frame.locals[choose.variable] = any_item_on(zone, frame)
        case ir.NumbersFrom(low, high):
            least, most = seat(low, frame), seat(high, frame)
            picked = frame.context.fresh_number(choose.variable)
            frame.assume(
                t.implies(there_is, t.both(t.at_most(least, picked), t.at_most(picked, most)))
            )
            frame.locals[choose.variable] = picked
        case _:
            assert_never(choose.domain)
    frame.assume(t.implies(there_is, holds(choose.condition, frame)))
    if choose.nearest is not None:
        _nearest(choose, choose.nearest, there_is, frame)


def _nearest(
    choose: ir.Choose, nearest: ir.Nearest, there_is: t.Bool, frame: SymbolicFrame
) -> None:
    """Assume that no spotlit candidate's player, and no tracked candidate player, comes before the
    chosen one's.
    """
    frame.context.weakenings.add(Weakening.NEAREST)
    known, origin = frame.context.players, seat(nearest.origin, frame)
    chosen, mine = frame.locals[choose.variable], seat(nearest.player, frame)
    first = (
        ir.All((choose.condition, ir.Equal(nearest.player, nearest.origin)))
        if choose.condition != ir.YES
        else ir.Equal(nearest.player, nearest.origin)
    )
    one_of_theirs = holds(ir.Exists(choose.variable, choose.domain, first), frame)
    frame.assume(t.implies(t.both(there_is, one_of_theirs), t.equal(mine, origin)))
    candidates: list[tuple[t.Bool, SymbolicValue]] = []
    if isinstance(choose.domain, ir.ItemsOn):
        zone = choose.domain.zone
        candidates = [(frame.on(name, zone), spotlit(name, zone, frame)) for name in frame.spots]
        candidates += [
            (is_there, item_at(zone, place, frame)) for place, is_there in places(zone, frame)
        ]
    elif isinstance(choose.domain, ir.PlayersIn):
        among = players(choose.domain.players, frame)
        candidates = list(zip(among.members, known.tracked, strict=True))
    for there, candidate in candidates:
        frame.locals[choose.variable] = candidate
        is_candidate = t.all_of((there_is, there, holds(choose.condition, frame)))
        theirs = seat(nearest.player, frame)
        frame.assume(
            t.implies(is_candidate, _comes_no_later(mine, theirs, origin, loose=known.loose))
        )
    frame.locals[choose.variable] = chosen


def _comes_no_later(one: t.Integer, other: t.Integer, origin: t.Integer, *, loose: bool) -> t.Bool:
    """Whether player *one* comes no later than *other* in turn order from *origin*; if that order
    is forgotten, what is left of it.
    """
    first = t.implies(t.equal(other, origin), t.equal(one, origin))
    if loose:
        return first
    one_wraps, other_wraps = t.less(one, origin), t.less(other, origin)
    return t.either(
        t.both(t.negation(one_wraps), other_wraps),
        t.both(t.equal(one_wraps, other_wraps), t.at_most(one, other)),
    )
