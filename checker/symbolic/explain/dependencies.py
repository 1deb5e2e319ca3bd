"""Dependencies of a proof: the clauses that may not be written otherwise if the proof is to stand.

To strike a clause from the rulebook harms no safety property: there are fewer plays then. What a
property needs of a clause is what the clause *demands and gives*: that only certain players may use
it, and only when its conditions hold, what has to be done then, and with which items and values. So
a clause is tried with havoc in all that (`havoc`). If the invariant of the proof is kept even so,
the clause can be rewritten at will, as far as it still touches the same zones, variables and
stages: the property holds nevertheless, and does not rest on it. Otherwise the proof needs
something of the clause, and it is named.

Of the invariant only the inductive core is asked for, which is what the proof needs. For this one
invariant the clauses named are exactly those that it needs: each obligation is about one clause
only, so there may be havoc in all others together. Another invariant might need others. Nothing is
said of what is no clause: where a play starts, who has priority at a stage, what there is and how
it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....models import ir
from ....properties.parts import speaks_of
from ..encoding.encode import Encoding, encoding
from ..encoding.obligations import RECHECK, first_failure
from ..encoding.system import Rule
from ..prove import Proof
from ..safety.core import InductiveCore, inductive_core
from .havoc import havocked_paths


def rests_on(proof: Proof, core: InductiveCore | None = None) -> tuple[str, ...] | None:
    """Return the ids of the clauses that *proof* needs, in the order of the text.

    *core* is that of its invariant, where it is known. None if the property, or a lemma that it
    comes with, asks what is possible.
    """
    encoded = encoding(proof.program, proof.question, proof.precision)
    if speaks_of(encoded.monitor.formula, "enabled"):
        return None  # it needs conditions to hold and to fail: to free them says nothing
    core = core or inductive_core(proof.system, proof.invariant)
    return tuple(
        clause.id
        for stage, clause in encoded.program.clauses
        if not _is_kept(encoded, stage, clause, core)
    )


def _is_kept(encoded: Encoding, stage: ir.Stage, clause: ir.Clause, core: InductiveCore) -> bool:
    """Whether the invariant is kept however *clause* is written."""
    rules = tuple(havocked_rules(encoded, stage, clause))
    only = replace(core.system, rules=rules, of_stages=())
    return first_failure(only, core.invariant, RECHECK) is None


def havocked_rules(encoded: Encoding, stage: ir.Stage, clause: ir.Clause) -> Iterator[Rule]:
    """Yield the rules of *clause* of *stage* with havoc in everything that it demands or gives."""
    before = encoded.layout.frame(stage.name)
    for way in havocked_paths(stage, clause, encoded.layout):
        yield encoded.rule_of(stage, clause, before, way)
