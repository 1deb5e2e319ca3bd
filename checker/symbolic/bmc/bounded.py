"""Bounded search: how many moves it takes at least, at any size, to break a property.

In comes a Program and a property, out goes a number of moves such that no play of fewer does it,
for any number of players and zones of any size: the encoding has every play of the rules, and the
solver found none among those. With the fewest players the encoding is made finer until its play is
one of the rules as well, made on the reference interpreter. A play that only the encoding has is
not told: it says only at which size a search should look for one.

Bits: a System whose numbers are small -> the same one over numbers of a fixed width, which a SAT
solver decides much faster.

In plays of a few moves a zone holds at most the items that these put there, and every other number
is at most as large as one that is written in the rules. So all of them fit into a few bits, and no
sum or difference overflows. If the number of players is open there is no such bound.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import z3

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.analysis import effect_of
from ....models.ir.parts import statements
from ....properties import formula as f
from ...types.budget import BudgetSpentError, Meter
from ...types.position import Trace
from ...types.scope import Scope
from ..encoding.encode import Encoding, Precision, encoding
from ..encoding.system import Rule, System
from ..position.players import MOST_EXACT
from ..position.weakenings import UnsupportedError
from ..prove import precisions
from ..solver import terms as t
from ..solver.terms import metered
from .unrolled import Unrolled, UnrolledLayer

_SUMS = (z3.Z3_OP_ADD, z3.Z3_OP_SUB)
_SAME: dict[int, Callable[..., z3.ExprRef]] = {
    z3.Z3_OP_TRUE: lambda: t.TRUE,
    z3.Z3_OP_FALSE: lambda: t.FALSE,
    z3.Z3_OP_AND: z3.And,
    z3.Z3_OP_OR: z3.Or,
    z3.Z3_OP_NOT: z3.Not,
    z3.Z3_OP_ITE: z3.If,
    z3.Z3_OP_EQ: operator.eq,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_ADD: lambda *parts: sum(parts[1:], parts[0]),
    z3.Z3_OP_SUB: operator.sub,
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


UNITS = 100_000_000
"""How much a solver may do for one question: about half a minute."""
_OF_ANY = 30_000_000
"""How much besides for any number of players."""
LISTED = (2, 3, 4, 6)
"""How many items of each zone are remembered one by one, more and more until a play of the encoding
is one of the rules.
"""
_SHORT = 10
"""How many moves are few."""
_COARSE = 2
"""It may take one part in this many of the units to know sooner that there is no play of many
moves.
"""
_OTHER = "other player "


@frozen
class ConcretePlay:
    """A *trace* within *scope*, told by the *numbers* of its moves among those there are in each
    position.
    """

    scope: Scope
    numbers: tuple[int, ...]
    trace: Trace


Decode = Callable[
    [ir.Program, f.Property, Encoding, Unrolled, z3.ModelRef, int], ConcretePlay | None
]
"""Makes the play of that many moves that a solver found in an encoding on the interpreter; None if
the rules have no such play.
"""


@frozen
class Bound:
    """That no play of fewer than *moves* moves does it, at any size.

    *play* is a shortest play with the fewest players, if one is known; it may be longer. *players*
    is how many players a play of *moves* moves may have; None if there is no such play, or if that
    is unknown.
    """

    moves: int
    players: int | None = None
    play: ConcretePlay | None = None


def least_moves(
    program: ir.Program, question: f.Property, most: int, decode: Decode, units: int = UNITS
) -> Bound:
    """Return how many moves it takes at least, up to *most*, with *units* units of the solver at
    most.

    The fewest players, of whom all are known, are asked for by themselves; then any number of them,
    and where no encoding for any number says it, more than the fewest.
    """
    question, left = replace(question, lemmas=()), metered(units)
    least, limit = program.players
    try:
        few = _of_few(replace(program, players=(least, least)), question, most, left, decode)
        if least == limit:
            return few
        left = metered(min(_OF_ANY, units))
        found = _of_any(program, question, few.moves, left)
        if found.moves < few.moves:
            more = _of_any(replace(program, players=(least + 1, limit)), question, few.moves, left)
            found = max(found, more, key=operator.attrgetter("moves"))
    except UnsupportedError:
        return Bound(0)
    return few if found.moves >= few.moves else replace(found, play=few.play)


# ------------------------------------------------------------------ the fewest players


def _of_few(
    program: ir.Program, question: f.Property, most: int, left: Meter, decode: Decode
) -> Bound:
    """Return the bound for a known number of players, with a shortest play of up to *most* moves if
    there is one.

    The encodings that list items have the play itself; that there is none of many moves, the one
    that forgets most knows sooner.
    """
    sure = 0
    for listed in LISTED if program.players[0] <= MOST_EXACT else ():
        encoded = encoding(
            program, question, Precision(seats=True, attributes=True, counts=True, listed=listed)
        )
        plays = _plays(program, encoded, sure, most, left)
        if plays.find_shortest(min(most, _SHORT)) > _SHORT and listed == LISTED[0]:
            sure = _of_coarse(program, question, plays.sure, most, left)
            continue
        sure = plays.find_shortest(most)
        if plays.model is None:
            break
        if (play := _decoded(decode, program, question, encoded, plays)) is not None:
            return Bound(sure, program.players[0], play)
    return Bound(min(sure, most))


def _of_coarse(program: ir.Program, question: f.Property, sure: int, most: int, left: Meter) -> int:
    """Return how many moves it takes at least, up to *most*, as far as the encoding knows that
    forgets most; it is known of *sure*.
    """
    encoded = encoding(program, question, precisions(program, question)[0])
    share = metered(left.units_left // _COARSE)
    return _plays(program, encoded, sure, most, share).find_shortest(most - 1)


def _decoded(
    decode: Decode, program: ir.Program, question: f.Property, encoded: Encoding, plays: Plays
) -> ConcretePlay | None:
    """Return a play of the rules among *plays*: the one that was found, or one in which no zone has
    more items than are listed.
    """
    assert plays.model is not None
    if (
        play := decode(program, question, encoded, plays.unrolled, plays.model, plays.sure)
    ) is not None:
        return play
    try:
        model = plays.with_also(_is_small(encoded, plays))
    except BudgetSpentError:
        return None
    return (
        None
        if model is None
        else decode(program, question, encoded, plays.unrolled, model, plays.sure)
    )


def _is_small(encoded: Encoding, plays: Plays) -> t.Bool:
    """Return that no zone ever has more items than are listed."""
    names = {size.decl().name() for size in encoded.layout.frame("").sizes.values()}
    sizes = [
        cell
        for cell in next(iter(plays.unrolled.system.cells.values()))
        if cell.decl().name() in names
    ]
    at_all = [plays.unrolled.cell(size, layer) for size in sizes for layer in range(plays.sure)]
    return t.all_of(
        size <= encoded.layout.context.listed for size in at_all if isinstance(size, z3.BitVecRef)
    )


def _plays(program: ir.Program, encoded: Encoding, sure: int, most: int, left: Meter) -> Plays:
    """Return the plays of an encoding for a known number of players."""
    return Plays(in_bits(encoded.system(), most * _most_joining(program)), sure, left, of_bits=True)


def _most_joining(program: ir.Program) -> int:
    """Return how many items can join a zone in one move, at most."""
    return max(
        sum(effect_of(statement).joins is not None for statement in statements(clause.body))
        for _, clause in program.clauses
    )


# ------------------------------------------------------------------ any number of players


def _of_any(program: ir.Program, question: f.Property, most: int, left: Meter) -> Bound:
    """Return the best bound, up to *most*, of the encodings for an open number of players, those
    that remember least first.
    """
    best = Bound(0)
    for system in _systems(program, question):
        plays = Plays(system, best.moves, left, of_bits=False)
        sure, players = plays.find_shortest(most - 1), program.players[0]
        if plays.model is not None:
            count = plays.unrolled.fixed.get("players")
            players = plays.fewest(count, players) if isinstance(count, z3.ArithRef) else players
        if sure > best.moves or plays.model is not None:
            best = Bound(sure, None if plays.model is None else players)
        if best.moves >= most:
            break
    return best


def _systems(program: ir.Program, question: f.Property) -> Iterator[System]:
    """Yield the systems of *question*, those that remember least first.

    To watch one more player takes no play away: every play has a player who can be that one. So as
    many are watched as there are in any case, and are different players.
    """
    least, most = program.players
    named = [spotlight.name for spotlight in question.spotlights if spotlight.kind == "player"]
    others = (
        [f"{_OTHER}{number}" for number in range(least - len(named))]
        if least > 2 and least != most
        else []
    )
    watched = replace(
        question,
        spotlights=(*question.spotlights, *(f.Spotlight("player", name) for name in others)),
    )
    for precision in precisions(program, question):
        if least > 2 and not precision.seats:
            continue  # of several that forget different things, the one that knows who sits where
        encoded = encoding(program, watched, precision)
        seats = encoded.layout.context.players.spotlights
        apart = [
            t.negation(t.equal(seats[one], seat))
            for one in others
            for other, seat in seats.items()
            if other != one
        ]
        system = encoded.system()
        yield replace(system, given=t.all_of((system.given, *apart)))


# ------------------------------------------------------------------ longer and longer plays
# Each question asks for plays up to twice as long as those already ruled out; once there is one,
# for shorter ones.

_LONGER_BY = 4
"""By how many moves the plays that are asked for are longer than those that are known."""
_OF_BITS = (
    "simplify",
    "propagate-values",
    "solve-eqs",
    "elim-uncnstr",
    "simplify",
    "bit-blast",
    "sat",
)
"""What a question about bits goes through: it begins anew with each, and is faster for it."""


class Plays:
    """The plays of *system*: none breaks the property in fewer than *sure* moves; *model* is one of
    *sure* moves, if that is known.
    """

    def __init__(self, system: System, sure: int, left: Meter, *, of_bits: bool) -> None:
        self.unrolled = Unrolled(system)
        self.sure, self.left = sure, left
        self.model: z3.ModelRef | None = None
        self._solver = z3.Then(*_OF_BITS).solver() if of_bits else z3.SimpleSolver()
        self._layers: list[UnrolledLayer] = []
        self._coming = self.unrolled.layers(sys.maxsize)

    def find_shortest(self, most: int) -> int:
        """Look for a shortest play, of up to *most* moves, as far as the budget goes; return how
        many moves it takes at least.
        """
        with suppress(BudgetSpentError):
            self._find_shortest(most)
        return self.sure

    def _find_shortest(self, most: int) -> None:
        while self.sure <= most:
            goal = min(self.sure + max(self.sure, _LONGER_BY), most)
            self._layers += islice(self._coming, goal + 1 - len(self._layers))
            self._solver.add(*self.unrolled.taken())
            asked = self._layers[self.sure :]
            if not asked:
                self.sure = most + 1  # no play is longer
            elif (model := self._play_to(asked)) is not None:
                self._shorten(model)
                return
            else:
                self.sure = asked[-1].number + 1

    def with_also(self, condition: t.Bool) -> z3.ModelRef | None:
        """Return a play of *sure* moves of which *condition* is true, too."""
        return self._play_to(self._layers[self.sure : self.sure + 1], condition)

    def fewest(self, count: t.Integer, least: int) -> int:
        """Return the least value, from *least* on, that *count* has in a play of *sure* moves; who
        does not know says more.
        """
        assert self.model is not None
        most = number_of(self.model.eval(count, model_completion=True))
        while least < most:
            middle = (least + most) // 2
            try:
                fits = self.with_also(t.at_most(count, t.number(middle))) is not None
            except BudgetSpentError:
                return most
            least, most = (least, middle) if fits else (middle + 1, most)
        return most

    def _shorten(self, model: z3.ModelRef) -> None:
        """Look for plays that are shorter than that of *model*."""
        while (end := self._breaking_move(model)) > self.sure:
            shorter = self._play_to(self._layers[self.sure : end])
            if shorter is None:
                self.sure = end
            else:
                model = shorter
        self.model = model

    def _breaking_move(self, model: z3.ModelRef) -> int:
        """Return with which move the play of *model* breaks the property first."""
        later = self._layers[self.sure :]
        return next(
            layer.number
            for layer in later
            if z3.is_true(model.eval(layer.broken, model_completion=True))
        )

    def _play_to(
        self, layers: Sequence[UnrolledLayer], condition: t.Bool = t.TRUE
    ) -> z3.ModelRef | None:
        """Return a play that ends in one of *layers*; raises `BudgetSpentError` if the solver does
        not know of any.
        """
        self._solver.push()
        self._solver.add(t.any_of(layer.broken for layer in layers), condition)
        try:
            self._solver.set("rlimit", self.left.allow(self.left.most_units))
            answer = self._solver.check()
            if answer == z3.unknown:
                raise BudgetSpentError
            return self._solver.model() if answer == z3.sat else None
        finally:
            self._solver.pop()
