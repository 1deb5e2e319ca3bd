"""What the search of a page takes in Chromium, beside one native thread: whole positions, both
compiled beforehand, by turns.

usage: python -m bench.page [PLAYERS_DEPTH_CARDS_BUDGET ...] [--times N]

Playwright and Chromium have to be installed (tests/README.md). Seconds are of the clock, since a
browser tells no others, and of all times the least: other work on the machine is to be none.
"""

from __future__ import annotations

import argparse
import base64
import os
import shutil
from collections.abc import Callable
from importlib import resources
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.portable import drafted
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types.budget import Budget, Meter

from .instances import TABLE, Instance

_COMPILE = """
([code, tables]) => {
  const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
  window.module = new WebAssembly.Module(bytes);
  window.tables = tables;
}
"""
_SEARCH = """
() => {
  const { texts, limits, sizes } = window.tables;
  const began = performance.now();
  const search = new Search(new Kernel(window.module, 2 ** 30), texts.at(-1), 0, limits, sizes);
  if (search.begin()) for (const _ of search.run());
  const { positions, moves, layers } = search.counts;
  return [(performance.now() - began) / 1000, [positions, moves, layers]];
}
"""


def main() -> None:
    """Print a row for each instance that the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instances", nargs="*", default=["3_4_2_1"])
    parser.add_argument("--times", type=int, default=5, help="how often each is measured")
    given = parser.parse_args()
    with sync_playwright() as driver:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        for instance in map(Instance.named, given.instances):
            native, there = _native(instance), _in_page(instance, browser.new_page())
            times = [(native(), there()) for _ in range(given.times)]
            least, slower = (min(column) for column in zip(*times, strict=True))
            print(
                f"{instance} positions={TABLE[instance][0]} native_s={least:.3f} "
                f"chromium_s={slower:.3f} ratio={slower / least:.2f}"
            )
        browser.close()


def _native(instance: Instance) -> Callable[[], float]:
    """Return what searches natively, compiled, and returns the seconds."""
    emitted = emit(Layout(*instance.question()))
    search(emitted, Meter(Budget()), small=0)

    def run() -> float:
        began = perf_counter()
        counts = search(emitted, Meter(Budget()), small=0).counts
        seconds = perf_counter() - began
        assert (counts.positions, counts.moves, counts.layers) == TABLE[instance]
        return seconds

    return run


def _in_page(instance: Instance, page: Any) -> Callable[[], float]:
    """Return what searches in *page*, compiled, and returns the seconds."""
    game, room = drafted(*instance.question(), (), ()), resources.files("stacklaw.reports.page")
    page.add_script_tag(
        content="\n".join(
            (room / f"{name}.js").read_text(encoding="utf-8") for name in ("kernel", "search")
        )
    )
    page.evaluate(_COMPILE, [base64.b64encode(game.searches()[-1][0]).decode(), game.tables])

    def run() -> float:
        seconds, counts = page.evaluate(_SEARCH)
        assert tuple(counts) == TABLE[instance]
        return float(seconds)

    return run


if __name__ == "__main__":
    main()
