"""Terms of Z3, simplified while they are built; tuples of them; units, which Z3 counts of its work.

The encoding of a move is mostly constants (a stage is known, a flag was just set), and a path whose
condition is plainly false need not be followed; so these constructors fold what is constant and
leave the rest to Z3. Z3 has every term of a context once, so that two are the same if they are at
the same place; asking it what a term is, through its Python, would take most of the time of an
encoding.

Units: what Z3 counts of what it does, which is the same on every machine.

A solver counts in its context. Those of the common context are read there, by the clock of a
`Meter`; a context of its own charges what that took.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property, reduce
from itertools import count
from typing import Any, TypeAlias, TypeVar

import z3

from ...types.budget import Budget, Meter

_COUNTER = z3.SimpleSolver()
"""A solver that is asked nothing but what all of its context have spent."""
_LOOKS = count()
"""Each look at it counts as a unit, so that questions that cost nothing come to an end, too."""


def units_spent() -> int:
    """Return how many units all solvers of the common context have spent so far."""
    return int(_COUNTER.statistics().get_key_value("rlimit count")) + next(_LOOKS)


def metered(units: int) -> Meter:
    """Return a meter for *units* units, which counts what all solvers of the common context do
    from now on.
    """
    return Meter(
        Budget(units=max(units, 1)), clock=units_spent
    )  # without any there would be no bound


def solver_for(meter: Meter, most: int) -> z3.Solver:
    """Return a plain solver that may spend so much for each of its questions; raise
    `BudgetSpentError` if *meter* has nothing left.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", meter.allow(most))
    return solver


class TermTuple:
    """Some truths and numbers, which are the parts of one term."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.term: Term = (
            _tuple("".join("b" if z3.is_bool(term) else "n" for term in terms))(*terms)
            if terms
            else TRUE
        )

    @classmethod
    def _holding(cls, term: Term) -> TermTuple:
        made = cls(())
        made.term = term
        return made

    @cached_property
    def parts(self) -> list[Term]:
        """The terms."""
        return list(self.term.children())

    def replaced(self, old: Iterable[Term], new: Iterable[Term]) -> TermTuple:
        """Return the terms with *new* constants in the place of *old* ones."""
        pairs = [pair for pair in zip(old, new, strict=True) if not is_same(*pair)]
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
    if part.value == TRUE.ast.value:
        return 1
    if part.value == FALSE.ast.value:
        return 0
    if z3.Z3_get_ast_kind(context, part) == z3.Z3_NUMERAL_AST:
        return int(z3.Z3_get_numeral_string(context, part))
    return 1 if z3.Z3_get_bool_value(context, part) == z3.Z3_L_TRUE else 0


def check_assuming(solver: z3.Solver, assumed: Sequence[Bool]) -> z3.CheckSatResult:
    """Return what *solver* says where all that is *assumed* is true."""
    array = (z3.Ast * len(assumed))(*(one.ast for one in assumed))
    return z3.CheckSatResult(
        z3.Z3_solver_check_assumptions(z3.main_ctx().ref(), solver.solver, len(assumed), array)
    )


def conjunction(parts: Sequence[Bool]) -> Bool:
    """Return the conjunction of many *parts* as they are."""
    context = z3.main_ctx()
    array = (z3.Ast * len(parts))(*(part.ast for part in parts))
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(parts), array), context)


Bool: TypeAlias = z3.BoolRef
Integer: TypeAlias = z3.ArithRef
Term: TypeAlias = z3.ExprRef
Sorted = TypeVar("Sorted", bound=z3.ExprRef)
"""Terms of one sort."""

# What is given to Z3 here has the right sorts, and to ask takes a tenth of the time.
z3.z3.Z3_DEBUG = False
TRUE: Bool = z3.BoolVal(True)
FALSE: Bool = z3.BoolVal(False)
_CONTEXT = z3.main_ctx()


for _kind in (z3.ContextObj, z3.Ast):
    # It returns what it gets; so does that of ctypes, which is no Python.
    if "from_param" in vars(_kind):
        del _kind.from_param


def _at_once(function: Callable[..., Any]) -> Any:
    """Return the function of C that *function* of Z3's Python calls, with `from_param` of its types
    looked up again. Alone it is for what cannot go wrong: Python asks each time whether it has.
    """
    found: Any = getattr((function.__defaults__ or (None,))[0], "f", function)
    found.argtypes = found.argtypes
    return found


for _function in (
    z3.Z3_mk_and, z3.Z3_mk_or, z3.Z3_mk_not, z3.Z3_mk_eq, z3.Z3_mk_lt, z3.Z3_mk_gt, z3.Z3_mk_le,
    z3.Z3_mk_ge, z3.Z3_mk_ite, z3.Z3_mk_add, z3.Z3_mk_sub, z3.Z3_substitute, z3.Z3_get_error_code,
):  # fmt: skip
    _at_once(_function)  # for the lookup alone: these can go wrong, and go on being asked


_ast_kind, _app_decl, _decl_kind = map(
    _at_once, (z3.Z3_get_ast_kind, z3.Z3_get_app_decl, z3.Z3_get_decl_kind)
)
_number_of_parts, _part = _at_once(z3.Z3_get_app_num_args), _at_once(z3.Z3_get_app_arg)
_sort, _sort_kind = _at_once(z3.Z3_get_sort), _at_once(z3.Z3_get_sort_kind)
_decl_name, _symbol_kind = _at_once(z3.Z3_get_decl_name), _at_once(z3.Z3_get_symbol_kind)
# Every term is counted when it is made and when it goes, and that cannot go wrong either.
z3.z3.Z3_inc_ref, z3.z3.Z3_dec_ref = _at_once(z3.Z3_inc_ref), _at_once(z3.Z3_dec_ref)
_NUMBERS: dict[int, Integer] = {}
"""The numerals that were asked for; they are few."""
_VALUES: dict[int, int] = {}
"""The values of these, by where each is."""


def number(value: int) -> Integer:
    """Return the numeral *value*."""
    if value not in _NUMBERS:
        _NUMBERS[value] = z3.IntVal(value)
        _VALUES[_NUMBERS[value].ast.value] = value
    return _NUMBERS[value]


ZERO, ONE = number(0), number(1)


def truth(value: bool) -> Bool:
    """Return the constant *value*."""
    return TRUE if value else FALSE


def is_true(term: Term) -> bool:
    """Whether *term* is the constant true."""
    return is_same(term, TRUE)


def is_false(term: Term) -> bool:
    """Whether *term* is the constant false."""
    return is_same(term, FALSE)


def is_same(one: Term, other: Term) -> bool:
    """Whether two terms of the common context are one."""
    return bool(one.ast.value == other.ast.value)


def value_of(term: Integer) -> int | None:
    """Return the value of a numeral, None if *term* is none."""
    if (known := _VALUES.get(term.ast.value)) is not None:
        return known
    if _ast_kind(_CONTEXT.ref(), term.ast) != z3.Z3_NUMERAL_AST:
        return None
    return int(z3.Z3_get_numeral_string(_CONTEXT.ref(), term.ast))


def name_of(constant: Term) -> str:
    """Return what *constant* is called. Z3's printer says the same, at ten times the cost."""
    context = constant.ctx_ref()
    symbol = _decl_name(context, _app_decl(context, constant.ast))
    if _symbol_kind(context, symbol) == z3.Z3_INT_SYMBOL:  # Z3 itself has made the constant
        return str(constant.decl().name())
    return str(z3.Z3_get_symbol_string(context, symbol))


def sort_of(term: Term) -> str:
    """Return the sort of *term*: ``Bool`` or ``Int``."""
    return "Bool" if isinstance(term, z3.BoolRef) else "Int"


def both(*parts: Bool) -> Bool:
    """Return the conjunction of *parts*."""
    return all_of(parts)


def either(*parts: Bool) -> Bool:
    """Return the disjunction of *parts*."""
    return any_of(parts)


def all_of(parts: Iterable[Bool]) -> Bool:
    """Return the conjunction of *parts*."""
    return _joined_terms(parts, TRUE, FALSE, z3.Z3_mk_and)


def any_of(parts: Iterable[Bool]) -> Bool:
    """Return the disjunction of *parts*."""
    return _joined_terms(parts, FALSE, TRUE, z3.Z3_mk_or)


def _joined_terms(
    parts: Iterable[Bool], nothing: Bool, everything: Bool, join: Callable[..., z3.Ast]
) -> Bool:
    """Return *parts* joined, each once: *nothing* if there are none, *everything* if that is one of
    them.
    """
    kept: dict[int, Bool] = {}
    left_out, decides = nothing.ast.value, everything.ast.value
    for part in parts:
        place = part.ast.value
        if place == decides:
            return everything
        if place != left_out:
            kept.setdefault(place, part)
    if len(kept) < 2:
        return next(iter(kept.values()), nothing)
    return z3.BoolRef(join(_CONTEXT.ref(), len(kept), (z3.Ast * len(kept))(*kept)), _CONTEXT)


def _array(terms: Collection[Term]) -> Any:
    return (z3.Ast * len(terms))(*(term.ast for term in terms))


def negation(term: Bool) -> Bool:
    """Return the negation of *term*."""
    if is_true(term):
        return FALSE
    if is_false(term):
        return TRUE
    context, ast = _CONTEXT.ref(), term.ast
    if _ast_kind(context, ast) == z3.Z3_APP_AST and _kind_of(context, ast) == z3.Z3_OP_NOT:
        return z3.BoolRef(_part(context, ast, 0), _CONTEXT)
    return z3.BoolRef(z3.Z3_mk_not(context, ast), _CONTEXT)


def implies(left: Bool, right: Bool) -> Bool:
    """Return that *left* implies *right*."""
    return any_of((negation(left), right))


def equal(left: Term, right: Term) -> Bool:
    """Return the equality of two terms of one sort."""
    if is_same(left, right):
        return TRUE
    if isinstance(left, z3.BoolRef) and isinstance(right, z3.BoolRef):
        for one, other in ((left, right), (right, left)):
            if is_true(one):
                return other
            if is_false(one):
                return negation(other)
    elif value_of(left) is not None and value_of(right) is not None:
        return FALSE
    return equation(left, right)


def equation(left: Term, right: Term) -> Bool:
    """Return the equality of two terms as it is."""
    return _compared(z3.Z3_mk_eq, z3.Z3_mk_eq, left, right)


def less(left: Integer, right: Integer) -> Bool:
    """Return that *left* is less than *right*."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return truth(one < other)
    return FALSE if is_same(left, right) else _compared(z3.Z3_mk_lt, z3.Z3_mk_gt, left, right)


def at_most(left: Integer, right: Integer) -> Bool:
    """Return that *left* is at most *right*."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return truth(one <= other)
    return TRUE if is_same(left, right) else _compared(z3.Z3_mk_le, z3.Z3_mk_ge, left, right)


def _compared(
    comparison: Callable[..., z3.Ast], turned: Callable[..., z3.Ast], left: Term, right: Term
) -> Bool:
    """Return a *comparison*; a numeral comes first, so that what is alike looks alike."""
    one, other = (right, left) if isinstance(right, z3.IntNumRef) else (left, right)
    return z3.BoolRef(
        (comparison if one is left else turned)(_CONTEXT.ref(), one.ast, other.ast), _CONTEXT
    )


def plus(left: Integer, right: Integer) -> Integer:
    """Return the sum."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return number(one + other)
    if other == 0:
        return left
    return right if one == 0 else _summed(z3.Z3_mk_add, left, right)


def minus(left: Integer, right: Integer) -> Integer:
    """Return the difference."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return number(one - other)
    return left if other == 0 else _summed(z3.Z3_mk_sub, left, right)


def _summed(operation: Callable[..., z3.Ast], left: Integer, right: Integer) -> Integer:
    """Return what *operation* makes of two numbers."""
    return z3.ArithRef(operation(_CONTEXT.ref(), 2, _array((left, right))), _CONTEXT)


def one_if(condition: Bool) -> Integer:
    """Return 1 where *condition* holds, else 0."""
    return choice(condition, ONE, ZERO)


def count_true(truths: Iterable[Bool]) -> Integer:
    """Return how many of *truths* are true."""
    return reduce(plus, map(one_if, truths), ZERO)


def choice(condition: Bool, then: Sorted, otherwise: Sorted) -> Sorted:
    """Return *then* where *condition* holds, else *otherwise*."""
    chosen: Sorted = _choice(condition, then, otherwise)
    return chosen


def _choice(condition: Bool, then: Term, otherwise: Term) -> Term:
    if is_true(condition) or is_same(then, otherwise):
        return then
    if is_false(condition):
        return otherwise
    if isinstance(then, z3.BoolRef) and isinstance(otherwise, z3.BoolRef):
        if is_true(then):
            return either(condition, otherwise)
        if is_false(then):
            return both(negation(condition), otherwise)
        if is_true(otherwise):
            return either(negation(condition), then)
        if is_false(otherwise):
            return both(condition, then)
    sort = z3.BoolRef if isinstance(then, z3.BoolRef) else z3.ArithRef
    return sort(z3.Z3_mk_ite(_CONTEXT.ref(), condition.ast, then.ast, otherwise.ast), _CONTEXT)


def replaced(term: Sorted, old: Iterable[Term], new: Iterable[Term]) -> Sorted:
    """Return *term* with *new* terms in the place of *old* ones."""
    pairs = [
        (one.ast, other.ast) for one, other in zip(old, new, strict=True) if not is_same(one, other)
    ]
    if not pairs:
        return term
    olds, news = ((z3.Ast * len(pairs))(*asts) for asts in zip(*pairs, strict=True))
    changed = z3.Z3_substitute(term.ctx.ref(), term.ast, len(pairs), olds, news)
    found: Sorted = (z3.BoolRef if isinstance(term, z3.BoolRef) else z3.z3._to_expr_ref)(
        changed, term.ctx
    )
    return found


def conjuncts(term: Bool) -> Iterator[Bool]:
    """Yield the parts that *term* is the conjunction of, each once, however often and however deep
    it stands there.
    """
    context, nothing = term.ctx_ref(), TRUE.ast.value
    seen: set[int] = set()
    todo = [term.ast]
    while todo:
        node = todo.pop()
        if node.value in seen:
            continue
        seen.add(node.value)
        if _ast_kind(context, node) == z3.Z3_APP_AST and _kind_of(context, node) == z3.Z3_OP_AND:
            todo.extend(_arguments(context, node))
        elif node.value != nothing:
            yield z3.BoolRef(node, term.ctx)


def applied(relation: z3.FuncDeclRef, values: Sequence[Term]) -> Bool:
    """Return that *relation* is true of *values*."""
    return z3.BoolRef(
        z3.Z3_mk_app(_CONTEXT.ref(), relation.ast, len(values), _array(values)), _CONTEXT
    )


def always_implies(body: Bool, head: Bool) -> Bool:
    """Return that *body* implies *head* for all values of the constants in them."""
    context, free = _CONTEXT.ref(), constants_of(body, head)
    implication = z3.BoolRef(z3.Z3_mk_implies(context, body.ast, head.ast), _CONTEXT)
    if not free:
        return implication
    return z3.QuantifierRef(
        z3.Z3_mk_forall_const(context, 1, len(free), _array(free), 0, None, implication.ast),
        _CONTEXT,
    )


def constants_of(*terms: Term) -> list[Term]:
    """Return the flags and numbers that *terms* leave open, each once, in the order in which they
    are met.
    """
    owner = terms[0].ctx if terms else _CONTEXT
    context = owner.ref()
    found: list[Term] = []
    seen: set[int] = set()
    todo = [term.ast for term in reversed(terms)]
    while todo:
        node = todo.pop()
        if node.value in seen:
            continue
        seen.add(node.value)
        kind = _ast_kind(context, node)
        if kind == z3.Z3_QUANTIFIER_AST:
            todo.append(z3.Z3_get_quantifier_body(context, node))
        elif kind == z3.Z3_APP_AST:
            parts = _arguments(context, node)
            todo.extend(parts)
            if not parts and _kind_of(context, node) == z3.Z3_OP_UNINTERPRETED:
                is_flag = _sort_kind(context, _sort(context, node)) == z3.Z3_BOOL_SORT
                found.append(z3.BoolRef(node, owner) if is_flag else z3.ArithRef(node, owner))
    return found


def _kind_of(context: z3.ContextObj, application: z3.Ast) -> int:
    """Return what kind of function *application* is one of."""
    kind: int = _decl_kind(context, _app_decl(context, application))
    return kind


def _arguments(context: z3.ContextObj, application: z3.Ast) -> list[z3.Ast]:
    """Return what *application* is made of, the last first."""
    return [
        _part(context, application, place)
        for place in range(_number_of_parts(context, application) - 1, -1, -1)
    ]
