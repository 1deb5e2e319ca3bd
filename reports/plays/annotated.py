"""Annotated traces: a trace with all that is known of it, and which item is which.

A position only says what kinds of items lie on a zone; the events of the moves say which of them
came and went. Where a player has several items of one kind in a play they are told apart by number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...checker.reference.formulas.evaluate import Evaluator
from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import OVER, Choice, Item, SpotlitItem, Trace, Value
from ...models import ir
from ...models.ir.parts import with_locals
from ...properties import formula as f
from ..naming import kind_title, ordinal, player_name, seats_of
from .branches import BranchesTaken, BranchTaken
from .wording import PlayWords


@dataclass
class Ledger:
    """Every item of a play by a number of its own.

    *items* are the items in the order in which they came; *zones* has, for each moment, the numbers
    of the items on each zone; *moved* for each moment the number of the item of each event, None
    for an event without one. *was*, by moment and event, is what an item that changes was until
    then. *born* are the moment and event that put an item.
    """

    items: list[Item] = field(default_factory=list)
    born: list[tuple[int, int]] = field(default_factory=list)
    zones: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    moved: list[tuple[int | None, ...]] = field(default_factory=list)
    was: dict[tuple[int, int], Item] = field(default_factory=dict)

    def labels(self, program: ir.Program) -> list[str]:
        """Return what each item is called: ``A's instant spell``, or ``A's 2nd instant spell`` if
        there are several.
        """
        named = [
            (player_name(item.controller), kind_title(program, item.kind)) for item in self.items
        ]
        several = Counter(named)
        seen: Counter[tuple[str, str]] = Counter()
        labels = []
        for name in named:
            seen[name] += 1
            number = f"{ordinal(seen[name])} " if several[name] > 1 else ""
            labels.append(f"{name[0]}'s {number}{name[1]}")
        return labels

    def spotlit(self, spot: SpotlitItem) -> int | None:
        """Return the number of the item that *spot* watches."""
        place = (spot.since, spot.event)
        return self.born.index(place) if place in self.born else None


def chosen_item(
    program: ir.Program, trace: Trace, ledger: Ledger, choice: Choice, moment: int
) -> int | None:
    """Return the number of the item that was chosen in the move to *moment*; None if it was no
    item.

    Items that look alike lie in several places, so the zone is that of the clause's ``choose``, and
    what then happens to an item in that place tells which one it was.
    """
    move = trace.steps[moment - 1].move
    clause = next(clause for _, clause in program.clauses if clause.id == move.clause)
    domains = [
        n.domain
        for n in ir.walk(clause.body)
        if isinstance(n, ir.Choose) and n.variable == choice.what
    ]
    zones = [z.name for z in program.zones]
    at = {
        (zones.index(domain.zone), choice.at)
        for domain in domains
        if isinstance(domain, ir.ItemsOn)
    }
    for event, item in zip(move.events, ledger.moved[moment], strict=True):
        if (
            event.kind != "put"
            and _looks_like(event.item, choice.value)
            and (event.zone, event.at) in at
        ):
            return item
    for zone, place in at:
        pile = ledger.zones[moment - 1][zone]
        if place < len(pile) and _looks_like(ledger.items[pile[place]], choice.value):
            return pile[place]
    return None


def _looks_like(item: Item | None, chosen: object) -> bool:
    """Whether *item* may be the *chosen* one: attributes may have changed since it was put, its
    kind and controller never do.
    """
    return item is not None and isinstance(chosen, Item) and item[:2] == chosen[:2]


def follow_items(trace: Trace) -> Ledger:
    """Follow the items of *trace* through all its moves."""
    ledger = Ledger()
    piles: list[list[int]] = [
        [_new(ledger, item, (0, -1)) for item in zone] for zone in trace.initial.zones
    ]
    looks = list(ledger.items)
    ledger.moved.append(())
    ledger.zones.append(tuple(tuple(pile) for pile in piles))
    for number, step in enumerate(trace.steps, start=1):
        moved: list[int | None] = []
        for index, event in enumerate(step.move.events):
            match event.kind:
                case "put":
                    assert event.item is not None
                    one = _new(ledger, event.item, (number, index))
                    piles[event.zone].insert(event.at, one)
                    looks.append(event.item)
                    moved.append(one)
                case "move":
                    one = piles[event.zone].pop(event.at)
                    piles[event.to_zone].insert(event.to_at, one)
                    moved.append(one)
                case "changes":
                    assert event.item is not None
                    one = piles[event.zone].pop(event.at)
                    piles[event.to_zone].insert(event.to_at, one)
                    ledger.was[number, index], looks[one] = looks[one], event.item
                    moved.append(one)
                case "resolves" | "is removed":
                    moved.append(piles[event.zone].pop(event.at))
                case "begins resolving":
                    moved.append(piles[event.zone][event.at])
                case _:
                    moved.append(None)
        ledger.moved.append(tuple(moved))
        ledger.zones.append(tuple(tuple(pile) for pile in piles))
    return ledger


def _new(ledger: Ledger, item: Item, born: tuple[int, int]) -> int:
    """Enter a new *item* and return its number."""
    ledger.items.append(item)
    ledger.born.append(born)
    return len(ledger.items) - 1


_ACTIVE = ir.Variable(ir.ACTIVE)
_SEAT = "\0"
"""Begins the names of players as such, which no ruleset and no formula can use."""


@dataclass
class AnnotatedTrace:
    """A trace with all that is known of it: its items and what they and the clauses are called."""

    interpreter: Interpreter
    trace: Trace
    ledger: Ledger
    labels: list[str]
    names: dict[str, str]
    branches: BranchesTaken
    words: PlayWords
    truth: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        seats = tuple(
            (_SEAT + player_name(seat), seat) for seat in range(self.interpreter.scope.players)
        )
        self.truth = Evaluator(
            self.interpreter, replace(self.trace, spotlights=(*self.trace.spotlights, *seats))
        )

    @property
    def program(self) -> ir.Program:
        """The rules of the game."""
        return self.interpreter.program

    @property
    def last(self) -> int:
        """The moment that decides."""
        return len(self.trace.steps)

    # ------------------------------------------------------------------ what it is called

    def names_at(self, moment: int, said: object = None) -> dict[str, str]:
        """Return what spotlights and players stand for, and who is the active player at *moment*,
        unless what is *said* says it.
        """
        active = self.trace.positions[moment].values[0]
        known = {
            **self.names,
            **{
                name: name.removeprefix(_SEAT)
                for name in self.truth.seats
                if name.startswith(_SEAT)
            },
        }
        says_it = any(
            isinstance(node, ir.Equal) and isinstance(node.left, ir.Local) and node.right == _ACTIVE
            for node in ir.walk(said)
        )
        return (
            known
            if says_it or not isinstance(active, int)
            else {**known, ir.ACTIVE: f"{player_name(active)} (active)"}
        )

    def locals_at(self, moment: int) -> dict[str, str]:
        """Return what the names in the clause of the move to *moment* stand for, as far as they are
        players.
        """
        move = self.trace.steps[moment - 1].move
        names = self.parameters_at(moment - 1)
        clause = self.interpreter.clauses[move.clause]
        if clause.owner.variable is not None and isinstance(move.owner, int):
            names[clause.owner.variable] = player_name(move.owner)
        for choice in move.choices:
            item = chosen_item(self.program, self.trace, self.ledger, choice, moment)
            if item is not None:
                names[choice.what] = self.labels[item]
        return names

    def parameters_at(self, moment: int) -> dict[str, str]:
        """Return which players the parameters of the stage stand for at *moment*."""
        return {
            parameter.name: player_name(value)
            for parameter, value in self._arguments(moment)
            if isinstance(parameter.type, ir.PlayerType) and isinstance(value, int)
        }

    def _arguments(self, moment: int) -> list[tuple[ir.Parameter, Value]]:
        position = self.trace.positions[moment]
        if position.stage == OVER:
            return []
        return list(
            zip(self.program.stage(position.stage).parameters, position.arguments, strict=True)
        )

    def branches_of(self, moment: int) -> tuple[BranchTaken, ...]:
        """Return the conditions that decided where the move to *moment* led."""
        before, after = self.trace.positions[moment - 1 : moment + 1]
        return self.branches.of_move(before, self.trace.steps[moment - 1].move, after)

    def decided(self, moment: int) -> tuple[str, ...]:
        """Return these conditions in words, as they were; nothing of what can never be
        otherwise.
        """
        names = self.locals_at(moment)
        made = [
            taken
            for taken in self.branches_of(moment)
            if not isinstance(self.words.simplify(taken.condition), ir.Literal)
        ]
        return tuple(dict.fromkeys(self.branch_words(taken, names) for taken in made))

    def branch_words(self, taken: BranchTaken, names: Mapping[str, str]) -> str:
        """Return the condition of *taken* in words, as it was; of several that were not all so, the
        first that was not.
        """
        said = self.words.condition(taken.condition, names, held=taken.held)
        return (
            self.words.condition(taken.failed, names, held=False)
            if said.startswith("not (")
            else said
        )

    # ------------------------------------------------------------------ what is true

    def closed(self, expr: ir.Expr, moment: int, owner: ir.Owner | None = None) -> ir.Expr | None:
        """Return *expr*, of a clause of the stage at *moment*, so that it can be asked at any
        moment, parameters by their values.

        *owner* is whose clause it is, if it was used there. None if *expr* speaks of what only a
        move knows.
        """
        values: dict[str, ir.Expr] = {
            p.name: _constant(p.type, value) for p, value in self._arguments(moment)
        }
        if owner is not None and owner.variable is not None:
            who = self.trace.steps[moment].move.owner
            values |= {owner.variable: seat_name(who)} if isinstance(who, int) else {}
        found = with_locals(expr, values)
        bound = {node.variable for node in ir.walk(found) if isinstance(node, ir.Exists)}
        free = {node.name for node in ir.walk(found) if isinstance(node, ir.Local)} - bound
        return found if all(name.startswith(_SEAT) for name in free) else None

    def holds(self, formula: f.Formula, moment: int) -> bool | None:
        """Return whether *formula* is true at *moment*; None if it cannot be asked there, as the
        top of an empty stack cannot.
        """
        try:
            return self.truth.holds(formula, moment)
        except (IndexError, TypeError, RuntimeError):
            return None


def annotate(branches: BranchesTaken, trace: Trace) -> AnnotatedTrace:
    """Return *trace*, a play of the game whose clauses have these *branches*, with all that is
    known of it.
    """
    program = branches.interpreter.program
    ledger = follow_items(trace)
    labels = ledger.labels(program)
    names = {name: _spotlight_words(spot, ledger, labels) for name, spot in trace.spotlights}
    return AnnotatedTrace(
        branches.interpreter, trace, ledger, labels, names, branches, PlayWords(program)
    )


def _spotlight_words(spot: int | SpotlitItem, ledger: Ledger, labels: Sequence[str]) -> str:
    """Return what a spotlight stands for."""
    if not isinstance(spot, SpotlitItem):
        return player_name(spot)
    number = ledger.spotlit(spot)
    assert number is not None, "a spotlight watches an item that no event puts"
    return labels[number]


def seat_name(seat: int) -> ir.Local:
    """Return the player at *seat* as an expression."""
    return ir.Local(_SEAT + player_name(seat))


def _constant(kind: ir.Type, value: Value) -> ir.Expr:
    """Return a *value* of type *kind* as an expression."""
    match kind:
        case ir.PlayerType():
            return seat_name(value) if isinstance(value, int) else ir.Literal(None)
        case ir.PlayersType():
            players: ir.Expr = ir.NoPlayers()
            for seat in seats_of(value) if isinstance(value, int) else ():
                players = ir.With(players, seat_name(seat))
            return players
        case _:
            assert not isinstance(value, tuple)
            return ir.Literal(value)
