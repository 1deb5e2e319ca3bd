"""What it costs to decide what players can enforce, beside a plain search of the same positions.

usage: python -m bench.enforced [GAME ...] [--players N] [--stack N] [--times N] [--readme]

Both watch the same formula in positions sliced alike, nothing turned: the search goes through all
of them; the game also records who decides what, for every choice of players at once, and is solved.
Each is made again and again in this process, its code compiled before: what counts is the least
processor time. A game may have more positions, so times are told for as many.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from time import process_time

from stacklaw.checker.explicit.emit.emit import emit_watched
from stacklaw.checker.explicit.emit.game import goals_of, write_game
from stacklaw.checker.explicit.emit.groups import Abstraction, FormulaBatch, Group
from stacklaw.checker.explicit.games.arena import OpenCutError, PackedArena
from stacklaw.checker.explicit.games.solve import Solving
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.slicing.slice import Slice
from stacklaw.checker.strategies.arena import kept_for, slicer_for
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models.ir import Program
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.formula import Property
from stacklaw.properties.load import property_of_text

from .markdown import say, table

MOST_TIMES = 4
"""What is asked: how many times as long as a search it may take to decide what is to hold always,
or to happen once.
"""
SAFETY, REACHING, FAIR = "never", "eventually", "eventually, if others act only finitely often"
_RESOLVES = (
    "for some player p: p can enforce eventually (something resolves and previously p has priority)"
)
ASKED = {
    SAFETY: "for some player p: p can enforce never (p has priority and turn ends)",
    REACHING: _RESOLVES,
    FAIR: "assuming others act only finitely often\n  assuming cards act only finitely often\n  "
    f"{_RESOLVES}",
}
_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Taken:
    """How many *positions* were found in how many *seconds*. For a game it also has the *edges*,
    the seconds to solve it, and the mebibytes of its arrays.
    """

    seconds: float
    positions: int
    solving: float = 0
    edges: int = 0
    mebibytes: float = 0


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--stack", type=int)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    given = parser.parse_args()
    rows = []
    for program in map(load_game, given.games or game_names()):
        sizes = {} if given.stack is None else {"stack": given.stack}
        scope = make_scope(program, min(given.players, program.players[1] or given.players), sizes)
        rows += [row(program, scope, asked, given.times) for asked in ASKED]
    head = [
        "game",
        "players",
        "asked",
        "positions",
        "edges",
        "MiB",
        "seconds: searched",
        "the game",
        "solved",
        "as many times",
        "",
    ]
    say("enforced", table(head, rows), readme=given.readme)


def row(program: Program, scope: Scope, asked: str, times: int) -> list[str]:
    """Return what *asked* costs within *scope*, beside a search."""
    question = property_of_text(program, "asked", ASKED[asked])
    slicer = slicer_for(program, scope, question)
    kept = None if slicer is None else kept_for(slicer, question)
    searches = [_searched(program, scope, question, kept) for _ in range(times + 1)][
        1:
    ]  # the first one compiles
    games = [_played(program, scope, question, kept) for _ in range(times + 1)][1:]
    plain, one = (
        min(searches, key=lambda taken: taken.seconds),
        min(games, key=lambda taken: taken.seconds + taken.solving),
    )
    searched = plain.seconds * one.positions / plain.positions
    factor = (one.seconds + one.solving) / searched
    met = "" if asked == FAIR else "met" if factor <= MOST_TIMES else "NOT met"
    sizes = [f"{one.positions:,}", f"{one.edges:,}", f"{one.mebibytes:,.0f}"]
    seconds = [f"{told:.2f}" for told in (searched, one.seconds, one.solving, factor)]
    return [program.name, str(scope.players), asked, *sizes, *seconds, met]


def _searched(program: Program, scope: Scope, question: Property, kept: Slice | None) -> Taken:
    """Search the positions that watch what *question* is about."""
    begun, (goal,) = process_time(), goals_of(question)
    group = Group(
        (FormulaBatch((Query(goal.formula, question.spotlights),)),), abstraction=Abstraction(kept)
    )
    positions = search(emit_watched(program, scope, group), Meter()).counts.positions
    return Taken(process_time() - begun, positions)


def _played(program: Program, scope: Scope, question: Property, kept: Slice | None) -> Taken:
    """Find the game for *question* and solve it; with room for what the scope cuts where nothing
    else says what becomes of it.
    """
    try:
        begun, found = (
            process_time(),
            PackedArena(write_game(program, scope, question, kept), question, Meter()),
        )
        found.find_all()
    except OpenCutError:
        begun, found = (
            process_time(),
            PackedArena(write_game(program, scope, question, kept, roomy=True), question, Meter()),
        )
        found.find_all()
    solving = process_time()
    Solving(found, lambda: None).won(beyond=True)
    return Taken(
        solving - begun,
        found.counts.positions,
        process_time() - solving,
        found.edges,
        found.room.taken / _MEBIBYTE,
    )


if __name__ == "__main__":
    main()
