"""Unrolled: a System -> the plays of up to *n* moves, as one formula (Biere, Cimatti, Clarke
and Zhu, 1999).

Layer 0 is the position at which a play begins, layer k the one after its k-th move, as in the
numbers of the moments of a `Trace`. Each layer has constants of its own for the cells and for what
is chosen in the move that leads there. Cells that no step changes have one constant for all layers.
Layer k has only the stages that k moves can lead to, and its formula is made once for all layers
with the same stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import z3

from ....models.frozen import frozen
from ..encoding.system import START, Breach, System, Transition
from ..solver import terms as t

_NEXT, _REACHED = "@next ", "@reached "  # no name of the rules begins so


@frozen
class _Formula:
    """A *term* over the constants of one layer, and of the next one (those whose names begin with
    `_NEXT`); *free* are all of them.
    """

    term: t.Bool
    free: tuple[t.Term, ...]

    def at(self, layer: int) -> t.Bool:
        """Return the formula for *layer*."""
        return t.replaced(
            self.term, self.free, [_of_layer(constant, layer) for constant in self.free]
        )


@frozen
class _Moves:
    """What moves are made from certain stages: the relation between two layers, what of them is
    *bad*, and the *targets*.
    """

    relation: _Formula
    bad: _Formula
    targets: tuple[str, ...]


@frozen
class UnrolledLayer:
    """The positions after *number* moves; *broken* says that a play comes so far and that its last
    moment breaks the property.
    """

    number: int
    broken: t.Bool


class Unrolled:
    """The plays of *system*, layer by layer; what is asserted of them is in *parts*, and grows with
    the layers.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.parts: list[t.Bool] = [system.given]
        self._moves: dict[tuple[str, ...], _Moves] = {}
        self._positions: dict[tuple[str, ...], tuple[_Formula, _Formula]] = {}

    @cached_property
    def fixed(self) -> dict[str, t.Term]:
        """The cells that every stage has and no step changes, by name."""
        stages = [
            {cell.decl().name(): cell for cell in cells} for cells in self.system.cells.values()
        ]
        kept = (
            {
                name: cell
                for name, cell in stages[0].items()
                if all(name in cells for cells in stages)
            }
            if stages
            else {}
        )
        for step in self.system.steps:
            for cell, after in zip(self.system.cells[step.target], step.after, strict=True):
                if not after.eq(cell):
                    kept.pop(cell.decl().name(), None)
        return kept

    def layers(self, most: int) -> Iterator[UnrolledLayer]:
        """Yield the layers of plays of up to *most* moves, as far as there are any."""
        stages: tuple[str, ...] = (START,)
        before = t.TRUE
        for number in range(most + 1):
            moves = self._moves_from(stages)
            reached = z3.Bool(f"{_REACHED}{number}")
            known, bad = self._position(moves.targets)
            self.parts.append(
                t.implies(
                    reached, t.all_of((before, moves.relation.at(number - 1), known.at(number)))
                )
            )
            broken = t.either(
                t.both(before, moves.bad.at(number - 1)), t.both(reached, bad.at(number))
            )
            yield UnrolledLayer(number, broken)
            if not moves.targets:
                return
            stages, before = moves.targets, reached

    def taken(self) -> list[t.Bool]:
        """Return the parts that are new since this was last asked."""
        parts, self.parts = self.parts, []
        return parts

    def cell(self, cell: t.Term, layer: int) -> t.Term:
        """Return the constant that stands for *cell* in a layer."""
        return cell if cell.decl().name() in self.fixed else _of_layer(cell, layer)

    def made(self, layer: int, model: z3.ModelRef) -> frozenset[str]:
        """Return the clauses of the move that leads to *layer* in *model*."""
        made = (
            step.clause
            for step, chosen, _ in self._steps
            if z3.is_true(model.eval(_of_layer(chosen, layer - 1)))
        )
        return frozenset(made)

    def is_at(self, stage: str, layer: int, model: z3.ModelRef) -> bool:
        """Whether the position of *layer* in *model* is at *stage*."""
        return bool(z3.is_true(model.eval(_of_layer(_at(stage), layer))))

    # ------------------------------------------------------------------ formulas of one layer

    @cached_property
    def _live(self) -> frozenset[str]:
        """The stages from which a breach may come."""
        live = {breach.source for breach in self.system.breaches}
        while more := {step.source for step in self.system.steps if step.target in live} - live:
            live |= more
        return frozenset(live)

    @cached_property
    def _steps(self) -> list[tuple[Transition, t.Bool, _Formula]]:
        """The steps towards a breach, each with whether it is made, and what it is."""
        steps = [step for step in self.system.steps if step.target in self._live]
        return [
            (step, z3.Bool(f"step {number}"), self._step_formula(step, f"step {number}"))
            for number, step in enumerate(steps)
        ]

    def _step_formula(self, step: Transition, name: str) -> _Formula:
        cells = [
            (cell, after)
            for cell, after in zip(self.system.cells[step.target], step.after, strict=True)
            if not self._is_fixed(cell)
        ]
        changes = (
            t.equal(z3.Const(f"{_NEXT}{cell.decl().name()}", cell.sort()), after)
            for cell, after in cells
        )
        way = self._own(t.all_of((step.condition, *changes)), step.source, name)
        place = t.both(_at(step.source), z3.Bool(f"{_NEXT}{_at(step.target)}"))
        return self._formula(t.implies(z3.Bool(name), t.both(place, way)))

    @cached_property
    def _breaches(self) -> list[tuple[Breach, _Formula]]:
        return [
            (
                one,
                self._formula(
                    t.both(
                        _at(one.source), self._own(one.condition, one.source, f"breach {number}")
                    )
                ),
            )
            for number, one in enumerate(self.system.breaches)
        ]

    def _moves_from(self, stages: tuple[str, ...]) -> _Moves:
        if stages not in self._moves:
            steps = [
                (step, made, formula)
                for step, made, formula in self._steps
                if step.source in stages
            ]
            relation = _joined_formulas(
                t.all_of,
                [
                    self._formula(t.any_of(made for _, made, _ in steps)),
                    *(formula for _, _, formula in steps),
                ],
            )
            bad = [
                formula
                for one, formula in self._breaches
                if one.source in stages and (one.clause or one.source == START)
            ]
            targets = sorted({step.target for step, _, _ in steps})
            self._moves[stages] = _Moves(relation, _joined_formulas(t.any_of, bad), tuple(targets))
        return self._moves[stages]

    def _position(self, stages: tuple[str, ...]) -> tuple[_Formula, _Formula]:
        """Return what is known of a position at one of *stages*, and when it breaks the property by
        itself.
        """
        if stages not in self._positions:
            known = [
                self._formula(t.implies(_at(stage), self.system.known[stage])) for stage in stages
            ]
            alone = (
                [self._formula(z3.AtMost(*(_at(stage) for stage in stages), 1))]
                if len(stages) > 1
                else []
            )
            bad = [
                formula
                for one, formula in self._breaches
                if one.source in stages and not one.clause
            ]
            self._positions[stages] = (
                _joined_formulas(t.all_of, [*known, *alone]),
                _joined_formulas(t.any_of, bad),
            )
        return self._positions[stages]

    def _is_fixed(self, cell: t.Term) -> bool:
        return cell.decl().name() in self.fixed

    def _own(self, term: t.Bool, source: str, whose: str) -> t.Bool:
        """Return *term* with names of its own for all constants that are no cells of *source*, nor
        of the next layer.
        """
        cells = {
            cell.decl().name() for cell in self.system.cells.get(source, ())
        } | self.fixed.keys()
        free = [
            one
            for one in t.constants_of(term)
            if one.decl().name() not in cells and not one.decl().name().startswith(_NEXT)
        ]
        return t.replaced(
            term, free, [z3.Const(f"{one.decl().name()} of {whose}", one.sort()) for one in free]
        )

    def _formula(self, term: t.Bool) -> _Formula:
        return _Formula(term, tuple(one for one in t.constants_of(term) if not self._is_fixed(one)))


def _joined_formulas(
    join: Callable[[Iterable[t.Bool]], t.Bool], formulas: Sequence[_Formula]
) -> _Formula:
    """Return *formulas* joined as one."""
    free = {one.get_id(): one for formula in formulas for one in formula.free}
    return _Formula(join(formula.term for formula in formulas), tuple(free.values()))


def _at(stage: str) -> t.Bool:
    return t.TRUE if stage == START else z3.Bool(f"at {stage}")


def _of_layer(constant: t.Term, layer: int) -> t.Term:
    name = constant.decl().name()
    return z3.Const(
        f"{name[len(_NEXT) :]}@{layer + 1}" if name.startswith(_NEXT) else f"{name}@{layer}",
        constant.sort(),
    )
