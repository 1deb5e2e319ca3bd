"""Tables: where everything lies in the words of a position, and what a trail means, as plain data
for a reader that knows neither.

A *cell* is a value in a position: in which word, from which bit, how many bits, and what its codes
stand for. Of an item it is the same in its slot. A number of 64 bits is written as two of 32, the
lower first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ....models import ir
from ....models.ir.analysis import stops_in, use_parts
from ...slicing.sorts import Sort
from ..emit.told import Site, ToldText
from ..emit.why_not import BITS as RECORD_BITS
from ..emit.why_not import ClauseRecords
from ..layout.layout import Field, Layout, Slots
from ..moves.hooks import CUT
from .asked import AskedPlace, AskedProperty

HALF = 32
_KINDS = {
    "flag": "flag",
    "number": "number",
    "enum": "word",
    "player": "player",
    "players": "players",
}
"""The kinds of a `StateCell` by those of sorts."""


def layout_table(layout: Layout, options: Collection[str]) -> dict[str, Any]:
    """Return where the parts of a position of *layout* lie, all of which is kept; variables that
    are *options* stand apart, in order.
    """
    return {
        "words": layout.words,
        "players": layout.players,
        "seats": layout.seats is not None,
        "sizes": dict(layout.scope.sizes),
        "stage": _field(layout.stage),
        "stages": [_stage(layout, name, code) for name, code in layout.stages.items()],
        "variables": list(_variables(layout, options)),
        "options": [_field(layout.variables[name]) for name in options],
        "zones": [_zone(zone) for zone in layout.zones.values()],
        "item": [
            {
                "name": name,
                "shift": part.shift,
                "bits": part.sort.bits,
                "isShifted": part.sort.is_optional,
                **_sort(part.sort),
            }
            for name, part in layout.item.kept
        ],
        "initial": [halves(layout.initial(players)) for players in numbers_of_players(layout)],
    }


def numbers_of_players(layout: Layout) -> Sequence[int]:
    """Return the numbers of players that *layout* is for."""
    return [layout.players] if layout.seats is None else range(layout.seats.low, layout.players + 1)


def options_table(layout: Layout, options: Sequence[str], players: int) -> list[dict[str, Any]]:
    """Return the values of each of *options*, variables of *layout*, and which it has on the page,
    where there are *players* players.
    """
    first = layout.initial(players)

    def told(name: str, sort: Sort) -> dict[str, Any]:
        usual = layout.variables[name].code_in(first) - sort.low
        return {
            "name": name,
            "values": _sort_values(sort),
            "usual": usual,
            "isPlayers": name == ir.SEATS,
        }

    return [told(name, layout.sorts[name]) for name in options]


def _sort_values(sort: Sort) -> list[str]:
    return list(sort.values) or [str(number) for number in range(sort.low, sort.high + 1)]


def told_table(told: ToldText) -> dict[str, Any]:
    """Return what the trails of *told* mean, and how large its buffer is."""
    clauses = told.layout.program.clauses
    return {
        "first": told.first,
        "cut": CUT,
        "buffer": told.buffer,
        "clauses": [
            {"id": clause.id, "stage": stage.name, "mode": clause.mode} for stage, clause in clauses
        ],
        "sites": [_site(told.layout, site) for site in told.sites],
        "whyNot": [
            [stage, [_records(of) for of in records]] for stage, records in told.why_not.items()
        ],
    }


def _records(of: ClauseRecords) -> dict[str, Any]:
    """Return what the bits of records say, those of each player if there is a clause that any may
    use.
    """
    parts, stops = len(use_parts(of.clause)), len(stops_in(of.clause.body))
    owners = {"isEach": of.clause.owner.variable is not None, "number": of.number}
    return {
        "clause": of.clause.id,
        "first": of.first,
        "size": of.size,
        "bits": RECORD_BITS,
        "parts": parts,
        "stops": stops,
        **owners,
    }


def asked_table(questions: Sequence[AskedProperty]) -> list[dict[str, Any]]:
    """Return *questions* as plain data."""

    def place(one: AskedPlace) -> list[int]:
        return [one.group, one.which, one.bit]

    return [
        {
            "row": one.number,
            "isPossible": one.is_possible,
            "first": place(one.first),
            "conditions": [[text, place(its)] for text, its in one.conditions],
            "needs": list(one.needs.items()),
        }
        for one in questions
    ]


def halves(words: Sequence[int]) -> list[int]:
    """Return *words* as numbers of 32 bits."""
    return [word >> shift & (1 << HALF) - 1 for word in words for shift in (0, HALF)]


def _field(field: Field) -> dict[str, Any]:
    return {"word": field.word, "shift": field.shift, "bits": field.bits, "low": field.low}


def _sort(sort: Sort) -> dict[str, Any]:
    return {
        "kind": _KINDS[sort.kind],
        "low": sort.low,
        "high": sort.high,
        "values": list(sort.values),
        "isOptional": sort.is_optional,
    }


def _stage(layout: Layout, name: str, code: int) -> dict[str, Any]:
    """Return a stage with its arguments; the stage at which the game is over has none."""
    arguments = layout.arguments.get(name, {})
    return {
        "name": name,
        "code": code,
        "arguments": [
            {"name": one, **_field(f), **_sort(sort)} for one, (f, sort) in arguments.items()
        ],
    }


def _variables(layout: Layout, options: Collection[str]) -> Iterator[dict[str, Any]]:
    for variable in layout.program.variables:
        if variable.name in options:
            continue
        sort = _sort(layout.sorts[variable.name])
        for seat in range(layout.players) if variable.each_player else (None,):
            yield {
                **sort,
                "name": variable.name,
                "seat": seat,
                **_field(layout.entry(variable.name, seat or 0)),
            }


def _zone(zone: Slots) -> dict[str, Any]:
    slots, length = _field(zone.slots), _field(zone.length)
    return {
        "name": zone.name,
        "order": zone.order,
        "size": zone.size,
        "length": length,
        "slots": slots,
        "item": zone.format.bits,
    }


def _site(layout: Layout, site: Site) -> dict[str, Any]:
    """Return what is chosen or happens at *site*."""
    zones = [zone.name for zone in layout.program.zones]
    if isinstance(site.choice, ir.Choose):
        of = {ir.ItemsOn: "item", ir.PlayersIn: "player", ir.NumbersFrom: "number"}[
            type(site.choice.domain)
        ]
        return {
            "what": "choose",
            "of": of,
            "variable": site.choice.variable,
            "low": site.low,
            "by": _by(site.choice.by),
        }
    if isinstance(site.choice, ir.Branch):
        return {
            "what": "branch",
            "options": [title for title, _ in site.choice.options],
            "by": _by(site.choice.by),
        }
    places = {
        name: zones[zone]
        for name, zone in (("zone", site.zone), ("toZone", site.to_zone))
        if zone >= 0
    }
    return {"what": site.what, **places, **({"sequence": site.sequence} if site.sequence else {})}


def _by(by: ir.Expr | str | None) -> str:
    """Return who makes a choice where no player does: the ``cards``, the ``owner`` of the move, or
    a ``player`` who is nobody.
    """
    return "owner" if by is None else by if isinstance(by, str) else "player"
