"""Endless: what a play could do without end beyond a scope, for all that a search within it can
see.

Zones have no bound in the rules. A play that goes on for ever either comes back to where it was,
which a search finds as a loop, or it puts more and more items on some zone, and then every scope
cuts it. So an ending of which nothing was found to break it is open where the scope cuts a move,
whichever: what has to end may begin with that move, or only after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

from ...models import ir
from ...models.ir.analysis import effect_of, passes
from ...models.ir.parts import blocks_of
from ...models.options.reachable import reached
from ...properties import formula as f
from ...properties.binding.future import finitely_often
from ...properties.binding.rest import while_it_goes_on
from .questions import Query

ALWAYS, OF_PLAYERS, OF_CARDS = 1, 2, 4
"""Sorts of moves, a bit each: such as nobody is assumed to end, acts of players, and what the cards
do.
"""


def kind_of_moves(clause: ir.Clause) -> int:
    """Return which sort of moves *clause* has; where one way through it passes and another does
    not, `ALWAYS`.
    """
    match clause.mode:
        case "must":
            return ALWAYS
        case "may":
            return ALWAYS if passes(clause.body) else OF_PLAYERS
        case "chance":
            return OF_CARDS
        case _:
            assert_never(clause.mode)


def endless(assuming: Sequence[f.Assumption]) -> int:
    """Return the bits of the sorts of moves that may be made again and again when those are named
    who are *assuming* to end.
    """
    return (
        ALWAYS
        | (0 if "players" in assuming else OF_PLAYERS)
        | (0 if "cards" in assuming else OF_CARDS)
    )


def puts_without_end(
    program: ir.Program, assuming: Sequence[f.Assumption], ended: Collection[str] = ()
) -> bool:
    """Whether some move that may be made again and again puts a new item on a zone: then a cut may
    hide a play that no scope has.

    Clauses whose ids are *ended* are used only finitely often. If none does there are never more
    items than there were, so what goes on for ever goes round, and a larger scope has the loop.

    NOTE(stages): once only such moves are left, a clause that is used again and again leads to a
    stage from which they come back to its own: what is done once for each card that is played, say,
    ends with the playing.
    """
    with_cards = "cards" not in assuming
    left = [
        (stage.name, one)
        for stage, one in program.clauses
        if one.id not in ended and kind_of_moves(one) & endless(assuming)
    ]
    ways = [
        (stage, one, set(_stages_after(one.body, with_cards=with_cards))) for stage, one in left
    ]
    leads = defaultdict[str, set[str]](set)
    for stage, _, after in ways:
        leads[stage] |= after
    return any(
        _puts(one.body, with_cards=with_cards) and stage in reached(after, leads.__getitem__)
        for stage, one, after in ways
    )


def may_hide(program: ir.Program, query: Query) -> bool:
    """Whether, where the scope cuts moves, that may hide a play on which *query* stays true: one
    with more and more items.

    What the formula itself says to happen only finitely often makes no such play.
    """
    assuming, ended = set(query.assuming), set[str]()
    if query.temporal is not None and isinstance(query.formula, f.And):
        conjuncts = (
            query.temporal.parts if isinstance(query.temporal, f.Together) else (query.temporal,)
        )
        for number, part in enumerate(query.formula.parts):
            if finitely_often(f.PartHolds(number)) not in conjuncts:
                continue
            happens = while_it_goes_on(part)
            if happens == f.PlayerEvent("acts", None):
                assuming.add("players")
            elif isinstance(happens, f.Uses) and happens.player is None:
                ended.add(happens.clause)
    return puts_without_end(program, tuple(assuming), ended)


def _stages_after(block: ir.Block, *, with_cards: bool) -> Iterator[str]:
    """Yield the stages to which *block* may lead, by what the cards let happen, too, if
    *with_cards*.
    """
    for statement in block:
        if isinstance(statement, ir.Go):
            yield statement.stage
        for inner in _ways(statement, with_cards=with_cards):
            yield from _stages_after(inner, with_cards=with_cards)


def _ways(statement: ir.Statement, *, with_cards: bool) -> Sequence[ir.Block]:
    """Return the blocks inside *statement*; of what cards may cause the first option is that
    nothing happens.
    """
    blocks = tuple(blocks_of(statement))
    return (
        blocks[:1]
        if isinstance(statement, ir.Branch) and statement.by == "cards" and not with_cards
        else blocks
    )


def _puts(block: ir.Block, *, with_cards: bool) -> bool:
    """Whether a statement of *block* may put a new item on a zone, be it one that the cards let
    happen if *with_cards*.
    """
    for statement in block:
        done = effect_of(statement)
        if done.joins is not None and done.item is None:
            return True
        if any(
            _puts(inner, with_cards=with_cards) for inner in _ways(statement, with_cards=with_cards)
        ):
            return True
    return False
