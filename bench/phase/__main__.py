"""Games of phase.rs as logs.

usage: python -m bench.phase FILE (in the checkout) [--players N] [--actions N] [--seed N]
                                  [--busy P] [--raw]

Plays one game, in which whoever has priority does something with probability P, and writes what
happens into FILE: native events, or with --raw what the engine shows. Needs phase-python, which
`pip install -e '.[engines]'` brings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

from .driving import dumps_of
from .engine import CARDS, cards_in, new_game
from .recorder import recorded


def main() -> int:
    """Play the game that the command line says; return 0, or 2 without an engine."""
    parser = argparse.ArgumentParser(prog="python -m bench.phase")
    parser.add_argument("file", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--actions", type=int, default=1_200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=float, default=0.6)
    parser.add_argument("--raw", action="store_true")
    asked = parser.parse_args()
    try:
        game = new_game(cards_in(CARDS), asked.players, asked.seed)
    except ImportError:
        print("phase-python is not here: pip install phase-python==0.103.0", file=sys.stderr)
        return 2
    dumps = dumps_of(game, random.Random(asked.seed), asked.busy, asked.actions)
    lines = dumps if asked.raw else recorded(dumps, asked.players)
    with asked.file.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
