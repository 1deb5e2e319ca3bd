"""Whether the bounded search finds the shortest play of every claim that fails or is possible, and
how long it takes.

usage: python -m bench.refutation (in the checkout) [--game NAME ...] [--property NAME ...] [--units
UNITS]

For every claim: the length of the explicit engine's shortest play in the ruleset's own scope, the
bound, and the play that the bounded search finds, replayed, which the explicit engine then has to
find in the scope of that play, too. Exits with 1 if they differ. All in processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

from stacklaw.checker.prover.concretise import decoded
from stacklaw.checker.replay.replay import decode_trace, encode_trace
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.bmc.bounded import least_moves
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.ir import Program
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.formula import Property
from stacklaw.properties.load import claims_of

from .markdown import table

UNITS = 400_000_000
"""Four times what `stacklaw check --smallest` spends on a question."""


@dataclass(frozen=True)
class Row:
    """Of a claim: how many moves the shortest play has in the game's own *scope*, the *least* at
    any size, and those of the play *found*.

    *agreed* says that the explicit engine's shortest in the scope of that play is as long.
    """

    game: str
    name: str
    scope: int
    least: int
    found: int | None
    agreed: bool
    seconds: float


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", nargs="*", choices=game_names(), default=game_names())
    parser.add_argument("--property", nargs="*", help="only these claims")
    parser.add_argument(
        "--units", type=int, default=UNITS, help="of each claim, in the solver's units"
    )
    given = parser.parse_args()
    rows: list[Row] = []
    for game in given.game:
        for row in measured(game, given.property, given.units):
            rows.append(row)
            print(
                f"{row.game:6s} {row.name:32s} {row.scope:3d} in its scope, at least "
                f"{row.least:3d}, found {row.found}, {row.seconds:.1f} "
                f"s{'' if row.agreed else '  NOT AGREED'}",
                flush=True,
            )
    print(f"\n{summary(rows)}\n")
    sys.exit(int(not all(row.agreed for row in rows)))


def measured(game: str, names: Sequence[str] | None, units: int) -> Iterator[Row]:
    """Yield a row for each claim of *game* that fails or is possible."""
    program = load_game(game)
    asked = [
        claim.property
        for claim in claims_of(program)
        if claim.claim.expect in ("fails", "possible") and _is_asked(claim.property)
    ]
    asked = [question for question in asked if names is None or question.name in names]
    for verdict in check(program, asked, make_scope(program)):
        if verdict.trace is not None:
            yield _row(program, verdict.property, len(verdict.trace.steps), units)


def _is_asked(question: Property) -> bool:
    return question.mode != "progress" and not question.is_of_clauses


def _row(program: Program, question: Property, moves: int, units: int) -> Row:
    begun = process_time()
    known = least_moves(program, question, moves, decoded, units)
    seconds = process_time() - begun
    found, agreed = None, False
    if known.play is not None:
        scope, trace = decode_trace(
            program, question, encode_trace(known.play.scope, known.play.numbers, known.play.trace)
        )
        found = len(trace.steps)
        (verdict,) = check(program, [question], scope)
        agreed = verdict.trace is not None and len(verdict.trace.steps) == found
    return Row(program.name, question.name, moves, known.moves, found, agreed, seconds)


def summary(rows: Sequence[Row]) -> str:
    """Return the table of the readme: a line for each game."""
    head = [
        "game",
        "claims",
        "longest play",
        "found as long as in its scope",
        "found shorter in larger zones",
        "not found",
    ]
    head += ["none shorter at any size", "seconds, middle", "most"]
    lines = []
    for game in dict.fromkeys(row.game for row in rows):
        of = [row for row in rows if row.game == game]
        shorter = [
            f"{row.name} ({row.found}, not {row.scope})"
            for row in of
            if row.found is not None and row.found < row.scope
        ]
        missing = [row.name for row in of if row.found is None]
        lines.append(
            [
                f"`{game}`", str(len(of)), str(max(row.scope for row in of)),
                str(sum(row.found == row.scope for row in of)), ", ".join(shorter) or "none",
                ", ".join(missing) or "none",
                str(sum(row.least == (row.found or row.scope) for row in of)),
                f"{median(row.seconds for row in of):.1f}", f"{max(row.seconds for row in of):.1f}",
            ]
        )  # fmt: skip
    return table(head, lines)


if __name__ == "__main__":
    main()
