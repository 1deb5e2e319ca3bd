"""Explore one instance of the benchmark family with the explicit engine, and say what it took.

usage: python bench/explore.py PLAYERS_DEPTH_CARDS_BUDGET [--sized POSITIONS] [--small POSITIONS]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from stacklaw.checker.budget import Meter
from stacklaw.checker.explicit.emit import emit
from stacklaw.checker.explicit.layout import Layout
from stacklaw.checker.explicit.search import SMALL, search
from stacklaw.checker.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source

FAMILY = Path(__file__).with_name("family.rules")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instance")
    parser.add_argument("--sized", type=int, default=0, help="how many positions the table is to have room for")
    parser.add_argument("--small", type=int, default=SMALL, help="how many positions are found in plain Python first")
    given = parser.parse_args()
    players, depth, cards, budget = map(int, given.instance.split("_"))
    settings = {"depth": str(depth), "cards": str(cards), "budget": str(budget)}
    program = load(Source("family.rules", FAMILY.read_text(encoding="utf-8")), settings)
    began = perf_counter()
    emitted = emit(Layout(program, make_scope(program, players, {"stack": depth})))
    result = search(emitted, Meter(), given.small, given.sized)
    seconds, counts = perf_counter() - began, result.counts
    print(f"positions={counts.positions} moves={counts.moves} layers={counts.layers} cut={counts.cut} search_s={seconds:.3f} {result.tier}")


if __name__ == "__main__":
    main()
