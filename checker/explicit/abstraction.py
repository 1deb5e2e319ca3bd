"""Abstractions that a formula is looked for on: on which slice of positions, turned or not, first
roughly or at once exactly.
"""

from __future__ import annotations

from ...models import ir
from ..questions.questions import Query
from ..slicing.needs import Slicer
from ..slicing.symmetry import is_symmetric, is_symmetric_formula
from ..types.scope import Scope
from ..types.tuning import Tuning
from .emit.groups import Abstraction, asks_of_conflicts, asks_who_chooses, can_be_rough, is_step


class Abstractions:
    """Says on which abstractions formulas about one Program within *scope* are looked for, as far
    as *tuning* allows.
    """

    def __init__(self, program: ir.Program, scope: Scope, tuning: Tuning) -> None:
        self.program, self.scope = program, scope
        self.slicer = Slicer(program, scope) if tuning.slicing else None
        self.is_symmetric = tuning.symmetry and is_symmetric(program)

    def for_query(self, query: Query) -> tuple[Abstraction, ...]:
        """Return the abstractions to look for *query* on, one after the other while it is found;
        what the last one finds is so.

        What is part of a formula that the same search can watch is looked for together with that.
        """
        whole, players = query.within, self.scope.players
        if (
            whole is not None
            and is_step(whole, players)
            and is_step(query, players)
            and len(same := self.for_query(whole)) == 1
        ):
            return same
        turned = self.is_symmetric and is_symmetric_formula(
            self.program, query.formula, query.spotlights
        )
        exactly = Abstraction(None, turned)
        may_be_rough = query.temporal is None and can_be_rough(query.formula)
        if (
            self.slicer is None
            or asks_who_chooses(query.formula)
            or (asks_of_conflicts(query.formula) and not may_be_rough)
        ):
            return (exactly,)
        kept = self.slicer.slice_for([query.formula], query.spotlights)
        if asks_of_conflicts(query.formula):
            return Abstraction(kept, turned, roughly=True), Abstraction(None, turned, again=True)
        return (Abstraction(kept, turned),)
