"""Formulas at a moment of the encoding: what they say of a move, and which moves are enabled.

What is remembered of the past are the bits of a plan (`watching.plan`). ``previously`` of what the
position alone decides needs none, for the position before the move is at hand; what was enabled in
it is not asked again.

Enabled moves: which clauses have a move in a position, and whose.

The answer is guessed. That a move is possible requires some path through its clause to be possible;
that none is requires every path to be impossible of which the encoding knows that nothing it has
not decided, and no choice, could make it so. Between the two, where the encoding has forgotten what
decides, both answers stay. Each question is about a move of its own: that one player may act, and
another, can be true by one clause with two choices.

What is known of a path's guesses is known only where the move comes so far (a guarded frame): all
paths of all clauses are looked at together, also those that are not open in a position, and none of
these may rule the position out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.parts import expressions, locals_in
from ....properties import formula as f
from ....properties.formula import speaks_of
from ...types.position import OVER
from ...watching.plan import And, Atom, Before, Gone, New, Not, Old, Or, Said, plan
from ..position.expressions import evaluate, holds, is_nobody
from ..position.frame import (
    GONE,
    EncodingContext,
    ItemTerm,
    PlayerSet,
    SymbolicEvent,
    SymbolicFrame,
    SymbolicValue,
)
from ..position.sets import contains
from ..position.weakenings import UnsupportedError
from ..solver import terms as t
from ..solver.terms import ZERO
from .statements import BlockPath, fires, paths, shared_locals
from .system import ask_solver

_UNITS = 1_000_000
"""How much a solver may do to see that one of a choice's paths is always open."""


@frozen
class ClausePath:
    """A path through *clause*: whose it is and whether it *passes*; it is there only where
    *may_be*, and *surely* where that is true.
    """

    clause: ir.Clause
    owner: t.Integer | None
    passes: bool
    may_be: t.Bool
    surely: t.Bool


@dataclass
class ClausePaths:
    """Every path to make a move in a position, and *followed*, what was followed to see them;
    *known* is what is assumed of its constants.
    """

    paths: list[ClausePath]
    followed: list[BlockPath]
    known: list[t.Bool]
    is_asked: bool = False

    @cached_property
    def chosen(self) -> list[t.Term]:
        """The constants that depend on what is chosen in it."""
        named = {
            t.name_of(constant): constant for path in self.followed for constant in _chosen(path)
        }
        return [*named.values()]

    @cached_property
    def facts(self) -> list[t.Bool]:
        """What is known of these."""
        chosen = {constant.ast.value for constant in self.chosen}
        return [
            fact
            for fact in self.known
            if any(one.ast.value in chosen for one in t.constants_of(fact))
        ]

    def for_a_question(self, frame: SymbolicFrame) -> list[ClausePath]:
        """Return the paths with choices that no other question has made."""
        if not self.is_asked or not self.chosen:
            self.is_asked = True
            return self.paths
        others = [_another(constant, frame.context) for constant in self.chosen]

        def anew(term: t.Sorted) -> t.Sorted:
            return t.replaced(term, self.chosen, others)

        for fact in self.facts:
            frame.assume(anew(fact))
        return [
            replace(
                path,
                owner=None if path.owner is None else anew(path.owner),
                may_be=anew(path.may_be),
                surely=anew(path.surely),
            )
            for path in self.paths
        ]


def options(
    stage: ir.Stage, arguments: tuple[SymbolicValue, ...], frame: SymbolicFrame
) -> ClausePaths:
    """Return every path to make a move in the position of *frame*, at *stage* with *arguments*."""
    found: list[ClausePath] = []
    followed: list[BlockPath] = []
    all_facts: dict[int, t.Bool] = {}
    memo: dict[ir.Expr, t.Bool] = {}
    names = [parameter.name for parameter in stage.parameters]
    for clause in stage.clauses:
        start = frame.copy()
        start.conditions, start.events, start.facts, start.chosen = [], [], [], None
        start.guarded = True
        start.locals = dict(zip(names, arguments, strict=True))
        start.memo = memo
        start.shared = shared_locals(stage, clause)
        all_paths = list(paths(clause.body, start)) if fires(clause, start) else []
        for facts in (start.facts, *(path.frame.facts for path in all_paths)):
            for fact in facts:
                all_facts.setdefault(fact.ast.value, fact)
        followed += all_paths
        found += _options(clause, all_paths)
    known = {fact.ast.value for fact in frame.facts}
    frame.facts.extend(fact for place, fact in all_facts.items() if place not in known)
    return ClausePaths(found, followed, [*all_facts.values()])


def _chosen(path: BlockPath) -> Iterator[t.Term]:
    """Return the constants of *path* that depend on what is chosen in it."""
    owner = [] if path.frame.owner is None else [path.frame.owner]
    return _of_choice(path.frame, *path.frame.conditions, *path.frame.facts, *owner)


def _another(constant: t.Term, context: EncodingContext) -> t.Term:
    what = t.name_of(constant).rpartition("!")[0]
    return (
        context.fresh_truth(what)
        if isinstance(constant, z3.BoolRef)
        else context.fresh_number(what)
    )


def _options(clause: ir.Clause, all_paths: list[BlockPath]) -> Iterator[ClausePath]:
    """Yield the options of *clause*: those paths together that differ only in what their choices
    have to be like.
    """
    groups: dict[tuple[int, ...], list[tuple[BlockPath, list[t.Bool], t.Bool]]] = {}
    for path in all_paths:
        its_free, its_bound = list[t.Bool](), list[t.Bool]()
        for condition in path.frame.conditions:
            is_bound = next(_of_choice(path.frame, condition), None) is not None
            (its_bound if is_bound else its_free).append(condition)
        # Those that pass are apart.
        key = (path.passes, *sorted(condition.get_id() for condition in its_free))
        groups.setdefault(key, []).append((path, its_free, t.all_of(its_bound)))
    for together in groups.values():
        free = t.all_of(together[0][1])
        whatever_is_chosen = _is_valid(
            t.implies(free, t.any_of([bound for _, _, bound in together])),
            [fact for path, _, _ in together for fact in path.frame.facts],
        )
        for path, _, bound in together:
            yield ClausePath(
                clause,
                path.frame.owner,
                path.passes,
                t.both(free, bound),
                free if whatever_is_chosen else t.FALSE,
            )


def _is_valid(condition: t.Bool, facts: list[t.Bool]) -> bool:
    """Whether *condition* follows from *facts*."""
    if t.is_true(condition):
        return True
    return bool(ask_solver(t.both(*facts, t.negation(condition)), _UNITS) == z3.unsat)


def _of_choice(frame: SymbolicFrame, *terms: t.Term) -> Iterator[t.Term]:
    """Yield the constants of *terms* that are chosen, or guessed after a choice."""
    if frame.chosen is not None:
        for constant in t.constants_of(*terms):
            _, mark, number = t.name_of(constant).rpartition("!")
            if mark and int(number) >= frame.chosen:
                yield constant


def possible(
    formula: f.OfEnabled,
    asked: ClausePaths,
    who: tuple[t.Integer, t.Bool] | None,
    frame: SymbolicFrame,
) -> t.Bool:
    """Return whether *formula* is true of the options *asked*; *who* is the player it speaks of,
    and whether that is one.
    """
    among = asked.for_a_question(frame)
    match formula:
        case f.Enabled(_, what):
            return _guess(lambda option: _is_able(option, what, who), among, frame)
        case f.ClausePossible(clause):
            return _guess(lambda option: t.truth(option.clause.id == clause), among, frame)
        case f.Gap():
            return t.negation(_guess(lambda _: t.TRUE, among, frame))
        case f.Conflict():
            answer = frame.context.fresh_truth("clauses conflict")
            frame.assume(t.implies(answer, _may_conflict(among)))
            return answer
        case _:
            assert_never(formula)


def _guess(
    fits: Callable[[ClausePath], t.Bool], among: list[ClausePath], frame: SymbolicFrame
) -> t.Bool:
    """Return whether an option that *fits* is there: as far as the encoding knows."""
    may_be = t.any_of([t.both(fits(option), option.may_be) for option in among])
    surely = t.any_of([t.both(fits(option), option.surely) for option in among])
    if may_be.eq(surely):
        return may_be
    answer = frame.context.fresh_truth("possible")
    frame.assume(t.implies(answer, may_be))
    frame.assume(t.implies(surely, answer))
    return answer


def _is_able(option: ClausePath, what: str, who: tuple[t.Integer, t.Bool] | None) -> t.Bool:
    if option.clause.mode != "may" or option.passes != (what == "pass") or option.owner is None:
        return t.FALSE
    return t.TRUE if who is None else t.both(who[1], t.equal(who[0], option.owner))


def _may_conflict(among: list[ClausePath]) -> t.Bool:
    """Whether two must clauses, or a must clause and a may clause, may both have a move."""
    by_clause: dict[str, list[ClausePath]] = {}
    for option in among:
        by_clause.setdefault(option.clause.id, []).append(option)
    pairs = []
    for one, other in combinations(by_clause.values(), 2):
        if _are_alike(one[0].clause, other[0].clause):
            continue
        if {one[0].clause.mode, other[0].clause.mode} in ({"must"}, {"must", "may"}):
            pairs.append(
                t.both(
                    t.any_of([option.may_be for option in one]),
                    t.any_of([option.may_be for option in other]),
                )
            )
    return t.any_of(pairs)


def _are_alike(one: ir.Clause, other: ir.Clause) -> bool:
    """Whether two clauses lead to the same positions: a player that each of them picks for itself
    need not be the same.
    """
    picked = one.owner.variable is not None or other.owner.variable is not None
    return one.body == other.body and one.mode == other.mode and not picked


@frozen
class EncodedPosition:
    """A position: its *frame*, its *stage* and the *arguments* of that. *options* is filled when it
    is first asked what is enabled.
    """

    frame: SymbolicFrame
    stage: str
    arguments: tuple[SymbolicValue, ...]
    options: list[ClausePaths] = field(default_factory=list)

    @classmethod
    def at(cls, stage: ir.Stage, frame: SymbolicFrame) -> EncodedPosition:
        """Return the position of *frame*, whose locals are the arguments of *stage*."""
        return cls(frame, stage.name, tuple(frame.locals.values()))


@frozen
class EncodedMove:
    """A move: its clause, the clause's mode, its owner if that is a player, and its events."""

    clause: str
    mode: str
    owner: t.Integer | None
    events: tuple[SymbolicEvent, ...]


@dataclass
class EncodedMoment:
    """A *move* (None at moment 0) from the position *before* to the one *here*; *bits* are the
    monitor's before it, *new* after it.
    """

    here: EncodedPosition
    before: EncodedPosition | None = None
    move: EncodedMove | None = None
    bits: tuple[t.Bool, ...] = ()
    new: list[t.Bool] = field(default_factory=list)


class EncodedMonitor:
    """The monitor of one formula: its plan at the moments of the encoding."""

    def __init__(self, formula: f.Formula) -> None:
        self.formula = formula
        self.plan = plan(formula, _is_at_hand, shares=True)

    def look(self, moment: EncodedMoment) -> tuple[t.Bool, ...]:
        """Return the bits to remember of *moment*; after that any part of the plan can be asked for
        its truth.
        """
        for bit in self.plan.bits:
            moment.new.append(self.truth(moment, bit.update))
        return tuple(moment.new)

    def truth(self, moment: EncodedMoment, said: Said | None = None) -> t.Bool:
        """Return whether *said* (None: the formula) is true at *moment*; the bits it asks for are
        known.
        """
        match said or self.plan.truth:
            case Not(operand):
                return t.negation(self.truth(moment, operand))
            case And(parts):
                return t.all_of([self.truth(moment, part) for part in parts])
            case Or(parts):
                return t.any_of([self.truth(moment, part) for part in parts])
            case Before(number):
                return (
                    t.FALSE
                    if moment.before is None
                    else self.truth(EncodedMoment(moment.before), self.plan.before[number])
                )
            case Old(number):
                return t.FALSE if moment.move is None else moment.bits[number]
            case New(number):
                return moment.new[number]
            case Gone(item):
                return t.equal(moment.here.frame.spots[item].where, t.number(GONE))
            case Atom(leaf):
                return _leaf(leaf, moment)
            case other:
                assert_never(other)


def _is_at_hand(part: f.Formula) -> bool:
    return not speaks_of(part, "move", "past", "enabled")


def _leaf(leaf: f.Leaf, moment: EncodedMoment) -> t.Bool:
    here = moment.here
    match leaf:
        case f.Holds(expression, items):
            seen = t.all_of([here.frame.seen(item) for item in items])
            return t.FALSE if t.is_false(seen) else t.both(seen, holds(expression, _with(here, {})))
        case f.HasPriority(player):
            return _has_priority(player, here)
        case f.On(item, zone):
            return here.frame.on(item, zone)
        case f.IsNext(item, zone):
            return here.frame.at(item, zone, ZERO)
        case f.AtStage(stage):
            return t.truth(here.stage == stage)
        case f.GameIsOver():
            return t.truth(here.stage == OVER)
        case f.LeafOfEnabled():
            return _of_enabled(leaf, here)
        case f.LeafOfMove():
            return t.FALSE if moment.move is None else _of_move(leaf, moment.move, here)
        case _:
            assert_never(leaf)


def _of_enabled(formula: f.OfEnabled, here: EncodedPosition) -> t.Bool:
    if here.stage == OVER:
        return t.FALSE
    if not here.options:
        here.options.append(
            options(here.frame.context.program.stage(here.stage), here.arguments, here.frame)
        )
    who = (
        _player(formula.player, here)
        if isinstance(formula, f.Enabled) and formula.player is not None
        else None
    )
    return possible(formula, here.options[0], who, here.frame)


def _has_priority(player: ir.Expr | None, here: EncodedPosition) -> t.Bool:
    if here.stage == OVER:
        return t.FALSE
    stage = here.frame.context.program.stage(here.stage)
    if stage.priority is None:
        return t.FALSE
    frame = _with(here, dict(zip((p.name for p in stage.parameters), here.arguments, strict=True)))
    holder = evaluate(stage.priority, frame)
    who = None if player is None else _player(player, here)
    if isinstance(holder, PlayerSet):
        if who is not None:
            return t.both(who[1], contains(holder, who[0], here.frame))
        if holder.run is not None:
            return t.less(ZERO, holder.run.size)
        someone = here.frame.seat("someone")
        answer = here.frame.context.fresh_truth("someone has priority")
        if here.frame.context.players.exact:
            return t.any_of(holder.members)
        for inside in holder.members:
            here.frame.assume(t.implies(inside, answer))
        here.frame.assume(t.implies(answer, contains(holder, someone, here.frame)))
        return answer
    assert isinstance(holder, z3.ArithRef)
    is_somebody = t.negation(is_nobody(holder))
    return is_somebody if who is None else t.all_of((who[1], is_somebody, t.equal(holder, who[0])))


def _player(player: ir.Expr, here: EncodedPosition) -> tuple[t.Integer, t.Bool]:
    """Return whom *player* names here, and whether it names a player: it does not if it is nobody,
    or depends on an item not seen yet.
    """
    asked = locals_in(expressions(player)) & set(here.frame.spots)
    seen = t.all_of([here.frame.seen(item) for item in sorted(asked)])
    who = evaluate(player, _with(here, {}))
    assert isinstance(who, z3.ArithRef)
    return who, t.both(seen, t.negation(is_nobody(who)))


def _with(here: EncodedPosition, locals_: dict[str, SymbolicValue]) -> SymbolicFrame:
    """Return the frame of *here* with the spotlights, or else *locals_*, as its locals; what it
    requires, *here* requires.
    """
    frame = here.frame.copy()
    frame.conditions, frame.facts = here.frame.conditions, here.frame.facts
    frame.shared = frozenset()  # the locals are others than those of the clause
    items = {
        name: ItemTerm("", None, spot.attributes, {}) for name, spot in here.frame.spots.items()
    }
    frame.locals = {**here.frame.context.players.spotlights, **items, **locals_}
    return frame


# ------------------------------------------------------------------ about the move


def _of_move(formula: f.OfMove, move: EncodedMove, here: EncodedPosition) -> t.Bool:
    match formula:
        case f.ItemEvent(word, item, zone):
            kinds = {
                "is put on": ("put", "move"),
                "leaves": ("move", "resolves", "is removed"),
            }.get(word, (word,))
            return t.any_of(
                t.both(event.when, t.TRUE if item is None else event.same[item])
                for event in move.events
                if event.kind in kinds and zone in (None, _zone_of(word, event))
            )
        case f.PlayerEvent("passes", player):
            passers = [event.player for event in move.events if event.kind == "passes"]
            return _is_player(player, passers, here)
        case f.PlayerEvent("chooses"):
            raise UnsupportedError("who makes a choice")
        case f.PlayerEvent(_, player):
            passes = any(event.kind == "passes" for event in move.events)
            return (
                t.FALSE if passes or move.mode != "may" else _is_player(player, [move.owner], here)
            )
        case f.Uses(clause, player):
            if clause != move.clause:
                return t.FALSE
            return _is_player(player, [move.owner], here)
        case f.SequenceEvent(word, sequence):
            kind = f"{'step' if sequence is None else 'sequence'} {word}"
            return t.any_of(
                event.when
                for event in move.events
                if event.kind == kind and sequence in (None, event.sequence)
            )
        case _:
            assert_never(formula)


def _is_player(
    player: ir.Expr | None, players: list[t.Integer | None], here: EncodedPosition
) -> t.Bool:
    """Whether *player* (None: anybody) is one of *players*, of whom None is no player."""
    if player is None:
        return t.truth(bool(players))
    who, named = _player(player, here)
    return t.both(named, t.any_of(t.equal(who, other) for other in players if other is not None))


def _zone_of(word: str, event: SymbolicEvent) -> str:
    return event.to_zone if word == "is put on" and event.kind == "move" else event.zone
