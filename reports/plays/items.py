"""Items, and which is which: follows every item of a play from zone to zone and gives it a name.

A position only says what kinds of items lie on a zone; the events of the moves say which of them
came and went. Where a player has several items of one kind in a play they are told apart by number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ...checker.types.position import Choice, Item
from ...checker.types.trace import SpotlitItem, Trace
from ...models import ir
from ..naming import kind_title, ordinal, player_name


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
