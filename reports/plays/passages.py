"""Passages: a play in fewer lines, one for each decision, with what the rules then do by
themselves.

In: a `Play`. Out: its moves in passages, each told as one line. What the rules do without anybody
deciding belongs to the passage before it, and a round in which everybody passes is one. A move that
the reasons name begins a passage, and so do the last move of a play that decides something and the
first of those that are made again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, assert_never

from ...models.frozen import frozen
from ...models.words import join_words
from .play import Change, Moment, Pile, Play

_Group: TypeAlias = tuple[Moment, ...]


@frozen
class Passage:
    """Moves that are told together: the *start* of the play, a *round* in which everybody passes,
    or a *move* and what follows from it.

    *moments* are in the order of the play. *before* is the moment that it begins after, None at the
    start; *after* the move that comes next, None at the end.
    """

    kind: Literal["start", "round", "move"]
    moments: tuple[Moment, ...]
    before: Moment | None
    after: Moment | None

    @property
    def head(self) -> Moment:
        """The first of its moments."""
        return self.moments[0]

    @property
    def end(self) -> Moment:
        """The moment that it leads to."""
        return self.moments[-1]

    @property
    def numbers(self) -> str:
        """The numbers of its moves: ``5``, or ``5-8``."""
        return (
            str(self.end.number)
            if self.head is self.end
            else f"{self.head.number}-{self.end.number}"
        )

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses by which it goes on, each once: all of a round and of the start; otherwise
        all but the head's.
        """
        told = self.moments[1:] if self.kind == "move" else self.moments
        return tuple(dict.fromkeys(moment.clause for moment in told if moment.clause))

    @property
    def happens(self) -> tuple[str, ...]:
        """What is chosen and what happens, as sentences, but for what the mover, the step and the
        turn say.
        """
        sentences: list[str] = []
        for moment in self.moments:
            sentences += moment.choices if moment.decision else ()
            sentences += [event for event in moment.events if event not in moment.implied]
        return tuple(sentences)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The variables that are different at its end, as they were before and as they are then;
        nothing of bookkeeping.
        """
        joined: dict[str, Change] = {}
        for change in (change for moment in self.moments for change in moment.changes):
            first = joined.get(change.subject, change)
            bookkeeping = change.bookkeeping and first.bookkeeping
            joined[change.subject] = Change(change.subject, first.before, change.after, bookkeeping)
        return tuple(
            change
            for change in joined.values()
            if change.before != change.after and not change.bookkeeping
        )

    @property
    def changed_piles(self) -> tuple[Pile, ...]:
        """The zones that are different at its end, as they are then."""
        was = {} if self.before is None else {pile.zone: pile for pile in self.before.piles}
        changed = {zone for moment in self.moments for zone in moment.changed_piles}
        return tuple(
            pile for pile in self.end.piles if pile.zone in changed and pile != was.get(pile.zone)
        )

    @property
    def mover(self) -> str:
        """Who decides: a player, the rules or the cards, everybody in a round."""
        match self.kind:
            case "start":
                return "start"
            case "round":
                return "all"
            case "move":
                return "the cards" if self.head.decision == "cards" else self.head.mover
            case _:
                assert_never(self.kind)

    @property
    def title(self) -> str:
        """What is decided: the title of its clause, or that everybody passes; at the start whose
        turn it is.
        """
        match self.kind:
            case "start":
                return f"{self.head.active}'s turn{f', {self.head.step}' if self.head.step else ''}"
            case "round":
                return "everybody passes"
            case "move":
                return self.head.title or "(no title)"
            case _:
                assert_never(self.kind)

    @property
    def clause(self) -> str:
        """The clause by which it is decided; empty for a round and the start."""
        return self.head.clause if self.kind == "move" else ""

    @property
    def follows(self) -> str:
        """What happens and what comes of it, the end of the sentence that the title begins."""
        said = "".join(f". {sentence.rstrip('.')}" for sentence in self.happens)
        because = self.head.decided if self.head is self.end else ()
        place = f"on to {self.place}" if self.place else ""
        outcome = (
            place
            + (": " if place and self.outcome and not self.outcome.startswith(",") else "")
            + self.outcome
        )
        if outcome:
            said += (
                f", so {outcome}"
                if self.kind != "start" or said
                else f". {outcome[0].upper()}{outcome[1:]}"
            )
            said += f", because {', and '.join(because)}" if because else ""
        by = ", ".join(self.clauses)
        return (
            f"{said}, then {by}."
            if by and not said and self.kind == "move"
            else f"{said}{f' ({by})' if by else ''}."
        )

    @property
    def place(self) -> str:
        """Whose turn and which step it is at its end, as far as that is not so before; empty if
        both are.
        """
        was = self.head if self.before is None else self.before
        turn = f"{self.end.active}'s turn" if self.end.active != was.active else ""
        step = self.end.step if self.end.step != was.step or turn else ""
        return ", ".join(filter(None, (turn, step)))

    @property
    def outcome(self) -> str:
        """Who has priority at its end, as the end of a sentence.

        If nobody has priority, it says so, and where the game is, only where the play ends or a
        player decides. Empty if there is nothing to say.
        """
        end, was = self.end, self.before
        if end.over:
            return "the game is over"
        if end.priority:
            same = was is not None and (end.holders, end.stage, end.active) == (
                was.holders,
                was.stage,
                was.active,
            )
            has = (
                f"{join_words(end.priority)} {'has' if len(end.priority) == 1 else 'have'} priority"
            )
            return "" if same and not self.place and not self.clauses else has
        is_told = self.after is None or self.after.seat is not None
        where = ", where " if self.place else ""
        return f"{where}nobody has priority: {end.stage_title}" if is_told else ""


def passages_of(play: Play) -> tuple[Passage, ...]:
    """Return the moves of *play* in passages."""
    decisions = {moment.number for moment in play.moments if moment.decision}
    begins = {0} | decisions | _apart(play)
    groups: list[_Group] = []
    for moment in play.moments:
        if moment.number in begins:
            groups.append((moment,))
        else:
            groups[-1] = (*groups[-1], moment)
    return tuple(_passages(_rounds(groups, play)))


def _apart(play: Play) -> frozenset[int]:
    """Return the numbers of the moves that belong to no passage before them."""
    again = set() if play.round is None else {play.round[0]}
    last = {play.moments[-1].number} if play.conclusion else set()
    return frozenset(
        again | last | play.cited | {*play.apart} | {number + 1 for number in play.shown}
    )


def _rounds(groups: Sequence[_Group], play: Play) -> list[tuple[_Group, bool]]:
    """Join the *groups* in which each player passes, one after the other; return all, each with
    whether it is such a round.

    A pass that the reasons name stays by itself.
    """
    apart = _apart(play)
    joined: list[tuple[_Group, bool]] = []
    number = 0
    while number < len(groups):
        several = groups[number : number + play.players]
        heads = [group[0] for group in several]
        passers = {head.seat for head in heads if head.decision == "passes" and _only_passes(head)}
        is_named = heads[0].number in play.cited or any(head.number in apart for head in heads[1:])
        if play.players > 1 and len(passers) == play.players and not is_named:
            joined.append((tuple(moment for group in several for moment in group), True))
            number += play.players
        else:
            joined.append((groups[number], False))
            number += 1
    return joined


def _only_passes(moment: Moment) -> bool:
    """Whether nothing happens in the move but a pass, and what turn and step say."""
    return not moment.choices and set(moment.events) == set(moment.implied)


def _passages(groups: Sequence[tuple[_Group, bool]]) -> Iterator[Passage]:
    for number, (group, is_round) in enumerate(groups):
        before = groups[number - 1][0][-1] if number else None
        after = groups[number + 1][0][0] if number + 1 < len(groups) else None
        yield Passage(
            "start" if before is None else "round" if is_round else "move", group, before, after
        )
