"""Bounds: what a measure is at least, or at most, as a formula in the number of players n, proved
for all of them where that succeeds.

    FoundMeasures, of other numbers of players too --fitting--> candidates --prover-->
    `MeasureBound`s

A formula fits if no number that was found contradicts it. Whether it is a bound only a proof says;
whether it is attained, and with how many players, only the plays say. Other numbers of players are
looked at in the smallest zones. A most that is another one there depends on the zones, so no
formula in n fits; a least may well be larger there.

A candidate is a formula in n with a property that implies the bound: a safety property of one item
and one player at once, in which each time that is counted lies within what was since the time
before. A bound from below counts a little less than the measure does, one from above a little more:
a pass in the move that puts the item on the stack, a choice that a player has in a move of the
rules, what the cards do under a ``maybe``. So what is proved is so of the measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.ir.parts import statements
from ...properties import formula as f
from ...properties.load import property_of_text
from ..prover.kept import Attempt
from ..prover.prover import Prover
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.scope import make_scope
from .measures import ExtremeName, FoundMeasures, MeasureKey, MeasureName, find_measures

PLAYERS = (2, 3, 4)
"""With how many players a game is looked at besides."""
MOST_POSITIONS = 100_000
"""How many positions of each of these are looked at."""


@frozen
class MeasureBound:
    """A *formula* that fits: a bound of every play at every size if it *is_proved*; else *reason*
    says why that is not known.

    *attained* are the numbers of players with which a play was found that has exactly that many.
    """

    formula: LinearFormula
    attained: tuple[int, ...]
    is_proved: bool
    reason: str


@frozen
class FoundBounds:
    """The *bounds* of measures, by what they are of; *interrupted* says that somebody ended the
    search for them.
    """

    bounds: Mapping[MeasureKey, MeasureBound]
    interrupted: bool


def find_bounds(found: FoundMeasures, prover: Prover, meter: Meter) -> FoundBounds:
    """Return bounds of what was *found*, as far as formulas fit, each tried for every size by
    *prover*.

    If the budget of *meter* or Ctrl-C ends that, the reasons of those that were not tried say so.
    """
    runs = [found]
    try:
        for run in _others(found, meter):
            runs.append(run)
            if run.stopped == INTERRUPTED:
                return FoundBounds({}, interrupted=True)
    except BudgetSpentError:
        pass  # the prover finds no time left either, and its reasons say so
    waiting = {
        key: candidates
        for key in found.extremes
        if (candidates := _fitting(found.program, key, runs))
    }
    bounds = dict[MeasureKey, MeasureBound]()
    while waiting and not meter.interrupted:
        # The first candidate about each measure at once, then the next about those without a proof.
        asked = {key: candidates.pop(0) for key, candidates in waiting.items()}
        attempts = prover.attempt(
            found.program, [candidate.question for candidate in asked.values()], meter
        )
        for (key, candidate), attempt in zip(asked.items(), attempts, strict=True):
            if attempt.proof is not None or key not in bounds:
                bounds[key] = _bound(key, candidate, attempt, runs)
        waiting = {
            key: candidates
            for key, candidates in waiting.items()
            if candidates and not bounds[key].is_proved
        }
    return FoundBounds(bounds, meter.interrupted)


def _others(found: FoundMeasures, meter: Meter) -> Iterator[FoundMeasures]:
    """Yield what is found with other numbers of players, and with that of *found*, each in the
    smallest zones.
    """
    program, (least, most) = found.program, found.program.players
    for players in sorted({*PLAYERS, found.scope.players}):
        if players < least or (most is not None and players > most):
            continue
        scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
        if (scope.players, scope.sizes) != (found.scope.players, found.scope.sizes):
            yield find_measures(
                program, scope, replace(meter.left(), positions=MOST_POSITIONS), meter.on_progress
            )


def _fitting(
    program: ir.Program, key: MeasureKey, runs: list[FoundMeasures]
) -> list[BoundCandidate]:
    """Return the candidates about a measure that none of *runs* contradicts, the first of which has
    the number that they are about.
    """
    extreme, players = runs[0].extremes[key], runs[0].scope.players
    if extreme.again is not None:
        return []
    return [
        candidate
        for candidate in candidates_for(program, *key, extreme.value, players)
        if _matches_runs(candidate.formula, key, runs)
    ]


def _matches_runs(formula: LinearFormula, key: MeasureKey, runs: list[FoundMeasures]) -> bool:
    known = [
        (one, formula.for_players(run.scope.players), run.stopped)
        for run in runs
        if (one := run.extremes.get(key)) is not None
    ]
    if key[1] == "fewest":
        return all(one.value >= value for one, value, _ in known)
    return all(
        one.again is None and (one.value == value or (stopped and one.value < value))
        for one, value, stopped in known
    )


def _bound(
    key: MeasureKey, candidate: BoundCandidate, attempt: Attempt, runs: list[FoundMeasures]
) -> MeasureBound:
    formula = candidate.formula
    shown = {
        run.scope.players
        for run in runs
        if (one := run.extremes.get(key)) is not None
        and one.again is None
        and one.value == formula.for_players(run.scope.players)
    }
    return MeasureBound(formula, tuple(sorted(shown)), attempt.proof is not None, attempt.reason)


# ------------------------------------------------------------------ candidates


MOST_TIMES = 4
"""How often a player is counted to pass, or to have a window, at most."""
MOST_MOVES = 20
"""How many moves in a row are counted at most."""
_STAYS = "i on stack and not i is put on stack"
_ON = "(i is put on stack or previously i on stack)"


@frozen
class LinearFormula:
    """*times* n + *plus*, n being the number of players."""

    times: int
    plus: int

    def for_players(self, players: int) -> int:
        """Return what it comes to for *players* players."""
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


@frozen
class BoundCandidate:
    """That a measure is at least, or at most, *formula*, if *question* is so."""

    formula: LinearFormula
    question: f.Property


def candidates_for(
    program: ir.Program, name: MeasureName, which: ExtremeName, value: int, players: int
) -> Iterator[BoundCandidate]:
    """Yield the candidates about a measure of *program* that comes to *value* with *players*
    players, the one that says most first.

    A candidate is left out if it would name clauses so often that it is too long for a property.
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
    if name == "automatic moves":
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
    """Return that the player in the *spotlight* passes *times* times while an item stays on the
    stack before it resolves.
    """
    passes = f"{who} passes and {_STAYS}"
    often = passes
    for _ in range(times - 1):
        often = f"{passes} and previously (({_STAYS}) since ({often}))"
    items = f"item i, {spotlight}" if spotlight else "item i"
    return (
        f"for every {items}: always (i resolves and {_ON}{of} implies previously (({_STAYS}) since "
        f"({often})))"
    )


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
    """Return, if *calm*, that players only pass and the cards do nothing, likewise."""
    return f" and not someone acts{_no_chance(program, calm=True)}" if calm else ""


def _pass_once(program: ir.Program) -> bool:
    """Whether no move has two passes: a formula would take these for one."""
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
    often = (
        f"{who} and (({has} and i is put on stack) or ({opens} and previously ({here} since i is "
        "put on stack)))"
    )
    for _ in range(times):
        often = f"{opens} and previously ({here} since ({often}))"
    return f"for every item i, player p: never ({often})"


def _no_more_moves(program: ir.Program, moves: int, *, calm: bool) -> str:
    """Return that at most *moves* moves in a row are no player's. Before the first of them there
    has to be a moment, of any kind.
    """
    one = f"not someone acts and not someone passes{_no_chance(program, calm=calm)}"
    row = f"{one} and previously (game is over or not game is over)"
    for _ in range(moves):
        row = f"{one} and previously ({row})"
    return f"never ({row})"
