"""Suggestions: an Encoding -> an invariant for it, found by Spacer, by k-induction where that gives up, and with lemmas.

What the lemmas of a question say is proved in the order of their declaration, each with those before it, and in the very system in
which the question is then asked. So the invariant that comes out has the lemmas' own in it, and nothing is taken for granted: it
meets the obligations of the system by itself, or it is none. A lemma that is not proved is not used.
"""

from __future__ import annotations

from dataclasses import replace

from . import terms as t
from .encode import Encoding
from .horn import Found, search
from .induction import induct
from .system import System


def suggest(encoded: Encoding, system: System, effort: int) -> Found:
    """Return an invariant of *system*, that of *encoded*, if one is found with *effort* for it, and as much for each lemma."""
    invariant: dict[str, t.Bool] = {}
    spent = 0
    for lemma in encoded.lemmas:
        found = _search(_knowing(replace(encoded, asked=lemma).system(), invariant), effort)
        spent += found.spent
        if found.invariant is not None:
            invariant = {stage: t.both(invariant.get(stage, t.TRUE), part) for stage, part in found.invariant.items()}
    if encoded.lemmas and not invariant:
        return Found(None, "no lemma is proved in this encoding", spent)
    found = _search(_knowing(system, invariant), effort)
    spent += found.spent
    if found.invariant is None:
        return replace(found, spent=spent)
    return Found({stage: t.both(invariant.get(stage, t.TRUE), part) for stage, part in found.invariant.items()}, "", spent)


def _knowing(system: System, invariant: dict[str, t.Bool]) -> System:
    """Return *system* where *invariant* is known of its stages."""
    return replace(system, known={stage: t.both(known, invariant.get(stage, t.TRUE)) for stage, known in system.known.items()})


def _search(system: System, effort: int) -> Found:
    found = search(system, effort)
    if found.invariant is not None or found.is_broken:
        return found
    more = induct(system, effort)
    spent = found.spent + more.spent
    return replace(more, spent=spent) if more.invariant is not None else Found(None, f"{found.reason}; {more.reason}", spent)
