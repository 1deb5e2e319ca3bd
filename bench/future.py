"""What it costs to decide what nests words about the future, beside one response property of the
same positions under today's assumptions.

usage: python -m bench.future [GAME ...] [--players N] [--times N] [--readme]

Each search is made again and again in this process, its code compiled before: what counts is the
least processor time. A row is asked of positions sliced and turned as `stacklaw check` has them.
Where it watches more (what is owed, or for a longer time) it finds more of them, so the times are
told for each million as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.ir import Program
from stacklaw.models.ir.analysis import passes
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.formula import Property
from stacklaw.properties.load import property_of_text

from .markdown import say, table

PLAIN, NESTED, OFTEN = "a response", "the same, nested", "if turns end again and again"
_ENDS = "assuming players act only finitely often\n  assuming cards act only finitely often\n  "
_HAS, _PASSES = "p has priority", "(p passes or (game is over))"
_NESTED = f"for every player p: always ({_HAS} implies (eventually {_PASSES}))"
ASKED = {
    PLAIN: f"{_ENDS}for every player p: {_HAS} leads to {_PASSES}",
    NESTED: f"{_ENDS}{_NESTED}",
    OFTEN: f"{_ENDS}assuming again and again turn ends\n  {_NESTED}",
}


@dataclass(frozen=True)
class Cost:
    """What *asked* of *game* took: seconds of processor time, and how many positions the searches
    found.
    """

    game: str
    asked: str
    seconds: float
    positions: int


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    given = parser.parse_args()
    costs = [
        cost
        for game in given.games or game_names()
        for cost in measured(load_game(game), given.players, given.times)
    ]
    head = [
        "game",
        "asked",
        "positions",
        "processor seconds",
        "as many times",
        "for each million",
        "as many times",
    ]
    say("future", table(head, [*rows(costs)]), readme=given.readme)


def measured(program: Program, players: int, times: int) -> Iterator[Cost]:
    """Yield what each question costs at a table of *players*."""
    fair = {
        f"whoever may do {clause} again and again does": _fair(clause)
        for clause in _choices(program)
    }
    for name, text in {**ASKED, **fair}.items():
        question = property_of_text(program, "asked", text)
        taken = [_taken(program, question, players) for _ in range(times + 1)][
            1:
        ]  # the first one compiles
        yield Cost(program.name, name, min(seconds for seconds, _ in taken), taken[0][1])


def _choices(program: Program) -> list[str]:
    """Return a clause by which players act, and one by which they pass: the first of each."""
    may = [clause for _, clause in program.clauses if clause.mode == "may"]
    return [
        next(clause.id for clause in may if passes(clause.body) is does) for does in (False, True)
    ]


def _fair(clause: str) -> str:
    """Return what is asked of the plays in which a player who may use *clause* again and again does
    so.
    """
    may = f"(again and again (clause {clause} is possible and p has priority))"
    return f"assuming {may} implies (again and again p uses {clause})\n  {_NESTED}"


def _taken(program: Program, question: Property, players: int) -> tuple[float, int]:
    """Return the processor time that deciding *question* takes, and how many positions were
    found.
    """
    scope, begun = make_scope(program, players), process_time()
    ((_, counts),) = Explicit(Interpreter).decide(program, [question], scope, Meter())
    return process_time() - begun, counts.positions


def rows(costs: list[Cost]) -> Iterator[list[str]]:
    """Yield the rows of the table, each beside that of `PLAIN`."""
    plain = {cost.game: cost for cost in costs if cost.asked == PLAIN}
    for cost in costs:
        base = plain[cost.game]
        each, of_base = (1e6 * one.seconds / max(one.positions, 1) for one in (cost, base))
        numbers = [
            f"{cost.positions:,}",
            f"{cost.seconds:.2f}",
            f"{cost.seconds / base.seconds:.2f}",
            f"{each:.2f}",
            f"{each / of_base:.2f}",
        ]
        yield [cost.game, cost.asked, *numbers]


if __name__ == "__main__":
    main()
