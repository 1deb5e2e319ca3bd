"""Excerpts: of the certificate of a Proof what others could not make anew, its invariant or its ranking, and what that is of.

An excerpt is read as a certificate is (`stated`), and held against rules as one is (`recheck`). What is known of every position anyway is
left out of its invariant: whoever reads it knows that as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..encoding.obligations import obligations
from ..prove import Proof
from ..solver import terms as t
from .certificate import INVARIANT, WrittenFunction, rank_name
from .heading import bindings
from .smtlib import HEADER, HeadingField


def excerpt(proof: Proof) -> str:
    """Return the excerpt of the certificate of *proof*: what it binds but the engine, for any may read it, and its functions."""
    heading = [line for line in bindings(proof) if not line.startswith(HeadingField.ENGINE.line(""))]
    return "\n".join((HEADER, *heading, *(function.definition for function in _functions(proof)))) + "\n"


def _functions(proof: Proof) -> Iterator[WrittenFunction]:
    system, descent = proof.system, proof.descent
    asked = {stage for one in obligations(system, descent) for stage in (one.source, one.target)}
    for stage in (stage for stage in system.cells if stage in asked):
        known = {part.ast.value for part in t.conjuncts(system.known[stage])}
        own = t.all_of(part for part in t.conjuncts(proof.invariant[stage]) if part.ast.value not in known)
        yield WrittenFunction(f"{INVARIANT}{stage}", system.cells[stage], own)
    if descent is None:
        return
    for stage in descent.stages:
        for place, rank in enumerate(descent.at(stage), 1):
            yield WrittenFunction(rank_name(place, stage), system.cells[stage], rank)
