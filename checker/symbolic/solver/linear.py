"""Linear sums: a number that is added up of others -> what is added, each once, with how often; and
back, in one order.

Two terms that add the same up have the same sum, whatever order and whatever parentheses they were
written with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from . import terms as t

MOST_SUMMANDS = 5_000
"""How many parts of a sum are looked at; those of rankings have some hundreds."""
_ONE = t.number(1)


@dataclass(frozen=True)
class LinearSum:
    """What is added up: how often each of *parts* is, by their places in Z3's memory; the constant
    is so many times 1.
    """

    times: Mapping[int, int]
    parts: Mapping[int, t.Integer]

    @property
    def term(self) -> t.Integer:
        """The sum as a term: its parts by their texts, the constant first."""
        total = t.number(self.times.get(_ONE.ast.value, 0))
        for place in sorted(self.times, key=lambda one: self.parts[one].sexpr()):
            if place != _ONE.ast.value:
                times, part = self.times[place], self.parts[place]
                total = t.plus(total, part if times == 1 else t.number(times) * part)
        return total


def linear(term: t.Integer) -> LinearSum:
    """Return what is added up in *term*; raise ValueError if that is too much to look at."""
    sums: dict[int, Counter[int]] = {}
    parts: dict[int, t.Integer] = {}
    todo, seen = [term], 0
    while todo:
        seen += 1
        if seen > MOST_SUMMANDS:
            raise ValueError("a sum has too many parts")
        node = todo[-1]
        added = [(1, node)] if node.ast.value in sums else list(_added(node))
        if waiting := [
            part for _, part in added if part.ast.value not in sums and not t.is_same(part, node)
        ]:
            todo += waiting
            continue
        todo.pop()
        if node.ast.value not in sums:
            sums[node.ast.value] = _total(node, added, sums, parts)
    times = {place: number for place, number in sums[term.ast.value].items() if number}
    return LinearSum(times, {place: parts[place] for place in times})


def _total(
    node: t.Integer,
    added: list[tuple[int, t.Integer]],
    sums: dict[int, Counter[int]],
    parts: dict[int, t.Integer],
) -> Counter[int]:
    """Return how often each part is in *node*, which adds up what is *added*, whose *sums* are
    known; new *parts* are noted.
    """
    total = Counter[int]()
    for times, part in added:
        if t.is_same(part, node):
            value = t.value_of(part)
            atom = part if value is None else _ONE
            parts[atom.ast.value] = atom
            total[atom.ast.value] += times if value is None else value
        else:
            for place, number in sums[part.ast.value].items():
                total[place] += times * number
    return total


def _added(term: t.Integer) -> Iterator[tuple[int, t.Integer]]:
    """Yield what *term* adds up by itself, each with how often; *term* once if it is no sum."""
    numbers = [part for part in term.children() if isinstance(part, z3.ArithRef)]
    if z3.is_add(term):
        yield from ((1, part) for part in numbers)
    elif z3.is_sub(term):
        yield from ((-1 if place else 1, part) for place, part in enumerate(numbers))
    elif z3.is_app_of(term, z3.Z3_OP_UMINUS):
        yield -1, numbers[0]
    elif z3.is_mul(term) and len(numbers) == 2 and (by := t.value_of(numbers[0])) is not None:
        yield by, numbers[1]
    elif z3.is_mul(term) and len(numbers) == 2 and (by := t.value_of(numbers[1])) is not None:
        yield by, numbers[0]
    else:
        yield 1, term
