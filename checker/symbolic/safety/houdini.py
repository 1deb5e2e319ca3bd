"""Houdini: simple statements about the positions of each stage, and the ranges of their cells.

All candidates that are true where a play begins are kept as long as every move keeps them, and
those that a move breaks are dropped, until there is none (Flanagan and Leino, "Houdini, an
annotation assistant for ESC/Java", FME 2001). What is left is an invariant; its user proves
it again.

Ranges: which values each cell may have at each stage, for itself: a System -> an invariant that
says so.

At first a cell is taken to have none of its values; those that a move gives it are let in, until no
move gives any more. That is the best invariant of its kind (Cousot and Cousot, "Static
determination of dynamic properties of programs", 1976), found as in `houdini`. Many a question
about positions needs no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, product

import z3

from ....models import ir
from ...types.budget import Meter
from ..encoding.features import Feature
from ..encoding.system import START, Invariant, System, Transition
from ..position.frame import PlayerSet, SymbolicFrame
from ..position.layout import CellLayout
from ..solver import terms as t
from ..solver.terms import ZERO, TermTuple, check_assuming, conjunction, solver_for

MOST = 32
"""A cell with more values is left alone."""


_Cell = list[t.Bool]
"""Of a cell, for each of its values that it has not that one."""


def values(system: System, meter: Meter) -> Invariant:
    """Return for each stage which values its cells can have there, as far as they are fewer than is
    known of them.
    """
    cells = _cells(system)
    left = dropped(system, _candidates(cells), meter)
    return {stage: t.all_of(_ranges(of_stage, left[stage])) for stage, of_stage in cells.items()}


def absent(system: System, meter: Meter) -> dict[str, tuple[list[t.Bool], list[t.Bool]]]:
    """Return for each stage that a cell has not one of its values: where that is always so, and
    where it may be so or not.
    """
    candidates = _candidates(_cells(system))
    left = dropped(system, candidates, meter)
    return {
        stage: (
            list(left[stage].values()),
            [one for number, one in enumerate(of_stage) if number not in left[stage]],
        )
        for stage, of_stage in candidates.items()
    }


def _candidates(cells: Mapping[str, list[_Cell]]) -> dict[str, list[t.Bool]]:
    return {stage: list(chain.from_iterable(of_stage)) for stage, of_stage in cells.items()}


def _ranges(cells: list[_Cell], left: Mapping[int, t.Bool]) -> Iterator[t.Bool]:
    """Yield what each of *cells* may be, where *left* are the candidates that nothing speaks
    against.
    """
    numbers = count()
    for cell in cells:
        there = [t.negation(one) for one in cell if next(numbers) not in left]
        yield t.TRUE if len(there) == len(cell) else t.any_of(there)


def _cells(system: System) -> dict[str, list[_Cell]]:
    """Return the cells of each stage that have few values by what is known of them."""
    found: dict[str, list[_Cell]] = {}
    for stage, cells in system.cells.items():
        least, most = _bounds(system.known[stage])
        few = found[stage] = []
        for cell in cells:
            name = cell.ast.value
            if isinstance(cell, z3.BoolRef):
                few.append([cell, t.negation(cell)])
            elif name in least and name in most and most[name] - least[name] < MOST:
                numbers = map(t.number, range(least[name], most[name] + 1))
                few.append([t.negation(t.equal(cell, number)) for number in numbers])
    return found


def _bounds(known: t.Bool) -> tuple[dict[int, int], dict[int, int]]:
    """Return the least and the most that constants can be by what is *known* of each for itself."""
    least: dict[int, int] = {}
    most: dict[int, int] = {}
    for part in t.conjuncts(known):
        if not (z3.is_le(part) or z3.is_ge(part) or z3.is_lt(part) or z3.is_gt(part)):
            continue
        low, high = (
            part.children() if z3.is_le(part) or z3.is_lt(part) else reversed(part.children())
        )
        step = 1 if z3.is_lt(part) or z3.is_gt(part) else 0
        if (value := t.value_of(low)) is not None:
            least[high.ast.value] = max(value + step, least.get(high.ast.value, value + step))
        elif (value := t.value_of(high)) is not None:
            most[low.ast.value] = min(value - step, most.get(low.ast.value, value - step))
    return least, most


UNITS = 20_000_000
"""How much a solver may do for one move."""


def always_true(
    system: System, candidates: Mapping[str, Sequence[t.Bool]], meter: Meter
) -> Invariant:
    """Return which of *candidates* about each stage are always true, with what is known of it."""
    left = dropped(system, candidates, meter)
    return {
        stage: t.all_of([known, *left[stage].values()]) for stage, known in system.known.items()
    }


def dropped(
    system: System, candidates: Mapping[str, Sequence[t.Bool]], meter: Meter
) -> dict[str, dict[int, t.Bool]]:
    """Return what is left of *candidates*, by their numbers, when those are dropped that are not
    always true.
    """
    left = {stage: dict(enumerate(of_stage)) for stage, of_stage in candidates.items()}
    by_source: dict[str, list[_Tried]] = {}
    markers = {stage: _Markers(of_stage) for stage, of_stage in {START: (), **candidates}.items()}
    for step in system.steps:
        by_source.setdefault(step.source, []).append(
            _Tried(step, system, markers[step.source], candidates[step.target], meter)
        )
    order = {source: place for place, source in enumerate((START, *system.cells))}
    waiting = set(by_source)
    while waiting:
        source = min(waiting, key=order.__getitem__)
        waiting.remove(source)
        meter.allow(1)
        for tried in by_source[source]:
            if tried.drop(left) and tried.step.target in by_source:
                waiting.add(tried.step.target)
    return left


class _Markers:
    """For each candidate about a stage a marker that says that it is true, so that a solver can be
    asked with some of them.
    """

    def __init__(self, candidates: Sequence[t.Bool]) -> None:
        self.markers = [z3.Bool(f"before!{number}") for number in range(len(candidates))]
        self.said = conjunction(
            [
                z3.Implies(marker, candidate)
                for marker, candidate in zip(self.markers, candidates, strict=True)
            ]
        )
        self.numbers = {marker.get_id(): number for number, marker in enumerate(self.markers)}


class _Tried:
    """A step that candidates are held against: one solver for all times.

    *because* are those candidates about the source for which it keeps what is left of those about
    the target; it is asked again only if one of these is dropped.
    """

    def __init__(
        self,
        step: Transition,
        system: System,
        before: _Markers,
        after: Sequence[t.Bool],
        meter: Meter,
    ) -> None:
        self.step = step
        self._solver = solver_for(meter, UNITS)
        self._solver.add(step.condition, system.given, before.said)
        if step.source != START:
            self._solver.add(system.known[step.source])
        self._before = before
        self._tuple = TermTuple(after).replaced(system.cells[step.target], step.after)
        self._after = self._tuple.parts
        self._because: list[int] | None = None

    def drop(self, left: dict[str, dict[int, t.Bool]]) -> bool:
        """Drop what is *left* of the candidates about the target that the step does not keep;
        return whether there was anything.
        """
        before, after = left.get(self.step.source, {}), left[self.step.target]
        if self._because is not None and all(number in before for number in self._because):
            return False
        dropped = False
        while after and (
            broken := self._broken(list(after), [self._before.markers[number] for number in before])
        ):
            for number in broken:
                del after[number]
            dropped = True
        return dropped

    def _broken(self, there: list[int], markers: list[t.Bool]) -> list[int]:
        """Return which of the candidates *there* are false after some way to take the step; all of
        them if that is not decided.
        """
        self._solver.push()
        self._solver.add(t.negation(conjunction([self._after[number] for number in there])))
        answer = check_assuming(self._solver, markers)
        model = self._solver.model() if answer == z3.sat else None
        if answer == z3.unsat:
            self._because = [
                self._before.numbers[marker.get_id()] for marker in self._solver.unsat_core()
            ]
        self._solver.pop()
        if answer == z3.unsat:
            return []
        if model is None:
            return there
        truths = self._tuple.values(model)
        return [number for number in there if not truths[number]]


def simple_candidates(
    layout: CellLayout, features: Sequence[Feature], system: System
) -> dict[str, list[t.Bool]]:
    """Return what may be always true of each stage: the formula or its contrary, that a feature is
    0 or is not, and the like of sets of players; each of the latter also only where the formula is
    true, or where a player whom the stage names is, or is not, the active one.
    """
    bit = layout.bits[-1]
    found = {}
    for stage in system.cells:
        single = _different(list(_of_stage(stage, layout, features)))
        either = [t.negation(bit), *_turns(stage, layout)]
        found[stage] = _different(
            [
                bit,
                t.negation(bit),
                *single,
                *(t.either(one, candidate) for one, candidate in product(either, single)),
            ]
        )
    return found


def _different(candidates: Sequence[t.Bool]) -> list[t.Bool]:
    """Return *candidates*, each once: many a feature says of a position what another says, too."""
    simple = (
        part
        for part in TermTuple(candidates).simplified().parts
        if isinstance(part, z3.BoolRef) and not t.is_true(part)
    )
    return list({part.ast.value: part for part in simple}.values())


def _turns(stage: str, layout: CellLayout) -> Iterator[t.Bool]:
    """Yield that a player whom the stage names is the active one, and that they are not."""
    frame = layout.frame(stage)
    active = frame.values[ir.ACTIVE]
    assert isinstance(active, z3.ArithRef)
    for seat in _seats(stage, frame, layout):
        yield t.equal(seat, active)
        yield t.negation(t.equal(seat, active))


def _seats(stage: str, frame: SymbolicFrame, layout: CellLayout) -> list[t.Integer]:
    """Return the players whom a position at *stage* names by its parameters."""
    parameters = layout.context.program.stage(stage).parameters
    values = [
        frame.locals[parameter.name]
        for parameter in parameters
        if isinstance(parameter.type, ir.PlayerType)
    ]
    return [value for value in values if isinstance(value, z3.ArithRef)]


def _of_stage(stage: str, layout: CellLayout, features: Sequence[Feature]) -> Iterator[t.Bool]:
    frame = layout.frame(stage)
    seats = _seats(stage, frame, layout)
    for feature in features:
        term = feature.at_stage(stage)
        if not z3.is_int_value(term) and feature.is_simple:
            yield t.equal(term, ZERO)
            yield t.negation(t.equal(term, ZERO))
    for value in frame.values.values():
        if isinstance(value, PlayerSet) and value.run is not None:
            yield value.run.together
    for seat, value in product(seats, frame.values.values()):
        yield from _membership(seat, value, layout)


def _membership(seat: t.Integer, value: object, layout: CellLayout) -> Iterator[t.Bool]:
    """Yield what may be true of a player and a set: that it ends with them, or before them; if it
    is not counted, whether they are in.
    """
    if isinstance(value, PlayerSet) and value.run is not None:
        run, players = value.run, layout.context.players
        for last in (seat, players.neighbour(seat, -1, seat)[0]):
            yield t.either(t.equal(run.size, ZERO), t.equal(run.last, last))
    elif isinstance(value, PlayerSet):
        inside = t.any_of(
            t.both(t.equal(seat, who), is_in)
            for who, is_in in layout.context.players.paired(value.members)
        )
        yield inside
        yield t.negation(inside)
