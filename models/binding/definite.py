"""Definite presence, or what cannot be there is an error: a flow analysis of one clause.

Walks every way through a clause and keeps the *facts*: expressions known to be true there, from the
guard, from enclosing conditions, from what was just put. So it finds

- an item taken from a zone that may be empty, or asked for after it has left;
- a choice that may find nothing to choose.

The analysis forgets more than it must, never less: it may ask for a guard that is not needed, but
what it lets pass is always there when the clause is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, reduce
from math import prod
from typing import assert_never

from .. import ir, syntax
from ..diagnostics import Report
from ..frozen import frozen
from ..ir.analysis import bounds_of, effect_of
from ..ir.parts import (
    Thing,
    asked_by,
    blocks_of,
    expressions,
    locals_in,
    of_domain,
    operands,
    things_named,
    with_locals,
)
from ..printing.show_lines import show_expression
from ..source import Span
from .binder import Places
from .names import negated


def some_choice(choose: syntax.Choose) -> str:
    """Return what asks whether *choose* has anything to choose, as it is written."""
    asked = [part for part in conjuncts(choose.condition) if not is_order(part)]
    condition = reduce(partial(syntax.Binary, "and"), asked) if asked else syntax.ANYTHING
    return show_expression(syntax.Quantified("some", choose.variable, choose.domain, condition))


def is_order(part: syntax.Expr) -> bool:
    """Tell whether *part* of the condition of a choice says who comes first."""
    return isinstance(part, syntax.Binary) and part.operator == "comes first from"


def conjuncts(expr: syntax.Expr | None) -> tuple[syntax.Expr, ...]:
    """Return the parts of *expr* that ``and`` joins, from the left; none for None."""
    if expr is None:
        return ()
    if isinstance(expr, syntax.Binary) and expr.operator == "and":
        return (*conjuncts(expr.left), *conjuncts(expr.right))
    return (expr,)


Facts = frozenset[ir.Expr]
MOST_WAYS = 10_000
MOST_STEPS = 60


@frozen
class State:
    """What is known at one place: *facts*, and the zone of each chosen item (None once it has
    left).
    """

    facts: Facts = frozenset()
    items: dict[str, str | None] = field(default_factory=dict)

    @property
    def implied(self) -> Facts:
        """The facts, and what follows from several of them."""
        return _settled(self.facts)

    def learn(self, expr: ir.Expr) -> State:
        """Return this state with *expr* known to be true."""
        return replace(self, facts=self.facts | frozenset(_consequences(expr)))

    def forget(self, thing: Thing, name: str) -> State:
        """Return this state without what was known about the *thing* that is called *name*."""
        kept = (fact for fact in self.implied if name not in things_named(thing, expressions(fact)))
        return replace(self, facts=frozenset(kept))

    def with_one(self, name: str, domain: ir.Domain) -> State:
        """Return this state in which *name* is one of *domain*."""
        if not isinstance(domain, ir.ItemsOn):
            return self
        return replace(self, items={**self.items, name: domain.zone})

    def without_sight(self, zone: str | None) -> State:
        """Return this state in which each chosen item of *zone* may have left."""
        items = {name: None if where == zone else where for name, where in self.items.items()}
        return replace(self, items=items)

    def not_empty(self, zone: str) -> bool:
        """Whether *zone* has an item for certain."""
        return zone in self.items.values() or any(_needs_item(fact, zone) for fact in self.implied)


@frozen
class Text:
    """What the text of a clause has that its IR has not.

    *written* says how it calls those of its locals that have been renamed; *whens* are the lines of
    its `when`s, and *first* is where the first statement after them stands; *fewest* says how many
    players there are at least, *options* between which numbers they are.
    """

    written: Mapping[str, str] = field(default_factory=dict)
    whens: frozenset[int] = frozenset()
    first: Span | None = None
    fewest: int = 2
    options: tuple[ir.Option, ...] = ()

    def bounds(self, expr: ir.Expr) -> tuple[int, int] | None:
        """Return numbers between which *expr* lies, if it is the value of an option."""
        if not isinstance(expr, ir.OptionValue):
            return None
        return next((one.numbers for one in self.options if one.name == expr.name), None)


def check_clause(
    clause: ir.Clause, places: Places, report: Report, text: Text | None = None
) -> None:
    """Report what may not be there in *clause*, at its place in *places* or else at the clause;
    *text* is for hints.
    """
    _ClauseCheck(clause, places, report, text or Text()).check_clause()


def _consequences(expr: ir.Expr) -> list[ir.Expr]:
    """Return *expr* and what follows from it by taking conjunctions and negated disjunctions
    apart.
    """
    match expr:
        case ir.All(parts):
            return [expr, *(c for part in parts for c in _consequences(part))]
        case ir.Not(ir.Any(parts)):
            return [expr, *(c for part in parts for c in _consequences(negated(part)))]
        case _:
            return [expr]


@lru_cache(maxsize=1)
def _settled(facts: Facts) -> Facts:
    """Return *facts* with what is left of each disjunction among them if they rule out all its
    other parts, and with what follows from that, over up to `MOST_STEPS` steps.
    """
    for _ in range(MOST_STEPS):
        values: dict[ir.Expr, set[ir.Expr]] = defaultdict(set)
        for fact in facts:
            if isinstance(fact, ir.Equal) and isinstance(fact.right, ir.Literal):
                values[fact.left].add(fact.right)
        known = set(facts)
        for fact in facts:
            if isinstance(fact, ir.Any):
                left = [part for part in fact.parts if not _ruled_out(part, facts, values)]
                known.update(_consequences(left[0]) if len(left) == 1 else ())
        if len(known) == len(facts):
            break
        facts = frozenset(known)
    return facts


def _ruled_out(part: ir.Expr, facts: Facts, values: Mapping[ir.Expr, set[ir.Expr]]) -> bool:
    """Whether *part* is false where *facts* are true: they say so, or what it compares has another
    one of *values*.
    """
    match part:
        case ir.Equal(asked, ir.Literal() as value) if values.get(asked, {value}) != {value}:
            return True
        case _:
            return negated(part) in facts


def _needs_item(fact: ir.Expr, zone: str) -> bool:
    """Whether *fact* can only be true of a position with an item on *zone*."""
    match fact:
        case ir.Not(ir.IsEmpty(of)) | ir.Exists(_, ir.ItemsOn(of), _):
            return of == zone
        case ir.Less(ir.Literal(int(low)), ir.Size(of)):
            return of == zone and low >= 0
        case ir.Not(ir.Less(ir.Size(of), ir.Literal(int(low)))) | ir.Equal(
            ir.Size(of), ir.Literal(int(low))
        ):
            return of == zone and low >= 1
        case _:
            return False


@dataclass
class _ClauseCheck:
    clause: ir.Clause
    places: Places
    report: Report
    text: Text
    at: Span | None = None
    """Where the statement stands that is looked at, if a line could stand above it."""

    def check_clause(self) -> None:
        owner, guard = self.clause.owner, self.clause.guard
        self._expression(owner.condition, State())
        if owner.player is not None:
            self._expression(owner.player, State())
        state = State().learn(owner.condition)
        self._expression(guard, state)
        self._block(self.clause.body, state.learn(guard))
        if _ways(self.clause.body) > MOST_WAYS:
            hint = "take it apart into several clauses, each with a stage of its own"
            self.report.add(
                "R304",
                self.clause.span,
                f"There are more than {MOST_WAYS:,} ways through clause {self.clause.id}.",
                hint,
            )

    def _span(self, node: object) -> Span:
        return self.places[id(node)][1].span if id(node) in self.places else self.clause.span

    # -------------------------------------------------------------- statements

    def _block(self, block: ir.Block, state: State) -> State | None:
        """Check *block* from *state* on; return what is known after it, None if every way through
        it has ended.
        """
        for statement in block:
            self.at = (
                None
                if isinstance(statement, ir.If) or id(statement) not in self.places
                else self._span(statement)
            )
            after = self._statement(statement, state)
            if after is None:
                return None
            state = after
        return state

    def _statement(self, statement: ir.Statement, state: State) -> State | None:
        if not isinstance(statement, ir.Choose | ir.ForEach):
            self._expressions(asked_by(statement), state)
        match statement:
            case ir.If(condition, then, otherwise):
                here, there = state.learn(condition), state.learn(negated(condition))
                return _joined_states([self._block(then, here), self._block(otherwise, there)])
            case ir.Branch(options):
                return _joined_states([self._block(body, state) for _, body in options])
            case ir.Choose():
                return self._choose(statement, state)
            case ir.ForEach():
                return self._for_each(statement, state)
            case ir.Require(condition):
                return state.learn(condition)
            case ir.Put(zone=zone):
                return state.forget("zone", zone).learn(ir.Not(ir.IsEmpty(zone)))
            case ir.Move(item, zone):
                return _without_item(item, state, zone)
            case ir.Leave(item):
                return _without_item(item, state, None)
            case ir.Alter(_, attribute):
                return state.forget("attribute", attribute)
            case ir.SimpleOfState():
                for variable in effect_of(statement).variables:
                    state = state.forget("variable", variable)
                return state
            case ir.BeginResolving() | ir.Let():
                return state
            case ir.Go() | ir.GameOver():
                return None
            case _:
                assert_never(statement)

    def _choose(self, choose: ir.Choose, state: State) -> State:
        self._expressions(of_domain(choose.domain), state)
        if not _always_some(choose, state, self.text):
            name, span = self.text.written.get(choose.variable, choose.variable), self._span(choose)
            _, said = self.places.get(id(choose), (None, None))
            asked = some_choice(said) if isinstance(said, syntax.Choose) else ""
            message = f"There may be nothing to choose for `{name}`."
            self.report.add("R204", span, message, self._hint(asked, span))
        state = state.with_one(choose.variable, choose.domain)
        self._expression(choose.condition, state)
        if choose.nearest is not None:
            self._expressions((choose.nearest.player, choose.nearest.origin), state)
        state = state.learn(choose.condition)
        if isinstance(choose.by, ir.Expr):
            self._expression(choose.by, state)
        return state

    def _for_each(self, each: ir.ForEach, state: State) -> State:
        self._expressions(of_domain(each.domain), state)
        inside = state.with_one(each.variable, each.domain)
        self._expression(each.condition, inside)
        for done in each.body:
            self._expressions(asked_by(done), inside.learn(each.condition))
            match done:
                case ir.Assign(variable):
                    state = state.forget("variable", variable)
                case ir.Alter(_, attribute):
                    return state.forget("attribute", attribute)
                case ir.Move(_, zone):
                    state = state.forget("zone", zone)
                case ir.Leave():
                    pass
                case _:
                    assert_never(done)
        if isinstance(each.domain, ir.ItemsOn):
            # Each item chosen there may be one of these.
            state = state.without_sight(each.domain.zone).forget("zone", each.domain.zone)
        return state

    def _hint(self, asked: str, span: Span) -> str:
        """Return a hint how to make sure of what is *asked* before the place *span*."""
        is_here = self.at is not None and self.at.line == span.line
        if span.line in self.text.whens or (is_here and self.at == self.text.first):
            word = "when"
        elif is_here:
            word = "require"
        else:
            return f"make sure of it where it is asked: only where {asked}"
        return f"put above it: `{word} {asked}`"

    # -------------------------------------------------------------- expressions

    def _expressions(self, exprs: Iterable[ir.Expr], state: State) -> None:
        for expr in exprs:
            self._expression(expr, state)

    def _expression(self, expr: ir.Expr, state: State) -> None:
        match expr:
            case ir.All(parts):
                for part in parts:
                    self._expression(part, state)
                    state = state.learn(part)
            case ir.Any(parts):
                for part in parts:
                    self._expression(part, state)
                    state = state.learn(negated(part))
            case ir.Exists(variable, domain, body):
                self._expressions(of_domain(domain), state)
                self._expression(body, state.with_one(variable, domain))
            case ir.EndOf(zone):
                if not state.not_empty(zone):
                    span, asked = self._span(expr), f"{zone} is not empty"
                    message = f"`{zone}` may be empty here."
                    self.report.add("R205", span, message, self._hint(asked, span))
            case ir.Local(local):
                if state.items.get(local, "") is None:
                    name = self.text.written.get(local, local)
                    named = f"`let who be controller of {name}`"
                    hint = f"name what is needed of it before it leaves: {named}"
                    message = f"`{name}` may have left its zone here."
                    self.report.add("R206", self._span(expr), message, hint)
            case _:
                self._expressions(operands(expr), state)


def _without_item(item: ir.Local | ir.EndOf, state: State, to: str | None) -> State:
    """Return what is known once *item* has left its zone, for zone *to* unless that is None."""
    zone = item.zone if isinstance(item, ir.EndOf) else state.items.get(item.name)
    # The end of the zone may be any of its chosen items, and two of them may be one and the same,
    # so all are lost from sight.
    state = state.without_sight(zone)
    if isinstance(item, ir.Local):
        state = replace(state, items={**state.items, item.name: to})
    if zone is not None:
        state = state.forget("zone", zone)
    return state if to is None else state.forget("zone", to).learn(ir.Not(ir.IsEmpty(to)))


def _joined_states(states: list[State | None]) -> State | None:
    """Return what is known where the ways meet again that lead through *states*; those that are
    None have ended.
    """
    going = [state for state in states if state is not None]
    if not going:
        return None
    first, *others = going
    items = {
        name: where if all(state.items[name] == where for state in others) else None
        for name, where in first.items.items()
        if all(name in state.items for state in others)
    }
    return State(first.implied.intersection(*(state.implied for state in others)), items)


def _ways(block: ir.Block) -> int:
    """Return how many ways lead through *block*, with two players and two items on a zone; `where`
    is taken to leave one.
    """
    return prod(_ways_of(statement) for statement in block)


def _ways_of(statement: ir.Statement) -> int:
    match statement:
        case ir.Choose(
            domain=ir.NumbersFrom(ir.Literal(int(low)), ir.Literal(int(high))),
            condition=ir.YES,
            nearest=None,
        ):
            return max(high - low + 1, 1)
        case ir.Choose(
            domain=ir.ItemsOn() | ir.PlayersIn(ir.Everyone()), condition=ir.YES, nearest=None
        ):
            return 2
        case _:
            return sum(map(_ways, blocks)) if (blocks := blocks_of(statement)) else 1


def _always_some(choose: ir.Choose, state: State, text: Text) -> bool:
    """Whether *choose* has a candidate for certain, by what is known in *state* and of *text*."""
    condition, domain = choose.condition, choose.domain
    chosen = ir.Local(choose.variable)
    there = (
        fact for fact in state.implied if isinstance(fact, ir.Exists) and fact.domain == domain
    )
    if any(_implies(with_locals(fact.body, {fact.variable: chosen}), condition) for fact in there):
        return True
    if condition != ir.YES:
        is_of_all = domain == ir.PlayersIn(ir.Everyone())
        return is_of_all and text.fewest > 1 and _excludes_one(condition, choose.variable)
    match domain:
        case ir.ItemsOn(zone):
            return state.not_empty(zone)
        case ir.NumbersFrom(low, high):
            lows, highs = bounds_of(low, text.bounds), bounds_of(high, text.bounds)
            return lows is not None and highs is not None and lows[1] <= highs[0]
        case ir.PlayersIn(ir.Everyone()):
            return True
        case ir.PlayersIn(ir.Without(ir.Everyone(), _)):
            return text.fewest > 1
        case ir.PlayersIn(players):
            return any(
                (isinstance(fact, ir.Contains) and fact.players == players)
                or fact == ir.Not(ir.Equal(players, ir.NoPlayers()))
                for fact in state.implied
            )
        case _:
            assert_never(domain)


def _excludes_one(condition: ir.Expr, variable: str) -> bool:
    """Whether *condition* only rules out one player."""
    match condition:
        case ir.Not(ir.Equal(ir.Local(name), other)) | ir.Not(ir.Equal(other, ir.Local(name))):
            return name == variable and variable not in locals_in(expressions(other))
        case _:
            return False


def _implies(known: ir.Expr, wanted: ir.Expr) -> bool:
    """Whether every conjunct of *wanted* is one of *known*."""
    have = set(_consequences(known))
    parts = wanted.parts if isinstance(wanted, ir.All) else (wanted,)
    return wanted == ir.YES or all(part in have for part in parts)
