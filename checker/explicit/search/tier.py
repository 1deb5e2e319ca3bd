"""Tiers: what a search asks of its engine, in plain Python (`interpreted`), in compiled code
(`compiled`) or on other machines (`..cluster`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, MutableMapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ....models.frozen import frozen
from ...types.budget import Meter
from ...types.verdict import Counts
from ..emit.emit import Emitted
from ..moves.layout import Words
from ..native.journal import Journal

_Asked = TypeVar("_Asked")
OnPause = Callable[[], object]
"""Called between the parts of what takes long; it may raise what ends that."""
Foresee = Callable[[OnPause], int]
"""How many positions there will be, about; 0 if that is unknown."""


def nobody_looks() -> None:
    """Let what takes long go on."""


def nothing_foreseen(_: OnPause) -> int:
    """Return 0: how many positions there will be is unknown."""
    return 0


class Tier(Protocol):
    """A search that is under way; *note* is what there is to say of it."""

    journal: Journal | None = None
    note: str = ""

    @property
    def bits(self) -> int:
        """The bits of the formulas that have been true at some moment."""

    @property
    def so_far(self) -> Counts:
        """How much there is so far."""

    def finish_layer(self) -> bool:
        """Expand the rest of the present layer; return False if some is left, as there is too much
        for this tier.
        """

    def next_layer(self) -> bool:
        """Go to the following layer; return False if there is none."""

    def settle(self) -> None:
        """Have everything counted that was found, before the search ends."""
        return

    def write_down(self) -> None:
        """Write down how far the search is."""
        return

    def makers(self, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return for each of *bits* the smallest position of layer *number* with a move that makes
        its formula true, if any has.
        """

    def leaders(self, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return for each of the *wanted* positions the smallest one of layer *number* that has a
        move to it, if any has.
        """

    def release(self) -> None:
        """Let go of what the search has taken."""
        return


@frozen
class SearchTask:
    """A search from the positions *starts* that watches the formula of number *which*, for the tier
    that is to do all of it.

    Layers are kept if *keep*. *hits* are those known so far, and what a checkpoint knows is put
    there. *take* raises KeyboardInterrupt if somebody has asked for the end; with *resume* it goes
    on from what the *journal* has. Without memory left, the search goes on in the folder *disk*
    (None: it ends).
    """

    emitted: Emitted
    which: int
    starts: Sequence[Words]
    meter: Meter
    keep: bool
    hits: MutableMapping[int, int]
    journal: Journal | None
    resume: bool
    take: Callable[[], None]
    disk: Path | None


@frozen
class Elsewhere:
    """Where a search goes on that has found more than *beyond* positions: it *begins* there anew,
    which costs less than moving them.
    """

    beyond: int
    begin: Callable[[SearchTask], Tier]


def noted(asked: Collection[_Asked], found: Sequence[Words]) -> dict[_Asked, Words]:
    """Return what was *found* for those of *asked* for which it is no row of zeros."""
    return {one: words for one, words in zip(asked, found, strict=True) if words[0]}


def led_back(
    ask: Callable[[int, Collection[_Asked]], dict[_Asked, Words]],
    number: int,
    asked: Collection[_Asked],
) -> dict[_Asked, Words]:
    """Return what a tier finds in layer *number*, which is there for all that is *asked* for."""
    found = ask(number, asked) if asked else {}
    if len(found) < len(asked):
        raise AssertionError("the search has lost its way back")
    return found
