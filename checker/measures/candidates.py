"""Candidates: properties that hold at every size only if a measure is at least, or at most, a
formula in the number of players.

In come a measure and the number that was found, out go formulas in n that come to it, each with a
property that implies the bound. All are safety properties of one item and one player at once; what
is counted is nested, a time within what was since the time before.

A bound from below counts a little less than the measure does, one from above a little more: a pass
in the very move that puts the item on the stack, a choice that a player has in a move of the rules,
what the cards do under a ``maybe``. So what is proved is so of the measure.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from ...models import ir
from ...models.diagnostics import InputError
from ...models.ir.parts import statements
from ...properties import formula as f
from ...properties.load import property_of_text
from .measures import ExtremeName, MeasureName

MOST_TIMES = 4
"""How often a player is counted to pass, or to have a window, at most."""
MOST_MOVES = 20
"""How many moves in a row are counted at most."""
_STAYS = "i on stack and not i is put on stack"
_ON = "(i is put on stack or previously i on stack)"


@dataclass(frozen=True)
class LinearFormula:
    """*times* n + *plus*, n being the number of players."""

    times: int
    plus: int

    def for_players(self, players: int) -> int:
        """Return what it comes to for so many *players*."""
        return self.times * players + self.plus

    @property
    def words(self) -> str:
        """The formula as it is written: ``2n - 1``."""
        if not self.times:
            return str(self.plus)
        product = f"{'' if self.times == 1 else self.times}n"
        return (
            f"{product} {'+' if self.plus > 0 else '-'} {abs(self.plus)}" if self.plus else product
        )


@dataclass(frozen=True)
class BoundCandidate:
    """That a measure is at least, or at most, *formula*, if *question* is so."""

    formula: LinearFormula
    question: f.Property


def candidates_for(
    program: ir.Program, name: MeasureName, which: ExtremeName, value: int, players: int
) -> Iterator[BoundCandidate]:
    """Yield the candidates about a measure of *program* that comes to *value* with so many
    *players*, the one that says most first.

    What would name so many clauses, so often, that no property may be as long is left out.
    """
    for formula, text in _candidates(program, name, which, value, players):
        with suppress(InputError):
            yield BoundCandidate(
                formula, property_of_text(program, f"{name}, {which}: {formula.words}", text)
            )


def _candidates(
    program: ir.Program, name: MeasureName, which: ExtremeName, value: int, players: int
) -> Iterator[tuple[LinearFormula, str]]:
    each, rest = divmod(value, players)
    if name == "moves without a decision":
        if value <= MOST_MOVES:
            yield LinearFormula(0, value), _no_more_moves(program, value, calm=which == "calm")
    elif name == "passes" and which == "fewest":
        if not rest and 0 < each <= MOST_TIMES:
            yield LinearFormula(each, 0), _each_passes("player p", "p", each)
        if (
            players > 1
            and not value % (players - 1)
            and 0 < (others := value // (players - 1)) <= MOST_TIMES
        ):
            yield (
                LinearFormula(others, -others),
                _each_passes("player p", "p", others, " and p is not controller of i"),
            )
        if value == 1:
            yield LinearFormula(0, 1), _each_passes("", "someone", 1)
    elif name == "passes":
        if not rest and each <= MOST_TIMES and _pass_once(program):
            yield (
                LinearFormula(each, 0),
                _no_more_passes(_quiet(program, calm=which == "calm"), each),
            )
    else:
        who = f"p is {'' if name == 'own windows' else 'not '}controller of i"
        if which == "fewest":
            if value == 1:
                yield LinearFormula(0, 1), _a_window(who)
        elif value <= MOST_TIMES:
            yield (
                LinearFormula(0, value),
                _no_more_windows(program, _quiet(program, calm=which == "calm"), who, value),
            )


# ------------------------------------------------------------------ at least


def _each_passes(spotlight: str, who: str, times: int, of: str = "") -> str:
    """Return that whoever is in the *spotlight* passes so often while an item stays on the stack
    before it resolves.
    """
    passes = f"{who} passes and {_STAYS}"
    often = passes
    for _ in range(times - 1):
        often = f"{passes} and previously (({_STAYS}) since ({often}))"
    items = f"item i, {spotlight}" if spotlight else "item i"
    return f"for every {items}: always (i resolves and {_ON}{of} implies previously (({_STAYS}) since ({often})))"


def _a_window(who: str) -> str:
    """Return that the player *who* has priority while an item is on the stack before it resolves:
    the first such moment opens a window.
    """
    window = f"previously (({_STAYS}) since (p has priority and i on stack))"
    return f"for every item i, player p: always (i resolves and {_ON} and {who} implies {window})"


# ------------------------------------------------------------------ at most


def _no_chance(program: ir.Program, *, calm: bool) -> str:
    """Return, if *calm*, that the cards do nothing, as far as that can be said, as something more
    that is asked of a move.
    """
    return "".join(
        f" and not clause {clause.id}"
        for _, clause in program.clauses
        if calm and clause.mode == "chance"
    )


def _quiet(program: ir.Program, *, calm: bool) -> str:
    """Return, if *calm*, that nobody does anything but pass, likewise."""
    return f" and not someone acts{_no_chance(program, calm=True)}" if calm else ""


def _pass_once(program: ir.Program) -> bool:
    """Whether nobody passes twice in one move: a formula would take it for once."""
    return all(
        sum(isinstance(one, ir.Pass) for one in statements(clause.body)) <= 1
        for _, clause in program.clauses
    )


def _no_more_passes(quiet: str, times: int) -> str:
    here = f"(i on stack{quiet})"
    often = (
        f"p passes and (i is put on stack or (previously ({here} since i is put on stack)){quiet})"
    )
    for _ in range(times):
        often = f"p passes{quiet} and previously ({here} since (i on stack and {often}))"
    return f"for every item i, player p: never ({often})"


def _no_more_windows(program: ir.Program, quiet: str, who: str, times: int) -> str:
    owned = [
        clause.id
        for _, clause in program.clauses
        if clause.mode != "may" and clause.owner != ir.Owner()
    ]
    own = "".join(f" or p uses {one}" for one in owned)
    here, has = f"(i on stack{quiet})", "p has priority and i on stack"
    opens = f"{has} and ((not previously p has priority) or p acts or p passes{own}){quiet}"
    often = f"{who} and (({has} and i is put on stack) or ({opens} and previously ({here} since i is put on stack)))"
    for _ in range(times):
        often = f"{opens} and previously ({here} since ({often}))"
    return f"for every item i, player p: never ({often})"


def _no_more_moves(program: ir.Program, moves: int, *, calm: bool) -> str:
    """Return that no more *moves* in a row are no player's; before the first of them there is a
    moment, whatever is so then.
    """
    one = f"not someone acts and not someone passes{_no_chance(program, calm=calm)}"
    row = f"{one} and previously (game is over or not game is over)"
    for _ in range(moves):
        row = f"{one} and previously ({row})"
    return f"never ({row})"
