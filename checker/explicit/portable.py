"""Portable: a game that can be played and asked elsewhere, as WebAssembly and tables.

In comes a configured Program within a scope, with what may be asked of it, out go modules of
WebAssembly, made of the same texts that run here, and the tables to read their positions by.
Positions are whole and not turned. The sizes of zones are left open up to `MORE` above the scope's,
where words have room for that: the caller says in the header of the buffer how large
they are. So is the number of players, if the Program has a variable for it: it stands in every
position, as options do.

Asked: which properties can be asked of a game elsewhere, and where each of their formulas is
looked for.

A property is asked if formulas about moments decide it: that something is never so, or possible.
What must eventually happen, what each of all clauses does, and what players can enforce are left to
the checker. All is watched on whole positions, so that plays need no lifting.

Tables: where everything lies in the words of a position, and what a trail means, as plain data
for a reader that knows neither.

A *cell* is a value in a position: in which word, from which bit, how many bits, and what its codes
stand for. Of an item it is the same in its slot. A number of 64 bits is written as two of 32, the
lower first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Any

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import stops_in, use_parts
from ...models.options.cases import has_seats
from ...properties import formula as f
from ..questions.questions import Query, all_queries
from ..slicing.sorts import Sort
from ..types.budget import Tuning
from ..types.scope import MOST_PLAYERS, Scope
from .decide import WatchPlace, starts_of, watch_places
from .emit.emit import Emitted, WatchedText, emit, layout_of, write_watched
from .emit.groups import Abstraction, Group
from .emit.told import BITS as RECORD_BITS
from .emit.told import ClauseRecords, Site, ToldText, emit_told
from .moves import hooks
from .moves.hooks import CUT
from .moves.layout import LIMIT, LIMITS, MOST_LIMITS, Field, Layout, Slots, TooWideError, Words
from .native import kernel
from .native.machine import BEST, FAIR, NoMachineError
from .native.webassembly import web_module


@frozen
class AskedProperty:
    """A property, by its *number*: where is looked for what breaks it, or shows it if it
    *is_possible*, and for its *conditions*.

    Each condition comes with its text.
    """

    number: int
    is_possible: bool
    first: WatchPlace
    conditions: tuple[tuple[str, WatchPlace], ...]
    needs: Mapping[str, int]


def askable(
    program: ir.Program, properties: Sequence[f.Property], scope: Scope
) -> tuple[list[AskedProperty], Sequence[Group]]:
    """Return those of *properties* that can be asked within *scope*, and the groups of their
    formulas.
    """
    kept = {
        number: one
        for number, one in enumerate(properties)
        if not why_left(program, one, scope.players)
    }
    queries = {number: list(all_queries(program, one)) for number, one in kept.items()}
    whole = Tuning(slicing=False, symmetry=False)
    watched = watch_places(program, scope, chain.from_iterable(queries.values()), whole)

    def place(query: Query) -> WatchPlace:
        return watched.places[query, Abstraction()]

    found = []
    for number, one in kept.items():
        first, *conditions = queries[number]
        texts = [condition.text for condition in one.conditions]
        its = tuple(zip(texts, map(place, conditions), strict=True)) if one.mode == "always" else ()
        found.append(
            AskedProperty(number, one.mode == "possible", place(first), its, dict(one.needs))
        )
    return found, watched.groups


def why_left(program: ir.Program, question: f.Property, players: int) -> str:
    """Return why *question* is left to the checker at a table of *players*; empty if formulas about
    moments decide it.
    """
    if program.unfinished:
        return "there are clauses still to be written"
    if (needs := dict(question.needs).get("players", 0)) > players:
        return f"it is about {needs} players"
    if question.absent:
        return f"the rules know no {question.absent}"
    if question.is_of_clauses:
        return "it asks about each clause"
    if question.mode == "enforce":
        return "it is about what players can enforce"
    return (
        "" if question.mode in ("always", "possible") else "it is about what must eventually happen"
    )


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
    return [
        {
            "row": one.number,
            "isPossible": one.is_possible,
            "first": list(one.first),
            "conditions": [[text, list(its)] for text, its in one.conditions],
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


MORE = 2, 1, 0
"""How many items more than the scope's have room on each zone, and how many more players: the first
of these numbers that words have room for.
"""
LONG = 400_000
"""A text of more characters is compiled less well: well takes a second for a fifth of these, but 23
for half as much again in one stage.
"""
MOST = 20_000_000
"""How many characters all texts together may have: these take a minute to compile."""
_SEARCHES = ("start", "expand", "insert", "lead", "make")
_MARKED = "marked"
_READ = f"""
def {_MARKED}(positions, out):
    return successors({{words}}, out, {hooks.FIRST})
"""


@frozen
class Draft:
    """A game whose texts are written and not yet compiled: what *told* says, pairs of a text that
    searches and of one that marks, the *plain* text; and its *tables*, which are plain data.

    What tells single moves is run for few positions, and has to be compiled soon and to be small.
    """

    told: ToldText
    texts: Sequence[tuple[Emitted, Emitted]]
    plain: Emitted
    tables: dict[str, Any]

    def tells(self) -> bytes:
        """Compile what tells moves: a tenth of the work."""
        return web_module(self.told.text, self.told.exported, FAIR)

    def searches(self) -> tuple[tuple[bytes, bytes], ...]:
        """Compile what searches, two modules of each text: one to find positions, and one that
        numbers moves and says which make its formulas true. The last watches nothing, and has one
        only.
        """
        pairs = [
            (
                _searching(emitted),
                web_module(marking.text + _reading_code(marking), (_MARKED,), FAIR),
            )
            for emitted, marking in self.texts
        ]
        return (*pairs, (_searching(self.plain), b""))


def drafted(
    program: ir.Program,
    scope: Scope,
    properties: Sequence[f.Property],
    options: Sequence[str],
) -> Draft:
    """Return *program* within *scope* for another machine, with what can be asked of *properties*.

    Variables that are *options* (`options.cases`) stand in every position, and the caller
    says at the start what they are. So does `ir.SEATS`, if there is one: there may be more players
    than the scope has where that takes no more words.

    Raises `TooWideError` if a position has no room in words of the machine, or with *options* if
    all that can be asked has none; `NoMachineError` if there is no compiler for it.
    """
    limited = len(program.zones) <= MOST_LIMITS
    for more in MORE if limited else (0,):
        for largest in _with_players(program, _larger(scope, more), properties):
            with suppress(TooWideError):
                return _drafted(program, scope, largest, properties, options, limited=limited)
    if options:
        raise TooWideError("there is no room for all readings together")
    return _drafted(program, scope, scope, properties, options, limited=limited, asks=False)


def _larger(scope: Scope, more: int) -> Scope:
    return Scope(
        scope.players,
        tuple((zone, min(size + more, (1 << LIMIT) - 1)) for zone, size in scope.sizes),
    )


def _with_players(
    program: ir.Program, scope: Scope, properties: Sequence[f.Property]
) -> Iterator[Scope]:
    """Yield *scope*, and before it those with more players that take no more words, if the number
    of players is left open.
    """
    if has_seats(program):
        most = min(program.players[1] or MOST_PLAYERS, MOST_PLAYERS)
        words = _most_words(program, scope, properties)
        for players in sorted(
            {min(scope.players + more, most) for more in MORE} - {scope.players}, reverse=True
        ):
            larger = replace(scope, players=players)
            if _most_words(program, larger, properties) <= words:
                yield larger
    yield scope


def _most_words(program: ir.Program, scope: Scope, properties: Sequence[f.Property]) -> float:
    """Return how many words positions take within *scope* at most, with what is watched of
    *properties*; no number if one has no room.
    """
    _, groups = askable(program, properties, scope)
    try:
        return max(
            layout.words
            for layout in (
                Layout(program, scope),
                *(layout_of(program, scope, group) for group in groups),
            )
        )
    except TooWideError:
        return inf


def _drafted(
    program: ir.Program,
    scope: Scope,
    largest: Scope,
    properties: Sequence[f.Property],
    options: Sequence[str],
    *,
    limited: bool,
    asks: bool = True,
) -> Draft:
    options = [*options, *([ir.SEATS] if has_seats(program) else [])]
    layout = Layout(program, largest, limited=limited)
    told = emit_told(layout, explains=asks)
    questions, groups = askable(program, properties if asks else (), largest)
    texts = [_texts(program, largest, group, limited=limited) for group in groups]
    plain = emit(layout)
    length = sum(map(len, (told.text, plain.text, *(one.text for pair in texts for one in pair))))
    if length > MOST:
        raise NoMachineError(
            f"its clauses and claims come to {length:,} characters for the compiler, which takes "
            f"up to {MOST:,}"
        )
    tables = {
        "layout": layout_table(layout, options),
        "options": options_table(layout, options, scope.players),
        "sizes": [size for _, size in scope.sizes],
        "limits": {"cell": LIMITS, "bits": LIMIT} if limited else None,
        "told": told_table(told),
        "asked": asked_table(questions),
        "left": _not_asked(program, largest, properties, asks=asks),
        "texts": [
            *(
                _table(emitted, _starts(group, emitted.layout), options)
                for group, (emitted, _) in zip(groups, texts, strict=True)
            ),
            _table(
                plain,
                [[[layout.initial(players)] for players in numbers_of_players(layout)]],
                options,
            ),
        ],
    }
    return Draft(told, texts, plain, tables)


def _not_asked(
    program: ir.Program, scope: Scope, properties: Sequence[f.Property], *, asks: bool
) -> list[tuple[int, str]]:
    """Return the numbers of those of *properties* that cannot be asked, and why; without *asks*
    none can.
    """
    reasons = (
        why_left(program, one, scope.players)
        or ("" if asks else "there is no room to search for it")
        for one in properties
    )
    return [(number, why) for number, why in enumerate(reasons) if why]


def _searching(emitted: Emitted) -> bytes:
    text = kernel.kernel_text(emitted)
    return web_module(text, _SEARCHES, BEST if len(text) <= LONG else FAIR)


def _texts(
    program: ir.Program, scope: Scope, group: Group, *, limited: bool
) -> tuple[Emitted, Emitted]:
    """Return the text that searches for the formulas of *group*, and the one that numbers moves and
    says which make them true.
    """

    def written(*, marking: bool) -> WatchedText:
        return write_watched(program, scope, group, limited=limited, marking=marking)

    return written(marking=False).emitted, written(marking=True).emitted


def _reading_code(emitted: Emitted) -> str:
    return _READ.format(
        words=", ".join(f"positions[{number}]" for number in range(emitted.layout.words))
    )


def _starts(group: Group, layout: Layout) -> list[list[list[Words]]]:
    """Return where plays begin, for each search of *group* and each number of players that there
    may be.
    """
    return [
        [starts_of(layout, batch.queries[0], players) for players in numbers_of_players(layout)]
        for batch in group.batches
    ]


def _table(
    emitted: Emitted, starts: Sequence[Sequence[Sequence[Words]]], options: Sequence[str]
) -> dict[str, Any]:
    """Return how searches of a text go, and their *starts*."""
    return {
        "layout": layout_table(emitted.layout, options),
        "buffer": kernel.buffer_words(emitted) + 2 * emitted.most_moves,
        "batch": kernel.batch_most(emitted),
        "first": hooks.FIRST,
        "log": kernel.SLOTS_LOG,
        "bits": hooks.BITS,
        "which": hooks.WHICH,
        "number": hooks.NUMBER,
        "starts": [[[halves(words) for words in its] for its in each] for each in starts],
    }
