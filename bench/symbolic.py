"""When a proof is cheaper than looking: seconds to prove a property for every size, beside those of searches of growing scopes.

usage: python -m bench.symbolic (in the checkout) [--game NAME ...] [--most POSITIONS] [--plots FOLDER]

Prints a row for each property of the catalogue that is proved of a game, and draws, for one property of each, the seconds of the
explicit engine by players and by depth of the stack, with the proof as a level line. All in processor time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from stacklaw.checker.budget import Budget
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.interpreter import Interpreter
from stacklaw.checker.run import check
from stacklaw.checker.scope import MOST_PLAYERS, make_scope
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.verdict import Outcome
from stacklaw.models.ir import Program
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.formula import Property
from stacklaw.properties.load import catalogue_for, property_named

from .plots import PLOTS, NoPlotsError, draw_proofs

DRAWN = "lifo"
SMALL_EFFORT = 5_000_000
SIZES = {"players": (2, 3, 4, 6, 8, 12, 16), "depth of the stack": (1, 2, 4, 8, 16, 32, 64)}
NOT_A_DEMAND = ("progress", "possible")


@dataclass(frozen=True)
class Growing:
    """How long searches took by the size along an *axis*, for a *game*, and how long the proof for every size."""

    game: str
    axis: str
    seconds: Mapping[int, float]
    proof: float

    @property
    def crossing(self) -> int | None:
        """The first size at which the search takes longer than the proof."""
        return next((size for size, seconds in self.seconds.items() if seconds > self.proof), None)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", nargs="*", default=list(game_names()), help="the games")
    parser.add_argument(
        "--seconds", type=float, default=60, help="the most seconds of a search; with the first that takes longer a line ends"
    )
    parser.add_argument("--plots", type=Path, default=PLOTS, help="the folder for the plot")
    given = parser.parse_args()
    grown: list[Growing] = []
    for name in given.game:
        program = load_game(name)
        proofs = dict(proved(program))
        if DRAWN in proofs:
            grown += _growing(program, proofs[DRAWN], given.most)
    try:
        print("\n".join(f"drawn: {path}" for path in draw_proofs(grown, DRAWN, given.plots)))
    except NoPlotsError as error:
        print(error)


def proved(program: Program) -> Iterator[tuple[str, float]]:
    """Yield the properties of the catalogue that are proved of *program*, with the seconds it took, each printed."""
    for entry in catalogue_for(program):
        question = property_named(program, entry.name)
        if question.mode in NOT_A_DEMAND or any(spotlight.kind == "clause" for spotlight in question.spotlights):
            continue
        began = process_time()
        answer = prove(program, question, SMALL_EFFORT)
        seconds = process_time() - began
        if isinstance(answer, Proof):
            print(f"{program.name:8} {entry.name:32} proved in {seconds:6.2f} s", flush=True)
            yield entry.name, seconds


def _growing(program: Program, proof: float, most: int) -> Iterator[Growing]:
    question = property_named(program, DRAWN)
    for axis, sizes in SIZES.items():
        seconds = dict(_searched(program, question, axis, _allowed(program, axis, sizes), most))
        if len(seconds) > 1:
            one = Growing(program.name, axis, seconds, proof)
            where = "nowhere searched" if one.crossing is None else f"from {one.crossing} on"
            print(f"{program.name}, {axis}: the search takes longer than the proof {where}", flush=True)
            yield one


def _allowed(program: Program, axis: str, sizes: Sequence[int]) -> list[int]:
    least, limit = program.players
    return [size for size in sizes if axis != "players" or least <= size <= (limit or MOST_PLAYERS)]


def _searched(program: Program, question: Property, axis: str, sizes: Sequence[int], most: int) -> Iterator[tuple[int, float]]:
    """Yield the seconds for each size until a scope has more than *most* positions."""
    for size in sizes:
        zones = {zone.name: size if axis != "players" else 2 for zone in program.zones_tagged("stack")}
        scope = make_scope(program, size if axis == "players" else None, zones)
        began = process_time()
        verdict = check(program, [question], scope, Budget(positions=most), engine=Explicit(Interpreter))[0]
        seconds = process_time() - began
        if verdict.outcome not in (Outcome.HOLDS, Outcome.VACUOUS):
            return
        print(f"{program.name:8} {question.name}, {scope}: {verdict.counts.positions:,} positions in {seconds:.2f} s", flush=True)
        yield size, seconds


if __name__ == "__main__":
    main()
