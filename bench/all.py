"""Explore the rows of the family's table, and compare positions, moves and layers with it.

usage: python -m bench.all [--most POSITIONS]
"""

from __future__ import annotations

import argparse
import resource
from time import perf_counter

from stacklaw.checker.budget import Meter
from stacklaw.checker.explicit.emit import emit
from stacklaw.checker.explicit.layout import Layout
from stacklaw.checker.explicit.search import search
from stacklaw.checker.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source

from .explore import FAMILY

TABLE = {
    (2, 2, 1, 1): (5_160, 6_162, 81),
    (2, 3, 2, 1): (77_336, 96_186, 105),
    (3, 3, 1, 1): (125_514, 149_328, 153),
    (4, 3, 1, 1): (1_925_576, 2_284_228, 245),
    (4, 4, 1, 1): (2_901_320, 3_396_196, 245),
    (4, 3, 1, 2): (5_306_480, 6_822_648, 252),
    (3, 4, 2, 1): (8_071_899, 9_968_970, 195),
    (3, 5, 2, 1): (13_861_509, 16_915_962, 195),
    (4, 4, 1, 3): (19_257_304, 26_172_620, 259),
    (3, 4, 2, 2): (24_654_252, 31_909_785, 201),
    (3, 5, 2, 2): (50_527_164, 64_107_771, 201),
    (4, 4, 2, 1): (349_186_536, 429_891_796, 309),
}
"""Players, depth, cards and budget, with the positions, moves and layers that every explorer finds."""


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=60_000_000, help="leave out the rows with more positions")
    most = parser.parse_args().most
    text = FAMILY.read_text(encoding="utf-8")
    for (players, depth, cards, budget), expected in TABLE.items():
        if expected[0] > most:
            continue
        program = load(Source("family.rules", text), {"depth": str(depth), "cards": str(cards), "budget": str(budget)})
        began = perf_counter()
        layout = Layout(program, make_scope(program, players, {"stack": depth}))
        counts = search(emit(layout), Meter(), expected=expected[0]).counts
        found = (counts.positions, counts.moves, counts.layers)
        verdict = "as in the table" if found == expected else f"NOT {expected}"
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        seconds = perf_counter() - began
        size = f"{players} {depth} {cards} {budget}  {layout.bits} bits"
        print(f"{size}  {found}  {seconds:8.2f} s  {memory:6} MiB  {verdict}", flush=True)


if __name__ == "__main__":
    main()
