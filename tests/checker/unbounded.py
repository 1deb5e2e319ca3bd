"""What the rules allow in a position, by another way than the interpreter's, and without a scope:
written from docs/language.md.

In comes a Program, a number of players and a position, out goes every way in which a clause can be
used there, made to its end. It is slow and plain on purpose. A world is copied at each choice. Sets
are sets. An item is a thing with a number of its own, so that the player who chose one finds it in
any place. Of `checker.reference` only the words of a position are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeAlias, assert_never

from stacklaw.checker.types.position import OVER, Position
from stacklaw.models import ir

Env: TypeAlias = Mapping[str, Any]
Canonical: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Thing:
    """An item: the only one of its *number*."""

    number: int
    kind: str
    controller: int
    attributes: tuple[Any, ...]

    @property
    def look(self) -> tuple[Any, ...]:
        """All that can be seen of it."""
        return (self.kind, self.controller, self.attributes)


@dataclass(frozen=True)
class World:
    """A position in the middle of a move; *most* is how many things each zone has had in it,
    *passed* the same when somebody passed.
    """

    stage: str
    arguments: tuple[Any, ...]
    values: Mapping[str, Any]
    zones: Mapping[str, tuple[Thing, ...]]
    most: Mapping[str, int] = field(default_factory=dict)
    passed: Mapping[str, int] | None = None
    has_ended: bool = False


@dataclass(frozen=True)
class Way:
    """A way to use a *clause*: whose move it is (a seat, the rules, the cards), and the *world* at
    its end.
    """

    clause: ir.Clause
    owner: int | str
    world: World

    @property
    def passes(self) -> bool:
        """Whether it is a pass."""
        return self.world.passed is not None


class Rules:
    """The rules of *program* at a table of this many *players*."""

    def __init__(self, program: ir.Program, players: int) -> None:
        self.program, self.players = program, players
        self.numbers = count()

    # ------------------------------------------------------------------ positions

    def world(self, position: Position) -> World:
        """Return *position* as a world."""
        values = {}
        for variable, value in zip(self.program.variables, position.values, strict=True):
            entries = tuple(
                self._value(variable.type, one)
                for one in (value if isinstance(value, tuple) else (value,))
            )
            values[variable.name] = entries if variable.each_player else entries[0]
        types = (
            []
            if position.stage == OVER
            else [parameter.type for parameter in self.program.stage(position.stage).parameters]
        )
        zones = {
            zone.name: tuple(Thing(next(self.numbers), *item) for item in items)
            for zone, items in zip(self.program.zones, position.zones, strict=True)
        }
        arguments = tuple(
            self._value(type_, value)
            for type_, value in zip(types, position.arguments, strict=True)
        )
        return World(
            position.stage,
            arguments,
            values,
            zones,
            {zone: len(things) for zone, things in zones.items()},
        )

    def _value(self, type_: ir.Type, value: Any) -> Any:
        if isinstance(type_, ir.PlayersType):
            return frozenset(seat for seat in range(self.players) if value >> seat & 1)
        return value

    def canonical(self, world: World) -> Canonical:
        """Return all that tells *world* from other positions; of a zone in any order that is what
        is there.
        """
        zones = []
        for zone in self.program.zones:
            looks = [thing.look for thing in world.zones[zone.name]]
            zones.append(tuple(sorted(looks, key=repr) if zone.order == "unordered" else looks))
        return (
            world.stage,
            world.arguments,
            tuple(sorted(world.values.items(), key=lambda pair: pair[0])),
            tuple(zones),
        )

    # ------------------------------------------------------------------ what may be done

    def ways(self, position: Position) -> list[Way]:
        """Return every way to use a clause in *position*."""
        if position.stage == OVER:
            return []
        world, stage = self.world(position), self.program.stage(position.stage)
        env = dict(
            zip((parameter.name for parameter in stage.parameters), world.arguments, strict=True)
        )
        uses = (
            (clause, owner, seen)
            for clause in stage.clauses
            for owner, seen in self._owners(clause, world, env)
        )
        return [
            way for clause, owner, seen in uses for way in self._used(clause, owner, world, seen)
        ]

    def _owners(self, clause: ir.Clause, world: World, env: Env) -> Iterator[tuple[int | str, Env]]:
        owner = clause.owner
        if owner.variable is not None:
            for seat in range(self.players):
                seen = {**env, owner.variable: seat}
                if self.value(owner.condition, world, seen) and self.value(
                    clause.guard, world, seen
                ):
                    yield seat, seen
        elif self.value(clause.guard, world, env):
            who = (
                ("cards" if clause.mode == "chance" else "rules")
                if owner.player is None
                else self.value(owner.player, world, env)
            )
            if who is not None:
                yield who, env

    def _used(self, clause: ir.Clause, owner: int | str, world: World, env: Env) -> Iterator[Way]:
        for end in self._done(clause.body, world, env):
            assert end.has_ended
            yield Way(clause, owner, end)

    def may(self, ways: Iterable[Way], what: str, player: object) -> bool:
        """Whether *player*, or with None anybody, may pass, or may act: make a may move that is no
        pass.
        """
        owners = {
            way.owner for way in ways if way.clause.mode == "may" and way.passes == (what == "pass")
        }
        return bool(owners) if player is None else player in owners

    def has_conflict(self, ways: Iterable[Way]) -> bool:
        """Whether two must clauses lead to different positions, or a must clause stands beside a
        may clause.
        """
        leads: dict[str, set[Canonical]] = {}
        for way in ways:
            if way.clause.mode == "must":
                leads.setdefault(way.clause.id, set()).add(self.canonical(way.world))
        if leads and any(way.clause.mode == "may" for way in ways):
            return True
        return any(one != other for one in leads.values() for other in leads.values())

    # ------------------------------------------------------------------ statements

    def _done(self, block: ir.Block, world: World, env: Env) -> Iterator[World]:
        """Yield the world after each way through *block*."""
        if not block or world.has_ended:
            yield world
            return
        for after, seen in self._one(block[0], world, env):
            yield from self._done(block[1:], after, seen)

    def _one(self, statement: ir.Statement, world: World, env: Env) -> Iterator[tuple[World, Env]]:
        """Yield each way to do *statement*: the world after it, and the names in sight of what
        follows; none if it cannot be done.
        """
        match statement:
            case ir.Require(condition):
                if self.value(condition, world, env):
                    yield world, env
            case ir.If(condition, then, otherwise):
                for after in self._done(
                    then if self.value(condition, world, env) else otherwise, world, env
                ):
                    yield after, env
            case ir.Branch(options, _):
                for _, option in options:
                    for after in self._done(option, world, env):
                        yield after, env
            case ir.Let(variable, value):
                yield world, {**env, variable: self.value(value, world, env)}
            case ir.Choose(variable, domain, condition, nearest, _):
                names = [
                    {**env, variable: element} for element in self._elements(domain, world, env)
                ]
                yield from (
                    (world, seen)
                    for seen in self._nearest(
                        nearest, [n for n in names if self.value(condition, world, n)], world, env
                    )
                )
            case ir.ForEach():
                yield from ((after, env) for after in self._for_each(statement, world, env))
            case ir.Go(stage, arguments):
                values = tuple(self.value(argument, world, env) for argument in arguments)
                types = [parameter.type for parameter in self.program.stage(stage).parameters]
                if all(
                    self._fits(type_, value) for type_, value in zip(types, values, strict=True)
                ):
                    yield replace(world, stage=stage, arguments=values, has_ended=True), env
            case ir.GameOver():
                yield replace(world, stage=OVER, arguments=(), has_ended=True), env
            case ir.Pass():
                yield replace(world, passed=world.passed or world.most), env
            case ir.Put() | ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Alter():
                yield from ((after, env) for after in self._of_item(statement, world, env))
            case ir.Assign() | ir.Advance() | ir.StepTo():
                yield from ((after, env) for after in self._of_state(statement, world, env))
            case _:
                assert_never(statement)

    def _for_each(self, each: ir.ForEach, world: World, env: Env) -> Iterator[World]:
        """Yield the world in which *each* is done, if it can be: what it is done for, and what is
        assigned, is as it was before.
        """
        names = [
            {**env, each.variable: element} for element in self._elements(each.domain, world, env)
        ]
        after = world
        for seen in [one for one in names if self.value(each.condition, world, one)]:
            for done in each.body:
                match done:
                    case ir.Move(_, zone):
                        after = _joined(
                            _without(after, seen[each.variable]), seen[each.variable], zone
                        )
                    case ir.Leave():
                        after = _without(after, seen[each.variable])
                    case ir.Alter(_, attribute, value):
                        changed = list(
                            self._changed(
                                after,
                                seen[each.variable],
                                attribute,
                                self.value(value, world, seen),
                            )
                        )
                        if not changed:
                            return
                        (after,) = changed
                    case ir.Assign(name, _, value):
                        new = self.value(value, world, seen)
                        (type_,) = [
                            variable.type
                            for variable in self.program.variables
                            if variable.name == name
                        ]
                        if not self._fits(type_, new):
                            return
                        entries = after.values[name]
                        after = _with(
                            after,
                            name,
                            tuple(
                                new if seat == seen[each.variable] else old
                                for seat, old in enumerate(entries)
                            ),
                        )
                    case _:
                        assert_never(done)
        yield after

    def _nearest(
        self, nearest: ir.Nearest | None, names: list[Env], world: World, env: Env
    ) -> list[Env]:
        """Return those of *names* whose player comes first in turn order."""
        if nearest is None or not names:
            return names
        seat = self.value(nearest.origin, world, env)
        for _ in range(self.players):
            first = [one for one in names if self.value(nearest.player, world, one) == seat]
            if first:
                return first
            seat = (seat + 1) % self.players
        raise AssertionError("the player of a candidate sits nowhere")

    def _of_item(
        self,
        statement: ir.Put | ir.Move | ir.Leave | ir.BeginResolving | ir.Alter,
        world: World,
        env: Env,
    ) -> Iterator[World]:
        match statement:
            case ir.Put(kind, controller, attributes, zone):
                values = tuple(self.value(value, world, env) for value in attributes)
                if all(
                    self._fits(attribute.type, value)
                    for attribute, value in zip(self.program.attributes, values, strict=True)
                ):
                    yield _joined(
                        world,
                        Thing(next(self.numbers), kind, self.value(controller, world, env), values),
                        zone,
                    )
            case ir.Move(item, zone):
                thing = self.value(item, world, env)
                yield _joined(_without(world, thing), thing, zone)
            case ir.Leave(item, _):
                yield _without(world, self.value(item, world, env))
            case ir.Alter(item, attribute, value):
                yield from self._changed(
                    world, self.value(item, world, env), attribute, self.value(value, world, env)
                )
            case ir.BeginResolving():
                yield world
            case _:
                assert_never(statement)

    def _changed(self, world: World, thing: Thing, attribute: str, value: Any) -> Iterator[World]:
        (number,) = [
            number for number, one in enumerate(self.program.attributes) if one.name == attribute
        ]
        if self._fits(self.program.attributes[number].type, value):
            new = replace(
                thing,
                attributes=(*thing.attributes[:number], value, *thing.attributes[number + 1 :]),
            )
            zones = {
                zone: tuple(new if one == thing else one for one in things)
                for zone, things in world.zones.items()
            }
            yield replace(world, zones=zones)

    def _of_state(
        self, statement: ir.Assign | ir.Advance | ir.StepTo, world: World, env: Env
    ) -> Iterator[World]:
        match statement:
            case ir.Assign(name, who, value):
                new = self.value(value, world, env)
                (type_,) = [
                    variable.type for variable in self.program.variables if variable.name == name
                ]
                if not self._fits(type_, new):
                    return
                if who is not None:
                    seat, entries = self.value(who, world, env), list(world.values[name])
                    entries[seat] = new
                    new = tuple(entries)
                yield _with(world, name, new)
            case ir.StepTo(name, step):
                yield _with(world, self._sequence(name).variable, step)
            case ir.Advance(name):
                sequence = self._sequence(name)
                steps = [step.name for step in sequence.steps]
                now = world.values[sequence.variable]
                if now == steps[-1] and name == ir.TURN:
                    next_ = (world.values[ir.ACTIVE] + 1) % self.players
                    yield _with(_with(world, sequence.variable, steps[0]), ir.ACTIVE, next_)
                elif now == steps[-1]:
                    yield _with(world, sequence.variable, ir.NO_STEP)
                elif now in steps:
                    yield _with(world, sequence.variable, steps[steps.index(now) + 1])
            case _:
                assert_never(statement)

    def _sequence(self, name: str) -> ir.Sequence:
        (found,) = [sequence for sequence in self.program.sequences if sequence.name == name]
        return found

    def _fits(self, type_: ir.Type, value: Any) -> bool:
        """Whether *value* keeps the range of a number."""
        if not isinstance(type_, ir.NumberType):
            return True
        nowhere = World("", (), {}, {})
        return bool(
            self.value(type_.low, nowhere, {}) <= value <= self.value(type_.high, nowhere, {})
        )

    # ------------------------------------------------------------------ expressions

    def value(self, expr: ir.Expr, world: World, env: Env) -> Any:
        """Return the value of *expr*; of an item the thing it is."""
        match expr:
            case ir.Literal(value):
                return value
            case ir.OptionValue():
                raise ValueError("an option is open")
            case ir.PlayerNumber():
                return self.players
            case ir.Everyone():
                return frozenset(range(self.players))
            case ir.NoPlayers():
                return frozenset[int]()
            case ir.Local(name):
                return _now(world, env[name]) if isinstance(env[name], Thing) else env[name]
            case ir.Variable(name):
                return world.values[name]
            case ir.Entry(name, who):
                return world.values[name][self.value(who, world, env)]
            case ir.Neighbour(who, offset):
                return (self.value(who, world, env) + offset) % self.players
            case ir.With(players, who):
                return self.value(players, world, env) | {self.value(who, world, env)}
            case ir.Without(players, who):
                return self.value(players, world, env) - {self.value(who, world, env)}
            case ir.Contains(players, who):
                return self.value(who, world, env) in self.value(players, world, env)
            case ir.Count(players):
                return len(self.value(players, world, env))
            case ir.Not(operand):
                return not self.value(operand, world, env)
            case ir.All(parts):
                return all(self.value(part, world, env) for part in parts)
            case ir.Any(parts):
                return any(self.value(part, world, env) for part in parts)
            case ir.Equal(left, right):
                return self.value(left, world, env) == self.value(right, world, env)
            case ir.OneOf(operand, values):
                return self.value(operand, world, env) in values
            case ir.Less(left, right):
                return self.value(left, world, env) < self.value(right, world, env)
            case ir.Add(left, right):
                return self.value(left, world, env) + self.value(right, world, env)
            case ir.Subtract(left, right):
                return self.value(left, world, env) - self.value(right, world, env)
            case ir.IsEmpty(zone):
                return world.zones[zone] == ()
            case ir.Size(zone):
                return len(world.zones[zone])
            case ir.EndOf(zone):
                return world.zones[zone][
                    -1
                    if next(one for one in self.program.zones if one.name == zone).order == "lifo"
                    else 0
                ]
            case ir.AttributeOf(item, name):
                return self._attribute(self.value(item, world, env), name)
            case ir.Exists(variable, domain, body):
                return any(
                    self.value(body, world, {**env, variable: element})
                    for element in self._elements(domain, world, env)
                )
            case _:
                assert_never(expr)

    def _attribute(self, thing: Thing, name: str) -> Any:
        if name in (ir.KIND, ir.CONTROLLER):
            return thing.kind if name == ir.KIND else thing.controller
        return thing.attributes[
            [attribute.name for attribute in self.program.attributes].index(name)
        ]

    def _elements(self, domain: ir.Domain, world: World, env: Env) -> list[Any]:
        match domain:
            case ir.PlayersIn(players):
                return sorted(self.value(players, world, env))
            case ir.ItemsOn(zone):
                return list(world.zones[zone])
            case ir.NumbersFrom(low, high):
                return list(range(self.value(low, world, env), self.value(high, world, env) + 1))
            case _:
                assert_never(domain)


def _with(world: World, name: str, value: Any) -> World:
    return replace(world, values={**world.values, name: value})


def _joined(world: World, thing: Thing, zone: str) -> World:
    things = (*world.zones[zone], thing)
    most = {**world.most, zone: max(world.most[zone], len(things))}
    return replace(world, zones={**world.zones, zone: things}, most=most)


def _now(world: World, thing: Thing) -> Thing:
    """Return *thing* as it is in *world*; one that has left the game is what it was."""
    return next(
        (one for things in world.zones.values() for one in things if one.number == thing.number),
        thing,
    )


def _without(world: World, thing: Thing) -> World:
    zones = {
        zone: tuple(one for one in things if one != thing) for zone, things in world.zones.items()
    }
    assert sum(map(len, zones.values())) == sum(map(len, world.zones.values())) - 1, (
        "an item is used after it has left the game"
    )
    return replace(world, zones=zones)
