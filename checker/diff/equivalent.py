"""Equivalent conditions: whether two rulesets are the same at every size but for conditions that
say the same in other words.

Clauses are taken by their ids, or by their order where the ids are others. Where a condition of the
one says what that of the other says (`conditions`), it is put in its place; then the rules have to
say the same (`same`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import statements
from ...properties.wording import expression_words
from .same import NameMap, declarations, same_at_every_size

if TYPE_CHECKING:
    from .conditions import ProvedCondition, TermSort


@frozen
class Equivalence:
    """The conditions that were *proved* to say the same; *why_not* says why the two are not known
    to be the same, empty if they are.
    """

    proved: tuple[ProvedCondition, ...] = ()
    why_not: str = ""


def equivalent_at_every_size(old: ir.Program, new: ir.Program, renaming: NameMap) -> Equivalence:
    """Return whether *new* says what *old* says but for conditions, each of which is proved to say
    the same.
    """
    if same_at_every_size(old, new, renaming):
        return Equivalence()
    if renaming.old_of or _declared(old) != _declared(new):
        return Equivalence((), "they declare other things, or the same by other names")
    unified = _Unified(old)
    stages = []
    for before, after in zip(old.stages, new.stages, strict=True):
        if len(before.clauses) != len(after.clauses):
            return Equivalence((), f"{before.name} has other clauses")
        stages.append(
            replace(
                after, clauses=tuple(unified.clause(after, *pair) for pair in _pairs(before, after))
            )
        )
    if same_at_every_size(old, replace(new, stages=tuple(stages)), renaming):
        return Equivalence(tuple(unified.proved))
    return Equivalence(
        (), unified.reasons[0] if unified.reasons else "they differ in more than conditions"
    )


def _declared(program: ir.Program) -> object:
    return declarations(program), [(stage.name, stage.parameters) for stage in program.stages]


def _pairs(before: ir.Stage, after: ir.Stage) -> Iterator[tuple[ir.Clause, ir.Clause]]:
    """Yield the clauses of two stages that stand for each other."""
    by_id = {clause.id: clause for clause in before.clauses}
    if by_id.keys() == {clause.id for clause in after.clauses}:
        yield from ((by_id[clause.id], clause) for clause in after.clauses)
    else:
        yield from zip(before.clauses, after.clauses, strict=True)


@dataclass
class _Unified:
    """Puts conditions of *program* in the place of those of clauses that say the same; *reasons*
    tell why some are left.
    """

    program: ir.Program
    proved: list[ProvedCondition] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def clause(self, stage: ir.Stage, old: ir.Clause, new: ir.Clause) -> ir.Clause:
        """Return *new*, of *stage*, with the conditions of *old* where they say the same."""
        if old.owner.variable != new.owner.variable:
            return new
        sorts = _sorts(stage, old, new)
        owner = replace(
            new.owner,
            condition=self._condition(new.id, old.owner.condition, new.owner.condition, sorts),
        )
        guard = self._condition(new.id, old.guard, new.guard, sorts)
        return replace(
            new, owner=owner, guard=guard, body=self._block(new.id, old.body, new.body, sorts)
        )

    def _block(
        self, id_: str, old: ir.Block, new: ir.Block, sorts: Mapping[str, TermSort]
    ) -> ir.Block:
        if len(old) != len(new):
            return new
        return tuple(
            self._statement(id_, one, other, sorts) for one, other in zip(old, new, strict=True)
        )

    def _statement(
        self, id_: str, old: ir.Statement, new: ir.Statement, sorts: Mapping[str, TermSort]
    ) -> ir.Statement:
        if isinstance(old, ir.If) and isinstance(new, ir.If):
            condition = self._condition(id_, old.condition, new.condition, sorts)
            then, otherwise = (
                self._block(id_, *pair, sorts)
                for pair in ((old.then, new.then), (old.otherwise, new.otherwise))
            )
            return ir.If(condition, then, otherwise)
        if isinstance(old, ir.Require) and isinstance(new, ir.Require):
            return ir.Require(self._condition(id_, old.condition, new.condition, sorts))
        return new

    def _condition(
        self, id_: str, old: ir.Expr, new: ir.Expr, sorts: Mapping[str, TermSort]
    ) -> ir.Expr:
        """Return *old* if *new* is proved to say the same, else *new*."""
        # A solver is not quick to import.
        from .conditions import BeyondSolverError, proved_equal  # noqa: PLC0415

        if old == new:
            return new
        said = (
            f"clause {id_}: `{expression_words(self.program, new)}` and "
            f"`{expression_words(self.program, old)}`"
        )
        try:
            found = proved_equal(self.program, f"clause {id_}", old, new, sorts)
        except BeyondSolverError as error:
            self.reasons.append(f"{said}: what they ask cannot be told to a solver ({error})")
            return new
        if found is None:
            self.reasons.append(f"{said} may not say the same")
            return new
        self.proved.append(found)
        return old


def _sorts(stage: ir.Stage, *clauses: ir.Clause) -> dict[str, TermSort]:
    """Return the sorts of the names in *clauses* of *stage*, of which they are plain: parameters,
    owners, choices.
    """
    from .conditions import term_sort_of  # noqa: PLC0415 - a solver is not quick to import

    sorts: dict[str, TermSort] = {
        parameter.name: term_sort_of(parameter.type) for parameter in stage.parameters
    }
    for clause in clauses:
        sorts |= {} if clause.owner.variable is None else {clause.owner.variable: "whole"}
        sorts |= {
            one.variable: "whole" for one in statements(clause.body) if isinstance(one, ir.Choose)
        }
    return sorts
