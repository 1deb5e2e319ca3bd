"""When a proof is cheaper than looking: seconds to prove each property for every size, beside those
of searches of growing scopes.

usage: python -m bench.symbolic (in the checkout) [--game NAME ...] [--property NAME ...] [--most
POSITIONS]
                                                  [--plots FOLDER] [--readme]

For every property of the catalogue that holds in a game's own scope: the proof, with what `stacklaw
check` tries and, if that is not enough or something must eventually happen, with what `--prove`
tries, and searches by players and by depth of the stack until one takes longer than the proof.
Prints a row for each and the tables of the readme, and draws two plots. All in processor time,
nothing kept from before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.moves.layout import Layout, TooWideError
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.prover.prover import LARGE, SMALL, ProofBudget, Prover
from stacklaw.checker.prover.workers import replies
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import MOST_PLAYERS, Scope, make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.diagnostics import InputError
from stacklaw.models.ir import Program
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.formula import Property
from stacklaw.properties.load import catalogue, catalogue_for, property_named

from .drawing import PLOTS, say_drawn
from .markdown import say
from .sizes import DEPTH, PLAYERS, Proving
from .told_proofs import by_game, by_property, draw_crossings, draw_proofs

DRAWN = "response_window"
"""The property whose searches are drawn by size."""
SIZES = {PLAYERS: (2, 3, 4, 6, 8, 12, 16), DEPTH: (1, 2, 4, 8, 16, 32, 64)}
STANDS = (Outcome.HOLDS, Outcome.IMPOSSIBLE)
"""What a search says of a property that may be proved for every size."""


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", nargs="*", default=list(game_names()), help="the games")
    parser.add_argument(
        "--property", nargs="*", default=[], help="the properties of the catalogue (default: all)"
    )
    parser.add_argument(
        "--most", type=int, default=3_000_000, help="the most positions that are searched"
    )
    parser.add_argument("--plots", type=Path, default=PLOTS, help="the folder for the plots")
    parser.add_argument(
        "--readme", action="store_true", help="write the tables into the readme, too"
    )
    given = parser.parse_args()
    measured: list[Proving] = []
    whole: dict[tuple[str, str], Mapping[int, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STACKLAW_CACHE"] = str(Path(folder) / "cache")
        start = _seconds_to_start()
        print(
            f"The process that looks for proofs takes {start:.2f} s to start, not counted below.",
            flush=True,
        )
        for game in given.game:
            for one in measure_game(load_game(game), given.property, given.most, start):
                measured.append(one)
                print(_row(one), flush=True)
            longest = max((one.proof or 0 for one in measured if one.game == game), default=0)
            whole |= {
                (game, axis): dict(_whole(load_game(game), axis, given.most, longest))
                for axis in SIZES
            }
    order = [entry.name for entry in catalogue()]
    measured.sort(key=lambda one: order.index(one.question))
    say("proofs by game", by_game(measured, whole), readme=given.readme)
    say("proofs by property", by_property(measured), readme=given.readme)
    say_drawn(
        lambda: [
            *draw_proofs(measured, given.plots),
            *draw_crossings(measured, whole, DRAWN, given.plots),
        ]
    )


def measure_game(
    program: Program, names: Sequence[str], most: int, start: float
) -> Iterator[Proving]:
    """Yield what was measured of each property of the catalogue that holds in the scope of
    *program*; *start* is not counted.
    """
    asked = [
        property_named(program, entry.name)
        for entry in catalogue_for(program)
        if not names or entry.name in names
    ]
    for verdict in _searched(program, asked, make_scope(program), most):
        # What every clause can do some day is many questions, each answered by a play.
        if verdict.outcome in STANDS and not verdict.property.is_of_clauses:
            yield _measured(program, verdict.property, most, start)


def _measured(program: Program, question: Property, most: int, start: float) -> Proving:
    """Return the seconds of a proof and, if there is one, those of the searches that take no
    longer, and the first that does.
    """
    is_progress = question.mode == "progress"
    proving = Proving(program.name, question.name, is_progress, False, None)
    for budget in (LARGE,) if is_progress else (SMALL, LARGE):
        seconds, why = _proved(program, question, budget.each)
        proving = replace(
            proving,
            is_hard=budget is LARGE,
            proof=None if why else max(seconds - start, 0.001),
            why=why,
        )
        if not why:
            searches = {
                axis: dict(_grown(program, question, axis, most, proving.proof or 0))
                for axis in SIZES
            }
            return replace(proving, searches=searches)
    return proving


def _proved(program: Program, question: Property, units: int) -> tuple[float, str]:
    """Return the processor time of the process that looks for a proof of *question*, and why there
    is none, if there is none.
    """
    before = _children()
    with closing(
        Prover(ProofBudget(units), workers=1).begin_attempts(program, Meter())
    ) as attempts:
        attempts.add(question)
        attempt = attempts.answers()[0]
    return (
        _children() - before,
        "" if attempt.proof is not None else attempt.reason or "no reason is known",
    )


def _seconds_to_start() -> float:
    """Return the processor time of a process that looks for proofs and is asked nothing that it
    could understand; the least of three.
    """
    least = float("inf")
    for _ in range(3):
        before = _children()
        list(replies([b"nothing"], 1, lambda: None))
        least = min(least, _children() - before)
    return least


def _children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _grown(
    program: Program, question: Property, axis: str, most: int, proof: float
) -> Iterator[tuple[int, float]]:
    """Yield the seconds of searches by size, up to the first that takes longer than the *proof*, or
    that would find more than *most*.

    A scope that is too small for what the property speaks of to happen is left out.
    """
    for size, scope in _scopes(program, axis):
        _forget_code()
        began = process_time()
        try:
            outcome = _searched(program, [question], scope, most)[0].outcome
        except InputError:
            yield size, inf  # more than any machine can look at
            return
        seconds = process_time() - began
        if outcome != Outcome.VACUOUS:
            yield size, seconds
        if outcome not in (*STANDS, Outcome.VACUOUS) or seconds > proof:
            return


def _whole(program: Program, axis: str, most: int, longest: float) -> Iterator[tuple[int, float]]:
    """Yield the seconds of searches of whole positions by size, up to the first that takes longer
    than the *longest* proof.
    """
    for size, scope in _scopes(program, axis):
        _forget_code()
        began = process_time()
        try:
            stopped = search(emit(Layout(program, scope)), Meter(Budget(positions=most))).stopped
        except TooWideError:
            return
        seconds = process_time() - began
        yield size, seconds
        if stopped or seconds > longest:
            return


def _forget_code() -> None:
    """Let nothing be compiled before the next search."""
    shutil.rmtree(os.environ["STACKLAW_CACHE"], ignore_errors=True)


def _scopes(program: Program, axis: str) -> Iterator[tuple[int, Scope]]:
    """Yield the sizes along *axis*, each with its scope; the rest is as the ruleset says."""
    least, limit = program.players
    for size in SIZES[axis]:
        if axis == DEPTH:
            yield (
                size,
                make_scope(
                    program, None, {zone.name: size for zone in program.zones_tagged("stack")}
                ),
            )
        elif limit != least and least <= size <= (limit or MOST_PLAYERS):
            yield size, make_scope(program, size)


def _searched(
    program: Program, questions: Sequence[Property], scope: Scope, most: int
) -> list[Verdict]:
    return check(program, questions, scope, Budget(positions=most), engine=Explicit(Interpreter))


def _row(one: Proving) -> str:
    says = f"{one.game:6} {one.question:29}"
    if one.proof is None:
        return f"{says} no proof: {one.why}"
    return f"{says} proved in {one.proof:6.2f} s" + "".join(
        _line(one, axis, line) for axis, line in (one.searches or {}).items() if line
    )


def _line(one: Proving, axis: str, line: Mapping[int, float]) -> str:
    last, crossing = max(line), one.crossing(axis)
    where = f"cheaper than a search from {crossing} on" if crossing else "cheaper than no search"
    took = "refused" if line[last] == inf else f"{line[last]:.2f} s"
    return f"; by {axis} {where} (searched to {last}: {took})"


if __name__ == "__main__":
    main()
