"""Portable: a game that can be played and asked elsewhere.

In comes a configured Program within a scope, with what may be asked of it, out go modules of
WebAssembly, made of the same texts that run here, and the tables to read their positions by.
Positions are whole and not turned. The sizes of zones are left open up to `MORE` above the scope's,
where words have room for that: the caller says in the header of the buffer how large
they are. So is the number of players, if the Program has a variable for it: it stands in every
position, as options do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from ....models import ir
from ....models.options.as_variables import has_seats
from ....properties import formula as f
from ...types.scope import MOST_PLAYERS, Scope
from ..decide import starts_of
from ..emit.emit import Emitted, WatchedText, emit, layout_of, write_watched
from ..emit.groups import Group
from ..emit.told import ToldText, emit_told
from ..layout.layout import LIMIT, LIMITS, MOST_LIMITS, Layout, TooWideError, Words
from ..moves import hooks
from ..native import kernel
from ..native.machine import BEST, FAIR, NoMachineError
from ..native.webassembly import web_module
from .asked import askable, why_left
from .tables import asked_table, halves, layout_table, numbers_of_players, options_table, told_table

MORE = 2, 1, 0
"""How many items more than the scope's have room on each zone, and so many more players: the first
of these that words have room for.
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


@dataclass(frozen=True)
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

    Variables that are *options* (`as_variables`) stand in every position, and the caller
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
    _, groups = askable(program, properties, scope.players)
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
    questions, groups = askable(program, properties if asks else (), largest.players)
    texts = [_texts(program, largest, group, limited=limited) for group in groups]
    plain = emit(layout)
    length = sum(map(len, (told.text, plain.text, *(one.text for pair in texts for one in pair))))
    if length > MOST:
        raise NoMachineError(
            f"its clauses and claims come to {length:,} characters for the compiler, which takes up to {MOST:,}"
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
    """Return the numbers of those of *properties* that cannot be asked, and why: none can if nobody
    *asks*.
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
