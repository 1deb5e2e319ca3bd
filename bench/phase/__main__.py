"""Games of phase.rs as logs.

usage: python -m bench.phase FILE (in the checkout) [--players N] [--actions N] [--seed N]
                                  [--busy P] [--mana P] [--cards FILE]… [--some N] [--raw]

Plays one game, and writes what happens into FILE: native events, or with --raw what the engine
shows. The player who has priority does something with probability --busy, and makes mana for
nothing with probability --mana. --cards adds cards to those of cards.toml (rare.toml and more.toml
have some). With --some N the decks are of N kinds, drawn by lot. Needs phase-python, which `pip
install -e '.[engines]'` brings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

from .driving import dumps_of
from .engine import CARDS, cards_in, new_game, some_of
from .recorder import recorded


def main() -> int:
    """Play the game that the command line says; return 0, or 2 without an engine."""
    parser = argparse.ArgumentParser(prog="python -m bench.phase")
    parser.add_argument("file", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--actions", type=int, default=1_200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=float, default=0.6)
    parser.add_argument("--mana", type=float, default=0)
    parser.add_argument("--cards", type=Path, action="append", default=[])
    parser.add_argument("--some", type=int)
    parser.add_argument("--raw", action="store_true")
    asked = parser.parse_args()
    cards = [card for file in [CARDS, *asked.cards] for card in cards_in(file)]
    try:
        game = new_game(some_of(cards, asked.some, asked.seed), asked.players, asked.seed)
    except ImportError:
        print("phase-python is not here: pip install phase-python==0.103.0", file=sys.stderr)
        return 2
    dumps = dumps_of(game, random.Random(asked.seed), asked.busy, asked.actions, asked.mana)
    lines = dumps if asked.raw else recorded(dumps, asked.players)
    with asked.file.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
