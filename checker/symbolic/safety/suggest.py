"""Suggestions: an Encoding -> an invariant for it, found by Spacer, by Houdini and k-induction, and with lemmas.

What the lemmas of a question say is proved in the order of their declaration, each with those before it, and in the very system in
which the question is then asked. So the invariant that comes out has the lemmas' own in it, and nothing is taken for granted: it
meets the obligations of the system by itself, or it is none. A lemma that is not proved is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import z3

from ..encoding.encode import Encoding
from ..encoding.obligations import RECHECK, ask, first_failure
from ..encoding.system import START, System
from ..solver import terms as t
from ..solver.effort import Effort, EffortSpentError
from .candidates import of_items, simple
from .core import inductive_core
from .horn import HornResult, search
from .houdini import kept
from .induction import induct
from .ranges import values

_FIRST = 8_000_000
"""What Spacer may do of a question about two items before candidates are tried."""


@dataclass(frozen=True)
class Suggestion:
    """An *invariant* for each stage, with that of *lemmas* in it; or None, with the *reason*. *spent* is what it took."""

    invariant: Mapping[str, t.Bool] | None
    reason: str
    spent: int
    lemmas: tuple[str, ...] = ()


def suggest(encoded: Encoding, system: System, effort: int) -> Suggestion:
    """Return an invariant of *system*, that of *encoded*, if one is found with *effort* for it and its lemmas together."""
    held = _kept(system, simple(encoded) if encoded.lemmas else {}, effort)
    invariant, spent, proved = held.invariant or {}, held.spent, []
    for name, lemma in encoded.lemmas:
        if spent >= effort:
            break
        found = _search(_knowing(replace(encoded, asked=lemma).system(), invariant), effort - spent)
        spent += found.spent
        if found.invariant is not None:
            invariant = _joined(invariant, found.invariant)
            proved.append(name)
    if encoded.lemmas and not proved:
        return Suggestion(None, "no lemma is proved in this encoding", spent)
    known, left = _knowing(system, invariant), max(effort - spent, 1)
    found = _of_items(encoded, known, left) if len(encoded.layout.context.items) > 1 and left > _FIRST else _search(known, left)
    spent += found.spent
    if found.invariant is None:
        return Suggestion(None, found.reason, spent)
    return Suggestion(_joined(invariant, found.invariant), "", spent, tuple(dict.fromkeys(proved)))


def _of_items(encoded: Encoding, system: System, effort: int) -> HornResult:
    """Return what is found of a question about two items or more: what Spacer does not find soon, candidates may tell."""
    soon = search(system, _FIRST)
    if soon.is_decided:
        return soon
    held = _kept(system, of_items(encoded), effort - soon.spent)
    spent = soon.spent + held.spent
    if held.invariant is not None and first_failure(system, held.invariant, RECHECK) is None:
        return HornResult(inductive_core(system, held.invariant).invariant, "", spent)
    found = _search(system, max(effort - spent, 1))
    return replace(found, spent=spent + found.spent)


def _kept(system: System, candidates: Mapping[str, Sequence[t.Bool]], effort: int) -> HornResult:
    """Return which of *candidates* are always true, with what is known; no invariant if that takes more than *effort*."""
    left = Effort(effort)
    try:
        return HornResult(kept(system, candidates, left) if candidates else None, "", left.spent)
    except EffortSpentError:
        return HornResult(None, "", left.spent)


def _knowing(system: System, invariant: Mapping[str, t.Bool]) -> System:
    """Return *system* where *invariant* is known of its stages."""
    return replace(system, known=_joined(system.known, invariant))


def _joined(one: Mapping[str, t.Bool], other: Mapping[str, t.Bool]) -> dict[str, t.Bool]:
    return {stage: t.both(one.get(stage, t.TRUE), other.get(stage, t.TRUE)) for stage in {**one, **other}}


def _search(system: System, effort: int) -> HornResult:
    """Return an invariant of *system*: Spacer's, or that of k-induction where it gives up.

    What is asked of positions often depends on nothing but what values the cells can have, which is found at once.
    """
    left = Effort(effort)
    found = _values_alone(system, left) if system.of_stages else None
    if found is not None:
        return replace(found, spent=left.spent)
    found = search(system, max(effort - left.spent, 1))
    if found.is_decided:
        return replace(found, spent=found.spent + left.spent)
    more = induct(system, effort)
    spent = found.spent + left.spent  # what k-induction took is in it
    return replace(more, spent=spent) if more.is_decided else HornResult(None, f"{found.reason}; {more.reason}", spent)


def _values_alone(system: System, left: Effort) -> HornResult | None:
    """Return the invariant that says what values the cells can have, if that is enough."""
    try:
        invariant = values(system, left)
        before = {START: system.given} | {stage: t.both(known, invariant[stage]) for stage, known in system.known.items()}
        is_enough = all(ask(t.both(before[one.source], one.condition), left.share(RECHECK)) == z3.unsat for one in system.breaches)
    except EffortSpentError:
        return None
    return HornResult(invariant) if is_enough else None
