"""What a person waits for: `stacklaw check` of every game, first and again; large scopes; slices; compiling.

usage: python -m bench.games (in the checkout) [--only PART ...] [--time SECONDS]

Prints a table for each part, and whether what is asked of it is met. Times are by the clock, beside them processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from time import process_time

from stacklaw.checker.explicit.emit import emit
from stacklaw.checker.explicit.layout import Layout, TooWideError
from stacklaw.checker.explicit.loading import machine_for
from stacklaw.checker.explicit.machine import BEST, QUICK
from stacklaw.checker.scope import scope_of
from stacklaw.models.load import game_names, load_game

from .measure import Measured, measure, with_cache

FIRST, AGAIN, COMPILING, TIMES = 4.0, 1.5, 5.0, 20.0
"""What is asked: seconds of the first check and of one again, and of compiling; how many times faster slices make a check."""
_ANSWERS = (0, 1, 3)
"""The exit codes of a check that came to an end."""


def main() -> None:
    """Do what the command line says."""
    parts = {"check": check, "large": large, "slices": slices, "compiling": compiling}
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", choices=parts, default=list(parts))
    parser.add_argument("--time", type=float, default=60.0, help="the budget of each large check, in seconds")
    given = parser.parse_args()
    for name in given.only:
        parts[name](given.time)


def check(_: float) -> None:
    """Check every game in its own scope, with nothing cached and again."""
    print(f"\nstacklaw check GAME --engine explicit: the first time (of mtg at most {FIRST:g} s), and again (of mtg at most {AGAIN:g} s)")
    for game in game_names():
        with tempfile.TemporaryDirectory() as folder:
            first, again = _checked([game], folder), _checked([game], folder)
        met = _met(first.seconds <= FIRST and again.seconds <= AGAIN) if game == "mtg" else ""
        print(f"  {game:6s} {_times(first)}   again {_times(again)}   {_verdicts(first)}  {met}", flush=True)


def large(seconds: float) -> None:
    """Check every game with 4 players, where so many can play, and a stack of 6."""
    print(f"\nstacklaw check GAME --players 4 --stack 6 --time {seconds:g}")
    for game in game_names():
        most = load_game(game).players[1]
        players = str(4 if most is None else min(4, most))
        with tempfile.TemporaryDirectory() as folder:
            run = _checked([game, "--players", players, "--stack", "6", "--time", f"{seconds:g}"], folder)
        print(f"  {game:6s} {players} players {_times(run)} {run.mebibytes:7.0f} MiB   {_verdicts(run)}", flush=True)


def slices(seconds: float) -> None:
    """Check mtg with 3 players, with slices and without, with code that is compiled already."""
    print(f"\nstacklaw check mtg --players 3, with slices and without: at least {TIMES:g} times faster")
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        for label, flags in (
            ("slices", []),
            ("no slices", ["--no-slice"]),
            ("neither slices nor symmetry", ["--no-slice", "--no-symmetry"]),
        ):
            command = ["mtg", "--players", "3", *flags, "--time", f"{seconds * 20:g}"]
            _checked(command, folder)
            runs[label] = _checked(command, folder)
            print(f"  {label:28s} {_times(runs[label])}   {_verdicts(runs[label])}", flush=True)
    for label in list(runs)[1:]:
        ratio = runs[label].processor / runs["slices"].processor
        print(f"  slices : {label:28s} {ratio:6.1f} times faster in processor time  {_met(ratio >= TIMES)}")


def compiling(_: float) -> None:
    """Compile the text for all positions of every game, with 2 to 4 players and a stack of 6."""
    print(f"\nCompiling all moves of a game, in processor time: at most {COMPILING:g} s")
    for game in game_names():
        program = load_game(game)
        most = program.players[1] or 4
        for players in range(program.players[0], min(4, most) + 1):
            try:
                times = _compiled(game, players)
            except TooWideError as error:
                print(f"  {game:6s} {players} players  {error}")
                continue
            quick, best = times
            print(
                f"  {game:6s} {players} players  quickly {quick:5.2f} s, well {best:5.2f} s  {_met(quick + best <= COMPILING)}", flush=True
            )


def _compiled(game: str, players: int) -> tuple[float, float]:
    program = load_game(game)
    emitted = emit(Layout(program, scope_of(program, players, 6, {})))
    times = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STACKLAW_CACHE"] = folder
        for level in (QUICK, BEST):
            began = process_time()
            machine_for(emitted, level)
            times.append(process_time() - began)
    return times[0], times[1]


def _checked(arguments: list[str], folder: str) -> Measured:
    """Check a game with the compiled code in *folder*."""
    command = [sys.executable, "-m", "stacklaw", "check", *arguments, "--engine", "explicit", "--format", "json"]
    return measure(command, with_cache(folder), codes=_ANSWERS)


def _times(run: Measured) -> str:
    return f"{run.seconds:7.2f} s ({run.processor:7.2f})"


def _verdicts(run: Measured) -> str:
    """Return how many of each verdict there are."""
    found = Counter(row["verdict"] for ruleset in _document(run)["rulesets"] for row in ruleset["rows"])
    return ", ".join(f"{number} {name}" for name, number in sorted(found.items()))


def _document(run: Measured) -> Mapping[str, list[Mapping[str, list[Mapping[str, str]]]]]:
    # What is said on stderr, of progress or caches, comes before the document.
    document: Mapping[str, list[Mapping[str, list[Mapping[str, str]]]]] = json.loads(run.text[run.text.index("{\n") :])
    return document


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


if __name__ == "__main__":
    main()
