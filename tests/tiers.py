"""Tiers of tests: `tiers.toml` names what takes longer than its tier allows; `pytest --tiers` adds
what it measures.

Processor time is what counts, of the test and of the processes that it waited for: a busy machine
changes little of it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import pytest

FILE = Path(__file__).with_name("tiers.toml")
MOST = {"slow": 0.5, "long": 1.5}
"""From how many seconds on a test belongs to a tier."""
PARTS = {"rare": 24, "long": 12}
"""Into how many parts the tests of a tier fall, of which a turn has one."""
HEAD = f"""# What takes longer than its mark says, measured by `pytest --tiers`: from
# {MOST["slow"]} s of processor time on a test is slow, from {MOST["long"]} s on it is long.
# Marks in the tests themselves say what asks the same of every game and reading.

# What README's command runs, however long it takes. A star stands for anything.
"""


class Tiers:
    """What `tiers.toml` says: the ids of tests that are `always` run, that are `slow`, that are
    `long`.
    """

    def __init__(self, file: Path = FILE) -> None:
        self.file, read = file, tomllib.loads(file.read_text(encoding="utf-8"))
        self.always = [str(one) for one in read["always"]]
        self.named = {tier: {str(one) for one in read[tier]} for tier in MOST}
        self.measured: dict[str, str] = {}

    def mark(self, items: Iterable[pytest.Item]) -> None:
        """Mark *items* slow or long, what is long being slow."""
        for item in items:
            for tier, named in self.named.items():
                if item.nodeid in named:
                    item.add_marker(tier)
            if item.get_closest_marker("long"):
                item.add_marker("slow")

    def measured_tier(self, item: pytest.Item, seconds: float) -> str:
        """Return the tier of *item*, which took *seconds* seconds, unless the marks in the tests
        themselves say so; else nothing.
        """
        marks = {mark.name for mark in item.own_markers} - {
            tier for tier, named in self.named.items() if item.nodeid in named
        }
        tiers = [tier for tier, least in MOST.items() if seconds >= least]
        known = bool(marks & {"long", *tiers[-1:]}) or any(
            _fits(pattern, item.nodeid) for pattern in self.always
        )
        return "" if known or not tiers else tiers[-1]

    def write(self) -> None:
        """Write the file anew, with what was measured."""
        for tier, named in self.named.items():
            named.difference_update(self.measured)
            named.update(id_ for id_, now in self.measured.items() if now == tier)
        texts = [
            _list("always", self.always),
            *(_list(tier, sorted(ids)) for tier, ids in self.named.items()),
        ]
        self.file.write_text(HEAD + "\n".join(texts), encoding="utf-8")


def _fits(pattern: str, id_: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), id_) is not None


def _list(name: str, ids: Iterable[str]) -> str:
    # A literal string of TOML has no escapes, so it is read as it stands; what has a quote or a
    # line break has to be a basic one.
    return "\n".join([f"{name} = [", *(f"  {_text(id_)}," for id_ in ids), "]", ""])


def _text(id_: str) -> str:
    if id_.isprintable() and "'" not in id_:
        return f"'{id_}'"
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in id_)
    return f'"{escaped}"'


def processor_time() -> float:
    """Return the seconds that this process and those it has waited for have taken."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def has_turn(item: pytest.Item, turn: int) -> bool:
    """Whether *item* is in the part of its tier whose *turn* it is; what is in no tier has every
    turn.
    """
    parts = next((parts for tier, parts in PARTS.items() if item.get_closest_marker(tier)), 1)
    return crc32(item.nodeid.encode()) % parts == turn % parts
