"""Bits: a System whose numbers are small -> the same one over numbers of a fixed width, which a SAT
solver decides much faster.

In plays of so many moves no zone holds more items than they put there, and every other number is at
most as large as one that is written in the rules. So all of them fit into a few bits, and no sum or
difference overflows. Where the number of players is open there is no such bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import z3

from ..encoding.system import Rule, System
from ..solver import terms as t

_SUMS = (z3.Z3_OP_ADD, z3.Z3_OP_SUB)
_SAME: dict[int, Callable[..., z3.ExprRef]] = {
    z3.Z3_OP_TRUE: lambda: t.TRUE,
    z3.Z3_OP_FALSE: lambda: t.FALSE,
    z3.Z3_OP_AND: z3.And,
    z3.Z3_OP_OR: z3.Or,
    z3.Z3_OP_NOT: z3.Not,
    z3.Z3_OP_ITE: z3.If,
    z3.Z3_OP_EQ: lambda left, right: left == right,
    z3.Z3_OP_LE: lambda left, right: left <= right,
    z3.Z3_OP_LT: lambda left, right: left < right,
    z3.Z3_OP_GE: lambda left, right: left >= right,
    z3.Z3_OP_GT: lambda left, right: left > right,
    z3.Z3_OP_ADD: lambda *parts: sum(parts[1:], parts[0]),
    z3.Z3_OP_SUB: lambda left, right: left - right,
}
"""What stands for an operation on numbers where these are bits: the one that is written the same
way.
"""


def in_bits(system: System, most: int) -> System:
    """Return *system* over numbers of so few bits as do where none is above *most* but those that
    are written in it, and their sums.
    """
    terms = [
        system.given,
        *system.known.values(),
        *(breach.condition for breach in system.of_stages),
    ]
    terms += [cell for cells in system.cells.values() for cell in cells]
    terms += [part for rule in system.rules for part in (rule.condition, rule.bad, *rule.cells)]
    nodes = list(_nodes(terms))
    width = _largest(nodes, most).bit_length() + 1
    changed: dict[int, t.Term] = {}
    for node in nodes:
        changed[node.get_id()] = _with_parts(
            node, [changed[part.get_id()] for part in node.children()], width
        )

    def flag(term: t.Bool) -> t.Bool:
        new = changed[term.get_id()]
        assert isinstance(new, z3.BoolRef)
        return new

    def cells(of: tuple[t.Term, ...]) -> tuple[t.Term, ...]:
        return tuple(changed[cell.get_id()] for cell in of)

    def rule(old: Rule) -> Rule:
        return replace(
            old, condition=flag(old.condition), cells=cells(old.cells), bad=flag(old.bad)
        )

    return replace(
        system,
        cells={stage: cells(of) for stage, of in system.cells.items()},
        known={stage: flag(known) for stage, known in system.known.items()},
        rules=tuple(rule(old) for old in system.rules),
        of_stages=tuple(
            replace(breach, condition=flag(breach.condition)) for breach in system.of_stages
        ),
        given=flag(system.given),
    )


def number_of(value: t.Term) -> int:
    """Return the number that *value*, a numeral of either kind, stands for."""
    if isinstance(value, z3.BitVecNumRef):
        return int(value.as_signed_long())
    assert isinstance(value, z3.IntNumRef)
    return int(value.as_long())


def _nodes(terms: list[t.Term]) -> Iterator[t.Term]:
    """Yield every node of *terms* once, parts before the whole."""
    seen: set[int] = set()
    todo = [(term, False) for term in reversed(terms)]
    while todo:
        term, is_ready = todo.pop()
        if is_ready:
            yield term
        elif term.get_id() not in seen:
            seen.add(term.get_id())
            todo.append((term, True))
            todo += [(part, False) for part in term.children()]


def _largest(nodes: list[t.Term], most: int) -> int:
    """Return how large any number among *nodes*, or its negation, can be; no constant is larger
    than *most*, or any numeral.
    """
    alone = max([most, *(abs(node.as_long()) for node in nodes if isinstance(node, z3.IntNumRef))])
    sizes: dict[int, int] = {}
    for node in nodes:
        parts = [sizes[part.get_id()] for part in node.children()]
        sizes[node.get_id()] = (
            (sum(parts) if node.decl().kind() in _SUMS else max(parts)) if parts else alone
        )
    return max(sizes.values(), default=alone)


def _with_parts(node: t.Term, parts: list[t.Term], width: int) -> t.Term:
    if isinstance(node, z3.IntNumRef):
        return z3.BitVecVal(node.as_long(), width)
    kind = node.decl().kind()
    if kind == z3.Z3_OP_UNINTERPRETED and not parts:
        return z3.BitVec(node.decl().name(), width) if z3.is_int(node) else node
    return _SAME[kind](*parts)
