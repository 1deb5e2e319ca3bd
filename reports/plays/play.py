"""A play as a judge would retell it, as data: what `explain` makes and every renderer reads.

All texts are finished words; a renderer lays them out and adds nothing. What did not change at a
moment is not in its lists, so that no renderer has to repeat it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """An item lying on a zone: what it is called in this play, whose it is, and the spotlight it stands for, if any."""

    label: str
    seat: int
    spotlight: str = ""


@dataclass(frozen=True)
class Pile:
    """A zone with its items, the next to leave first; *role* is ``stack``, ``waiting`` or empty, *order* ``lifo`` and so on."""

    zone: str
    role: str
    order: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Change:
    """Something that is now different; *before* is empty where only the new value tells anything."""

    subject: str
    before: str
    after: str


@dataclass(frozen=True)
class Moment:
    """A moment of the play: the start (number 0), or a move and the position it leads to.

    *mover* is a player's letter, ``the rules`` or ``the cards``, *seat* the player's seat; *choices*
    and *events* are sentences, *decided* the conditions that decided where the clause went on.
    *priority* names who has priority now. *piles* are all zones, *changed_piles* the names of those
    that changed. *line* is the clause's line in the ruleset.
    """

    number: int
    clause: str
    title: str
    mode: str
    cites: tuple[str, ...]
    line: int
    mover: str
    seat: int | None
    choices: tuple[str, ...]
    events: tuple[str, ...]
    decided: tuple[str, ...]
    changes: tuple[Change, ...]
    stage: str
    stage_title: str
    active: str
    step: str
    step_changed: bool
    priority: tuple[str, ...]
    holders: tuple[int, ...]
    priority_changed: bool
    piles: tuple[Pile, ...]
    changed_piles: tuple[str, ...]
    over: bool


@dataclass(frozen=True)
class Finding:
    """A part of the formula, said of this play, and whether it holds at the deciding moment.

    *moment* is the earlier moment that a part about the past refers to, None if there is none.
    """

    text: str
    holds: bool
    moment: int | None = None


@dataclass(frozen=True)
class Window:
    """Who had priority at *moment*, and the clause that brought this about."""

    moment: int
    holders: tuple[str, ...]
    clause: str
    title: str


@dataclass(frozen=True)
class Barred:
    """A move that somebody might have wished for, and what stood against it at *moment*: what was so, as conditions in words."""

    moment: int
    clause: str
    title: str
    because: tuple[str, ...]


@dataclass(frozen=True)
class Denial:
    """Why *player* had no window: who held priority instead from moment *first* to *last*, and what was barred."""

    player: str
    first: int
    last: int
    subject: str
    windows: tuple[Window, ...]
    barred: tuple[Barred, ...]


@dataclass(frozen=True)
class Play:
    """A whole play. *ending* says what its last moment does: ``breaks``, ``shows`` or, of a random play, ``stops``.

    *conclusion* says that in a sentence, empty where nothing is decided. A play that goes on for ever goes back from its last
    moment to moment number *loop*, and round and round; or the moves after moment number *growth* can be made again and again, and
    each time the zones in *more* have so many items more. None if it does not.
    """

    players: int
    ending: str
    spotlights: tuple[tuple[str, str], ...]
    moments: tuple[Moment, ...]
    findings: tuple[Finding, ...] = ()
    denials: tuple[Denial, ...] = ()
    conclusion: str = ""
    loop: int | None = None
    growth: int | None = None
    more: tuple[tuple[str, int], ...] = ()

    @property
    def again_from(self) -> int | None:
        """The moment after which all moves can be made again and again, None if there is none."""
        return self.growth if self.loop is None else self.loop

    @property
    def course(self) -> Hashable:
        """What happens in it, the same for two plays just if they have the same moves, whatever they decide."""
        moves = tuple((m.clause, m.mover, m.choices, m.events, m.changes, m.stage) for m in self.moments)
        return self.players, moves, self.loop, self.growth

    @property
    def round(self) -> tuple[int, int] | None:
        """The first and the last move of those that are made again and again, None if there are none."""
        return None if self.again_from is None else (self.again_from + 1, self.moments[-1].number)
