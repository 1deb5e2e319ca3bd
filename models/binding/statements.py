"""Statements: the body of a clause, surface syntax -> typed IR, routines inlined.

What follows from the order of statements (no `go`, an item that may not be there) is `definite`'s
business; here each statement is bound for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from .. import ir, syntax
from ..ir.analysis import move_together
from .assignments import bind_assignment
from .definite import conjuncts, is_order
from .expressions import ExpressionBinder
from .names import FLAG, ITEM, Typed, all_of

OWNER = "owner"
"""The local that stands for the owner of a move where no parameter already does."""


@dataclass
class StatementBinder:
    """Binds the statements of one clause.

    *owner* is the player whose move it is, None if it is the rules' or the cards'; it is who
    controls what is put without a ``by``, and who passes.
    """

    expressions: ExpressionBinder
    routines: Mapping[str, syntax.Routine]
    owner: ir.Expr | None
    inside: tuple[str, ...] = ()
    in_cards: bool = False
    """Whether this is inside a ``maybe``: what is chosen there the cards choose, unless it says
    who.
    """

    def block(self, statements: syntax.Block) -> ir.Block:
        """Bind *statements*; names made in them end with them. Statements with mistakes are left
        out.
        """
        inner = replace(self, expressions=self.expressions.within())
        return tuple(bound for statement in statements for bound in inner.statement(statement))

    def statement(self, statement: syntax.Statement) -> tuple[ir.Statement, ...]:
        """Bind one statement: usually to one, a ``do`` to those of its routine, a mistaken one to
        none.
        """
        if self.inside and not self.expressions.may_inline(statement):
            return ()
        bound = self._bound(statement)
        for node in bound:
            self.expressions.places.setdefault(id(node), (node, statement))
        return bound

    def _bound(self, statement: syntax.Statement) -> tuple[ir.Statement, ...]:
        match statement:
            case syntax.When() | syntax.By():
                return self._misplaced(statement)
            case syntax.Require(condition):
                bound = self.expressions.flag(condition)
                return () if bound is None else (ir.Require(bound),)
            case syntax.Put():
                return self._put(statement)
            case syntax.ItemEffect():
                return self._item_effect(statement)
            case syntax.Pass():
                return self._pass(statement)
            case syntax.StepEffect():
                return self._step(statement)
            case syntax.EveryItem():
                return self._every_item(statement)
            case syntax.Assign() | syntax.AssignEvery():
                return bind_assignment(self.expressions, statement)
            case syntax.Let():
                return self._let(statement)
            case syntax.If(condition, then, otherwise):
                bound = self.expressions.flag(condition)
                branches = self.block(then), self.block(otherwise)
                return () if bound is None else (ir.If(bound, *branches),)
            case syntax.Choose():
                return self._choose(statement)
            case syntax.Maybe(body, title):
                happens = title, replace(self, in_cards=True).block(body)
                return (ir.Branch(((ir.NOT + title if title else "", ()), happens), "cards"),)
            case syntax.Either(options, by):
                bodies = tuple((title, self.block(body)) for title, body in options)
                return (ir.Branch(bodies, self._chooser(by)),)
            case syntax.Do():
                return self._do(statement)
            case syntax.Go(stage) if stage in self.routines:
                return self._do(statement)
            case syntax.Go(stage, arguments):
                return self.go(statement, stage, arguments)
            case syntax.GameOver():
                return (ir.GameOver(),)
            case syntax.Todo():
                hint = "it stands for a whole body, with nothing but `when` and `by` above it"
                self.expressions.report.add(
                    "R208",
                    statement.span,
                    "`todo` cannot stand beside or within other statements.",
                    hint,
                )
                return ()
            case _:
                assert_never(statement)

    def go(
        self, node: syntax.Node, stage: str, arguments: tuple[syntax.Expr, ...]
    ) -> tuple[ir.Go, ...]:
        """Bind ``go STAGE(ARGUMENTS)``."""
        names = self.expressions.names
        if stage not in names.stages:
            known = [*names.stages, *self.routines]
            self.expressions.missing("R106", node, "stage", stage, known)
            return ()
        parameters = names.stages[stage]
        if not self.expressions.is_given(node, stage, parameters, arguments):
            return ()
        bound = [
            self.expressions.value(a, p.type) for a, p in zip(arguments, parameters, strict=True)
        ]
        values = tuple(value for value in bound if value is not None)
        return (ir.Go(stage, values),) if len(values) == len(parameters) else ()

    # -------------------------------------------------------------- the cases

    def _misplaced(self, statement: syntax.When | syntax.By) -> tuple[ir.Statement, ...]:
        word = "when" if isinstance(statement, syntax.When) else "by"
        self.expressions.report.add(
            "R207",
            statement.span,
            f"`{word}` stands at the beginning of a clause, before anything happens.",
            "inside a clause, `if` branches and `require` makes the move impossible"
            if word == "when"
            else "",
        )
        return ()

    def _kind(self, node: syntax.Node, name: str) -> bool:
        kinds = self.expressions.names.kinds
        if name not in kinds:
            self.expressions.missing("R104", node, "kind of item", name, kinds)
        return name in kinds

    def _put(self, put: syntax.Put) -> tuple[ir.Statement, ...]:
        expressions = self.expressions
        known = self._kind(put, put.kind) & (expressions.zone(put, put.zone) is not None)
        controller = self.owner if put.by is None else expressions.player(put.by)
        if put.by is None and controller is None:
            hint = f"write `put {put.kind} by active` in place of `put {put.kind}`"
            expressions.report.add(
                "R119", put.span, "Nobody makes this move, so nobody would control the item.", hint
            )
        attributes = self._attributes(put)
        if not known or controller is None or attributes is None:
            return ()
        return (ir.Put(put.kind, controller, attributes, put.zone),)

    def _attributes(self, put: syntax.Put) -> tuple[ir.Expr, ...] | None:
        declared = self.expressions.names.attributes
        values: dict[str, ir.Expr | None] = {
            name: attribute.default for name, attribute in declared.items()
        }
        for name, expr in put.settings:
            if name in self.expressions.names.mistaken:
                return None
            if name not in declared:
                self.expressions.unknown(put, name, "an attribute of items", declared)
                return None
            values[name] = self.expressions.value(expr, declared[name].type)
        bound = tuple(value for value in values.values() if value is not None)
        return bound if len(bound) == len(declared) else None

    def _item_effect(self, effect: syntax.ItemEffect) -> tuple[ir.Statement, ...]:
        item = self.expressions.bind_item(effect.item)
        zone = None if effect.zone is None else self.expressions.zone(effect, effect.zone)
        if item is None:
            return ()
        match effect.effect:
            case "move":
                return () if zone is None else (ir.Move(item, zone.name),)
            case "resolve":
                return (ir.Leave(item, "resolves"),)
            case "remove":
                return (ir.Leave(item, "is removed"),)
            case "begin resolving":
                return (ir.BeginResolving(item),)
            case _:
                assert_never(effect.effect)

    def _pass(self, statement: syntax.Pass) -> tuple[ir.Statement, ...]:
        if self.owner is None:
            hint = "make it a `may` clause of the player, or say `by` whom"
            self.expressions.report.add(
                "R120", statement.span, "Nobody makes this move, so nobody can pass.", hint
            )
            return ()
        return (ir.Pass(),)

    def _step(self, effect: syntax.StepEffect) -> tuple[ir.Statement, ...]:
        names = self.expressions.names
        if effect.effect == "skip to":
            step = effect.name or ""
            if step not in names.steps:
                self.expressions.missing("R107", effect, "step", step, names.steps)
                return ()
            return (ir.StepTo(names.steps[step], step),)
        name = effect.name or ir.TURN
        sequence = names.sequences.get(name)
        if sequence is None:
            hint = "declare its steps in a `turn` or `sequence` section"
            what = "sequence of steps"
            self.expressions.missing("R107", effect, what, name, names.sequences, hint)
            return ()
        if name == ir.TURN and effect.effect != "advance":
            self.expressions.report.add(
                "R107",
                effect.span,
                "The turn always goes on; it neither begins nor ends by itself.",
                "write `advance` or `skip to STEP`",
            )
            return ()
        match effect.effect:
            case "advance":
                return (ir.Advance(name),)
            case "begin":
                return (ir.StepTo(name, sequence.steps[0].name),)
            case "end":
                return (ir.StepTo(name, ir.NO_STEP),)
            case _:
                assert_never(effect.effect)

    def _every_item(self, every: syntax.EveryItem) -> tuple[ir.Statement, ...]:
        expressions, zones = self.expressions, self.expressions.names.zones
        zone = expressions.zone(every, every.zone)
        to = None if every.to is None else expressions.zone(every, every.to)
        inner = expressions.within()
        if zone is None:
            inner.mistaken(every.variable)
        it = inner.local(every.variable, ITEM, every) if zone is not None else None
        condition = ir.YES if every.condition is None else inner.flag(every.condition)
        if zone is None or it is None or condition is None or (every.to is not None and to is None):
            return ()
        if to is not None and not move_together(
            zone.name, to.name, {name: one.order for name, one in zones.items()}
        ):
            self._apart(every, zone, to)
            return ()
        done: ir.OfEach = (
            ir.Leave(it, "resolves" if every.effect == "resolve" else "is removed")
            if to is None
            else ir.Move(it, to.name)
        )
        return (ir.ForEach(it.name, ir.ItemsOn(zone.name), condition, (done,)),)

    def _apart(self, every: syntax.EveryItem, zone: ir.Zone, to: ir.Zone) -> None:
        """Report that the items of *zone* cannot go *to* that zone all at once."""
        if zone == to:
            said, hint = f"The items of `{zone.name}` are on `{zone.name}` already.", ""
        else:
            said = (
                f"The items of `{zone.name}` have no order, so nothing says in which order they "
                f"would lie on `{to.name}`."
            )
            hint = (
                f"let somebody choose one after the other: `choose {every.variable} in "
                f"{zone.name}`, in a stage that goes to itself"
            )
        self.expressions.report.add("R209", every.span, said, hint)

    def _let(self, let: syntax.Let) -> tuple[ir.Statement, ...]:
        typed = self.expressions.typed(let.value)
        if typed is None:
            self.expressions.mistaken(let.name)
            return ()
        if isinstance(typed.type, ir.ItemType):
            self.expressions.wrong_type(
                let.value,
                "a value",
                "an item",
                "name what you need of it: `let who be controller of top of stack`",
            )
            return ()
        return (ir.Let(self.expressions.local(let.name, typed.type, let).name, typed.expression),)

    def _chooser(self, by: syntax.Expr | None) -> ir.Expr | Literal["cards"] | None:
        """Return who chooses: *by*, or if it is not said the cards inside a ``maybe``, else the
        owner of the move (None).
        """
        if by is None:
            return "cards" if self.in_cards else None
        return self.expressions.player(by)

    def _choose(self, choose: syntax.Choose) -> tuple[ir.Statement, ...]:
        expressions = self.expressions
        domain = expressions.domain(choose.domain)
        if domain is None:
            expressions.mistaken(choose.variable)
            return ()
        variable = expressions.local(choose.variable, domain[1], choose)
        conditions: list[ir.Expr] = []
        nearest: ir.Nearest | None = None
        mistaken = False
        for part in conjuncts(choose.condition):
            if isinstance(part, syntax.Binary) and is_order(part):
                player, origin = expressions.player(part.left), expressions.player(part.right)
                if nearest is not None:
                    expressions.report.add(
                        "R113", part.span, "A choice has one `comes first from` at most."
                    )
                mistaken |= player is None or origin is None
                nearest = None if player is None or origin is None else ir.Nearest(player, origin)
            else:
                bound = expressions.value(part, FLAG)
                mistaken |= bound is None
                conditions.extend([] if bound is None else [bound])
        chooser = self._chooser(choose.by)
        if mistaken or (choose.by is not None and chooser is None):
            return ()
        return (ir.Choose(variable.name, domain[0], all_of(conditions), nearest, chooser),)

    def _do(self, do: syntax.Do | syntax.Go) -> tuple[ir.Statement, ...]:
        """Return the statements of the routine that *do* names."""
        name = do.name if isinstance(do, syntax.Do) else do.stage
        expressions, routine = self.expressions, self.routines.get(name)
        if routine is None:
            expressions.unknown(do, name, "a routine (`to NAME`)", self.routines)
            return ()
        if name in self.inside:
            expressions.report.add(
                "R112",
                do.span,
                f"The routine `{name}` uses itself.",
                "a repetition is a stage that goes to itself",
            )
            return ()
        if not expressions.may_go_in(do, self.inside):
            return ()
        if not expressions.is_given(do, name, routine.parameters, do.arguments):
            return ()
        prelude: list[ir.Statement] = []
        inner = expressions.inlining(do, {})
        for parameter, argument in zip(routine.parameters, do.arguments, strict=True):
            type_ = expressions.type(parameter.type)
            value = None if type_ is None else expressions.value(argument, type_)
            if type_ is None or value is None:
                return ()
            if not isinstance(value, ir.Literal | ir.Local | ir.OptionValue):
                # What the routine changes must not change its own argument.
                fresh = inner.local(parameter.name, type_, do)
                prelude.append(ir.Let(fresh.name, value))
                value = fresh
            inner.locals[parameter.name] = Typed(value, type_)
        body = replace(self, expressions=inner, inside=(*self.inside, name)).block(routine.body)
        return (*prelude, *body)
