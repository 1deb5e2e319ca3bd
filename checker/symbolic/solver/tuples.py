"""Tuples of terms that are changed or looked at together, since Z3's Python takes many times as
long for one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property

import z3

from . import terms as t


class TermTuple:
    """Some truths and numbers, which are the parts of one term."""

    def __init__(self, terms: Sequence[t.Term]) -> None:
        self.term: t.Term = (
            _tuple("".join("b" if z3.is_bool(term) else "n" for term in terms))(*terms)
            if terms
            else t.TRUE
        )

    @classmethod
    def _holding(cls, term: t.Term) -> TermTuple:
        made = cls(())
        made.term = term
        return made

    @cached_property
    def parts(self) -> list[t.Term]:
        """The terms."""
        return list(self.term.children())

    def replaced(self, old: Iterable[t.Term], new: Iterable[t.Term]) -> TermTuple:
        """Return the terms with *new* constants in the place of *old* ones."""
        pairs = [pair for pair in zip(old, new, strict=True) if not t.is_same(*pair)]
        return self._holding(z3.substitute(self.term, *pairs)) if pairs else self

    def simplified(self) -> TermTuple:
        """Return the terms, simplified."""
        return self._holding(z3.simplify(self.term))

    def values(self, model: z3.ModelRef) -> list[int]:
        """Return what the terms are in *model*; truths are 0 and 1."""
        context, value = self.term.ctx.ref(), model.eval(self.term, model_completion=True)
        app = z3.Z3_to_app(context, value.as_ast())
        parts = [z3.Z3_get_app_arg(context, app, place) for place in range(value.num_args())]
        return [_numeral_of(context, part) for part in parts]


@cache
def _tuple(kinds: str) -> z3.FuncDeclRef:
    """Return the constructor of tuples of truths (b) and numbers (n)."""
    return z3.TupleSort(
        f"several {kinds}", [z3.BoolSort() if kind == "b" else z3.IntSort() for kind in kinds]
    )[1]


def _numeral_of(context: z3.ContextObj, part: z3.Ast) -> int:
    if part.value == t.TRUE.ast.value:
        return 1
    if part.value == t.FALSE.ast.value:
        return 0
    if z3.Z3_get_ast_kind(context, part) == z3.Z3_NUMERAL_AST:
        return int(z3.Z3_get_numeral_string(context, part))
    return 1 if z3.Z3_get_bool_value(context, part) == z3.Z3_L_TRUE else 0


def check_assuming(solver: z3.Solver, assumed: Sequence[t.Bool]) -> z3.CheckSatResult:
    """Return what *solver* says where all that is *assumed* is true."""
    array = (z3.Ast * len(assumed))(*(one.ast for one in assumed))
    return z3.CheckSatResult(
        z3.Z3_solver_check_assumptions(z3.main_ctx().ref(), solver.solver, len(assumed), array)
    )


def conjunction(parts: Sequence[t.Bool]) -> t.Bool:
    """Return the conjunction of many *parts* as they are."""
    context = z3.main_ctx()
    array = (z3.Ast * len(parts))(*(part.ast for part in parts))
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(parts), array), context)
