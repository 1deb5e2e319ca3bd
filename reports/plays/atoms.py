"""Atoms: the smallest parts of a condition that make it true or false in a position, each player for themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...models import ir
from ...models.binding.typed import negated
from ...models.ir.parts import with_locals
from ...properties import formula as f
from .annotated import AnnotatedTrace, seat_name


def atoms_of(told: AnnotatedTrace, condition: ir.Expr, moment: int) -> Iterator[tuple[ir.Expr, bool]]:
    """Yield the atoms that make *condition*, which is closed, true or false at *moment*, each with whether it holds.

    They suffice: whatever else changes, as long as they stay the condition does. Nothing is yielded of what can never be otherwise.
    """
    simple = told.words.simplify(condition)
    holds = told.holds(f.Holds(simple), moment)
    if holds is not None and not isinstance(simple, ir.Literal):
        yield from _Atoms(told, moment).of(simple, holds)


class _Atoms:
    def __init__(self, told: AnnotatedTrace, moment: int) -> None:
        self.told, self.moment = told, moment
        self.seats = range(told.interpreter.scope.players)

    def is_so(self, expr: ir.Expr) -> bool:
        """Whether *expr* is true here."""
        return self.told.holds(f.Holds(expr), self.moment) is True

    def of(self, expr: ir.Expr, holds: bool) -> Iterator[tuple[ir.Expr, bool]]:
        """Yield the atoms that make *expr* what it is: true, or false."""
        match expr:
            case ir.Literal():
                return
            case ir.Not(operand):
                yield from self.of(operand, not holds)
            case ir.All(parts) | ir.Any(parts):
                # Evaluated from the left: a later part may rely on an earlier one.
                decisive = isinstance(expr, ir.Any) == holds
                chosen = [next(part for part in parts if self.is_so(part) == holds)] if decisive else parts
                for part in chosen:
                    yield from self.of(part, holds)
            case ir.Exists(variable, ir.PlayersIn(ir.Everyone()), body):
                yield from self._of_players(lambda seat: with_locals(body, {variable: seat_name(seat)}), holds)
            case ir.Equal(players, ir.Everyone()) | ir.Equal(ir.Everyone(), players):
                yield from self._of_players(lambda seat: negated(ir.Contains(players, seat_name(seat))), not holds)
            case ir.Equal(players, ir.NoPlayers()) | ir.Equal(ir.NoPlayers(), players):
                yield from self._of_players(lambda seat: ir.Contains(players, seat_name(seat)), not holds)
            case _:
                yield expr, holds

    def _of_players(self, said: Callable[[int], ir.Expr], holds: bool) -> Iterator[tuple[ir.Expr, bool]]:
        """Yield the atoms that make what is *said* true of some player, or with *holds* False of none."""
        chosen = [next(seat for seat in self.seats if self.is_so(said(seat)))] if holds else self.seats
        for seat in chosen:
            yield from self.of(said(seat), holds)
