"""Guarantees: what the old rules promise, asked of the new ones as well, and what these promise
more.

The questions are the claims of the old rules, with their formulas and expectations, the further
claims of the new rules, and the rest of the catalogue. A claim of one side that cannot be asked of
the other, since that has no such zone or clause, is told as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...models import ir, syntax
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...properties.binding.type import names_given_in
from ...properties.formula import Property
from ...properties.load import (
    TypedClaim,
    as_claimed,
    catalogue_for,
    claims_of,
    of_claim,
    property_named,
)
from ..types.verdict import MET, UNDECIDED, Fate, Outcome, Verdict
from .same import NameMap

_GOOD = (*MET["holds"], *MET["possible"])
"""What is a guarantee where no claim is made."""


@frozen
class SharedQuestion:
    """A question put to both sides: the properties, None where it cannot be asked of that side and
    *why_not* says why.

    *claim* is the claim that is made of it, if any; *is_new* if only the new rules make it. With
    *by_other_terms* its terms are those of each side, since those of the side that makes the claim
    mean nothing to the other.
    """

    name: str
    old: Property | None
    new: Property | None
    claim: ir.Claim | None = None
    why_not: str = ""
    by_other_terms: bool = False
    is_new: bool = False


@frozen
class Guarantee:
    """What became of what was *asked*, with the verdicts of both sides; None where it was not
    asked.
    """

    asked: SharedQuestion
    fate: Fate
    old: Verdict | None
    new: Verdict | None


def questions_of_both(old: ir.Program, new: ir.Program, renaming: NameMap) -> list[SharedQuestion]:
    """Return what to ask of both sides: the claims of the old rules, those that the new ones alone
    make, the rest of the catalogue.
    """
    theirs, others = claims_of(old), claims_of(new)
    names = {before: after for (_, after), before in renaming.old_of.items()}
    old_names = {after: before for before, after in names.items()}
    asked = [_of_claim(typed, old, new, names) for typed in theirs]
    claimed = {typed.claim.name for typed in theirs}
    for typed in others:
        if typed.claim.name not in claimed:
            other = _of_claim(typed, new, old, old_names)
            asked.append(replace(other, old=other.new, new=other.old, is_new=True))
    claimed |= {typed.claim.name for typed in others}
    of_new = {entry.name for entry in catalogue_for(new)}
    for name in (entry.name for entry in catalogue_for(old) if entry.name not in claimed):
        there = property_named(new, name) if name in of_new else None
        asked.append(
            SharedQuestion(
                name,
                property_named(old, name),
                there,
                why_not="" if there else "the new rules have no turn",
            )
        )
    return asked


def _of_claim(
    typed: TypedClaim, own: ir.Program, other: ir.Program, names: Mapping[str, str]
) -> SharedQuestion:
    """Return a claim as it is asked of its *own* side and of the *other*, where *names* are others:
    it means the same there.
    """
    claim, property_ = typed.claim, typed.property
    terms: tuple[syntax.Term, ...] = ir.rewrite(own.terms, lambda node: _renamed(node, names))
    try:
        return SharedQuestion(
            claim.name, property_, _there(claim, replace(other, terms=terms), names), claim
        )
    except InputError as error:
        reason = error.diagnostics[0].message
    try:
        return SharedQuestion(
            claim.name, property_, _there(claim, other, names), claim, by_other_terms=True
        )
    except InputError:
        return SharedQuestion(claim.name, property_, None, claim, why_not=reason)


def _there(claim: ir.Claim, other: ir.Program, names: Mapping[str, str]) -> Property:
    """Return what *claim* asks of the *other* side; raises InputError."""
    renamed = _renamed_claim(claim, other, names)
    if renamed.formula is None:
        return as_claimed(other, renamed, property_named(other, claim.name))
    return of_claim(other, renamed, renamed.formula)


def _renamed_claim(claim: ir.Claim, other: ir.Program, names: Mapping[str, str]) -> ir.Claim:
    """Return *claim* in the words of the *other* side; it needs no zones that this one does not
    have.
    """
    bound = names_given_in(claim.formula)
    names = {before: after for before, after in names.items() if before not in bound}
    known = {"players", *(zone.name for zone in other.zones)}
    needs = tuple(
        (names.get(name, name), size)
        for name, size in claim.needs
        if names.get(name, name) in known
    )
    renamed: ir.Claim = ir.rewrite(claim, lambda node: _renamed(node, names))
    return replace(renamed, needs=needs)


def _renamed(node: object, names: Mapping[str, str]) -> object:
    """Return *node* of a formula with the names that it has under *names*."""
    match node:
        case syntax.Name(name=name) | syntax.Of(name=name) | syntax.Phrase(name=str(name)):
            return replace(node, name=names.get(name, name))
        case syntax.Size(zone=zone) | syntax.EndOf(zone=zone):
            return replace(node, zone=names.get(zone, zone))
        case syntax.OneOf(names=values):
            return replace(node, names=tuple(names.get(name, name) for name in values))
        case _:
            return node


def asked_otherwise(asked: Sequence[SharedQuestion], renaming: NameMap) -> list[SharedQuestion]:
    """Return those of what is *asked* of rules that are the same at every size that may have
    another answer all the same: tags, which no play shows, make another question of them.
    """
    return [
        one for one in asked if one.old is not None and one.old != one.new and not renaming.old_of
    ]


Ask = Callable[[ir.Program, Sequence[Property]], Sequence[Verdict]]
"""Asks one side all its questions at once."""


def guarantees(
    old: ir.Program, new: ir.Program, asked: Sequence[SharedQuestion], ask: Ask
) -> Iterator[Guarantee]:
    """Yield what became of each of *asked*, in their order."""
    of_old = _answers(old, [one.old for one in asked], ask)
    of_new = _answers(new, [one.new for one in asked], ask)
    for one in asked:
        before = None if one.old is None else of_old[one.old]
        after = None if one.new is None else of_new[one.new]
        yield Guarantee(one, _fate(one, before, after), before, after)


def _answers(
    program: ir.Program, questions: Sequence[Property | None], ask: Ask
) -> dict[Property, Verdict]:
    wanted = list(dict.fromkeys(question for question in questions if question is not None))
    return dict(zip(wanted, ask(program, wanted), strict=True))


def _fate(asked: SharedQuestion, old: Verdict | None, new: Verdict | None) -> Fate:
    """Return what became of *asked*; what a scope that cuts moves does not show is not lost."""
    expectation = asked.claim.expect if asked.claim else "possible"
    met = MET[expectation] if asked.claim else _GOOD
    if asked.is_new and new is not None and new.for_claim(expectation) not in (*met, *UNDECIDED):
        return "unmet"
    if new is None or old is None:
        side = old if new is None else new
        assert side is not None, "a question that was not asked"
        if side.outcome not in met:
            return "never"
        return "gone" if new is None else "gained"
    before, after = old.for_claim(expectation), new.for_claim(expectation)
    if before in met:
        if after in met:
            return "kept"
        return (
            "undecided" if after in UNDECIDED else "vacuous" if after is Outcome.VACUOUS else "lost"
        )
    if before in UNDECIDED:
        return "undecided"
    return "gained" if after in met else "undecided" if after in UNDECIDED else "never"
