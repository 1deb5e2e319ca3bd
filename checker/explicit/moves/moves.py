"""Moves: what the clauses of the Program do, as text.

In comes an `ir.Clause`, out go functions that find its moves (NOTE(buffer) in `hooks`). A statement
is written together with what follows it; a branch or a choice writes, or loops over, what follows.
Where several branches go on to the same long rest, the rest becomes a function of its own that all
of them call, so that the text grows with the clause and not with the number of its ways: a join
point (Maurer, Downen, Ariola and Peyton Jones, "Compiling without continuations", PLDI 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from ....models import ir
from ....models.ir.analysis import ends
from ...slicing.sorts import player
from ...types.position import OVER
from .dispatch import Zones
from .hooks import MoveHooks
from .layout import Format, Slots
from .state import BoundLocal, Continuation, EmitState, FunctionWriter, Jump, Reading, seen
from .statements import advance, assign, each_element, each_seat, in_range, one_by_one, step_to

SHORT = 3
"""How many statements a rest may have that is written again for each branch."""
DEEPEST = 12
"""How deep blocks are nested before the rest of a move becomes a function; Python allows 20 loops
in one another.
"""


class ClauseWriter:
    """Writes the clauses of one Program, with what the *hooks* see of each move."""

    def __init__(self, zones: Zones, hooks: MoveHooks) -> None:
        self.layout = zones.layout
        self.module = zones.module
        self.values = zones.values
        self.zones = zones
        self.hooks = hooks
        self.sequences = {sequence.name: sequence for sequence in self.layout.program.sequences}
        self.words, self.reading = self.layout.names, Reading()

    def clause(self, stage: ir.Stage, clause: ir.Clause) -> str:
        """Write the functions of *clause*, and return the name of the first."""
        function = FunctionWriter(
            self.module.unique_name(self.hooks.name, clause.id), (*self.words, "out", "n")
        )
        self.function, self.clause_mode = function, clause.mode
        clause, here = self.layout.left_of(clause), EmitState(self.words, stage.name)
        if clause.guard == ir.NO:
            pass
        elif clause.owner.variable is None:
            self._of_one_owner(clause, here)
        else:
            self._of_any_owner(clause, clause.owner.variable, here)
        function.line("return n")
        self.module.functions.append(function)
        return function.name

    def start(self) -> None:
        """Write the function that begins the game."""
        self.function, self.clause_mode = FunctionWriter("start", (*self.words, "out", "n")), "must"
        self._go_on(
            EmitState(self.words, threads=self.hooks.at_start), (({}, (self.layout.start,)),)
        )
        self.function.line("return n")
        self.module.functions.append(self.function)

    # ------------------------------------------------------------------ owners

    def _of_one_owner(self, clause: ir.Clause, here: EmitState) -> None:
        with self.function.block(f"if {self.values.condition(clause.guard, here)}:"):
            if clause.owner.player is None:
                self._begin_clause(clause, here, "-1")
                return
            owner = self.values.code(clause.owner.player, here)
            sort = self.values.sort(clause.owner.player, here)
            asked = owner if clause.id in self.layout.slice.owners else "-1"
            if sort is None or not sort.is_optional:
                self._begin_clause(clause, here, asked)
                return
            with self.function.block(f"if {owner} != {self.layout.players}:"):
                self._begin_clause(clause, here, asked)

    def _of_any_owner(self, clause: ir.Clause, variable: str, here: EmitState) -> None:
        for seat in each_seat(self.values, self.function, here):
            inside = here.bind(variable, BoundLocal(seat, player(self.layout.players)))
            condition = f"{self.values.condition(clause.owner.condition, inside)} and {self.values.condition(clause.guard, inside)}"
            with self.function.block(f"if {condition}:"):
                self._begin_clause(clause, inside, seat)

    def _begin_clause(self, clause: ir.Clause, here: EmitState, owner: str) -> None:
        threads = self.hooks.on_begin(clause, owner)
        self._go_on(replace(here, threads=threads), ((here.names, clause.body),))

    # ---------------------------------------------------------------- one statement after the other

    def _go_on(self, here: EmitState, rest: Continuation) -> None:
        """Write *rest*, from *here*."""
        while rest and not isinstance(rest[0], Jump) and not rest[0][1]:
            rest = rest[1:]
        if not rest:
            raise ValueError("a clause ends without `go` or `game over`")
        if self.function.depth > DEEPEST:
            rest = self._shared(here, rest)
        if isinstance(rest[0], Jump):
            self._call(here, rest[0])
            return
        names, block = rest[0]
        here, statement = here.seeing(names), block[0]
        rest = ((names, block[1:]), *rest[1:])
        match statement:
            case ir.SimpleOfItem():
                self._of_item(statement, here, rest)
            case ir.SimpleOfState():
                self._of_state(statement, here, rest)
            case ir.Require() | ir.If() | ir.Let() | ir.Choose() | ir.Branch() | ir.ForEach():
                self._several(statement, here, rest)
            case ir.Go() | ir.GameOver():
                self._end(statement, here)
            case _:
                assert_never(statement)

    def _of_state(self, statement: ir.OfState, here: EmitState, rest: Continuation) -> None:
        match statement:
            case ir.Pass():
                self._go_on(self.hooks.on_pass(self.function, here), rest)
            case ir.Advance(name):
                advance(
                    self.values,
                    self.function,
                    self.hooks,
                    self.sequences[name],
                    here,
                    lambda after: self._go_on(after, rest),
                )
            case ir.StepTo(name, step):
                self._go_on(
                    step_to(
                        self.values, self.function, self.hooks, self.sequences[name], step, here
                    ),
                    rest,
                )
            case ir.Assign():
                assign(
                    self.values,
                    self.function,
                    statement,
                    here,
                    lambda after: self._go_on(after, rest),
                )
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ items

    def _of_item(self, statement: ir.OfItem, here: EmitState, rest: Continuation) -> None:
        if isinstance(statement, ir.Put):
            self._put(statement, here, rest)
            return
        if isinstance(statement.item, ir.EndOf):
            zone = self.layout.zones[statement.item.zone]
            code = self.function.let("i", self.values.item(statement.item, here)[0])
            at = (
                self.function.let("at", self.values.end_at(zone, here))
                if zone.order == "lifo"
                else "0"
            )
            self._of_item_at(
                statement, here, rest, zone, at, (code, zone.format), is_last=zone.order == "lifo"
            )
            return
        bound = here.local(statement.item.name)
        assert bound is not None
        assert bound.place
        assert bound.format is not None
        if len(bound.zones) > 1:
            rest = self._shared(here, rest)
        for number_, name in enumerate(bound.zones):
            zone, word = self.layout.zones[name], "elif" if number_ else "if"
            with self.function.block(f"{word} {self.zones.is_on(bound.place, zone)}:"):
                at = self.function.let("at", f"{bound.place} - {zone.first_place}")
                self._of_item_at(
                    statement, here, rest, zone, at, (bound.code, bound.format), is_last=False
                )

    def _of_item_at(
        self,
        statement: ir.Move | ir.Leave | ir.BeginResolving | ir.Alter,
        here: EmitState,
        rest: Continuation,
        zone: Slots,
        at: str,
        item: tuple[str, Format],
        *,
        is_last: bool,
    ) -> None:
        code, format_ = item
        match statement:
            case ir.Alter():
                self._change_part(statement, here, rest, zone, at)
            case ir.BeginResolving():
                self._go_on(self.hooks.on_resolving(self.function, here, zone, at), rest)
            case ir.Leave(_, how):
                here = self.zones.taken(self.function, here, zone, at, code, is_last=is_last)
                here = self._followed(
                    here, rest, lambda place: self.zones.after_leaving(place, zone, at)
                )
                self._go_on(self.hooks.on_leave(self.function, here, zone, at, how, code), rest)
            case ir.Move(_, to_name):
                to = self.layout.zones[to_name]
                here = self.zones.taken(self.function, here, zone, at, code, is_last=is_last)
                with self.function.block(f"if {self.zones.has_room(to, here)}:"):
                    code = (
                        self.function.let("i", self.values.converted(code, format_, to.format))
                        if format_ != to.format
                        else code
                    )
                    after, to_at = self.zones.join_zone(self.function, here, to, code)
                    after = self._moved(after, rest, zone, at, to, to_at)
                    self._go_on(self.hooks.on_move(self.function, after, zone, at, to, to_at), rest)
                self._cut(here)
            case _:
                assert_never(statement)

    def _change_part(
        self, change: ir.Alter, here: EmitState, rest: Continuation, zone: Slots, at: str
    ) -> None:
        name, sort = change.attribute, self.layout.parts[change.attribute]
        new = self.values.code(change.value, here, sort)
        new, condition = in_range(self.values, self.function, change.value, new, sort, here)
        with self.function.block(f"if {condition}:" if condition else "if True:"):
            new = self.function.let("v", new)
            before = self.function.let("i", self.values.slot(zone, at, here))
            code = self.function.let("i", self.values.with_part(before, zone.format, name, new))
            after, to_at = self.zones.change_item(self.function, here, zone, at, before, code)
            bound = {}
            for key, one in self._followed_in(here, rest, looked_at=True):
                assert one.format is not None
                changed = self.values.with_part(one.code, one.format, name, new)
                it = self.function.let(
                    "i",
                    f"({changed} if {one.place} == {self.zones.place(zone, at)} else {one.code})",
                )
                place = self.zones.after_changing(one.place, zone, at, to_at)
                bound[key] = replace(one, code=it, place=self.function.let("q", place))
            after = replace(after, bound={**after.bound, **bound})
            self._go_on(
                self.hooks.on_change(self.function, after, zone, at, to_at, name, new), rest
            )

    def _put(self, put: ir.Put, here: EmitState, rest: Continuation) -> None:
        zone, sorts = self.layout.zones[put.zone], self.layout.parts
        codes = {ir.KIND: str(sorts[ir.KIND].encode(self.layout.representative(put.kind)))}
        conditions = []
        for name, value in zip([*sorts][1:], (put.controller, *put.attributes), strict=True):
            code = self.values.code(value, here, sorts[name])
            codes[name], condition = in_range(
                self.values, self.function, value, code, sorts[name], here
            )
            conditions += [condition] if condition else []
        with self.function.block(f"if {' and '.join(conditions)}:" if conditions else "if True:"):
            made = self.function.let("i", self.values.packed(zone.made, codes))
            code = (
                made
                if zone.made == zone.format
                else self.function.let("i", self.values.converted(made, zone.made, zone.format))
            )
            with self.function.block(f"if {self.zones.has_room(zone, here)}:"):
                after, at = self.zones.join_zone(self.function, here, zone, code)
                after = self._followed(
                    after, rest, lambda place: self.zones.after_joining(place, zone, at)
                )
                self.hooks.on_put(
                    self.function, after, zone, at, made, lambda seen: self._go_on(seen, rest)
                )
            self._cut(here)

    def _cut(self, here: EmitState) -> None:
        with self.function.block("else:"):
            self.hooks.on_cut(self.function, here, self.clause_mode)

    # ------------------------------------------------------------------ items that are followed

    def _moved(
        self, here: EmitState, rest: Continuation, zone: Slots, at: str, to: Slots, to_at: str
    ) -> EmitState:
        """Write where the followed items are after the one at number *at* of *zone* has gone to
        number *to_at* of *to*.
        """
        new, places = self.zones.place(to, to_at), {}
        for key, bound in self._followed_in(here, rest):
            was = bound.place
            left = self.function.let("q", self.zones.after_leaving(bound.place, zone, at))
            joined = self.zones.after_joining(left, to, to_at)
            place = self.function.let(
                "q", f"({new} if {was} == {self.zones.place(zone, at)} else {joined})"
            )
            places[key] = replace(
                bound, place=place, zones=tuple(dict.fromkeys((*bound.zones, to.name)))
            )
        return replace(here, bound={**here.bound, **places})

    def _followed(
        self, here: EmitState, rest: Continuation, change: Callable[[str], str]
    ) -> EmitState:
        """Write where the items are that *rest* still does something with, each place having gone
        through *change*.
        """
        places = {}
        for key, bound in self._followed_in(here, rest):
            if (after := change(bound.place)) != bound.place:
                places[key] = replace(bound, place=self.function.let("q", after))
        return replace(here, bound={**here.bound, **places})

    def _followed_in(
        self, here: EmitState, rest: Continuation, *, looked_at: bool = False
    ) -> list[tuple[int, BoundLocal]]:
        """Return the items with which *rest* does something, or that are only *looked_at*."""
        live = self.reading.live(rest)
        return [
            (key, here.bound[key])
            for key, moved in live
            if (moved or looked_at) and key in here.bound and here.bound[key].place
        ]

    # ------------------------------------------------------------------ several outcomes

    def _several(self, statement: ir.Several, here: EmitState, rest: Continuation) -> None:
        match statement:
            case ir.Require(condition):
                with self.function.block(f"if {self.values.condition(condition, here)}:"):
                    self._go_on(here, rest)
            case ir.If(condition, yes, no):
                if not ends(yes) and not ends(no):
                    rest = self._shared(here, rest)
                with self.function.block(f"if {self.values.condition(condition, here)}:"):
                    self._go_on(here, ((here.names, yes), *rest))
                with self.function.block("else:"):
                    self._go_on(here, ((here.names, no), *rest))
            case ir.Let(variable, expr):
                sort = self.values.sort(expr, here)
                here = here.bind(
                    variable, BoundLocal(self.function.let("v", self.values.code(expr, here)), sort)
                )
                self._go_on(here, seen(here, rest))
            case ir.Choose():
                self._choose(statement, here, rest)
            case ir.Branch(options, by):
                if sum(not ends(block) for _, block in options) > 1:
                    rest = self._shared(here, rest)
                here = self._chosen(by, here)
                for number_, (_, block) in enumerate(options):
                    at = (
                        self.hooks.on_happening(self.function, here)
                        if number_ and by == "cards"
                        else here
                    )
                    at = self.hooks.on_taken(self.function, at, statement, number_)
                    self._go_on(at, ((at.names, block), *rest))
            case ir.ForEach():
                here, block = one_by_one(self.values, self.zones, self.function, statement, here)
                self._go_on(here, ((here.names, block), *rest))
            case _:
                assert_never(statement)

    def _choose(self, choose: ir.Choose, here: EmitState, rest: Continuation) -> None:
        least = ""
        if choose.nearest is not None:
            origin = self.function.let("origin", self.values.code(choose.nearest.origin, here))
            least = self.function.let("least", str(self.layout.players))
            for inside in each_element(self.values, self.zones, self.function, choose, here):
                distance = self._distance(choose.nearest, inside, origin)
                with self.function.block(
                    f"if {self.values.condition(choose.condition, inside)} and {distance} < {least}:"
                ):
                    self.function.line(f"{least} = {distance}")
        for inside in each_element(self.values, self.zones, self.function, choose, here):
            near = (
                f" and {self._distance(choose.nearest, inside, origin)} == {least}"
                if choose.nearest is not None
                else ""
            )
            with self.function.block(
                f"if {self.values.condition(choose.condition, inside)}{near}:"
            ):
                taken = self.hooks.on_taken(
                    self.function,
                    self._chosen(choose.by, inside),
                    choose,
                    inside.local(choose.variable),
                )
                self._go_on(taken, seen(inside, rest))

    def _chosen(self, by: ir.Expr | str | None, here: EmitState) -> EmitState:
        """Write who makes a choice."""
        return here if isinstance(by, str) else self.hooks.on_choice(self.function, here, by)

    def _distance(self, nearest: ir.Nearest, here: EmitState, origin: str) -> str:
        players = self.values.present(here)
        return f"({self.values.code(nearest.player, here)} + {players} - {origin}) % {players}"

    # ------------------------------------------------------------------ join points

    def _shared(self, here: EmitState, rest: Continuation) -> Continuation:
        """Return *rest*, or if that is long, a call of a function that has it."""
        if isinstance(rest[0], Jump) or self.reading.weight(rest) <= SHORT:
            return rest
        keys = tuple(
            (key, with_place and bool(here.bound[key].place))
            for key, with_place in self.reading.live(rest)
            if key in here.bound
        )
        outer = self.function
        bound = {
            key: self._handed_on(key, here.bound[key], with_place=with_place)
            for key, with_place in keys
        }
        given = [
            text
            for key, with_place in keys
            for text in ((f"c{key}", f"q{key}") if with_place else (f"c{key}",))
        ]
        self.function = FunctionWriter("", (*self.words, *self.hooks.threads, *given, "out", "n"))
        self._go_on(EmitState(self.words, here.stage, here.names, bound, self.hooks.threads), rest)
        self.function.line("return n")
        name, self.function = self.module.shared("rest", self.function), outer
        return (Jump(name, keys),)

    def _handed_on(self, key: int, bound: BoundLocal, *, with_place: bool) -> BoundLocal:
        """Return the local as a parameter of a function; its item may be anywhere by then."""
        zones = tuple(self.layout.zones) if with_place else ()
        return BoundLocal(
            f"c{key}", bound.sort, f"q{key}" if with_place else "", zones, bound.format
        )

    def _call(self, here: EmitState, jump: Jump) -> None:
        given = [
            t
            for key, with_place in jump.keys
            for t in (here.bound[key].code, *([here.bound[key].place] if with_place else []))
        ]
        self.function.line(
            f"n = {jump.function}({', '.join([*here.words, *here.threads, *given, 'out', 'n'])})"
        )

    # ------------------------------------------------------------------ the end of a move

    def _end(self, statement: ir.End, here: EmitState) -> None:
        layout = self.layout
        if isinstance(statement, ir.GameOver):
            here = self.values.written(self.function, layout.shared, "0", here)
            here = self.values.written(self.function, layout.stage, str(layout.stages[OVER]), here)
            self.hooks.on_end(self.function, here, self.clause_mode, OVER)
            return
        codes, conditions = [], []
        for argument, (name, sort) in zip(
            statement.arguments, layout.parameters[statement.stage].items(), strict=True
        ):
            code = self.values.code(argument, here, sort)
            code, condition = in_range(self.values, self.function, argument, code, sort, here)
            conditions += [condition] if condition else []
            if name in layout.arguments[statement.stage]:
                codes.append((layout.arguments[statement.stage][name][0], code))
        with self.function.block(f"if {' and '.join(conditions)}:" if conditions else "if True:"):
            base = layout.shared.shift
            stored = [
                f"({_less(code, field.low)} << {field.shift - base})" for field, code in codes
            ]
            here = self.values.written(
                self.function, layout.shared, f"({' | '.join(stored)})" if stored else "0", here
            )
            here = self.values.written(
                self.function, layout.stage, str(layout.stages[statement.stage]), here
            )
            self.hooks.on_end(self.function, here, self.clause_mode, statement.stage)


def _less(code: str, low: int) -> str:
    return f"({code} - {low})" if low else code
