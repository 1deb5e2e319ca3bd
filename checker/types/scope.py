"""The scope: the sizes an exhaustive search explores. The rules themselves have no such bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ...models.frozen import frozen
from ...models.syntax import NamedSizes
from ...models.words import counted

DEFAULT_SIZE = 2
"""How many items fit on a zone that neither the ruleset nor the question gives a size."""
MOST_PLAYERS, MOST_ITEMS = ir.MOST_PLAYERS, ir.MOST_ITEMS


@frozen
class Scope:
    """*players* at the table and how many items fit on each zone, *sizes*, in the order of
    `Program.zones`.

    *asked* names the sizes that somebody has set by hand, ``players`` and zones: a claim that needs
    more does not get it. *joining* says for how many items that join a zone in one move there is to
    be room, where no clause of the rules has as many.
    """

    players: int
    sizes: NamedSizes
    asked: frozenset[str] = field(default=frozenset(), compare=False)
    joining: NamedSizes = ()

    def lacks(self, needs: NamedSizes) -> NamedSizes:
        """Return the *needs* that are larger than a size somebody has set by hand."""
        has = {"players": self.players, **dict(self.sizes)}
        return tuple(
            (name, size) for name, size in needs if name in self.asked and has[name] < size
        )

    def with_room(self, needs: NamedSizes) -> Scope:
        """Return this scope with each size raised to what *needs* says, except sizes that somebody
        has set by hand.
        """
        least = {name: size for name, size in needs if name not in self.asked}
        sizes = tuple((zone, max(size, least.get(zone, size))) for zone, size in self.sizes)
        return replace(self, players=max(self.players, least.get("players", 0)), sizes=sizes)

    def __str__(self) -> str:
        return scope_words(self.players, self.sizes)


def scope_words(players: int, sizes: NamedSizes) -> str:
    """Return a scope in words: ``2 players, stack 3``."""
    return ", ".join([counted(players, "player"), *(f"{zone} {size}" for zone, size in sizes)])


def make_scope(
    program: ir.Program, players: int | None = None, sizes: Mapping[str, int] | None = None
) -> Scope:
    """Return the scope of a question: what it says, else what the ruleset says, else the fewest
    players and `DEFAULT_SIZE`.

    Raises `InputError` with all that is wrong (codes C1..).
    """
    sizes = sizes or {}
    said = dict(program.scope)
    wanted = said.get("players", program.players[0]) if players is None else players
    zones = {
        zone.name: sizes.get(zone.name, said.get(zone.name, DEFAULT_SIZE)) for zone in program.zones
    }
    errors = [*_unknown_zones(program, sizes), *_wrong_players(program, wanted)]
    for zone, size in zones.items():
        if size < 1:
            errors.append(
                Diagnostic("C103", f"{zone} has a size of {size}; a zone holds at least 1 item")
            )
        elif size > MOST_ITEMS:
            errors.append(
                Diagnostic(
                    "C104",
                    f"{zone} has a size of {size}; a search looks at {MOST_ITEMS} items on a zone "
                    "at most",
                )
            )
    if errors:
        raise InputError(errors)
    asked = frozenset({*sizes, *(() if players is None else ("players",))})
    return Scope(wanted, tuple(zones.items()), asked)


def scope_of(
    program: ir.Program, players: int | None, stack: int | None, sizes: Mapping[str, int]
) -> Scope:
    """Return the scope that a person asks for: as `make_scope`, *stack* being the size of every
    zone that is a stack.
    """
    names = [zone.name for zone in program.zones_tagged("stack")] or ["stack"]
    of_stacks = {} if stack is None else dict.fromkeys(names, stack)
    return make_scope(program, players, {**of_stacks, **sizes})


def _unknown_zones(program: ir.Program, sizes: Mapping[str, int]) -> list[Diagnostic]:
    known = ", ".join(zone.name for zone in program.zones) or "none"
    names = {zone.name for zone in program.zones}
    return [
        Diagnostic("C101", f"{program.name} has no zone {name}", hint=f"its zones: {known}")
        for name in sizes
        if name not in names
    ]


def _wrong_players(program: ir.Program, players: int) -> list[Diagnostic]:
    low, high = program.players
    if players < low or (high is not None and players > high):
        return [
            Diagnostic("C102", f"{program.name} is played by {_range(low, high)}, not by {players}")
        ]
    if players > MOST_PLAYERS:
        return [
            Diagnostic(
                "C104", f"a search looks at {MOST_PLAYERS} players at most, not at {players}"
            )
        ]
    return []


def _range(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low} to {high}"
