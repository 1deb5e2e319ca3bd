"""Whether a play of the rules is a play of the encoding: its positions become cells, and each of
its moves has to be made by a rule.

This is what every weakening promises. A play is made by the interpreter, its spotlights are chosen
by the test, and `Evaluator` says what the formula and its parts are at each moment; so nothing here
is taken from the encoding but its layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.symbolic.encoding.encode import Encoding
from stacklaw.checker.symbolic.encoding.system import Rule, System
from stacklaw.checker.symbolic.position.frame import (
    FIRST_ZONE,
    GONE,
    UNSEEN,
    Entries,
    PlayerSet,
    Run,
    Spot,
    SymbolicValue,
)
from stacklaw.checker.symbolic.position.sorts import literal
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.types.position import OVER, Item, Position, SpotlitItem, Trace
from stacklaw.models import ir
from stacklaw.properties import formula as f


@dataclass
class Shadow:
    """The cells of a play's positions; a cell about which nothing is known (None) may hold
    anything.
    """

    encoding: Encoding
    interpreter: Interpreter
    play: Trace

    def __post_init__(self) -> None:
        self.evaluator = Evaluator(self.interpreter, self.play)
        self.layout, self.context = self.encoding.layout, self.encoding.layout.context
        self.count = self.interpreter.scope.players
        self.seats = {name: who for name, who in self.play.spotlights if isinstance(who, int)}
        self.base = next(iter(self.seats.values()), 0)

    def turned(self, seat: int) -> int:
        return (seat - self.base) % self.count

    def value(self, value: object, type_: ir.Type) -> SymbolicValue:
        if isinstance(type_, ir.PlayersType):
            assert isinstance(value, int)
            return PlayerSet(
                tuple(t.truth(bool(value >> seat & 1)) for seat in self.tracked()),
                None,
                self.run(value),
            )
        if isinstance(type_, ir.PlayerType) and value is not None:
            assert isinstance(value, int)
            return t.number(self.turned(value))
        assert value is None or isinstance(value, bool | int | str)
        return literal(self.context, value)

    def run(self, players: int) -> Run | None:
        """Return how many *players* there are, and where they sit, if that is remembered; which is
        the last of none, or all, is not.
        """
        if not self.context.sets:
            return None
        seats = [seat for seat in range(self.count) if players >> seat & 1]
        last = [self.turned(seat) for seat in seats if not players >> (seat + 1) % self.count & 1]
        only = t.number(last[0]) if len(last) == 1 else z3.FreshInt("any player")
        return Run(t.number(len(seats)), t.truth(len(last) <= 1), only)

    def tracked(self) -> list[int]:
        """Return the real seats of the tracked players."""
        if self.context.players.exact:
            return [(seat + self.base) % self.count for seat in range(self.count)]
        return [self.seats[name] for name in self.context.players.labels]

    def attribute(self, item: Item, name: str) -> t.Term:
        if name == ir.KIND:
            return self.context.code(item.kind)
        if name == ir.CONTROLLER:
            return t.number(self.turned(item.controller))
        attributes = self.context.program.attributes
        number = next(n for n, attribute in enumerate(attributes) if attribute.name == name)
        value = self.value(item.attributes[number], attributes[number].type)
        assert isinstance(value, z3.ExprRef)
        return value

    def cells(self, moment: int) -> tuple[t.Term, ...]:
        """Return the cells of the position at *moment*; what they say nothing of keeps its
        constant.
        """
        position, frame = (
            self.play.positions[moment],
            self.layout.frame(self.play.positions[moment].stage),
        )
        for variable, value in zip(
            self.interpreter.program.variables, position.values, strict=True
        ):
            if variable.name in frame.values and variable.name not in self.layout.constant:
                frame.values[variable.name] = (
                    self.entries(value, variable)
                    if variable.each_player
                    else self.value(value, variable.type)
                )
        for zone, items in zip(self.interpreter.program.zones, position.zones, strict=True):
            frame.sizes[zone.name] = self.counted(len(items))
            for where, name in frame.tops:
                if where == zone.name and items:
                    frame.tops[where, name] = self.attribute(
                        items[-1 if zone.order == "lifo" else 0], name
                    )
        for name in frame.spots:
            frame.spots[name] = self.spot(name, moment, frame.spots[name], position)
        for (one, other), free in frame.first.items():
            frame.first[one, other] = self.is_first(one, other, moment, free)
        parameters = self.interpreter.program.stage(position.stage).parameters
        arguments = [
            self.value(value, p.type)
            for p, value in zip(parameters, position.arguments, strict=True)
        ]
        found = self.layout.cells(frame, arguments, self.bits(moment))
        rigid = [t.number(self.count)] if not z3.is_int_value(self.context.players.count) else []
        rigid += [
            t.number(self.turned(self.seats[name]))
            for name in list(self.context.players.spotlights)[1:]
        ]
        return (*rigid, *found[len(rigid) :])

    def entries(self, value: object, variable: ir.VariableDeclaration) -> Entries:
        assert isinstance(value, tuple)
        terms = [self.value(value[seat], variable.type) for seat in self.tracked()]
        return Entries(tuple(term for term in terms if isinstance(term, z3.ExprRef)))

    def spot(self, name: str, moment: int, free: Spot, position: Position) -> Spot:
        item = self.evaluator.items.get(name)
        if item is None or moment < item.since:
            return Spot(t.number(UNSEEN), t.number(0), free.attributes)
        now = self.evaluator.lives[name][moment][2]
        attributes = {key: self.attribute(now, key) for key in free.attributes}
        place = self.evaluator._item_place(name, moment)
        if place is None:
            return Spot(t.number(GONE), t.number(0), attributes)
        zone, at = place
        order = self.interpreter.program.zones[zone].order
        before = {"lifo": len(position.zones[zone]) - 1 - at, "fifo": at, "unordered": 0}[order]
        return Spot(t.number(FIRST_ZONE + zone), self.counted(before), attributes)

    def counted(self, number: int) -> t.Integer:
        return t.number(number if self.context.counting else min(number, 1))

    def is_first(self, one: str, other: str, moment: int, free: t.Bool) -> t.Bool:
        """Return whether spotlit item *one* leaves before *other*; *free* where they are not on one
        ordered zone.
        """
        places = [
            self.evaluator._item_place(name, moment) if name in self.evaluator.items else None
            for name in (one, other)
        ]
        if places[0] is None or places[1] is None or places[0][0] != places[1][0]:
            return free
        order = self.interpreter.program.zones[places[0][0]].order
        return (
            free
            if order == "unordered"
            else t.truth((places[0][1] > places[1][1]) == (order == "lifo"))
        )

    def bits(self, moment: int) -> Iterator[t.Bool]:
        for bit in self.encoding.monitor.plan.bits:
            what = bit.source.operand if isinstance(bit.source, f.Previously) else bit.source
            yield t.truth(self.evaluator.holds(what, moment))


def check_play(encoding: Encoding, system: System, interpreter: Interpreter, play: Trace) -> None:
    """Fail if some move of *play* is made by no rule, or breaks the property and by no rule
    does.
    """
    shadow = Shadow(encoding, interpreter, play)
    formula = encoding.monitor.formula
    for moment, position in enumerate(play.positions):
        source = play.positions[moment - 1].stage if moment else ""
        clause = play.steps[moment - 1].move.clause if moment else ""
        if moment and source == OVER:
            return
        rules = [
            rule
            for rule in system.rules
            if (rule.source, rule.clause, rule.target) == (source, clause, position.stage)
        ]
        before = (
            list(zip(system.cells[source], shadow.cells(moment - 1), strict=True)) if moment else []
        )
        after = shadow.cells(moment) if position.stage != OVER else ()
        is_broken = not shadow.evaluator.holds(formula, moment)
        breaks_stage = is_broken and position.stage != OVER and is_breach(system, position, after)
        is_bad = is_broken and not breaks_stage
        queries = [
            z3.And(
                z3.substitute(
                    query(rule, after, is_bad),
                    *((cell, value) for cell, value in before if not cell.eq(value)),
                )
            )
            for rule in rules
        ]
        solver = z3.SimpleSolver()
        solver.add(z3.Or(*queries))
        assert solver.check() == z3.sat, (
            f"moment {moment}: {clause} from {source} to {position.stage}, bad: {is_bad}\n{after}"
        )
        if position.stage != OVER:
            check_known(system, position, after)


def query(rule: Rule, after: tuple[t.Term, ...], is_bad: bool) -> t.Bool:
    """Return when *rule* leads to *after*; where that says nothing of a cell, it holds the cell's
    own constant.
    """
    same = [
        value == wanted
        for value, wanted in zip(rule.cells, after, strict=True)
        if not z3.is_const(wanted) or _is_value(wanted)
    ]
    return z3.And(rule.condition, *same, rule.bad if is_bad else t.TRUE)


def _is_value(term: t.Term) -> bool:
    return bool(z3.is_int_value(term)) or t.is_true(term) or t.is_false(term)


def is_breach(system: System, position: Position, after: tuple[t.Term, ...]) -> bool:
    """Whether the encoding knows of a way in which this position itself breaks the property."""
    solver = z3.SimpleSolver()
    changed = [
        (cell, value)
        for cell, value in zip(system.cells[position.stage], after, strict=True)
        if not cell.eq(value)
    ]
    solver.add(
        z3.Or(
            *(
                z3.substitute(breach.condition, *changed)
                for breach in system.of_stages
                if breach.source == position.stage
            )
        )
    )
    return bool(solver.check() == z3.sat)


def check_known(system: System, position: Position, after: tuple[t.Term, ...]) -> None:
    """Fail if what is said to be known of every position is not true of this one."""
    solver = z3.SimpleSolver()
    cells = system.cells[position.stage]
    changed = [
        (cell, value) for cell, value in zip(cells, after, strict=True) if not cell.eq(value)
    ]
    solver.add(z3.substitute(system.known[position.stage], *changed))
    assert solver.check() == z3.sat


def spotlit_plays(
    play: Trace, spotlights: tuple[f.Spotlight, ...], players: int, pick: int
) -> Trace:
    """Return *play* with spotlights turned to players and items as *pick* says."""
    new = [
        SpotlitItem(event.item, moment, number)
        for moment, step in enumerate(play.steps, 1)
        for number, event in enumerate(step.move.events)
        if event.kind == "put" and event.item is not None
    ]
    who: list[tuple[str, int | SpotlitItem]] = []
    for spotlight in spotlights:
        pick, choice = divmod(pick, players if spotlight.kind == "player" else len(new) + 1)
        if spotlight.kind == "player":
            who.append((spotlight.name, choice))
        elif choice < len(new):
            who.append((spotlight.name, new.pop(choice)))
    return Trace(play.initial, play.steps, tuple(who))
