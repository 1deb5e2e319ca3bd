"""What a person waits for: `stacklaw check` of every game, first and again; large scopes; slices;
compiling.

usage: python -m bench.games (in the checkout) [--only PART ...] [--time SECONDS] [--readme]

Prints a table for each part as the readme has it, and whether what is asked of it is met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from time import process_time

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout, TooWideError
from stacklaw.checker.explicit.native.machine import BEST, QUICK, machine_for
from stacklaw.checker.types.scope import scope_of
from stacklaw.models.load import game_names, load_game

from .markdown import say, table
from .measure import Measured, measure, with_cache

FIRST, AGAIN, COMPILING, TIMES = 4.0, 1.5, 5.0, 20.0
"""What is asked: seconds of the first check and of one again, and of compiling; how many times
faster slices make a check.
"""
ALL = ("--engine", "all")
_WAYS: tuple[tuple[str, list[str]], ...] = (
    ("slices and symmetry", []),
    ("no slices", ["--no-slice"]),
    ("neither slices nor symmetry", ["--no-slice", "--no-symmetry"]),
)
_SHORT, _LONG = 5.0, 30.0
"""Seconds of a check: of shorter ones the least of three is measured; of longer ones the first,
compiling included.
"""
_ANSWERS = (0, 1, 3)
"""The exit codes of a check that came to an end."""


def main() -> None:
    """Do what the command line says."""
    parts = {"check": check, "large": large, "slices": slices, "compiling": compiling}
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", choices=parts, default=list(parts))
    parser.add_argument(
        "--time", type=float, default=60.0, help="the budget of each large check, in seconds"
    )
    parser.add_argument(
        "--readme", action="store_true", help="write the tables into the readme, too"
    )
    given = parser.parse_args()
    for name in given.only:
        say(name, parts[name](given.time), readme=given.readme)


def check(_: float) -> str:
    """Return the times to check every game in its own scope, with nothing kept and again, with
    proofs as anybody would and without.
    """
    print(
        f"\nstacklaw check GAME, by the clock (processor time): of mtg the first at most {FIRST:g}"
        f" s, and again at most {AGAIN:g} s"
    )
    rows = []
    for game in game_names():
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            whole = [_checked([game], folder, *ALL) for _ in range(2)]
            searched = [_checked([game], other) for _ in range(2)]
        met = _met(whole[0].seconds <= FIRST and whole[1].seconds <= AGAIN) if game == "mtg" else ""
        rows.append([game, *map(_times, (*whole, *searched)), _verdicts(whole[0]), met])
    return table(
        ["", "first", "again", "explicit engine alone: first", "again", "decided", ""], rows
    )


def large(seconds: float) -> str:
    """Return the times to check every game with a stack of 6 and 4 players, or its most."""
    print(
        f"\nstacklaw check GAME --players 4 --stack 6 --time {seconds:g}, by the clock (processor "
        "time)"
    )
    rows = []
    for game in game_names():
        most = load_game(game).players[1]
        players = str(4 if most is None else min(4, most))
        with tempfile.TemporaryDirectory() as folder:
            run = _checked(
                [game, "--players", players, "--stack", "6", "--time", f"{seconds:g}"], folder
            )
        rows.append([game, players, _times(run), f"{run.mebibytes:,.0f}", _verdicts(run)])
    return table(["", "players", "seconds", "MiB", "decided"], rows)


def slices(_: float) -> str:
    """Return the times to check mtg with 3 players, with slices and without, with everything kept
    that is kept between checks.
    """
    print(
        "\nstacklaw check mtg --players 3, with slices and without, in processor time: at least "
        f"{TIMES:g} times faster"
    )
    rows = []
    for stack, ways in ((3, _WAYS), (4, _WAYS[:2])):
        whole, part = list[float](), list[float]()
        for label, flags in ways:
            with tempfile.TemporaryDirectory() as folder:
                command = ["mtg", "--players", "3", "--stack", str(stack), *flags]
                first = _checked(command, folder)
                again = 0 if first.processor > _LONG else 1 if first.processor > _SHORT else 3
                runs = [_checked(command, folder) for _ in range(again)] or [first]
                told = [_answered("mtg", 3, stack, flags, folder) for _ in runs]
            whole.append(min(run.processor for run in runs))
            part.append(min(told))
            rows.append(
                [
                    str(stack),
                    label,
                    *(_in_times(times) for times in (whole, part)),
                    _verdicts(runs[0]),
                ]
            )
    return table(
        ["stack", "", "whole command", "from rules read to verdicts known", "decided"], rows
    )


def _answered(game: str, players: int, stack: int, flags: Sequence[str], folder: str) -> float:
    """Return the processor time that is left of a check when the rules are read."""
    command = [sys.executable, "-m", "bench.answer", game, str(players), str(stack), *flags]
    return float(json.loads(measure(command, with_cache(folder)).text.splitlines()[-1])["seconds"])


def _in_times(times: Sequence[float]) -> str:
    """Return the last of *times*, and how many times as long it is as the first, if it is not the
    first.
    """
    ratio = times[-1] / times[0]
    return (
        f"{times[-1]:.2f}"
        if len(times) == 1
        else f"{times[-1]:.2f}: {ratio:.1f} times, {_met(ratio >= TIMES)}"
    )


def compiling(_: float) -> str:
    """Return the times to compile the text for all positions of every game, with 2 to 4 players and
    a stack of 6.
    """
    print(f"\nCompiling all moves of a game, in processor time: at most {COMPILING:g} s")
    rows = []
    for game in game_names():
        program = load_game(game)
        most = program.players[1] or 4
        for players in range(program.players[0], min(4, most) + 1):
            try:
                quick, best = _compiled(game, players)
            except TooWideError as error:
                rows.append([game, str(players), "", "", str(error)])
            else:
                rows.append(
                    [
                        game,
                        str(players),
                        f"{quick:.2f}",
                        f"{best:.2f}",
                        _met(quick + best <= COMPILING),
                    ]
                )
    return table(["", "players", "quickly", "well", ""], rows)


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


def _checked(arguments: list[str], folder: str, *engine: str) -> Measured:
    """Check a game by *engine*, the explicit one unless told otherwise, with what is kept in
    *folder*.
    """
    command = [
        sys.executable,
        "-m",
        "stacklaw",
        "check",
        *arguments,
        *(engine or ("--engine", "explicit")),
        "--format",
        "json",
    ]
    return measure(command, with_cache(folder), codes=_ANSWERS)


def _times(run: Measured) -> str:
    return f"{run.seconds:.2f} ({run.processor:.2f})"


def _verdicts(run: Measured) -> str:
    """Return how many of each verdict there are."""
    found = Counter(
        row["verdict"] for ruleset in _document(run)["rulesets"] for row in ruleset["rows"]
    )
    return ", ".join(f"{number} {name}" for name, number in sorted(found.items()))


def _document(run: Measured) -> Mapping[str, list[Mapping[str, list[Mapping[str, str]]]]]:
    # What is said on stderr, of progress or caches, comes before the document.
    document: Mapping[str, list[Mapping[str, list[Mapping[str, str]]]]] = json.loads(
        run.text[run.text.index("{\n") :]
    )
    return document


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


if __name__ == "__main__":
    main()
