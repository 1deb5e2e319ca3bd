"""Specialising: what is left of a clause when only what a slice keeps is looked at.

In comes an expression or a block, out goes one that means the same if only what is kept can be
seen. What only changes dropped things is gone, a value stands for what never changes, and ways that
have become the same are one way. So a condition that only decided between such ways is gone, too.
What makes a move impossible always stays.

Interchangeable items: choices that make no difference, because nothing tells the items apart
that may be chosen.

In comes a choice among items of which nothing is kept, and what follows it; out goes whether it is
enough to take any one of them. It is not enough if the move goes on to name an item in another way
while the chosen one still counts: the end of a zone, or an item that was chosen before, may be the
chosen one or another. An item chosen later needs no such question: its choice is not one of these,
as the item chosen first is still named after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal, assert_never

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import Bounds, bounds_of, effect_of, ends, most_joining
from ...models.ir.parts import blocks_of, expressions_in, of_expressions, statements
from ...models.options.configure import joined
from ..types.scope import Scope
from .slice import ANYWHERE, Slice
from .sorts import Sort, player, sort_of


@frozen
class AnyOn(ir.ItemsOn):
    """One of the items on a zone, no matter which: the domain of a choice that is made once and not
    for each of them.
    """


def any_does(variable: str, after: ir.Block, later: ir.Block) -> bool:
    """Whether it does not matter which item *variable* is, of items that look alike, chosen just
    before *after*, which is before *later*.

    Nothing of *later* sees *variable*.
    """
    if any(_chosen_items(later)) or any(name != variable for name in _chosen_items(after)):
        return False
    uses = [
        number for number, statement in enumerate(after) if variable in _chosen_items((statement,))
    ]
    return not any(
        done.is_taken and isinstance(done.item, ir.EndOf)
        for done in map(effect_of, statements(after[: max(uses, default=-1) + 1]))
    )


def _chosen_items(block: ir.Block) -> Iterator[str]:
    """Yield the names of items chosen before *block* with which it does something."""
    for number, statement in enumerate(block):
        done = effect_of(statement)
        if done.among is not None:
            yield from (name for name in _chosen_items(block[number + 1 :]) if name != done.names)
            return
        if isinstance(done.item, ir.Local):
            # Asking is not doing: of items that look alike every answer is the same.
            yield done.item.name
        for inner in blocks_of(statement):
            yield from _chosen_items(inner)


_NO_PLAYERS, _EVERYONE = ir.NoPlayers(), ir.Everyone()


class Specialiser:
    """Reduces the clauses of *program* to what *kept* leaves of them, with who makes each choice if
    *choosers*.
    """

    def __init__(
        self, program: ir.Program, scope: Scope, kept: Slice, *, choosers: bool = False
    ) -> None:
        players = scope.players
        self.choosers = choosers
        self.program, self.kept = program, kept
        self.sorts = {
            variable.name: sort_of(variable.type, players) for variable in program.variables
        }
        self.parameters = {
            stage.name: [(p.name, sort_of(p.type, players)) for p in stage.parameters]
            for stage in program.stages
        }
        self.attributes = {
            attribute.name: sort_of(attribute.type, players) for attribute in program.attributes
        }
        self.scope, self.players = scope, players
        self.representatives = {stands for _, stands in kept.kinds}
        self.fixed = dict(kept.fixed)
        self.constant = {
            part: low for zone, part, low, high in kept.ranges if zone == ANYWHERE and low == high
        }
        self.known_on = {(zone, part) for zone, part, low, high in kept.ranges if low == high}
        self.telling = {
            ir.CONTROLLER,
            *(name for name, sort in self.attributes.items() if sort.low != sort.high),
        }
        self.telling |= {ir.KIND} if len(self.representatives) > 1 else set()
        self._folding = of_expressions(self._fold)

    @cached_property
    def room(self) -> dict[str, int]:
        """How many items each zone has at most on the way of a move, be it one that the scope
        cuts.
        """
        more = most_joining(
            (clause.body for _, clause in self.program.clauses), dict(self.scope.sizes)
        ) | Counter(dict(self.scope.joining))
        return {zone: size + more[zone] for zone, size in self.scope.sizes}

    # ------------------------------------------------------------------ what is known of values

    def folded(self, expr: ir.Expr) -> ir.Expr:
        """Return *expr* with what is known of its parts."""
        return ir.rewrite(expr, self._folding)

    def _fold(self, node: ir.Expr) -> ir.Expr:
        """Return *node*, whose parts are folded, with what is known of it."""
        match node:
            case ir.Variable(name) | ir.Entry(name) if name in self.fixed:
                return self._literal(node, self.sorts[name], self.fixed[name])
            case ir.AttributeOf(_, name) if name in self.constant:
                return self._literal(node, self.attributes[name], self.constant[name])
            case ir.Not(ir.Literal(value)):
                return ir.Literal(not value)
            case ir.All(parts):
                return joined(parts, ir.All, neutral=ir.YES)
            case ir.Any(parts):
                return joined(parts, ir.Any, neutral=ir.NO)
            case ir.Equal(left, right):
                return self._equal(node, left, right)
            case ir.OneOf(operand, values):
                return self._among(node, operand, values)
            case ir.Less(ir.Literal(int(left)), ir.Literal(int(right))):
                return ir.Literal(left < right)
            case ir.Contains(ir.NoPlayers(), _):
                return ir.NO
            case ir.Exists(_, domain, body):
                return _exists(node, domain, body)
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return node  # nothing is known of it, or it is a value already
            case _:
                assert_never(node)

    def _literal(self, node: ir.Expr, sort: Sort, code: int) -> ir.Expr:
        """Return *code* as an expression; the name of an enum's value has no sort of its own, and
        stays what it is.
        """
        match sort.kind:
            case "players":
                return _NO_PLAYERS if code == 0 else _EVERYONE if code == sort.high else node
            case "enum":
                return node
            case "flag" | "number" | "player":
                return ir.Literal(sort.decode(code))
            case _:
                assert_never(sort.kind)

    def _known_value(self, expr: ir.Expr) -> ir.Literal | None:
        """Return the value of *expr* if it is known, that of an enum too."""
        match expr:
            case ir.Literal():
                return expr
            case ir.Variable(name) | ir.Entry(name) if name in self.fixed:
                return (
                    ir.Literal(self.sorts[name].decode(self.fixed[name]))
                    if self.sorts[name].kind == "enum"
                    else None
                )
            case ir.AttributeOf(_, name) if name in self.constant:
                return (
                    ir.Literal(self.attributes[name].decode(self.constant[name]))
                    if self.attributes[name].kind == "enum"
                    else None
                )
            case (
                ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour() | ir.SomePlayers()
                | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return None
            case _:
                assert_never(expr)

    def _equal(self, node: ir.Equal, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        one, other = self._known_value(left), self._known_value(right)
        if one is not None and other is not None:
            return ir.Literal(one.value == other.value)
        for expr, known in ((left, other), (right, one)):
            if (
                known is not None
                and isinstance(expr, ir.AttributeOf)
                and expr.name == ir.KIND
                and isinstance(known.value, str)
            ):
                return self._among(node, expr, (known.value,))
        return node

    def _among(
        self, node: ir.Equal | ir.OneOf, operand: ir.Expr, values: tuple[str, ...]
    ) -> ir.Expr:
        known = self._known_value(operand)
        if known is not None:
            return ir.Literal(known.value in values)
        if isinstance(operand, ir.AttributeOf) and operand.name == ir.KIND:
            same = self.representatives & set(values)
            return ir.NO if not same else ir.YES if same == self.representatives else node
        return node

    # ------------------------------------------------------------------ clauses and blocks

    def clause(self, clause: ir.Clause) -> ir.Clause:
        """Return what is left of *clause*; of one that is never possible nothing but that."""
        guard, owner = self.folded(clause.guard), clause.owner
        if guard == ir.NO:
            return replace(clause, guard=guard, body=())
        owner = replace(
            owner,
            player=owner.player and self.folded(owner.player),
            condition=self.folded(owner.condition),
        )
        return replace(clause, owner=owner, guard=guard, body=self.block(clause.body))

    def block(self, block: ir.Block, later: ir.Block = ()) -> ir.Block:
        """Return what is left of *block*; *later* is left of what follows it."""
        left: ir.Block = ()
        for statement in reversed(block):
            left = self._before(statement, left, later)
        return left

    def _before(self, statement: ir.Statement, after: ir.Block, later: ir.Block) -> ir.Block:
        """Return what is left of *statement* and *after*, which is left of what follows it in its
        block, as *later* is after that.
        """
        match statement:
            case ir.Require(condition):
                condition = self.folded(condition)
                return after if condition == ir.YES else (ir.Require(condition), *after)
            case ir.Put():
                return (self._put(statement), *after)
            case ir.Assign() | ir.Alter():
                return (
                    (ir.rewrite(statement, self._folding), *after)
                    if self._is_seen(statement)
                    else after
                )
            case ir.Let(variable, value):
                return (
                    (ir.Let(variable, self.folded(value)), *after)
                    if _speaks_of(after, variable)
                    else after
                )
            case ir.If() | ir.Branch():
                return self._ways(statement, after, later)
            case ir.Choose():
                return self._choose(statement, after, later)
            case ir.ForEach(_, domain, condition, body):
                condition, left = self.folded(condition), self.block(body)
                body = tuple(done for done in left if isinstance(done, ir.OfEach))
                if not body or condition == ir.NO:
                    return after
                return (
                    ir.ForEach(
                        statement.variable, ir.rewrite(domain, self._folding), condition, body
                    ),
                    *after,
                )
            case ir.Go():
                return (self.go(statement),)
            case ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Plain() | ir.Advance():
                return (statement, *after)
            case ir.GameOver():
                return (statement,)
            case _:
                assert_never(statement)

    def _ways(self, statement: ir.If | ir.Branch, after: ir.Block, later: ir.Block) -> ir.Block:
        behind = (*after, *later)
        match statement:
            case ir.If(condition, then, otherwise):
                condition = self.folded(condition)
                yes = self.block(then, behind)
                no = self.block(otherwise, behind)
                if condition in (ir.YES, ir.NO):
                    return _followed(yes if condition == ir.YES else no, after)
                if _whole_way(yes, after) == _whole_way(no, after):
                    return _followed(yes, after)
                return (ir.If(condition, yes, no), *(() if ends(yes) and ends(no) else after))
            case ir.Branch(options, by):
                different = dict.fromkeys(
                    self.block(option, behind) for _, option in options
                )  # the first option of cards stays the first
                if len(different) == 1:
                    return _followed(next(iter(different)), after)
                branch = ir.Branch(tuple(("", option) for option in different), self._chooser(by))
                return (branch, *(() if all(map(ends, different)) else after))
            case _:
                assert_never(statement)

    def _choose(self, choose: ir.Choose, after: ir.Block, later: ir.Block) -> ir.Block:
        domain, condition = ir.rewrite(choose.domain, self._folding), self.folded(choose.condition)
        if not _speaks_of(after, choose.variable):
            return self._before(
                ir.Require(ir.Exists(choose.variable, domain, condition)), after, later
            )
        if (
            isinstance(domain, ir.ItemsOn)
            and self._look_alike(domain.zone)
            and any_does(choose.variable, after, later)
        ):
            by = self._chooser(choose.by) if self.choosers else None
            return (ir.Choose(choose.variable, AnyOn(domain.zone), condition, None, by), *after)
        nearest = None if choose.nearest is None else ir.rewrite(choose.nearest, self._folding)
        return (
            ir.Choose(
                choose.variable,
                domain,
                condition,
                nearest,
                self._chooser(choose.by) if self.choosers else None,
            ),
            *after,
        )

    def _chooser(self, by: ir.Expr | Literal["cards"] | None) -> ir.Expr | Literal["cards"] | None:
        """Return what is left of who chooses: without *choosers* only that the cards do, who may do
        nothing.
        """
        if not self.choosers:
            return "cards" if by == "cards" else None
        return by if by is None or by == "cards" else self.folded(by)

    def _look_alike(self, zone: str) -> bool:
        """Whether nothing that is kept tells the items of *zone* apart."""
        told = {
            part
            for where, part in self.kept.parts
            if where == zone and (zone, part) not in self.known_on
        }
        return not self.kept.follows and not told & self.telling

    # ------------------------------------------------------------------ what is dropped

    def _put(self, put: ir.Put) -> ir.Put:
        """Return *put* without the values of parts that nothing keeps."""

        def one(name: str, value: ir.Expr, sort: Sort) -> ir.Expr:
            is_kept = (put.zone, name) in self.kept.parts or (ANYWHERE, name) in self.kept.parts
            return self.folded(value) if is_kept or not self.fits(value, sort) else _any_value(sort)

        attributes = tuple(
            one(name, v, sort)
            for (name, sort), v in zip(self.attributes.items(), put.attributes, strict=True)
        )
        return replace(
            put,
            controller=one(ir.CONTROLLER, put.controller, player(self.players)),
            attributes=attributes,
        )

    def go(self, go: ir.Go) -> ir.Go:
        """Return *go* without the arguments that its stage does not keep."""
        arguments = tuple(
            self.folded(value)
            if (go.stage, name) in self.kept.parameters or not self.fits(value, sort)
            else _any_value(sort)
            for (name, sort), value in zip(self.parameters[go.stage], go.arguments, strict=True)
        )
        return ir.Go(go.stage, arguments)

    def _is_seen(self, assign: ir.Assign | ir.Alter) -> bool:
        """Whether *assign* does anything: it may change what is kept, or be impossible."""
        if isinstance(assign, ir.Alter):
            is_kept = any(part == assign.attribute for _, part in self.kept.parts)
            return is_kept or not self.fits(assign.value, self.attributes[assign.attribute])
        if assign.variable in self.fixed:
            return False
        return assign.variable in self.kept.variables or not self.fits(
            assign.value, self.sorts[assign.variable]
        )

    def fits(self, value: ir.Expr, sort: Sort) -> bool:
        """Whether *value* is surely one of *sort*; only numbers may not be."""
        if sort.kind != "number":
            return True
        bounds = bounds_of(value, self._bounds)
        return bounds is not None and sort.low <= bounds[0] and bounds[1] <= sort.high

    def _bounds(self, value: ir.Expr) -> Bounds | None:
        """Return numbers between which *value*, which is no sum, lies; None if that is not known
        here.
        """
        match value:
            case ir.PlayerNumber():
                return self.players, self.players
            case ir.Size(zone):
                return 0, self.room[zone]
            case ir.Count():
                return 0, self.players
            case ir.Variable(name) | ir.Entry(name):
                return self.sorts[name].low, self.sorts[name].high
            case (
                ir.Literal() | ir.OptionValue() | ir.Local() | ir.Neighbour() | ir.SomePlayers()
                | ir.YesOrNo() | ir.Add() | ir.Subtract() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return None
            case _:
                assert_never(value)


def _exists(node: ir.Exists, domain: ir.Domain, body: ir.Expr) -> ir.Expr:
    if body == ir.NO or (isinstance(domain, ir.PlayersIn) and domain.players == _NO_PLAYERS):
        return ir.NO
    match domain:
        case ir.PlayersIn(ir.Everyone()) if body == ir.YES:
            return ir.YES
        case ir.ItemsOn(zone) if body == ir.YES:
            return ir.Not(ir.IsEmpty(zone))
        case ir.PlayersIn() | ir.ItemsOn() | ir.NumbersFrom():
            return node
        case _:
            assert_never(domain)


def _any_value(sort: Sort) -> ir.Expr:
    """Return some value of *sort*, in the place of one that nothing asks for."""
    return _NO_PLAYERS if sort.kind == "players" else ir.Literal(sort.decode(sort.low))


def _speaks_of(block: ir.Block, variable: str) -> bool:
    return any(
        isinstance(expr, ir.Local) and expr.name == variable for expr in expressions_in(block)
    )


def _whole_way(block: ir.Block, after: ir.Block) -> ir.Block:
    return block if ends(block) else (*block, *after)


def _followed(block: ir.Block, after: ir.Block) -> ir.Block:
    """Return *block* and *after* as one; the names of *block* stay its own."""
    inside: ir.Block = (
        (ir.Branch((("", block),), None),)
        if any(effect_of(s).names is not None for s in block)
        else block
    )
    return inside if ends(block) else (*inside, *after)
