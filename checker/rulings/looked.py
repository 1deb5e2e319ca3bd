"""Looked at: what an answer says of all plays from somewhere on, as far as a formula can say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..situations.events import Happening
from ..situations.line import Line
from ..situations.vocabulary import Fit


@dataclass(frozen=True)
class AskedAct:
    """What a player would do: the moves that *fit*, with the *others* they choose; if it is None
    any *sort*: an act, one that puts something where it answers what waits, a pass, or any use of
    priority.
    """

    fit: Fit | None = None
    others: tuple[int, ...] = ()
    sort: Literal["act", "answer", "pass", "priority"] = "act"


@dataclass(frozen=True)
class Looked:
    """Whether the player at *seat* can be *doing* something where *line* ends, or from there on
    before *end*.

    With nothing to do it is asked who is the first to have priority after that.
    """

    line: Line
    seat: int
    doing: AskedAct | None
    end: Happening | None = None
