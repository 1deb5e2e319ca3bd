"""Needs: which parts of a position a search can do without, and which values flow where.

In comes a Program within a scope, and formulas with their spotlights; out goes the `Slice` that
keeps what they depend on. It is the least set with all that the formulas ask for, all that makes a
move possible or not (owners, guards, requirements, choices, numbers that leave their range), and
all that flows into the set. It grows from what the formulas ask for until nothing is added, as in
the slicing of programs (Weiser, "Program slicing", 1984) and in the cone of influence reduction of
model checking (Clarke, Grumberg and Peled, "Model checking", chapter 6).

Why that is right: call two positions alike if they have the same stage, as many items on each zone
and the same of all that is kept, up to a renumbering of items on unordered zones. From alike
positions every clause has the same moves, and they lead to alike positions: whether a move is
possible is decided by expressions over what is kept, as those are in the set by construction; a
move computes the new value of anything kept from what is kept, for the same reason; and zones grow
and shrink alike. What `specialise` leaves out of a clause has no part in either. So to be alike is
a bisimulation: the positions of a slice have the same plays, move for move, as those they stand
for. A formula speaks only of what is kept and of the events of moves, which come from the
statements, so it is true at the same moments of the same plays.

The lengths of zones are always kept, as they decide what the scope cuts. What is kept also decides
what becomes of such a move beyond the scope: all that makes a move impossible is kept, from any
place in a clause. `f.Conflict` is treated as if it asked only which moves are possible: whether two
moves lead to different positions can be seen in the `slice.whole` only.

NOTE(choosers): what players can enforce depends on who decides what, too: whose each move is, and
who makes each choice in it. With that kept, alike positions have the same decisions, one after the
other. Every option of a choice that is left out leads to alike positions, so it does not matter who
makes it, nor between how many things.

A proof for every size asks `relevant` instead: that goes by whole attributes and by no scope, while
this goes zone by zone within one.

Flow: what never changes, and which values the parts of items can have on each zone in any play.

Only values that the text says outright are told apart; anything computed may be anything of its
type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ...models import ir
from ...models.ir.analysis import effect_of, passes, without_chooser
from ...models.ir.parts import asked_by, blocks_of, of_domain, operands, statements
from ...properties import formula as f
from ...properties.formula import formulas
from ..types.scope import Scope
from .slice import ANYWHERE, PartRange, Slice
from .sorts import Sort, first_code, sort_of
from .specialise import Specialiser


class Flow:
    """What is known of one Program at a table of *players*: *fixed* are the codes of the variables
    that never change.
    """

    def __init__(self, program: ir.Program, players: int) -> None:
        self.program, self.players = program, players
        self.sorts = {
            attribute.name: sort_of(attribute.type, players) for attribute in program.attributes
        }
        self._assigned: set[tuple[str, ir.Expr]] = set()
        self._stepping: set[str] = set()
        self._puts: list[ir.Put] = []
        self._changes: list[tuple[str, ir.Expr]] = []
        for statement in statements(*(clause.body for _, clause in program.clauses)):
            self._note_changes(statement)
        self.fixed = {
            variable.name: code
            for variable in program.variables
            if (code := self._fixed(variable)) is not None
        }
        self.kinds: dict[str, set[str]] = defaultdict(set)
        self.codes: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._spread()

    def _note_changes(self, statement: ir.Statement) -> None:
        """Note what *statement* itself changes."""
        if (sequence := effect_of(statement).steps) is not None:
            self._stepping.add(sequence)
        match statement:
            case ir.Assign(variable, _, value):
                self._assigned.add((variable, value))
            case ir.Put():
                self._puts.append(statement)
            case ir.Alter(_, name, value):
                self._changes.append((name, value))
            case ir.Move() | ir.Leave() | ir.BeginResolving():
                pass  # an item keeps its parts; where it goes `_zone_moves` says
            case (
                ir.Plain() | ir.Advance() | ir.Require() | ir.Let() | ir.If() | ir.Choose()
                | ir.Branch() | ir.ForEach() | ir.Go() | ir.GameOver()
            ):  # fmt: skip
                pass  # these give no value to anything
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ variables

    def _fixed(self, variable: ir.VariableDeclaration) -> int | None:
        """Return the code of *variable* if it never changes; a seat is no such code, as seats may
        be turned.
        """
        sort = sort_of(variable.type, self.players)
        code = first_code(variable.initial, sort, self.players)
        is_seat = sort.kind == "player" and not (sort.is_optional and code == sort.high)
        is_some_seats = sort.kind == "players" and code not in (0, sort.high)
        if is_seat or is_some_seats or not sort.low <= code <= sort.high:
            return None
        if any(
            name == variable.name and not self._is_code(value, code, sort)
            for name, value in self._assigned
        ):
            return None
        return (
            None
            if variable.name
            in {s.variable for s in self.program.sequences if s.name in self._stepping}
            else code
        )

    def _is_code(self, value: ir.Expr, code: int, sort: Sort) -> bool:
        return (
            isinstance(value, ir.Literal | ir.NoPlayers | ir.Everyone)
            and first_code(value, sort, self.players) == code
        )

    # ------------------------------------------------------------------ items

    def _spread(self) -> None:
        """Let the parts of items flow from where items are put to all zones to which they are
        moved, until nothing is added.
        """
        moves = {
            move for _, clause in self.program.clauses for move in _zone_moves(clause.body, {})
        }
        for put in self._puts:
            self._put(put)
        for name, value in self._changes:  # of an item anywhere
            for zone in (ANYWHERE, *(zone.name for zone in self.program.zones)):
                self.codes[zone, name] |= self._codes(value, self.sorts[name])
        before = -1
        while before != (
            before := sum(map(len, self.kinds.values())) + sum(map(len, self.codes.values()))
        ):
            for from_, to in moves:
                self.kinds[to] |= self.kinds[from_]
                for name in self.sorts:
                    self.codes[to, name] |= self.codes[from_, name]

    def _put(self, put: ir.Put) -> None:
        for zone in (put.zone, ANYWHERE):
            self.kinds[zone].add(put.kind)
            for (name, sort), value in zip(self.sorts.items(), put.attributes, strict=True):
                self.codes[zone, name] |= self._codes(value, sort)

    def _codes(self, value: ir.Expr, sort: Sort) -> set[int]:
        if isinstance(value, ir.Literal) and sort.kind in ("flag", "enum", "number"):
            code = first_code(value, sort, self.players)
            return {code} if sort.low <= code <= sort.high else set()
        return {sort.low, sort.high}

    # ------------------------------------------------------------------ what is told

    def classes(self, tests: Iterable[frozenset[str]]) -> dict[str, str]:
        """Return for each kind the first one that no test tells from it, of those that there are
        items of.
        """
        asked = sorted(map(sorted, tests))
        first: dict[tuple[bool, ...], str] = {}
        there = [kind.name for kind in self.program.kinds if kind.name in self.kinds[ANYWHERE]]
        stands: dict[str, str] = {}
        for kind in there:
            stands[kind] = first.setdefault(tuple(kind in test for test in asked), kind)
        any_ = there[0] if there else self.program.kinds[0].name if self.program.kinds else ""
        return {kind.name: stands.get(kind.name, any_) for kind in self.program.kinds}

    def ranges(self, kinds: dict[str, str]) -> tuple[PartRange, ...]:
        """Return the ranges of parts that are narrower than their types, where *kinds* says which
        kind stands for which.
        """
        return tuple(self._ranges(kinds))

    def _ranges(self, kinds: dict[str, str]) -> Iterator[PartRange]:
        order = list(dict.fromkeys(kinds.values()))
        for zone in (ANYWHERE, *(zone.name for zone in self.program.zones)):
            there = {order.index(kinds[kind]) for kind in self.kinds[zone]}
            if there and (max(there) - min(there) + 1 < len(order)):
                yield zone, ir.KIND, min(there), max(there)
            for name, sort in self.sorts.items():
                codes = self.codes[zone, name]
                if (
                    codes
                    and sort.kind in ("flag", "enum", "number")
                    and (min(codes), max(codes)) != (sort.low, sort.high)
                ):
                    yield zone, name, min(codes), max(codes)


def _zone_moves(block: ir.Block, zones: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield from which zone to which *block* may move items; an item that has a name comes from
    where it got it.
    """
    for statement in block:
        done = effect_of(statement)
        if done.names is not None and done.among is not None:
            zones = {**zones, done.names: done.among}
        if done.item is not None and done.joins is not None:
            yield (
                (done.item.zone if isinstance(done.item, ir.EndOf) else zones[done.item.name]),
                done.joins,
            )
        for inner in blocks_of(statement):
            yield from _zone_moves(inner, zones)


_Sight = Mapping[str, str]
"""The locals in sight: for an item the zone it was on when it got its name, or `ANYWHERE` for a
spotlit one; "?" for a value.
"""
_VALUE = "?"


@dataclass
class _Needs:
    """What is known to be needed; an item's part with `ANYWHERE` for a zone is one that a spotlight
    asks for.
    """

    variables: set[str] = field(default_factory=set)
    parameters: set[tuple[str, str]] = field(default_factory=set)
    parts: set[tuple[str, str]] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    tests: set[frozenset[str]] = field(default_factory=set)
    """Sets of kinds that something tells from the other kinds."""

    def size(self) -> int:
        """Return how much is needed; it only grows."""
        return sum(map(len, vars(self).values()))

    def as_tuple(self) -> tuple[object, ...]:
        """Return all that is needed as one value."""
        return tuple(map(frozenset, vars(self).values()))

    def with_all(self, other: _Needs) -> _Needs:
        """Return what is needed here or there."""
        return _Needs(**{name: here | vars(other)[name] for name, here in vars(self).items()})


class Slicer:
    """Finds slices of one Program within one scope; with *choosers*, such as keep who decides what
    (NOTE(choosers)).
    """

    def __init__(self, program: ir.Program, scope: Scope, *, choosers: bool = False) -> None:
        self.program = program
        self.scope = scope
        self.flow = Flow(program, scope.players)
        self.choosers = choosers
        self.each_kind = {frozenset((kind.name,)) for kind in program.kinds}
        self.known = Specialiser(
            program, scope, self._slice(_Needs(), self.each_kind, follows=True), choosers=choosers
        )
        self._rules: dict[bool, _Needs] = {}
        self._slices: dict[object, Slice] = {}
        self.guards = [
            (
                stage,
                clause,
                self.known.folded(clause.guard),
                self.known.folded(clause.owner.condition),
            )
            for stage, clause in program.clauses
        ]

    def slice_for(self, formulas: Sequence[f.Formula], spotlights: Sequence[f.Spotlight]) -> Slice:
        """Return the least slice that keeps what *formulas* depend on."""
        follows = any(spotlight.kind == "item" for spotlight in spotlights)
        sight = {
            spotlight.name: ANYWHERE if spotlight.kind == "item" else _VALUE
            for spotlight in spotlights
        }
        asked = _Needs()
        for formula in formulas:
            self._of_formula(asked, formula, sight)
        rules = self._of_rules(follows=follows)
        needs = rules.with_all(asked)
        key = follows, needs.as_tuple()
        if key not in self._slices:
            if needs.size() > rules.size():
                self._close(needs, follows=follows)
            self._slices[key] = self._slice(needs, needs.tests, follows=follows)
        return self._slices[key]

    def sees(self, kept: Slice, expression: ir.Expr, names: Sequence[str]) -> bool:
        """Whether all that *expression* asks for is in *kept*; *names* are locals in it that stand
        for values.
        """
        asked = _Needs()
        self._of_expr(asked, expression, dict.fromkeys(names, _VALUE), "")
        stands = dict(kept.kinds)
        is_told = all(
            len({kind in test for kind in stands if stands[kind] == one}) == 1
            for test in asked.tests
            for one in stands.values()
        )
        parts = {part for part in asked.parts if (ANYWHERE, part[1]) not in kept.parts}
        return (
            is_told
            and parts <= kept.parts
            and not asked.parameters
            and asked.variables <= kept.variables | dict(kept.fixed).keys()
        )

    def _of_rules(self, *, follows: bool) -> _Needs:
        """Return what every search needs; it is found once."""
        if follows not in self._rules:
            owners = (
                {clause.id for _, clause in self.program.clauses} if self.choosers else set[str]()
            )
            needs = self._rules[follows] = _Needs(owners=owners)
            self._close(needs, follows=follows)
        return self._rules[follows]

    def _close(self, needs: _Needs, *, follows: bool) -> None:
        """Add to *needs* what the rules need for it, until nothing is added."""
        self._of_guards(needs)
        before = -1
        while before != needs.size():
            before = needs.size()
            kept = self._slice(needs, self.each_kind, follows=follows)
            specialiser = Specialiser(self.program, self.scope, kept, choosers=self.choosers)
            for stage, clause, guard, _ in self.guards:
                if guard != ir.NO:
                    names = {clause.owner.variable: _VALUE} if clause.owner.variable else {}
                    self._of_block(needs, specialiser.block(clause.body), names, stage.name)
            self._of_block(needs, (specialiser.go(self.program.start),), {}, "")
        self._add_owners_for_nothing(needs)

    def _slice(self, needs: _Needs, tests: set[frozenset[str]], *, follows: bool) -> Slice:
        """Return the slice that keeps what is needed, and tells kinds apart by *tests*."""
        kinds = self.flow.classes(tests)
        return Slice(
            variables=frozenset(needs.variables - self.flow.fixed.keys()),
            parameters=frozenset(needs.parameters),
            parts=frozenset(needs.parts),
            owners=frozenset(needs.owners),
            kinds=tuple(kinds.items()),
            fixed=tuple(self.flow.fixed.items()),
            ranges=self.flow.ranges(kinds),
            follows=follows,
        )

    # ------------------------------------------------------------------ what formulas ask for

    def _of_formula(self, needs: _Needs, formula: f.Formula, sight: _Sight) -> None:
        """Need all that *formula* speaks of as it stands: unlike clauses, formulas are not reduced
        before they are written.
        """
        for part in formulas(formula):
            match part:
                case f.Holds(expression):
                    self._of_expr(needs, expression, sight, "")
                case f.HasPriority(who):
                    self._of_expr(needs, who, sight, "")
                    for stage in self.program.stages:
                        if stage.priority is not None:
                            self._of_expr(needs, stage.priority, {}, stage.name)
                case f.Enabled(who):
                    self._of_expr(needs, who, sight, "")
                    needs.owners |= self._may()
                case f.PlayerEvent("chooses"):
                    raise ValueError(
                        "who chooses is asked of whole positions: a slice may leave choosers out"
                    )
                case f.PlayerEvent(event, who):
                    self._of_expr(needs, who, sight, "")
                    if who is not None:
                        needs.owners |= self._may() if event == "acts" else self._passing()
                case f.Uses(clause, who):
                    self._of_expr(needs, who, sight, "")
                    needs.owners |= {clause} if who is not None else set()
                case f.SequenceEvent(event, name):
                    self._of_sequences(needs, event, name)
                case f.On() | f.IsNext() | f.ItemEvent():
                    # Where items are is told by what follows them; how many there are is kept.
                    pass
                case f.ClausePossible() | f.AtStage() | f.GameIsOver() | f.Gap() | f.Conflict():
                    pass  # what makes a move possible is always kept, and the stage is
                case f.Compound():
                    pass  # its parts come by themselves
                case _:
                    assert_never(part)

    def _of_sequences(self, needs: _Needs, event: str, name: str | None) -> None:
        """Need what tells whether a sequence, or a step of any, begins or ends with a move: where
        it was before.
        """
        for sequence in self.program.sequences:
            if sequence.name == name or (
                name is None and event == "ends" and sequence.name != ir.TURN
            ):
                needs.variables.add(sequence.variable)

    def _may(self) -> set[str]:
        return {clause.id for _, clause in self.program.clauses if clause.mode == "may"}

    def _passing(self) -> set[str]:
        return {clause.id for _, clause in self.program.clauses if passes(clause.body)}

    # ------------------------------------------------------------------ what clauses ask for

    def _of_guards(self, needs: _Needs) -> None:
        """Need what says whether clauses are possible at all, and the owners that are asked for."""
        for stage, clause, guard, condition in self.guards:
            if guard == ir.NO:
                continue
            sight = {clause.owner.variable: _VALUE} if clause.owner.variable else {}
            self._of_expr(needs, guard, sight, stage.name)
            self._of_expr(needs, condition, sight, stage.name)
            who = clause.owner.player
            if who is not None and (clause.id in needs.owners or self._may_be_nobody(who, stage)):
                self._of_expr(needs, self.known.folded(who), sight, stage.name)

    def _add_owners_for_nothing(self, needs: _Needs) -> None:
        """Keep the owners too that are known by what is kept anyhow, so that more formulas have the
        same slice.
        """
        known = needs.variables | self.flow.fixed.keys()
        for stage, clause, _, _ in self.guards:
            its = _Needs()
            if clause.owner.player is not None:
                self._of_expr(its, self.known.folded(clause.owner.player), {}, stage.name)
            if (
                its.variables <= known
                and its.parameters <= needs.parameters
                and its.parts <= needs.parts
            ):
                needs.owners.add(clause.id)

    def _may_be_nobody(self, who: ir.Expr, stage: ir.Stage) -> bool:
        match who:
            case ir.Variable(name) | ir.Entry(name):
                return self.known.sorts[name].is_optional
            case ir.Local(name):
                return dict(self.known.parameters[stage.name])[name].is_optional
            case ir.AttributeOf(_, name):
                return name in self.known.attributes and self.known.attributes[name].is_optional
            case ir.Literal(value):
                return value is None
            case ir.Neighbour():
                return False
            case (
                ir.OptionValue() | ir.Amount() | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf()
            ):  # fmt: skip
                return False  # these are no players
            case _:
                assert_never(who)

    def _of_block(self, needs: _Needs, block: ir.Block, sight: _Sight, stage: str) -> None:
        for statement in block:
            done = effect_of(statement)
            if isinstance(statement, ir.Choose | ir.ForEach):
                sight = self._of_elements(needs, statement.variable, statement.domain, sight, stage)
            for part in asked_by(statement if self.choosers else without_chooser(statement)):
                self._of_expr(needs, part, sight, stage)
            for inner in blocks_of(statement):
                self._of_block(needs, inner, sight, stage)
            if done.item is not None and done.joins is not None:
                from_ = _zone_of(done.item, sight)
                needs.parts |= {(from_, name) for to, name in needs.parts if to == done.joins}
            elif done.advances is not None:
                self._of_advance(needs, done.advances)
            elif isinstance(statement, ir.Let):
                sight = {**sight, statement.variable: _VALUE}

    def _of_advance(self, needs: _Needs, name: str) -> None:
        sequence = self.program.sequence(name)
        if name != ir.TURN or ir.ACTIVE in needs.variables:
            needs.variables.add(sequence.variable)

    # ------------------------------------------------------------------ what expressions ask for

    def _of_expr(self, needs: _Needs, expr: ir.Expr | None, sight: _Sight, stage: str) -> None:
        match expr:
            case None:
                pass
            case ir.Variable(name):
                needs.variables.add(name)
            case ir.Entry(name, who):
                needs.variables.add(name)
                self._of_expr(needs, who, sight, stage)
            case ir.Local(name):
                if name not in sight:
                    needs.parameters.add((stage, name))
            case ir.AttributeOf(item, name):
                needs.parts.add((_zone_of(item, sight), name))
                if name == ir.KIND:
                    needs.tests |= self.each_kind
            case ir.OneOf(ir.AttributeOf(item, ir.KIND), values):
                needs.parts.add((_zone_of(item, sight), ir.KIND))
                needs.tests.add(frozenset(values))
            case ir.Equal(ir.AttributeOf(item, ir.KIND), ir.Literal(str(value))) | ir.Equal(
                ir.Literal(str(value)), ir.AttributeOf(item, ir.KIND)
            ):
                needs.parts.add((_zone_of(item, sight), ir.KIND))
                needs.tests.add(frozenset((value,)))
            case ir.Exists(variable, domain, body):
                self._of_expr(
                    needs, body, self._of_elements(needs, variable, domain, sight, stage), stage
                )
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.SomePlayers()
                | ir.YesOrNo() | ir.EndOf()
            ):  # fmt: skip
                for part in operands(expr):
                    self._of_expr(needs, part, sight, stage)
            case _:
                assert_never(expr)

    def _of_elements(
        self, needs: _Needs, variable: str, domain: ir.Domain, sight: _Sight, stage: str
    ) -> _Sight:
        """Need what *domain* asks for, and return the locals in sight with its element."""
        if isinstance(domain, ir.ItemsOn):
            return {**sight, variable: domain.zone}
        for part in of_domain(domain):
            self._of_expr(needs, part, sight, stage)
        return {**sight, variable: _VALUE}


def _zone_of(item: ir.Local | ir.EndOf, sight: _Sight) -> str:
    return item.zone if isinstance(item, ir.EndOf) else sight[item.name]
