"""Dependencies of a proof: the clauses that cannot be rewritten at will if the proof is to stand.

To strike a clause from the rulebook harms no safety property: there are fewer plays then. A
property needs of a clause what that *demands and gives*: that only certain players may use it, and
only when its conditions hold, what has to be done then, and with which items and values. So a
clause is tried with havoc in all that. If the invariant of the proof is kept even so, the clause
can be rewritten at will, as long as it still touches the same zones, variables and stages: the
property still holds, and does not rest on the clause. Otherwise the proof needs something of the
clause, and the clause is named.

With havoc everything that a clause demands or gives may be anything: its conditions may fail, each
thing that it does may be left undone, any player may own it, what it puts or names may be any item,
and what it sets any value of the type. Its mode stays, its statements in their order, and what
these *touch*: zones, variables, sequences, and the stages that it leads to.

Only the inductive core of the invariant is asked for: the part that the proof needs. For this one
invariant the clauses named are exactly those that it needs: each obligation is about one clause
only, so there may be havoc in all others together. Another invariant might need others. Only
clauses are named: nothing is said of where a play starts, who has priority at a stage, what there
is and how it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias, assert_never

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.analysis import effect_of
from ....models.ir.parts import statements
from ....properties.formula import speaks_of
from ...types.position import OVER
from ..encoding.encode import Encoding, encoding
from ..encoding.statements import BlockPath, change_step, do_simple, do_to, event_of, put_new
from ..encoding.system import RECHECK, Rule, first_failure
from ..position import sets
from ..position.frame import (
    Entries,
    ItemTerm,
    PlayerSet,
    Run,
    SymbolicFrame,
    SymbolicValue,
)
from ..position.items import any_item_on, change_every, change_item
from ..position.layout import CellLayout
from ..position.sorts import fresh, in_range, type_of_attribute
from ..position.sweep import sweep
from ..prove import Proof
from ..safety.horn import InductiveCore, inductive_core
from ..solver import terms as t
from ..solver.terms import ZERO


def rests_on(proof: Proof, core: InductiveCore | None = None) -> tuple[str, ...] | None:
    """Return the ids of the clauses that *proof* needs, in the order of the text.

    *core* is that of its invariant, where it is known. None if the property, or a lemma that it
    comes with, asks what is possible.
    """
    encoded = encoding(proof.program, proof.question, proof.precision)
    if speaks_of(encoded.monitor.formula, "enabled"):
        return None  # it needs conditions to hold and to fail: to free them says nothing
    core = core or inductive_core(proof.system, proof.invariant)
    return tuple(
        clause.id
        for stage, clause in encoded.program.clauses
        if not _is_kept(encoded, stage, clause, core)
    )


def _is_kept(encoded: Encoding, stage: ir.Stage, clause: ir.Clause, core: InductiveCore) -> bool:
    """Whether the invariant is kept however *clause* is written."""
    rules = tuple(havocked_rules(encoded, stage, clause))
    only = replace(core.system, rules=rules, of_stages=())
    return first_failure(only, core.invariant, RECHECK) is None


def havocked_rules(encoded: Encoding, stage: ir.Stage, clause: ir.Clause) -> Iterator[Rule]:
    """Yield the rules of *clause* of *stage* with havoc in everything that it demands or gives."""
    before = encoded.layout.frame(stage.name)
    for way in havocked_paths(stage, clause, encoded.layout):
        yield encoded.rule_of(stage, clause, before, way)


# ------------------------------------------------------------------ havoc


_Selection: TypeAlias = tuple[ir.OfItem | ir.OfState | ir.ForEach | ir.End, ...]
"""What is done of a clause, in its order, up to an end."""


def havocked_paths(stage: ir.Stage, clause: ir.Clause, layout: CellLayout) -> Iterator[BlockPath]:
    """Yield every path through *clause* of *stage*, with havoc in it."""
    frame = layout.frame(stage.name)
    is_players = clause.mode == "may" and clause.owner != ir.Owner()
    anybody = ir.PlayerType(optional=not is_players)  # nobody: the rules, or the cards
    frame.owner = fresh(frame, "anybody", anybody)
    yield from _Havoc(layout, clause).paths(frame)


@frozen
class _Havoc:
    layout: CellLayout
    clause: ir.Clause

    @property
    def program(self) -> ir.Program:
        return self.layout.context.program

    def paths(self, frame: SymbolicFrame) -> Iterator[BlockPath]:
        """Yield every path through the clause from *frame*."""
        for done in dict.fromkeys(self._selections(self.clause.body)):
            yield from self._paths(done, frame.copy())

    def _selections(self, block: ir.Block) -> Iterator[_Selection]:
        """Yield what is done on the paths through *block*, up to its end.

        A value may be given always: among all values is the one that is there.
        """
        first, rest = block[0], block[1:]
        match first:
            case ir.SimpleOfItem() | ir.Plain() | ir.Advance():
                for later in self._selections(rest):
                    yield from ((first, *later), later)
            case ir.Assign() | ir.ForEach():  # none of several may be meant
                for later in self._selections(rest):
                    yield (first, *later)
            case ir.If(_, yes, no):
                for branch in (yes, no):
                    yield from self._selections((*branch, *rest))
            case ir.Branch(options):
                for _, option in options:
                    yield from self._selections((*option, *rest))
            case ir.Choose() | ir.Let() | ir.Require():
                yield from self._selections(rest)  # what asks for it may ask for anything else
            case ir.Go() | ir.GameOver():
                yield (first,)
            case _:
                assert_never(first)

    def _paths(self, done: _Selection, frame: SymbolicFrame) -> Iterator[BlockPath]:
        """Yield every way to do what is *done* from *frame*, which is used up."""
        if frame.is_impossible:
            return
        first, rest = done[0], done[1:]
        match first:
            case ir.Go(name):
                parameters = self.program.stage(name).parameters
                given = (_anything(one.type, one.name, frame) for one in parameters)
                yield BlockPath(frame, name, tuple(given))
            case ir.GameOver():
                yield BlockPath(frame, OVER, ())
            case ir.ForEach():
                self._for_each(first, frame)
                yield from self._paths(rest, frame)
            case ir.Simple():
                for other in self._done(first, frame):
                    yield from self._paths(rest, other)
            case _:
                assert_never(first)

    def _done(
        self, statement: ir.OfItem | ir.OfState, frame: SymbolicFrame
    ) -> Iterator[SymbolicFrame]:
        """Yield what *frame*, which is used up, is after *statement*, in every way to do that."""
        match statement:
            case ir.Put(zone=zone):
                asked = sorted(frame.context.asked)
                put_new(zone, {name: self._attribute(name, frame) for name in asked}, frame)
                yield frame
            case ir.Move(item) | ir.Leave(item) | ir.BeginResolving(item):
                for other, held in self._held(item, frame):
                    do_to(held, statement, other)
                    yield other
            case ir.Alter(item, attribute):
                for other, held in self._held(item, frame):
                    if attribute in other.context.asked:
                        change_item(held, attribute, self._attribute(attribute, other), other)
                    yield other
            case ir.StepTo(name):
                self._to_any_step(self.program.sequence(name), frame)
                yield frame
            case ir.Assign(name):
                if name in frame.values:
                    frame.values[name] = self._any_value(self.program.variable(name), frame)
                yield frame
            case ir.SimpleOfState():  # with no value in it that could be another
                do_simple(statement, frame)
                yield frame
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ items

    def _attribute(self, name: str, frame: SymbolicFrame) -> t.Term:
        """Return any value of an attribute: of kinds also those that no clause puts on a zone, for
        this one may be made to.
        """
        kinds = ir.EnumType(tuple(kind.name for kind in self.program.kinds))
        return _any(
            kinds if name == ir.KIND else type_of_attribute(frame.context, name), name, frame
        )

    def _held(
        self, item: ir.Local | ir.EndOf, frame: SymbolicFrame
    ) -> Iterator[tuple[SymbolicFrame, ItemTerm]]:
        """Yield any item on a zone on which *item* may be, each in a frame of its own."""
        for zone in dict.fromkeys(self._zones(item)):
            other = frame.copy()
            other.require(t.less(ZERO, other.sizes[zone]))
            yield other, any_item_on(zone, other)

    def _zones(self, item: ir.Local | ir.EndOf) -> Iterator[str]:
        """Yield the zones on which *item* may be: where it is chosen, and where the clause may have
        moved it.
        """
        if isinstance(item, ir.EndOf):
            yield item.zone
            return
        for statement in statements(self.clause.body):
            done = effect_of(statement)
            if done.among is not None and done.names == item.name:
                yield done.among
            elif done.joins is not None and done.item == item:
                yield done.joins

    def _for_each(self, each: ir.ForEach, frame: SymbolicFrame) -> None:
        """Let *frame* do *each* for any items or players at all."""
        is_any = frame.context.fresh_truth
        for done in each.body:
            match done:
                case ir.Leave() | ir.Move():
                    assert isinstance(each.domain, ir.ItemsOn)
                    zone, to = each.domain.zone, done.zone if isinstance(done, ir.Move) else ""
                    some = t.both(is_any("some go"), t.less(ZERO, frame.sizes[zone]))
                    leaves = sweep(zone, to, _any_of(some, frame), some, frame)
                    frame.events.append(event_of(done, zone, some, leaves))
                case ir.Alter(attribute=name):
                    if name in frame.context.asked:
                        assert isinstance(each.domain, ir.ItemsOn)
                        change_every(
                            each.domain.zone,
                            name,
                            lambda _: (is_any("is meant"), self._attribute(name, frame)),
                            frame,
                        )
                case ir.Assign(name):
                    if isinstance(entries := frame.values.get(name), Entries):
                        variable = self.program.variable(name)
                        frame.values[name] = Entries(
                            tuple(
                                t.choice(is_any("is meant"), _any(variable.type, name, frame), old)
                                for old in entries.values
                            )
                        )
                case _:
                    assert_never(done)

    # ------------------------------------------------------------------ steps and variables

    def _to_any_step(self, sequence: ir.Sequence, frame: SymbolicFrame) -> None:
        steps = [step.name for step in sequence.steps] + (
            [] if sequence.name == ir.TURN else [ir.NO_STEP]
        )
        change_step(sequence, _any(ir.EnumType(tuple(steps)), "any step", frame), frame)

    def _any_value(self, variable: ir.VariableDeclaration, frame: SymbolicFrame) -> SymbolicValue:
        if not variable.each_player:
            return _anything(variable.type, variable.name, frame)
        entries = frame.values[variable.name]
        who = frame.seat("anybody")
        new = _any(variable.type, variable.name, frame)
        assert isinstance(entries, Entries)
        return Entries(
            tuple(
                t.choice(t.equal(who, known), new, old)
                for known, old in frame.context.players.paired(entries.values)
            )
        )


def _any_of(some: t.Bool, frame: SymbolicFrame) -> Callable[[ItemTerm], t.Bool]:
    """Return the function that says of an item whether it is one of *some* that may be any."""
    return lambda _: t.both(some, frame.context.fresh_truth("goes"))


def _anything(type_: ir.Type, what: str, frame: SymbolicFrame) -> SymbolicValue:
    """Return any value of *type_*, a set of players among them."""
    if not isinstance(type_, ir.PlayersType):
        return _any(type_, what, frame)
    context = frame.context
    members = tuple(context.fresh_truth(f"in {what}") for _ in context.players.tracked)
    run = None
    if context.sets:
        run = Run(
            context.fresh_number(f"number of {what}"),
            context.fresh_truth(f"{what} side by side"),
            frame.seat(f"last of {what}"),
        )
    found = PlayerSet(members, None, run)
    for fact in sets.always_true(found, context.players):
        frame.assume(fact)
    return found


def _any(type_: ir.Type, what: str, frame: SymbolicFrame) -> t.Term:
    """Return any value of *type_*, which is no set of players."""
    value = fresh(frame, what, type_)
    if isinstance(type_, ir.NumberType):
        frame.require(in_range(frame.context, value, type_))
    return value
