"""Answers: what a question comes to, as data that is compared and told, and what was looked at."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from ...models import ir
from ...models.frozen import frozen
from ...models.syntax import NamedSizes
from ..situations.events import Happening
from ..situations.line import Line
from ..situations.question import Inquiry
from ..situations.vocabulary import Fit
from ..situations.window import RESTING
from ..situations.words import words_of
from ..types.scope import Scope


@frozen
class AskedAct:
    """What a player would do: the moves that *fit*, with the *others* they choose; if it is None
    any *sort*: an act, one that puts something where it answers what waits, a pass, or any use of
    priority.
    """

    fit: Fit | None = None
    others: tuple[int, ...] = ()
    sort: Literal["act", "answer", "pass", "priority"] = "act"


@frozen
class Looked:
    """Whether the player at *seat* can be *doing* something where *line* ends, or from there on
    before *end*.

    With nothing to do it is asked who is the first to have priority after that.
    """

    line: Line
    seat: int
    doing: AskedAct | None
    end: Happening | None = None


RulingStatus = Literal["met", "not met", "undecided"]
_WITH_MORE_ROOM = {
    "no": ("only if", "yes, in every play"),
    "yes, in every play": ("not yet", "only if"),
}
"""What answers that rest on what no play shows may become with more room."""


@frozen
class RulingAnswer:
    """What is answered to *question*: a *head* (``yes, now``, ``A``, ``A's instant resolves``) with
    what it depends on, *detail*.

    *line* is the play that shows it, whose first *situation* moves are those of the situation;
    *clauses* decide it, the first one most. *can* are the moves open to the player who is asked
    about: clause ids. *barred* is the clause they would use and cannot. *listed* are the parts of
    an answer that is a list. *cut* says that the scope cut a move on the way, and *needs* how much
    room that takes; *stopped* that the search was. *looked* is what a formula can say of it.
    """

    question: Inquiry
    head: str
    detail: str
    line: Line = field(repr=False)
    situation: int = field(repr=False)
    clauses: tuple[str, ...] = ()
    can: tuple[str, ...] = ()
    barred: str = ""
    listed: tuple[str, ...] = ()
    cut: bool = False
    stopped: bool = False
    needs: NamedSizes = ()
    looked: Looked | None = field(default=None, repr=False)

    @property
    def said(self) -> str:
        """The head, no more than is known: what no play shows where the scope cut moves is said of
        the scope.
        """
        return f"{self.head} within the scope" if self.cut and self.head in RESTING else self.head

    @property
    def value(self) -> str:
        """What two answers are compared by."""
        return "; ".join((self.head, *sorted(self.listed))) if self.listed else self.kept

    @property
    def kept(self) -> str:
        """The answer as one line to keep: its head, and what the cards may cause then if it is no
        list.
        """
        is_caused_then = self.question.form == "cause" and self.detail and not self.listed
        return f"{self.head}; {self.detail}" if is_caused_then else self.head

    def may_become(self, expected: str) -> bool:
        """Whether more room than the scope has may make it *expected*."""
        others = _WITH_MORE_ROOM.get(self.head, ()) if self.cut else ()
        return any(
            all(one == other for one, other in zip(_plain(expected), _plain(head), strict=False))
            for head in others
        )

    def agrees(self, expected: str) -> bool:
        """Whether *expected* says the same: the same words but for articles; ``yes`` stands for
        each yes.

        What follows a semicolon, a colon or the end of a sentence may be left out by who expects
        it.
        """
        wanted = _plain(expected)
        if self.listed:
            return set(map(_plain, expected.split(";"))) == set(map(_plain, self.listed))
        return wanted in _forms(self)


def _plain(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in words_of(text) if word not in ("a", "an", "the"))


def _forms(answer: RulingAnswer) -> set[tuple[str, ...]]:
    head = _plain(answer.head)
    forms = {
        head,
        _plain(answer.said),
        *(_plain(f"{one} {answer.detail}") for one in (answer.head, answer.said)),
    }
    return forms | {("yes",)} if head[:1] == ("yes",) else forms


@frozen
class Ruling:
    """A question with its *answers*, one for each thing asked, in the game *program* within
    *scope*.

    For them the moves of *looked_at* positions were looked at.
    """

    text: str
    program: ir.Program = field(repr=False)
    scope: Scope = field(repr=False)
    answers: tuple[RulingAnswer, ...] = field(default_factory=tuple)
    looked_at: int = 0

    @property
    def value(self) -> str:
        """What two rulings are compared by."""
        return " / ".join(answer.value for answer in self.answers)

    def agrees(self, expected: str) -> bool:
        """Whether each answer is what is *expected*."""
        return self.status(expected) == "met"

    def status(self, expected: str) -> RulingStatus:
        """Return whether each answer is what is *expected*, undecided if it may be with more room;
        answers to several questions have `` / `` between them.
        """
        said = [part.strip() for part in expected.split(" / ")]
        said = said if len(said) == len(self.answers) else [expected] * len(self.answers)
        others = [
            (answer, one)
            for answer, one in zip(self.answers, said, strict=True)
            if not answer.agrees(one)
        ]
        if not others:
            return "met"
        may_be = all(answer.may_become(one) for answer, one in others)
        return "undecided" if may_be else "not met"
