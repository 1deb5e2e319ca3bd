"""Origins: the move that last made something so, and the acts since then that have left it so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ...models import ir
from ...models.binding.names import negated
from ...models.ir.analysis import passes
from ...models.ir.parts import blocks_of, expressions, statements, things_named, with_locals
from ...properties import formula as f
from ..naming import player_name
from .annotated import AnnotatedTrace, seat_name
from .play import Finding, Spared


class ConditionPart(NamedTuple):
    """An *atom* of a condition, and what is found of it."""

    atom: ir.Expr
    finding: Finding


def parts_of(
    told: AnnotatedTrace, condition: ir.Expr | None, moment: int
) -> tuple[ConditionPart, ...]:
    """Return what makes *condition*, which is closed, true or false at *moment*, each part with the
    move that last made it so.
    """
    if condition is None:
        return ()
    parts = []
    for atom, holds in atoms_of(told, condition, moment):
        words = told.words.condition(atom, told.names_at(moment, atom), held=holds)
        parts.append(
            ConditionPart(atom, with_origin(told, Finding(words, True), f.Holds(atom), moment))
        )
    return tuple(dict.fromkeys(parts))


def branch_parts(
    told: AnnotatedTrace, condition: ir.Expr, moment: int, *, held: bool
) -> tuple[ConditionPart, ...]:
    """Return what made a *condition* in the move to *moment* so, as far as the position after the
    move, or the one before it, shows it.
    """
    closed = told.closed(condition, moment - 1, told.clause_of(moment).owner)
    for shown in (moment, moment - 1):
        if closed is not None and told.holds(f.Holds(closed), shown) is held:
            return parts_of(told, closed, shown)
    return ()


def findings(parts: Sequence[ConditionPart]) -> tuple[Finding, ...]:
    """Return what is found of *parts*."""
    return tuple(part.finding for part in parts)


def with_origin(told: AnnotatedTrace, finding: Finding, formula: f.Formula, moment: int) -> Finding:
    """Return *finding*, that *formula* is or is not so at *moment*, with the move that last made it
    so, and what has left it so.
    """
    if _is_settled(told.program, formula):
        return finding
    since, until = stretch(told, formula, moment)
    found = replace(finding, since=since, until=None if until == told.last else until)
    if since == 0 or not isinstance(formula, f.Holds):
        return found
    passer = _passer(told, formula, since)
    spared = tuple(_spared(told, formula, since, moment))
    kept = spared if passer else tuple(one for one in spared if one.clear)
    return replace(found, passer=passer, spared=kept)


def _is_settled(program: ir.Program, formula: f.Formula) -> bool:
    """Whether *formula* asks only what an item is, or whose, which nothing changes once it is
    there.
    """
    stated = formula.operand if isinstance(formula, f.Not) else formula
    if not isinstance(stated, f.Holds) or not stated.items:
        return False
    parts = list(expressions(stated.expression))
    changing = {
        one.attribute
        for _, clause in program.clauses
        for one in statements(clause.body)
        if isinstance(one, ir.Alter)
    }
    return (
        not things_named("variable", parts)
        and not things_named("zone", parts)
        and not things_named("attribute", parts) & changing
    )


def stretch(told: AnnotatedTrace, formula: f.Formula, moment: int) -> tuple[int, int]:
    """Return the first and the last moment of the stretch around *moment* in which *formula* stays
    as it is there.
    """
    now, since, until = told.holds(formula, moment), moment, moment
    while since > 0 and told.holds(formula, since - 1) == now:
        since -= 1
    while until < told.last and told.holds(formula, until + 1) == now:
        until += 1
    return since, until


def _passer(told: AnnotatedTrace, formula: f.Holds, since: int) -> str:
    """Return whose pass the move *since* is, if *formula*, which it has made true, notes that this
    player has passed; else nothing.
    """
    passed = next(
        (
            event.player
            for event in told.trace.steps[since - 1].move.events
            if event.kind == "passes"
        ),
        None,
    )
    if passed is None or not told.holds(formula, since):
        return ""
    match formula.expression:
        case ir.Contains(_, ir.Local(name)) | ir.Equal(ir.Variable(), ir.Local(name)) if (
            told.truth.seats.get(name) == passed
        ):
            return player_name(passed)
        case ir.Variable():
            return player_name(passed)
        case _:
            return ""


def _spared(told: AnnotatedTrace, formula: f.Holds, since: int, moment: int) -> Iterator[Spared]:
    """Yield the acts of players after move *since*, up to *moment*, each clause once; how many
    others would have changed *formula*.
    """
    variable = only_variable(formula.expression)
    seen = set()
    for number in range(since + 1, moment + 1):
        clause = told.clause_of(number)
        if variable is None or clause.mode != "may" or passes(clause.body) or clause.id in seen:
            continue
        seen.add(clause.id)
        offered = told.program.stage(told.trace.positions[number - 1].stage).clauses
        others = [
            one
            for one in offered
            if one.mode == "may" and one.id != clause.id and not passes(one.body)
        ]
        clear = sum(clears(told, one, variable, formula, number - 1) for one in others)
        yield Spared(number, clause.id, clause.title, clear, len(others))


def only_variable(expr: ir.Expr) -> str | None:
    """Return the one variable that *expr* asks for, None if it asks for another thing too: then no
    assignment alone decides it.
    """
    parts = list(expressions(expr))
    variables = things_named("variable", parts)
    if (
        len(variables) != 1
        or things_named("zone", parts)
        or any(isinstance(part, ir.Entry | ir.AttributeOf) for part in parts)
    ):
        return None
    return next(iter(variables))


def clears(
    told: AnnotatedTrace, clause: ir.Clause, variable: str, formula: f.Holds, moment: int
) -> bool:
    """Whether every use of *clause* changes *formula*, which asks for *variable* alone: each way
    through it ends with a value that does.
    """
    now = told.holds(formula, moment)
    ended, open_ = _last_values(clause.body, variable, frozenset({None}))
    values = ended | open_
    return all(
        value is not None
        and _is_fixed(value)
        and _with(told, formula, variable, value, moment) is (not now)
        for value in values
    )


def _with(
    told: AnnotatedTrace, formula: f.Holds, variable: str, value: ir.Expr, moment: int
) -> bool | None:
    """Return whether *formula* would be so at *moment* if *variable* had *value*."""
    turned = ir.rewrite(
        formula,
        lambda node: value if isinstance(node, ir.Variable) and node.name == variable else node,
    )
    return told.holds(turned, moment)


def _is_fixed(value: ir.Expr) -> bool:
    return isinstance(value, ir.Literal | ir.NoPlayers | ir.Everyone)


_Values: TypeAlias = frozenset[ir.Expr | None]
"""What may have been the last to be assigned; None stands for nothing."""


def _last_values(block: ir.Block, variable: str, values: _Values) -> tuple[_Values, _Values]:
    """Return what *variable* may be last, where ways through *block* end the move and where they go
    on, if it is one of *values* before.
    """
    ended: _Values = frozenset()
    for statement in block:
        match statement:
            case ir.Assign(name, _, new) if name == variable:
                values = frozenset({new})
            case ir.If() | ir.Branch():
                ways = [_last_values(way, variable, values) for way in blocks_of(statement)]
                ended = ended.union(*(one for one, _ in ways))
                values = frozenset().union(*(one for _, one in ways))
            case ir.Go() | ir.GameOver():
                return ended | values, frozenset()
            case _:
                pass
        if not values:
            break
    return ended, values


def atoms_of(
    told: AnnotatedTrace, condition: ir.Expr, moment: int
) -> Iterator[tuple[ir.Expr, bool]]:
    """Yield the atoms that make *condition*, which is closed, true or false at *moment*, each with
    whether it holds.

    They suffice: as long as they stay, the condition stays, too. Atoms that can never be otherwise
    are left out.
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
                chosen = (
                    [next(part for part in parts if self.is_so(part) == holds)]
                    if decisive
                    else parts
                )
                for part in chosen:
                    yield from self.of(part, holds)
            case ir.Exists(variable, ir.PlayersIn(ir.Everyone()), body):
                yield from self._of_players(
                    lambda seat: with_locals(body, {variable: seat_name(seat)}), holds
                )
            case ir.Equal(players, ir.Everyone()) | ir.Equal(ir.Everyone(), players):
                yield from self._of_players(
                    lambda seat: negated(ir.Contains(players, seat_name(seat))), not holds
                )
            case ir.Equal(players, ir.NoPlayers()) | ir.Equal(ir.NoPlayers(), players):
                yield from self._of_players(
                    lambda seat: ir.Contains(players, seat_name(seat)), not holds
                )
            case _:
                yield expr, holds

    def _of_players(
        self, said: Callable[[int], ir.Expr], holds: bool
    ) -> Iterator[tuple[ir.Expr, bool]]:
        """Yield the atoms that make what is *said* true of some player, or with *holds* False of
        none.
        """
        chosen = (
            [next(seat for seat in self.seats if self.is_so(said(seat)))] if holds else self.seats
        )
        for seat in chosen:
            yield from self.of(said(seat), holds)
