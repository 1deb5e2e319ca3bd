"""Check a game once its rules are read, and say what that took: the part of `stacklaw check` that
depends on how large the scope is.

usage: python -m bench.answer GAME PLAYERS STACK [--no-slice] [--no-symmetry]
"""

from __future__ import annotations

import argparse
import json
from time import process_time

from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import Tuning
from stacklaw.checker.types.scope import scope_of
from stacklaw.cli.asking.reading import read_target


def main() -> None:
    """Print as JSON the processor time from rules that are read to verdicts that are known, all
    plays told and replayed.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("stack", type=int)
    parser.add_argument("--no-slice", action="store_true")
    parser.add_argument("--no-symmetry", action="store_true")
    given = parser.parse_args()
    program, questions, _ = read_target(given.game, {}, (), with_claims=True)
    properties = list(dict.fromkeys(question for question, _, _ in questions))
    scope, tuning = (
        scope_of(program, given.players, given.stack, {}),
        Tuning(slicing=not given.no_slice, symmetry=not given.no_symmetry),
    )
    began = process_time()
    verdicts = check(program, properties, scope, engine=engine_named("explicit", tuning))
    print(
        json.dumps(
            {
                "seconds": process_time() - began,
                "outcomes": sorted(verdict.outcome.name for verdict in verdicts),
            }
        )
    )


if __name__ == "__main__":
    main()
