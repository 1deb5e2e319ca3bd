"""Annotated traces: a trace with all that is known of it, and which item is which.

A position only says what kinds of items lie on a zone; the events of the moves say which of them
came and went. Where a player has several items of one kind in a play they are told apart by number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from ...checker.reference.formulas.evaluate import Evaluator
from ...checker.reference.semantics.events import became, follow
from ...checker.reference.semantics.expressions import ItemPlace
from ...checker.types.position import OVER, Choice, Item, SpotlitItem, Trace, Value
from ...models import ir
from ...models.ir.parts import with_locals
from ...properties import formula as f
from ..naming import kind_title, ordinal, player_name, seats_of
from .branches import BranchesTaken, BranchTaken
from .wording import PlayWords


class Ledger:
    """Every item of a play by a number of its own.

    *items* are the items in the order in which they came, *born* the moment and event that put
    each; *places* has, for each moment, the number of the item that lies at each place; *moved* for
    each moment the number of the item of each event, None for an event without one. *was*, by
    moment and event, is what an item was until then.
    """

    def __init__(self, trace: Trace) -> None:
        self.items: list[Item] = []
        here: dict[ItemPlace, int] = {}
        for zone, lying in enumerate(trace.initial.zones):
            for at, item in enumerate(lying):
                here[zone, at] = len(self.items)
                self.items.append(item)
        self.born = [(0, -1) for _ in self.items]
        self.places = [here]
        self.moved: list[list[int | None]] = [[]]
        self.was: dict[tuple[int, int], Item] = {}
        looks = [*self.items]
        for number, step in enumerate(trace.steps, start=1):
            moved: list[int | None] = []
            for index, event in enumerate(step.move.events):
                place = event.zone, event.at
                one = here.get(place)
                went = ((follow(before, event), item) for before, item in here.items())
                here = {after: item for after, item in went if after is not None}
                if event.kind == "put":
                    assert event.item is not None
                    one = here[place] = len(self.items)
                    self.items.append(event.item)
                    self.born.append((number, index))
                    looks.append(event.item)
                elif one is not None:
                    self.was[number, index] = looks[one]
                    looks[one] = became(looks[one], place, event)
                moved.append(one)
            self.moved.append(moved)
            self.places.append(here)

    def lying(self, moment: int, zone: int) -> list[int]:
        """Return the numbers of the items on *zone* at *moment*, in their order there."""
        here = self.places[moment]
        return [here[place] for place in sorted(here) if place[0] == zone]

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

    def spotlit(self, spot: SpotlitItem) -> int:
        """Return the number of the item that *spot* watches, which an event has put."""
        return self.born.index((spot.since, spot.event))


def _looks_like(item: Item | None, chosen: object) -> bool:
    """Whether *item* may be the *chosen* one: attributes may have changed since it was put, its
    kind and controller never do.
    """
    return item is not None and isinstance(chosen, Item) and item[:2] == chosen[:2]


_ACTIVE = ir.Variable(ir.ACTIVE)
_SEAT = "\0"
"""Begins the names of players as such, which no ruleset and no formula can use."""


class AnnotatedTrace:
    """A *trace* of the game whose clauses have these *branches*, with all that is known of it: its
    items and what they and the clauses are called.
    """

    def __init__(self, branches: BranchesTaken, trace: Trace) -> None:
        self.branches, self.trace = branches, trace
        self.interpreter = branches.interpreter
        self.program = branches.program
        self.words = PlayWords(self.program)
        self.ledger = Ledger(trace)
        self.labels = self.ledger.labels(self.program)
        self.names = {
            name: self.labels[self.ledger.spotlit(spot)]
            if isinstance(spot, SpotlitItem)
            else player_name(spot)
            for name, spot in trace.spotlights
        }
        seats = range(self.interpreter.scope.players)
        named = tuple((_SEAT + player_name(seat), seat) for seat in seats)
        self.truth = Evaluator(
            self.interpreter, replace(trace, spotlights=(*trace.spotlights, *named))
        )
        self._called = self.names | {name: player_name(seat) for name, seat in named}

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
        says_it = any(
            isinstance(node, ir.Equal) and isinstance(node.left, ir.Local) and node.right == _ACTIVE
            for node in ir.walk(said)
        )
        if says_it or not isinstance(active, int):
            return self._called
        return {**self._called, ir.ACTIVE: f"{player_name(active)} (active)"}

    def holders_at(self, moment: int) -> frozenset[int]:
        """Return the seats of those who have priority at *moment*."""
        return self.interpreter.priority(self.trace.positions[moment])

    def clause_of(self, moment: int) -> ir.Clause:
        """Return the clause of the move to *moment*."""
        return self.interpreter.clauses[self.trace.steps[moment - 1].move.clause]

    def domains_of(self, choice: Choice, moment: int) -> list[ir.Domain]:
        """Return from what *choice*, made in the move to *moment*, may have been made."""
        return [
            node.domain
            for node in ir.walk(self.clause_of(moment).body)
            if isinstance(node, ir.Choose) and node.variable == choice.what
        ]

    def chosen_item(self, choice: Choice, moment: int) -> int | None:
        """Return the number of the item that was chosen in the move to *moment*; None if it was no
        item.

        Items that look alike lie in several places, so the zone is that of the clause's ``choose``,
        and what then happens to an item in that place tells which one it was.
        """
        ledger, zones = self.ledger, [zone.name for zone in self.program.zones]
        at = {
            (zones.index(domain.zone), choice.at)
            for domain in self.domains_of(choice, moment)
            if isinstance(domain, ir.ItemsOn)
        }
        events = self.trace.steps[moment - 1].move.events
        for event, item in zip(events, ledger.moved[moment], strict=True):
            if (
                event.kind != "put"
                and _looks_like(event.item, choice.value)
                and (event.zone, event.at) in at
            ):
                return item
        before = ledger.places[moment - 1]
        lying = (before[place] for place in at if place in before)
        return next((one for one in lying if _looks_like(ledger.items[one], choice.value)), None)

    def locals_at(self, moment: int) -> dict[str, str]:
        """Return what the names in the clause of the move to *moment* stand for, as far as they are
        players.
        """
        move = self.trace.steps[moment - 1].move
        names = self.parameters_at(moment - 1)
        owner = self.clause_of(moment).owner
        if owner.variable is not None and isinstance(move.owner, int):
            names[owner.variable] = player_name(move.owner)
        for choice in move.choices:
            item = self.chosen_item(choice, moment)
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
            for seat in seats_of(value):
                players = ir.With(players, seat_name(seat))
            return players
        case _:
            assert not isinstance(value, tuple)
            return ir.Literal(value)
