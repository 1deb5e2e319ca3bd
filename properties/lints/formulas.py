"""Formulas that hardly ask what is meant: about priority after the move, or about nothing at
all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import assert_never

from ...models import ir
from ...models.diagnostics import Diagnostic
from .. import formula as f
from ..load import TypedClaim
from ..parts import formulas, operands
from ..wording import formula_words

_MOST_ATOMS = 12
"""A formula of more is taken to ask something: each doubles the work."""
_Literal = tuple[f.Formula, bool]


def lint_formula(claim: TypedClaim, program: ir.Program) -> Iterator[Diagnostic]:
    """Yield what is hardly meant in the formula of *claim*, which *program* makes; those of the
    catalogue are meant.
    """
    if claim.claim.formula is None:
        return
    asked = claim.property
    wanted: tuple[f.Formula, ...] = (
        (f.Not(asked.body),) if asked.mode == "always" else (asked.body,)
    )
    if asked.mode == "future" and isinstance(asked.body, f.And):
        wanted = asked.body.parts  # each is said of moments of its own
    late = next(
        (
            part
            for one in wanted
            for together in _conjunctions(one, is_so=True)
            for part in _too_late(together)
        ),
        None,
    )
    if late is not None:
        message = (
            f"`{claim.claim.name}` asks who has priority after the move, not who had it before."
        )
        hint = f"ask `previously {formula_words(program, late)}`: the formula sees the position that the move has led to"
        yield Diagnostic("W201", message, asked.source, claim.claim.span, hint, "warning")
    if len(wanted) == 1 and (always := _always(asked.body)) is not None:
        how = "is always true" if always else "is never true"
        message = f"What `{claim.claim.name}` asks {how}, whatever the rules say."
        yield Diagnostic(
            "W202",
            message,
            asked.source,
            claim.claim.span,
            "ask for something that the rules can break",
            "warning",
        )


# ------------------------------------------------------------------ who has priority after the move


def _conjunctions(formula: f.Formula, *, is_so: bool) -> Iterator[list[_Literal]]:
    """Yield what has to be so together, now, for *formula* to be true or, if it *is* not *so*,
    false; in its parts as well.

    What it says of earlier moments is left alone: there, who has priority after a move is asked on
    purpose.
    """
    together = list(_literals(formula, is_so=is_so))
    yield together
    for part, holds in together:
        match part:
            case f.And(parts) | f.Or(parts):
                for one in parts:
                    yield from _conjunctions(one, is_so=holds)
            case _:
                pass


def _literals(formula: f.Formula, *, is_so: bool) -> Iterator[_Literal]:
    match formula, is_so:
        case (f.And(parts), True) | (f.Or(parts), False):
            for part in parts:
                yield from _literals(part, is_so=is_so)
        case f.Not(operand), _:
            yield from _literals(operand, is_so=not is_so)
        case _:
            yield formula, is_so


def _too_late(together: Sequence[_Literal]) -> Iterator[f.HasPriority]:
    """Yield the priority that somebody who acts or passes does not have at the same moment, if
    nothing is said of the moment before.
    """
    movers = [
        part.player
        for part, holds in together
        if holds and isinstance(part, f.PlayerEvent) and part.event != "chooses"
    ]
    without = [part for part, holds in together if not holds and isinstance(part, f.HasPriority)]
    before = (part for part, _ in together if isinstance(part, f.Previously))
    if any(isinstance(part, f.HasPriority) for one in before for part in formulas(one)):
        return
    yield from (
        priority for mover in movers for priority in without if priority.player in (mover, None)
    )


# ------------------------------------------------------------------ about nothing at all


def _always(formula: f.Formula) -> bool | None:
    """Return whether *formula* is true at every moment whatever there is, or false at every one;
    None if it is neither, or too large.
    """
    formula = _opened(formula)
    atoms = list(dict.fromkeys(_atoms(formula)))
    if len(atoms) > _MOST_ATOMS:
        return None
    found: set[bool] = set()
    for values in product((False, True), repeat=len(atoms)):
        known = dict(zip(atoms, values, strict=True))
        if _can_be(known):
            found.add(_truth_value(formula, known))
            if len(found) > 1:
                return None
    return found.pop()


def _can_be(known: Mapping[f.Formula, bool]) -> bool:
    """Whether there may be a moment at which all is as *known*, by what implies what; there may be
    none all the same.
    """
    for atom, value in known.items():
        if value:
            continue
        if any(is_so and _implies(other, atom) for other, is_so in known.items()):
            return False
        if isinstance(atom, f.Once | f.Since) and _truth_value(operands(atom)[-1], known):
            return False
    return True


def _opened(formula: f.Formula) -> f.Formula:
    """Return *formula* with the logic in what it asks of the position, where it watches no item, as
    logic of its own.
    """
    match formula:
        case f.Holds(ir.Not(operand), ()):
            return f.Not(_opened(f.Holds(operand)))
        case f.Holds(ir.All(parts), ()):
            return f.And(tuple(_opened(f.Holds(part)) for part in parts))
        case f.Holds(ir.Any(parts), ()):
            return f.Or(tuple(_opened(f.Holds(part)) for part in parts))
        case f.Not(operand):
            return f.Not(_opened(operand))
        case f.And(parts):
            return f.And(tuple(map(_opened, parts)))
        case f.Or(parts):
            return f.Or(tuple(map(_opened, parts)))
        case f.Since(left, right):
            return f.Since(_opened(left), _opened(right))
        case f.Once(operand):
            return f.Once(_opened(operand))
        case f.Previously(operand):
            return f.Previously(_opened(operand))
        case f.LeafOfPosition():
            return formula
        case f.LeafOfEnabled():
            return formula
        case f.LeafOfMove():
            return formula
        case _:
            assert_never(formula)


def _atoms(formula: f.Formula) -> Iterator[f.Formula]:
    """Yield what *formula* joins: what it says of this moment, and what it says of the past as a
    whole.
    """
    match formula:
        case f.Not() | f.And() | f.Or():
            for part in operands(formula):
                yield from _atoms(part)
        case f.Once(operand) | f.Since(_, operand):
            yield formula
            yield from _atoms(operand)
        case _:
            yield formula


def _implies(one: f.Formula, other: f.Formula) -> bool:
    """Whether *other* is true wherever *one* is, by what the two are."""
    match other:
        case f.HasPriority(None):
            return isinstance(one, f.HasPriority)
        case f.PlayerEvent(event, None):
            return isinstance(one, f.PlayerEvent) and one.event == event
        case f.ItemEvent(event, None, zone):
            return isinstance(one, f.ItemEvent) and (one.event, one.zone) == (event, zone)
        case _:
            return False


def _truth_value(formula: f.Formula, known: Mapping[f.Formula, bool]) -> bool:
    """Return whether *formula* is true where what it joins is as *known*."""
    match formula:
        case f.Holds(ir.Literal(bool(value))):
            return value
        case f.Not(operand):
            return not _truth_value(operand, known)
        case f.And(parts):
            return all(_truth_value(part, known) for part in parts)
        case f.Or(parts):
            return any(_truth_value(part, known) for part in parts)
        case _:
            return known[formula]
