"""Moves: what the clauses of the Program do, as text.

In comes an `ir.Clause`, out go functions that find its moves (NOTE(buffer) in `hooks`). A statement
is written together with what follows it; a branch or a choice writes, or loops over, what follows.
Where several branches go on to the same long rest, the rest becomes a function of its own that all
of them call, so that the text grows with the clause and not with the number of its ways: a join
point (Maurer, Downen, Ariola and Peyton Jones, "Compiling without continuations", PLDI 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import assert_never

from ....models import ir
from ....models.ir.analysis import ends
from ...slicing.sorts import player
from ...types.position import OVER
from .dispatch import EmitPoint
from .hooks import MoveHooks
from .state import BoundLocal, Continuation, Jump, Reading, ZoneSpot, seen
from .statements import advance, assign, in_range, one_by_one, step_to

SHORT = 3
"""How many statements a rest may have that is written again for each branch."""
DEEPEST = 12
"""How deep blocks are nested before the rest of a move becomes a function; Python allows 20 loops
in one another.
"""


class ClauseWriter:
    """Writes clauses from the point *begin*, with what the *hooks* see of each move."""

    def __init__(self, begin: EmitPoint, hooks: MoveHooks) -> None:
        self.begin = begin
        self.layout = begin.layout
        self.hooks = hooks
        self.sequences = {sequence.name: sequence for sequence in self.layout.program.sequences}
        self.reading = Reading()
        self.clause_mode: ir.Mode = "must"

    def clause(self, stage: ir.Stage, clause: ir.Clause) -> str:
        """Write the functions of *clause*, and return the name of the first."""
        name = self.begin.module.unique_name(self.hooks.name, clause.id)
        here = self.begin.opened(name, stage=stage.name)
        self.clause_mode = clause.mode
        clause = self.layout.left_of(clause)
        if clause.guard == ir.NO:
            pass
        elif clause.owner.variable is None:
            self._of_one_owner(clause, here)
        else:
            self._of_any_owner(clause, clause.owner.variable, here)
        here.line("return n")
        return here.closed()

    def start(self) -> None:
        """Write the function that begins the game."""
        here = self.begin.opened("start")
        self.clause_mode = "must"
        self._go_on(replace(here, threads=self.hooks.threads), (({}, (self.layout.start,)),))
        here.line("return n")
        here.closed()

    # ------------------------------------------------------------------ owners

    def _of_one_owner(self, clause: ir.Clause, here: EmitPoint) -> None:
        with here.block(f"if {here.condition(clause.guard)}:"):
            if clause.owner.player is None:
                self._begin_clause(clause, here, "-1")
                return
            owner = here.code(clause.owner.player)
            sort = here.sort(clause.owner.player)
            asked = owner if clause.id in self.layout.slice.owners else "-1"
            may_be_nobody = sort is not None and sort.is_optional
            there_is = f"if {owner} != {self.layout.players}:"
            with here.block(there_is) if may_be_nobody else nullcontext():
                self._begin_clause(clause, here, asked)

    def _of_any_owner(self, clause: ir.Clause, variable: str, here: EmitPoint) -> None:
        for seat in here.each_seat():
            inside = here.bind(variable, BoundLocal(seat, player(self.layout.players)))
            condition = (
                f"{inside.condition(clause.owner.condition)} and {inside.condition(clause.guard)}"
            )
            with here.block(f"if {condition}:"):
                self._begin_clause(clause, inside, seat)

    def _begin_clause(self, clause: ir.Clause, here: EmitPoint, owner: str) -> None:
        threads = self.hooks.on_begin(clause, owner)
        self._go_on(replace(here, threads=threads), ((here.names, clause.body),))

    # ---------------------------------------------------------------- one statement after the other

    def _go_on(self, here: EmitPoint, rest: Continuation) -> None:
        """Write *rest*, from *here*."""
        while rest and not isinstance(rest[0], Jump) and not rest[0][1]:
            rest = rest[1:]
        if not rest:
            raise ValueError("a clause ends without `go` or `game over`")
        if here.function.depth > DEEPEST:
            rest = self._shared(here, rest)
        if isinstance(rest[0], Jump):
            self._call(here, rest[0])
            return
        names, block = rest[0]
        here = here if names is here.names else replace(here, names=names)
        statement = block[0]
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

    def _of_state(self, statement: ir.OfState, here: EmitPoint, rest: Continuation) -> None:
        def go_on(after: EmitPoint) -> None:
            self._go_on(after, rest)

        match statement:
            case ir.Pass():
                go_on(self.hooks.on_pass(here))
            case ir.Advance(name):
                advance(self.hooks, self.sequences[name], here, go_on)
            case ir.StepTo(name, step):
                go_on(step_to(self.hooks, self.sequences[name], step, here))
            case ir.Assign():
                assign(statement, here, go_on)
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ items

    def _of_item(self, statement: ir.OfItem, here: EmitPoint, rest: Continuation) -> None:
        if isinstance(statement, ir.Put):
            self._put(statement, here, rest)
            return
        if isinstance(statement.item, ir.EndOf):
            zone = self.layout.zones[statement.item.zone]
            code = here.let("i", here.item(statement.item)[0])
            is_last = zone.order == "lifo"
            spot = ZoneSpot(zone, here.let("at", here.end_at(zone)) if is_last else "0")
            item = BoundLocal(code, None, format=zone.format)
            self._of_item_at(statement, here, rest, spot, item, is_last=is_last)
            return
        bound = here.bound[here.names[statement.item.name]]
        if len(bound.zones) > 1:
            rest = self._shared(here, rest)
        for number_, name in enumerate(bound.zones):
            zone = self.layout.zones[name]
            word = "elif" if number_ else "if"
            with here.block(f"{word} {zone.has(bound.place)}:"):
                spot = ZoneSpot(zone, here.let("at", f"{bound.place} - {zone.first_place}"))
                self._of_item_at(statement, here, rest, spot, bound, is_last=False)

    def _of_item_at(
        self,
        statement: ir.Move | ir.Leave | ir.BeginResolving | ir.Alter,
        here: EmitPoint,
        rest: Continuation,
        spot: ZoneSpot,
        item: BoundLocal,
        *,
        is_last: bool,
    ) -> None:
        code = item.code
        match statement:
            case ir.Alter():
                self._change_part(statement, here, rest, spot)
            case ir.BeginResolving():
                self._go_on(self.hooks.on_resolving(here, spot), rest)
            case ir.Leave(_, how):
                here = here.taken(spot, code, is_last=is_last)
                here = self._followed(here, rest, spot.after_leaving)
                self._go_on(self.hooks.on_leave(here, spot, how, code), rest)
            case ir.Move(_, to_name):
                to = self.layout.zones[to_name]
                here = here.taken(spot, code, is_last=is_last)
                with here.block(f"if {here.has_room(to)}:"):
                    if item.format is not None and item.format != to.format:
                        code = here.let("i", here.converted(code, item.format, to.format))
                    after, to_spot = here.join_zone(to, code)
                    moved = self._followed(
                        after, rest, lambda place: here.after_moving(place, spot, to_spot), to_name
                    )
                    self._go_on(self.hooks.on_move(moved, spot, to_spot), rest)
                self._cut(here)
            case _:
                assert_never(statement)

    def _change_part(
        self, change: ir.Alter, here: EmitPoint, rest: Continuation, spot: ZoneSpot
    ) -> None:
        name = change.attribute
        zone = spot.zone
        new, conditions = in_range(change.value, self.layout.parts[name], here)
        with here.block(f"if {' and '.join(conditions) or True}:"):
            new = here.let("v", new)
            before = here.let("i", here.slot(zone, spot.at))
            code = here.let("i", here.with_part(before, zone.format, name, new))
            after, to = here.change_item(spot, before, code)
            bound = {}
            for key, one in self._followed_in(here, rest, looked_at=True):
                assert one.format is not None
                changed = here.with_part(one.code, one.format, name, new)
                it = here.let("i", f"({changed} if {one.place} == {spot.place} else {one.code})")
                place = here.let("q", spot.after_changing(one.place, to))
                bound[key] = replace(one, code=it, place=place)
            after = replace(after, bound={**after.bound, **bound})
            self._go_on(self.hooks.on_change(after, spot, to, name, new), rest)

    def _put(self, put: ir.Put, here: EmitPoint, rest: Continuation) -> None:
        zone = self.layout.zones[put.zone]
        sorts = self.layout.parts
        codes = {ir.KIND: str(sorts[ir.KIND].encode(self.layout.representatives[put.kind]))}
        conditions = list[str]()
        for name, value in zip([*sorts][1:], (put.controller, *put.attributes), strict=True):
            codes[name], more = in_range(value, sorts[name], here)
            conditions += more
        with here.block(f"if {' and '.join(conditions) or True}:"):
            made = code = here.let("i", here.packed(zone.made, codes))
            if zone.made != zone.format:
                code = here.let("i", here.converted(made, zone.made, zone.format))
            with here.block(f"if {here.has_room(zone)}:"):
                after, spot = here.join_zone(zone, code)
                after = self._followed(after, rest, spot.after_joining)
                self.hooks.on_put(after, spot, made, lambda seen: self._go_on(seen, rest))
            self._cut(here)

    def _cut(self, here: EmitPoint) -> None:
        with here.block("else:"):
            self.hooks.on_cut(here, self.clause_mode)

    # ------------------------------------------------------------------ items that are followed

    def _followed(
        self, here: EmitPoint, rest: Continuation, change: Callable[[str], str], *zones: str
    ) -> EmitPoint:
        """Write where the items are that *rest* still does something with, each place having gone
        through *change*, which may be on *zones* now.
        """
        places = {}
        for key, bound in self._followed_in(here, rest):
            if (after := change(bound.place)) != bound.place:
                may_be_on = tuple(dict.fromkeys((*bound.zones, *zones)))
                places[key] = replace(bound, place=here.let("q", after), zones=may_be_on)
        return replace(here, bound={**here.bound, **places})

    def _followed_in(
        self, here: EmitPoint, rest: Continuation, *, looked_at: bool = False
    ) -> list[tuple[int, BoundLocal]]:
        """Return the items with which *rest* does something, or that are only *looked_at*."""
        return [
            (key, here.bound[key])
            for key, moved in self.reading.live(rest)
            if (moved or looked_at) and key in here.bound and here.bound[key].place
        ]

    # ------------------------------------------------------------------ several outcomes

    def _several(self, statement: ir.Several, here: EmitPoint, rest: Continuation) -> None:
        match statement:
            case ir.Require(condition):
                with here.block(f"if {here.condition(condition)}:"):
                    self._go_on(here, rest)
            case ir.If(condition, yes, no):
                if not ends(yes) and not ends(no):
                    rest = self._shared(here, rest)
                with here.block(f"if {here.condition(condition)}:"):
                    self._go_on(here, ((here.names, yes), *rest))
                with here.block("else:"):
                    self._go_on(here, ((here.names, no), *rest))
            case ir.Let(variable, expr):
                sort = here.sort(expr)
                here = here.bind(variable, BoundLocal(here.let("v", here.code(expr)), sort))
                self._go_on(here, seen(here, rest))
            case ir.Choose():
                self._choose(statement, here, rest)
            case ir.Branch(options, by):
                if sum(not ends(block) for _, block in options) > 1:
                    rest = self._shared(here, rest)
                here = self._chosen(by, here)
                for number_, (_, block) in enumerate(options):
                    at = self.hooks.on_happening(here) if number_ and by == "cards" else here
                    at = self.hooks.on_taken(at, statement, number_)
                    self._go_on(at, ((at.names, block), *rest))
            case ir.ForEach():
                here, block = one_by_one(statement, here)
                self._go_on(here, ((here.names, block), *rest))
            case _:
                assert_never(statement)

    def _choose(self, choose: ir.Choose, here: EmitPoint, rest: Continuation) -> None:
        least = ""
        if choose.nearest is not None:
            origin = here.let("origin", here.code(choose.nearest.origin))
            least = here.let("least", str(self.layout.players))
            for bound in here.elements(choose.domain):
                inside = here.bind(choose.variable, bound)
                distance = self._distance(choose.nearest, inside, origin)
                condition = inside.condition(choose.condition)
                with here.block(f"if {condition} and {distance} < {least}:"):
                    here.line(f"{least} = {distance}")
        for bound in here.elements(choose.domain):
            inside = here.bind(choose.variable, bound)
            near = (
                f" and {self._distance(choose.nearest, inside, origin)} == {least}"
                if choose.nearest is not None
                else ""
            )
            with here.block(f"if {inside.condition(choose.condition)}{near}:"):
                taken = self.hooks.on_taken(self._chosen(choose.by, inside), choose, bound)
                self._go_on(taken, seen(inside, rest))

    def _chosen(self, by: ir.Expr | str | None, here: EmitPoint) -> EmitPoint:
        """Write who makes a choice."""
        return here if isinstance(by, str) else self.hooks.on_choice(here, by)

    def _distance(self, nearest: ir.Nearest, here: EmitPoint, origin: str) -> str:
        return f"({here.code(nearest.player)} + {here.present} - {origin}) % {here.present}"

    # ------------------------------------------------------------------ join points

    def _shared(self, here: EmitPoint, rest: Continuation) -> Continuation:
        """Return *rest*, or if that is long, a call of a function that has it."""
        if isinstance(rest[0], Jump) or self.reading.weight(rest) <= SHORT:
            return rest
        keys = tuple(
            (key, with_place and bool(here.bound[key].place))
            for key, with_place in self.reading.live(rest)
            if key in here.bound
        )
        given = list[str]()
        bound = dict[int, BoundLocal]()
        for key, with_place in keys:
            # Its item may be anywhere by then.
            place, zones = (f"q{key}", tuple(self.layout.zones)) if with_place else ("", ())
            bound[key] = replace(here.bound[key], code=f"c{key}", place=place, zones=zones)
            given += [f"c{key}", place] if with_place else [f"c{key}"]
        threads = {name: name for name in self.hooks.threads}
        inside = self.begin.opened("", (*threads, *given, "out", "n"), here.stage)
        self._go_on(replace(inside, names=here.names, bound=bound, threads=threads), rest)
        inside.line("return n")
        return (Jump(here.module.shared("rest", inside.function), keys),)

    def _call(self, here: EmitPoint, jump: Jump) -> None:
        given = [
            text
            for key, with_place in jump.keys
            for text in (here.bound[key].code, *([here.bound[key].place] if with_place else []))
        ]
        threads = here.threads.values()
        here.line(f"n = {jump.function}({', '.join([*here.words, *threads, *given, 'out', 'n'])})")

    # ------------------------------------------------------------------ the end of a move

    def _end(self, statement: ir.End, here: EmitPoint) -> None:
        layout = self.layout
        if isinstance(statement, ir.GameOver):
            self._end_at(OVER, "0", here)
            return
        stored = list[str]()
        conditions = list[str]()
        fields = layout.arguments[statement.stage]
        for argument, (name, sort) in zip(
            statement.arguments, layout.parameters[statement.stage].items(), strict=True
        ):
            code, more = in_range(argument, sort, here)
            conditions += more
            if name in fields:
                field, _ = fields[name]
                less = f"({code} - {field.low})" if field.low else code
                stored.append(f"({less} << {field.shift - layout.shared.shift})")
        with here.block(f"if {' and '.join(conditions) or True}:"):
            self._end_at(statement.stage, f"({' | '.join(stored)})" if stored else "0", here)

    def _end_at(self, stage: str, parameters: str, here: EmitPoint) -> None:
        layout = self.layout
        here = here.written(layout.shared, parameters)
        here = here.written(layout.stage, str(layout.stages[stage]))
        self.hooks.on_end(here, self.clause_mode)
