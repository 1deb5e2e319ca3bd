"""Encoding: a Program and a question -> the System whose bad moments make its formula true.

Every path through every clause becomes a rule. Nothing bounds the zones or, where the game leaves
it open, the number of players. What cannot be said raises `UnsupportedError`.

Witnesses: where a formula is broken by some item that is on a zone, that item is watched.

An encoding knows of the items of a zone only those in the spotlight, so that there is no such item
cannot be proved of the others. But a moment that breaks ``never some t in pool where F`` does so by
one item, and for every item i it can be asked whether it is on the pool and F: what is asked then
is the same, with one spotlight more.

    some t in pool where F(t)    i on pool and F(i), or j on pool and F(j), …

It is said of all items that are watched, for the one may be among those that are in the spotlight
anyway, and two of these are different items. Only what has to be so at one moment for the formula
to be broken is said so: that no item was there since some moment is said of each of several
moments, at which there may be another one each.

Instances: what the lemmas of a question say of the players and items that the question watches.

A lemma says something of any players and items, so it says it of those: for each way to put them
in the places of its own, up to `MOST_LEMMAS` ways. Where the question watches fewer than a lemma
speaks of, more are watched. Different spotlights get different ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count, islice, permutations, product
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.parts import expressions, locals_in, of_expressions, with_locals
from ....properties import formula as f
from ....properties.formula import about, expressions_in, of_formulas
from ....properties.wording import written_name
from ...slicing.slice import relevant
from ...types.position import OVER
from ...watching.plan import And, Atom, Said, asked_in, conjuncts
from ..position.frame import EncodingContext, SymbolicFrame
from ..position.layout import CellLayout
from ..position.players import make_players
from ..position.weakenings import UnsupportedError, Weakening
from ..solver import terms as t
from .formulas import EncodedMoment, EncodedMonitor, EncodedMove, EncodedPosition
from .statements import BlockPath, fires, paths, shared_locals
from .system import START, Breach, Rule, System

MOST_LEMMAS = 12
"""In how many ways a lemma is said at most; each has to be proved."""
_Renaming = Mapping[str, str]


@frozen
class Instance:
    """What the lemma called *name* says of some players and items: a *formula*."""

    name: str
    formula: f.Formula


def instances(question: f.Property) -> tuple[tuple[f.Spotlight, ...], tuple[Instance, ...]]:
    """Return whom to watch for *question* and its lemmas, and what the lemmas say of them, in their
    order.
    """
    spotlights = question.spotlights
    for lemma in question.lemmas:
        for kind in ("player", "item"):
            spotlights += tuple(_missing(lemma, kind, spotlights, question.body))
    said = [
        instance
        for lemma in question.lemmas
        for instance in islice(_instances(lemma, spotlights), MOST_LEMMAS)
    ]
    return spotlights, tuple(dict.fromkeys(said))


def _missing(
    lemma: f.Property, kind: str, spotlights: tuple[f.Spotlight, ...], body: f.Formula
) -> Iterator[f.Spotlight]:
    """Yield spotlights of *kind*, as many as *lemma* has more than *spotlights*, called as in
    *lemma* where the name is free.
    """
    own = [spotlight for spotlight in lemma.spotlights if spotlight.kind == kind]
    names = chain(
        (spotlight.name for spotlight in own),
        (f"{spotlight.name}{number}" for number in count(2) for spotlight in own),
    )
    taken = {
        *(spotlight.name for spotlight in spotlights),
        *(expr.variable for expr in expressions_in(body) if isinstance(expr, ir.Exists)),
    }
    free = (name for name in names if name not in taken)
    for _ in range(len(own) - len(_of_kind(spotlights, kind))):
        yield replace(own[0], name=next(free))


def _instances(lemma: f.Property, spotlights: tuple[f.Spotlight, ...]) -> Iterator[Instance]:
    ways = []
    for kind in ("player", "item"):
        own, others = _of_kind(lemma.spotlights, kind), _of_kind(spotlights, kind)
        ways.append(
            [dict(zip(own, chosen, strict=True)) for chosen in permutations(others, len(own))]
        )
    for players, items in product(*ways):
        yield Instance(lemma.name, renamed(lemma.body, {**players, **items}))


def renamed(formula: f.Formula, renaming: _Renaming) -> f.Formula:
    """Return *formula* with its spotlights renamed; what it names within itself keeps out of the
    way of the new names.
    """

    def apart(expr: ir.Expr) -> ir.Expr:
        if not isinstance(expr, ir.Exists) or (
            expr.variable not in renaming and expr.variable not in renaming.values()
        ):
            return expr
        other = _apart(expr.variable, expr, renaming)
        return replace(
            expr, variable=other, body=with_locals(expr.body, {expr.variable: ir.Local(other)})
        )

    kept = ir.rewrite(formula, of_formulas(lambda part: part, of_expressions(apart)))
    names = of_expressions(lambda expr: _called(expr, renaming))
    result: f.Formula = ir.rewrite(kept, of_formulas(lambda part: _of_items(part, renaming), names))
    return result


def _called(expr: ir.Expr, renaming: _Renaming) -> ir.Expr:
    """Return *expr* by its new name, if it is a local that has one."""
    return (
        ir.Local(renaming[expr.name])
        if isinstance(expr, ir.Local) and expr.name in renaming
        else expr
    )


def _of_items(formula: f.Formula, renaming: _Renaming) -> f.Formula:
    """Return *formula* with the new names of the items that it speaks of by itself."""
    match formula:
        case f.Holds(items=items):
            return replace(formula, items=tuple(renaming.get(item, item) for item in items))
        case f.On(item) | f.IsNext(item):
            return replace(formula, item=renaming.get(item, item))
        case f.ItemEvent(item=item):
            return formula if item is None else replace(formula, item=renaming.get(item, item))
        case f.HasPriority() | f.Enabled() | f.PlayerEvent() | f.Uses():
            return formula  # a player is an expression, renamed already
        case (
            f.ClausePossible() | f.AtStage() | f.GameIsOver() | f.Gap() | f.Conflict()
            | f.SequenceEvent() | f.Compound()
        ):  # fmt: skip
            return formula  # these speak of no item by themselves
        case _:
            assert_never(formula)


def _apart(variable: str, node: ir.Exists, renaming: _Renaming) -> str:
    """Return another name for *variable*, which *node* binds, that is free."""
    taken = {*renaming, *renaming.values(), *locals_in(expressions(node))}
    others = (f"{variable}{number}" for number in count(1))
    return next(other for other in others if other not in taken)


def _of_kind(spotlights: tuple[f.Spotlight, ...], kind: str) -> list[str]:
    return [spotlight.name for spotlight in spotlights if spotlight.kind == kind]


MOST = 2
"""How many witnesses are watched at most: each makes every question larger."""
MOST_ITEMS = 4
"""There are none where with them more items than this would be watched."""


def with_witnesses(program: ir.Program, question: f.Property) -> f.Property:
    """Return *question*, of mode ``always`` or ``possible``, asked of its witnesses, too; itself if
    it has none.
    """
    watched = tuple(spotlight.name for spotlight in question.spotlights if spotlight.kind == "item")
    names = _names_for(program, question)
    if not names or len(watched) + len(names) > MOST_ITEMS:
        return question
    body = _Said((*watched, *names), len(names)).about_items(
        question.body, sought=question.mode == "possible"
    )
    return replace(
        question,
        body=body,
        spotlights=(*question.spotlights, *(f.Spotlight("item", name) for name in names)),
    )


def _names_for(program: ir.Program, question: f.Property) -> tuple[str, ...]:
    """Return what the witnesses of *question* are called: with a space, as no ruleset and no
    formula can call anything.
    """
    found = _Said((), MOST)
    found.about_items(question.body, sought=question.mode == "possible")
    names: list[str] = []
    for variable in found.replaced:
        name = written_name(program, variable)
        names.append(f"any {name}" if f"any {name}" not in names else f"any other {name}")
    return tuple(names)


@dataclass
class _Said:
    """Says formulas of *items*, for at most *most* quantifiers; *replaced* are the names that
    those give.
    """

    items: tuple[str, ...]
    most: int
    replaced: list[str] = field(default_factory=list)

    def about_items(self, formula: f.Formula, *, sought: bool) -> f.Formula:
        """Return *formula* said of the items: of one that is *sought* a moment is looked for at
        which it is true, else false.
        """
        match formula:
            case f.Holds(expression, items):
                return self.expression(expression, items, sought=sought)
            case f.Not(operand):
                return f.Not(self.about_items(operand, sought=not sought))
            case f.And(parts):
                return f.And(tuple(self.about_items(part, sought=sought) for part in parts))
            case f.Or(parts):
                return f.Or(tuple(self.about_items(part, sought=sought) for part in parts))
            case f.Previously(operand):
                return f.Previously(self.about_items(operand, sought=sought))
            case f.Once(operand):
                return f.Once(self.about_items(operand, sought=True)) if sought else formula
            case f.Since(left, right):
                return f.Since(left, self.about_items(right, sought=True)) if sought else formula
            case f.LeafOfPosition() | f.LeafOfEnabled() | f.LeafOfMove():
                return formula
            case _:
                assert_never(formula)

    def expression(self, expression: ir.Expr, seen: tuple[str, ...], *, sought: bool) -> f.Formula:
        """Return that *expression* is true, and that the items *seen* have been there, said of the
        items.
        """
        before = len(self.replaced)
        said = self._taken_apart(expression, seen, sought=sought)
        return f.Holds(expression, seen) if len(self.replaced) == before else said

    def _taken_apart(
        self, expression: ir.Expr, seen: tuple[str, ...], *, sought: bool
    ) -> f.Formula:
        match expression:
            case ir.All(parts):
                return f.And(tuple(self.expression(part, seen, sought=sought) for part in parts))
            case ir.Any(parts):
                return f.Or(tuple(self.expression(part, seen, sought=sought) for part in parts))
            case ir.Not(operand):
                denied = f.Not(self.expression(operand, seen, sought=not sought))
                return f.And((f.Holds(ir.YES, seen), denied)) if seen else denied
            case ir.Exists(variable, ir.ItemsOn(zone), body) if (
                sought and len(self.replaced) < self.most
            ):
                self.replaced.append(variable)
                return f.Or(
                    tuple(self._of_one(item, zone, variable, body, seen) for item in self.items)
                )
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return f.Holds(expression, seen)
            case _:
                assert_never(expression)

    def _of_one(
        self, item: str, zone: str, variable: str, body: ir.Expr, seen: tuple[str, ...]
    ) -> f.Formula:
        """Return that *item* is on *zone* and *body* true of it, where that calls it *variable*."""
        with_it = tuple(dict.fromkeys((*seen, item)))
        return f.And((f.On(item, zone), renamed(f.Holds(body, with_it), {variable: item})))


@frozen
class Encoding:
    """A Program's positions, laid out as cells, and the monitor that watches them.

    A moment is bad if *asked*, a part of its plan, is false. What *lemmas* say is watched as well;
    each can be asked in its place.
    """

    layout: CellLayout
    monitor: EncodedMonitor
    asked: Said
    lemmas: tuple[tuple[str, Said], ...]

    @property
    def program(self) -> ir.Program:
        """The Program, without its unused parts."""
        return self.layout.context.program

    def system(self) -> System:
        """Return what is asked of Z3."""
        context, stages = self.layout.context, [stage.name for stage in self.program.stages]
        rules = tuple(self.rules())
        return System(
            {stage: self.layout.constants(stage) for stage in stages},
            {stage: self.layout.always_true(stage) for stage in stages},
            rules,
            tuple(self.breaches()),
            frozenset(context.weakenings | context.players.weakenings),
            {code: value for value, code in context.codes.items()},
        )

    def rules(self) -> Iterator[Rule]:
        """Yield the rules by which a play begins and goes on."""
        for path in paths((self.program.start,), self.layout.initial()):
            yield self._rule(path, START, None, None)
        for stage, clause in self.program.clauses:
            yield from self.rules_of(stage, clause)

    def rules_of(self, stage: ir.Stage, clause: ir.Clause) -> Iterator[Rule]:
        """Yield the rules of *clause* of *stage*."""
        for before, path in self.paths_of(stage, clause):
            yield self.rule_of(stage, clause, before, path)

    def paths_of(
        self, stage: ir.Stage, clause: ir.Clause
    ) -> Iterator[tuple[SymbolicFrame, BlockPath]]:
        """Yield every path through *clause* of *stage*, each with the frame of the position before
        it.
        """
        before, frame = self.layout.frame(stage.name), self.layout.frame(stage.name)
        before.memo = frame.memo = {}
        frame.shared = shared_locals(stage, clause)
        if fires(clause, frame):
            yield from ((before, path) for path in paths(clause.body, frame))

    def rule_of(
        self, stage: ir.Stage, clause: ir.Clause, before: SymbolicFrame, path: BlockPath
    ) -> Rule:
        """Return the rule for a *path* through *clause* of *stage* from the position of
        *before*.
        """
        made = EncodedMove(clause.id, clause.mode, path.frame.owner, tuple(path.frame.events))
        return self._rule(path, stage.name, EncodedPosition.at(stage, before), made)

    @cached_property
    def of_stages(self) -> Said:
        """What is asked of each stage by itself, and not of the moves that lead there.

        What is enabled takes all clauses of a stage to say; where a part of what is asked speaks of
        nothing but the position, once is enough.
        """
        return And(tuple(part for part in conjuncts(self.asked) if _is_of_stage(part)))

    @cached_property
    def of_moves(self) -> Said:
        """The rest of what is asked."""
        return And(tuple(part for part in conjuncts(self.asked) if not _is_of_stage(part)))

    def breaches(self) -> Iterator[Breach]:
        """Yield how the positions of each stage break the property, if that is asked of stages."""
        for stage in self.program.stages if self.of_stages != And(()) else ():
            frame = self.layout.frame(stage.name)
            here = EncodedPosition.at(stage, frame)
            bad = t.negation(self.monitor.truth(EncodedMoment(here), self.of_stages))
            condition = t.all_of([*frame.facts, bad])
            if not t.is_false(condition):
                yield Breach("", stage.name, condition)

    def _rule(
        self, path: BlockPath, source: str, before: EncodedPosition | None, made: EncodedMove | None
    ) -> Rule:
        here = EncodedPosition(path.frame, path.stage, path.arguments)
        moment = EncodedMoment(here, before, made, self.layout.bits)
        bits = self.monitor.look(moment)
        asked = self.asked if path.stage == OVER else self.of_moves
        good = self.monitor.truth(moment, asked)
        conditions = [
            *path.frame.conditions,
            *path.frame.facts,
            *(before.frame.facts if before else []),
        ]
        condition = t.all_of(conditions)
        cells = () if path.stage == OVER else self.layout.cells(path.frame, path.arguments, bits)
        return Rule(
            made.clause if made else "", source, path.stage, condition, cells, t.negation(good)
        )


@frozen
class Precision:
    """How much the encoding remembers: less makes shorter proofs, and fewer.

    *seats*: the order of players around the table. *attributes*: those of items that only the rules
    ask for. *counts*: how many items there are, where otherwise none and some are told apart.
    *sets*: how many players are in a set of players, and who they are if they sit side by side.
    *listed*: how many items of each zone are remembered one by one, with all that is asked of them.
    *witnesses*: an item by which the formula is broken (`witnesses`).
    """

    seats: bool
    attributes: bool
    counts: bool
    sets: bool = False
    listed: int = 0
    witnesses: bool = False

    def __str__(self) -> str:
        kept = {
            "the order of seats": self.seats,
            "all attributes": self.attributes,
            "numbers of items": self.counts,
        }
        if self.sets:
            kept["numbers of players"] = True
        if self.listed:
            kept[f"the first {self.listed} items of each zone"] = True
        if self.witnesses:
            kept["items that break the formula"] = True
        return ", ".join(f"with{'' if yes else 'out'} {what}" for what, yes in kept.items())


REMEMBERED = ("seats", "attributes", "counts", "sets", "witnesses")
"""What a certificate says of its encoding: what in `Precision` it remembers."""


def encoding(program: ir.Program, question: f.Property, precision: Precision) -> Encoding:
    """Return the encoding of *question*, which asks of no clause spotlight, with so much
    *precision*.

    Its lemmas are watched, so that an invariant can speak of them; nothing is taken for granted.
    """
    if question.is_of_clauses:
        raise UnsupportedError("what is asked of each clause in turn")
    if question.mode == "future":
        raise UnsupportedError("what nests words about the future")
    if question.mode not in ("always", "possible"):
        raise UnsupportedError(
            "what must eventually happen takes a ranking function, not an invariant"
        )
    question = with_witnesses(program, question) if precision.witnesses else question
    good = question.body if question.mode == "always" else f.Not(question.body)
    spotlights, lemmas = instances(question)
    watched = f.And((good, *(lemma.formula for lemma in lemmas)))
    seen = relevant(program, watched)
    named = tuple(spotlight.name for spotlight in spotlights if spotlight.kind == "player")
    items = tuple(spotlight.name for spotlight in spotlights if spotlight.kind == "item")
    players = make_players(program.players, named, loose=not precision.seats)
    kept = seen.attributes if precision.attributes else seen.spoken_of
    tops = frozenset((zone, name) for zone, name in seen.tops if name in kept)
    counted = precision.sets and precision.seats and not players.exact
    tops = frozenset() if precision.listed else tops
    context = EncodingContext(
        seen.program,
        players,
        items,
        seen.attributes,
        kept,
        tops,
        seen.variables,
        precision.counts,
        counted,
        precision.listed,
    )
    if kept != seen.attributes:
        context.weakenings.add(Weakening.FORGOTTEN_ATTRIBUTES)
    _number_values(context)
    monitor = EncodedMonitor(watched)
    bits = tuple(z3.Bool(f"bit {place}") for place in range(len(monitor.plan.bits)))
    assert isinstance(monitor.plan.truth, And)
    asked, *said = monitor.plan.truth.parts
    return Encoding(
        CellLayout(context, seen.constant, bits),
        monitor,
        asked,
        tuple(zip((one.name for one in lemmas), said, strict=True)),
    )


def _is_of_stage(said: Said) -> bool:
    """Whether *said* asks what is enabled, and nothing but the position beside that."""
    spoken_of = {about(part.leaf) if isinstance(part, Atom) else "past" for part in asked_in(said)}
    return "enabled" in spoken_of and not spoken_of & {"move", "past"}


def _number_values(context: EncodingContext) -> None:
    """Give each named value its number, those of one type next to each other where they can be."""
    types = [variable.type for variable in context.program.variables]
    types += [attribute.type for attribute in context.program.attributes]
    types += [parameter.type for stage in context.program.stages for parameter in stage.parameters]
    for type_ in types:
        if isinstance(type_, ir.EnumType):
            for value in type_.values:
                context.code(value)
    for kind in context.program.kinds:
        context.code(kind.name)
