"""Definite presence, or what cannot be there is an error: a flow analysis of one clause.

Walks every way through a clause and keeps the *facts*: expressions known to be true there, from the
guard, from enclosing conditions, from what was just put. So it finds

- an item taken from a zone that may be empty, or asked for after it has left;
- a choice that may find nothing to choose.

The analysis forgets more than it must, never less: it may ask for a guard that is not needed, but
what it lets pass is always there when the clause is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from math import prod
from typing import TypeAlias, assert_never

from .. import ir, syntax
from ..diagnostics import Report
from ..ir.analysis import bounds_of
from ..ir.parts import blocks_of, expressions, locals_in, operands, things_named, with_locals
from ..printing.show_lines import show_expression
from ..source import Span
from .binder import Places
from .names import negated

_ABOVE = "put above it: `{} {}`"


@dataclass(frozen=True)
class HeadLines:
    """Where the first lines of a clause stand: its `when`s, and the first statement after them."""

    whens: frozenset[int] = frozenset()
    first: Span | None = None

    @classmethod
    def of(cls, head: Iterable[syntax.Statement], rest: syntax.Block) -> HeadLines:
        """Return where the lines of *head* stand, and the first of the *rest*."""
        return cls(
            frozenset(s.span.line for s in head if isinstance(s, syntax.When)),
            rest[0].span if rest else None,
        )

    def line_for(self, asked: str, span: Span, statement: Span | None) -> str:
        """Return a hint how to make sure of what is *asked* before the place *span*, in this
        *statement*; empty if no line above could.
        """
        if span.line in self.whens or (
            statement is not None and statement == self.first and statement.line == span.line
        ):
            return _ABOVE.format("when", asked)
        if statement is not None and statement.line == span.line:
            return _ABOVE.format("require", asked)
        return ""


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
_Plain: TypeAlias = ir.OfItem | ir.OfState | ir.Require | ir.Let | ir.Choose | ir.ForEach
"""A statement that goes on in one way, and is no end."""


@dataclass(frozen=True)
class State:
    """What is known at one place: *facts*, and the zone of each chosen item (None once it has
    left).
    """

    facts: Facts = frozenset()
    items: dict[str, str | None] = field(default_factory=dict)

    def learn(self, expr: ir.Expr) -> State:
        """Return this state with *expr* known to be true."""
        return replace(self, facts=_settled(self.facts | frozenset(_consequences(expr))))

    def forget_variable(self, name: str) -> State:
        """Return this state without what was known about the variable *name*."""
        kept = (
            fact for fact in self.facts if name not in things_named("variable", expressions(fact))
        )
        return replace(self, facts=frozenset(kept))

    def forget_zone(self, zone: str) -> State:
        """Return this state without what was known about the items of *zone*."""
        return replace(
            self,
            facts=frozenset(
                fact for fact in self.facts if zone not in things_named("zone", expressions(fact))
            ),
        )

    def forget_attribute(self, name: str) -> State:
        """Return this state without what was known about the attribute *name* of items."""
        return replace(
            self,
            facts=frozenset(
                fact
                for fact in self.facts
                if name not in things_named("attribute", expressions(fact))
            ),
        )

    def not_empty(self, zone: str) -> bool:
        """Whether *zone* has an item for certain."""
        if any(where == zone for where in self.items.values()):
            return True
        return any(_needs_item(fact, zone) for fact in self.facts)


@dataclass(frozen=True)
class Text:
    """What the text of a clause has that its IR has not.

    *written* says how it calls those of its locals that have been renamed, *head* where its first
    lines stand, *fewest* how many players there are at least, *options* between which numbers they
    are.
    """

    written: Mapping[str, str] = field(default_factory=dict)
    head: HeadLines = field(default_factory=HeadLines)
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


def _settled(facts: Facts) -> Facts:
    """Return *facts* with what is left of each disjunction among them if they rule out all its
    other parts.
    """
    known = facts
    for fact in facts:
        if isinstance(fact, ir.Any):
            left = [part for part in fact.parts if not _ruled_out(part, facts)]
            known |= frozenset(_consequences(left[0])) if len(left) == 1 else frozenset()
    return known


def _ruled_out(part: ir.Expr, facts: Facts) -> bool:
    """Whether *part* is false where *facts* are true: they say so, or that what it compares has
    another value.
    """
    if negated(part) in facts:
        return True
    match part:
        case ir.Equal(asked, ir.Literal(value)):
            others = (
                fact.right for fact in facts if isinstance(fact, ir.Equal) and fact.left == asked
            )
            return any(isinstance(other, ir.Literal) and other.value != value for other in others)
        case _:
            return False


def _needs_item(fact: ir.Expr, zone: str) -> bool:
    """Whether *fact* can only be true of a position with an item on *zone*."""
    match fact:
        case ir.Not(ir.IsEmpty(of)):
            return of == zone
        case ir.Exists(_, ir.ItemsOn(of), _):
            return of == zone
        case ir.Less(ir.Literal(int(low)), ir.Size(of)):
            return of == zone and low >= 0
        case ir.Not(ir.Less(ir.Size(of), ir.Literal(int(low)))):
            return of == zone and low >= 1
        case ir.Equal(ir.Size(of), ir.Literal(int(value))):
            return of == zone and value >= 1
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
        state = State()
        self._expression(self.clause.owner.condition, state)
        if self.clause.owner.player is not None:
            self._expression(self.clause.owner.player, state)
        state = state.learn(self.clause.owner.condition)
        self._expression(self.clause.guard, state)
        self._block(self.clause.body, state.learn(self.clause.guard))
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
            after: State | None
            self.at = (
                None
                if isinstance(statement, ir.If) or id(statement) not in self.places
                else self._span(statement)
            )
            match statement:
                case ir.Go(arguments=arguments):
                    for argument in arguments:
                        self._expression(argument, state)
                    after = None
                case ir.GameOver():
                    after = None
                case ir.If(condition, then, otherwise):
                    self._expression(condition, state)
                    branches = [
                        self._block(then, state.learn(condition)),
                        self._block(otherwise, state.learn(negated(condition))),
                    ]
                    after = _joined_states(branches)
                case ir.Branch(options, by):
                    if by is not None and by != "cards":
                        self._expression(by, state)
                    after = _joined_states([self._block(body, state) for _, body in options])
                case _:
                    after = self._simple(statement, state)
            if after is None:
                return None
            state = after
        return state

    def _simple(self, statement: _Plain, state: State) -> State:
        match statement:
            case ir.Require(condition):
                self._expression(condition, state)
                return state.learn(condition)
            case ir.Put(_, controller, attributes, zone):
                for part in (controller, *attributes):
                    self._expression(part, state)
                return state.forget_zone(zone).learn(ir.Not(ir.IsEmpty(zone)))
            case ir.Move(item, zone):
                return self._leave(item, state, zone)
            case ir.Leave(item, _):
                return self._leave(item, state, None)
            case ir.BeginResolving(item):
                self._check_item(item, state)
                return state
            case ir.Alter(item, attribute, value):
                self._check_item(item, state)
                self._expression(value, state)
                return state.forget_attribute(attribute)
            case ir.Pass():
                return state
            case ir.Advance(sequence):
                changed = state.forget_variable(ir.STEP if sequence == ir.TURN else sequence)
                return changed.forget_variable(ir.ACTIVE) if sequence == ir.TURN else changed
            case ir.StepTo(sequence, _):
                return state.forget_variable(ir.STEP if sequence == ir.TURN else sequence)
            case ir.Assign(variable, player, value):
                for part in (value,) if player is None else (player, value):
                    self._expression(part, state)
                return state.forget_variable(variable)
            case ir.Let(_, value):
                self._expression(value, state)
                return state
            case ir.Choose():
                return self._choose(statement, state)
            case ir.ForEach():
                return self._for_each(statement, state)
            case _:
                assert_never(statement)

    def _choose(self, choose: ir.Choose, state: State) -> State:
        self._domain(choose.domain, state)
        self._not_nothing(choose, state)
        if isinstance(choose.domain, ir.ItemsOn):
            state = replace(state, items={**state.items, choose.variable: choose.domain.zone})
        self._expression(choose.condition, state)
        if choose.nearest is not None:
            self._expression(choose.nearest.player, state)
            self._expression(choose.nearest.origin, state)
        state = state.learn(choose.condition)
        if isinstance(choose.by, ir.Expr):
            self._expression(choose.by, state)
        return state

    def _for_each(self, each: ir.ForEach, state: State) -> State:
        self._domain(each.domain, state)
        zone = each.domain.zone if isinstance(each.domain, ir.ItemsOn) else None
        inside = (
            state if zone is None else replace(state, items={**state.items, each.variable: zone})
        )
        self._expression(each.condition, inside)
        for done in each.body:
            if isinstance(done, ir.Assign):
                self._expression(done.value, inside.learn(each.condition))
                state = state.forget_variable(done.variable)
            elif isinstance(done, ir.Alter):
                self._expression(done.value, inside.learn(each.condition))
                return state.forget_attribute(done.attribute)
            elif isinstance(done, ir.Move):
                state = state.forget_zone(done.zone)
        if zone is not None:
            # Each item chosen there may be one of these.
            state = replace(
                state,
                items={
                    name: None if where == zone else where for name, where in state.items.items()
                },
            ).forget_zone(zone)
        return state

    def _not_nothing(self, choose: ir.Choose, state: State) -> None:
        if _always_some(choose, state, self.text):
            return
        name = self.text.written.get(choose.variable, choose.variable)
        _, said = self.places.get(id(choose), (None, None))
        asked = some_choice(said) if isinstance(said, syntax.Choose) else ""
        self.report.add(
            "R204",
            self._span(choose),
            f"There may be nothing to choose for `{name}`.",
            self._hint(asked, self._span(choose)),
        )

    def _hint(self, asked: str, span: Span) -> str:
        """Return a hint how to make sure of what is *asked* before the place *span*."""
        return (
            self.text.head.line_for(asked, span, self.at)
            or f"make sure of it where it is asked: only where {asked}"
        )

    def _leave(self, item: ir.Local | ir.EndOf, state: State, to: str | None) -> State:
        zone = self._check_item(item, state)
        # The end of the zone may be any of its chosen items, and two of them may be one and the
        # same, so all are lost from sight.
        items = {name: None if where == zone else where for name, where in state.items.items()}
        if isinstance(item, ir.Local):
            items[item.name] = to
        state = replace(state, items=items)
        if zone is not None:
            state = state.forget_zone(zone)
        return state if to is None else state.forget_zone(to).learn(ir.Not(ir.IsEmpty(to)))

    # -------------------------------------------------------------- expressions

    def _check_item(self, item: ir.Local | ir.EndOf, state: State) -> str | None:
        """Check that *item* is there; return its zone as far as it is known."""
        if isinstance(item, ir.EndOf):
            if not state.not_empty(item.zone):
                span = self._span(item)
                self.report.add(
                    "R205",
                    span,
                    f"`{item.zone}` may be empty here.",
                    self._hint(f"{item.zone} is not empty", span),
                )
            return item.zone
        if item.name in state.items and state.items[item.name] is None:
            name = self.text.written.get(item.name, item.name)
            hint = f"name what is needed of it before it leaves: `let who be controller of {name}`"
            self.report.add(
                "R206", self._span(item), f"`{name}` may have left its zone here.", hint
            )
        return state.items.get(item.name)

    def _domain(self, domain: ir.Domain, state: State) -> None:
        match domain:
            case ir.PlayersIn(players):
                self._expression(players, state)
            case ir.NumbersFrom(low, high):
                self._expression(low, state)
                self._expression(high, state)
            case ir.ItemsOn():
                pass
            case _:
                assert_never(domain)

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
                self._domain(domain, state)
                if isinstance(domain, ir.ItemsOn):
                    state = replace(state, items={**state.items, variable: domain.zone})
                self._expression(body, state)
            case ir.AttributeOf(item, _):
                self._check_item(item, state)
            case _:
                for part in operands(expr):
                    self._expression(part, state)


def _joined_states(states: list[State | None]) -> State | None:
    """Return what is known where the ways meet again that lead through *states*; those that are
    None have ended.
    """
    going = [state for state in states if state is not None]
    if not going:
        return None
    facts = frozenset.intersection(*(state.facts for state in going))
    names = set.intersection(*(set(state.items) for state in going))
    first = going[0].items
    items = {
        name: first[name] if all(state.items[name] == first[name] for state in going) else None
        for name in names
    }
    return State(facts, items)


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
    there = (fact for fact in state.facts if isinstance(fact, ir.Exists) and fact.domain == domain)
    if any(_implies(with_locals(fact.body, {fact.variable: chosen}), condition) for fact in there):
        return True
    match domain:
        case ir.ItemsOn(zone):
            return condition == ir.YES and state.not_empty(zone)
        case ir.NumbersFrom(low, high):
            lows, highs = bounds_of(low, text.bounds), bounds_of(high, text.bounds)
            is_there = lows is not None and highs is not None and lows[1] <= highs[0]
            return condition == ir.YES and is_there
        case ir.PlayersIn(ir.Everyone()):
            return condition == ir.YES or (
                text.fewest > 1 and _excludes_one(condition, choose.variable)
            )
        case ir.PlayersIn(ir.Without(ir.Everyone(), _)):
            return condition == ir.YES and text.fewest > 1
        case ir.PlayersIn(players):
            known = any(
                (isinstance(fact, ir.Contains) and fact.players == players)
                or fact == ir.Not(ir.Equal(players, ir.NoPlayers()))
                for fact in state.facts
            )
            return condition == ir.YES and known
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
