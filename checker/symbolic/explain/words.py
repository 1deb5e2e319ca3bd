"""An invariant in the ruleset's own words: a Proof -> sentences, each with the stages at which it
is always true.

Only the inductive core of the invariant is told, which is what the proof needs. What is always true
of a cell by its type is not repeated.

A conjunct is a disjunction; what it says of the same cell is taken together. Of a cell with few
values it is found out by trying which of them fit. Of others a solver is asked whether it says the
same as one of a few likely phrases. What stays is printed as a formula over the cells' nouns, so
nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

import z3

from ....models.frozen import frozen
from ....models.words import join_words
from ..encoding.encode import encoding
from ..encoding.system import ask_solver
from ..prove import Proof
from ..safety.horn import inductive_core
from ..solver import terms as t
from .cells import CellWording, Phrases, cells_in_words

NOTHING = "always: nothing else is needed, each move keeps the property by itself"


def in_words(proof: Proof) -> tuple[str, ...]:
    """Return the invariant of *proof*, in sentences of the form ``at decide and passing: if p in
    passed, i not on stack``.
    """
    cells, long = cells_in_words(encoding(proof.program, proof.question, proof.precision))
    core = inductive_core(proof.system, proof.invariant)
    places: dict[tuple[str, str], list[str]] = {}
    for stage, conjuncts in core.conjuncts.items():
        for sentence in sentences(conjuncts, proof.system.known[stage], cells):
            stages = places.setdefault(sentence.in_two(), [])
            if stage not in stages:
                stages.append(stage)
    grouped: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (condition, follows), stages in places.items():
        grouped.setdefault((tuple(stages), condition), []).append(follows)
    everywhere = tuple(proof.system.cells)
    said = [
        _sentence(stages, condition, follows, everywhere)
        for (stages, condition), follows in grouped.items()
    ]
    said += [
        f"[{number}]: {words}"
        for words, number in long.items()
        if any(f"[{number}]" in sentence for sentence in said)
    ]
    return tuple(said) or (NOTHING,)


def _sentence(
    stages: tuple[str, ...], condition: str, follows: list[str], everywhere: tuple[str, ...]
) -> str:
    where = "always" if stages == everywhere else f"at {join_words(stages)}"
    what = "; ".join(follows) if any(" and " in part for part in follows) else " and ".join(follows)
    what, condition = _bare(what), _bare(condition)
    return f"{where}: if {condition}, then {what}" if condition else f"{where}: {what}"


def _bare(words: str) -> str:
    """Return *words* without parentheses around all of them."""
    depth = 0
    for place, letter in enumerate(words):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return words[1:-1] if letter == ")" and place == len(words) - 1 else words
    return words


# ------------------------------------------------------------------ conjuncts


_UNITS = 1_000_000
_SIGNS = {
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_EQ: "is",
    z3.Z3_OP_IFF: "is",
}
_CONTRARY = {
    z3.Z3_OP_LE: ">",
    z3.Z3_OP_GE: "<",
    z3.Z3_OP_LT: ">=",
    z3.Z3_OP_GT: "<=",
    z3.Z3_OP_EQ: "is not",
}
_SUMS = {z3.Z3_OP_ADD: " + ", z3.Z3_OP_SUB: " - ", z3.Z3_OP_MUL: " times "}
_LOGIC = {z3.Z3_OP_AND: " and ", z3.Z3_OP_OR: " or ", z3.Z3_OP_IMPLIES: " implies "}
_Alternatives = dict[tuple[str, ...], t.Bool]
"""For the cells that are spoken of, what is said of them."""


@frozen
class Sentence:
    """That one of *alternatives* is true, each with its contrary; a *plain* one is better said as
    what follows than as a condition.
    """

    alternatives: tuple[tuple[Phrases, bool], ...]

    def in_two(self) -> tuple[str, str]:
        """Return the condition (empty if there is none) and what follows."""
        follows = [place for place, (_, plain) in enumerate(self.alternatives) if plain] or [
            len(self.alternatives) - 1
        ]
        last = follows[-1]
        conditions = [
            phrases[1] for place, (phrases, _) in enumerate(self.alternatives) if place != last
        ]
        conditions.sort(key=lambda words: (_negates(words), len(words)))
        return " and ".join(
            f"({words})" if " or " in words and len(conditions) > 1 else words
            for words in conditions
        ), self.alternatives[last][0][0]


def sentences(
    conjuncts: Iterable[t.Bool], known: t.Bool, cells: Mapping[str, CellWording]
) -> Iterator[Sentence]:
    """Yield what *conjuncts* say together, where *known* is true of the cells anyway."""
    split = [part for conjunct in conjuncts for part in _split(_alternatives(conjunct), cells)]
    for alternatives in _merged_alternatives(split):
        said = [_phrases(term, known, cells) for term in alternatives.values()]
        yield Sentence(tuple((phrases, _is_plain(phrases)) for phrases in said))


def _is_plain(phrases: Phrases) -> bool:
    """Whether something is said without a negation, and its contrary with one."""
    return not _negates(phrases[0]) or _negates(phrases[1])


def _negates(words: str) -> bool:
    return words.startswith("not ") or " not " in words or " on no " in words


# ------------------------------------------------------------------ what belongs together


def _alternatives(conjunct: t.Bool) -> _Alternatives:
    found: _Alternatives = {}
    for part in _disjuncts(conjunct):
        key = tuple(sorted(t.name_of(constant) for constant in t.constants_of(part)))
        found[key] = t.either(found.get(key, t.FALSE), part)
    return found


def _disjuncts(term: t.Bool) -> Iterator[t.Bool]:
    if z3.is_or(term):
        for part in term.children():
            yield from _disjuncts(part)
    elif z3.is_implies(term):
        yield from _disjuncts(t.negation(term.arg(0)))
        yield from _disjuncts(term.arg(1))
    elif z3.is_not(term) and z3.is_and(term.arg(0)):
        for part in term.arg(0).children():
            yield from _disjuncts(t.negation(part))
    else:
        yield term


def _split(
    alternatives: _Alternatives, cells: Mapping[str, CellWording]
) -> Iterator[_Alternatives]:
    """Yield *alternatives*, or if one compares two cells with few values, what it says of one for
    each value of the other.

    That where something is lies below its kind, both being numbers, is nothing that anyone would
    say.
    """
    few = {name for name, cell in cells.items() if cell.values}
    pair = next((key for key in alternatives if len(key) == 2 and few.issuperset(key)), None)
    if pair is None:
        yield alternatives
        return
    first, second = sorted(pair, key=lambda name: not cells[name].bare)
    together = t.any_of(alternatives[key] for key in alternatives if set(key) <= set(pair))
    rest = {key: term for key, term in alternatives.items() if not set(key) <= set(pair)}
    constants = {t.name_of(constant): constant for constant in t.constants_of(together)}
    one, other = constants[first], constants[second]
    fitting: dict[tuple[int, ...], list[int]] = {}
    for value in cells[first].values:
        fits = tuple(
            another
            for another in cells[second].values
            if _is_so(together, (one, value), (other, another))
        )
        fitting.setdefault(fits, []).append(value)
    for fits, values in fitting.items():
        if len(fits) < len(cells[second].values):
            said = {**rest, (first,): t.negation(_is_one_of(one, values))}
            yield {**said, (second,): _is_one_of(other, fits)} if fits else said


def _is_so(term: t.Bool, *values: tuple[t.Term, int]) -> bool:
    return bool(
        z3.is_true(
            z3.simplify(
                z3.substitute(term, *((constant, t.number(value)) for constant, value in values))
            )
        )
    )


def _is_one_of(constant: t.Term, values: Iterable[int]) -> t.Bool:
    return t.any_of(t.equal(constant, t.number(value)) for value in values)


def _merged_alternatives(all_alternatives: list[_Alternatives]) -> list[_Alternatives]:
    """Return conjuncts that differ in what they say of the same cells as one: it is not above, and
    not below, so it is equal.
    """
    kept: list[_Alternatives] = []
    for alternatives in all_alternatives:
        for other in kept:
            differs = [
                key for key in alternatives if key in other and not alternatives[key].eq(other[key])
            ]
            if alternatives.keys() == other.keys() and len(differs) == 1:
                other[differs[0]] = t.both(other[differs[0]], alternatives[differs[0]])
                break
        else:
            kept.append(dict(alternatives))
    return kept


# ------------------------------------------------------------------ in words


def _phrases(term: t.Bool, known: t.Bool, cells: Mapping[str, CellWording]) -> Phrases:
    constants = t.constants_of(term)
    named = [cells[t.name_of(constant)] for constant in constants]
    if len(constants) == 1 and z3.is_bool(constants[0]):
        yes, no = named[0].phrases
        return (yes, no) if term.eq(constants[0]) else (no, yes)
    if len(constants) == 1 and named[0].values:
        return _of_values(term, constants[0], named[0])
    for candidate, (yes, no) in _likely(constants, named):
        if _same(term, candidate, known):
            return yes, no
        if _same(term, t.negation(candidate), known):
            return no, yes
    words = formula(_simpler(term, known), cells)
    return words, f"not ({words})"


def _of_values(term: t.Bool, constant: t.Term, cell: CellWording) -> Phrases:
    """Say which values of a cell fit: by themselves or as those that do not, whichever is
    shorter.
    """
    fits = [name for value, name in cell.values.items() if _is_so(term, (constant, value))]
    others = [name for name in cell.values.values() if name not in fits]
    return _one_of(fits, others, cell), _one_of(others, fits, cell)


def _one_of(names: list[str], others: list[str], cell: CellWording) -> str:
    if cell.bare:
        return _of_phrases(names, others, cell.noun)
    if len(names) == 1:
        return f"{cell.noun} is {names[0]}"
    if len(others) == 1:
        return f"{cell.noun} is not {others[0]}"
    return f"{cell.noun} is one of ({', '.join(names)})"


def _of_phrases(names: list[str], others: list[str], noun: str) -> str:
    """Join phrases that begin with *noun*: ``i on stack or has left the game``."""
    if len(names) == 1:
        return names[0]
    if len(others) == 1 and others[0].startswith(f"{noun} on "):
        return others[0].replace(" on ", " not on ", 1)
    if others and all(other.startswith(f"{noun} on ") for other in others):
        return f"{noun} on no zone"
    return (
        " or ".join([names[0], *(name.removeprefix(f"{noun} ") for name in names[1:])]) or "never"
    )


def _likely(constants: list[t.Term], named: list[CellWording]) -> Iterator[tuple[t.Bool, Phrases]]:
    """Yield what is often said of such cells, with its phrases."""
    if len(constants) == 1:
        for value, phrases in named[0].likely:
            yield t.equal(constants[0], value), phrases
    elif len(constants) == 2 and all(cell.is_seat for cell in named):
        for (one, a), (other, b) in permutations(zip(constants, named, strict=True)):
            assert isinstance(one, z3.ArithRef)
            assert isinstance(other, z3.ArithRef)
            yield t.equal(one, other), (f"{a.noun} is {b.noun}", f"{a.noun} is not {b.noun}")
            if a.origin:
                later = f"counted from {a.origin}, {b.noun} sits later than {a.noun}"
                yield (
                    t.less(one, other),
                    (later, f"counted from {a.origin}, {a.noun} sits no earlier than {b.noun}"),
                )
    elif (
        len(constants) == 2
        and all(z3.is_int(constant) for constant in constants)
        and not any(cell.values for cell in named)
    ):
        yield from _compared(constants, named)


def _compared(
    constants: list[t.Term], named: list[CellWording]
) -> Iterator[tuple[t.Bool, Phrases]]:
    """Yield how two numbers may compare."""
    one, other = constants
    assert isinstance(one, z3.ArithRef)
    assert isinstance(other, z3.ArithRef)
    a, b = (cell.noun for cell in named)
    yield t.equal(one, other), (f"{a} is {b}", f"{a} is not {b}")
    yield t.at_most(one, other), (f"{a} <= {b}", f"{a} > {b}")
    yield t.less(one, other), (f"{a} < {b}", f"{a} >= {b}")


def _same(term: t.Bool, other: t.Bool, known: t.Bool) -> bool:
    return bool(ask_solver(t.both(known, z3.Xor(term, other)), _UNITS) == z3.unsat)


def _simpler(term: t.Bool, known: t.Bool) -> t.Bool:
    """Return *term* as clauses, without what adds nothing to the rest of its clause where *known*
    is so.
    """
    clauses, plain = [], z3.Tactic("nnf")(term).as_expr()
    if len(t.constants_of(plain)) > len(t.constants_of(term)):
        plain = term  # Z3 has given names to values that depend on something
    for clause in t.conjuncts(plain):
        parts = list(dict.fromkeys(_disjuncts(clause)))
        for part in tuple(parts):
            rest = [other for other in parts if other is not part]
            if ask_solver(t.both(known, part, t.negation(t.any_of(rest))), _UNITS) == z3.unsat:
                parts = rest
        clauses.append(t.any_of(parts))
    return t.both(*clauses)


def formula(term: t.Term, cells: Mapping[str, CellWording]) -> str:
    """Return *term* as a formula over the nouns of *cells*."""
    kind, parts = term.decl().kind(), [formula(part, cells) for part in term.children()]
    if z3.is_const(term):
        cell = cells.get(str(term))
        return str(term).lower() if cell is None else cell.phrases[0] or cell.noun
    if z3.is_not(term):
        inner = term.arg(0)
        return (
            f"not ({parts[0]})"
            if (contrary := _CONTRARY.get(inner.decl().kind())) is None
            else _comparison(inner, contrary, cells)
        )
    if kind in _LOGIC:
        return _LOGIC[kind].join(f"({part})" for part in parts)
    if kind in _SIGNS:
        return _comparison(term, _SIGNS[kind], cells)
    if kind in _SUMS:
        return _SUMS[kind].join(parts).replace("+ -", "- ")
    if kind == z3.Z3_OP_ITE:
        return f"({parts[1]} if {parts[0]}, else {parts[2]})"
    return f"{term.decl().name()}({', '.join(parts)})"


def _comparison(term: t.Bool, sign: str, cells: Mapping[str, CellWording]) -> str:
    """Say how the sides of *term* compare; what is taken away from the left is on the right."""
    left, right = term.arg(0), term.arg(1)
    if z3.is_add(left) and any(_taken(part) is not None for part in left.children()):
        stays = [formula(part, cells) for part in left.children() if _taken(part) is None]
        taken = [
            formula(other, cells) for part in left.children() if (other := _taken(part)) is not None
        ]
        if t.value_of(right) != 0:
            taken.append(formula(right, cells))
        return f"{' + '.join(stays) or '0'} {sign} {' + '.join(taken)}".replace("+ -", "- ")
    return f"{formula(left, cells)} {sign} {formula(right, cells)}"


def _taken(part: t.Term) -> t.Term | None:
    """Return x if *part* is -1 times x."""
    if z3.is_mul(part) and part.num_args() == 2 and t.value_of(part.arg(0)) == -1:
        factor: t.Term = part.arg(1)
        return factor
    return None
