"""A play as a judge would retell it, as data: what `explain` makes and every renderer reads.

All texts are finished words; a renderer lays them out and adds nothing. What did not change at a
moment is not in its lists, so that no renderer has to repeat it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

from ...models.frozen import frozen
from ...models.syntax import NamedSizes

DecisionSort = Literal["acts", "passes", "cards", ""]
"""What a move decides: a player does something or passes, cards cause something, or there is no
decision.
"""


@frozen
class Card:
    """An item lying on a zone: what it is called in this play, whose it is, and the spotlight it
    stands for, if any.
    """

    label: str
    seat: int
    spotlight: str


@frozen
class Pile:
    """A zone with its items, the next to leave first; *role* is ``stack``, ``waiting`` or empty,
    *order* ``lifo`` and so on.
    """

    zone: str
    role: str
    order: str
    cards: tuple[Card, ...]


@frozen
class Change:
    """Something that is now different; *before* is empty where only the new value tells anything.

    It is *bookkeeping* if the ruleset gives it no title and the question does not ask about it, or
    if it only notes that the player who passes has passed.
    """

    subject: str
    before: str
    after: str
    bookkeeping: bool


@frozen
class StateCell:
    """A value: of a variable, its entry for *player* if each has one, of a parameter or of an
    attribute.

    *words* are ``yes`` or ``no`` of a flag, the digits of a number, a word; a player's letter, or
    none for nobody; the letters of players.
    """

    name: str
    player: str
    kind: Literal["flag", "number", "word", "player", "players"]
    words: tuple[str, ...]


@frozen
class StateItem:
    """An item on a zone: its *kind*, whose it is, its attributes."""

    kind: str
    controller: str
    attributes: tuple[StateCell, ...]


@frozen
class PlayState:
    """A position with all that is in it: *arguments* of its stage, *variables*, and *zones* with
    their items from the first to the last.
    """

    arguments: tuple[StateCell, ...]
    variables: tuple[StateCell, ...]
    zones: tuple[tuple[str, tuple[StateItem, ...]], ...]


@frozen
class Moment:
    """A moment of the play: the start (number 0), or a move and the position it leads to.

    *mover* is a player's letter, ``the rules`` or ``the cards``, *seat* the player's seat;
    *decision* is what somebody decides with it. *choices* and *events* are sentences; *implied* are
    those of the events that the mover, the step or the turn say as well. *decided* are the
    conditions that decided where the clause went on. *priority* names who has priority now,
    *passed* are the seats of those whose pass still counts, where the rules note that in a set of
    players. *piles* are all zones, *changed_piles* the names of those that changed. *line* is the
    clause's line in the ruleset.
    """

    number: int
    clause: str
    title: str
    mode: str
    cites: tuple[str, ...]
    line: int
    mover: str
    seat: int | None
    decision: DecisionSort
    choices: tuple[str, ...]
    events: tuple[str, ...]
    implied: tuple[str, ...]
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
    passed: tuple[int, ...]
    piles: tuple[Pile, ...]
    changed_piles: tuple[str, ...]
    over: bool


@frozen
class Spared:
    """A player's act at move *moment*, by *clause*, that leaves something as it is; of the *others*
    there, *clear* always clear it.
    """

    moment: int
    clause: str
    title: str
    clear: int
    others: int


@frozen
class Finding:
    """A part of a formula or of a condition, said of this play, and whether it holds at the
    deciding moment.

    *moment* is the earlier moment that a part about the past refers to, None if there is none. Of a
    part about the position *since* is the move that last made it so, 0 if it was so at the start,
    and *until* the last moment at which it still is, None if that is the last of the play; *since*
    is None where a part is about the move itself. *spared* are the acts since then that leave it
    so, where the move was a pass of *passer*, or where other acts would not.
    """

    text: str
    holds: bool
    moment: int | None = None
    since: int | None = None
    until: int | None = None
    passer: str = ""
    spared: tuple[Spared, ...] = ()

    @property
    def move(self) -> int:
        """The move that it speaks of: the one that has made it so, or that it is about; 0 if that
        is the start, or the deciding move.
        """
        return (self.moment or 0) if self.since is None else 0 if self.is_over else self.since

    @property
    def is_over(self) -> bool:
        """Whether it says of a position how it was at *moment*, and that is no longer so at the
        end.
        """
        return self.since is not None and self.moment is not None and self.until is not None


@frozen
class Window:
    """Who had priority at *moment*, and the clause that brought this about."""

    moment: int
    holders: tuple[str, ...]
    clause: str
    title: str


@frozen
class Barred:
    """A window that a player would have had, by *clause*, and what stood against it: *because*,
    conditions in words.

    *moment* is the position in which that clause would have been used, or if it was used and went
    another way, the number of its move. *taken* is the move that was made instead, by the clause
    *by*, and *parts* are what made the conditions so.
    """

    moment: int
    clause: str
    title: str
    because: tuple[str, ...]
    taken: int
    by: str
    by_title: str
    parts: tuple[Finding, ...]


@frozen
class Denial:
    """Why *player* had no window: who held priority instead from moment *first* to *last*, and what
    was barred.
    """

    player: str
    first: int
    last: int
    subject: str
    windows: tuple[Window, ...]
    barred: tuple[Barred, ...]


@frozen
class Ground:
    """Why the move *moment* was made, or went where it went, by *clause*: a *condition* that was
    so, and what made its *parts* so.
    """

    moment: int
    clause: str
    title: str
    condition: str
    parts: tuple[Finding, ...]


@frozen
class Play:
    """A whole play. *ending* says what its last moment does: ``breaks``, ``expected`` where the
    author says that it does, ``shows`` or, of a random play, ``stops``.

    *conclusion* says that in a sentence, empty where nothing is decided. A play that goes on for
    ever goes back from its last moment to moment number *loop*, and round and round. Or the moves
    after moment number *growth* can be made again and again, and each time the zones in *more* have
    more items, by the number that stands there. Both numbers are None if it does not. *states* are
    the positions, whole, and *ways* tells each move from the others of its clause. The moves
    *apart* begin a line where the play is folded.
    """

    players: int
    ending: str
    spotlights: tuple[tuple[str, str], ...]
    moments: tuple[Moment, ...]
    findings: tuple[Finding, ...] = ()
    denials: tuple[Denial, ...] = ()
    grounds: tuple[Ground, ...] = ()
    conclusion: str = ""
    loop: int | None = None
    growth: int | None = None
    more: NamedSizes = ()
    states: tuple[PlayState, ...] = ()
    ways: tuple[str, ...] = ()
    apart: tuple[int, ...] = ()

    @property
    def cited(self) -> frozenset[int]:
        """The numbers of the moves that the reasons name."""
        barred = [one for denial in self.denials for one in denial.barred]
        parts = [
            *self.findings,
            *(part for one in barred for part in one.parts),
            *(part for one in self.grounds for part in one.parts),
        ]
        cited = [
            *(one.taken or one.moment for one in barred),
            *(ground.moment for ground in self.grounds),
        ]
        cited += [
            number for part in parts for number in (part.move, *(one.moment for one in part.spared))
        ]
        return frozenset(number for number in cited if number)

    @property
    def shown(self) -> frozenset[int]:
        """The numbers of the moments, before the last, of whose positions the reasons speak."""
        return frozenset(
            finding.moment
            for finding in self.findings
            if finding.is_over and finding.moment is not None
        )

    @property
    def again_from(self) -> int | None:
        """The moment after which all moves can be made again and again, None if there is none."""
        return self.growth if self.loop is None else self.loop

    @property
    def course(self) -> Hashable:
        """What happens in it: the same for two plays exactly if they have the same moves, even if
        they decide different questions.
        """
        moves = tuple(
            (m.clause, m.mover, m.choices, m.events, m.changes, m.stage) for m in self.moments
        )
        return self.players, moves, self.loop, self.growth

    @property
    def round(self) -> tuple[int, int] | None:
        """The first and the last move of those that are made again and again, None if there are
        none.
        """
        return None if self.again_from is None else (self.again_from + 1, self.moments[-1].number)
