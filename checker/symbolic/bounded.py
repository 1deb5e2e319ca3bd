"""Bounded search: how many moves it takes at least, at any size, to break a property (or to show what it calls possible).

In comes a Program and a property, out goes a number of moves such that no play of fewer does it, whatever the number of players and the
sizes of the zones; for the encoding has every play of the rules, and the solver found none among those. Of a play that the encoding does
have nobody is told: the rules need not have it. It says only at which size somebody should look for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import z3

from ...models import ir
from ...properties import formula as f
from . import terms as t
from .effort import Effort, SpentError
from .encode import Precision, encoding
from .prove import precisions
from .system import System
from .unrolled import Layer, Unrolled
from .unsupported import UnsupportedError

EFFORT = 30_000_000
"""How much a solver may do for one question: about ten seconds."""
_LEAST, _PART = 4, 3
"""Plays are asked for that are so many moves longer than those that are known, or longer by one part in so many."""
_OTHER = "other player "


@dataclass(frozen=True)
class Bound:
    """That no play of fewer than *moves* moves does it, at any size.

    *players* are so many as a play of the encoding of so many moves has; None if there is no such play, or nobody knows.
    """

    moves: int
    players: int | None = None


def bound(program: ir.Program, question: f.Property, most: int, effort: int = EFFORT) -> Bound:
    """Return how many moves it takes at least, up to *most*, with so much *effort* (Z3's resource units) at most.

    What no encoding for an open number of players says is asked of the fewest players, of whom all are known, and of more.
    """
    question = replace(question, lemmas=())
    try:
        left = Effort(effort)
        found = _bound(program, question, most, left)
        least, limit = program.players
        if found.moves < most and least != limit:
            few = _bound(replace(program, players=(least, least)), question, most, left)
            more = _bound(replace(program, players=(least + 1, limit)), question, few.moves, left)
            found = max(found, min(few, more, key=_moves), key=_moves)
    except UnsupportedError:
        return Bound(0)
    return found


def _moves(one: Bound) -> int:
    return one.moves


def _bound(program: ir.Program, question: f.Property, most: int, left: Effort) -> Bound:
    """Return the best bound that the encodings for one number of players give, those that remember least first."""
    best = Bound(0)
    for system in _systems(program, question):
        try:
            found = _of_system(system, program.players[0], best.moves, most, left)
        except SpentError:
            break
        if found.moves > best.moves or found.players:
            best = found
        if best.moves >= most:
            break
    return best


def _of_system(system: System, players: int, known: int, most: int, left: Effort) -> Bound:
    """Return the bound that *system* gives, where plays of fewer than *known* moves need not be looked at.

    It is asked for plays that are a little longer than those of which it is known, all at once; of one that there is, for shorter ones.
    """
    unrolled = Unrolled(system)
    solver = left.solver(left.most)
    layers: list[Layer] = []
    coming = unrolled.layers(most - 1)
    sure = known
    while sure < most:
        asked = list(islice(coming, max(sure - len(layers), 0) + max(sure // _PART, _LEAST)))
        if not asked:
            break  # no play is longer
        layers += asked
        solver.add(*unrolled.taken())
        asked = [layer for layer in layers if layer.number >= sure]
        sure, model = _shortest(solver, asked, sure, left)
        if model is not None:
            count = unrolled.fixed.get("players")
            if isinstance(count, z3.ArithRef):
                players = _fewest(solver, layers[sure], count, players, _number(model, count))
            return Bound(sure, players)
        if asked and sure <= asked[-1].number:
            return Bound(sure)
    return Bound(most)


def _shortest(solver: z3.Solver, asked: list[Layer], sure: int, left: Effort) -> tuple[int, z3.ModelRef | None]:
    """Return how many moves a play has at least if it ends in one of the layers *asked* for or before, and such a play of so many.

    None has fewer than *sure* moves. If the solver does not know, there is no play, and fewer moves than those of the last layer.
    """
    model = None
    while asked:
        ends = z3.Bool(f"ends by {asked[-1].number}")
        solver.add(t.implies(ends, t.any_of(layer.broken for layer in asked)))
        try:
            solver.set("rlimit", left.share(left.most))
        except SpentError:
            return sure, None
        answer = solver.check(ends)
        if answer == z3.unsat:
            return asked[-1].number + 1, model
        if answer != z3.sat:
            return sure, None
        model = solver.model()
        asked = asked[: next(n for n, layer in enumerate(asked) if z3.is_true(model.eval(layer.broken, model_completion=True)))]
    return sure, model


def _fewest(solver: z3.Solver, layer: Layer, count: t.Number, least: int, most: int) -> int:
    """Return how many players a play needs that ends in *layer*: at least *least*, and *most* are enough. Who does not know says more."""
    while least < most:
        middle = (least + most) // 2
        solver.push()
        solver.add(layer.broken, t.at_most(count, t.number(middle)))
        answer = solver.check()
        solver.pop()
        if answer == z3.sat:
            most = middle
        else:
            least = middle + 1
    return most


def _number(model: z3.ModelRef, term: t.Term) -> int:
    value = model.eval(term, model_completion=True)
    assert isinstance(value, z3.IntNumRef)
    return int(value.as_long())


def _systems(program: ir.Program, question: f.Property) -> Iterator[System]:
    """Yield the systems of *question*, those that remember least first.

    A player more who is watched takes nothing away: whoever that is, every play has one. So as many are watched as there are in
    any case, and are different players.
    """
    least, most = program.players
    named = [spotlight.name for spotlight in question.spotlights if spotlight.kind == "player"]
    others = [f"{_OTHER}{number}" for number in range(least - len(named))] if least > 2 and least != most else []
    watched = replace(question, spotlights=(*question.spotlights, *(f.Spotlight("player", name) for name in others)))
    for precision in _precisions(program, question):
        encoded = encoding(program, watched, precision)
        seats = encoded.layout.context.players.spotlights
        apart = [t.negation(t.equal(seats[one], seat)) for one in others for other, seat in seats.items() if other != one]
        system = encoded.system()
        yield replace(system, given=t.all_of((system.given, *apart)))


def _precisions(program: ir.Program, question: f.Property) -> list[Precision]:
    """Return the encodings worth asking: of several that forget different things about players, the one that knows their order."""
    found = precisions(program, question)
    return [precision for precision in found if precision.seats] if program.players[0] > 2 else found
